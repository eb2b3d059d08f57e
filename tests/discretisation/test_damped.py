"""Roots of damped pencils: all their digits, and rounding that is no more than it is said to be."""

import itertools
import os

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exact_lines import DIGITS, root_beside
from flexura.discretisation.damped import damped

CASES = int(os.environ.get("FLEXURA_EXACT_CASES", "20"))
LAST = 4e-15  # digits of the numbers given


def row_of_masses(masses, springs, dampers, ground, number=float):
    """M, C, K of masses in a row, each damped against ground, the first held by a spring, in numbers of any kind."""
    n = len(masses)
    M, C, K = ([[number(0)] * n for _ in range(n)] for _ in range(3))
    for i, (m, c) in enumerate(zip(masses, dampers, strict=True)):
        M[i][i], C[i][i] = number(m), number(c)
    K[0][0] += number(ground)
    for i, k in enumerate(springs):
        for a, b in itertools.product((i, i + 1), repeat=2):
            K[a][b] += number(k) if a == b else -number(k)
    return M, C, K


def in_many_digits(row, s):
    """The root of the determinant beside s, with sixty digits from the sums of springs on."""
    with mp.workdps(DIGITS):
        M, C, K = row_of_masses(*row, number=mp.mpf)
        n = len(M)

        def determinant(s):
            return mp.det(mp.matrix([[K[i][j] + s * C[i][j] + s * s * M[i][j] for j in range(n)] for i in range(n)]))

        return root_beside(determinant, complex(s))


def plain(n, ends=2):
    """Unit masses and springs; held at both ends, at one or at none."""
    _, _, K = row_of_masses([1] * n, [1] * (n - 1), [0] * n, float(ends > 0))
    K[-1][-1] += float(ends > 1)
    return np.eye(n), np.array(K)


exponent = st.floats(0, 12)
rows = st.integers(2, 6).flatmap(
    lambda n: st.tuples(
        st.lists(st.floats(0.1, 10), min_size=n, max_size=n),
        st.lists(exponent, min_size=n - 1, max_size=n - 1),
        st.lists(st.sampled_from([0.0, 1e-4, 0.01, 0.3, 7.0]), min_size=n, max_size=n),
        st.sampled_from([None, None, -3.0, 0.0, 3.0]),
    )
)


@settings(max_examples=CASES, deadline=None, derandomize=True)
@given(rows)
def test_rounding_holds_the_error_of_every_root(drawn):
    """Free and held, stiffness ratios to 1e12, slow roots beside fast ones."""
    masses, exponents, dampers, ground = drawn
    dampers[0] += 0.02
    row = masses, [10.0**one for one in exponents], dampers, 0.0 if ground is None else 10.0**ground
    free = ground is None
    found = damped(*map(np.array, row_of_masses(*row)), 20, free=np.ones((len(masses), int(free))))
    assert (found.s == 0).sum() == int(free)
    assert len(found.s) + (found.s.imag > 0).sum() == 2 * len(masses)  # with their conjugates, all there are
    for s, rounding in zip(found.s[int(free) :], found.rounding[int(free) :], strict=True):
        expected = in_many_digits(row, s)
        assert abs(expected - mp.mpc(s)) <= max(rounding, LAST) * abs(s)


@pytest.mark.parametrize("stiff", [1.0, 1e4, 1e8, 1e12])
def test_a_slow_root_of_a_free_motion_is_not_touched_by_stiffness(stiff):
    """Two masses that move as one: s = -c / (m1 + m2) + O(1 / k)."""
    row = [0.7, 1.9], [stiff], [0.01, 0.0], 0.0
    found = damped(*map(np.array, row_of_masses(*row)), 2, free=np.ones((2, 1)))
    expected = complex(in_many_digits(row, -0.01 / 2.6))
    assert found.s[1] == pytest.approx(expected, rel=1e-13)
    assert found.rounding[1] < 1e-12


def test_roots_that_coincide_are_as_certain_as_others():
    M, K = np.eye(4), np.diag([2.0, 2.0, 2.0, 9.0])
    rotation = np.linalg.qr(np.random.default_rng(0).standard_normal((4, 4)))[0]
    found = damped(M, 0.2 * np.eye(4), rotation.T @ K @ rotation, 4)
    expected = [-0.1 + 1j * np.sqrt(k - 0.01) for k in (2, 2, 2, 9)]
    assert np.all(np.abs(found.s - expected) <= found.rounding * np.abs(expected))
    assert found.rounding.max() < 1e-10  # however parallel the vectors of their span come out


def test_roots_as_far_from_zero_keep_their_order():
    """s = -a and s = a: the one to the left first, whatever rounding says."""
    skew = np.array([[0.0, 1.0], [-1.0, 0.0]])
    found = damped(np.eye(2), 0.1 * skew, -np.diag([1.0, 4.0]), 4).s
    assert np.all(found[::2].real < 0)
    assert found[1::2] == pytest.approx(-found[::2], rel=1e-13)


def test_damped_roots_one_of_each_pair_and_every_real_one():
    M, K = plain(3)
    roots = np.roots(np.poly1d([1, 0.3, 2 - np.sqrt(2)]))
    s = damped(M, 0.3 * np.eye(3), K, 10).s
    assert len(s) == 3
    assert s[0] == pytest.approx(roots[roots.imag > 0][0], rel=1e-12)
    over = damped(np.eye(1), np.array([[5.0]]), np.array([[4.0]]), 5).s
    assert over == pytest.approx([-1.0, -4.0], rel=1e-12)


def test_damped_motion_without_stiffness_is_a_zero():
    M, K = plain(3, ends=0)
    found = damped(M, 0.1 * K, K, 4)
    assert found.s[0] == 0
    assert found.residual < 1e-12
    assert abs(found.s[1]) == pytest.approx(1.0, rel=1e-10)


@pytest.mark.parametrize("decades", [0, 3, 6])
def test_dampers_inside_what_drifts_do_not_brake_it(decades):
    """Chains away from ground, springs and dampers between neighbours only: each drifts, so s = 0 is a root twice."""
    for seed in range(20):
        drawn = np.random.default_rng(seed)
        sizes = [int(one) for one in drawn.integers(2, 5, drawn.integers(1, 3))]
        n, ends = sum(sizes), np.cumsum(sizes) - 1
        K, C = np.zeros((n, n)), np.zeros((n, n))
        for matrix, share in ((K, 1.0), (C, 0.7)):
            for i in range(n - 1):
                if i not in ends and drawn.random() < share:
                    value = 10 ** drawn.uniform(0, decades)
                    matrix[i : i + 2, i : i + 2] += value * np.array([[1, -1], [-1, 1]])
        M = np.diag(10 ** drawn.uniform(-1, 1, n))
        drifts = np.repeat(np.eye(len(sizes)), sizes, axis=0) @ drawn.uniform(0.1, 1, (len(sizes), len(sizes)))
        assert damped(M, C, K, 2 * n, free=drifts).zeros == (len(sizes), 2 * len(sizes))
