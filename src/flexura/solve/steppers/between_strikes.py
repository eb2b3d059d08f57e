"""Motions that are known exactly, from one impulse of the loads to the next.

>>> found = between_strikes(mechanics, times, q, v, breaks, scales, zeros)

Each stretch is propagated by itself; at its start the rates jump, and the energy balance is booked with the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from flexura.solve.steppers.impulses import GivenSpeeds, blow_at, side
from flexura.solve.steppers.mechanics import Mechanics
from flexura.solve.steppers.propagate import Propagated, propagated
from flexura.solve.steppers.trajectory import Energy
from flexura.systems.signals.scales import Scales

Array = NDArray[np.float64]


def between_strikes(
    mechanics: Mechanics,
    times: Array,
    q: Array,
    v: Array,
    breaks: Sequence[float],
    scales: Scales,
    zeros: int | None = None,
) -> Propagated | None:
    """The exact motion on the times, those of impulses just after them; None where there is none."""
    t0, end = float(times[0]), float(times[-1])
    if not mechanics.strikes:
        return propagated(mechanics, times, q, v, breaks, scales, zeros)
    stops = [t0, *sorted(t for t in mechanics.strikes if t0 < t < end), end]
    rows, energies = [], []
    worst, lost, given, at_start = (0.0, 0.0, 0.0), 0.0, 0.0, (q, v)
    speeds = GivenSpeeds.of(mechanics, q, t0, end)
    for k, (start, stop) in enumerate(pairwise(stops)):
        v, work = _struck(mechanics, speeds, (stops[max(k - 1, 0)], start, stop), q, v)
        given += work
        inside = times[(times >= start) & (times < stop)] if stop < end else times[times >= start]
        grid = np.unique(np.concatenate([[start], inside, [stop]]))
        found = propagated(mechanics, grid, q, v, breaks, scales, zeros)
        if found is None:
            return None
        mine = np.searchsorted(grid, inside)
        rows.append((found.q[mine], found.v[mine]))
        one = found.energy
        booked = (one.kinetic, one.potential, one.dissipated + lost, one.supplied + given)
        energies.append([row[mine] for row in booked])
        lost, given = lost + float(one.dissipated[-1]), given + float(one.supplied[-1])
        worst = max(worst[0], found.doubt), max(worst[1], found.late), max(worst[2], found.rounded)
        q, v = found.q[-1], found.v[-1]
    positions, rates = (np.concatenate([row[k] for row in rows]) for k in (0, 1))
    kinetic, potential, dissipated, supplied = (np.concatenate([row[k] for row in energies]) for k in range(4))
    if mechanics.strike(t0) is not None:  # the first row is the state as it was given
        rates[0] = at_start[1]
        kinetic[0], potential[0] = mechanics.system.energies(t0, *at_start)
        supplied[0] = 0.0
    largest = float(max(np.abs(kinetic).max(), np.abs(supplied).max()))
    balance = Energy(kinetic, potential, dissipated, supplied)
    return Propagated(positions, rates, replace(balance, largest=max(balance.scale, largest)), *worst)


def _struck(
    mechanics: Mechanics, speeds: GivenSpeeds, around: tuple[float, float, float], q: Array, v: Array
) -> tuple[Array, float]:
    """The rates after what strikes at the middle one of three times, and its work."""
    before, t, after = around
    if mechanics.strike(t) is None:
        return v, 0.0
    sides = []
    for window in ((before, t) if before < t else (-np.inf, np.inf), (t, after)):
        mechanics.within(*window)
        sides.append(side(mechanics, t, q))
    found = blow_at(mechanics, speeds, t, (q, v), (sides[0], sides[1]))
    mechanics.within()
    return (v, 0.0) if found is None else (found[0], found[1].work)
