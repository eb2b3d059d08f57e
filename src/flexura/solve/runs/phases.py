"""A system in one phase of its contacts: what sticks or rests is a condition, what slides or gives way is a force.

>>> phase = Phase(system, contacts, {"rub": "stick", "floor": "closed"})
>>> phase.system.multipliers                              # ..., "R_rub", "R_floor"
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.runs.contacts import ContactLaw
from flexura.solve.steppers.mechanics import bordered
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
Mode = str
"""Of friction "stick", "+" or "-" (the sign of the sliding velocity); of a rigid stop "open" or "closed"; of one that
gives way "open", "pressed", or "slack", where it has not yet come back from what left it, or "touched", where it is met
at rest and the motion alone says which of these comes."""
_ROUNDS = 60  # for forces that depend on reactions
_SETTLED = 1e-13
_STEP = 1e-7


class Undetermined(FlexuraError):
    """A friction and the reaction that it depends on have no one solution, as with Painleve's rod."""


@dataclass(frozen=True, eq=False)
class Phase:
    """A system whose contacts are each in a mode."""

    base: NonlinearSystem
    contacts: Sequence[ContactLaw]
    modes: Mapping[str, Mode]

    @cached_property
    def held(self) -> list[ContactLaw]:
        """Contacts that are conditions: they stick, or rest."""
        return [one for one in self.contacts if self.modes[one.name] in ("stick", "closed")]

    @cached_property
    def forced(self) -> list[ContactLaw]:
        """Contacts that exert a force of their own: they slide, or give way."""
        return [one for one in self.contacts if self.modes[one.name] in ("+", "-", "pressed", "slack", "touched")]

    @cached_property
    def _bound(self) -> bool:
        """Whether some force depends on reactions."""
        return any(one.normals for one in self.forced)

    # -- forces --------------------------------------------------------------------------------------------------------

    def loads(self, t: float, q: Array, v: Array, u: Array) -> Array:
        """All inputs, with the forces of contacts that slide or give way."""
        found = np.array(u, dtype=np.float64)
        for one in self.contacts:
            if one.riding is not None:
                one.riding.place(t, q, v, found)
        for one in self.forced:
            if self.modes[one.name] == "slack":
                found[one.slot.where] = 0.0
            elif self.modes[one.name] in ("pressed", "touched"):
                found[one.slot.where] = -one.pushing(t, q, v) if self._pushes(one, t, q, v) else 0.0
            elif not one.normals:
                found[one.slot.where] = self._sign(one) * one.limit(t, q, v, {})[0]
        return self._with_reactions(t, q, v, found) if self._bound else found

    def _pushes(self, one: ContactLaw, t: float, q: Array, v: Array) -> bool:
        """Whether a stop that gives way pushes: where it is only touched, no phase ends as it begins to."""
        return self.modes[one.name] == "pressed" or (one.beyond(t, q, v) > 0 and one.pushing(t, q, v) > 0)

    def _sign(self, one: ContactLaw) -> float:
        return -1.0 if self.modes[one.name] == "+" else 1.0

    def _with_reactions(self, t: float, q: Array, v: Array, u: Array) -> Array:
        """Forces that depend on reactions, which depend on them: solved together, or refused."""
        mine = [one for one in self.forced if one.normals]
        sizes = np.zeros(len(mine))
        for _ in range(_ROUNDS):
            for one, size in zip(mine, sizes, strict=True):
                u[one.slot.where] = self._sign(one) * size
            normals = self.normals(t, q, v, u)
            new = np.array([one.limit(t, q, v, normals)[0] for one in mine])
            change = np.abs(new - sizes).max()
            sizes = new
            if change <= _SETTLED * max(float(sizes.max()), 1e-300):
                return u
        names = ", ".join(one.name for one in mine)
        raise Undetermined(
            f"At t = {t:.6g} the friction {names} and the reaction that it depends on have no one solution, as with"
            " Painleve's rod",
            advice="give the contact some compliance (k=), or another shape or a smaller coefficient",
        )

    def normals(self, t: float, q: Array, v: Array, u: Array) -> dict[str, float]:
        """N of every connection that a limit names, under these inputs."""
        a, lam = self.solved(t, q, v, u)
        m = self.base.m
        found = {f"N_{one.name}": max(-float(lam[m + k]), 0.0) for k, one in enumerate(self.held) if not one.rubs}
        for one in self.contacts:
            if not one.rubs and one.name not in {held.name for held in self.held}:
                found[f"N_{one.name}"] = max(-float(u[one.slot.start]), 0.0)
        whole = self._filled(u.copy(), lam, t, q, v)
        at = np.concatenate([[t], q, v, a, whole])
        for one in self.contacts:
            found |= {name: of(at) for name, of in (one.transmitted or {}).items()}
            found |= {name: abs(float(lam[k])) for name, k in (one.rolled or {}).items()}
        return found

    def solved(self, t: float, q: Array, v: Array, u: Array) -> tuple[Array, Array]:
        """Accelerations and multipliers under all inputs."""
        M, f = self.base.evaluate(t, q, v, u)
        A, c = self.conditions(t, q, v)
        if not len(A):
            return np.asarray(np.linalg.solve(M, f), dtype=np.float64), np.zeros(0)
        n = len(q)
        found = np.asarray(np.linalg.solve(bordered(M, A), np.concatenate([f, -c])), dtype=np.float64)
        return found[:n], found[n:]

    def left_to_hold(self, one: ContactLaw, row: int, t: float, q: Array, v: Array, u: Array) -> float:
        """What is left of what a contact can hold, in squares; of a stop, its force."""
        whole = self.loads(t, q, v, u)
        force = float(self.solved(t, q, v, whole)[1][row])
        if not one.rubs:
            return force
        limit = one.limit(t, q, v, self.normals(t, q, v, whole) if one.normals else {})[1]
        return limit * limit - force * force

    # -- conditions ----------------------------------------------------------------------------------------------------

    def conditions(self, t: float, q: Array, v: Array) -> tuple[Array, Array]:
        """A and c of all conditions, those of the system first."""
        rows, rest = [], []
        if self.base.m:
            rows.append(np.array(self.base.velocity(t, q)[0]).reshape(self.base.m, -1))
            rest.append(np.array(self.base.acceleration(t, q, v)).ravel())
        for one in self.held:
            _, A, _, c = one.motion(t, q, v)
            rows.append(A[None])
            rest.append(np.array([c]))
        if not rows:
            return np.zeros((0, len(q))), np.zeros(0)
        return np.vstack(rows), np.concatenate(rest)

    def _position(self, t: Any, q: Array) -> Array:
        v = np.zeros_like(q)
        own = np.array(self.base.position(t, q)).ravel() if any(self.base.holonomic) else np.zeros(0)
        rests = [one.motion(float(t), q, v)[0] - one.numbers["gap"] for one in self.held if not one.rubs]
        return np.concatenate([own, rests])

    def _velocity(self, t: Any, q: Array) -> tuple[Array, Array]:
        v = np.zeros_like(q)
        A, _ = self.conditions(float(t), q, v)
        own = np.array(self.base.velocity(t, q)[1]).ravel() if self.base.m else np.zeros(0)
        return A, np.concatenate([own, [one.motion(float(t), q, v)[2] for one in self.held]])

    def _acceleration(self, t: Any, q: Array, v: Array) -> Array:
        return self.conditions(float(t), q, v)[1]

    # -- the system ----------------------------------------------------------------------------------------------------

    def _evaluate(self, t: Any, q: Array, v: Array, u: Array) -> tuple[Array, Array]:
        return self.base.evaluate(t, q, v, self.loads(float(t), q, v, u))

    def _jacobians(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Array, Array]:
        """Those of the system, and what contacts add, by differences: Newton's method needs them roughly."""
        whole = self.loads(float(t), q, v, u)
        K, C = (one.copy() for one in self.base.jacobians(t, q, v, a, whole, lam[: self.base.m]))
        if not self.contacts:
            return K, C

        ways = [one.motion(float(t), q, v)[1] for one in self.forced]

        def pushed(q: Array, v: Array) -> Array:
            """What contacts add: forces that change along ways that stay, and reactions along ways that turn."""
            found, loads = np.zeros(len(q)), self.loads(float(t), q, v, u)
            for way, one in zip(ways, self.forced, strict=True):
                found += way * loads[one.slot.start]
            for k, one in enumerate(self.held):
                found += one.motion(float(t), q, v)[1] * lam[self.base.m + k]
            return found

        for matrix, by_v in ((K, False), (C, True)):
            at = v if by_v else q
            for i in range(len(q)):
                step = np.zeros(len(q))
                step[i] = _STEP * max(1.0, abs(at[i]))
                ends = [pushed(q, v + s * step) if by_v else pushed(q + s * step, v) for s in (1, -1)]
                matrix[:, i] -= (ends[0] - ends[1]) / (2 * step[i])
        return K, C

    def _powers(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Any, Any]:
        """What rubs takes counts as lost, and what a compliant stop stores as stored."""
        at = float(t)
        whole = self._filled(self.loads(at, q, v, u), lam, at, q, v)
        lost, given = self.base.powers(t, q, v, a, whole, lam[: self.base.m])
        for one in self.forced:
            s, A, b, _ = one.motion(at, q, v)
            power = float(whole[one.slot.start] * (A @ v + b))
            lost, given = lost - power, given - power
            if one.pressing is not None:
                lost -= one.pressing.elastic(s - one.numbers["gap"]) * float(A @ v + b)
        return lost, given

    def _filled(self, u: Array, lam: Array, t: float, q: Array, v: Array) -> Array:
        """The inputs with the reactions of what sticks, rests or rides."""
        for k, one in enumerate(self.held):
            u[one.slot.where] = lam[self.base.m + k]
            if one.riding is not None:
                one.riding.spread(t, q, v, float(lam[self.base.m + k]), u)
        return u

    def _energies(self, t: Any, q: Array, v: Array) -> tuple[Any, Any]:
        kinetic, potential = self.base.energies(t, q, v)
        for one in self.forced:
            if one.pressing is not None:
                potential = potential + one.pressing.stored(one.beyond(float(t), q, v))
        return kinetic, potential

    def _reactions(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> Array:
        whole = self._filled(self.loads(float(t), q, v, u), lam, float(t), q, v)
        return self.base.reactions(t, q, v, a, whole, lam[: self.base.m])

    def exerted(self, t: float, q: Array, v: Array, u: Array) -> Array:
        """All inputs at a state, the forces of all contacts among them."""
        whole = self.loads(t, q, v, u)
        return self._filled(whole, self.solved(t, q, v, whole)[1], t, q, v) if self.held else whole

    @cached_property
    def system(self) -> NonlinearSystem:
        """The system of this phase."""
        base = self.base
        return replace(
            base,
            multipliers=(*base.multipliers, *(f"R_{one.name}" for one in self.held)),
            holonomic=(*base.holonomic, *(not one.rubs for one in self.held)),
            linear=False,
            steady=False,
            stacks=False,
            residual=None,
            forces=None,
            rate_free=False,
            within=None,
            anew=None,
            evaluate=self._evaluate,
            jacobians=self._jacobians,
            powers=self._powers,
            energies=self._energies,
            reactions=self._reactions,
            position=self._position if self.held else base.position,
            velocity=self._velocity if self.held else base.velocity,
            acceleration=self._acceleration if self.held else base.acceleration,
        )
