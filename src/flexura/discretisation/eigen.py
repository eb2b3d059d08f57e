"""Eigenvalues of small dense matrices with all their digits: low modes beside stiff ones.

>>> found = undamped(M, K)
>>> found.squares, found.vectors             # omega^2 ascending, unit modal mass

A polynomial basis holds modes whose omega^2 is 10^10 times that of the first, and a plain solver loses as many digits
of it. So the inverse is solved, where low modes are the large ones, and each answer is polished.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.systems.inertia import carried, refuse_indefinite

Array = NDArray[np.float64]
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class UndampedRoots:
    """omega^2 of all modes with inertia, ascending, and their vectors; what rounding cannot tell from zero is zero."""

    squares: Array
    vectors: Array
    rounding: Array  # of each, relative: what the rounding of K alone may do to it


def undamped(M: Array, K: Array, zeros: int | None = None) -> UndampedRoots:
    """K x = omega^2 M x, with M and K symmetric and M semidefinite.

    `zeros`: how many motions have no stiffness, and that no other omega^2 is zero or negative; None where that is not
    known, and rounding decides.
    """
    n = len(M)
    if n == 0:
        return UndampedRoots(np.zeros(0), np.zeros((0, 0)), np.zeros(0))
    refuse_indefinite(M, K)
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.abs(np.diagonal(K)) / np.diagonal(M)
    shift = float(np.min(own[np.isfinite(own) & (own > 0)], initial=np.inf))
    shift = shift if np.isfinite(shift) else 1.0
    if _positive(K):
        squares, X = _inverse(M, K, 0.0)
        return UndampedRoots(*_polished(M, K, squares, X, 0.0, zeros))
    shift = next((one for one in shift * 4.0 ** np.arange(60) if _positive(K + one * M)), shift)
    squares, _ = _inverse(M, K, shift)
    elastic = squares[np.abs(squares) > 1e-9 * shift]
    if len(elastic):
        better = max(2.0 * float(-squares.min(initial=0.0)), float(np.abs(elastic).min()))
        shift = better if _positive(K + better * M) else shift
    squares, X = _inverse(M, K, shift)
    return UndampedRoots(*_polished(M, K, squares, X, shift, zeros))


def _positive(K: Array) -> bool:
    """Positive definite, and not just by rounding."""
    size = np.diagonal(K)
    if np.any(size <= 0):
        return False
    scale = 1 / np.sqrt(size)
    try:
        L = np.linalg.cholesky(K * np.outer(scale, scale))
    except np.linalg.LinAlgError:
        return False
    return bool(np.diagonal(L).min() > 1e-6)


def _inverse(M: Array, K: Array, shift: float) -> tuple[Array, Array]:
    """M x = theta (K + shift M) x; omega^2 = 1/theta - shift, and theta = 0 has no inertia."""
    A = K + shift * M
    if np.any(np.diagonal(A) <= 0):
        raise _not_stiff()
    scale = 1 / np.sqrt(np.diagonal(A))
    outer = np.outer(scale, scale)
    try:
        theta, X = scipy.linalg.eigh(M * outer, A * outer)
    except np.linalg.LinAlgError:
        raise _not_stiff() from None
    X *= scale[:, None]
    # The congruence with A moves theta by eps |M| |A^-1|, which may be any size: whether a vector moves anything is
    # asked of M itself. Below the rounding of the largest theta, 1/theta is no number at all.
    moving = (theta > 64 * len(M) * _EPS * np.abs(theta).max(initial=0.0)) & carried(M, X)
    theta, X = theta[moving][::-1], X[:, moving][:, ::-1]
    return 1 / theta - shift, X


def _not_stiff() -> FlexuraError:
    """What is wrong where no share of M makes K positive: M was looked at before."""
    return FlexuraError(
        "The stiffness of motions without inertia is zero or negative, or lost in rounding beside the largest, so the"
        " modes are not determined",
        advice="give every motion inertia or a positive stiffness, or bring stiffnesses closer together",
    )


def _polished(
    M: Array, K: Array, squares: Array, X: Array, shift: float, zeros: int | None
) -> tuple[Array, Array, Array]:
    """Rayleigh quotients: the error of a vector enters squared.

    As many as are known are zero; where that is not known, what lies below the rounding of K x.
    """
    masses = np.einsum("ij,ij->j", X, M @ X)
    X = X / np.sqrt(masses)
    found = np.einsum("ij,ij->j", X, K @ X)
    size = np.abs(X)
    rounding = 8 * _EPS * np.einsum("ij,ij->j", size, np.abs(K) @ size)
    near = np.abs(found - squares) <= 1e-6 * np.abs(squares) + 1e-9 * shift + rounding
    squares = np.where(near, found, squares)
    if zeros is None:
        squares = _rounded(squares, rounding)
    else:
        squares[np.argsort(np.abs(squares), kind="stable")[:zeros]] = 0.0
    order = np.argsort(squares, kind="stable")
    relative = np.divide(rounding / 8, np.abs(squares), out=np.zeros_like(squares), where=squares != 0)
    return squares[order], X[:, order], relative[order]


def _rounded(squares: Array, rounding: Array) -> Array:
    """Zeros where rounding explains a value, or where a factor of 1e7 and more lies between two frequencies."""
    squares = np.where(np.abs(squares) <= rounding, 0.0, squares)
    sizes = np.sort(np.abs(squares))
    gaps = np.flatnonzero(sizes[:-1] < 1e-14 * sizes[1:])
    return np.where(np.abs(squares) <= sizes[gaps[-1]], 0.0, squares) if len(gaps) else squares
