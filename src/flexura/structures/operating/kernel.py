"""What K hardly resists, found without coordinates, and the judgement whether K is positive.

Inverse iteration finds what moves with little or no stiffness; which of it is free is decided in energy (`soft`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sparse
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.systems.factor import Factor, factorize

Array = NDArray[np.float64]
_DENSE = 1200
_ROUND_OFF = 1e-12
_SUSPECT = 1e-10
_SOFT = 1e-9


class IndefiniteStiffness(FlexuraError):
    """K takes energy from some motion: there is no operating state, but there are modes (unstable ones)."""


def kernel(K: Any, names: tuple[str, ...] = ()) -> Array:
    """Ker K of a positive semidefinite matrix, with what is so soft that round-off may have made it: (n, r)."""
    d = diagonal(K)
    scale = 1 / np.sqrt(np.where(d != 0, np.abs(d), 1.0))
    if K.shape[0] <= _DENSE:
        dense = K.toarray() if sparse.issparse(K) else K
        values, vectors = np.linalg.eigh(dense * scale[:, None] * scale)
    else:
        values, vectors = _lowest(sparse.csc_matrix(sparse.diags(scale) @ K @ sparse.diags(scale)))
    floor = 4e-16 * max(64, K.shape[0] ** 0.5) * max(1.0, float(np.abs(values).max()) / 8)
    if values[0] < -1e4 * floor:
        row = int(np.abs(vectors[:, 0]).argmax())
        where = names[row] if names else f"row {row}"
        raise indefinite(int((values < -1e4 * floor).sum()), where)
    return np.asarray(vectors[:, values < _SUSPECT] * scale[:, None])


def indefinite(count: int, where: str) -> IndefiniteStiffness:
    """What is wrong with K, and what to do."""
    return IndefiniteStiffness(
        f"The stiffness matrix K is indefinite: {count} motion(s) gain energy from it, most at {where}",
        advice="give a K that is positive semidefinite (check signs, supports and preloads)",
    )


def _lowest(S: Any, count: int = 12) -> tuple[Array, Array]:
    """The lowest eigenpairs of a scaled stiffness by inverse subspace iteration; enough to see beyond the kernel."""
    n = S.shape[0]
    shift = 1e-11
    factor = factorize(S + shift * sparse.identity(n, format="csc"), what="K with a small shift", pardiso=False)
    X = np.random.default_rng(1).standard_normal((n, count))
    values = np.zeros(count)
    for _ in range(12):
        X, _ = np.linalg.qr(factor.solve(X))
        small, turn = np.linalg.eigh(X.T @ (S @ X))
        X = X @ turn
        settled = np.abs(small - values) <= np.maximum(1e-3 * np.abs(small), 1e-16)
        values = small
        if settled.all():
            break
    if values[-1] < _ROUND_OFF and count < n // 2:
        return _lowest(S, 3 * count)
    return values, X


def judged(inner: Any, factor: Factor) -> tuple[bool, int, int]:
    """Whether a motion may be free, how many are surely negative, and where: by pivots, or by Lanczos on large ones.

    A pivot that is only round-off spoils all that follow, so only those before the first one are judged.
    """
    if not inner.shape[0]:
        return False, 0, 0
    own = diagonal(inner)
    if factor.pivots is None:
        lowest, row = (float(own.min()), int(own.argmin())) if (own < 0).any() else _lower_end(inner)
        return True, int(lowest < 0), row
    size = own[factor.order] if sparse.issparse(inner) else np.full(len(own), np.abs(factor.pivots).max())
    ratio = factor.pivots / np.where(size > 0, size, 1.0)
    doubtful = np.flatnonzero(np.abs(ratio) < _SUSPECT)
    sound = ratio[: doubtful[0]] if len(doubtful) else ratio
    if not (sound < 0).any():
        return bool(len(doubtful)), 0, 0
    return bool(len(doubtful)), int((sound < 0).sum()), int(factor.order[int(sound.argmin())])


def _lower_end(K: Any, steps: int = 20) -> tuple[float, int]:
    """The lowest Ritz value of K scaled to a unit diagonal, by Lanczos: below zero only if K is; and where."""
    scale = 1 / np.sqrt(np.abs(diagonal(K)))
    v = np.random.default_rng(7).standard_normal(K.shape[0])
    V = [v / np.linalg.norm(v)]
    a: list[float] = []
    b: list[float] = []
    for _ in range(steps):
        w = scale * (K @ (scale * V[-1]))
        a.append(float(w @ V[-1]))
        w = w - a[-1] * V[-1] - (b[-1] * V[-2] if b else 0.0)
        b.append(float(np.linalg.norm(w)))
        if b[-1] <= 1e-12 * abs(a[0]):
            break
        V.append(w / b[-1])
    values, vectors = scipy.linalg.eigh_tridiagonal(a, b[: len(a) - 1])
    row = int(np.abs(np.column_stack(V[: len(a)]) @ vectors[:, 0]).argmax())
    return (float(values[0]), row) if values[0] < -1e-10 * values[-1] else (0.0, row)


def really_definite(inner: Any, factor: Factor) -> bool:
    """Two steps of inverse iteration for the softest motion: stiffness to many digits, or near to round-off?"""
    n = inner.shape[0]
    if not n:
        return True
    x = np.random.default_rng(2).standard_normal(n)
    for _ in range(2):
        x = factor.solve(x)
        if not np.all(np.isfinite(x)):
            return False
        x /= np.abs(x).max()
    return bool(x @ (inner @ x) > _SOFT * (np.abs(x) @ (abs(inner) @ np.abs(x))))


def diagonal(A: Any) -> Array:
    """The diagonal of a dense or sparse matrix."""
    return np.asarray(A.diagonal(), dtype=np.float64)
