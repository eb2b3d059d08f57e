"""Inputs of very different sizes are each followed in their own: against the exact answer of one oscillator."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx

CENTRE, WIDTH, OMEGA = 0.9, 0.05, 7.0
T = np.array([0.0, 1.7, 2.0])
BELL = f"exp(-((t - {CENTRE})/{WIDTH})**2)"


def expected(t: np.ndarray) -> np.ndarray:
    """After the pulse: the Fourier integral of a bell, exp(-(OMEGA*WIDTH/2)^2)."""
    impulse = WIDTH * np.sqrt(np.pi) * np.exp(-((OMEGA * WIDTH / 2) ** 2))
    return np.where(t > CENTRE + 9 * WIDTH, impulse * np.sin(OMEGA * (t - CENTRE)) / OMEGA, 0.0)


@pytest.mark.parametrize("size", [1.0, 1e-3, 1e-7, 1e-11, 1e-15])
def test_a_small_input_beside_a_large_one_is_as_true(size: float) -> None:
    system = fx.SecondOrderSystem(np.eye(2), None, OMEGA**2 * np.eye(2), F=np.eye(2), inputs=("small", "large"))
    run = fx.simulate(system, T, inputs={"small": f"{size!r}*{BELL}", "large": "1 + t"})
    assert run["x0"] / size == pytest.approx(expected(T), rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("size", [1.0, 1e-3, 1e-7, 1e-11, 1e-15])
def test_and_beside_a_load_that_never_changes(size: float) -> None:
    """Equations carry such loads as an input of their own."""
    mass = fx.Mass("m", m=1.0)
    parts = [fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=OMEGA**2), fx.Force(mass, "F")]
    run = fx.simulate(fx.Model(*parts), T, inputs={"F": f"{size!r}*{BELL}"})
    assert run["y"] / size == pytest.approx(expected(T), rel=1e-8, abs=1e-12)
