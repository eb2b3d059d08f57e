"""Eigenvalues s of a pencil K + s C + s^2 M around a point: candidates from its linear form, each polished by Newton.

With t = s - shift, A = Q(shift), B = Q'(shift), Q(s) x = 0 reads (A + t B + t^2 M) x = 0, so mu = 1/t are eigenvalues
of [[-A^-1 B, -A^-1 M], [I, 0]]: all of them if there are few unknowns, the largest by Arnoldi if there are many.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse.linalg
from numpy.typing import NDArray

from flexura.exact.pencil import Pencil, solvers

Complex = NDArray[np.complex128]
_FULL = 130  # unknowns up to which all eigenvalues are found at once


def around(pencil: Pencil, shift: complex, unit: float, count: int) -> tuple[Complex, Complex]:
    """At least `count` eigenvalues nearest to the shift (if there are as many), and their vectors."""
    n, C, M = pencil.size, pencil.C, pencil.M
    shift = shift.real if shift.imag == 0 else shift
    solve = solvers(pencil.at(shift, shift**2))[0]
    B = C + 2 * shift * M
    if n <= _FULL or 2 * count + 20 > n:
        full = (B, M) if pencil.dense else (B.toarray(), M.toarray())
        top = -solve(np.hstack([full[0] * unit, full[1] * unit**2]))
        mu, V = scipy.linalg.eig(np.vstack([top, np.eye(n, 2 * n)]))
    else:
        mu, V = _largest(solve, B * unit, M * unit**2, n, count, isinstance(shift, complex))
    finite = np.abs(mu) > 1e-12 * np.abs(mu).max(initial=0.0)
    return shift + unit / mu[finite], V[:n, finite]


def _largest(solve: Any, B: Any, M: Any, n: int, count: int, turned: bool) -> tuple[Complex, Complex]:
    kind = np.complex128 if turned else np.float64

    def step(x: NDArray[Any]) -> NDArray[Any]:
        x = x.ravel()
        return np.concatenate([-solve(np.asarray(B @ x[:n] + M @ x[n:], dtype=kind)), x[:n]])

    operator = scipy.sparse.linalg.LinearOperator((2 * n, 2 * n), matvec=step, dtype=kind)
    start = np.cos(1.0 + 3.0 * np.arange(2 * n)).astype(kind)
    mu, V = scipy.sparse.linalg.eigs(operator, k=count, v0=start, ncv=min(2 * n - 1, 2 * count + 24), tol=1e-10)
    return mu, V


def polish(pencil: Pencil, s: complex, x: Complex) -> tuple[complex, Complex, float]:
    """Newton's method with right and left vectors; the residual is relative to the terms that balance."""
    K, C, M = pencil.K, pencil.C, pencil.M
    real = s.imag == 0
    y = np.sin(2.0 + 5.0 * np.arange(pencil.size)) + 0j
    for _ in range(4):
        Q, slope = pencil.at(s, s * s), C + 2 * s * M
        moved = _inverse_step(Q, slope, x, y)
        if moved is None:
            break  # s is a root to the last digit, or a repeated one
        x, y, step = moved
        s = s - step
        s = complex(s.real) if real else s
        if abs(step) <= 1e-14 * abs(s):
            break
    Q = pencil.at(s, s * s)
    balance = np.abs(K @ x) + abs(s) * np.abs(C @ x) + abs(s) ** 2 * np.abs(M @ x)
    return s, x, float(np.abs(Q @ x).max() / balance.max())


def _inverse_step(Q: Any, slope: Any, x: Complex, y: Complex) -> tuple[Complex, Complex, complex] | None:
    """Right and left vectors closer to a root, and Newton's step towards it; None where Q is singular already."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            solve, transposed = solvers(Q)
        except RuntimeError:
            return None
        x, y = solve(slope @ x), transposed(slope.T @ y)
        x, y = x / np.abs(x).max(), y / np.abs(y).max()
        step = (y @ (Q @ x)) / (y @ (slope @ x))
    return (x, y, complex(step)) if np.isfinite(step) else None


def null_vectors(pencil: Pencil) -> Complex:
    """Motions without stiffness, (unknown, motion): seen in D(0), then followed into the lines."""
    n = pencil.stiffness.n
    D = pencil.stiffness(None, np.zeros(1))[0][0]
    if not n:
        return np.zeros((pencil.size, 0), np.complex128)
    size = np.sqrt(np.abs(np.diagonal(D)))
    size[size == 0] = 1.0
    _, sizes, V = np.linalg.svd(D / np.outer(size, size))
    z = V[sizes < 1e-12 * max(sizes[0], 1e-300)].T / size[:, None]
    found = np.zeros((pencil.size, z.shape[1]), np.complex128)
    found[:n] = z
    if z.size and pencil.size > n:
        found[n:] = -solvers(pencil.K[n:, n:])[0](np.asarray(pencil.K[n:, :n] @ z))
    return found
