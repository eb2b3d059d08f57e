"""Sensitivities: closed forms, and central differences of fx.modes on systems of every kind."""

from __future__ import annotations

import os
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.gallery import example
from flexura.gallery.values import values as example_values

EXAMPLES = int(os.environ.get("FLEXURA_RANDOM", "4"))
RULE = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}


def difference(equations, name, values, count):
    """d(s)/d(name) by the central difference of sixth order over fx.modes."""
    at = values[name]
    step = 0.004 * at

    def s(k):
        return fx.modes(equations, count, {**values, name: at + k * step}).eigenvalues

    return sum(weight * (s(k) - s(-k)) for k, weight in RULE.items()) / step


def agree(equations, values, names, count, tolerance=1e-8):
    equations = equations if equations.lagrangian.linear else fx.linearise(equations)
    found = fx.sensitivity(equations, names, count, values)
    for name in names:
        expected = difference(equations, name, values, count)
        assert np.abs(found.eigenvalue_slopes[name] - expected).max() <= tolerance * np.abs(expected).max(), name
        size, noise = np.abs(found.eigenvalues), max(1e-9, tolerance * np.abs(expected).max())
        assert np.allclose(found[name], np.real(found.eigenvalues.conj() * expected) / size, rtol=1e-6, atol=noise)
    return found


def test_a_beam_scales_as_its_formula_says() -> None:
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", field="w")
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start)))
    found = fx.sensitivity(equations, count=5, values={"EI": 50.0, "rho": 1.2, "l": 1.3})
    for name, power in {"EI": 0.5, "rho": -0.5, "l": -2.0}.items():  # omega ~ sqrt(EI/rho)/l^2
        assert np.allclose(found.relative[name], power, rtol=1e-10)
    assert list(found) == ["EI", "l", "rho"]
    assert "d/d(EI)" in str(found)


@pytest.mark.parametrize("b", [0.0, 4.0])
def test_example_one(b) -> None:
    equations, values = fx.derive(example("example-one")), {**example_values("example-one"), "b": b}
    names = ["m_a", "K2", "l", "I_c"] + (["b"] if b else [])
    agree(equations, values, names, 4, 2e-7)


def test_a_moving_base_turns_lengths_into_sensitivities_of_offsets_too() -> None:
    """An arm on a hub: r enters the end values of no field, but the energies and, by the tip body, the ends."""
    hub, tip = fx.RigidBody("hub", m="M", I="J"), fx.RigidBody("tip", m="m", I="I")
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", field="w")
    model = fx.Model(
        fx.Revolute(fx.ground, hub, name="theta"),
        fx.TorsionSpring(fx.ground, hub, k="k"),
        fx.Fixed(hub.at("r"), beam.start),
        fx.Fixed(beam.end, tip.at("-d")),
    )
    values = {"J": 0.2, "m": 0.5, "I": 0.01, "EI": 20.0, "rho": 1.0, "l": 0.9, "k": 30.0, "r": 0.15, "d": 0.1}
    agree(fx.derive(model), values, ["r", "l", "d", "J"], 4, 1e-7)


def test_members_that_meet_at_an_angle_carry_changes_of_the_angle() -> None:
    left = fx.EulerBernoulliBeam("left", EI=1.0, EA=1e3, rho=1.0, length=1.0)
    right = fx.EulerBernoulliBeam("right", EI=1.0, EA=1e3, rho=1.0, length=("b", 0.8))
    model = fx.Model(fx.Fixed(fx.ground, left.start), fx.Fixed(left.end, right.start, angle="a"))
    agree(fx.derive(model), {"a": 0.7, "b": 0.8}, ["a", "b"], 3, 1e-7)


def test_a_step_that_moves() -> None:
    EI = "Piecewise((4, x < s), (1, True))"
    beam = fx.EulerBernoulliBeam("beam", EI=EI, rho="Piecewise((2, x < s), (1, True))", length=1.0, field="w")
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), foreshortening=False))
    agree(equations, {"s": 0.4}, ["s"], 3, 1e-7)


def test_a_constraint_that_holds_the_parameter() -> None:
    """A lever of ratio r joins two masses: (m + r^2 m) x'' + (k + 3 r^2 k) x = 0, and a third hangs on both."""
    x, y, z = (fx.Coordinate(name) for name in "xyz")
    energies = fx.Lagrangian(
        kinetic=(x.t**2 + y.t**2 + z.t**2) / 2,
        potential=(x**2 + 3 * y**2 + (z - x) ** 2 + 2 * (z - y) ** 2) / 2,
        constraints=["y - r*x"],
    )
    found = agree(fx.derive(energies), {"r": 1.7}, ["r"], 2, 1e-9)
    assert np.abs(found["r"]).min() > 1e-3


def test_a_line_that_changes_along_x_and_grows() -> None:
    beam = fx.EulerBernoulliBeam("beam", EI="exp(-c*x)", rho="sqrt(1 + (x/l)**2)", length="l", field="w")
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start)))
    agree(equations, {"c": 0.6, "l": 1.3}, ["c", "l"], 3, 1e-7)


def test_left_and_right_shapes_of_a_gyroscopic_system() -> None:
    """A spinning disc on springs, and a follower force: matrices that are not symmetric."""
    x, y = fx.Coordinate("x"), fx.Coordinate("y")
    lagrangian = fx.Lagrangian(
        kinetic="m*(x_t**2 + y_t**2)/2 + Omega*(x*y_t - y*x_t)",
        potential="k*x**2/2 + 3*k*y**2/2",
        dissipation="c*x_t**2/2",
        work={x: "h*y", y: "-h*x"},
    )
    values = {"m": 2.0, "Omega": 0.7, "k": 5.0, "c": 0.3, "h": 0.4}
    agree(fx.derive(lagrangian), values, list(values), 2, 1e-8)


def test_where_frequencies_coincide_the_branches_part() -> None:
    """Two equal cantilevers joined by a spring k = 0: one branch feels it, the other does not."""
    one, two = (fx.EulerBernoulliBeam(name, EI=1.0, rho=1.0, length=1.0) for name in ("one", "two"))
    model = fx.Model(fx.Fixed(fx.ground, one.start), fx.Fixed(fx.ground, two.start), fx.Spring(one.end, two.end, k="k"))
    found = fx.sensitivity(fx.derive(model), "k", 4, {"k": 0.0})
    # the tip of a mass-normalised cantilever moves by 2; where both move oppositely, 4/sqrt(2): (omega^2)' = 8
    assert np.allclose(np.sort(found["k"][:2]), [0.0, 8 / (2 * found.frequencies[0])], rtol=1e-8, atol=1e-9)
    assert np.allclose(np.sort(found["k"][2:]), [0.0, 8 / (2 * found.frequencies[2])], rtol=1e-8, atol=1e-9)


def test_free_motions_stay_at_zero() -> None:
    of_shaft = example_values("stepped-shaft")
    found = fx.sensitivity(fx.derive(example("stepped-shaft")), ["GJ1", "I2"], 3, of_shaft)
    assert found["GJ1"][0] == found["I2"][0] == 0.0
    assert found["GJ1"][1] > 0 > found["I2"][1]


def test_nonlinear_equations_are_linearised_with_the_parameter_left_in() -> None:
    equations = fx.derive(example("double-pendulum"))
    values = example_values("double-pendulum")
    found = fx.sensitivity(equations, "g", 2, values)
    assert np.allclose(found.relative["g"], 0.5, rtol=1e-10)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.data())
def test_random_chains(data) -> None:
    """Sections, masses and springs drawn at random; a random parameter."""
    sizes = data.draw(st.lists(st.floats(0.5, 2.0), min_size=2, max_size=3))
    beams = [
        fx.TimoshenkoBeam(f"b{i}", EI="EI", kGA=400.0, rho=f"rho{i}", rotary_inertia=0.01, length=f"l{i}")
        if data.draw(st.booleans())
        else fx.EulerBernoulliBeam(f"b{i}", EI="EI", rho=f"rho{i}*(1 + x)", length=f"l{i}", axial_force="P")
        for i in range(len(sizes))
    ]
    body = fx.RigidBody("body", m="m", I=0.02)
    joints = [fx.Fixed(fx.ground, beams[0].start), fx.Fixed(beams[-1].end, body.at("-d"))]
    joints += [fx.Fixed(a.end, b.start) for a, b in pairwise(beams)]
    equations = fx.derive(fx.Model(*joints, fx.Spring(fx.ground, body, k="k")))
    values = {"EI": 3.0, "m": 0.4, "d": 0.1, "k": 2.0, "P": 0.5}
    values |= {f"l{i}": size for i, size in enumerate(sizes)} | {f"rho{i}": 1.0 + i for i in range(len(sizes))}
    values = {name: one for name, one in values.items() if name in equations.lagrangian.parameters}
    agree(equations, values, [data.draw(st.sampled_from(sorted(values)))], 3, 3e-7)


def test_bad_questions() -> None:
    equations = fx.derive(example("cantilever"))
    values = example_values("cantilever")
    with pytest.raises(
        fx.FlexuraError, match="There is no parameter 'EJ' in the equations; they hold EI, c, eta, l, rho"
    ):
        fx.sensitivity(equations, "EJ", values=values)
    found = fx.sensitivity(equations, "EI", 1, values)
    with pytest.raises(fx.FlexuraError, match="There is no sensitivity to 'rho'; it was asked for EI"):
        found["rho"]


@pytest.mark.parametrize("held", ["clamped", "pinned", "guided"])
@pytest.mark.parametrize("damping", ["damping", "internal_damping"])
def test_damped_beams_without_a_coordinate(held, damping) -> None:
    """Nothing but the field moves: the shape is complex and there is no coordinate to say so."""
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", field="w", **{damping: "c"})
    hold = {"clamped": fx.Fixed, "pinned": fx.Pin, "guided": fx.Slide}[held]
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), hold(beam.end, fx.ground), foreshortening=False))
    agree(equations, {"EI": 2.0, "rho": 1.3, "l": 1.1, "c": 2e-3}, ["EI", "rho", "l", "c"], 3, 2e-7)


def test_a_damped_stepped_beam_without_a_coordinate() -> None:
    """The place where the stiffness jumps moves with a parameter too."""
    stiffness = "Piecewise((EI, x < a), (3*EI, True))"
    beam = fx.EulerBernoulliBeam("beam", EI=stiffness, rho="rho", length="l", field="w", damping="c")
    model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Fixed(beam.end, fx.ground), foreshortening=False)
    agree(fx.derive(model), {"EI": 2.0, "rho": 1.3, "l": 1.1, "c": 0.4, "a": 0.47}, ["EI", "l", "c", "a"], 3, 2e-7)
