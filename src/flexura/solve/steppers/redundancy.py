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
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.systems.conditions import combinations, shortest
from flexura.systems.conditions import rank as conditions_that_count
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_ASIDE = 1e-2  # how far beside a position another one is looked at


@dataclass(frozen=True, eq=False)
class Redundancy:
    """How many conditions count; `basis` holds their combinations, (m, rank); `singular`: more count beside here."""

    rank: int
    basis: Array
    singular: bool
    holonomic: int = 0
    """How many of the conditions on coordinates count."""

    @staticmethod
    def at(system: NonlinearSystem, inputs: Callable[[Any], Array], t: float, q: Array) -> Redundancy:
        """At coordinates that meet the constraints."""
        M, A = _matrices(system, inputs, t, q)
        rank = conditions_that_count(A, M)
        if rank == len(A):
            return Redundancy(rank, np.eye(len(A)), False)
        beside = max((_rank_beside(system, inputs, t, q, rank, seed) for seed in range(2)), default=rank)
        held = A[np.array(system.holonomic, dtype=bool)]
        holonomic = conditions_that_count(held, M) if len(held) else 0
        return Redundancy(rank, combinations(A, M, rank), beside > rank, holonomic)


def _matrices(system: NonlinearSystem, inputs: Callable[[Any], Array], t: float, q: Array) -> tuple[Array, Array]:
    M = system.evaluate(t, q, np.zeros_like(q), inputs(t))[0].copy()
    return M, system.velocity(t, q)[0].copy()


def _rank_beside(
    system: NonlinearSystem, inputs: Callable[[Any], Array], t: float, q: Array, rank: int, seed: int
) -> int:
    """The rank at another position on the constraints, along a motion that is left; that here, if there is none."""
    M, A = _matrices(system, inputs, t, q)
    free = np.linalg.svd(A)[2][np.linalg.matrix_rank(A, tol=1e-9 * np.abs(A).max()) :]
    if not len(free):
        return rank
    way = np.random.default_rng(seed).standard_normal(len(free)) @ free
    held = np.array(system.holonomic, dtype=bool)
    x = q + _ASIDE * way / np.abs(way).max()
    for _ in range(30):
        g = system.position(t, x).copy()
        if not len(g) or np.abs(g).max() <= 1e-13 * max(1.0, float(np.abs(x).max())):
            break
        x = x + shortest(system.velocity(t, x)[0][held].copy(), M, -g)
    else:
        return rank
    if np.abs(x - q).max() <= 1e-2 * _ASIDE:
        return rank
    M, A = _matrices(system, inputs, t, x)
    return conditions_that_count(A, M)
