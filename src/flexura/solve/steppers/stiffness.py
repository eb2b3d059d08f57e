"""How fast the fastest vibration of a system is, where it stands."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import scipy.linalg

from flexura.solve.steppers.mechanics import Newton

_ROUNDING = 1e-12


def fastest(newton: Newton) -> float:
    """The largest |s| of motions exp(s t) about a state, in rad/s; motions that constraints forbid do not count."""
    M, C, K, A, *_ = newton
    if len(A):
        free = scipy.linalg.null_space(A)
        M, C, K = (free.T @ one @ free for one in (M, C, K))
    n = len(M)
    if not n:
        return 0.0
    if not np.any(C) and np.abs(K - K.T).max() <= _ROUNDING * np.abs(K).max():
        with suppress(np.linalg.LinAlgError):
            values = scipy.linalg.eigh(K, M, eigvals_only=True)
            return float(np.sqrt(np.abs(values).max()))
    companion = np.zeros((2 * n, 2 * n))
    companion[:n, n:] = np.eye(n)
    companion[n:] = np.linalg.lstsq(M, -np.hstack([K, C]), rcond=None)[0]
    if not np.all(np.isfinite(companion)):  # a law with an infinite slope at rest says nothing of vibrations
        return 0.0
    return float(np.abs(np.linalg.eigvals(companion)).max())
