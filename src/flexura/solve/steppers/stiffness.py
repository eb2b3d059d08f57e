"""How fast the fastest vibration of a system is, where it stands."""

from __future__ import annotations

import numpy as np
import scipy.linalg

from flexura.solve.steppers.mechanics import Newton


def fastest(newton: Newton) -> float:
    """The largest |s| of motions exp(s t) about a state, in rad/s; motions that constraints forbid do not count."""
    M, C, K, A, *_ = newton
    if len(A):
        free = scipy.linalg.null_space(A)
        M, C, K = (free.T @ one @ free for one in (M, C, K))
    n = len(M)
    if not n:
        return 0.0
    companion = np.zeros((2 * n, 2 * n))
    companion[:n, n:] = np.eye(n)
    companion[n:] = np.linalg.lstsq(M, -np.hstack([K, C]), rcond=None)[0]
    return float(np.abs(np.linalg.eigvals(companion)).max())
