"""Undamped modes from strains, K = F' F with F the strains themselves: for members of very different stiffness.

>>> lowest(pencil, motions, count)                  # omega^2 and shapes, zero modes first

K holds the sum of stiff and soft, and its rounding alone may be larger than what is soft. So F is made triangular, R,
without being squared, rows sorted by size and columns pivoted, which keeps small rows beside large ones (Cox and Higham
1998); with M = G' G the frequencies are the inverse singular values of G R^-1, which Jacobi rotations give to all
digits, large and small (Drmac and Veselic 2008). Motions without stiffness are taken out first: one coordinate of each
is held, and shapes are made orthogonal to them.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.solve.exact.lines import Array
from flexura.solve.exact.pencil import Pencil

Indices = NDArray[np.int64]
MOST = 700  # unknowns: F is a full matrix


def lowest(pencil: Pencil, motions: Array, count: int) -> tuple[Array, Array]:
    """The lowest `count` eigenvalues of a system of positive parts, exact zeros among them, and shapes of unit mass."""
    Z, G = pencil.rigid_shapes(motions), pencil.factor(2)
    Z = Z @ np.linalg.inv(np.linalg.qr(G @ Z, mode="r")) if Z.shape[1] else Z
    free, R = triangle(pencil, own_coordinates(Z))
    spread = np.zeros((pencil.size, len(free)))
    spread[free, np.arange(len(free))] = 1.0
    for _ in range(2):  # the second time for what rounding left
        spread -= Z @ ((G @ Z).T @ (G @ spread))
    shapes = scipy.linalg.solve_triangular(R, spread.T, trans="T", check_finite=False).T
    sizes, V = _singular(G @ shapes)
    moving = sizes > 0
    sizes, V = sizes[moving][: count - Z.shape[1]], V[:, moving][:, : count - Z.shape[1]]
    zeros = min(count, Z.shape[1])
    return np.concatenate([np.zeros(zeros), sizes**-2.0]), np.hstack([Z[:, :zeros], (shapes @ V) / sizes])


def _singular(A: Array) -> tuple[Array, Array]:
    """Singular values, descending, and right vectors, by Jacobi rotations; zero below what rounding of A leaves."""
    n = A.shape[1]
    A = np.vstack([A, np.zeros((max(0, n - len(A)), n))])
    sizes, _, V, work, _, _ = scipy.linalg.lapack.dgejsv(A, joba=2, jobu=3, jobv=0, jobr=0)
    sizes = sizes * work[0] / work[1]
    order = np.argsort(-sizes, kind="stable")
    sizes, V = sizes[order], V[:, order]
    return np.where(sizes > 1e-15 * n * np.linalg.norm(A, axis=0).min(initial=np.inf), sizes, 0.0), V


def triangle(pencil: Pencil, held: Indices) -> tuple[Indices, Array]:
    """The unknowns but those held, in the order of pivots, and R of their strains: K = R' R."""
    free = np.setdiff1d(np.arange(pencil.size), held)
    F = pencil.factor(0)[:, free]
    F = F[np.argsort(-np.abs(F).max(axis=1, initial=0.0), kind="stable")]
    R, order = scipy.linalg.qr(F, mode="r", pivoting=True, check_finite=False)
    return free[order], np.asarray(R[: len(free)])


def own_coordinates(Z: Array) -> Indices:
    """A coordinate for each motion, by which the motions can be told apart."""
    if not Z.shape[1]:
        return np.zeros(0, np.int64)
    size = np.abs(Z).max(axis=1)
    size[size == 0] = 1.0
    order = scipy.linalg.qr((Z / size[:, None]).T, pivoting=True, mode="economic")[2]
    return np.asarray(order[: Z.shape[1]])
