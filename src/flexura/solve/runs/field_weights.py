"""How much of a motion each field carries: what it lacks counts for as much as it matters.

    >>> weights = Weights.of(system, M)
    >>> weights.counted(group, lost, moved, whole)        # {"w": 2e-4, "u": 1e-6}

Fields of a group move together, and by very different amounts. What a field lacks counts against its own motion, or
against a small part of the motion of its group where its own is slighter than that; in roots of masses, so that
displacements and rotations compare.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.solve.steppers.subspace import MemberGroup
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_SLIGHT = 1e-3  # of a group's motion: a field that moves less is not worth shapes of its own
_STILL = 1e-9  # of the motion of the whole system: round-off
_PLACES = 21
_MOST = 1e6  # shares that are told apart


@dataclass(frozen=True)
class Weights:
    """The root of each field's inertia per length, by its name; and the field at places along it."""

    roots: Mapping[str, float]
    places: Mapping[str, Array]  # as rows of the unknowns

    @classmethod
    def of(cls, system: NonlinearSystem, M: Array) -> Weights:
        """From the masses of the unknowns inside each field."""
        roots, places = {}, {name: _places(system, name) for name in system.fields}
        for name, field in system.fields.items():
            rows = places[name]
            inside = [i for i, unknown in enumerate(system.names) if unknown.startswith(f"{name}[")]
            inside = inside or np.flatnonzero(rows.any(axis=0)).tolist()  # cubics move with their ends alone
            squares = (rows[:, inside] ** 2).mean(axis=0) * (field.end - field.start)
            masses = np.abs(np.diag(M))[inside]
            roots[name] = float(np.sqrt(masses.sum() / squares.sum())) if squares.sum() > 0 else 0.0
        return cls(roots, places)

    def largest(self, group: MemberGroup, q: Array) -> dict[str, float]:
        """The largest deflection of each field of a group, among states in rows."""
        return {name: float(np.abs(q @ self.places[name].T).max(initial=0.0)) for name in group.fields}

    def counted(
        self, group: MemberGroup, lost: Mapping[str, float], moved: Mapping[str, float], whole: float
    ) -> dict[str, float]:
        """What each field of a group lacks, as a part of the motion it counts against; `whole` is that of everything,
        sqrt(q' M q)."""
        sizes = {name: self.roots[name] * moved[name] for name in group.fields}
        largest, found = max(sizes.values()), {}
        for name in group.fields:
            size, missing = max(sizes[name], _SLIGHT * largest), self.roots[name] * lost[name]
            seen = max(size, missing) > _STILL * whole
            found[name] = min(_MOST, missing / max(size, 1e-300)) if seen else 0.0
        return found


def _places(system: NonlinearSystem, name: str) -> Array:
    field = system.fields[name]
    return np.asarray(field.matrix(np.linspace(field.start, field.end, _PLACES), 0)[:, : system.n])
