"""Forces and slopes of systems that are linear but for what is taken at points, as those of members that bend far.

    f = f_0 + F (q, v, u) + sum_g S_g' w_g l_xi(S_g q)        K = K_0 - S' w l_xixi S        C = C_0

F, K_0 and C_0 are numbers, found once by asking the whole system for them; l_xi and l_xixi are compiled from the
density. So a call costs two sparse products and one pass over the points, in proportion to the elements.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.discretisation import flags
from flexura.discretisation.points import PointTerm
from flexura.discretisation.ritz import RitzSystem
from flexura.discretisation.tables import PointTable

Array = NDArray[np.float64]
_ROUNDING = 1e-12


def quick_forces(ritz: RitzSystem) -> QuickForces | None:
    """None where something else than strains at points is not linear, or depends on t."""
    g = ritz.gathered
    if not g.points or g.along or ritz.scalars.multipliers or ritz.np or ritz.scalars.holds_time:
        return None
    if not all(_strains(term) for term in g.points) or not flags.constant_mass(ritz):
        return None
    return QuickForces(ritz) if flags.linear_beside_points(ritz) and flags.steady(ritz) else None


def _strains(term: PointTerm) -> bool:
    """Whether it is an energy without rates, inputs and time, and nothing else."""
    others = (f for kind, f in term.left.items() if kind != "energy")
    alone = not any(f != 0 for f in (*others, *term.loads.values()))
    return alone and term.still and not term.inputs and not term.distributed and not term.timed


class QuickForces:
    """f, dR/dq and dR/dv of the unknowns, R = M a - f, and the powers."""

    def __init__(self, ritz: RitzSystem) -> None:
        self.ritz, self.n = ritz, ritz.N
        self.size = sum(slot.size for slot in ritz.slots)
        self.terms = tuple(ritz.gathered.points)

    @cached_property
    def _still(self) -> tuple[Array, Array, Array]:
        """f at rest without inputs, without the points; and there K_0, C_0."""
        z, u = np.zeros(self.n), np.zeros(self.size)
        K, C = self.ritz.jacobians(0.0, z, z, z, u, z[:0])
        for term in self.terms:
            K = K + term.strain_stiffness(z)
        return self._beside(z, z, u), K, C

    def _beside(self, z: Array, w: Array, u: Array) -> Array:
        """f without the points."""
        f = self.ritz.forces(0.0, z, w, u)
        for term in self.terms:
            f = f - term.strain_forces(term.strained(z))
        return f

    @cached_property
    def _loads(self) -> Array:
        """What unit inputs add to f: (n, inputs)."""
        f, z = self._still[0], np.zeros(self.n)
        return np.array([self._beside(z, z, unit) - f for unit in np.eye(self.size)]).reshape(self.size, self.n).T

    @cached_property
    def _rows(self) -> tuple[PointTable, list[slice]]:
        """F above the strains of each term, in one matrix; and where they stand."""
        _, K, C = self._still
        blocks, places, first = [np.hstack([-K, -C, self._loads])], list[slice](), self.n
        for term in self.terms:
            S = term.strains.dense
            blocks.append(np.hstack([S, np.zeros((len(S), self.n + self.size))]))
            places.append(slice(first, first + len(S)))
            first += len(S)
        return PointTable(np.vstack(blocks), 1), places

    @cached_property
    def rate_free(self) -> bool:
        """Whether forces do not depend on rates, and are those of an energy."""
        _, K, C = self._still
        return not np.any(C) and bool(np.abs(K - K.T).max(initial=0.0) <= _ROUNDING * np.abs(K).max(initial=0.0))

    def forces(self, t: Any, q: Array, v: Array, u: Array) -> Array:
        """f of one state or a stack of them."""
        table, places = self._rows
        found = table.of(np.concatenate((q, v, u), axis=-1))
        f = found[..., : self.n] + self._still[0]
        for term, where in zip(self.terms, places, strict=True):
            f += term.strain_forces(found[..., where])
        return f

    def jacobians(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Array, Array]:
        """dR/dq and dR/dv of one state or a stack of them."""
        _, K, C = self._still
        found = np.tile(K, (*q.shape[:-1], 1, 1))
        for term in self.terms:
            found -= term.strain_stiffness(q)
        return found, np.tile(C, (*q.shape[:-1], 1, 1))

    @cached_property
    def _supplied(self) -> tuple[Array, Array] | None:
        """The steady loads, and those of unit inputs, that energy comes in by; None where there is more to it."""
        if not self.rate_free:
            return None
        rng, z, rest = np.random.default_rng(0), np.zeros(self.n), np.zeros(self.size)
        states = np.zeros((self.n, self.n))
        at = np.zeros(self.n), states, np.eye(self.n), states, np.zeros((self.n, self.size)), states[:, :0]
        steady = self.ritz.powers(*at)[0][:, 1]
        q, v, u = rng.normal(size=self.n), rng.normal(size=self.n), rng.normal(size=self.size)
        for x, load in ((q, rest), (z, u)):
            lost, given = self.ritz.powers(0.0, x, v, z, load, z[:0])[0]
            parts = np.concatenate([v * steady, v * (self._loads @ load)])
            if abs(lost) + abs(given - parts.sum()) > _ROUNDING * (np.abs(parts).sum() + np.abs(v).sum()):
                return None
        return steady, self._loads

    def powers(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Array]:
        """[dissipated, supplied]."""
        if self._supplied is None:
            return self.ritz.powers(t, q, v, a, u, lam)
        steady, loads = self._supplied
        given = (v * (steady + u @ loads.T)).sum(axis=-1)
        return (np.stack([np.zeros_like(given), given], axis=-1),)
