"""Impulses on systems of matrices: each stretch between two of them is stepped by itself, and rates jump by M^-1 B J.

    >>> motion = between_blows(steps, system, times, x, v, signals, ((1.0, B @ J),), step, radius)

Stiffness and damping are finite, so that they take no share in a blow; its work is J'B'(v+ + v-)/2.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.steppers.linear_exact import LinearMotion
from flexura.solve.steppers.linear_inputs import Signals
from flexura.solve.steppers.mechanics import SAME_TIME
from flexura.solve.steppers.table import MatrixSteps
from flexura.systems.factor import factorize
from flexura.systems.second_order import SecondOrderSystem

Array = NDArray[np.float64]
Blows = tuple[tuple[float, Array], ...]
"""Times, ascending, and what each blow gives to the momenta."""


def between_blows(
    steps: MatrixSteps,
    system: SecondOrderSystem,
    times: Array,
    x: Array,
    v: Array,
    signals: Signals,
    blows: Blows,
    step: float | None,
    radius: float,
) -> LinearMotion:
    """The motion on the times, those of blows just after them; one at the very start comes after the first time."""
    at: dict[float, Array] = {}
    for t, momentum in blows:
        t = _on_grid(t, times)
        if t < times[-1]:
            at[t] = at.get(t, 0.0) + momentum
    if not at:
        return steps(system, times, x, v, signals, step, radius)
    jumps, given, begun = _jumps(system, at), np.zeros(2), v
    legs, rows = [], []
    stops = [float(times[0]), *sorted(t for t in at if t > times[0]), float(times[-1])]
    for start, end in pairwise(stops):
        if start in at:
            dv = jumps[start]
            given = given + np.array([0.0, float(at[start] @ (v + dv / 2))])
            v = v + dv
        grid = np.unique(np.concatenate([[start], times[(times > start) & (times < end)], [end]]))
        leg = steps(system, grid, x, v, signals, step, radius)
        inside = np.isin(grid[: len(leg.x)], times) & ((grid[: len(leg.x)] < end) | (end == times[-1]))
        rows.append(_rows(leg, inside, given))
        legs.append((leg, given))
        if leg.message:
            break
        x, v = leg.x[-1], leg.v[-1]
        given = given + np.array([float(leg.dissipated[-1]), float(leg.supplied[-1])])
    X, V, A, lost, supplied = (np.concatenate([row[k] for row in rows]) for k in range(5))
    if stops[0] in at:  # the first row is the state as it was given
        V[0], supplied[0] = begun, 0.0
        A[0] += _over_mass(system, _rated(system, jumps[stops[0]]))
    return _joined([leg for leg, _ in legs], (X, V, A, lost, supplied), [leg.booked + had for leg, had in legs])


def _on_grid(t: float, times: Array) -> float:
    """A time that was asked for is the time of the blow itself, whatever rounding made of it."""
    near = float(times[np.abs(times - t).argmin()])
    return near if abs(near - t) <= SAME_TIME * max(abs(t), 1e-3) else t


def _jumps(system: SecondOrderSystem, at: dict[float, Array]) -> dict[float, Array]:
    found = _over_mass(system, np.column_stack(list(at.values())))
    return dict(zip(at, found.T, strict=True))


def _over_mass(system: SecondOrderSystem, momenta: Array) -> Array:
    """M^-1 of columns; refused where some degree of freedom has no mass, whose rate could be infinite."""
    try:
        found = factorize(system.M, what="The mass matrix").solve(momenta)
    except FlexuraError:
        found = np.full_like(momenta, np.nan)
    missed = np.abs(system.M @ found - momenta).max(initial=0.0)
    if not missed <= 1e-8 * np.abs(momenta).max(initial=0.0):
        raise FlexuraError(
            "An impulse strikes a system in which something has no mass, whose rate it could make infinite",
            advice="give every degree of freedom some mass, or let a force act for a short time",
        )
    return np.asarray(found)


def _rated(system: SecondOrderSystem, dv: Array) -> Array:
    rates = system.rates
    return np.zeros_like(dv) if rates is None else np.asarray(rates @ dv)


def _rows(leg: LinearMotion, inside: NDArray[np.bool_], given: Array) -> tuple[Array, ...]:
    """What a stretch says at the times that were asked for, energies since the very start."""
    energies = leg.dissipated + given[0], leg.supplied + given[1]
    return tuple(one[inside] for one in (leg.x, leg.v, leg.a, *energies))


def _joined(legs: list[LinearMotion], rows: tuple[Array, ...], booked: list[Array]) -> LinearMotion:
    """One motion; errors of its stretches add up."""
    errors = [leg.errors for leg in legs if leg.errors is not None]
    notes = tuple(dict.fromkeys(note for leg in legs for note in leg.notes))
    x, v, a, dissipated, supplied = rows
    return LinearMotion(
        x,
        v,
        a,
        dissipated,
        supplied,
        notes=notes,
        errors=np.sum(errors, axis=0) if errors else None,
        basis=legs[0].basis,
        message=legs[-1].message,
        booked=np.concatenate(booked),
    )
