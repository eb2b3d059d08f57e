"""Elimination of many small matrices at once, against full matrices."""

from __future__ import annotations

import os

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.solve.exact.elimination import Elimination

CASES = int(os.environ.get("FLEXURA_EXACT_CASES", "25"))


@settings(max_examples=CASES, deadline=None, database=None, derandomize="FLEXURA_EXACT_CASES" not in os.environ)
@given(st.integers(2, 14), st.integers(0, 3), st.integers(0, 10_000))
def test_counts_signs_and_leaves_the_schur_complement(n, kept, seed):
    rng = np.random.default_rng(seed)
    kept = min(kept, n - 1)
    cliques = [rng.choice(n, size=min(n, 3), replace=False) for _ in range(n)]
    order = Elimination(n, cliques, kept)
    points = 5
    D = np.zeros((points, n, n))
    for clique in cliques:
        part = rng.standard_normal((points, len(clique), len(clique)))
        D[:, clique[:, None], clique] += part + part.swapaxes(1, 2)
    D += np.eye(n) * rng.choice([-2.0, 3.0], n)
    V = D[:, order.rows, order.columns].T.copy()
    negative, growth, _ = order(V, np.ones((n, points)))
    m = n - kept
    good = growth < 1e6
    expected = (np.linalg.eigvalsh(D[:, :m, :m]) < 0).sum(axis=1)
    np.testing.assert_array_equal(negative[good], expected[good])
    schur = D[:, m:, m:] - D[:, m:, :m] @ np.linalg.solve(D[:, :m, :m], D[:, :m, m:])
    for i in range(kept):
        for j in range(i, kept):
            np.testing.assert_allclose(V[order.places[m + i, m + j]][good], schur[good, i, j], rtol=1e-6, atol=1e-6)


def test_a_chain_fills_in_as_little_as_it_can():
    n = 200
    order = Elimination(n, [np.array([i, i + 1]) for i in range(n - 1)])
    assert order.entries == 2 * n - 1
