"""The ways to step, on small systems whose motion is known: accuracy, order, constraints, stiffness, events, ends."""

import numpy as np
import pytest

from flexura.errors import FlexuraError
from flexura.solve.steppers.energy_balance import energy_balance
from flexura.solve.steppers.generalized_alpha import generalized_alpha
from flexura.solve.steppers.mechanics import Mechanics
from flexura.solve.steppers.norm import Norm
from flexura.solve.steppers.pace import Pace
from flexura.solve.steppers.run import Event, Options, follow
from flexura.solve.steppers.tableau import tableau
from flexura.systems.deadline import Deadline
from hand_systems import NONE, constrained_pendulum, double_pendulum, oscillators, system


def run(one, q, v, end, u=lambda t: NONE, **options):
    mechanics = Mechanics(one, u)
    start = mechanics.state(0.0, np.array(q, dtype=float), np.array(v, dtype=float))
    found = follow(mechanics, start, end, Options(**options))
    times = np.linspace(0, found.history.states[-1].t, 301)
    curve = found.history.curve()
    q, v, a = curve.at(times)
    return found, times, (q, v, a), energy_balance(mechanics, curve, times, q, v)


@pytest.mark.parametrize("method", ["explicit", "radau"])
def test_oscillators_follow_the_cosine_between_the_steps_too(method):
    _, t, (q, v, a), energy = run(oscillators([1.0, 2.0]), [1, 0.3], [0, 0], 30.0, local=1e-11, method=method)
    assert np.abs(q[:, 0] - np.cos(t)).max() < 1e-10  # some hundred steps of 1e-11 each
    assert np.abs(v[:, 1] + 0.6 * np.sin(2 * t)).max() < 1e-10
    assert np.abs(a[:, 0] + np.cos(t)).max() < 1e-10
    assert energy.error < 1e-9


@pytest.mark.parametrize(("method", "bound"), [("explicit", 1e-9), ("radau", 1e-8), ("generalized_alpha", 0.02)])
def test_a_chaotic_double_pendulum_keeps_its_energy(method, bound):
    local = 1e-3 if method == "generalized_alpha" else 1e-10
    found, _, _, energy = run(double_pendulum(), [2.0, 1.0], [0, 0], 5.0, local=local, method=method)
    assert found.complete
    assert energy.error < bound


def test_two_ways_agree():
    results = [
        run(double_pendulum(), [1.0, 0.5], [0, 0], 3.0, local=1e-12, method=method)[2][0]
        for method in ("explicit", "radau")
    ]
    assert np.abs(results[0] - results[1]).max() < 1e-9


@pytest.mark.parametrize(("method", "drift"), [("explicit", 1e-12), ("radau", 1e-9), ("generalized_alpha", 1e-4)])
def test_constraints_do_not_drift(method, drift):
    local = 1e-4 if method == "generalized_alpha" else 1e-11
    found, _, (q, _, _), energy = run(constrained_pendulum(), [1.0, 0.0], [0, 0], 5.0, local=local, method=method)
    at_steps = np.array([state.q for state in found.history.states])
    assert np.abs((at_steps**2).sum(axis=1) - 1).max() < 1e-13
    assert np.abs((q**2).sum(axis=1) - 1).max() < drift
    assert energy.error < (1e-9 if method != "generalized_alpha" else 1e-3)
    angle = np.array([state.multipliers[0] for state in found.history.states[1:]])
    y, speed = at_steps[1:, 1], np.array([state.v @ state.v for state in found.history.states[1:]])
    assert np.allclose(angle, 9.81 * y - speed, atol=0.2 if method == "generalized_alpha" else 1e-6)  # rod's force


def test_generalized_alpha_is_of_second_order():
    mechanics = Mechanics(oscillators([1.0]), lambda t: NONE)
    start = mechanics.state(0.0, np.ones(1), np.zeros(1))
    errors = []
    for h in (0.05, 0.025):
        steps = generalized_alpha(
            mechanics, Norm.of(mechanics, start, mechanics.newton(start)), start, 10.0, 1.0, Pace(h, h)
        )
        errors.append(max(abs(state.q[0] - np.cos(state.t)) for state in steps))
    assert abs(np.log2(errors[0] / errors[1]) - 2) < 0.1


@pytest.mark.parametrize("local", [1e-5, 1e-7, 1e-9])
def test_generalized_alpha_starts_constrained_motions_at_any_tolerance(local):
    """From rest: the shorter its steps, the less may be left of what holds the rod, 9.81 y - speed^2."""
    options = {"local": local, "method": "generalized_alpha"}
    found, t, (q, v, a), _ = run(constrained_pendulum(), [1.0, 0.0], [0, 0], 0.05, **options)
    assert found.complete, found.message
    states = found.history.states[1:]
    forces = np.array([one.multipliers[0] for one in states])
    expected = np.array([9.81 * one.q[1] - one.v @ one.v for one in states])
    assert np.abs(forces - expected).max() < 1e-9
    assert np.abs(q[:, 1] + 9.81 * t**2 / 2).max() < 1e-5 + 100 * local  # the angle turns by 0.7 degrees
    assert v[-1, 1] == pytest.approx(-9.81 * 0.05, rel=1e-3)
    assert a[0] == pytest.approx([0.0, -9.81], abs=1e-6)


@pytest.mark.parametrize("s", [3, 5, 7])
def test_the_radau_tableau_has_its_order(s):
    method = tableau(s)
    b, c = method.A[-1], method.c
    for k in range(1, 2 * s):
        assert abs(b @ c ** (k - 1) - 1 / k) < 1e-13
    assert abs(b @ c ** (2 * s - 1) - 1 / (2 * s)) > 1e-9  # and not one more
    assert np.allclose(method.A.sum(axis=1), c)


def test_stiff_systems_go_the_implicit_way_and_others_do_not():
    stiff, *_ = run(constrained_pendulum(stiff=3000.0), [1.0, 0.0, 1.0], [0, 0, 0], 3.0, local=1e-9)
    assert stiff.complete
    assert stiff.steps["radau"] > 5 * stiff.steps.get("explicit", 0) / 3
    assert sum(stiff.steps.values()) < 600  # stability alone would ask for 3000 * 1.41 * 3 / 5
    soft, *_ = run(oscillators([1.0, 2.0]), [1.0, 0.0], [0, 0], 10.0, local=1e-9)
    assert set(soft.steps) == {"explicit"}


def test_a_jump_is_met_exactly_at_a_break():
    one = oscillators([1.0], loaded=True)
    _, t, (q, _, _), energy = run(one, [0], [0], 8.0, lambda t: np.array([float(t < 3.0)]), breaks=[3.0], local=1e-12)
    exact = np.where(t < 3, 1 - np.cos(t), np.cos(t - 3) - np.cos(t))
    assert np.abs(q[:, 0] - exact).max() < 1e-10
    assert energy.error < 1e-10


def test_damping_and_load_are_in_the_ledger():
    one = oscillators([1.0, 3.0], zeta=0.05, loaded=True)
    _, _, _, energy = run(one, [0, 0], [0, 0], 20.0, lambda t: np.array([np.sin(t)]), local=1e-11)
    assert energy.dissipated[-1] > 0.1 * energy.scale
    assert np.all(np.diff(energy.dissipated) >= 0)
    assert energy.error < 1e-9


def test_events_are_found_and_may_end_the_run():
    events = [Event("zero", lambda t, q, v: q[0]), Event("end", lambda t, q, v: q[0] + 0.5, terminal=True)]
    found, *_ = run(oscillators([1.0]), [1], [0], 20.0, events=events, local=1e-12)
    assert found.events["zero"] == pytest.approx([np.pi / 2], abs=1e-10)
    assert found.history.states[-1].t == pytest.approx(2 * np.pi / 3, abs=1e-10)
    assert not found.complete
    assert "The event end ended the run at t = 2.09439" in found.message


def blow_up():
    """x'' = 2 x^3 - (nothing else): from 1, 1 it is 1/(1 - t)."""
    return system(
        ("x",),
        lambda t, q, v, u: (np.eye(1), 2 * q**3),
        lambda t, q, v, a, u, lam: (np.diag(-6 * q**2), np.zeros((1, 1))),
        lambda t, q, v: (v @ v / 2, -(q[0] ** 4) / 2),
    )


@pytest.mark.parametrize("method", ["explicit", "radau", None])
def test_what_blows_up_stops_with_the_reason_and_keeps_what_it_has(method):
    found, t, (q, _, _), _ = run(blow_up(), [1.0], [1.0], 2.0, local=1e-9, method=method)
    assert not found.complete
    assert "stalled" in found.message or "beyond all numbers" in found.message
    before = t < 0.9
    assert np.abs(q[before, 0] * (1 - t[before]) - 1).max() < 1e-6


def test_a_motion_without_inertia_is_named():
    one = system(
        ("x", "loose"),
        lambda t, q, v, u: (np.diag([1.0, 0.0]), -q),
        lambda t, q, v, a, u, lam: (np.eye(2), np.zeros((2, 2))),
        lambda t, q, v: (v[0] ** 2 / 2, q @ q / 2),
    )
    with pytest.raises(FlexuraError, match="The mass matrix is singular: loose can move without inertia; give that"):
        Mechanics(one, lambda t: NONE).state(0.0, np.zeros(2), np.zeros(2))


def test_a_run_may_be_limited_in_time():
    found, *_ = run(double_pendulum(), [2.0, 1.0], [0, 0], 1e6, local=1e-11, deadline=Deadline(0.2))
    assert not found.complete
    assert "reached its limit of 0.2 s" in found.message
