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
import scipy.linalg
from numpy.typing import NDArray

from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_COUNTS = 1e-9  # singular values below this part of the largest are those of repeated conditions
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
        rank = _rank(M, A)
        if rank == len(A):
            return Redundancy(rank, np.eye(len(A)), False)
        beside = max((_rank_beside(system, inputs, t, q, rank, seed) for seed in range(2)), default=rank)
        held = A[np.array(system.holonomic, dtype=bool)]
        return Redundancy(rank, combinations(M, A, rank), beside > rank, _rank(M, held) if len(held) else 0)


def combinations(M: Array, A: Array, rank: int) -> Array:
    """As many combinations of conditions as count, orthonormal: what they span are the multipliers of least norm."""
    return np.asarray(np.linalg.svd(_weighed(M, A))[0][:, :rank])


def shortest(M: Array, A: Array, right: Array, rank: int | None = None) -> Array:
    """x of A x = right, smallest in the metric of M, by as many combinations of its rows as count.

    Beside the constraints those that do not count have slopes of their own, as small as the way back: followed, they
    would move the system along the constraints by as much.
    """
    U, s, V = np.linalg.svd(_weighed(M, A), full_matrices=False)
    kept = slice(0, rank) if rank is not None else s > _COUNTS * s.max(initial=0.0)
    found = V[kept].T @ ((U[:, kept].T @ right) / s[kept])
    return np.asarray(scipy.linalg.solve_triangular(_factor(M, A).T, found, lower=False))


def _factor(M: Array, A: Array) -> Array:
    """The Cholesky factor of M + s A'A, which is definite where M is on the motions that are left."""
    size = np.trace(M) / max(float(np.sum(A * A)), 1e-300)
    return np.asarray(np.linalg.cholesky(M + (size or 1.0) * A.T @ A))


def _weighed(M: Array, A: Array) -> Array:
    return np.asarray(scipy.linalg.solve_triangular(_factor(M, A), A.T, lower=True).T)


def _rank(M: Array, A: Array) -> int:
    """Rows by their own size, so that a condition counts whatever its unit."""
    S = _weighed(M, A)
    sizes = np.linalg.norm(S, axis=1)
    S = S[sizes > 1e-14 * sizes.max(initial=0.0)] / sizes[sizes > 1e-14 * sizes.max(initial=0.0), None]
    values = np.linalg.svd(S, compute_uv=False) if len(S) else np.zeros(0)
    return int(np.sum(values > _COUNTS * values.max(initial=0.0)))


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
        x = x + shortest(M, system.velocity(t, x)[0][held].copy(), -g)
    else:
        return rank
    return _rank(*_matrices(system, inputs, t, x)) if np.abs(x - q).max() > 1e-2 * _ASIDE else rank
