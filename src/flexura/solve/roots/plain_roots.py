"""Every root of s^2 M + s C + K by the plain pencil of twice the size: a second opinion that trusts no deflation.

>>> s, X = plain_roots(pencil)          # QZ, in units of unit mass and of the time in which K and M are alike

Nothing is taken out first and nothing is solved for, so no rank that was decided wrongly can spoil it. Slow roots of a
stiff structure carry the rounding of the stiffest motion: this is not the way to all digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sparse
from numpy.typing import NDArray

from flexura.structures.operating.dynamic import SplitPencil

Array = NDArray[Any]
_INFINITE = 1e-12


def plain_roots(pencil: SplitPencil) -> tuple[Array, Array]:
    """The finite roots, and their shapes (n, roots) as columns of unit length."""
    system, n = pencil.system, pencil.system.n
    M, K = _dense(system.M), _dense(pencil.matrix(0.0))
    C = np.zeros((n, n)) if system.rates is None else _dense(system.rates)
    unit = 1 / np.sqrt(_sizes(M, K))
    M, C, K = (one * unit[:, None] * unit for one in (M, C, K))
    heavy, stiff = float(np.linalg.norm(M)), float(np.linalg.norm(K))
    rate = float(np.sqrt(stiff / heavy)) if stiff and heavy else 1.0
    M, C = rate**2 * M, rate * C
    size = max(float(np.linalg.norm(one)) for one in (M, C, K)) or 1.0
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-K / size, -C / size]])
    B = scipy.linalg.block_diag(np.eye(n), M / size)
    (alpha, beta), V = scipy.linalg.eig(A, B, homogeneous_eigvals=True)
    finite = np.abs(beta) > _INFINITE * np.hypot(np.abs(alpha), np.abs(beta))
    X = unit[:, None] * V[:n, finite]
    s = rate * alpha[finite] / beta[finite]
    length = np.linalg.norm(X, axis=0)
    return s[length > 0].astype(complex), (X / np.where(length > 0, length, 1.0))[:, length > 0].astype(complex)


def _sizes(M: Array, K: Array) -> Array:
    """The mass of each row; of massless rows what their stiffness would have beside the others."""
    mass, stiff = np.abs(np.diagonal(M)), np.abs(np.diagonal(K))
    typical = np.median(stiff[mass > 0] / mass[mass > 0]) if np.any(mass > 0) else 1.0
    size = np.where(mass > 0, mass, stiff / (typical or 1.0))
    return np.asarray(np.where(size > 0, size, 1.0))


def _dense(A: Any) -> Array:
    return np.asarray(A.toarray() if sparse.issparse(A) else A)
