"""How many eigenvalues of large symmetric matrices of few entries are negative, where single pivots may vanish.

The unknowns are ordered so that entries lie near the diagonal; blocks along it leave one after the other, each by its
own eigenvalues, and Sylvester's law adds what they have (Haynsworth). A block that is nearly singular would spoil those
after it: then the whole matrix is brought to three diagonals, which is stable and takes longer, but no full matrix.

    >>> negative_of(V, rows, columns, n)          # V: (entry, point); one count for each point
"""

from __future__ import annotations

import itertools

import numpy as np
import scipy.linalg
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import reverse_cuthill_mckee

from flexura.solve.exact.lines import Array
from flexura.solve.exact.segments import Matrices

Index = NDArray[np.int64]
_GROWTH = 1e5
_ROUNDS = 6
_WIDE = 0.2  # of the size: a wider band is no band


def negative_of(V: Matrices, rows: Index, columns: Index, n: int) -> Index | None:
    """Negative eigenvalues at each point, rows and columns brought to one size first; None if there is no band."""
    there = np.any(V != 0, axis=1)
    values, i, j = V[there], rows[there], columns[there]
    i, j, width = _near_the_diagonal(i, j, n)
    if width > _WIDE * n:
        return None
    values = _balanced(values, i, j, n)
    found, growth = _by_blocks(values, i, j, n, max(1, width))
    for p in np.flatnonzero(~(growth < _GROWTH)):
        found[p] = _by_band(values[:, p], i, j, n, width)
    return found


def _near_the_diagonal(i: Index, j: Index, n: int) -> tuple[Index, Index, int]:
    """The same entries in an order in which they lie near the diagonal, the lower half, and how near."""
    ones = np.ones(2 * len(i), np.int8)
    graph = coo_array((ones, (np.concatenate([i, j]), np.concatenate([j, i]))), shape=(n, n)).tocsr()
    place = np.empty(n, np.int64)
    place[reverse_cuthill_mckee(graph, symmetric_mode=True)] = np.arange(n)
    a, b = place[i], place[j]
    low, high = np.minimum(a, b), np.maximum(a, b)
    return high, low, int((high - low).max(initial=0))


def _balanced(values: Array, i: Index, j: Index, n: int) -> Array:
    """Each row scaled by the root of its largest entry, a few times: the sign of no eigenvalue changes."""
    for _ in range(_ROUNDS):
        size = np.zeros((n, values.shape[1]))
        np.maximum.at(size, i, np.abs(values))
        np.maximum.at(size, j, np.abs(values))
        unit = 1 / np.sqrt(np.where(size > 0, size, 1.0))
        values = values * unit[i] * unit[j]
    return np.asarray(values)


def _by_blocks(values: Array, i: Index, j: Index, n: int, width: int) -> tuple[Index, Array]:
    """Negative eigenvalues of the blocks that leave one after the other, and what grew on the way, at each point."""
    points = values.shape[1]
    found, growth = np.zeros(points, np.int64), np.zeros(points)
    edges = np.append(np.arange(0, n, width), n)
    block = np.searchsorted(edges, i, side="right") - 1
    left: Array | None = None
    for k, (start, end) in enumerate(itertools.pairwise(edges.tolist())):
        mine = np.flatnonzero(block == k)
        before = int(edges[k - 1]) if k else 0
        A = np.zeros((points, end - start, end - before))
        A[:, i[mine] - start, j[mine] - before] = values[mine].T
        S, B = A[:, :, start - before :], A[:, :, : start - before]
        S = S + np.swapaxes(np.tril(S, -1), 1, 2)
        if left is not None:
            lost = B @ left @ np.swapaxes(B, 1, 2)
            growth = np.maximum(growth, np.abs(lost).max(axis=(1, 2), initial=0.0))
            S = S - lost
        weights, U = np.linalg.eigh(S)
        found += (weights < 0).sum(axis=1)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            left = (U / weights[:, None, :]) @ np.swapaxes(U, 1, 2)
        left = np.where(np.isfinite(left), left, 1e300)
    return found, growth


def _by_band(values: Array, i: Index, j: Index, n: int, width: int) -> int:
    band = np.zeros((width + 1, n))
    band[i - j, j] = values
    below = scipy.linalg.eigvals_banded(band, lower=True, select="v", select_range=(-4.0 * (2 * width + 1), 0.0))
    return len(below)
