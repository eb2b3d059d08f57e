"""Impulse and step responses of undamped members by exact modes, against long sums in closed form."""

import numpy as np
import pytest
from scipy.optimize import brentq

import flexura as fx

EI, RHO, LENGTH = 50.0, 1.2, 1.0
T = np.linspace(0, 0.3, 31)
COUNT = 1500


def roots(sign, middle):
    """Of cos b + sign / cosh b."""

    def f(b):
        return np.cos(b) + sign * 2 * np.exp(-b) / (1 + np.exp(-2 * b))

    return np.array([brentq(f, (k + middle) * np.pi - 0.5, (k + middle) * np.pi + 0.5) for k in range(1, COUNT + 1)])


def sums(beta, tip, other):
    """The step and the impulse response at a place, loaded at the tip; shapes of unit modal mass at both."""
    omega = beta**2 * np.sqrt(EI / RHO)
    turned, shares = np.outer(T, omega), tip * other
    return (1 - np.cos(turned)) @ (shares / omega**2), np.sin(turned) @ (shares / omega)


def cantilever():
    beam = fx.EulerBernoulliBeam("b", EI=EI, rho=RHO, length=LENGTH)
    return beam, fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F")))


def off(found, exact):
    return float(np.abs(found - exact).max() / np.abs(exact).max())


def test_the_tip_of_a_cantilever():
    beam, equations = cantilever()
    beta = roots(+1, -0.5)
    step, impulse = sums(beta, 2 / np.sqrt(RHO), 2 / np.sqrt(RHO))
    found = fx.step_response(equations, T, "F", fx.Motion(beam.end))
    assert off(found, step) <= found.error + 1e-9
    assert found.error < 1e-6
    with pytest.warns(UserWarning, match="shorter than what follows"):
        struck = fx.impulse_response(equations, T, "F", [beam.end, fx.Motion(beam.end).t])
    assert off(struck[:, 0], impulse) < 1e-3
    with pytest.warns(UserWarning, match="shorter than what follows"):
        alone = fx.impulse_response(equations, T, "F", beam.end)
    with pytest.warns(UserWarning, match="shorter than what follows"):
        rate = fx.step_response(equations, T, "F", fx.Motion(beam.end).t)
    assert off(alone, impulse) <= alone.error < 0.01
    assert rate == pytest.approx(np.asarray(alone), rel=1e-9, abs=1e-9 * float(np.abs(alone).max()))


def test_the_moment_at_the_root_falls_slowly_and_says_so():
    beam, equations = cantilever()
    beta = roots(+1, -0.5)
    ends = 2 * np.where(np.arange(COUNT) % 2, -1.0, 1.0) / np.sqrt(RHO)  # the tip's sign changes from mode to mode
    step, _ = sums(beta, ends, EI * beta**2 * 2 / np.sqrt(RHO))
    with pytest.warns(UserWarning, match="shorter than what follows"):
        found = fx.step_response(equations, T, "F", fx.Internal(beam, 0, "moment"))
    assert off(found, step) <= found.error + 1e-6 < 0.01


def test_a_beam_that_flies():
    beam = fx.EulerBernoulliBeam("f", EI=EI, rho=RHO, length=LENGTH)
    equations = fx.derive(fx.Model(beam, fx.Force(beam.end, "F")))
    beta = roots(-1, 0.5)
    step, _ = sums(beta, 2 / np.sqrt(RHO), 2 / np.sqrt(RHO))
    step = step + (1 / (RHO * LENGTH) + 3 / (RHO * LENGTH)) * T**2 / 2  # it moves and turns about its middle
    found = fx.step_response(equations, T, "F", beam.end)
    assert off(found, step) <= found.error + 1e-9
    assert found.error < 1e-6


def test_a_rod_has_fronts_that_no_sum_follows():
    rod = fx.Rod("r", EA=100.0, rho=1.0, length=1.0)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, rod.start), fx.Force(rod.end, "F", along="x")))
    t = np.linspace(0, 0.35, 36)  # to and fro takes 0.2 s; the end moves in a triangle, 2 l/(c EA) high
    triangle = 0.1 * (0.2 - np.abs(np.mod(t, 0.4) - 0.2))
    with pytest.warns(UserWarning, match="shorter than what follows"):
        found = fx.step_response(equations, t, "F", rod.end)
    assert off(found, triangle) <= found.error < 0.02
    with pytest.warns(UserWarning, match="off by 1e\\+00"):
        assert fx.step_response(equations, t, "F", fx.Internal(rod, 0, "axial")).error == 1.0
