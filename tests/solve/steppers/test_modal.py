"""Linear motions beside stiff members: against the same system with the stiff spring made rigid, and exact zeros."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.solve.runs.matrices import simulate_system
from flexura.solve.steppers.modal import all_modes
from flexura.solve.steppers.trajectory import Energy
from flexura.systems.second_order import SecondOrderSystem

M = np.diag([1.0, 2.0, 0.5])
SPAN = 2000.0


def chain(soft: float, stiff: float, ground: float) -> np.ndarray:
    """Ground, three masses, a soft spring and a stiff one."""
    K = np.diag([ground, 0.0, 0.0])
    for i, k in ((0, soft), (1, stiff)):
        K[i : i + 2, i : i + 2] += k * np.array([[1.0, -1.0], [-1.0, 1.0]])
    return K


def rigid(A: np.ndarray) -> np.ndarray:
    """The last two masses as one."""
    T = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    return T.T @ A @ T


@settings(max_examples=25, deadline=None)
@given(st.floats(9, 11.5), st.floats(-1, 1), st.booleans(), st.floats(0.0, 0.01))
def test_slow_motion_does_not_see_how_stiff_a_stiff_spring_is(power, soft, held, damper):
    K = chain(10**soft, 10**power, 1.0 if held else 0.0)
    D = np.zeros((3, 3))
    D[2, 2] = damper
    t = np.array([0.0, 1.0, 300.0, SPAN])
    start = np.array([0.3, -0.2, -0.2]), np.array([0.1, 0.0, 0.0])
    run = simulate_system(SecondOrderSystem(M, D, K), t, start)
    small = SecondOrderSystem(rigid(M), rigid(D), rigid(chain(10**soft, 0.0, 1.0 if held else 0.0)))
    expected = simulate_system(small, t, tuple(one[:2] for one in start))
    size = max(np.abs(expected["x1"]).max(), np.abs(expected["x0"]).max())
    # 1e-16 of the stiff spring, which rounding may put beside the soft one, for 2000 s
    within = 1e-6 + 1e-16 * 10**power * SPAN
    for name in ("x0", "x1"):
        assert np.abs(run[name] - expected[name]).max() <= within * size


def test_free_motions_beside_stiff_springs_stay_free_for_as_long_as_one_likes():
    K = chain(1.0, 1e11, 0.0)
    t = np.array([0.0, 1.0, 1e3, 1e6])
    run = simulate_system(SecondOrderSystem(M, None, K), t, (np.zeros(3), np.full(3, 2.0)))
    assert run["x0"] == pytest.approx(2 * t, rel=1e-4)  # rounding of 1e11 beside 1 mixes 1e-5 of the other mode in
    assert np.sum(all_modes(M, K, 1e6).squares == 0) == 1


def test_modes_are_of_unit_mass_and_fast_ones_keep_their_frequencies():
    K = chain(1.0, 1e12, 1.0)
    modes = all_modes(M, K, SPAN)
    assert np.abs(modes.X.T @ M @ modes.X - np.eye(3)).max() < 1e-12
    assert modes.squares[-1] == pytest.approx(1e12 * (1 / 2.0 + 1 / 0.5), rel=1e-9)
    assert modes.squares[0] == pytest.approx(
        np.linalg.eigvals(np.linalg.solve(rigid(M), rigid(K))).real.min(), rel=1e-3
    )


def test_a_ledger_of_what_is_no_number_does_not_close():
    one, bad = np.ones(2), np.array([1.0, np.nan])
    assert Energy(one, bad, 0 * one, 0 * one).error == math.inf
    assert Energy(one, one, 0 * one, 0 * one).error == 0
