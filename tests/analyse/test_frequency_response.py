"""Frequency responses against closed forms, reciprocity, resonances, bad input."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx
from flexura.analyse.frequency_response import frequency_response
from flexura.analyse.modes import modes


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
    with pytest.raises(fx.FlexuraError, match="no load 'P'; loads and coordinates are F"):
        frequency_response(equations, 1.0, "P", b.end)
    with pytest.raises(fx.FlexuraError, match="no output"):
        frequency_response(equations, 1.0, "F", "nowhere")
    with pytest.raises(fx.FlexuraError, match="kind"):
        frequency_response(equations, 1.0, "F", b.end, kind="velocity")
