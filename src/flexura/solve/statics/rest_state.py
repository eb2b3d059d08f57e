"""A state of rest as users get it: a dict of coordinates and shapes that knows its places, positions and values.

>>> rest = fx.equilibrium(equations, values={"P": 10.0})
>>> rest["theta"], rest.position(beam.end), rest.place(beam, 0.5), rest.stable
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.derivation.equations.equations import Equations
from flexura.display import Displayed, Table
from flexura.errors import FlexuraError
from flexura.solve.discretise import function_of_x
from flexura.solve.runs.histories import RunMotion
from flexura.solve.statics.rest_system import LOADS, rest_system
from flexura.solve.statics.stability import stability
from flexura.solve.units import Units
from flexura.solve.values import numbers, real
from flexura.symbolic.engine import Symbol, exact
from flexura.systems.dataframes import dataframe, with_unit

Array: TypeAlias = NDArray[np.float64]


@checked_methods
class Equilibrium(Displayed, dict[str, float | str]):
    """Coordinates and multipliers as numbers, shapes of fields as text in x: what `about=` takes."""

    def __init__(
        self,
        state: Any = (),
        residual: float = 0.0,
        notes: Sequence[str] = (),
        equations: Equations | None = None,
        given: Mapping[str, Any] | None = None,
        stable: bool | None = None,
        error: float | None = None,
    ) -> None:
        """`residual` is the largest imbalance left in a row, relative to the terms that balance there.

        `notes` say which members leave the theory of small deflections, and what that may cost, and what else is to be
        known. `given` are the values it holds for; `stable` says whether the tangent stiffness is positive, if known;
        `error` estimates how far shapes may be from the true ones, beside their size.
        """
        super().__init__(state)
        self.residual, self.notes, self.error = residual, tuple(notes), error
        self.equations, self.given, self._stable = equations, dict(given or {}), stable

    def __repr__(self) -> str:
        return dict.__repr__(self)

    def summary(self) -> str:
        """What is at rest."""
        return f"at rest: {', '.join(self) or 'nothing that moves'}"

    def told(self) -> Iterator[Table | str]:
        """Where everything stands, as text for people: `dict(state)` has the numbers."""
        yield Table(("", "at rest"), [(name, at if isinstance(at, str) else f"{at:.9g}") for name, at in self.items()])
        yield from self.notes

    def to_dataframe(self) -> Any:
        """A pandas table of one row: coordinates with their units, shapes of fields as text in x."""
        units = None if self.equations is None else Units(self.equations.lagrangian)
        moving = set() if self.equations is None else set(self.equations.coordinates)
        columns = {
            with_unit(name, units.coordinate(name) if units is not None and name in moving else ""): [at]
            for name, at in self.items()
        }
        return dataframe(columns, [0], "state")

    @property
    def stable(self) -> bool | None:
        """Whether the tangent stiffness is positive on what constraints leave; None where that cannot be asked."""
        if self._stable is None and self.equations is not None:
            self._stable = _stiff(self.equations, self.given, dict(self))
        return self._stable

    def position(self, place: Any) -> Array:
        """Where a place is, in ground's axes: an array (3,)."""
        return np.asarray(self.motion.position(place)[0])

    def place(self, member: Any, s: Any) -> Any:
        """The fields of a member at the distance s from its start: a number, or an array where it has several."""
        found = np.asarray(self.motion.place(member, s)[0])
        return float(found) if found.ndim == 0 else found

    @property
    def is_drawn(self) -> bool:
        """Where it says where its parts are."""
        return self.equations is not None and self.equations.lagrangian.geometry is not None

    @property
    def motion(self) -> RunMotion:
        """What tells places and positions; made anew where the state was changed."""
        kept = self.__dict__.get("_told")
        if kept is None or kept[0] != dict(self):
            kept = self.__dict__["_told"] = (dict(self), self._made())
        motion: RunMotion = kept[1]
        return motion

    def __getstate__(self) -> dict[str, Any]:
        return {name: one for name, one in self.__dict__.items() if name != "_told"}

    def _made(self) -> RunMotion:
        if self.equations is None:
            raise FlexuraError(
                "This state does not know its equations", advice="ask fx.equilibrium(equations) for one that does"
            )
        known = numbers(self.equations, self.given)
        fields = _RestFields(self.equations, known, dict(self))
        q = np.array([[fields.number(name) for name in fields.names]])
        still = np.zeros_like(q)
        whole = cast(Any, fields)  # it answers what places and positions ask of a discretised system
        return RunMotion(self.equations, cast(Any, None), known, self.given, np.zeros(1), q, still, whole)


def _stiff(equations: Equations, given: Mapping[str, Any], state: Mapping[str, Any]) -> bool | None:
    """Of a system without fields, or of shapes that enter linearly, whose stiffness is that of no deflection."""
    numbers = {name: one for name, one in state.items() if not isinstance(one, str)}
    try:
        rest = rest_system(equations, given, LOADS, 8 if equations.fields else 1, 1)
    except FlexuraError:  # constraints on rates leave more than one state of rest
        return None
    return stability(rest, rest.start(numbers), 1.0).stable


@dataclass(frozen=True, eq=False)
class _Stretch:
    """Where a field begins and ends."""

    start: float
    end: float


@dataclass(frozen=True, eq=False)
class _RestFields:
    """The shapes of one state, asked for as those of a discretised system are."""

    equations: Equations
    known: Mapping[str, float]
    state: Mapping[str, float | str]

    @property
    def names(self) -> tuple[str, ...]:
        """Of what is a number."""
        return self.equations.coordinates

    @cached_property
    def fields(self) -> dict[str, _Stretch]:
        """By name."""
        energies = self.equations.lagrangian
        put = {Symbol(name): exact(value) for name, value in self.known.items()}
        return {
            name: _Stretch(*(real(f.xreplace(put), "A place") for f in (spine.start, spine.end)))
            for spine in energies.spines
            for name in spine.fields
        }

    @property
    def multiplier_fields(self) -> dict[str, _Stretch]:
        """None: forces that hold conditions along members are shapes like others here."""
        return {}

    @property
    def hidden(self) -> tuple[str, ...]:
        """None: a state has a shape for each field."""
        return ()

    @property
    def prescribed(self) -> tuple[str, ...]:
        """None: what a prescribed motion is at rest is put in where it stands."""
        return ()

    def number(self, name: str) -> float:
        """A coordinate."""
        return float(self.state.get(name, 0.0))

    @cached_property
    def _functions(self) -> dict[str, Callable[[Any, int], Array]]:
        return {name: function_of_x(self.state.get(name, "0"), name, self.known) for name in self.fields}

    def values(self, name: str, x: Any, t: Any, q: Any, v: Any = None, derivative: int = 0) -> Array:
        """A field at x: (times, places), or (places,) at one time."""
        found = self._functions[name](np.atleast_1d(np.asarray(x, dtype=np.float64)), derivative)
        return found if np.ndim(t) == 0 else np.broadcast_to(found, (len(t), len(found)))
