"""What the run of a mechanism leaves behind: a trajectory for each member, deviations, forces and stresses along them.

>>> run["rod"]["v2"], run.deviation("rod", 3), run.stress("rod", y=0.01)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.solve.runs.frame_problem import NodeHistories
from flexura.solve.steppers.trajectory import Energy, Trajectory
from flexura.structures.moving.mechanism import Mechanism
from flexura.structures.moving.resultants import Resultants, resultants

Array = NDArray[np.float64]


@checked_methods
@dataclass(frozen=True, eq=False)
class MechanismRun(Mapping[str, Trajectory]):
    """A trajectory for each member, by name; the energy balance and the notes of all of them together."""

    t: Array
    members: Mapping[str, Trajectory]
    energy: Energy
    unknowns: Array
    complete: bool = True
    message: str = ""
    notes: tuple[str, ...] = ()
    mechanism: Mechanism | None = field(default=None, repr=False)
    states: Mapping[str, tuple[Array, Array, Array]] = field(default_factory=dict, repr=False)

    __eq__, __hash__ = object.__eq__, object.__hash__  # never of the arrays that it holds

    def __getstate__(self) -> dict[str, Any]:
        """Without the mechanism, whose motion may be functions, which are not pickled."""
        return {**self.__dict__, "mechanism": None}

    def __getitem__(self, name: str) -> Trajectory:
        if name not in self.members:
            raise FlexuraError(f"The mechanism has no member {name!r}", advice=f"it has {', '.join(self.members)}")
        return self.members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.members)

    def __len__(self) -> int:
        return len(self.members)

    def deviation(self, name: str, node: int) -> Array:
        """How far a node is from its rigid path, in ground's axes: (times, 3)."""
        mechanism, (x, _, _) = self._of(name)
        return NodeHistories(mechanism.members[name], mechanism.bodies[name], self.t, x).deviation(node)

    def resultants(self, name: str) -> Resultants:
        """N, Vy, Vz, T, My, Mz along a member over the run: (times, elements, points).

        With the inertia of the rigid and of the elastic motion; loads along the elements are not in what lies between
        nodes.
        """
        mechanism, states = self._of(name)
        frame, body = mechanism.members[name], mechanism.bodies[name]
        if not len(frame.elements):
            raise FlexuraError(f"{name!r} is rigid, so nothing is known of the forces in it", advice="give it a frame")
        each = [
            resultants(frame, x, body=body, t=float(t), rate=v, acceleration=a)
            for t, x, v, a in zip(self.t, *states, strict=True)
        ]
        parts = (np.stack([getattr(one, part) for one in each]) for part in ("N", "Vy", "Vz", "T", "My", "Mz"))
        return Resultants(each[0].x, *parts, frame=frame)

    def stress(self, name: str, y: float = 0.0, z: float = 0.0) -> Array:
        """The normal stress at the distances y, z from the axis, in the section's axes: (times, elements, points)."""
        found, (mechanism, _) = self.resultants(name), self._of(name)
        frame = mechanism.members[name]
        points = np.asarray(found.x[:1] / frame.lengths[0]).ravel()
        A, Iy, Iz = (frame.properties(part, points) for part in ("A", "Iy", "Iz"))
        return np.asarray(found.N / A - found.Mz * y / Iz + found.My * z / Iy)

    def _of(self, name: str) -> tuple[Mechanism, tuple[Array, Array, Array]]:
        _ = self[name]
        if self.mechanism is None:
            raise FlexuraError("This run does not know its mechanism", advice="ask the run of fx.simulate itself")
        return self.mechanism, self.states[name]
