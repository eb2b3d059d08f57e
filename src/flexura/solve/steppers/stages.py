"""Newton's matrices for the stages of many steps at once: one step's equations solved, and what one step hands on.

    >>> matrices = apart(method, h, M, C, K)                 # M, dR/dv, dR/dq the same at all stages of a step
    >>> matrices = coupled(method, h, M, C, K)               # at each stage its own: exact for linear systems
    >>> da, dy = matrices.newton(residual, change)

With y = (q, v) at the start of a step, the stages answer a change of it by X dy, and the end by Phi dy:

    da_k = local_k + X_k dy_k        dy_k+1 = Phi_k dy_k + g_k
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.solve.steppers.tableau import Tableau

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class StageMatrices:
    """Matrices of all steps, or of one that stands for all (first axis 1)."""

    method: Tableau
    h: Array  # (steps, 1)
    M: Array
    K: Array
    real: Array  # the inverse of M + h gamma C + (h gamma)^2 K
    solve: Callable[[Array], Array]  # the stages' equations of each step, (steps, s, n)
    X: Array
    Phi: tuple[Array, ...]  # products of 1, 2, 4, ... successive ones

    def newton(self, residual: Array, change: Array) -> tuple[Array, Array]:
        """Newton's step of the accelerations (steps, s, n), and of the rates at the starts of steps."""
        method, h, n = self.method, self.h, residual.shape[-1]
        local = -self.solve(residual)
        g = np.concatenate([h**2 * (method.A2[-1] @ local), h * (method.A[-1] @ local)], axis=-1)
        y = _carried(self.Phi, change, g)
        return local + (self.X @ y[:, :, None]).reshape(residual.shape), y[:, n:]

    def filtered(self, e_q: Array, e_v: Array) -> tuple[Array, Array]:
        """(1 - h gamma J)^-1 e: what is far faster than a step, and will be damped, counts for little."""
        gain = self.h * self.method.gamma
        right = self.M @ e_v[..., None] - gain[..., None] * (self.K @ e_q[..., None])
        filtered = (self.real @ right)[..., 0]
        return e_q + gain * filtered, filtered


def apart(method: Tableau, h: Array, M: Array, C: Array, K: Array) -> StageMatrices:
    """From slopes that are the same at all stages: by the eigenvectors of the method, each eigenvalue by itself."""
    n, even = M.shape[-1], bool(np.ptp(h) <= 1e-12 * h[0, 0])
    each = h[:1, :, None] if even and len(M) == 1 else h[:, :, None]
    mu = each[:, None] * method.mu[:, None, None]
    inverse: Complex = np.asarray(np.linalg.inv(M[:, None] + mu * C[:, None] + mu * mu * K[:, None]))
    ones = method.T_inverse.sum(axis=1)[:, None, None]
    nodes = (method.T_inverse @ method.c)[:, None, None]
    first, second = K[:, None] * ones, K[:, None] * (each[:, None] * nodes) + C[:, None] * ones
    right = np.concatenate([np.broadcast_to(first, second.shape), second], axis=-1)
    parts = (inverse @ right).reshape(len(each), len(method.mu), -1)
    X = -_together(method, parts).reshape(len(each), method.s * n, 2 * n)

    def solve(residual: Array) -> Array:
        return _together(method, (inverse @ (method.T_inverse @ residual)[..., None])[..., 0])

    return StageMatrices(method, h, M, K, inverse[:, 0].real, solve, X, _ends(method, each, X, len(h)))


def coupled(method: Tableau, h: Array, M: Array, C: Array, K: Array) -> StageMatrices:
    """From the slopes at each stage, (steps, s, n, n): all stages of a step in one matrix."""
    steps, s, n = M.shape[:3]
    each = h[:, :, None]
    whole = np.zeros((steps, s, n, s, n))
    for i in range(s):
        whole[:, i] = np.einsum("j,kab->kajb", method.A[i], each * C[:, i])
        whole[:, i] += np.einsum("j,kab->kajb", method.A2[i], each * each * K[:, i])
        whole[:, i, :, i] += M[:, i]
    inverse = np.linalg.inv(whole.reshape(steps, s * n, s * n))
    right = np.concatenate([K, K * (each * method.c[:, None])[..., None] + C], axis=-1)
    X = -(inverse @ right.reshape(steps, s * n, 2 * n))

    def solve(residual: Array) -> Array:
        return np.asarray((inverse @ residual.reshape(steps, s * n, 1)).reshape(residual.shape))

    middle, gain = s // 2, each * method.gamma
    real = np.asarray(np.linalg.inv(M[:, middle] + gain * C[:, middle] + gain * gain * K[:, middle]), dtype=np.float64)
    return StageMatrices(method, h, M[:, middle], K[:, middle], real, solve, X, _ends(method, each, X, steps))


def _ends(method: Tableau, h: Array, X: Array, count: int) -> tuple[Array, ...]:
    """Phi, what a change at the start of a step does to its end, and products of successive ones."""
    size = X.shape[-1]
    stages, n = X.reshape(len(X), method.s, -1), size // 2
    Phi = np.empty((len(X), size, size))
    Phi[:, :n] = (method.A2[-1] @ stages).reshape(len(X), n, size) * (h * h)
    Phi[:, n:] = (method.A[-1] @ stages).reshape(len(X), n, size) * h
    Phi += np.eye(size) + h * np.eye(size, k=n)
    found, reach = [Phi], 1
    while 2 * reach < count:  # the product that ends at k in place k; one stands for equal ones
        last = found[-1]
        both = last @ last if len(Phi) == 1 else last.copy()
        if len(Phi) > 1:
            both[reach:] = last[reach:] @ last[:-reach]
        found.append(both)
        reach *= 2
    return tuple(found)


def _carried(powers: tuple[Array, ...], change: Array, g: Array) -> Array:
    """y_0 = change, y_k+1 = Phi_k y_k + g_k, by doubling: as many products as 2^j reach over the steps."""
    y = np.concatenate([change[None], g[:-1]])
    reach = 1
    for Phi in powers:
        if reach >= len(y):
            break
        ahead = Phi if len(Phi) == 1 else Phi[reach - 1 : len(y) - 1]
        y[reach:] += (ahead @ y[:-reach, :, None])[..., 0]
        reach *= 2
    return y


def _together(method: Tableau, parts: Complex) -> Array:
    """From the eigenvectors of the method back to its stages (second axis from the end)."""
    return np.asarray(method.T[:, :1].real * parts[..., :1, :].real + 2 * (method.T[:, 1:] @ parts[..., 1:, :]).real)
