"""Frequency responses against closed forms, reciprocity, resonances, bad input."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import flexura as fx
from flexura.solve.frequency_response import frequency_response
from flexura.solve.modes import modes


@pytest.fixture(scope="module")
def loaded():
    b = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=1.0)
    parts = fx.Fixed(fx.ground, b.start), fx.Force(b.end, "F"), fx.Force(b.at(0.3), "G"), fx.DistributedForce(b, "f")
    return b, fx.derive(fx.Model(*parts))


def test_tip_receptance_of_a_cantilever(loaded):
    b, equations = loaded
    w = np.linspace(0.5, 2000, 41)
    k = np.sqrt(w)
    exact = (np.sin(k) - np.tanh(k) * np.cos(k)) / (1 / np.cosh(k) + np.cos(k)) / k**3
    np.testing.assert_allclose(frequency_response(equations, w, "F", b.end), exact, rtol=1e-9)


def test_reciprocity(loaded):
    b, equations = loaded
    w = np.linspace(0.1, 3000, 50)
    one, two = frequency_response(equations, w, "F", b.at(0.3)), frequency_response(equations, w, "G", b.end)
    np.testing.assert_allclose(one, two, rtol=1e-9)


def test_static_deflection_under_a_uniform_load(loaded):
    b, equations = loaded
    for x in (0.01, 0.2, 0.5, 0.8, 0.99, 1.0):
        assert frequency_response(equations, 0.0, "f", b.at(x)) == pytest.approx(
            (6 * x**2 - 4 * x**3 + x**4) / 24, rel=1e-12
        )


def test_poles_are_the_modes(loaded):
    b, equations = loaded
    found = modes(equations, 4)
    with pytest.warns(UserWarning, match="resonance"):
        assert np.isinf(frequency_response(equations, found.frequencies, "F", b.end)).all()
    shape, omega = found.shape(2), found.frequencies[2]
    near = omega * (1 + 1e-6)
    residue = frequency_response(equations, near, "F", b.end).real * (omega**2 - near**2)
    tip = shape[equations.fields[-1]](1.0)
    assert residue == pytest.approx(tip**2, rel=1e-4)


def test_kinds(loaded):
    b, equations = loaded
    y, v, a = (
        frequency_response(equations, 5.0, "F", b.end, kind=k) for k in ("receptance", "mobility", "accelerance")
    )
    assert v == pytest.approx(5j * y)
    assert a == pytest.approx(-25 * y)


def test_load_with_a_shape_and_damping():
    s = fx.String("s", tension=4.0, rho=1.0, length=1.0, damping=0.3)
    equations = fx.derive(
        fx.Model(fx.Fixed(fx.ground, s.start), fx.Fixed(s.end, fx.ground), fx.DistributedForce(s, "f(x)"))
    )
    w = np.array([0.0, 2.0, 6.0, 40.0])
    found = frequency_response(equations, w, "f", s.at(0.25), values={"f": "sin(pi*x)"})
    exact = np.sin(np.pi / 4) / (4 * np.pi**2 - w**2 + 0.3j * w)
    np.testing.assert_allclose(found, exact, rtol=1e-12)
    with pytest.raises(fx.FlexuraError, match="shape"):
        frequency_response(equations, w, "f", s.at(0.25))


def test_a_mode_that_is_not_excited_is_no_resonance():
    s = fx.String("s", tension=1.0, rho=1.0, length=1.0)
    parts = fx.Fixed(fx.ground, s.start), fx.Fixed(s.end, fx.ground), fx.DistributedForce(s, "f")
    equations = fx.derive(fx.Model(*parts))
    w = 2 * np.pi
    found = frequency_response(equations, w, "f", s.at(0.5))
    exact = (1 / np.cos(w / 2) - 1) / w**2
    assert found == pytest.approx(exact, rel=1e-5)


def test_unknown_names(loaded):
    b, equations = loaded
    with pytest.raises(fx.FlexuraError, match="no load 'P'; loads, coordinates and prescribed motions are F"):
        frequency_response(equations, 1.0, "P", b.end)
    with pytest.raises(fx.FlexuraError, match="no output"):
        frequency_response(equations, 1.0, "F", "nowhere")
    with pytest.raises(fx.FlexuraError, match="kind"):
        frequency_response(equations, 1.0, "F", b.end, kind="velocity")


def test_a_uniform_load_at_high_frequencies(loaded):
    """w_xxxx - k^4 w = 1 on a cantilever: -1/k^4 and four waves that meet the ends."""
    b, equations = loaded
    omega = np.array([3.0, 300.0, 4000.0, 60000.0])
    for w, x in ((w, x) for w in omega for x in (0.03, 0.5, 1.0)):
        k = np.sqrt(w)
        # cos, sin, a decay from either end; clamped at 0, free at 1
        values = np.array([1, 0, 1, np.exp(-k)])
        slopes = np.array([0, 1, -1, np.exp(-k)])
        moments = np.array([-np.cos(k), -np.sin(k), np.exp(-k), 1])
        shears = np.array([np.sin(k), -np.cos(k), -np.exp(-k), 1])
        a = np.linalg.solve(np.array([values, slopes, moments, shears]), [1 / k**4, 0, 0, 0])
        exact = a @ [np.cos(k * x), np.sin(k * x), np.exp(-k * x), np.exp(k * (x - 1))] - 1 / k**4
        found = frequency_response(equations, w, "f", b.at(x))
        assert found == pytest.approx(exact, rel=1e-8, abs=1e-13)


def test_shaft_and_rod_at_places():
    omega = np.array([0.7, 9.0, 140.0])
    s = fx.Shaft("s", GJ=3.0, rotary_inertia=0.2, length=1.0)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, s.start), fx.Torque(s.end, "T", about="x")))
    k = omega * np.sqrt(0.2 / 3.0)
    for x in (0.02, 0.4, 1.0):
        found = frequency_response(equations, omega, "T", s.at(x))
        np.testing.assert_allclose(found, np.sin(k * x) / (3.0 * k * np.cos(k)), rtol=1e-10)
    r = fx.Rod("r", EA=3.0, rho=0.2, length=1.0)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, r.start), fx.Force(r.at(0.6), "F", along="x")))
    found = frequency_response(equations, omega, "F", r.at(0.25))  # inside the first of two segments
    exact = np.sin(k * 0.25) * np.cos(k * 0.4) / (3.0 * k * np.cos(k))
    np.testing.assert_allclose(found, exact, rtol=1e-10)


def test_timoshenko_gives_both_fields():
    b = fx.TimoshenkoBeam("b", EI=1.0, kGA=1e7, rho=1.0, rotary_inertia=1e-7, length=1.0)
    thin = fx.EulerBernoulliBeam("c", EI=1.0, rho=1.0, length=1.0)
    one, two = (fx.derive(fx.Model(fx.Fixed(fx.ground, m.start), fx.Force(m.end, "F"))) for m in (b, thin))
    omega = np.array([2.0, 40.0])
    found = frequency_response(one, omega, "F", b.at(0.5))
    assert found.shape == (2, 2)
    np.testing.assert_allclose(found[:, 0], frequency_response(two, omega, "F", thin.at(0.5)), rtol=1e-4)
    h = 1e-3
    slope = (
        frequency_response(two, omega, "F", thin.at(0.5 + h)) - frequency_response(two, omega, "F", thin.at(0.5 - h))
    ) / (2 * h)
    np.testing.assert_allclose(found[:, 1], slope, rtol=1e-4)
    np.testing.assert_array_equal(frequency_response(one, omega, "F", (b.at(0.5), "phi_b")), found[:, 1])
    assert frequency_response(one, 2.0, "F", b.end).shape == (2,)
    with pytest.raises(fx.FlexuraError, match="no field 'psi'"):
        frequency_response(one, omega, "F", (b.at(0.5), "psi"))


def test_a_field_of_a_member_that_is_cut_by_what_is_attached_inside():
    """A mass at 0.4 cuts the beam; without mass it changes nothing, and the member's own names still pick a field."""
    b, m = fx.TimoshenkoBeam("b", EI=1.0, kGA=60.0, rho=1.0, rotary_inertia=0.02, length=1.0), fx.Mass("m", "m")
    load = fx.Fixed(fx.ground, b.start), fx.Force(b.end, "F")
    whole, cut = fx.derive(fx.Model(*load)), fx.derive(fx.Model(*load, fx.Fixed(b.at(0.4), m)))
    omega = np.array([0.5, 4.0, 30.0])
    for x, field in itertools.product((0.2, 0.4, 0.7, 1.0), ("w_b", "phi_b")):
        expected = frequency_response(whole, omega, "F", (b.at(x), field))
        found = frequency_response(cut, omega, "F", (b.at(x), field), {"m": 0.0})
        np.testing.assert_allclose(found, expected, rtol=1e-9)
        assert found.fields == (field,)
    with pytest.raises(fx.FlexuraError, match="b has no field 'psi'; it has w_b, phi_b"):
        frequency_response(cut, omega, "F", (b.at(0.7), "psi"), {"m": 0.0})


def test_a_column_of_several_fields_keeps_its_frequencies():
    b = fx.TimoshenkoBeam("b", EI=1.0, kGA=60.0, rho=1.0, rotary_inertia=0.02, length=1.0)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, b.start), fx.Force(b.end, "F")))
    omega = np.array([0.5, 4.0, 30.0])
    found = fx.frequency_response(equations, omega, "F", b.end)
    assert found.fields == ("w_b", "phi_b")
    slope, picked = found[:, 1], fx.frequency_response(equations, omega, "F", (b.end, "phi_b"))
    np.testing.assert_array_equal(slope, picked)
    np.testing.assert_array_equal(slope.omega, picked.omega)
    assert slope.label == "receptance of b.end per unit F, phi_b"
    assert picked.label == "receptance of phi_b at b.end per unit F"
    assert found[np.array([0, 2]), 1].omega is None
    assert found[:2].omega is None


def test_places_on_a_spatial_beam():
    s = fx.SpatialBeam("s", EA=100.0, EIy=2.0, EIz=3.0, GJ=4.0, rho=1.0, rotary_inertia=0.1, length=1.0)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, s.start), fx.Force(s.end, "F", along="z"), foreshortening=False))
    flat = fx.EulerBernoulliBeam("b", EI=2.0, rho=1.0, length=1.0)
    plane = fx.derive(fx.Model(fx.Fixed(fx.ground, flat.start), fx.Force(flat.end, "F")))
    omega = np.array([1.0, 35.0, 700.0])
    for x in (0.01, 0.3, 1.0):
        found = frequency_response(equations, omega, "F", s.at(x))
        assert found.shape == (3, 4)
        np.testing.assert_allclose(found[:, 2], frequency_response(plane, omega, "F", flat.at(x)), rtol=1e-9)
        np.testing.assert_allclose(found[:, [0, 1, 3]], 0, atol=1e-14)


def test_internal_damping():
    """A Kelvin-Voigt cantilever: EI (1 + i w eta) in the closed form."""
    b = fx.EulerBernoulliBeam("b", EI=2.0, rho=1.0, length=1.0, internal_damping=0.003)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, b.start), fx.Force(b.end, "F")))
    omega = np.array([1.0, 20.0, 300.0, 5000.0])
    EI = 2.0 * (1 + 0.003j * omega)
    k = (omega**2 / EI) ** 0.25
    exact = (np.sin(k) - np.tanh(k) * np.cos(k)) / (1 / np.cosh(k) + np.cos(k)) / k**3 / EI
    np.testing.assert_allclose(frequency_response(equations, omega, "F", b.end), exact, rtol=1e-9)


def test_a_gyroscopic_system_is_not_reciprocal_and_still_exact():
    a, b = fx.Coordinate("a"), fx.Coordinate("b")
    energies = fx.Lagrangian(
        kinetic=(a.t**2 + b.t**2) / 2 + 1.5 * (a * b.t - b * a.t), potential=4 * a**2 / 2 + 9 * b**2 / 2
    )
    equations = fx.derive(energies)
    omega = np.array([0.5, 3.0, 7.0])
    one, two = frequency_response(equations, omega, "a", "b"), frequency_response(equations, omega, "b", "a")
    D = (4 - omega**2) * (9 - omega**2) - 9 * omega**2
    np.testing.assert_allclose(one, -two, rtol=1e-12)
    np.testing.assert_allclose(np.abs(one), np.abs(3 * omega / D), rtol=1e-12)


def test_many_frequencies_are_the_same_one_by_one(loaded):
    b, equations = loaded
    omega = np.linspace(0.5, 5000, 3001)
    many = frequency_response(equations, omega, "F", b.at(0.37))
    picked = [0, 17, 900, 2999]
    np.testing.assert_allclose(
        many[picked], [frequency_response(equations, omega[i], "F", b.at(0.37)) for i in picked], rtol=1e-8
    )


def test_frequencies_that_are_not_given_meet_every_peak():
    mass, other = fx.Mass("m", 2.0), fx.Mass("n", 1.0)
    joints = [fx.Slide(fx.ground, mass, name="y"), fx.Slide(fx.ground, other, name="z")]
    springs = [fx.Spring(fx.ground, mass, k=18.0), fx.Spring(mass, other, k=50.0), fx.Force(mass, "F")]
    dampers = [fx.Damper(fx.ground, mass, c=0.1), fx.Damper(mass, other, c=0.05)]
    damped, free = fx.derive(fx.Model(*joints, *springs, *dampers)), fx.derive(fx.Model(*joints, *springs))
    found = fx.frequency_response(damped, load="F", output=["y", "z"])
    dense = np.linspace(found.omega[0], found.omega[-1], 40001)
    wanted = np.abs(fx.frequency_response(damped, dense, "F", ["y", "z"])).max(axis=0)
    assert np.abs(found).max(axis=0) == pytest.approx(wanted, rel=1e-3)
    assert np.all(np.diff(found.omega) > 0)
    assert np.all(np.isfinite(fx.frequency_response(free, None, "F", "y")))  # near the resonances, not upon them
    matrices = fx.SecondOrderSystem(np.eye(2), 0.1 * np.eye(2), np.diag([1.0, 4.0]))
    assert fx.frequency_response(matrices, load=[1.0, 0], output=[1.0, 0]).ndim == 1
    with pytest.raises(fx.FlexuraError, match="needs an output"):
        fx.frequency_response(damped, [1.0], "F")
