"""Modes as users ask for them: Example One, damping, bad input."""

from __future__ import annotations

import re

import numpy as np
import pytest

import flexura as fx
from flexura.solve.modes import modes

VALUES = {"m_a": 3, "m_b": 2, "m_c": 1.5, "I_c": 0.02, "rho": 1.2, "l": 1.3, "EI": 50, "K1": 800, "K2": 600, "K3": 400}


@pytest.fixture(scope="module")
def example():
    a, b, c = fx.RigidBody("a", m="m_a", I=0), fx.RigidBody("b", m="m_b", I=0), fx.RigidBody("c", m="m_c", I="I_c")
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", field="q3")
    return fx.derive(
        fx.Model(
            fx.Slide(fx.ground, a, name="q1"),
            fx.Slide(a, b, name="q2"),
            fx.Fixed(b, beam.start),
            fx.Fixed(beam.end, c),
            fx.Spring(fx.ground, a, k="K1"),
            fx.Spring(a, b, k="K2"),
            fx.Damper(a, b, c="b"),
            fx.Spring(c, fx.ground, k="K3"),
            measured_from={beam: a},
            names={beam.end: ("q4", "q5")},
        )
    )


def test_example_one_undamped(example):
    found = modes(example, 8, values={**VALUES, "b": 0})
    first = [10.39878322359932, 16.06989954074006, 24.28908066317017, 57.29369922589491]
    np.testing.assert_allclose(found.frequencies[:4], first, rtol=1e-12)
    assert len(found) == 8
    assert found.certificate
    assert found.certificate.below == 7
    assert not found.damping_ratios.any()


def test_shapes_fit_the_ends_and_have_unit_mass(example):
    shape = modes(example, 3, values={**VALUES, "b": 0}).shape(1)
    assert shape.q3(0.0) == pytest.approx(shape["q2"], abs=1e-12)
    assert shape.q3(1.3) == pytest.approx(shape["q4"], abs=1e-12)
    assert shape.q3(1.3, 1) == pytest.approx(shape["q5"], abs=1e-12)
    assert set(shape.coordinates) == {"q1", "q2", "q4", "q5"}
    x, w = np.polynomial.legendre.leggauss(30)
    q = shape.coordinates
    mass = 3 * q["q1"] ** 2 + 2 * (q["q1"] + q["q2"]) ** 2 + 1.5 * (q["q1"] + q["q4"]) ** 2 + 0.02 * q["q5"] ** 2
    mass += 0.65 * 1.2 * w @ (q["q1"] + shape.q3(0.65 * (x + 1))) ** 2
    assert mass == pytest.approx(1.0, rel=1e-11)


def test_example_one_damped(example):
    found = modes(example, 8, values={**VALUES, "b": 4})
    first = [-0.09482849969503 + 10.40359880419509j, -5.895757229849e-5 + 16.0699056191499j]
    np.testing.assert_allclose(found.eigenvalues[:2], first, rtol=1e-11)
    assert found.certificate
    assert np.all(np.diff(found.frequencies) >= 0)


def test_strong_damping_has_two_real_roots(example):
    found = modes(example, 8, values={**VALUES, "b": 400})
    assert int((found.eigenvalues.imag == 0).sum()) == 2
    assert found.certificate


def test_internal_damping_near_its_accumulation():
    b = fx.EulerBernoulliBeam("b", EI=1.0, rho=1.0, length=1.0, internal_damping=0.01)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, b.start)))
    beam = fx.EulerBernoulliBeam("b", EI=1.0, rho=1.0, length=1.0)
    omega = modes(fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start))), 9).frequencies
    exact = np.concatenate([np.roots([1, 0.01 * w * w, w * w]) for w in omega])
    found = modes(equations, 3)
    np.testing.assert_allclose(found.eigenvalues, sorted(exact[exact.imag > 0], key=abs)[:3], rtol=1e-10)
    near = modes(equations, 3, near=-150)
    np.testing.assert_allclose(near.eigenvalues, sorted(exact, key=lambda s: abs(s + 150))[:3], rtol=1e-9)


def test_discrete_system_has_as_many_modes_as_it_has():
    m = fx.Mass("m", m=2.0)
    found = modes(fx.derive(fx.Model(fx.Slide(fx.ground, m, name="q"), fx.Spring(fx.ground, m, k=8.0))), 5)
    np.testing.assert_allclose(found.frequencies, [2.0], rtol=1e-14)
    assert found.certificate


def test_missing_values_are_listed_with_their_parts(example):
    with pytest.raises(fx.FlexuraError, match=r"EI \(beam\).*K3"):
        modes(example, 3)


def test_nonlinear_equations_are_linearised_about_zero():
    theta = fx.Coordinate("theta")
    pendulum = fx.Lagrangian(kinetic="m*l**2*theta_t**2/2" * 1, potential=-fx.Parameter("k") * fx.cos(theta))
    for system in (pendulum, fx.derive(pendulum)):
        assert modes(system, 1, values={"m": 1, "l": 1, "k": 4}).frequencies == pytest.approx([2.0])


def test_bad_count(example):
    with pytest.raises(fx.FlexuraError, match="count"):
        modes(example, 0, values={**VALUES, "b": 0})


def test_nonlinear_equations_away_from_equilibrium_are_refused_and_the_advice_works():
    y = fx.Coordinate("y")
    energies = fx.Lagrangian(kinetic=y.t**2 / 2, potential=9.81 * y + 50 * y**2 / 2 + 10 * y**4)
    equations = fx.derive(energies)
    with pytest.raises(fx.FlexuraError, match="equilibrium"):
        fx.modes(equations, 1)
    rest = fx.equilibrium(equations)
    found = fx.modes(fx.linearise(equations, about={"y": rest["y"]}), 1)
    assert found.frequencies[0] == pytest.approx(np.sqrt(50 + 120 * float(rest["y"]) ** 2), rel=1e-9)


def test_constraints_among_rates():
    """A sled that cannot slip sideways: rates alone are conditions on coordinates (test_mixed_conditions: on both)."""
    x, y = fx.Coordinate("x"), fx.Coordinate("y")
    spring = {"kinetic": (x.t**2 + y.t**2) / 2, "potential": (4 * x**2 + 9 * y**2) / 2}
    held = fx.derive(fx.Lagrangian(**spring, constraints=["y_t - 2*x_t"]))
    np.testing.assert_allclose(fx.modes(held, 3).frequencies, [np.sqrt((4 + 4 * 9) / 5)], rtol=1e-12)


def test_an_unstable_system_names_its_eigenvalue():
    x = fx.Coordinate("x")
    found = fx.modes(fx.derive(fx.Lagrangian(kinetic=x.t**2 / 2, potential=-9 * x**2 / 2)), 2)
    np.testing.assert_allclose(found.eigenvalues, [-3.0, 3.0])
    assert "1 mode grows" in str(found.certificate)
    assert "s = 3" in str(found.certificate)


def test_a_speed_beyond_which_nothing_is_stable_names_its_eigenvalue() -> None:
    """Without foreshortening a blade in the plane of rotation has omega^2 = 3.516^2 - Omega^2."""
    hub, blade = fx.RigidBody("hub", m=0, I=1.0), fx.EulerBernoulliBeam("blade", EI=1.0, rho=1.0, length=1.0)
    turn = fx.Revolute(fx.ground, hub, name="theta", motion="Omega*t")
    equations = fx.derive(fx.Model(turn, fx.Fixed(hub, blade.start), foreshortening=False))
    found = fx.modes(equations, 3, {"Omega": 5.0})
    growth = np.sqrt(25 - 3.516015268524**2)
    np.testing.assert_allclose(found.eigenvalues[:2], [-growth, growth], rtol=1e-9)
    assert found.certificate
    assert f"UNSTABLE: 1 mode grows without oscillating (omega^2 < 0), the fastest as s = {growth:.6f}" in str(
        found.certificate
    )
    assert "UNSTABLE" not in str(fx.modes(equations, 3, {"Omega": 3.0}).certificate)


def test_certificate_tells_how_closely_each_is_bracketed(example):
    found = modes(example, 8, values={**VALUES, "b": 0})
    assert "steps within 2e-12 of each frequency" in str(found.certificate)


def test_what_nothing_holds_has_only_zero_modes() -> None:
    body = fx.RigidBody("body", m=2.0, I=1.0)
    found = fx.modes(fx.derive(fx.Model(fx.Free(fx.ground, body))))
    assert found.frequencies.tolist() == [0.0, 0.0, 0.0]
    assert found.certificate
    assert abs(np.linalg.det([list(found.shape(k).values()) for k in range(3)])) > 0.1


def test_certificates_read_well_whatever_there_is_to_count():
    beam, a, c = fx.EulerBernoulliBeam("b", EI=1.0, rho=1.0, length=1.0), fx.Mass("a", 1.0), fx.Mass("c", 2.0)
    bar = fx.RigidBody("bar", m=2.0, I=0.1)
    slides = fx.Slide(fx.ground, a), fx.Slide(a, c)

    def told(*parts, count):
        return str(fx.modes(fx.derive(fx.Model(*parts)), count).certificate)

    assert re.match(
        r"1 mode\. Up to omega = \S+ rad/s there are exactly 2 modes, free motions at zero", told(beam, count=1)
    )
    assert "4 modes. Below omega = 61.67" in told(beam, count=4)
    assert "there is no mode, up to 3.516" in told(fx.Fixed(fx.ground, beam.start), count=1)
    nothing = (
        "The system has inertia and no stiffness, so all its modes are free motions and there is nothing to count."
    )
    zeros = "s = 0 is a root 4 times: 2 motions without stiffness, found by rank, each with its drift."
    assert told(*slides, count=5) == f"2 modes. {nothing} {zeros}"
    one = told(*slides, fx.Spring(a, c, k=3.0), count=5)
    assert "rad/s there is exactly 1 mode, up to 2.1213" in one
    assert one.endswith("The system has 2 modes in all.")
    falls = told(fx.Revolute(fx.ground, bar.at(-0.5)), fx.Gravity(9.81, along="-x"), count=5)
    assert re.search(r"Up to omega\^2 = -16\.3\d+ there is exactly 1 mode,", falls)
    assert "The system has 1 mode in all. UNSTABLE: 1 mode grows" in falls
