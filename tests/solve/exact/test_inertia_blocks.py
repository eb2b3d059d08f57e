"""Counts of negative eigenvalues of large matrices: blocks along a band against full eigenvalues."""

from __future__ import annotations

import numpy as np
import pytest

from flexura.solve.exact.inertia_blocks import _balanced, _by_band, _near_the_diagonal, negative_of


def drawn(seed: int, n: int, zeros: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[np.ndarray]]:
    """A symmetric matrix of few entries in a random order, at three points; some with zeros on the diagonal."""
    rng = np.random.default_rng(seed)
    i, j = np.tril_indices(n)
    near = i - j <= 3
    i, j = i[near], j[near]
    size = 10.0 ** rng.uniform(-4, 4, (n, 1))
    V = rng.normal(size=(len(i), 3)) * size[i] * size[j]
    if zeros:
        V[(i == j) & (i % 2 == 0)] = 0.0
    place = rng.permutation(n)
    full = []
    for p in range(3):
        D = np.zeros((n, n))
        D[place[i], place[j]] = D[place[j], place[i]] = V[:, p]
        full.append(D)
    return V, np.minimum(place[i], place[j]), np.maximum(place[i], place[j]), full


@pytest.mark.parametrize("seed", range(12))
def test_blocks_count_what_full_eigenvalues_count(seed: int) -> None:
    n = 40 + 7 * seed
    V, rows, columns, full = drawn(seed, n, zeros=seed % 2 == 1)
    found = negative_of(V, rows, columns, n)
    assert found is not None
    i, j, width = _near_the_diagonal(rows, columns, n)
    scaled = _balanced(V, i, j, n)
    for p in range(3):
        D = np.zeros((n, n))
        D[i, j] = D[j, i] = scaled[:, p]
        assert found[p] == (np.linalg.eigvalsh(D) < 0).sum() == _by_band(scaled[:, p], i, j, n, width)
        assert np.abs(full[p]).max() > 0


def test_a_singular_block_is_not_divided_by() -> None:
    """The first two unknowns have no stiffness of their own: a saddle, as loads among the coordinates make it."""
    n = 60
    rows, columns = np.arange(n - 1), np.arange(1, n)
    found = negative_of(np.ones((n - 1, 1)), rows, columns, n)
    assert found is not None
    assert found[0] == n // 2


def test_what_has_no_band_is_left_to_others() -> None:
    rows, columns = np.triu_indices(30)
    assert negative_of(np.ones((len(rows), 1)), rows, columns, 30) is None
