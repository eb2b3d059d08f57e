"""Where places are in space, at a state or at many: for trajectories and for pictures.

    >>> tip = Positions(equations, {"l": 1.3}).point("beam.end")
    >>> tip({"theta": 0.2, "w": lambda x, derivative=0: 0.01 * x**2}, t=0.0)        # array (3,)

A state gives coordinates as numbers and fields as functions of x and of the number of derivatives; arrays in it make
arrays of positions. Positions are r_0 + R (x e1 + deflection), and what lies beyond a bent piece of a member is drawn
in by half the integral of its squared slope, as the model keeps it (theory, section 2): a bent axis keeps its length up
to terms of fourth order.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import symengine
from numpy.typing import ArrayLike, NDArray

from flexura.derivation.equations.equations import Equations
from flexura.energy.lagrangian import Lagrangian, Spine
from flexura.errors import FlexuraError
from flexura.solve.values import numbers, real
from flexura.symbolic.engine import SPINE, TIME, ZERO, Basic, Symbol, exact, partial
from flexura.symbolic.expression import Expression, ParameterDeclaration
from flexura.symbolic.jets import Jet
from flexura.symbolic.kinematics.geometry import Anchor, Bend, Geometry, Join, Located
from flexura.symbolic.kinematics.vectors import Vector, add, change, turn
from flexura.symbolic.machine import machine_function
from flexura.symbolic.places import read_place
from flexura.symbolic.quantities import text_or_expression

Array = NDArray[np.float64]
State = Mapping[str, Any]
_SLACK = 1e-9
NODES, WEIGHTS = np.polynomial.legendre.leggauss(20)
NODES, WEIGHTS = (NODES + 1) / 2, WEIGHTS / 2


@dataclass(frozen=True)
class Point:
    """A point, or points at several `x` of one line, as a function of state and time; what a state lacks is zero."""

    name: str
    trees: Vector
    jets: tuple[Jet, ...]
    ends: Mapping[str, tuple[float, float]]
    x: Array | None = None
    drawn: tuple[DrawnIn, ...] = ()
    spine: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        kept = (self.name, self.trees, self.jets, self.ends, self.x, self.drawn, self.spine)
        return Point, kept  # what is compiled stays here

    def __call__(self, state: State, t: ArrayLike = 0.0) -> Array:
        """r in ground's axes: (3,), or (..., 3) where the state or t holds arrays."""
        first = self._evaluated(self._position, [self._given(jet, state) for jet in self.jets], t)
        return sum((one(self, state, t) for one in self.drawn), first)

    def displacement(self, state: State, t: ArrayLike = 0.0) -> NDArray[Any]:
        """The first-order displacement by a small motion, which may be complex: a mode's shape in space."""
        given = [np.asarray(self._given(jet, state)) for jet in self.jets]
        if not given:
            return np.zeros((*np.broadcast_shapes(np.shape(t), np.shape(self.x) if self.x is not None else ()), 3))
        slopes = self._evaluated(self._slopes, [np.zeros(one.shape) for one in given], t)
        columns = (slopes[..., 3 * i : 3 * i + 3] * one[..., None] for i, one in enumerate(given))
        return sum(columns, np.zeros((*slopes.shape[:-1], 3)))

    def at(self, jets: list[Any], t: ArrayLike) -> Array:
        """r where the jets have these values: (..., 3)."""
        return self._evaluated(self._position, jets, t)

    def slopes(self, jets: list[Any], t: ArrayLike) -> Array:
        """dr by each jet, where the jets have these values: (..., 3, jets)."""
        found = self._evaluated(self._slopes, jets, t) if self.jets else np.zeros((*np.shape(t), 0))
        return np.swapaxes(found.reshape(*found.shape[:-1], len(self.jets), 3), -1, -2)

    @cached_property
    def _position(self) -> Callable[[Array], Array]:
        return self._compiled(self.trees)

    @cached_property
    def _slopes(self) -> Callable[[Array], Array]:
        return self._compiled([partial(f, jet.symbol) for jet in self.jets for f in self.trees])

    def _compiled(self, trees: Any) -> Callable[[Array], Array]:
        compiled: Callable[[Array], Array] = machine_function(
            [TIME, SPINE, *(jet.symbol for jet in self.jets)], [one + ZERO for one in trees], backend="lambda"
        )
        return compiled

    def _evaluated(self, function: Callable[[Array], Array], given: list[Any], t: ArrayLike) -> Array:
        place = 0.0 if self.x is None else self.x
        columns = np.broadcast_arrays(*(np.asarray(one, dtype=np.float64) for one in (t, place, *given)))
        return np.asarray(function(np.ascontiguousarray(np.stack(columns, axis=-1))), dtype=np.float64)

    def _given(self, jet: Jet, state: State) -> Any:
        value = state[jet.name] if jet.name in tuple(state) else 0.0  # a Shape asked for a stranger raises
        if not callable(value):
            return value
        where = self.x if not jet.end else self.ends[jet.name][jet.end == "b"]
        return value(where, jet.x)


def _each(state: State) -> Iterator[tuple[str, Any]]:
    return ((name, state[name]) for name in tuple(state))


@dataclass(frozen=True)
class DrawnIn:
    """What the bending of one piece of a member does to points on it, or beyond it: amount and direction.

    `squared` is the square of its slope, `axis` its direction in space; particles on the piece itself are drawn in by
    what lies between them and its held end.
    """

    bend: Bend
    squared: Point
    axis: Point
    ends: tuple[float, float]

    @property
    def span(self) -> tuple[float, float]:
        """Where the piece is held, and its other end."""
        start, end = self.ends
        return (start, end) if self.bend.outward > 0 else (end, start)

    def __call__(self, point: Point, state: State, t: ArrayLike) -> Array:
        """The displacement of a point, (..., 3)."""
        held, far = self.span
        own = point.spine == self.bend.spine and point.x is not None
        to = np.atleast_1d(np.asarray(point.x, dtype=np.float64)) if own else np.array([far])
        nodes = held + (to - held)[:, None] * NODES
        wide = {name: one if callable(one) else np.asarray(one)[..., None] for name, one in _each(state)}
        flat = replace(self.squared, x=nodes.ravel())(wide, np.asarray(t)[..., None])[..., 0]
        summed = np.abs(to - held) * (flat.reshape(*flat.shape[:-1], len(to), len(NODES)) @ WEIGHTS)
        direction = -self.bend.outward * np.asarray(self.axis(state, t))
        if not own or np.asarray(point.x).ndim == 0:
            return np.asarray(direction * summed[..., 0, None] / 2)
        return np.asarray(direction[..., None, :] * summed[..., None] / 2)


@dataclass(frozen=True)
class DrawnPart:
    """Something to draw: a "member" (its points along x), or a "body" (its mass centre)."""

    kind: str
    name: str
    point: Point


class Positions:
    """The places of a system with numbers put in."""

    def __init__(
        self,
        equations: Equations,
        values: Mapping[str, Any] | None = None,
        only: Container[str] | None = None,
        still: bool = False,
    ) -> None:
        """`values` as for every answer; `only` names the parts to look at, where a few are enough.

        `still`: motions that inputs give are at rest, as they are in modes.
        """
        self.energies: Lagrangian = equations.lagrangian
        geometry: Geometry | None = self.energies.geometry
        if geometry is None:
            raise FlexuraError(
                "These equations do not say where their parts are, because they were written as energies",
                advice="describe the system by parts with fx.Model",
            )
        known = {name: one for name, one in (values or {}).items() if name not in self.energies.inputs}
        self.known = {Symbol(name): exact(value) for name, value in numbers(equations, known).items()}
        if only is not None:
            geometry = Geometry(tuple(part for part in geometry.parts if part.name in only))
        rest = {Symbol(name): ZERO for name in self.energies.inputs} if still else {}
        self.geometry = geometry.map(lambda f: self.energies.followed(f).xreplace({**self.known, **rest}))
        self.ends = {
            name: (self._number(spine.start), self._number(spine.end))
            for spine in self.energies.spines
            for name in spine.fields
        }

    def point(self, place: Any) -> Point:
        """A body, `body.at(...)`, a place on a member, or the same as text: "hub", "hub.at(r)", "beam.end"."""
        return self.anchored(self.anchor(place))

    def anchored(self, anchor: Anchor) -> Point:
        """The point of a join."""
        if anchor.everywhere:
            raise FlexuraError(
                "fx.ground is everywhere, so it has no position", advice="say where with fx.ground.at(x, y, z)"
            )
        if anchor.part == "ground":
            return self.placed("ground", change(anchor.point, lambda f: f.xreplace(self.known)))
        if anchor.part in self.energies.members:
            return self._on_member(anchor.part, self._number(anchor.point[0]))
        body = next((one for one in self.geometry.parts if one.name == anchor.part and not one.spine), None)
        if body is None:
            names = ", ".join(one.name for one in self.geometry.parts if not one.spine)
            raise FlexuraError(
                f"There is no part called {anchor.part!r}",
                advice=f"bodies are {names or 'none'}, members are {', '.join(self.energies.members) or 'none'}",
            )
        arm = change(anchor.point, lambda f: f.xreplace(self.known))
        return self._drawn(self.placed(body.name, add(body.position, turn(body.rotation, arm))), body)

    def line(self, spine: str, points: int = 41) -> Point:
        """Points along the line of one spine, evenly spread."""
        located = self._line(spine)
        start, end = self.ends[spine]
        line = replace(self.placed(located.name, located.position), x=np.linspace(start, end, points))
        return self._drawn(line, located)

    def drawing(self, points: int = 41) -> tuple[DrawnPart, ...]:
        """Every member, in the pieces between attachments, and every body."""
        return tuple(
            DrawnPart("member", one.name, self.line(one.spine, points))
            if one.spine
            else DrawnPart("body", one.name, self._drawn(self.placed(one.name, one.position), one))
            for one in self.geometry.parts
        )

    @property
    def joins(self) -> tuple[Join, ...]:
        """The connections, springs and dampers."""
        return self.geometry.joins

    def anchor(self, place: Any) -> Anchor:
        """A place as a point of a part."""
        if isinstance(place, str):
            return self._text(place)
        if hasattr(place, "member") and hasattr(place, "position"):
            return Anchor(place.member.name, (self._tree(place.position), ZERO, ZERO))
        if hasattr(place, "body") and hasattr(place, "offset"):
            return Anchor(place.body.name, change(place.offset, self._tree), place.everywhere)
        if hasattr(place, "tensor"):
            return self.anchor(place.place)
        name = getattr(place, "name", None)
        if name in self.energies.members:
            raise FlexuraError(f"{name} is a whole member", advice="name a place on it: .start, .end or .at(s)")
        raise FlexuraError(f"{place!r} is not a place", advice="give a body, a point of it, or a place on a member")

    def _text(self, text: str) -> Anchor:
        part, which, at = read_place(text)
        if part in self.energies.members:
            if not which or len(at) > 1:
                raise FlexuraError(
                    f"{text!r} is no place on the member {part}", advice=f"write {part}.start, .end or .at(s)"
                )
            spines = [self.energies.spine_of(one) for one in self.energies.members[part]]
            position = {"start": spines[0].start, "end": spines[-1].end}.get(which)
            return Anchor(part, (self._tree(at[0]) if position is None else position, ZERO, ZERO))
        if which in ("start", "end"):
            raise FlexuraError(
                f"{text!r} is no place, because {part} is no member", advice=f"members are {self._members()}"
            )
        x, y, z = (self._tree(one) for one in (*at, "0", "0", "0")[:3])
        return Anchor(part, (x, y, z), everywhere=part == "ground" and not at)

    def _members(self) -> str:
        return ", ".join(self.energies.members) or "none"

    def _tree(self, given: Any) -> Basic:
        if isinstance(given, symengine.Basic):
            return given
        read = text_or_expression(given, what="a place") if not isinstance(given, Expression) else given
        carried = [one for one in read.declarations if isinstance(one, ParameterDeclaration)]
        own = {Symbol(one.name): exact(one.value) for one in carried if one.value is not None}
        return read.engine.xreplace(own | self.known)  # what was given for this question comes first

    def _number(self, f: Basic) -> float:
        return real(f.xreplace(self.known), "A place")

    def _line(self, spine: str) -> Located:
        return next(one for one in self.geometry.parts if one.spine == spine)

    def _on_member(self, name: str, x: float) -> Point:
        spines: list[Spine] = [self.energies.spine_of(one) for one in self.energies.members[name]]
        for spine in spines:
            start, end = self.ends[spine.name]
            slack = _SLACK * (end - start)
            if start - slack <= x <= end + slack:
                located = self._line(spine.name)
                point = replace(self.placed(name, located.position), x=np.asarray(min(max(x, start), end)))
                return self._drawn(point, located)
        first, last = self.ends[spines[0].name][0], self.ends[spines[-1].name][1]
        raise FlexuraError(f"The place x = {x:g} is not on {name}, which runs from {first:g} to {last:g}.")

    def _drawn(self, point: Point, part: Located) -> Point:
        """A point of a part with all that draws it in."""
        key = part.spine or part.name
        mine = [one for one in self.geometry.bends if one.outward and key in (one.spine, *one.carried)]
        return replace(point, drawn=tuple(self._drawn_in(one) for one in mine), spine=part.spine)

    def _drawn_in(self, bend: Bend) -> DrawnIn:
        a, b, c = (row[0] for row in self._line(bend.spine).rotation)
        squared = self.placed(bend.member, (bend.squared, ZERO, ZERO))
        return DrawnIn(bend, squared, self.placed(bend.member, (a, b, c)), self.ends[bend.spine])

    def placed(self, name: str, trees: Vector) -> Point:
        """The point that trees in the unknowns, x and t tell."""
        jets = {jet.label: jet for f in trees for jet in self.energies.jets.unknowns(f)}
        left = sorted({symbol.name for f in trees for symbol in f.free_symbols} - {TIME.name, SPINE.name, *jets})
        if left:
            problem = f"The position of {name} holds {', '.join(left)}"
            raise FlexuraError(problem, advice="give values for them", missing=tuple(left))
        return Point(name, trees, tuple(jets.values()), self.ends)
