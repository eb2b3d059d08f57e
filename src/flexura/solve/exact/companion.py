"""Eigenvalues s of a pencil K + s C + s^2 M around a point: candidates from its linear form, each polished by Newton.

With t = s - shift, A = Q(shift), B = Q'(shift), Q(s) x = 0 reads (A + t B + t^2 M) x = 0, so mu = 1/t are eigenvalues
of [[-A^-1 B, -A^-1 M], [I, 0]]: all of them if there are few unknowns, those inside a circle by Krylov vectors if there
are many. The vectors grow in number until as many have settled as the circle is known to hold: whatever crowds beyond
it (roots that accumulate) is never waited for.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.solve.exact.pencil import solvers

Complex = NDArray[np.complex128]
Flags = NDArray[np.bool_]
_FULL = 130  # unknowns up to which all eigenvalues are found at once
_BLOCK = 3  # vectors at once: a single one is slow to see roots that coincide
_SETTLED = 1e-9  # of mu; Newton's method goes on from there


class Quadratic(Protocol):
    """K + s C + s^2 M: a pencil, or one in other unknowns."""

    @property
    def size(self) -> int:
        """How many unknowns there are."""
        ...

    @property
    def K(self) -> Any:
        """Stiffness."""
        ...

    @property
    def C(self) -> Any:
        """Damping."""
        ...

    @property
    def M(self) -> Any:
        """Inertia."""
        ...

    def at(self, s: complex, s2: complex) -> Any:
        """K + s C + s^2 M."""
        ...


def around(
    pencil: Quadratic, shift: complex, unit: float, inside: Callable[[Complex], Flags], count: int
) -> tuple[Complex, Complex]:
    """Eigenvalues near the shift, with their vectors: all those inside, of which there should be `count`."""
    n, C, M = pencil.size, pencil.C, pencil.M
    shift = shift.real if shift.imag == 0 else shift
    solve = solvers(pencil.at(shift, shift**2))[0]
    B = C + 2 * shift * M
    if n <= _FULL:
        top = -solve(np.hstack([B * unit, M * unit**2]))
        mu, V = scipy.linalg.eig(np.vstack([top, np.eye(n, 2 * n)]))
    else:
        kind = np.complex128 if isinstance(shift, complex) else np.float64

        def step(X: NDArray[Any]) -> NDArray[Any]:
            down = np.asarray(B @ (unit * X[:n]) + M @ (unit**2 * X[n:]), dtype=kind)
            return np.concatenate([-solve(down), X[:n]])

        mu, V = _krylov(step, np.cos(1.0 + 3.0 * np.arange(2.0 * n * _BLOCK)).reshape(-1, _BLOCK).astype(kind),
                        lambda mu: inside(shift + unit / mu), count)  # fmt: skip
    finite = np.abs(mu) > 1e-12 * np.abs(mu).max(initial=0.0)
    return shift + unit / mu[finite], V[:n, finite]


def _krylov(
    step: Callable[[NDArray[Any]], NDArray[Any]],
    start: NDArray[Any],
    wanted: Callable[[Complex], Flags],
    count: int,
) -> tuple[Complex, Complex]:
    """Eigenvalues that have settled, from blocks of Krylov vectors: `count` of those wanted, or as many as can be."""
    size, width = start.shape
    most = min(size - size % width, 8 * count + 240)
    basis = np.zeros((size, most + width), start.dtype)
    H = np.zeros((most + width, most), start.dtype)
    basis[:, :width], n, look = np.linalg.qr(start)[0], 0, min(most, 2 * count + 30)
    while True:
        block = step(basis[:, n : n + width])
        before, length = basis[:, : n + width], np.linalg.norm(block)
        for _ in range(2):  # twice is enough (Kahan)
            share = before.conj().T @ block
            H[: n + width, n : n + width] += share
            block = block - before @ share
        basis[:, n + width : n + 2 * width], H[n + width : n + 2 * width, n : n + width] = np.linalg.qr(block)
        n += width
        last = n + width > most or np.linalg.norm(block) <= 1e-13 * length  # or there is no other direction
        if n >= look or last:
            mu, Y = np.linalg.eig(H[:n, :n])
            rest = np.linalg.norm(H[n : n + width, n - width : n] @ Y[n - width :], axis=0)
            with np.errstate(divide="ignore", invalid="ignore"):
                settled = rest < _SETTLED * np.abs(mu)
                enough = int((settled & wanted(mu)).sum()) >= count
            if enough or last:
                return mu[settled], basis[:, :n] @ Y[:, settled]
            look = n + max(12, n // 5)


def polish(pencil: Quadratic, s: complex, x: Complex) -> tuple[complex, Complex, float]:
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
