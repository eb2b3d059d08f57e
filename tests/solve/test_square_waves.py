"""Periodic loads that jump: the steady motion is held to free motions from jump to jump, by matrix exponentials."""

import numpy as np
import pytest
from scipy.linalg import expm

import flexura as fx

M, K, C, HALF = 1.0, 90.0, 2.0, 0.7


def oscillator() -> fx.Model:
    mass = fx.Mass("mass", m=M)
    slide, spring = fx.Slide(fx.ground, mass, name="x"), fx.Spring(fx.ground, mass, k=K)
    return fx.Model(slide, spring, fx.Damper(fx.ground, mass, c=C), fx.Force(mass, "F"))


def steady(share: float) -> float:
    """The motion at a part of the half period in which the force is +1."""
    A, rest = np.array([[0, 1], [-K / M, -C / M]]), np.array([1 / K, 0])
    start = -np.linalg.solve(np.eye(2) + expm(A * HALF), (np.eye(2) - expm(A * HALF)) @ rest)
    return float((rest + expm(A * HALF * share) @ (start - rest))[0])


def test_a_wave_given_as_text_has_its_jumps_where_they_are() -> None:
    """Its samples at the jumps are left to rounding, and would move them by half a sample: 1e-3 of the motion."""
    motion = fx.periodic_response(oscillator(), {"F": f"sign(sin(pi*t/{HALF}))"}, "x", period=2 * HALF)
    assert np.asarray(motion)[[0, 32, 64]] == pytest.approx([steady(share) for share in (0, 0.25, 0.5)], rel=1e-6)
    assert motion.error < 1e-5


def test_a_wave_given_as_a_function_has_them_too() -> None:
    motion = fx.periodic_response(oscillator(), {"F": lambda t: 1.0 if t % 1.4 < 0.7 else -1.0}, "x", period=1.4)
    missed = abs(motion[0] - steady(0)) / np.abs(motion).max()
    assert missed < max(1e-9, 2 * motion.error)
