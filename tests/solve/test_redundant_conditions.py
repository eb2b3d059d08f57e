"""Conditions that repeat or contradict one another in every verb: mobility, motion and reactions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.systems.conditions import eliminated, rank


def dh(turn: float, length: float, twist: float) -> np.ndarray:
    """Denavit and Hartenberg's matrix of a link."""
    c, s, ct, st = np.cos(turn), np.sin(turn), np.cos(twist), np.sin(twist)
    return np.array([[c, -s * ct, s * st, length * c], [s, c * ct, -c * st, length * s], [0, st, ct, 0], [0, 0, 0, 1]])


def bennett(first: float, a: float = 1.0, alpha: float = np.pi / 3, beta: float = np.pi / 4) -> fx.Model:
    """Four skew axes that turn together although six conditions close three joints: a/sin(alpha) = b/sin(beta)."""
    b = a * np.sin(beta) / np.sin(alpha)
    ratio = np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2)  # tan(first/2) tan(second/2)
    turns = [first, 2 * np.arctan(ratio / np.tan(first / 2))]
    frames = [np.eye(4)]
    for turn, length, twist in zip(
        [*turns, *(2 * np.pi - np.array(turns))], (a, b, a, b), (alpha, beta) * 2, strict=True
    ):
        frames.append(frames[-1] @ dh(turn, length, twist))
    np.testing.assert_allclose(frames[4], np.eye(4), atol=1e-12)
    places, axes = [one[:3, 3] for one in frames], [tuple(one[:3, 2].tolist()) for one in frames]
    links = [fx.RigidBody(f"link{i}", 1.0, (0.1, 0.2, 0.25)) for i in range(3)]

    def at(i: int, place: np.ndarray) -> object:
        return links[i].at(*(place - (places[i] + places[i + 1]) / 2).tolist())

    ends = [fx.ground.at(*places[0].tolist()), *(at(i, places[i]) for i in (1, 2)), fx.ground.at(*places[3].tolist())]
    starts = [at(0, places[0]), at(0, places[1]), at(1, places[2]), at(2, places[3])]
    pairs = [(ends[0], starts[0]), (starts[1], ends[1]), (starts[2], ends[2]), (starts[3], ends[3])]
    joints = [fx.Revolute(p, q, about=axes[i], name=f"q{i}") for i, (p, q) in enumerate(pairs)]
    return fx.Model(*joints, fx.TorsionSpring(fx.ground, links[0], 5.0), fx.Torque(links[0], "T"))


def cranks(count: int = 3) -> fx.Model:
    """A platform hung on parallel cranks of length 1, of which two would do."""
    feet = [(0.0, 0.0), (1.0, 0.0), (0.4, 0.8)][:count]
    hung, platform = [fx.RigidBody(f"crank{i}", 1.0, 0.1) for i in range(count)], fx.RigidBody("platform", 1.0, 0.1)
    lower = [
        fx.Revolute(fx.ground.at(*at), one.at(0, -0.5), name=f"q{i}")
        for i, (at, one) in enumerate(zip(feet, hung, strict=True))
    ]
    upper = [
        fx.Revolute(one.at(0, 0.5), platform.at(*at), name=f"p{i}")
        for i, (at, one) in enumerate(zip(feet, hung, strict=True))
    ]
    return fx.Model(*lower, *upper, fx.Gravity(along="y"), fx.Torque(hung[0], "T"))


def test_cranks_under_one_platform_are_one_pendulum() -> None:
    """One angle: inertia 3 (0.1 + 1/4) + 1, weights at 1/2 three times and at 1."""
    equations = fx.derive(cranks())
    inertia, arm = 3 * 0.35 + 1, 2.5 * 9.81
    for method in ("exact", "ritz"):
        assert fx.modes(equations, 3, method=method).frequencies == pytest.approx([np.sqrt(arm / inertia)])
    response = fx.frequency_response(equations, [1.0, 2.0], "T", "q2")
    np.testing.assert_allclose(response, 1 / (arm - inertia * np.array([1.0, 4.0])), rtol=1e-12)
    rest = fx.equilibrium(equations, values={"T": 3.0})
    assert rest["q1"] == pytest.approx(np.arcsin(3.0 / arm))
    assert "mobility 1" in rest.notes[0]
    found = fx.accelerations(equations, {"q0": 0.4, "q0_t": 0.7}, inputs={"T": 3.0})
    assert found["q2"] == pytest.approx((3.0 - arm * np.sin(0.4)) / inertia)
    about = fx.modes(equations, 3, about=rest)
    assert about.frequencies == pytest.approx([np.sqrt(arm * np.cos(rest["q0"]) / inertia)])
    assert fx.modes(equations, 3, about={k: rest[k] for k in equations.coordinates}, values={"T": 3.0}).frequencies == (
        pytest.approx(about.frequencies)
    )


def test_bennetts_linkage_moves_in_every_verb() -> None:
    """One motion: its inertia from energies, its stiffness from the spring; modes, responses and reactions follow."""
    equations = fx.derive(bennett(1.0))
    start = {"q0": 0.2, "q0_t": 0.5}
    run = fx.simulate(equations, np.linspace(0, 0.2, 3), initial=start, inputs={"T": 0.3}, tolerance=1e-9)
    found = fx.accelerations(equations, start, inputs={"T": 0.3})
    assert "mobility 1" in found.notes[0]
    assert any("mobility 1" in note for note in run.notes)
    assert run.energy.error < 1e-8
    for name in ("lambda_q3_x", "lambda_q3_r1"):
        assert run[name][0] == pytest.approx(found[name], rel=1e-6, abs=1e-9)
    resting = fx.simulate(equations, [0.0, 1e-3], initial={"q0_t": 1.0}, inputs={"T": 0}).energy.kinetic[0] * 2
    assert fx.modes(equations, 3).frequencies == pytest.approx([np.sqrt(5 / resting)])
    assert fx.frequency_response(equations, [1.5], "T", "q0")[0] == pytest.approx(1 / (5 - 2.25 * resting))


def test_conditions_that_contradict_one_another_are_named() -> None:
    mass = fx.Mass("m", 1.0)
    free = fx.Free(fx.ground, mass, names=("x", "y"))
    places = fx.derive(fx.Model(free, *map(fx.Constraint, ("x - 1", "x + y - 2", "y - 3"))))
    rates = fx.derive(fx.Model(free, *map(fx.Constraint, ("x_t - 1", "x_t - 2", "y - x"))))
    for ask in (lambda: fx.simulate(places, [0, 1]), lambda: fx.equilibrium(places)):
        with pytest.raises(fx.FlexuraError, match="lambda_1, lambda_2 and lambda_3 contradict one another"):
            ask()
    with pytest.raises(fx.FlexuraError, match="lambda_1 and lambda_2 contradict one another"):
        fx.simulate(rates, [0, 1])


@pytest.mark.parametrize(("method", "tolerance", "off"), [("radau", 1e-9, 1e-9), ("generalized_alpha", 1e-3, 1e-3)])
def test_implicit_steps_follow_conditions_that_repeat(method: str, tolerance: float, off: float) -> None:
    """The motion and the reactions of least norm are those of explicit steps."""
    equations, t = fx.derive(bennett(1.0)), np.linspace(0, 0.3, 4)
    asked = {"initial": {"q0": 0.2, "q0_t": 0.5}, "inputs": {"T": 0.3}}
    explicit = fx.simulate(equations, t, **asked, tolerance=1e-10, method="explicit")
    implicit = fx.simulate(equations, t, **asked, tolerance=tolerance, method=method)
    for name in ("q0", "q2", "lambda_q3_x", "lambda_q3_r1"):
        np.testing.assert_allclose(implicit[name], explicit[name], atol=off)


def door(*hinges: float) -> fx.Equations:
    """A door hung in a frame that flies, on hinges at heights along their one axis."""
    frame, leaf = fx.RigidBody("frame", 2.0, (0.2, 0.3, 0.4)), fx.RigidBody("door", 1.0, (0.1, 0.2, 0.25))
    hung = [fx.Revolute(frame.at(0, y), leaf.at(-0.4, y), about="y", name=f"h{i}") for i, y in enumerate(hinges)]
    return fx.derive(fx.Model(fx.Free(fx.ground, frame), *hung))


def test_a_door_on_two_hinges_in_a_free_frame_is_one_on_one_hinge() -> None:
    """All conditions of the second hinge hold by themselves: none is there to tell the rounding of the others."""
    two, one = door(0.5, -0.5), door(0.5)
    assert (int(two.mobility), two.mobility.redundant) == (7, 5)
    start = {"h0_t": 1.0, "psi_frame": 0.2, "psi_frame_t": 0.5, "theta_frame_t": 0.3}
    t = np.linspace(0, 0.5, 3)
    runs = [fx.simulate(equations, t, initial=start, tolerance=1e-9) for equations in (two, one)]
    for name in one.coordinates:
        np.testing.assert_allclose(runs[0][name], runs[1][name], atol=1e-7)
    assert any("repeat the others" in note for note in runs[0].notes)
    found, true = (fx.accelerations(equations, start) for equations in (two, one))
    assert {name: found[name] for name in true} == pytest.approx(dict(true), abs=1e-12)


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(0, 3), st.integers(1, 6))
@settings(max_examples=25)
def test_elimination_keeps_what_conditions_leave(seed: int, count: int, repeats: int, more: int) -> None:
    """Conditions in any units, some of them repeated in rounded combinations, of unknowns in any units."""
    random = np.random.default_rng(seed)
    n = count + more
    A = random.standard_normal((count, n)) * 10.0 ** random.uniform(-3, 3, n)
    A = np.vstack([A, random.standard_normal((repeats, count)) @ A])
    A = A * 10.0 ** random.uniform(-4, 4, (count + repeats, 1))
    assert rank(A) == count
    N, stay = eliminated(A)
    assert N.shape == (n, more)
    assert len(stay) == more
    np.testing.assert_array_equal(N[stay], np.eye(more))
    size = np.abs(A) @ np.abs(N)
    assert np.all(np.abs(A @ N) <= 1e-7 * size.max(axis=1, keepdims=True))


@settings(max_examples=30, deadline=None)
@given(st.floats(-20, 20))
def test_a_state_of_rest_is_at_the_turn_nearest_to_its_guess(guess: float) -> None:
    """A pendulum rests at multiples of a half turn, wherever Newton's steps led; a spiral spring counts its turns."""
    bob = fx.RigidBody("bob", 1.0, 0.1)
    hung = fx.Revolute(fx.ground, bob.at(0, -0.5), name="th"), fx.Gravity(along="y")
    rest = fx.equilibrium(fx.derive(fx.Model(*hung, bob)), guess={"th": guess})
    assert abs(np.sin(rest["th"])) < 1e-12
    assert abs(rest["th"] - guess) <= np.pi * (1 + 1e-12)
    wound = fx.derive(fx.Model(*hung, fx.TorsionSpring(fx.ground, bob, 0.02)))
    turned = fx.equilibrium(wound, guess={"th": guess})["th"]
    assert 0.02 * turned + 9.81 / 2 * np.sin(turned) == pytest.approx(0, abs=1e-9)


@settings(max_examples=15, deadline=None)
@given(st.tuples(*(st.floats(-7.0, 7.0) for _ in range(4))))
@example((2.5, 0.0, 0.0, 0.0))
def test_angles_of_loops_are_at_the_turn_nearest_to_their_guess(guess: tuple[float, ...]) -> None:
    """Each crank alone, redundant or not, and the loop still closes."""
    equations = fx.derive(cranks())
    names = ("q0", "q1", "q2", "p0")
    try:
        rest = fx.equilibrium(equations, guess=dict(zip(names, guess, strict=True)), values={"T": 0.0})
    except fx.FlexuraError:
        return  # nowhere at rest from there, and that is said
    for name, first in zip(names, guess, strict=True):
        assert abs(rest[name] - first) <= np.pi * (1 + 1e-12)
    q0, q1, q2, p0 = (rest[name] for name in names)
    for foot, angle in (((1.0, 0.0), q1), ((0.4, 0.8), q2)):
        hung = [np.array([-np.sin(q0), np.cos(q0)]), np.array([-np.sin(angle), np.cos(angle)])]
        c, s = np.cos(q0 + p0), np.sin(q0 + p0)
        place = np.array([c * foot[0] - s * foot[1], s * foot[0] + c * foot[1]])
        np.testing.assert_allclose(hung[0] + place, np.array(foot) + hung[1], atol=1e-8)
