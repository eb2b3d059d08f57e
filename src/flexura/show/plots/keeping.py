"""Displacements of first order, magnified, without what they stretch: members keep the lengths that a mode gives them.

>>> places = kept(rest, moved, bars, fixed)        # (n, 3); bars are pairs of rows

A turn moves each point across its radius, so that magnified lengths grow with the square of the angle. Points are moved
by the least that gives each bar that does not bend its length to first order: at rest, plus what the mode stretches it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_ROUNDS, _CLOSE = 60, 1e-12


def kept(rest: Array, moved: Array, bars: NDArray[np.intp], fixed: NDArray[np.bool_]) -> Array:
    """By Gauss and Newton, each step the shortest; `fixed` points stay where their displacement puts them."""
    at = rest + moved
    if not len(bars):
        return at
    first, last = bars[:, 0], bars[:, 1]
    along = rest[last] - rest[first]
    lengths = np.linalg.norm(along, axis=1)
    wanted = lengths + np.einsum("ij,ij->i", moved[last] - moved[first], along / lengths[:, None])
    scale = float(lengths.max())
    for _ in range(_ROUNDS):
        apart = at[last] - at[first]
        now = np.linalg.norm(apart, axis=1)
        error = wanted - now
        if np.abs(error).max() <= _CLOSE * scale:
            break
        way = apart / np.maximum(now, 1e-300)[:, None]
        at = at + _shortest(first, last, way, error, ~fixed)
    return at


def joined(places: Array, size: float) -> NDArray[np.intp]:
    """Which rows are one point: the number of the group each belongs to."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    pairs = cKDTree(places).query_pairs(1e-9 * size, output_type="ndarray")
    ones = np.ones(len(pairs))
    graph = coo_matrix((ones, (pairs[:, 0], pairs[:, 1])), shape=(len(places), len(places)))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.intp)


def _shortest(
    first: NDArray[np.intp], last: NDArray[np.intp], way: Array, error: Array, free: NDArray[np.bool_]
) -> Array:
    """The shortest motion of the free points that changes each length so, to first order."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.linalg import lsqr

    axes, numbers = way.shape[1], np.repeat(np.arange(len(way)), way.shape[1])
    columns = [np.ravel(axes * ends[:, None] + np.arange(axes)) for ends in (first, last)]
    shares = [np.ravel(sign * way * free[ends][:, None]) for sign, ends in ((-1.0, first), (1.0, last))]
    shape = (len(way), axes * len(free))
    rows = sum(coo_matrix((f, (numbers, c)), shape=shape) for f, c in zip(shares, columns, strict=True))
    return np.asarray(lsqr(rows.tocsr(), error, atol=1e-15, btol=1e-15)[0]).reshape(len(free), axes)


def carried_along(curve: Array, start: Array, end: Array) -> Array:
    """A curve whose ends are moved: what it leaves its chord by is turned with the chord."""
    share = np.linspace(0.0, 1.0, len(curve))[:, None]
    chord, other = curve[-1] - curve[0], end - start
    apart = curve - (curve[0] + share * chord)
    return np.asarray(start + share * other + apart @ _turn(chord, other).T)


def _turn(a: Array, b: Array) -> Array:
    """The smallest rotation that takes one direction to another."""
    size = np.linalg.norm(a) * np.linalg.norm(b)
    if size == 0:
        return np.eye(3)
    axis, cosine = np.cross(a, b) / size, float(a @ b) / size
    if cosine < -0.999:
        return np.eye(3)
    x, y, z = axis
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + skew + skew @ skew / (1 + cosine))
