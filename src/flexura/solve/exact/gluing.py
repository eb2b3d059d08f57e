"""Stretches of a line glued in pairs, by their dynamic stiffness or in mixed form (`mixed.py`), until one is left.

>>> D, below = glued(D, below, e, alike=None, pair=stiffness_pair)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.solve.exact.segments import TINY, Matrices, off_singular

Counts = NDArray[Any]  # whole numbers; phases of what was condensed where s is complex
Pair = Callable[[Matrices, Matrices, int], tuple[Matrices, Counts]]


def glued(H: Matrices, below: Counts, e: int, alike: int | None, pair: Pair) -> tuple[Matrices, Counts]:
    """Stretches (point, stretch, row, column) joined to one, with what was passed; `alike`: doublings of equal ones."""
    if alike is not None:
        H, below = H[:, 0], below * 2**alike
        for left in range(alike - 1, -1, -1):
            H, passed = pair(H, H, e)
            below = below + passed * 2**left
        return H, below
    while H.shape[1] > 1:
        even = H.shape[1] // 2 * 2
        pairs, passed = pair(H[:, 0:even:2], H[:, 1:even:2], e)
        below = below + passed.sum(axis=1)
        H = np.concatenate([pairs, H[:, even:]], axis=1)
    return H[:, 0], below


def stiffness_pair(A: Matrices, B: Matrices, e: int) -> tuple[Matrices, Counts]:
    """Glue the end of A to the start of B and condense the joint: (a, b, p) again, and the joint's negative pivots."""
    a, b, p = slice(0, e), slice(e, 2 * e), slice(2 * e, None)
    n = A.shape[-1]
    kept = np.zeros(np.broadcast_shapes(A.shape, B.shape), dtype=A.dtype)
    kept[..., a, a], kept[..., a, p], kept[..., p, a] = A[..., a, a], A[..., a, p], A[..., p, a]
    kept[..., b, b], kept[..., b, p], kept[..., p, b] = B[..., b, b], B[..., b, p], B[..., p, b]
    kept[..., p, p] = A[..., p, p] + B[..., p, p]
    count = np.zeros(kept.shape[:-2], np.int64)
    if e == 0:
        return kept, count
    joint = A[..., b, b] + B[..., a, a]
    right = np.zeros((*kept.shape[:-2], e, n), dtype=A.dtype)
    right[..., a], right[..., b], right[..., p] = A[..., b, a], B[..., a, b], A[..., b, p] + B[..., a, p]
    left = np.zeros((*kept.shape[:-2], n, e), dtype=A.dtype)
    left[..., a, :], left[..., b, :], left[..., p, :] = A[..., a, b], B[..., b, a], A[..., p, b] + B[..., p, a]
    if np.iscomplexobj(joint):
        joint = off_singular(joint)
        return kept - left @ np.linalg.solve(joint, right), np.angle(np.linalg.slogdet(joint)[0])
    sizes, V = np.linalg.eigh(joint)
    tiny = 1e-15 * np.abs(sizes).max(axis=-1, keepdims=True) + 1e-300
    sizes = np.where(np.abs(sizes) < tiny, tiny, sizes)
    return kept - (left @ V / sizes[..., None, :]) @ (V.swapaxes(-1, -2) @ right), (sizes < 0).sum(axis=-1)


def mixed_pair(X: Matrices, Y: Matrices, e: int) -> tuple[Matrices, Counts]:
    """The same in mixed form, (a, f, p) again; the negative pivots are those beyond e."""
    a, f, p = slice(0, e), slice(e, 2 * e), slice(2 * e, None)
    n = X.shape[-1]
    kept = np.zeros_like(X + Y)
    kept[..., a, a], kept[..., a, p], kept[..., p, a] = X[..., a, a], X[..., a, p], X[..., p, a]
    kept[..., f, f], kept[..., f, p], kept[..., p, f] = Y[..., f, f], Y[..., f, p], Y[..., p, f]
    kept[..., p, p] = X[..., p, p] + Y[..., p, p]
    rows = np.zeros((*kept.shape[:-2], 2 * e, n), kept.dtype)
    rows[..., a, a], rows[..., a, p] = X[..., f, a], X[..., f, p]
    rows[..., f, f], rows[..., f, p] = Y[..., a, f], Y[..., a, p]
    soft, heavy = (np.abs(np.einsum("...ii->...i", one)) + TINY for one in (X[..., f, f], Y[..., a, a]))
    unit = np.sqrt(np.sqrt(soft / heavy))
    unit = np.concatenate([1 / unit, unit], axis=-1)
    joint = np.zeros((*kept.shape[:-2], 2 * e, 2 * e), kept.dtype)
    joint[..., a, a], joint[..., f, f] = X[..., f, f], Y[..., a, a]
    joint = joint * unit[..., :, None] * unit[..., None, :]
    joint[..., a, f] = joint[..., f, a] = np.eye(e)
    rows = rows * unit[..., None]
    turned = np.swapaxes(rows, -1, -2)
    if np.iscomplexobj(joint):
        joint = off_singular(joint)
        return kept - turned @ np.linalg.solve(joint, rows), np.angle(np.linalg.slogdet(joint)[0])
    sizes = np.linalg.eigvalsh(joint)
    least = 1e-16 * np.abs(sizes).max(axis=-1) + TINY
    singular = np.abs(sizes).min(axis=-1) < least
    joint = joint + (np.where(singular, 2 * least, 0.0))[..., None, None] * np.eye(2 * e)
    # not by eigenvectors: they mix loads with values, whose units are as far apart as stiffness and inertia
    return kept - turned @ np.linalg.solve(joint, rows), (sizes < 0).sum(axis=-1) - e
