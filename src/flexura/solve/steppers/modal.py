"""Modes of a whole system in the metric of its masses, slow and fast ones to as many digits as rounding leaves.

    >>> modes = all_modes(M, K, span)
    >>> modes.squares, modes.doubts                     # of the frequencies, and how far rounding may have moved them

Solved at once, the squares of the frequencies are known to the rounding of the largest one: beside members that are
1e12 times as stiff, slow modes are lost. By the inverse of the stiffness they are known to the rounding of the slowest
one. So slow modes are taken from the inverse, fast ones as they are, and they meet where both know as much.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.solve.steppers.small import EPS, slow_modes

Array = NDArray[np.float64]
_NARROW = 1e-6  # least squares, of the largest, which keep their digits if solved at once
_ZERO = 1e-13  # squares, of the largest, that are zero if solved at once
_AROUND = 30.0  # by how much slow and fast squares may meet away from the middle, so that no cluster is cut
_FASTEST = 1e-12  # of the slowest mode's flexibility: what is less is rounding
_ROUNDED = float(np.finfo(np.float64).eps)
_APART = 1e-3  # products of slow and fast modes in the metric of the masses, at the most


@dataclass(frozen=True)
class AllModes:
    """X'MX = 1, X'KX = squares; `doubts`: how far rounding may have moved the squares."""

    X: Array
    squares: Array
    doubts: Array

    def late(self, span: float) -> Array:
        """What rounding of each frequency could change of its mode within a span, as a part of it."""
        answers = span * np.minimum(span, 1 / np.sqrt(np.maximum(np.abs(self.squares), 1e-300)))
        return np.asarray(np.minimum(1.0, answers * self.doubts))


def all_modes(M: Array, K: Array, span: float, zeros: int | None = None) -> AllModes:
    """By the stiffness and, where frequencies lie far apart, by its inverse; M is positive definite.

    `zeros`: how many motions have no stiffness, where that is known; else those that rounding cannot tell from zero.
    """
    squares, X = scipy.linalg.eigh(K, M)
    largest = float(np.abs(squares).max(initial=0.0))
    found = AllModes(X, squares, np.full(len(squares), EPS * largest))
    wide = len(squares) > 1 and np.abs(squares).min() < _NARROW * largest and span > 0
    both = _both(M, K, found, span) if wide else None
    if both is None:
        return _without(found, np.abs(squares) <= _ZERO * largest)
    if zeros is not None:
        free = np.zeros(len(squares), bool)
        free[np.argsort(np.abs(both.squares), kind="stable")[:zeros]] = True
        return _without(both, free)
    size = np.abs(both.X)
    rounding = EPS * np.einsum("ik,ik->k", size, np.abs(K) @ size)
    return _without(both, (np.abs(both.squares) <= rounding) & (np.abs(both.squares) <= _ZERO * largest))


def _without(modes: AllModes, free: NDArray[np.bool_]) -> AllModes:
    """Some motions have no stiffness at all."""
    return AllModes(modes.X, np.where(free, 0.0, modes.squares), np.where(free, 0.0, modes.doubts))


def _both(M: Array, K: Array, fast: AllModes, span: float) -> AllModes | None:
    """Slow modes by the inverse, the others as they are; None where the inverse is not better, or a motion grows."""
    slow = slow_modes(M, K, span, _FASTEST)
    if slow is None:
        return None
    size = np.abs(slow.X)
    rounded = _ROUNDED * np.einsum("ik,ik->k", size, np.abs(K) @ size)  # of K itself, whatever solves it
    k = _meeting(slow.squares, slow.doubts, fast)
    X = np.column_stack([slow.X[:, :k], fast.X[:, k:]])
    gram = X.T @ M @ X
    if np.abs(gram[:k, k:]).max(initial=0.0) > _APART:
        return None
    try:
        root = np.linalg.cholesky(gram)
    except np.linalg.LinAlgError:
        return None
    X = scipy.linalg.solve_triangular(root, X.T, lower=True).T  # slow modes stay what they are
    squares = np.append(slow.squares[:k], fast.squares[k:])
    return AllModes(X, squares, np.append(np.maximum(slow.doubts, rounded)[:k], fast.doubts[k:]))


def _meeting(squares: Array, doubts: Array, fast: AllModes) -> int:
    """How many modes are slow: up to the widest gap near to where both ways know as much."""
    better = np.flatnonzero(doubts < fast.doubts[: len(doubts)])
    middle = int(better[-1]) + 1 if len(better) else 0
    if not 0 < middle < len(squares):
        return min(middle, len(squares))
    sizes = np.maximum(np.abs(fast.squares), 1e-300)
    sizes[:middle] = np.maximum(np.abs(squares[:middle]), 1e-300)
    near = [
        k for k in range(1, len(squares) + 1) if k < len(sizes) and 1 / _AROUND < sizes[k] / sizes[middle] < _AROUND
    ]
    return max(near, key=lambda k: float(sizes[k] / sizes[k - 1]), default=middle)
