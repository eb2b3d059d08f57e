"""A path of states of rest as users get it: arrays over its points, and each point as a state of its own.

>>> path.parameter, path["theta"], path.position(beam.end), path.place(beam, 0.5), path.stable
>>> fx.modes(equations, 4, about=path.point(-1))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.derivation.equations.equations import Equations
from flexura.display import Displayed, Table, counted
from flexura.errors import FlexuraError
from flexura.solve.runs.histories import RunMotion
from flexura.solve.runs.positions import Positions
from flexura.solve.statics.follow import FollowedPath
from flexura.solve.statics.rest_state import Equilibrium
from flexura.solve.statics.rest_system import RestSystem
from flexura.solve.statics.shapes import shapes
from flexura.solve.statics.singular import SingularPoint
from flexura.symbolic.engine import Symbol
from flexura.systems.dataframes import dataframe, with_unit

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BranchPoint:
    """Where another path crosses: what `branch=` takes. `-point` is its other side."""

    rest: RestSystem = field(repr=False)
    point: SingularPoint = field(repr=False)
    parameter: float
    side: int = 1

    def __neg__(self) -> BranchPoint:
        return replace(self, side=-self.side)


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class EquilibriumPath(Displayed):
    """States of rest along a parameter: arrays with one entry for each point, in the order of the path.

    `limit_points` are the values at which the parameter turns back, `branch_points` those at which another path
    crosses; `branches` are the latter as `branch=` takes them. `stable` tells where the tangent stiffness is positive.
    """

    name: str
    parameter: Array
    stable: NDArray[np.bool_]
    limit_points: Array
    branch_points: Array
    branches: tuple[BranchPoint, ...] = field(repr=False)
    notes: tuple[str, ...]
    equations: Equations = field(repr=False)
    given: Mapping[str, Any] = field(repr=False)
    rest: RestSystem = field(repr=False)
    states: Array = field(repr=False)

    @property
    def is_drawn(self) -> bool:
        """Where it says where its parts are."""
        return self.equations.lagrangian.geometry is not None

    def summary(self) -> str:
        """Of which parameter, and what was met on the way."""
        met = f"{counted(len(self.limit_points), 'limit point')}, {counted(len(self.branch_points), 'branch point')}"
        span = f"{self.name} = {self.parameter[0]:.6g} to {self.parameter[-1]:.6g}"
        return f"{counted(len(self.parameter), 'state')} of rest, {span}, {met}"

    def told(self) -> Iterator[Table | str]:
        """A row for each point, the special ones, and what is to be known."""
        rows = [(f"{p:.9g}", "yes" if held else "no") for p, held in zip(self.parameter, self.stable, strict=True)]
        yield Table((self.name, "stable"), rows)
        for word, points in (("Limit", self.limit_points), ("Branch", self.branch_points)):
            if len(points):
                yield f"{word} points: {', '.join(f'{p:.9g}' for p in points)}"
        yield from self.notes

    @classmethod
    def of(
        cls,
        equations: Equations,
        given: Mapping[str, Any],
        rest: RestSystem,
        path: FollowedPath,
        notes: Sequence[str],
    ) -> EquilibriumPath:
        """From what was followed."""
        branches = tuple(BranchPoint(rest, point, point.p) for point in path.points if point.kind == "branch")
        return cls(
            rest.parameter,
            np.array([state.p for state in path.states]),
            np.array(path.stable, dtype=np.bool_),
            np.array([point.p for point in path.points if point.kind == "limit"]),
            np.array([branch.parameter for branch in branches]),
            branches,
            tuple(notes),
            equations,
            given,
            rest,
            np.array([state.y for state in path.states]),
        )

    def __len__(self) -> int:
        return len(self.parameter)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __getitem__(self, name: str) -> Array:
        if name not in self._columns:
            known = ", ".join(one for one in self._columns if "[" not in one)
            raise FlexuraError(f"The path has no {name!r}", advice=f"it knows {known or self.name}")
        return self._columns[name]

    @cached_property
    def _columns(self) -> dict[str, Array]:
        """Coordinates, free end values, amplitudes, multipliers and the parameter, by name."""
        found = dict(zip(self.rest.system.names, self._motion.q.T, strict=True))
        lam = np.array([self.rest.multipliers(y) for y in self.states])
        return {**found, **dict(zip(self.rest.system.multipliers, lam.T, strict=True))}

    def to_dataframe(self) -> Any:
        """A pandas table, a row for each point: the parameter, what it knows by name with units, and `stable`."""
        unit = self._motion.unit
        columns = {with_unit(name, unit(name)): self[name] for name in self if name != self.name}
        parameter = with_unit(self.name, unit(self.name))
        return dataframe({parameter: self.parameter, **columns, "stable": self.stable}, np.arange(len(self)), "point")

    def place(self, member: Any, s: Any) -> Array:
        """The fields of a member at the distance s from its start: (points,), or (points, fields)."""
        return self._motion.place(member, s)

    def position(self, place: Any) -> Array:
        """Where a place is, in ground's axes: (points, 3)."""
        geometry = self.equations.lagrangian.geometry
        if geometry is not None and not self._moves_geometry:
            return np.array(self._motion.position(place))
        return np.array([self._at(k, place) for k in range(len(self))])

    def point(self, k: int) -> Equilibrium:
        """One point of the path as a state of rest, which `about=` takes."""
        if not -len(self) <= k < len(self):
            raise FlexuraError(
                f"The path has {len(self)} points, and no point {k}", advice="count from 0, or back from -1"
            )
        rest, y, p = self.rest, self.states[k], float(self.parameter[k])
        names = (*self.equations.coordinates, *self.equations.lagrangian.multipliers)
        state: dict[str, Any] = {name: float(self[name][k]) for name in names}
        state |= shapes(rest, y, p)
        return Equilibrium(state, 0.0, self.notes, self.equations, self._given(k), bool(self.stable[k]))

    def _given(self, k: int) -> dict[str, Any]:
        return {**self.given, self.name: float(self.parameter[k])}

    @cached_property
    def _moves_geometry(self) -> bool:
        """Whether positions hold the parameter itself, as those of a support that it moves do."""
        energies, symbol = self.equations.lagrangian, Symbol(self.name)
        seen = list[bool]()

        def look(f: Any) -> Any:
            seen.append(symbol in energies.driven(f).free_symbols)
            return f

        energies.geometry.map(look)
        return any(seen)

    def _at(self, k: int, place: Any) -> Array:
        found = Positions(self.equations, self._given(k)).point(place)
        return np.asarray(found(self._motion.state(k), 0.0))

    @cached_property
    def _motion(self) -> RunMotion:
        q = np.array([self.rest.q(y, p) for y, p in zip(self.states, self.parameter, strict=True)])
        known = {symbol.name: float(value) for symbol, value in self.rest.layout.numbers.known.items()}
        given = {**self.given, self.name: float(self.parameter[0])}
        still, nobody = np.zeros_like(q), cast(Any, None)
        motion = RunMotion(self.equations, nobody, known, given, np.zeros(len(q)), q, still, self.rest.system)
        motion.__dict__["solved"] = still, np.array([self.rest.multipliers(y) for y in self.states])
        return motion
