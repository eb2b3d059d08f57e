"""How far and how fast contacts of a run have moved: beside these, what touches and what rests is told from rounding.

>>> seen = Seen.of(contacts, span); seen.see(state); seen.near(floor, depth)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.solve.runs.contacts import ContactLaw
from flexura.solve.runs.phases import Mode
from flexura.solve.steppers.mechanics import State
from flexura.solve.steppers.run import Run

Array = NDArray[np.float64]
_TOUCHES = 1e-10  # of the largest distance seen: as near as that touches
_NOISE = 1e-9  # of the distance that loads could drive it
_FLIGHT = 1e-3  # of a flight, in which what has left a stop does not come back
_SOON = 1e-10  # of the time of a run, in which what has begun at zero leaves it


@dataclass(frozen=True, eq=False)
class Seen:
    """The largest distances from gaps, and speeds, by contact.

    `span` is the time of the run, `driven` how fast loads could make what it follows, in the metric of the masses.
    """

    contacts: Sequence[ContactLaw]
    span: float
    far: dict[str, float]
    fast: dict[str, float]
    driven: float

    @classmethod
    def of(cls, contacts: Sequence[ContactLaw], span: float, driven: float) -> Seen:
        """Nothing yet."""
        return cls(contacts, span, {one.name: 0.0 for one in contacts}, {one.name: 0.0 for one in contacts}, driven)

    def see(self, states: Sequence[State], modes: Mapping[str, Mode]) -> None:
        """What contacts did in some states; what rides, and is held, neither leaves its member nor slips across it."""
        for one in self.contacts:
            if one.riding is not None and modes[one.name] == "closed":
                continue
            for state in states:
                s, A, b, _ = one.motion(state.t, state.q, state.v)
                self.far[one.name] = max(self.far[one.name], abs(s - one.numbers.get("gap", 0.0)))
                self.fast[one.name] = max(self.fast[one.name], abs(float(A @ state.v + b)))

    def see_flights(self, run: Run, modes: Mapping[str, Mode]) -> None:
        """How far flights went: from touch to touch they are farthest between the ends of steps."""
        for one in self.contacts:
            if modes[one.name] in ("open", "pressed", "slack", "touched"):
                self.far[one.name] = max(self.far[one.name], run.sizes.get(f"${one.name}", 0.0))

    def near(self, one: ContactLaw, depth: float) -> bool:
        """Whether a stop at this depth is touched."""
        return abs(depth) <= _TOUCHES * max(self.far[one.name], 1e-300)

    def touches(self, one: ContactLaw, t: float, q: Array, v: Array) -> bool:
        """Whether a stop is touched, beside its gap too."""
        depth = abs(one.beyond(t, q, v))
        return depth <= _TOUCHES * max(self.far[one.name], abs(one.numbers["gap"]), 1e-300)

    def noise(self, one: ContactLaw, start: State, M: Array) -> float:
        """How near to its gap a contact that begins there at rest may be by the errors of steps alone."""
        _, A, _, _ = one.motion(start.t, start.q, start.v)
        return _NOISE * self.span * self.driven * float(np.sqrt(A @ np.linalg.solve(M, A)))

    def soon(self, t: float) -> float:
        """When what begins at zero has left it."""
        return t + _SOON * self.span

    def back(self, one: ContactLaw, start: State) -> float:
        """Until when what touches a stop at the start, and leaves it, cannot be back."""
        s, A, b, c = one.motion(start.t, start.q, start.v)
        if not self.near(one, s - one.numbers["gap"]):
            return start.t
        speed, back = float(A @ start.v + b), float(A @ start.a + c)
        flight = 2 * abs(speed / back) if back * speed < 0 else self.span
        return max(self.soon(start.t), start.t + _FLIGHT * min(flight, self.span * 1e-3))
