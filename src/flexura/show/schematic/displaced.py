"""Where parts are in a state that was found, a run's at a time or one of rest; displacements magnified.

>>> places = Displaced(Positions(equations, values), state, t=0.5, factor=20.0)
>>> places.curve(("w",), 33), places.anchored(join.p), places.axes("hub")
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from flexura.show.schematic.sheet import Array
from flexura.solve.runs.positions import Point, Positions
from flexura.symbolic.kinematics.geometry import Anchor


@dataclass(frozen=True, eq=False)
class Displaced:
    """Places at one state; `reference` is the state that displacements are counted from, at t = 0."""

    positions: Positions
    state: Mapping[str, Any]
    t: float = 0.0
    factor: float = 1.0
    reference: Mapping[str, Any] = field(default_factory=dict)

    def curve(self, spines: Iterable[str], points: int) -> Array:
        """Points along the pieces of a member."""
        return np.concatenate([self._seen(self.positions.line(one, points)) for one in spines])

    def anchored(self, anchor: Anchor) -> Array:
        """The point of a join; without an offset, the mass centre of its body."""
        return self._seen(self.positions.anchored(anchor))

    def axes(self, part: str) -> Array:
        """The axes of a body, or of a member at its start, as columns; turns are not magnified."""
        located = next((one for one in self.positions.geometry.parts if one.name == part), None)
        if located is None:
            return np.eye(3)
        rows = (self.positions.placed(part, row) for row in located.rotation)
        x = self.positions.ends[self.positions.energies.members[part][0]][0] if located.spine else None
        return np.array([replace(row, x=x if x is None else np.asarray(x))(self.state, self.t) for row in rows])

    def _seen(self, point: Point) -> Array:
        now = np.asarray(point(self.state, self.t))
        if self.factor == 1.0:
            return now
        rest = np.asarray(point(self.reference, 0.0))
        return np.asarray(rest + self.factor * (now - rest))
