"""Coordinates that close the loops of a mechanism which are open where all coordinates are zero.

>>> closed(equations.lagrangian, known)        # {s: 0.65}; empty where nothing is open, or where no way was found
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from flexura.energy.lagrangian import Lagrangian
from flexura.symbolic.engine import TIME, ZERO, Basic, Symbol, exact, partial

_STEPS, _LONGEST = 60, 0.5


def closed(energies: Lagrangian, known: Mapping[Symbol, Basic]) -> dict[Symbol, Basic]:
    """By Newton's method from zero, each step the shortest; deflections stay zero."""
    ends = {str(value) for value in energies.settled_boundary.values()}
    names = [name for name in energies.coordinates if name not in ends and name not in energies.states]
    unknown = [Symbol(name) for name in names]
    rows = [f for f in map(_held(energies, known, unknown), energies.constraints.values()) if f is not None]
    if not rows or not unknown:
        return {}
    slopes = [[partial(f, symbol) for symbol in unknown] for f in rows]
    at = np.zeros(len(unknown))
    for _ in range(_STEPS):
        here = {symbol: exact(float(value)) for symbol, value in zip(unknown, at, strict=True)}
        open_by = np.array([_number(f, here) for f in rows])
        if np.abs(open_by).max() < 1e-10 * (1 + np.abs(at).max()):
            return {symbol: value for symbol, value in here.items() if at.any()}
        jacobian = np.array([[_number(f, here) for f in row] for row in slopes])
        step = -np.linalg.lstsq(jacobian, open_by, rcond=1e-9)[0]
        size = np.abs(step).max()
        at = at + step * min(1.0, _LONGEST * (1 + np.abs(at).max()) / max(size, 1e-300))
    return {}


def _held(
    energies: Lagrangian, known: Mapping[Symbol, Basic], unknown: list[Symbol]
) -> Callable[[Basic], Basic | None]:
    """Conditions of position alone, in the coordinates of joints; None for those of rates, or with names left over."""

    def held(f: Basic) -> Basic | None:
        f = energies.driven(f)
        jets = energies.jets.unknowns(f)
        if any(jet.t for jet in jets):
            return None
        zeros = {jet.symbol: ZERO for jet in jets if jet.symbol not in unknown}
        f = f.xreplace({**zeros, TIME: ZERO}).xreplace(dict(known))
        idle = {symbol: exact(1) for symbol in f.free_symbols if symbol not in unknown}
        return f.xreplace(idle)

    return held


def _number(f: Basic, at: Mapping[Symbol, Basic]) -> float:
    return float(f.xreplace(dict(at)).n(real=True))
