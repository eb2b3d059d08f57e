"""Floquet's multipliers of a periodic motion: its variational equations over one period, by collocation.

>>> multipliers(balance, x, omega)

M y'' + C y' + K y = 0 with the matrices along the motion, by Radau's method of order five. Motions that are far faster
than the steps decay in it, however stiff they are; those that may grow with the motion are as slow as its harmonics.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexura.solve.harmonic.balance import Balance

Array = NDArray[np.float64]
_R = np.sqrt(6.0)
_NODES = np.array([(4 - _R) / 10, (4 + _R) / 10, 1.0])
_STAGES = np.array(
    [
        [(88 - 7 * _R) / 360, (296 - 169 * _R) / 1800, (-2 + 3 * _R) / 225],
        [(296 + 169 * _R) / 1800, (88 + 7 * _R) / 360, (-2 - 3 * _R) / 225],
        [(16 - _R) / 36, (16 + _R) / 36, 1 / 9],
    ]
)
_STEPS = 128
_ROUNDING = 1e-7  # of a multiplier, where nothing is damped


def is_stable(multipliers: NDArray[np.complex128]) -> bool:
    """Whether none lies outside the unit circle, but for rounding."""
    return bool(np.all(np.abs(multipliers) <= 1 + _ROUNDING))


def multipliers(balance: Balance, x: Array, omega: float) -> NDArray[np.complex128]:
    """Of small changes of the motion after one period; it is stable where none is larger than one."""
    n, count = balance.system.n, max(_STEPS, len(balance.angles))
    h = 2 * np.pi / count
    angles = (np.arange(count)[:, None] + _NODES) * h
    M, C, K = balance.matrices(x, omega, angles.ravel())
    slopes = np.zeros((3 * count, 2 * n, 2 * n))
    slopes[:, :n, n:] = np.eye(n)
    slopes[:, n:] = -np.linalg.solve(M, np.concatenate([K, C], axis=2))
    stages = (slopes / omega).reshape(count, 3, 2 * n, 2 * n)
    blocks = np.eye(6 * n) - h * np.einsum("ij,kjab->kiajb", _STAGES, stages).reshape(count, 6 * n, 6 * n)
    before = np.tile(np.eye(2 * n), (3, 1))
    whole = np.eye(2 * n)
    for step in np.linalg.solve(blocks, np.broadcast_to(before, (count, *before.shape)))[:, 4 * n :]:
        whole = step @ whole
    return np.linalg.eigvals(whole).astype(np.complex128)
