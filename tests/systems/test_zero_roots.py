"""How often s = 0 is a root, of pencils made of pieces whose roots are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.systems.zero_roots import zero_roots

size = st.floats(-6, 4).map(lambda one: 10.0**one)
PIECES = st.one_of(  # (k, c, m) and how often zero is a root of k + c s + m s^2
    st.tuples(st.just(0.0), st.just(0.0), st.floats(0.1, 10)).map(lambda one: (one, 2)),
    st.tuples(st.just(0.0), size, st.floats(0.1, 10)).map(lambda one: (one, 1)),
    st.tuples(st.floats(1, 1e4), st.just(0.0) | size, st.floats(0.1, 10)).map(lambda one: (one, 0)),
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(PIECES, min_size=1, max_size=5), st.floats(-1, 6), st.integers(0, 1000))
def test_damping_of_any_size_takes_a_root_from_zero(pieces, exponent, seed):
    """However much smaller it is than what a root as fast as `unit` would have."""
    n = len(pieces)
    K, C, M = (np.diag([one[power] for one, _ in pieces]) for power in range(3))
    rotation = np.linalg.qr(np.random.default_rng(seed).standard_normal((n, n)))[0]
    sizes = np.diagonal(C)[np.diagonal(K) == 0]
    sizes = sizes[sizes > 0]
    if len(sizes) and sizes.max() > 1e6 * sizes.min():  # of one rank beside the other
        return
    free = rotation.T[:, np.diagonal(K) == 0]
    found = zero_roots(*(rotation.T @ one @ rotation for one in (K, C, M)), free, 10.0**exponent)
    assert found == sum(times for _, times in pieces)


@pytest.mark.parametrize("damping", [1e-9, 1e-4, 1.0, 1e5])
def test_a_motion_that_is_damped_beside_one_that_drifts(damping):
    """Two masses, the first of which is damped, and a spring far away: zero is a root twice and once."""
    K, C, M = np.diag([0.0, 0.0, 1e12]), np.diag([damping, 0.0, 0.0]), np.array([[2.0, 1, 0], [1, 3, 0.1], [0, 0.1, 1]])
    assert zero_roots(K, C, M, np.eye(3)[:, :2], 1e6) == 3


def test_a_chain_of_drifts_is_as_long_as_it_is():
    """x'' = y, y'' = 0: four."""
    K, M = np.array([[0.0, 1.0], [0.0, 0.0]]), np.eye(2)
    assert zero_roots(K, 0 * M, M, np.eye(2)[:, :1], 1.0) == 4
