"""Eigenvalues of small dense matrices with all their digits: low modes beside stiff ones.

>>> squares, X = undamped(M, K)              # omega^2 ascending, unit modal mass
>>> s, X = damped(M, C, K)                   # one of each conjugate pair, every real root, by |s|

A polynomial basis holds modes whose omega^2 is 10^10 times that of the first, and a plain solver loses as many digits
of it. So the inverse is solved, where low modes are the large ones, and each answer is polished.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.systems.second_order import NOT_POSITIVE
from flexura.systems.zero_roots import zero_roots

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Undamped:
    """omega^2 of all modes with inertia, ascending, and their vectors; what rounding cannot tell from zero is zero."""

    squares: Array
    vectors: Array
    rounding: Array  # of each, relative: what the rounding of K alone may do to it


def undamped(M: Array, K: Array, zeros: int | None = None) -> Undamped:
    """K x = omega^2 M x, with M and K symmetric and M semidefinite.

    `zeros`: how many motions have no stiffness, and that no other omega^2 is zero or negative; None where that is not
    known, and rounding decides.
    """
    n = len(M)
    if n == 0:
        return Undamped(np.zeros(0), np.zeros((0, 0)), np.zeros(0))
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.abs(np.diagonal(K)) / np.diagonal(M)
    shift = float(np.min(own[np.isfinite(own) & (own > 0)], initial=np.inf))
    shift = shift if np.isfinite(shift) else 1.0
    if _positive(K):
        squares, X = _inverse(M, K, 0.0)
        return Undamped(*_polished(M, K, squares, X, 0.0, zeros))
    for _ in range(60):
        if _positive(K + shift * M):
            break
        shift *= 4
    squares, _ = _inverse(M, K, shift)
    elastic = squares[np.abs(squares) > 1e-9 * shift]
    if len(elastic):
        better = max(2.0 * float(-squares.min(initial=0.0)), float(np.abs(elastic).min()))
        shift = better if _positive(K + better * M) else shift
    squares, X = _inverse(M, K, shift)
    return Undamped(*_polished(M, K, squares, X, shift, zeros))


def with_inertia(M: Array) -> int:
    """How many modes have inertia: the rank of M, in units that make its diagonal one."""
    size = np.sqrt(np.abs(np.diagonal(M)))
    M = M[np.ix_(size > 0, size > 0)] / np.outer(size[size > 0], size[size > 0])
    return int((np.linalg.eigvalsh(M) > 1e-12).sum()) if len(M) else 0


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
        raise FlexuraError(NOT_POSITIVE)
    scale = 1 / np.sqrt(np.diagonal(A))
    outer = np.outer(scale, scale)
    try:
        theta, X = scipy.linalg.eigh(M * outer, A * outer)
    except np.linalg.LinAlgError:
        raise FlexuraError(NOT_POSITIVE) from None
    rounding = 64 * len(M) * _EPS * np.abs(theta).max(initial=0.0)
    if np.any(theta < -rounding):
        raise FlexuraError(NOT_POSITIVE)
    moving = theta > rounding
    theta, X = theta[moving][::-1], X[:, moving][:, ::-1]
    return 1 / theta - shift, X * scale[:, None]


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


@dataclass(frozen=True, eq=False)
class Damped:
    """Eigenvalues with Im >= 0, those of motions without stiffness as zeros, and their vectors and residual."""

    s: Complex
    vectors: Complex
    residual: float
    zeros: tuple[int, int] = (0, 0)  # motions without stiffness, and how often s = 0 is a root


def damped(
    M: Array,
    C: Array,
    K: Array,
    count: int,
    near: complex | None = None,
    zeros: int | None = None,
    multipliers: int = 0,
) -> Damped:
    """(s^2 M + s C + K) x = 0: the `count` eigenvalues of smallest |s|, or nearest to `near`.

    `zeros`: how many motions have no stiffness; None where that is not known, and rounding decides. The last unknowns
    may be `multipliers`, which have no inertia and no stiffness of their own.
    """
    n, centre = len(M), 0j if near is None else complex(near)
    own = slice(0, n - multipliers)
    unit = _unit(M[own, own], C[own, own], K[own, own])
    shift = centre + (0.31 + (0.17j if centre else 0)) * unit
    null = _null(K, M, unit, zeros)
    s, X = _linearised(M, C, K, shift if shift.imag else shift.real, unit)
    listed = [(0j, null[:, i].astype(np.complex128), 0.0) for i in range(null.shape[1])]
    roots = zero_roots(K, C, M, null, unit)
    small = np.zeros(len(s), bool)
    small[np.argsort(np.abs(s), kind="stable")[:roots]] = True
    order = np.argsort(np.abs(s - centre), kind="stable")
    for k in order:
        if len(listed) >= count + null.shape[1] + 2:
            break
        if small[k] or s[k].imag < -1e-9 * abs(s[k]):
            continue
        start = complex(s[k].real) if abs(s[k].imag) <= 1e-9 * abs(s[k]) else complex(s[k])
        found, x, residual = _newton(M, C, K, start, X[:, k])
        if abs(found - start) > 1e-5 * abs(start):
            found, x = start, X[:, k]  # a repeated root pulled it away
        listed.append((found, x, residual))
    listed = sorted(listed, key=lambda one: abs(one[0] - centre))[:count]
    vectors = np.array([x for _, x, _ in listed], dtype=np.complex128).reshape(-1, n).T
    values = np.array([one for one, _, _ in listed], np.complex128)
    return Damped(values, vectors, max((r for *_, r in listed), default=0), (null.shape[1], roots))


def _unit(M: Array, C: Array, K: Array) -> float:
    """A frequency of the order of the lowest ones."""
    try:
        found = undamped(M, (K + K.T) / 2).squares
    except FlexuraError:  # a size is enough here
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.diagonal(K) / np.diagonal(M)
        found = found[np.isfinite(found)]
    elastic = np.abs(found[found != 0])
    if len(elastic):
        return float(np.sqrt(elastic.min()))
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.abs(np.diagonal(C) / np.diagonal(M))
    own = own[np.isfinite(own) & (own > 0)]
    return float(own.min()) if len(own) else 1.0


def _null(K: Array, M: Array, unit: float, zeros: int | None) -> Array:
    """Motions without stiffness: as many as are known, or as rounding cannot tell from such."""
    size = _sizes(K, M, unit**2)
    _, sizes, V = np.linalg.svd(K / np.outer(size, size))
    number = int((sizes < 1e-12 * max(sizes.max(initial=0.0), 1e-300)).sum()) if zeros is None else zeros
    return np.asarray(V[len(V) - number :].T / size[:, None])


def _linearised(M: Array, C: Array, K: Array, shift: complex, unit: float) -> tuple[Complex, Complex]:
    """All of them around a shift: t = s - shift, mu = unit/t; the nearest have the largest mu."""
    A, B = K + shift * C + shift**2 * M, C + 2 * shift * M
    size = _sizes(A, M, 0.0)
    outer = np.outer(size, size)
    top = -np.linalg.solve(A / outer, np.hstack([B * unit / outer, M * unit**2 / outer]))
    n = len(K)
    mu, V = scipy.linalg.eig(np.vstack([top, np.hstack([np.eye(n), np.zeros((n, n))])]))
    infinite = zero_roots(M, C, K, _massless(M), 1 / unit)  # zeros of M + s C + s^2 K, counted by rank
    finite = np.sort(np.argsort(np.abs(mu), kind="stable")[infinite:])
    finite = finite[mu[finite] != 0]
    return shift + unit / mu[finite], V[:n, finite] / size[:, None]


def _massless(M: Array) -> Array:
    """Motions without inertia, in units that make the diagonal of M one."""
    size = np.sqrt(np.abs(np.diagonal(M)))
    size[size == 0] = 1.0
    values, V = np.linalg.eigh(M / np.outer(size, size))
    return np.asarray(V[:, values <= 1e-12] / size[:, None])


def _sizes(K: Array, M: Array, square: float) -> Array:
    """The unit of each unknown; of one without stiffness and inertia, that of what it pushes."""
    size = np.sqrt(np.abs(np.diagonal(K)) + square * np.abs(np.diagonal(M)))
    for i in np.flatnonzero(size == 0):
        size[i] = (np.abs(K[:, i])[size > 0] / size[size > 0]).max(initial=0.0)
    size[size == 0] = 1.0
    return size


def _newton(M: Array, C: Array, K: Array, s: complex, x: Complex) -> tuple[complex, Complex, float]:
    """Newton's method with right and left vectors; the residual is relative to the terms that balance."""
    real, size = s.imag == 0, _sizes(K, M, abs(s) ** 2)
    outer = np.outer(size, size)
    M, C, K, x = M / outer, C / outer, K / outer, x * size
    y = np.sin(2.0 + 5.0 * np.arange(len(M))) + 0j
    for _ in range(5):
        Q, slope = K + s * C + s * s * M, C + 2 * s * M
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # s may be a root to the last digit
                factors = scipy.linalg.lu_factor(Q)
        except (np.linalg.LinAlgError, ValueError):
            break
        with np.errstate(all="ignore"):
            new = scipy.linalg.lu_solve(factors, slope @ x)
            left = scipy.linalg.lu_solve(factors, slope.T @ y, trans=1)
            if not (np.all(np.isfinite(new)) and np.all(np.isfinite(left))):
                break
        x, y = new / np.abs(new).max(), left / np.abs(left).max()
        step = complex((y @ (Q @ x)) / (y @ (slope @ x)))
        s = s - step
        s = complex(s.real) if real else s
        if abs(step) <= 1e-15 * abs(s):
            break
    balance = np.abs(K @ x) + abs(s) * np.abs(C @ x) + abs(s) ** 2 * np.abs(M @ x)
    residual = np.abs((K + s * C + s * s * M) @ x).max() / max(balance.max(), 1e-300)
    return s, x / size, float(residual)
