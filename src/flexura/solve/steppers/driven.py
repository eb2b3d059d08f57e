"""Linear systems with constant coefficients that given motions drive, propagated exactly: a blade at a steady speed.

>>> found = driven(mechanics, times, q, v, breaks, scales)        # None where the system is not of that kind

The motion is exact, and its energy balance is that of any other run: what the drives supply is integrated along a curve
through the states. So the times are made finer until the curve follows the fastest vibration that carries energy.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from flexura.solve.steppers.energy_balance import energy_balance
from flexura.solve.steppers.history import History
from flexura.solve.steppers.impulses import Blow, GivenSpeeds, beyond, blow_at, booked, side
from flexura.solve.steppers.linear_exact import exact_steps
from flexura.solve.steppers.linear_inputs import Signals
from flexura.solve.steppers.mechanics import Mechanics, State
from flexura.solve.steppers.trajectory import Energy
from flexura.systems.inertia import definite
from flexura.systems.second_order import SecondOrderSystem
from flexura.systems.signals.scales import Scales

Array = NDArray[np.float64]
_MOST = 8  # shapes of loads in space; with more of them, steps in time are quicker
_SAMPLES = 33
_CONTINUOUS = 1e-9  # of the largest load or speed: what rounding of times may change


def driven(
    mechanics: Mechanics, times: Array, q: Array, v: Array, breaks: Sequence[float], scales: Scales
) -> tuple[Array, Array, Energy] | None:
    """Coordinates, rates and energies at the times; None where coefficients change or loads have too many shapes."""
    system = mechanics.system
    if not system.steady or system.multipliers or not system.n:
        return None
    t0, zero = float(times[0]), np.zeros(system.n)
    M = system.evaluate(t0, zero, zero, mechanics.inputs(t0))[0].copy()
    if not definite(M):  # whoever steps says which motion has no inertia
        return None
    K, C = (one.copy() for one in system.jacobians(t0, zero, zero, zero, mechanics.inputs(t0), zero[:0]))
    B = _shapes(mechanics, np.concatenate([np.linspace(times[0], times[-1], _SAMPLES), scales.moments]))
    if B is None:
        return None
    skew = (K - K.T) / 2
    H = skew if np.abs(skew).max() > 1e-13 * np.abs(K).max() else None
    matrices = SecondOrderSystem((M + M.T) / 2, (C + C.T) / 2, (K + K.T) / 2, G=(C - C.T) / 2, H=H)
    history = History()
    inner = np.array(sorted(one for one in breaks if t0 < one < times[-1]))
    jumps = _jumps(mechanics, inner) | np.array([mechanics.strike(one) is not None for one in inner], dtype=np.bool_)
    stops, bends = [t0, *inner[jumps].tolist(), float(times[-1])], inner[~jumps]
    blows: list[Blow] = []
    speeds = GivenSpeeds.of(mechanics, q, t0, float(times[-1]))
    for start, end in pairwise(stops):
        before = side(mechanics, start, q) if start > t0 else None
        mechanics.within(start, end)
        if before is not None:
            found = blow_at(mechanics, speeds, start, (q, v), (before, side(mechanics, start, q)))
            v, blows = (v, blows) if found is None else (found[0], [*blows, found[1]])
        points = np.concatenate([times, bends])
        grid = np.unique(np.concatenate([[start], points[(points > start) & (points < end)], [end]]))
        motion = exact_steps(
            matrices, grid, q, v, Signals(B, lambda at: loads_at_rest(mechanics, at) @ B, 5, scales=scales)
        )
        history.begin(State(start, q, v, motion.a[0], zero[:0]))
        for i, t in enumerate(grid[1:].tolist(), 1):
            history.append(State(t, motion.x[i], motion.v[i], motion.a[i], zero[:0]))
        q, v = motion.x[-1], motion.v[-1]
    mechanics.within()
    curve = history.curve()
    moments = beyond(times, breaks)
    x, rates, _ = curve.at(moments)
    return x, rates, booked(energy_balance(mechanics, curve, moments, x, rates), moments, blows)


def _jumps(mechanics: Mechanics, breaks: Array) -> NDArray[np.bool_]:
    """Whether loads, or speeds of given motions, jump at these times, or only bend there."""
    if not len(breaks) or not mechanics.system.stacks:
        return np.ones(len(breaks), dtype=np.bool_)
    aside = 8 * np.spacing(np.abs(breaks).max())
    sides = [
        np.hstack([loads_at_rest(mechanics, t), *np.asarray(mechanics.system.motions(t)[:2])])
        for t in (breaks - aside, breaks + aside)
    ]
    size = np.abs(sides).max(axis=(0, 1))
    return np.asarray(np.any(np.abs(sides[1] - sides[0]) > _CONTINUOUS * size, axis=1))


def loads_at_rest(mechanics: Mechanics, times: Array) -> Array:
    """What acts on the system where it stands still at zero: (times, n)."""
    system, zero, inside = mechanics.system, np.zeros((len(times), mechanics.system.n)), mechanics.inside(times)
    if system.stacks:
        return system.evaluate(inside, zero, zero, mechanics.inputs(inside))[1]
    return np.array(
        [system.evaluate(t, z, z, mechanics.inputs(t))[1] for t, z in zip(inside.tolist(), zero, strict=True)]
    )


def _shapes(mechanics: Mechanics, times: Array) -> Array | None:
    """Orthonormal shapes of the loads (n, few), such that all loads seen at the times are made of them."""
    seen = loads_at_rest(mechanics, times)
    _, sizes, shapes = np.linalg.svd(seen, full_matrices=False)
    count = int((sizes > 1e-13 * sizes.max(initial=0.0)).sum())
    if count > _MOST:
        return None
    return np.asarray(shapes[:count].T)
