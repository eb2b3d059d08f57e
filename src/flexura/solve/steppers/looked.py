"""A run looked at inside its steps: states on its curve, with the masses and forces there, for all who judge it.

>>> looked = look_at(mechanics, curve, steps)        # looked.M is (steps, nodes, n, n)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.solve.steppers.history import Curve
from flexura.solve.steppers.mechanics import Mechanics

Array = NDArray[np.float64]
NODES, WEIGHTS = np.polynomial.legendre.leggauss(5)  # the third is the middle of a step
NODES, WEIGHTS = (NODES + 1) / 2, WEIGHTS / 2
_KEPT = 20_000  # numbers of mass matrices up to which all steps are looked at together
_KEPT_IN_PARTS = 2_000_000  # and up to which what was seen of some steps after others is kept


class Looked(NamedTuple):
    """At the nodes of some steps, (steps, nodes, ...): times, states, loads, masses, forces."""

    t: Array
    q: Array
    v: Array
    a: Array
    u: Array
    M: Array
    f: Array

    def middle(self) -> Looked:
        """The same at the middle of each step."""
        return Looked(*(one[:, len(NODES) // 2] for one in self))

    def flat(self) -> Looked:
        """The same with all nodes in one row."""
        return Looked(*(one.reshape(one.shape[0] * one.shape[1], *one.shape[2:]) for one in self))


def look_at(mechanics: Mechanics, curve: Curve, steps: NDArray[np.int64]) -> Looked:
    """Inside some steps of a run whose states can be evaluated together; that of a small one is kept with its curve."""
    every = np.flatnonzero(np.diff(curve.t) > 0)
    if len(every) * len(NODES) * curve.q.shape[1] ** 2 > _KEPT:
        seen = seen_at(mechanics, curve, steps)
        return _in_parts(mechanics, curve, steps) if seen is None else seen
    if not any(whose is mechanics for whose, *_ in curve.kept):
        curve.kept.append((mechanics, every, _looked(mechanics, curve, every)))
    kept = next(found for whose, _, found in curve.kept if whose is mechanics)
    return kept if len(steps) == len(every) else _rows(kept, np.searchsorted(every, steps))


def seen_at(mechanics: Mechanics, curve: Curve, steps: NDArray[np.int64]) -> Looked | None:
    """What was seen of these steps; None where some of them were not looked at, or are not kept."""
    parts = [(known, found) for whose, known, found in curve.kept if whose is mechanics]
    if not parts or not np.isin(steps, np.concatenate([known for known, _ in parts])).all():
        return None
    chosen = [(np.flatnonzero(np.isin(one, steps)), one, found) for one, found in parts]
    order = np.unique(np.concatenate([one[rows] for rows, one, _ in chosen]), return_index=True)[1]
    joined = (np.concatenate(one) for one in zip(*(_rows(found, rows) for rows, _, found in chosen), strict=True))
    return _rows(Looked(*joined), order)


def _rows(looked: Looked, rows: NDArray[np.int64]) -> Looked:
    return Looked(*(one[rows] for one in looked))


def _in_parts(mechanics: Mechanics, curve: Curve, steps: NDArray[np.int64]) -> Looked:
    """What is looked at for the first time, kept while there is room."""
    found = _looked(mechanics, curve, steps)
    if sum(one.M.size for *_, one in curve.kept) + found.M.size <= _KEPT_IN_PARTS:
        curve.kept.append((mechanics, steps, found))
    return found


def _looked(mechanics: Mechanics, curve: Curve, steps: NDArray[np.int64]) -> Looked:
    begins = curve.t[steps]
    t = begins[:, None] + (curve.t[steps + 1] - begins)[:, None] * NODES
    q, v, a = curve.at(t.ravel())
    times = mechanics.inside(t.ravel())
    u = np.asarray(mechanics.inputs(times))
    M, f = mechanics.system.evaluate(times, q, v, u)
    mechanics.worked(t.size)
    rows = (q, v, a, u, M.copy(), f.copy())  # a system may reuse its arrays
    return Looked(t, *(one.reshape(*t.shape, *one.shape[1:]) for one in rows))
