"""A state as a run would begin from it: what is not given solved for, and contacts with the forces they exert there.

>>> begun = Instant.of(equations, values, known, {"q1": 0.1}, 0.0, u)
>>> begun.state, begun.rank, begun.forces({"R_floor"})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.errors import FlexuraError
from flexura.solve.discretise import motion_system
from flexura.solve.runs.contacts import ContactLaw, read_contacts
from flexura.solve.runs.initial import read_initial
from flexura.solve.runs.phases import Mode, Phase
from flexura.solve.runs.settling import settled
from flexura.solve.steppers.mechanics import Mechanics
from flexura.solve.steppers.redundancy import Redundancy
from flexura.systems.nonlinear import InputSlot, NonlinearSystem

Array = NDArray[np.float64]
_TOUCHES = 1e-10  # of a gap: as near as that touches
_STILL = 1e-12  # of the speeds from which it is made: as slow as that is at rest


@dataclass(frozen=True, eq=False)
class Instant:
    """Coordinates and rates that meet the conditions, with the system they belong to."""

    equations: Equations
    known: Mapping[str, float]
    system: NonlinearSystem
    t: float
    q: Array
    v: Array
    u: Array

    @classmethod
    def of(
        cls,
        equations: Equations,
        values: Mapping[str, Any] | None,
        known: Mapping[str, float],
        state: Mapping[str, float],
        t: float,
        input_at: Callable[[InputSlot], float],
    ) -> Instant:
        """Refuses what contradicts the conditions; `input_at` gives inputs and their rates at t."""
        system = motion_system(equations, values)
        u = system.rest
        for slot in system.slots:
            if not slot.idle:
                u[slot.where] = input_at(slot)
        mechanics = Mechanics(system, lambda t: u)
        start = read_initial(equations, mechanics, state, known, t, inconsistent="refuse")
        return cls(equations, known, system, t, start.q, start.v, u)

    @property
    def state(self) -> dict[str, float]:
        """By name, rates as name_t."""
        rates = (f"{name}_t" for name in self.system.names)
        return dict(zip((*self.system.names, *rates), (*self.q.tolist(), *self.v.tolist()), strict=True))

    @property
    def redundancy(self) -> Redundancy:
        """Which conditions count here."""
        return Redundancy.at(self.system, lambda t: self.u, self.t, self.q)

    def on_branch(self) -> dict[str, float]:
        """Accelerations and multipliers at a singular position, of the branch to which the rates belong, by name."""
        a, multipliers = Mechanics(self.system, lambda t: self.u).acceleration(self.t, self.q, self.v)
        names = (*self.system.names, *self.system.multipliers)
        return dict(zip(names, (*a.tolist(), *multipliers.tolist()), strict=True))

    def forces(self, given: Sequence[str] = ()) -> dict[str, float]:
        """What contacts exert, by the names of the inputs that hold it; those that are `given` stay."""
        contacts = [one for one in read_contacts(self.equations, self.known, self.system) if one.slot.name not in given]
        if not contacts:
            return {}
        state = (self.t, self.q, self.v, self.u)
        sure = {one.name: mode for one in contacts if (mode := self._mode(one))}
        phase = Phase(self.system, contacts, settled(self.system, contacts, state, sure))
        whole = phase.exerted(*state)
        return {one.slot.name: float(whole[one.slot.start]) for one in contacts}

    def _mode(self, one: ContactLaw) -> Mode | None:
        """How a contact acts, where its place and speed alone say so."""
        s, A, b, _ = one.motion(self.t, self.q, self.v)
        speed = float(A @ self.v + b)
        still = abs(speed) <= _STILL * (float(np.abs(A) @ np.abs(self.v)) + abs(b))
        if not one.present(self.t, self.q, self.v):
            return "left"
        if one.held:
            return "closed"
        if one.rubs:
            return None if still else "+" if speed > 0 else "-"
        gap = one.numbers["gap"]
        if one.compliant:
            return "open" if s <= gap else "pressed" if one.pushing(self.t, self.q, self.v) > 0 else "slack"
        if abs(s - gap) > _TOUCHES * max(abs(s), abs(gap)):
            if s < gap:
                return "open"
            raise self._refused(
                one, f"violates the stop {one.name}: s = {s:.6g} is more than its gap, {gap:.6g}", "gap"
            )
        if speed > 0 and not still:
            raise self._refused(one, f"hits the stop {one.name} at {speed:.6g}, where an impulse acts", "restitution")
        return None if still else "open"

    def _refused(self, one: ContactLaw, what: str, keyword: str) -> FlexuraError:
        return FlexuraError(
            f"The state {what}",
            advice="give coordinates and rates as they are after it",
            part=one.name,
            keyword=keyword,
        )
