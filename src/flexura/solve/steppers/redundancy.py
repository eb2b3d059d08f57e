"""Conditions that repeat one another: how many count, decided once, in the metric of the masses (theory, section 8).

>>> redundancy = Redundancy.at(system, inputs, t, q)
>>> redundancy.rank, redundancy.basis

An overconstrained loop has conditions that follow from the others wherever they hold. Beside the constraints they do
not, so a step that is a little off would be pulled in two directions: combinations of conditions are chosen where they
hold, as many as count, and kept until the next such place. A position that is singular by itself, where conditions
repeat one another though they do not beside it, is told from that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.systems.conditions import combinations, shortest
from flexura.systems.conditions import rank as conditions_that_count
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_ASIDE = 1e-2  # how far beside a position another one is looked at
_TREMBLE = 1e-9  # how far coordinates are moved to tell slopes from rounding
_ROUNDING = 1e-12  # of the largest slope, or of one: what is no larger may be rounding


@dataclass(frozen=True, eq=False)
class Redundancy:
    """How many conditions count; `basis` holds their combinations, (m, rank); `singular`: they do so beside here."""

    rank: int
    basis: Array
    singular: bool
    holonomic: int = 0
    """How many of the conditions on coordinates count."""

    @staticmethod
    def at(system: NonlinearSystem, inputs: Callable[[Any], Array], t: float, q: Array) -> Redundancy:
        """At coordinates that meet the constraints."""
        M, A = _matrices(system, inputs, t, q)
        found = Redundancy._of(system, M, A)
        if found.rank == len(A):
            return found
        beside = (_beside(system, inputs, t, q, found.rank, seed) for seed in range(2))
        best = max((one for one in beside if one is not None), key=lambda one: one.rank, default=found)
        return replace(best, singular=True) if best.rank > found.rank else found

    @staticmethod
    def _of(system: NonlinearSystem, M: Array, A: Array) -> Redundancy:
        rank = conditions_that_count(A, M)
        if rank == len(A):
            return Redundancy(rank, np.eye(len(A)), False)
        held = A[np.array(system.holonomic, dtype=bool)]
        holonomic = conditions_that_count(held, M) if len(held) else 0
        return Redundancy(rank, combinations(A, M, rank), False, holonomic)


def _matrices(system: NonlinearSystem, inputs: Callable[[Any], Array], t: float, q: Array) -> tuple[Array, Array]:
    """M, and the slopes of the constraints; a constraint that holds by itself has none, whatever rounding says.

    Where all of them do (a ring that hangs on nothing), none is large enough to tell the rounding of the others, but
    slopes change with coordinates as they do, and rounding as it likes.
    """
    M = system.evaluate(t, q, np.zeros_like(q), inputs(t))[0].copy()
    A = system.velocity(t, q)[0].copy()
    small = np.abs(A).max(axis=1, initial=0.0) <= _ROUNDING * max(1.0, float(np.abs(A).max(initial=0.0)))
    if small.any():
        moved = q + _TREMBLE * np.random.default_rng(0).uniform(0.5, 1.0, len(q)) * np.maximum(np.abs(q), 1.0)
        change = np.abs(system.velocity(t, moved)[0] - A).max(axis=1, initial=0.0)
        A[small & (change >= 1e-3 * np.abs(A).max(axis=1, initial=0.0))] = 0.0
    return M, A


def _beside(
    system: NonlinearSystem, inputs: Callable[[Any], Array], t: float, q: Array, rank: int, seed: int
) -> Redundancy | None:
    """The same at another position on the constraints, along a motion that is left; None if there is none."""
    M, A = _matrices(system, inputs, t, q)
    free = np.linalg.svd(A)[2][np.linalg.matrix_rank(A, tol=1e-9 * np.abs(A).max()) :]
    if not len(free):
        return None
    way = np.random.default_rng(seed).standard_normal(len(free)) @ free
    held = np.array(system.holonomic, dtype=bool)
    x = q + _ASIDE * way / np.abs(way).max()
    for _ in range(30):
        g = system.position(t, x).copy()
        if not len(g) or np.abs(g).max() <= 1e-13 * max(1.0, float(np.abs(x).max())):
            break
        x = x + shortest(system.velocity(t, x)[0][held].copy(), M, -g)
    else:
        return None
    return None if np.abs(x - q).max() <= 1e-2 * _ASIDE else Redundancy._of(system, *_matrices(system, inputs, t, x))
