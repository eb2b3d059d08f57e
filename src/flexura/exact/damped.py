"""Damped and gyroscopic systems: eigenvalues s of K + s C + s^2 M, polished, checked on a finer cut, and counted.

Candidates are all eigenvalues of the pencil around a shift. Each is polished by Newton's method with both eigenvectors,
and must be found again where every line is cut twice as finely: what is not is no eigenvalue of the system. The number
of zeros inside a circle, by the argument principle, says that none is missing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.exact.dynamic_stiffness import DynamicStiffness
from flexura.exact.lines import LinearSystem
from flexura.exact.pencil import DENSE, Pencil
from flexura.exact.roots import scale_of
from flexura.exact.segments import INNER
from flexura.exact.winding import zeros_inside

Complex = NDArray[np.complex128]
_REAL = 1e-9
_ZERO = 1e-7


@dataclass(frozen=True)
class Damped:
    """Eigenvalues with Im >= 0 and their vectors in `pencil`; `below` are listed inside the circle, `upto` counted."""

    eigenvalues: Complex
    vectors: Complex
    pencil: Pencil
    residual: float
    below: int
    upto: int
    agrees: bool
    how: str


@dataclass(frozen=True)
class _List:
    """Candidates in order of distance, those that were found again, and whether more lie within reach."""

    s: Complex
    vectors: Complex
    residuals: NDArray[np.float64]
    pencil: Pencil
    zeros: int


def solve_damped(system: LinearSystem, count: int, near: complex | None = None) -> Damped:
    """The `count` eigenvalues of smallest |s|, or nearest to `near`; fewer if no more can be resolved."""
    stiffness = DynamicStiffness(system)
    centre = 0j if near is None else complex(near)
    size = max(_guess(stiffness, count), 4 * abs(centre) ** 2)
    best: _List | None = None
    for extra in range(12):
        fine = Pencil(stiffness, size, extra=1)
        if best is not None and not fine.dense:
            break
        best = _candidates(Pencil(stiffness, size), fine, centre, size, count + 1)
        if len(best.s) >= count + 1 or (not stiffness.lines and extra) or fine.size > 2 * DENSE:
            break
        size *= 4
    assert best is not None
    return _finished(best, count, centre, near is not None)


def _candidates(pencil: Pencil, fine: Pencil, centre: complex, size: float, count: int) -> _List:
    """The first eigenvalues within |s|^2 <= size that the finer cut confirms."""
    radius = np.sqrt(size)
    shift = centre + (0.31 + (0.17j if centre else 0)) * np.sqrt(scale_of(pencil.stiffness))
    s, X = _linearised(pencil, shift)
    null = _null_vectors(pencil)
    rigid = null.shape[1]
    first = np.abs(s[np.abs(s) > 1e-5 * radius])
    small = _ZERO * (first.min() if len(first) else radius)
    zeros = np.abs(s) <= max(small, 1e-6 * radius if rigid else 0.0)
    kept, vectors, residuals = [], [], []
    wanted = np.flatnonzero((s.imag >= -_REAL * np.abs(s)) & (np.abs(s) <= radius) & ~zeros)
    for k in wanted[np.argsort(np.abs(s[wanted] - centre), kind="stable")]:
        start = complex(s[k].real) if abs(s[k].imag) <= _REAL * abs(s[k]) else complex(s[k])
        found, x, residual = _polish(pencil, start, X[:, k])
        if abs(found - start) > 1e-5 * abs(start):
            found, x = start, X[:, k]  # a repeated root pulled it away
        if not _resolved(pencil, x):
            continue
        again, _, _ = _polish(fine, found, None)
        if abs(again - found) <= 1e-7 * abs(found):
            kept.append(found)
            vectors.append(x)
            residuals.append(residual)
        if len(kept) + rigid >= count:
            break
    n = pencil.size
    columns = np.array(vectors, dtype=np.complex128).reshape(-1, n).T
    values = np.concatenate([np.zeros(rigid), np.array(kept, dtype=np.complex128)])
    columns = np.hstack([null, columns]) if rigid else columns
    order = np.argsort(np.abs(values - centre), kind="stable")
    all_residuals = np.concatenate([np.zeros(rigid), np.array(residuals)])
    return _List(values[order], columns[:, order], all_residuals[order], pencil, int(zeros.sum()))


def _linearised(pencil: Pencil, shift: complex) -> tuple[Complex, Complex]:
    """Eigenvalues around a shift: t = s - shift, mu = 1/t, largest first in accuracy."""
    K, C, M = (one if pencil.dense else one.toarray() for one in pencil.matrices)
    if shift.imag == 0:
        shift = shift.real
    A, B = K + shift * C + shift**2 * M, C + 2 * shift * M
    unit = np.sqrt(scale_of(pencil.stiffness))
    factors = scipy.linalg.lu_factor(A)
    top = -scipy.linalg.lu_solve(factors, np.hstack([B * unit, M * unit**2]))
    n = len(K)
    companion = np.vstack([top, np.hstack([np.eye(n), np.zeros((n, n))])])
    mu, V = scipy.linalg.eig(companion)
    finite = np.abs(mu) > 1e-12 * np.abs(mu).max(initial=0.0)
    return shift + unit / mu[finite], V[:n, finite]


def _polish(pencil: Pencil, s: complex, x: Complex | None) -> tuple[complex, Complex, float]:
    """Newton's method with right and left vectors; the residual is relative to the terms that balance."""
    K, C, M = pencil.matrices
    real = s.imag == 0
    if x is None:
        x = np.cos(1.0 + 3.0 * np.arange(pencil.size)) + 0j
    y = np.sin(2.0 + 5.0 * np.arange(pencil.size)) + 0j
    for _ in range(4):
        Q, slope = pencil.at(s, s * s), C + 2 * s * M
        solve, transposed = _solvers(Q, pencil.dense)
        x, y = solve(slope @ x), transposed(slope.T @ y)
        x, y = x / np.abs(x).max(), y / np.abs(y).max()
        step = (y @ (Q @ x)) / (y @ (slope @ x))
        if not np.isfinite(step):
            break
        s = s - complex(step)
        s = complex(s.real) if real else s
        if abs(step) <= 1e-14 * abs(s):
            break
    Q = pencil.at(s, s * s)
    balance = np.abs(K @ x) + abs(s) * np.abs(C @ x) + abs(s) ** 2 * np.abs(M @ x)
    return s, x, float(np.abs(Q @ x).max() / balance.max())


def _solvers(Q: object, dense: bool):  # type: ignore[no-untyped-def]
    if dense:
        factors = scipy.linalg.lu_factor(Q, check_finite=False)
        return (lambda b: scipy.linalg.lu_solve(factors, b)), (lambda b: scipy.linalg.lu_solve(factors, b, trans=1))
    made = scipy.sparse.linalg.splu(Q.tocsc())  # type: ignore[attr-defined]
    return made.solve, (lambda b: made.solve(b, "T"))


def _guess(stiffness: DynamicStiffness, count: int) -> float:
    """Some |s|^2 that holds enough eigenvalues: counted without damping."""
    size = scale_of(stiffness)
    for _ in range(40):
        if stiffness.count(np.array([size]))[0] > count + 1 or not stiffness.lines:
            break
        size *= 2
    return 1.5 * size


def _resolved(pencil: Pencil, x: Complex) -> bool:
    """Whether the highest functions hardly take part; where roots accumulate, any cut finds some that are not there."""
    for i, line in enumerate(pencil.lines):
        local = np.abs(pencil.local(i, x[:, None])[:, :, 0])
        inner = local[:, line.outer :].reshape(len(local), len(line.line.fields), line.inner)
        if inner[:, :, -3:].max(initial=0.0) > 1e-6 * local.max(initial=0.0):
            return False
    return True


def _null_vectors(pencil: Pencil) -> Complex:
    """Motions without stiffness."""
    K = pencil.matrices[0] if pencil.dense else pencil.matrices[0].toarray()
    if not len(K):
        return np.zeros((0, 0), np.complex128)
    size = np.sqrt(np.abs(np.diagonal(K)))
    size[size == 0] = 1.0
    _, sizes, V = np.linalg.svd(K / np.outer(size, size))
    return np.asarray(V[sizes < 1e-13 * max(sizes[0], 1e-300)].T / size[:, None], dtype=np.complex128)


def _finished(found: _List, count: int, centre: complex, near: bool) -> Damped:
    s = found.s[:count]
    distances = np.abs(found.s - centre)
    last = distances[len(s) - 1] if len(s) else 0.0
    beyond = distances[distances > last * (1 + 1e-6)]
    radius = float((last + beyond[0]) / 2 if len(beyond) else last * (1 + 1e-6) + 1e-300)
    inside = found.s[distances < radius]
    mirrored = np.conj(inside[np.abs(inside.imag) > 0])
    listed = int((inside != 0).sum()) + int((np.abs(mirrored - centre) < radius).sum())
    if abs(centre) < radius:
        listed += found.zeros
    counted = zeros_inside(DynamicStiffness(found.pencil.system, INNER + 6), centre, radius)
    where = f"around s = {centre:.6g}" if near else "around s = 0"
    agrees = counted == listed
    how = (
        f"each found again with all lines cut twice as finely; the circle of radius {radius:.6g} {where} holds"
        f" {counted} roots by the argument principle, {listed} by this list"
    )
    if not agrees:
        how += " (they differ: roots accumulate there, or lie on the circle)"
    residual = float(found.residuals[: len(s)].max(initial=0.0))
    return Damped(s, found.vectors[:, :count], found.pencil, residual, listed, counted, agrees, how)
