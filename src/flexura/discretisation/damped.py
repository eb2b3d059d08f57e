"""Roots of s^2 M + s C + K with all their digits, and what rounding may have done to each.

>>> found = damped(M, C, K, count=8)             # one of each conjugate pair, every real root, by |s|
>>> found.s, found.rounding                      # relative; holds what rounding of the matrices themselves does too

A motion without stiffness moves slowly because it is damped, and K of it is zero only where large numbers cancel: the
rounding of the stiffest member would move such a root. So motions that are known to have no stiffness become unknowns
of their own, whose rows of K are zero to the last bit. What is left of rounding is weighed with the vectors of each
root, y' dQ x / (y' Q' x), the first order of what a change of the matrices does (Tisseur 2000).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.discretisation.eigen import undamped
from flexura.errors import FlexuraError
from flexura.systems.zero_roots import zero_roots

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
_EPS = float(np.finfo(np.float64).eps)
_SAFETY = 8.0  # times the size that rounding has by chance
_TOGETHER = 1e-5  # roots so near to one another are weighed together: their vectors may be any of their span
_SLOW = 1e-3
_NEAR = 0.3  # of the distance to the next root: a step that stays with its own


@dataclass(frozen=True, eq=False)
class DampedRoots:
    """Eigenvalues with Im >= 0, those of motions without stiffness as zeros, and their vectors and residual."""

    s: Complex
    vectors: Complex
    residual: float
    zeros: tuple[int, int]  # motions without stiffness, and how often s = 0 is a root
    rounding: Array  # of each root, relative to it


@dataclass(frozen=True, eq=False)
class _Root:
    """A root with its right and left vectors; `doubt` is how far it may be off in itself, |ds|."""

    s: complex
    x: Complex
    y: Complex
    residual: float
    doubt: float = 0.0


@dataclass(frozen=True, eq=False)
class _NoisyPencil:
    """K + s C + s^2 M, and what rounding may be wrong in each entry of them: `noise` of K, C and M."""

    K: Array
    C: Array
    M: Array
    noise: tuple[Array, Array, Array]

    def slope(self, s: complex) -> NDArray[np.complex128]:
        """d/ds."""
        return self.C + 2 * s * self.M

    def sizes(self, s: complex) -> Array:
        """The unit of each unknown at s; of one without stiffness, damping and inertia, that of what it pushes."""
        return _sizes(self.K, abs(s) * np.abs(np.diagonal(self.C)) + abs(s) ** 2 * np.abs(np.diagonal(self.M)))

    def rounding(self, s: complex, x: Complex, y: Complex) -> float:
        """What rounding may make of y' Q(s) x."""
        by_K, by_C, by_M = self.noise
        x, y = np.abs(x), np.abs(y)
        return float(y @ (by_K @ x) + abs(s) * (y @ (by_C @ x)) + abs(s) ** 2 * (y @ (by_M @ x)))


def damped(
    M: Array,
    C: Array,
    K: Array,
    count: int,
    near: complex | None = None,
    free: Array | None = None,
    multipliers: int = 0,
) -> DampedRoots:
    """(s^2 M + s C + K) x = 0: the `count` eigenvalues of smallest |s|, or nearest to `near`.

    `free`: the motions without stiffness, one a column, of a symmetric K; None where they are not known, and rounding
    decides. The last unknowns may be `multipliers`, which have no inertia and no stiffness of their own.
    """
    n, centre = len(M), 0j if near is None else complex(near)
    own = slice(0, n - multipliers)
    unit = _unit(M[own, own], C[own, own], K[own, own])
    T = np.eye(n) if free is None else _apart(free, _sizes(K, unit**2 * np.abs(np.diagonal(M))))
    pencil = _pencil(M, C, K, T, 0 if free is None else free.shape[1])
    null = _null(K, M, unit) if free is None else np.eye(n)[:, : free.shape[1]]
    roots = zero_roots(pencil.K, pencil.C, pencil.M, null, unit)
    listed = [_Root(0j, one, one, 0.0) for one in null.T.astype(np.complex128)]
    for s, x, room in _starts(pencil, centre, unit, roots):
        if len(listed) >= count + null.shape[1] + 2:
            break
        listed.append(_polished(pencil, s, x, room))
    listed = [listed[k] for k in _order(np.array([one.s for one in listed]), centre)]
    rounding = _rounding(pencil, listed)[:count]
    listed = listed[:count]
    vectors = T @ np.array([one.x for one in listed], dtype=np.complex128).reshape(-1, n).T
    values = np.array([one.s for one in listed], np.complex128)
    residual = max((one.residual for one in listed), default=0.0)
    return DampedRoots(values, vectors, residual, (null.shape[1], roots), rounding)


def _order(s: Complex, centre: complex) -> list[int]:
    """By distance from the centre; of roots that are equally far, as -a and a, the one to the left first."""
    far = np.abs(s - centre)
    order = np.argsort(far, kind="stable")
    level = np.zeros(len(s))
    level[order] = np.cumsum(np.diff(far[order], prepend=0.0) > 1e-9 * far[order])
    same = np.abs(s).max(initial=0.0) * 1e-12 or 1.0
    return sorted(range(len(s)), key=lambda k: (level[k], float(np.round(s[k].real / same)), s[k].imag))


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


def _null(K: Array, M: Array, unit: float) -> Array:
    """Motions whose stiffness rounding cannot tell from none."""
    size = _sizes(K, unit**2 * np.abs(np.diagonal(M)))
    _, sizes, V = np.linalg.svd(K / np.outer(size, size))
    number = int((sizes < 1e-12 * max(sizes.max(initial=0.0), 1e-300)).sum())
    return np.asarray(V[len(V) - number :].T / size[:, None])


def _apart(Z: Array, size: Array) -> Array:
    """Unknowns T: the motions Z, each with an unknown of its own at one, and all unknowns but those."""
    n, r = Z.shape
    own = scipy.linalg.qr((Z * size[:, None]).T, pivoting=True, mode="economic")[2][:r]
    Z = np.linalg.solve(Z[own].T, Z.T).T
    return np.hstack([Z, np.eye(n)[:, np.setdiff1d(np.arange(n), own)]])


def _pencil(M: Array, C: Array, K: Array, T: Array, free: int) -> _NoisyPencil:
    """The pencil in the unknowns T, the first of which are free of stiffness."""
    if not free:
        return _NoisyPencil(K, C, M, (_EPS * _summed(K), _EPS * np.abs(C), _EPS * _summed(M)))
    size, rest = np.abs(T), slice(free, None)
    stiff, noise = np.zeros(K.shape), _EPS * (size.T @ _summed(K) @ size)
    stiff[rest, rest] = (T.T @ K @ T)[rest, rest]
    left = (T.T @ K @ T[:, :free])[rest]  # what rounding left; it enters by its work
    own = np.diagonal(stiff)[rest, None]
    noise[:free, :free] = np.abs(left.T) @ np.abs(np.divide(left, own, out=np.zeros_like(left), where=own > 0))
    by_C, by_M = (_EPS * (size.T @ one @ size) for one in (np.abs(C), _summed(M)))
    loss = T.T @ C @ T
    loss[np.abs(loss) <= _SAFETY * by_C] = 0.0  # or a damper that drifts along would brake the drift
    return _NoisyPencil(stiff, loss, T.T @ M @ T, (noise, by_C, by_M))


def _summed(K: Array) -> Array:
    """The size of what was added up in each entry of integrals of squares, whatever of it cancels."""
    size = np.sqrt(np.abs(np.diagonal(K)))
    return np.asarray(np.maximum(np.abs(K), np.outer(size, size)))


def _starts(pencil: _NoisyPencil, centre: complex, unit: float, zeros: int) -> Iterator[tuple[complex, Complex, float]]:
    """Roots, the nearest to the centre first, without those at zero: s, x, and the room around s."""
    s, X = _around(pencil, centre, unit, zeros)
    small = np.zeros(len(s), bool)
    small[np.argsort(np.abs(s), kind="stable")[:zeros]] = True
    for k in np.argsort(np.abs(s - centre), kind="stable"):
        if small[k] or s[k].imag < -1e-9 * abs(s[k]):
            continue
        room = _NEAR * np.delete(np.abs(s - s[k]), k).min(initial=abs(s[k]))
        yield complex(s[k].real) if abs(s[k].imag) <= 1e-9 * abs(s[k]) else complex(s[k]), X[:, k], float(room)


def _around(pencil: _NoisyPencil, centre: complex, unit: float, zeros: int) -> tuple[Complex, Complex]:
    """All roots from a shift beside the centre; those that are slow beside it are found again from one of their size.

    A slow root and that at zero are nearly one, seen from afar, and rounding splits such a pair by its square root.
    """
    shift = centre + (0.31 + (0.17j if centre else 0)) * unit
    s, X = _linearised(pencil, shift if shift.imag else shift.real, unit)
    order = np.argsort(np.abs(s), kind="stable")
    s, X = s[order], X[:, order]
    slow = int((np.abs(s) < _SLOW * unit).sum())
    if centre or slow <= zeros or s[slow - 1] == 0:
        return s, X
    again, Y = _around(pencil, centre, float(abs(s[slow - 1])), zeros)
    return np.concatenate([again[:slow], s[slow:]]), np.hstack([Y[:, :slow], X[:, slow:]])


def _linearised(pencil: _NoisyPencil, shift: complex, unit: float) -> tuple[Complex, Complex]:
    """All of them around a shift: t = s - shift, mu = unit/t; the nearest have the largest mu."""
    M, C, K = pencil.M, pencil.C, pencil.K
    A, B = K + shift * C + shift**2 * M, C + 2 * shift * M
    size = _sizes(A, np.zeros(len(A)))
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


def _sizes(K: Array, more: Array) -> Array:
    """The unit of each unknown, from its stiffness and what is added to that."""
    size = np.sqrt(np.abs(np.diagonal(K)) + more)
    for i in np.flatnonzero(size == 0):
        size[i] = (np.abs(K[:, i])[size > 0] / size[size > 0]).max(initial=0.0)
    size[size == 0] = 1.0
    return size


def _polished(pencil: _NoisyPencil, start: complex, x: Complex, room: float) -> _Root:
    """A root to its last digits; where steps lead away from it, as beside a repeated one, it stays and is doubted."""
    found = _newton(pencil, start, x)
    if abs(found.s - start) <= max(_TOGETHER * abs(start), room):
        return found
    return _Root(start, x, found.y, found.residual, abs(found.s - start))


def _newton(pencil: _NoisyPencil, s: complex, x: Complex) -> _Root:
    """Newton's method with right and left vectors; the residual is relative to the terms that balance."""
    real, size = s.imag == 0, pencil.sizes(s)
    outer = np.outer(size, size)
    M, C, K, x = pencil.M / outer, pencil.C / outer, pencil.K / outer, x * size
    y = x + 0.5 * x.conj() + 0.01 * np.abs(x).max() * np.sin(2.0 + 5.0 * np.arange(len(M)))
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
    return _Root(s, x / size, y / size, float(residual))


def _rounding(pencil: _NoisyPencil, roots: list[_Root]) -> Array:
    """What rounding may have moved each root by, relative to it; roots that lie together share one.

    Of a root alone it is y' dQ x / (y' Q' x); of several, whose vectors are any of their span, a matrix of these.
    """
    found = np.zeros(len(roots))
    s = np.array([one.s for one in roots])
    for k in np.flatnonzero(s != 0):
        beside = np.flatnonzero(np.abs(s - s[k]) <= _TOGETHER * abs(s[k]))
        X, Y = np.array([roots[i].x for i in beside]).T, np.array([roots[i].y for i in beside]).T
        slopes = Y.T @ pencil.slope(s[k]) @ X
        noise = np.array([[pencil.rounding(s[k], x, y) for x in X.T] for y in Y.T])
        try:
            moved = np.linalg.norm(np.abs(np.linalg.inv(slopes)) @ noise, 2)
        except np.linalg.LinAlgError:
            moved = abs(s[k])
        found[k] = min(max(_SAFETY * float(moved), roots[k].doubt) / abs(s[k]), 1.0)
    return found
