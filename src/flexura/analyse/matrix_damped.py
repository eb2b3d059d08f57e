"""Damped, gyroscopic and circulatory modes of matrices: eigenvalues s of s^2 M + s (D + G) + K + H.

Rigid motions are taken out first: their displacement is a zero root by itself, and left inside, a zero root met twice
would be found only to half the digits. What remains is a linear problem of twice the size, solved around a shift.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator, eigs

from flexura.analyse.matrix_modes import shapes_of
from flexura.analyse.modes import Modes, ModesCertificate
from flexura.errors import FlexuraError
from flexura.operating.inverse import mass_metric_inverse
from flexura.systems.factor import factorize
from flexura.systems.second_order import SecondOrderSystem, as_dense

Array = NDArray[Any]
_DENSE = 500
_ZERO = 1e-7


def damped_modes(system: SecondOrderSystem, count: int, near: complex | None) -> Modes:
    """One of each conjugate pair and every real root, by ascending |s|, or by distance from `near`."""
    Q = _rigid(system)
    s, X = _dense(system, Q, count, near) if system.n <= _DENSE else _sparse(system, Q, count, near)
    unit = _unit(s)
    keep = (np.abs(s) > _ZERO * unit) & (s.imag >= -1e-9 * np.abs(s))
    s, X = s[keep], X[:, keep]
    s = np.where(np.abs(s.imag) <= 1e-9 * np.abs(s), s.real + 0j, s)
    s, X = np.concatenate([np.zeros(Q.shape[1]), s]), np.column_stack([Q.astype(complex), X])
    order = np.argsort(np.abs(s - (near or 0)), kind="stable")[:count]
    s, X = s[order], X[:, order]
    return Modes(s, _certificate(system, s, X), shapes_of(system, X))


def _rigid(system: SecondOrderSystem) -> Array:
    """Ker (K + H) where it is Ker K; otherwise none is taken out."""
    try:
        Q = mass_metric_inverse(system).rigid.Q
    except FlexuraError:
        return np.zeros((system.n, 0))
    return Q if system.H is None or not abs(system.H @ Q).max(initial=0.0) else np.zeros((system.n, 0))


def _unit(s: Array) -> float:
    """The size of the first roots that are not zero."""
    sizes = np.sort(np.abs(s))
    sizes = sizes[sizes > 1e-5 * sizes[len(sizes) // 2]] if len(sizes) else sizes
    return float(sizes[0]) if len(sizes) else 1.0


@dataclass(frozen=True)
class _Parts:
    """The problem without rigid displacements: states p = z', y, v of x = unit (Q z + W y), in units of unit mass."""

    A: Array
    B: Array
    Q: Array
    W: Array
    unit: Array
    forms: tuple[Array, Array, Array]


def _parts(system: SecondOrderSystem, Q: Array) -> _Parts:
    M, K = as_dense(system.M), as_dense(system.displacements)
    C = np.zeros_like(M) if system.rates is None else as_dense(system.rates)
    n, r = system.n, Q.shape[1]
    unit = _of_unit_mass(M, K)
    M, K, C, Q = M * unit[:, None] * unit, K * unit[:, None] * unit, C * unit[:, None] * unit, Q / unit[:, None]
    W = scipy.linalg.qr(M @ Q)[0][:, r:] if r else np.eye(n)
    m = n - r
    A, B = np.zeros((r + 2 * m, r + 2 * m)), np.eye(r + 2 * m)
    p, y, v = slice(0, r), slice(r, r + m), slice(r + m, None)
    A[p, p], A[p, v] = -Q.T @ C @ Q, -Q.T @ C @ W
    A[y, v] = np.eye(m)
    A[v, p], A[v, y], A[v, v] = -W.T @ C @ Q, -W.T @ K @ W, -W.T @ C @ W
    B[v, v] = W.T @ M @ W
    return _Parts(A, B, Q, W, unit, (K, C, M))


def _of_unit_mass(M: Array, K: Array) -> Array:
    """Units of each row in which masses are alike: shifts and turns, light and heavy rows differ by many powers."""
    mass, stiff = np.abs(np.diagonal(M)), np.abs(np.diagonal(K))
    typical = np.median(stiff[mass > 0] / mass[mass > 0]) if np.any(mass > 0) else 1.0
    size = np.where(mass > 0, mass, stiff / (typical or 1.0))
    return np.asarray(1 / np.sqrt(np.where(size > 0, size, 1.0)))


def _dense(system: SecondOrderSystem, Q: Array, count: int, near: complex | None) -> tuple[Array, Array]:
    """All roots of the linear problem of twice the size, those asked for polished one by one."""
    parts = _parts(system, Q)
    r, m = Q.shape[1], parts.W.shape[1]
    pace = np.ones(len(parts.A))  # displacements in units of their rates, so that both halves are alike
    pace[r : r + m] = 1 / max(np.sqrt(abs(parts.A[r + m :, r : r + m]).max(initial=0.0)), 1e-300)
    try:
        s, V = scipy.linalg.eig(parts.A * pace / pace[:, None], parts.B)
    except (np.linalg.LinAlgError, ValueError):
        raise FlexuraError(
            "The system has no unique motion: M, D and K share rows without entries; remove them."
        ) from None
    finite = np.isfinite(s)
    s, V = s[finite], V[:, finite] * pace[:, None]
    safe = np.where(np.abs(s) > 0, s, 1)
    X = parts.Q @ (V[:r] / safe) + parts.W @ V[r : r + m]
    for k in np.argsort(np.abs(s - (near or 0)), kind="stable")[: 2 * count + 2 * r]:
        s[k], X[:, k] = _polished(parts.forms, s[k], X[:, k])
    return s, parts.unit[:, None] * X


def _polished(forms: tuple[Array, Array, Array], s: complex, x: Array) -> tuple[complex, Array]:
    """Newton's steps on T(s) x = (K + s C + s^2 M) x = 0 by inverse iteration, as long as the residual falls."""
    K, C, M = forms
    x = x / np.linalg.norm(x)
    best = float(np.linalg.norm((K + s * C + s * s * M) @ x))
    for _ in range(4):
        slope = C + 2 * s * M
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # T is singular at a root: that is what is wanted
                step = scipy.linalg.solve(K + s * C + s * s * M, slope @ x)
        except np.linalg.LinAlgError:
            break
        size = np.vdot(x, step)
        if not np.all(np.isfinite(step)) or size == 0:
            break
        root, tried = s - 1 / size, step / np.linalg.norm(step)
        residual = float(np.linalg.norm((K + root * C + root * root * M) @ tried))
        if not residual < best:
            break
        s, x, best = root, tried, residual
    return s, x


def _sparse(system: SecondOrderSystem, Q: Array, count: int, near: complex | None) -> tuple[Array, Array]:
    """Arnoldi around a shift with one factorization of the dynamic stiffness there."""
    n, M, C = system.n, system.M, system.rates
    shift: Any = near if near is not None else 0.4 * _lowest(system)
    if shift == 0:
        shift = 1e-3 * _lowest(system)
    factor = factorize(system.dynamic_stiffness(shift), what="The dynamic stiffness", symmetric=system.symmetric)

    def step(z: Array) -> Array:
        a, b = z[:n], M @ z[n:]
        right = -(b + shift * (M @ a)) - (0 if C is None else C @ a)
        x = factor.solve(right)
        return np.concatenate([x, a + shift * x])

    kind = np.complex128 if isinstance(shift, complex) and shift.imag else np.float64
    operator = LinearOperator((2 * n, 2 * n), matvec=step, dtype=kind)
    wanted = min(2 * count + 2 * Q.shape[1] + 4, 2 * n - 2)
    mu, V = eigs(operator, wanted, v0=np.random.default_rng(5).standard_normal(2 * n).astype(kind))
    s, X = shift + 1 / mu, V[:n]
    rigid = np.abs(s) < 1e-4 * np.abs(s).max(initial=0.0) if Q.shape[1] else np.zeros(len(s), dtype=bool)
    return s[~rigid], X[:, ~rigid]


def _lowest(system: SecondOrderSystem) -> float:
    from flexura.operating.elastic import elastic_modes

    try:
        squares, _ = elastic_modes(mass_metric_inverse(system), 1)
    except FlexuraError:
        squares = np.zeros(0)
    return float(np.sqrt(squares[0])) if len(squares) else 1.0


def _certificate(system: SecondOrderSystem, s: Array, X: Array) -> ModesCertificate:
    K, M, C = system.displacements, system.M, system.rates
    residual = 0.0
    for one, x in zip(s, X.T, strict=True):
        terms = [K @ x, one * one * (M @ x), *([] if C is None else [one * (C @ x)])]
        size = max(float(np.linalg.norm(abs(K) @ np.abs(x))), 1e-300)
        residual = max(residual, float(np.linalg.norm(sum(terms)) / size))
    unstable = int((s.real > 1e-9 * np.abs(s)).sum())
    whole = system.n <= _DENSE
    how = "all roots of the linear problem of twice the size" if whole else "Arnoldi around a shift, not counted"
    text = f"{len(s)} eigenvalues, {how}; largest residual {residual:.1e}."
    if unstable:
        text += f" UNSTABLE: {unstable} of them have a positive real part."
    return ModesCertificate(whole and residual < 1e-8, len(s), len(s), how, unstable, residual, text)
