"""How constraints on accelerations, A a + c, change with rates and coordinates: by differences, for Newton's method.

>>> by_rates, by_coordinates = plain_slopes(system, t, q, v, a)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_STEP = 1e-6


def plain_slopes(system: NonlinearSystem, t: float, q: Array, v: Array, a: Array) -> tuple[Array, Array]:
    """One difference after the other."""

    def value(q: Array, v: Array) -> Array:
        return np.asarray(system.velocity(t, q)[0] @ a + system.acceleration(t, q, v))

    def slopes(of: Callable[[Array], Array], at: Array) -> Array:
        steps = _STEP * (1 + np.abs(at))
        pairs = zip(np.diag(steps), steps, strict=True)
        columns = [(of(at + step) - of(at - step)) / (2 * size) for step, size in pairs]
        return np.array(columns).T.reshape(system.m, len(at))

    return slopes(lambda rates: value(q, rates), v), slopes(lambda places: value(places, v), q)


def stacked_slopes(system: NonlinearSystem, t: float, q: Array, v: Array, a: Array) -> tuple[Array, Array]:
    """All differences evaluated at once."""
    n, sizes = len(q), (_STEP * (1 + np.abs(v)), _STEP * (1 + np.abs(q)))
    away = [np.vstack([np.diag(size), -np.diag(size)]) for size in sizes]
    states = np.vstack([np.tile(q, (2 * n, 1)), q + away[1]])
    rates = np.vstack([v + away[0], np.tile(v, (2 * n, 1))])
    times = np.full(4 * n, t)
    values = system.velocity(times, states)[0] @ a + system.acceleration(times, states, rates)
    by_v, by_q = values[: 2 * n], values[2 * n :]
    return (
        ((by_v[:n] - by_v[n:]) / (2 * sizes[0][:, None])).T,
        ((by_q[:n] - by_q[n:]) / (2 * sizes[1][:, None])).T,
    )


def many_slopes(system: NonlinearSystem, t: Array, q: Array, v: Array, a: Array) -> tuple[Array, Array, Array]:
    """A and these slopes at many states."""

    def value(q: Array, v: Array) -> Array:
        A = system.velocity(t, q)[0].copy()
        return np.asarray(np.einsum("kij,kj->ki", A, a) + system.acceleration(t, q, v))

    A, by_v, by_q = system.velocity(t, q)[0].copy(), [], []
    for unit in np.eye(q.shape[1]):
        h_v, h_q = (_STEP * (1 + np.abs(row).max()) for row in (v, q))
        by_v.append((value(q, v + h_v * unit) - value(q, v - h_v * unit)) / (2 * h_v))
        by_q.append((value(q + h_q * unit, v) - value(q - h_q * unit, v)) / (2 * h_q))
    return A, np.stack(by_v, axis=2), np.stack(by_q, axis=2)
