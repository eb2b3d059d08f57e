"""How often s = 0 is a root of det(K + s C + s^2 M), from the motions without stiffness and their Jordan chains.

>>> zero_roots(K, C, M, Z, unit=12.0)          # K Z = 0, unit: a frequency of the size of the first elastic ones

K x0 = 0, K x1 = -C x0, K x2 = -C x1 - M x0, ...: each motion heads a chain, which ends where a load would be left over.
With a border that makes K regular, [K B; Z' 0], the corner g(s) of the inverse of [Q(s) B; Z' 0] has the same roots at
zero as det Q (Govaerts 2000). It is as small as the kernel, and its Taylor coefficients need one factorization. Each
coefficient has a rank at its own size: damping may be as much smaller than inertia as it likes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg
from numpy.typing import NDArray

Array = NDArray[np.float64]
_RANK = 1e-9
_SMALL = 1e-4  # of a vector; of that, _RANK is rounding
_LONGEST = 6  # coefficients of g: a chain is as long as that at most


def zero_roots(K: Any, C: Any, M: Any, Z: Array, unit: float) -> int:
    """The multiplicity of s = 0; `Z` are all motions without stiffness, one a column."""
    n, r = (int(one) for one in Z.shape)
    if not r:
        return 0
    size = np.sqrt(_diagonal(K) + unit**2 * _diagonal(M))
    size[size == 0] = 1.0
    K, C, M = _scaled(K, size), _scaled(C, size) * unit, _scaled(M, size) * unit**2
    Z = np.linalg.qr(Z * size[:, None])[0]
    border = np.linalg.qr(np.cos(1.0 + np.arange(n)[:, None] * (1.0 + np.arange(r)) ** 0.5))[0]
    solve, transposed = _bordered(K, border, Z)
    Y = np.linalg.qr(transposed(np.vstack([np.zeros((n, r)), np.eye(r)]))[:n])[0]
    solve, _ = _bordered(K, Y, Z)
    before, last = np.zeros((n, r)), Z
    g, sizes = list[Array](), list[Array]()
    for _ in range(_LONGEST):
        load = C @ last + M @ before
        rounding = _sizes(Y).T @ (abs(C) @ _sizes(last) + abs(M) @ _sizes(before))
        corner = -Y.T @ load
        g.append(corner)
        sizes.append(rounding)
        before, last = last, solve(np.vstack([-load, np.zeros((r, r))]))[:n]
    return r + _multiplicity(g, sizes)


def _sizes(vectors: Array) -> Array:
    """Of their entries; what is far below the largest of a vector may be rounding of it."""
    size = np.abs(vectors)
    return np.asarray(np.maximum(size, _SMALL * size.max(axis=0, initial=0.0)))


def _multiplicity(g: list[Array], sizes: list[Array]) -> int:
    """The multiplicity of s = 0 in det(g_0 + s g_1 + ...), `sizes` being those of the terms that each entry sums.

    What g_0 leaves to higher powers is its Schur complement, whose constant term vanishes: a factor s for each row.
    """
    if not g or not len(g[0]):
        return 0
    first = np.where(np.abs(g[0]) <= _RANK * sizes[0], 0.0, g[0])
    U, found, V = np.linalg.svd(first)
    rank = int((found > _RANK * found.max(initial=0.0)).sum())
    g, sizes = [U.T @ one @ V.T for one in g], [np.abs(U.T) @ one @ np.abs(V.T) for one in sizes]
    own, rest = slice(0, rank), slice(rank, None)
    inverse = _inverse([one[own, own] for one in g])
    left, right = [one[rest, own] for one in g[1:]], [one[own, rest] for one in g[1:]]
    larger = [[np.abs(one) for one in some] for some in (left, inverse, right)]
    taken = _product(_product(left, inverse), right)
    weight = _product(_product(larger[0], larger[1]), larger[2])
    none = np.zeros((len(first) - rank,) * 2)  # left and right start with s, so that what they take starts with s^2
    higher = [a[rest, rest] - b for a, b in zip(g[1:], [none, *taken], strict=False)]
    terms = [a[rest, rest] + b for a, b in zip(sizes[1:], [none, *weight], strict=False)]
    return len(none) + _multiplicity(higher, terms)


def _inverse(g: list[Array]) -> list[Array]:
    """The series of the inverse."""
    found: list[Array] = [np.asarray(np.linalg.inv(g[0]), dtype=np.float64)]
    for k in range(1, len(g)):
        found.append(-found[0] @ sum((g[j] @ found[k - j] for j in range(1, k + 1)), np.zeros(g[0].shape)))
    return found


def _product(a: list[Array], b: list[Array]) -> list[Array]:
    """The series of a product, as far as both are known."""
    return [sum((a[j] @ b[k - j] for j in range(1, k + 1)), a[0] @ b[k]) for k in range(min(len(a), len(b)))]


def _diagonal(matrix: Any) -> Array:
    return np.abs(np.asarray(matrix.diagonal(), dtype=np.float64))


def _scaled(matrix: Any, size: Array) -> Any:
    if scipy.sparse.issparse(matrix):
        unit = scipy.sparse.diags_array(1 / size)
        return (unit @ matrix @ unit).tocsc()
    return matrix / np.outer(size, size)


def _bordered(K: Any, border: Array, Z: Array) -> tuple[Any, Any]:
    """What solves with [K, border; Z', 0], and with its transpose."""
    r = Z.shape[1]
    if scipy.sparse.issparse(K):
        whole = scipy.sparse.block_array([[K, scipy.sparse.csc_array(border)], [scipy.sparse.csc_array(Z.T), None]])
        made = scipy.sparse.linalg.splu(whole.tocsc())
        return made.solve, lambda b: made.solve(b, "T")
    factors = scipy.linalg.lu_factor(np.block([[K, border], [Z.T, np.zeros((r, r))]]))
    return lambda b: scipy.linalg.lu_solve(factors, b), lambda b: scipy.linalg.lu_solve(factors, b, trans=1)
