"""How often s = 0 is a root of det(K + s C + s^2 M), from the motions without stiffness and their Jordan chains.

>>> zero_roots(K, C, M, Z, unit=12.0)          # K Z = 0, unit: a frequency of the size of the first elastic ones

K x0 = 0, K x1 = -C x0, K x2 = -C x1 - M x0, ...: each motion heads a chain, which ends where a load would be left over.
With a border that makes K regular, [K B; Z' 0], the corner g(s) of the inverse of [Q(s) B; Z' 0] has the same roots at
zero as det Q (Govaerts 2000). It is as small as the kernel, and its Taylor coefficients need one factorization.
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
    g: list[Array] = []
    for _ in range(_LONGEST):
        load = C @ last + M @ before
        rounding = np.abs(Y).T @ (abs(C) @ np.abs(last) + abs(M) @ np.abs(before))
        corner = -Y.T @ load
        g.append(np.where(np.abs(corner) <= _RANK * rounding, 0.0, corner))
        before, last = last, solve(np.vstack([-load, np.zeros((r, r))]))[:n]
    return r + _chains(g)


def _chains(g: list[Array]) -> int:
    """The multiplicity of s = 0 in det(g_1 + s g_2 + ...): where the kernels of its Toeplitz matrices stop growing."""
    r, found = len(g[0]), 0
    for k in range(1, len(g) + 1):
        T = np.block([[g[i - j] if i >= j else np.zeros((r, r)) for j in range(k)] for i in range(k)])
        sizes = np.linalg.svd(T, compute_uv=False)
        empty = k * r - int((sizes > _RANK * max(float(np.abs(T).max()), 1e-300)).sum())
        if empty == found:
            break
        found = empty
    return found


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
