"""Histories of a simulated system by name, computed when they are asked for; places and positions from the same states.

>>> motion = RunMotion(equations, mechanics, known, times, q, v)
>>> motion.histories["theta_tt"], motion.place(beam, "l/2"), motion.position(beam.end)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.solve.runs.charts import Courses
from flexura.solve.runs.looked import RunOutputs
from flexura.solve.runs.pieces import Phased
from flexura.solve.runs.positions import Positions
from flexura.solve.runs.reactions import reaction_history
from flexura.solve.steppers.mechanics import Mechanics
from flexura.solve.units import Units
from flexura.symbolic.engine import Symbol, exact
from flexura.symbolic.expression import ParameterDeclaration
from flexura.symbolic.outputs import Internal, Motion, Reaction, Weighted, is_body, is_output
from flexura.symbolic.quantities import quantity
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RunMotion:
    """States of a system at times, and everything that follows from them."""

    equations: Equations
    mechanics: Mechanics | Phased | Courses
    known: Mapping[str, float]
    values: Mapping[str, Any]
    t: Array
    followed: Array
    rates: Array
    whole: NonlinearSystem
    T: Array | None = None

    def __getstate__(self) -> dict[str, Any]:
        """With all found that inputs are needed for: they may be functions of the user's, which are not pickled."""
        for found in ("solved", "loads", "driven", *(("reactions",) if self.whole.prescribed else ())):
            getattr(self, found)
        return {name: one for name, one in self.__dict__.items() if name not in ("mechanics", "_positions")}

    def _all(self, rows: Array) -> Array:
        return rows if self.T is None else np.asarray(rows @ self.T.T)

    @cached_property
    def q(self) -> Array:
        """All unknowns: (times, n)."""
        return self._all(self.followed)

    @cached_property
    def v(self) -> Array:
        """Their rates."""
        return self._all(self.rates)

    @cached_property
    def histories(self) -> Histories:
        """By name."""
        return Histories(self)

    @cached_property
    def solved(self) -> tuple[Array, Array]:
        """Accelerations and multipliers, from the equations at each time."""
        a, multipliers = self.mechanics.accelerations(self.t, self.followed, self.rates)
        return self._all(a), multipliers

    @cached_property
    def driven(self) -> Array:
        """Prescribed coordinates and their derivatives: (3, times, count)."""
        return self.whole.motions(self.t)

    @cached_property
    def reactions(self) -> Array:
        """The loads that drive prescribed coordinates."""
        a, multipliers = self.solved
        if self.whole.stacks:
            return self.whole.reactions(self.t, self.q, self.v, a, self.loads, multipliers)
        rows = zip(self.t, self.q, self.v, a, self.loads, multipliers, strict=True)
        return np.array([self.whole.reactions(*one).copy() for one in rows])

    @cached_property
    def loads(self) -> Array:
        """u at the times."""
        found = np.asarray(self.mechanics.inputs(self.t))
        return found if self.whole.fed is None else self.whole.fed(self.t, self.q, self.v, found)

    def shown(self) -> dict[str, Array]:
        """What a table of the run shows: coordinates, prescribed ones, and fields at their ends that are free."""
        energies = self.equations.lagrangian
        rows = {name: self.histories[name] for name in (*energies.coordinates, *energies.prescribed)}
        for name in self.equations.fields:
            end = self.whole.fields[name].end
            if f"{name}@b" not in energies.settled_boundary:  # else it is a coordinate, or held
                rows[f"{name}({end:g})"] = self.place(name, end)
        return rows

    def unit(self, name: str) -> str:
        """The unit of a history by its name, "" where it is not known."""
        energies = self.equations.lagrangian
        return Units(energies).named(name) if isinstance(energies, Lagrangian) and "[" not in name else ""

    # -- places ---------------------------------------------------------------------------------------------------

    def output(self, output: Any) -> Array:
        """The history of fx.Motion, fx.Reaction or fx.Internal, or the fields of a place."""
        if isinstance(output, Reaction):
            return reaction_history(self, output)
        output = self._outputs.only(output) if is_body(output) else output
        if isinstance(output, Motion | Internal | Weighted):
            return self._outputs(output)
        if isinstance(output, tuple):
            place, field = output
            fields = self.equations.lagrangian.spine_of(self.place_on(place.member, place.position)[0]).fields
            return self._one_field(np.atleast_2d(self.place(place.member, place).T), fields, place, field)
        return self.place(output.member, output)

    def _one_field(self, columns: Array, fields: tuple[str, ...], place: Any, field: Any) -> Array:
        wanted = str(getattr(field, "name", field))
        names = [one.name for one in getattr(place.member, "fields", ())] or list(fields)
        if wanted not in names:
            raise FlexuraError(f"{place!r} has no field {wanted!r}", advice=f"it has {', '.join(names)}")
        return np.asarray(columns[names.index(wanted)])

    @cached_property
    def _outputs(self) -> RunOutputs:
        return RunOutputs(self)

    def place_on(self, member: Any, s: Any) -> tuple[str, float]:
        """The spine of a member just before s, and x on it."""
        energies, name = self.equations.lagrangian, str(getattr(member, "name", member))
        if name not in energies.members:
            known = ", ".join(energies.members) or "no members"
            raise FlexuraError(
                f"The output lies on {name}, which the equations do not hold", advice=f"they hold {known}"
            )
        spines = [energies.spine_of(one) for one in energies.members[name]]
        x, maps = self._number(s, name), [self.whole.fields[one.fields[0]] for one in spines]
        slack = 1e-9 * (maps[-1].end - maps[0].start)
        for spine, one in zip(spines, maps, strict=True):
            if one.start - slack <= x <= one.end + slack:
                return spine.name, min(max(x, one.start), one.end)
        raise FlexuraError(
            f"The place x = {x:g} is not on {name}, which runs from {maps[0].start:g} to {maps[-1].end:g}."
        )

    def place(self, member: Any, s: Any) -> Array:
        """The fields of a member at s: (times,), or (times, fields) where it has several."""
        energies = self.equations.lagrangian
        name = str(getattr(member, "name", member))
        if name in energies.members:
            spines = [energies.spine_of(one) for one in energies.members[name]]
        elif name in energies.fields:
            return self._along((name,), (name,), name, s)
        else:
            known = ", ".join((*energies.members, *energies.fields)) or "none"
            raise FlexuraError(f"There is no member {name!r}", advice=f"members and fields are {known}")
        owners = tuple(spine.fields[0] for spine in spines)
        x = self._number(s, name)
        ends = [self.whole.fields[one].end for one in owners]
        which = next((i for i, end in enumerate(ends) if x <= end * (1 + 1e-9)), len(ends) - 1)
        return self._along(owners, energies.shown(spines[which].fields), name, s, which)

    def _along(self, owners: tuple[str, ...], fields: tuple[str, ...], name: str, s: Any, which: int = 0) -> Array:
        x, maps = self._number(s, name), {**self.whole.fields, **self.whole.multiplier_fields}
        first, last = maps[owners[0]].start, maps[owners[-1]].end
        slack = 1e-9 * (last - first)
        if not first - slack <= x <= last + slack:
            raise FlexuraError(f"The place x = {x:g} is not on {name}, which runs from {first:g} to {last:g}.")
        at = min(max(x, maps[owners[which]].start), maps[owners[which]].end)
        columns = [self._field(one, at, 0) for one in fields]
        return columns[0] if len(columns) == 1 else np.column_stack(columns)

    def _field(self, name: str, x: Any, derivative: int) -> Array:
        if name in self.whole.multiplier_fields:
            return np.asarray(self._forces(name, x, derivative)[:, 0])
        return np.asarray(self.whole.values(name, x, self.t, self.q, None, derivative)[:, 0])

    def _forces(self, name: str, x: Any, derivative: int) -> Array:
        """A multiplier field: (times, places)."""
        table = self.whole.multiplier_fields[name].matrix(np.atleast_1d(np.asarray(x, dtype=np.float64)), derivative)
        return np.asarray(self.solved[1] @ table.T)

    def _number(self, s: Any, name: str) -> float:
        given = getattr(s, "position", s)  # a place on the member serves as well
        read = quantity(given, "place", name, dimension="m")
        carried = [one for one in read.declarations if isinstance(one, ParameterDeclaration)]
        values = {Symbol(one.name): exact(one.value) for one in carried if one.value is not None}
        values |= {Symbol(one): exact(number) for one, number in self.known.items()}
        tree = read.engine.xreplace(values)
        left = sorted(one.name for one in tree.free_symbols)
        if left:
            problem = f"The place on {name} holds {', '.join(left)}"
            raise FlexuraError(problem, advice="give values for it, or a number", missing=tuple(left))
        return float(tree)

    def position(self, place: Any) -> Array:
        """Where a place is, in ground's axes: (times, 3)."""
        found = self._positions.point(place)(self.state(), self.t)
        return np.broadcast_to(found, (len(self.t), 3))

    @cached_property
    def _positions(self) -> Positions:
        return Positions(self.equations, self.values)

    @cached_property
    def rigid_path(self) -> Any:
        """Where the bodies of a rigid model are at any time."""
        from flexura.solve.runs.rigid_path import RigidPath

        return RigidPath.of(self)

    def state(self, at: int | None = None) -> dict[str, Any]:
        """Coordinates as arrays over the times and fields as functions of x, or both at one time."""
        names = self.whole.names
        rows = slice(None) if at is None else at
        given = {
            f"{name}{rate}": self.driven[k][rows, i]
            for i, name in enumerate(self.whole.prescribed)
            for k, rate in enumerate(("", "_t"))
        }
        fields = {name: self._function(name, at) for name in (*self.equations.fields, *self.whole.hidden)}
        return given | {name: self.q[rows, i] for i, name in enumerate(names)} | fields

    def _function(self, name: str, at: int | None) -> Callable[..., Array]:
        system = self.whole

        def value(x: Any, derivative: int = 0) -> Array:
            if name in system.multiplier_fields:
                found = self._forces(name, x, derivative)[slice(None) if at is None else at]
                return np.asarray(found[..., 0] if np.ndim(x) == 0 else found)
            if at is None:
                found = system.values(name, x, self.t, self.q, None, derivative)
                return np.asarray(found[:, 0] if np.ndim(x) == 0 else found)
            found = system.values(name, x, float(self.t[at]), self.q[at], None, derivative)
            return np.asarray(found[0] if np.ndim(x) == 0 else found)

        return value


@dataclass(frozen=True, eq=False)
class Histories(Mapping[str, Array]):
    """Coordinates and amplitudes, their rates (_t) and accelerations (_tt), multipliers, reactions (Q_), inputs."""

    motion: RunMotion

    __eq__, __hash__ = object.__eq__, object.__hash__  # never of the arrays that it holds

    def __reduce__(self) -> tuple[Any, ...]:
        return Histories, (self.motion,)

    @cached_property
    def _sources(self) -> dict[str, Callable[[], Array]]:
        motion, system = self.motion, self.motion.whole
        found: dict[str, Callable[[], Array]] = {}

        def column(of: Callable[[], Array], i: int) -> Callable[[], Array]:
            return lambda: of()[:, i]

        def driving(curve: Callable[[Array], Array], k: int) -> Callable[[], Array]:
            return lambda: curve(motion.t)[k]

        states = {f"${name}": name for name in getattr(motion.equations.lagrangian, "states", ())}
        for i, name in enumerate(system.names):
            if name in states:  # followed as the rate of a hidden coordinate
                found[states[name]] = column(lambda: motion.v, i)
                found[f"{states[name]}_t"] = column(lambda: motion.solved[0], i)
                continue
            found[name] = column(lambda: motion.q, i)
            found[f"{name}_t"] = column(lambda: motion.v, i)
            found[f"{name}_tt"] = column(lambda: motion.solved[0], i)
        for i, name in enumerate(system.prescribed):
            found[name] = column(lambda: motion.driven[0], i)
            found[f"{name}_t"] = column(lambda: motion.driven[1], i)
            found[f"{name}_tt"] = column(lambda: motion.driven[2], i)
            found[f"Q_{name}"] = column(lambda: motion.reactions, i)
        for name, curve in (getattr(motion.equations.lagrangian, "driving", None) or {}).items():
            for k, rate in enumerate(("", "_t", "_tt")):
                found.setdefault(f"{name}{rate}", driving(curve, k))
        for i, name in enumerate(system.multipliers):
            found[name] = column(lambda: motion.solved[1], i)
        for slot in system.slots:
            if slot.size == 1 and slot.points is None and not slot.derivative and slot.name not in found:
                found[slot.name] = column(lambda: motion.loads, slot.start)
        return found

    def __getitem__(self, name: Any) -> Array:
        return self.motion.output(name) if is_output(name) else self._sources[name]()

    def __contains__(self, name: object) -> bool:
        return is_output(name) or (isinstance(name, str) and name in self._sources)

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def __len__(self) -> int:
        return len(self._sources)
