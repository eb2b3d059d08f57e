"""`fx.Model`: parts and connections in, a Lagrangian out.

>>> model = Model(Slide(ground, cart, along="x", name="x"), Spring(ground, cart, k="k", along="x"))
>>> print(fx.derive(model))
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Self, TypeVar

from flexura.arguments import checked_methods, nearest
from flexura.display import Displayed, Table, counted
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.model.builder import Builder
from flexura.model.cut_free import Cutting
from flexura.model.releasing import Release, Small
from flexura.model.reordering import Reordered
from flexura.model.riding import riding
from flexura.parts.bodies import Body, BodyPlace, ground
from flexura.parts.control import Sampled, State
from flexura.parts.gears import Gear
from flexura.parts.joints import Connection
from flexura.parts.loads import Constraint, Gravity, Load
from flexura.parts.members.member import Member, Place
from flexura.parts.rides import Ride

_LISTED = Body | BodyPlace | Member | Place | Connection | Load | Gravity | Constraint | Gear | State | Sampled | Ride
_NAMED = 8  # parts in a summary
T = TypeVar("T")


@checked_methods
class Model(Displayed):
    """A system of parts and connections; parts that a connection names need not be listed."""

    def __init__(
        self,
        *things: Any,
        measured_from: Mapping[Any, Any] | None = None,
        names: Mapping[Any, Any] | None = None,
        foreshortening: bool = True,
    ) -> None:
        """`measured_from={beam: a}` states a deflection in a's frame; `names={beam.end: ("q4", "q5")}` names motions.

        `foreshortening=False` leaves out the shortening of bent members: the classical error of rotating systems.
        """
        listed = tuple(_flat(things))
        self.made_by_rides = {one: tuple(riding(one, listed)) for one in listed if isinstance(one, Ride)}
        self.things = (*listed, *(part for made in self.made_by_rides.values() for part in made))
        self.measured_from = dict(measured_from or {})
        self.names = dict(names or {})
        self.foreshortening = foreshortening
        self.nodes: dict[Any, Body] = {}
        self.members: dict[Any, Member] = {}
        self.frame: Mapping[str, Any] | None = None
        for one in self.things:
            if not isinstance(one, _LISTED):
                raise FlexuraError(
                    f"The model holds {one!r}, which is not a part", advice="see the list of parts in the manual"
                )

    def _called(
        self, nodes: Mapping[Any, Body], members: Mapping[Any, Member], frame: Mapping[str, Any] | None
    ) -> Self:
        """The same, its nodes and members known by the names a frame gives them; `frame` is what made all of it."""
        self.nodes, self.members, self.frame = dict(nodes), dict(members), frame
        return self

    @property
    def is_drawn(self) -> bool:
        """Its schematic."""
        return True

    def summary(self) -> str:
        """Which parts it holds."""
        parts, connections = self.parts, [one for one in self.things if isinstance(one, Connection)]
        names = ", ".join(part.name for part in parts[:_NAMED]) + (", ..." if len(parts) > _NAMED else "")
        return f"{names or 'no parts'}, with {counted(len(connections), 'connection')}"

    def told(self) -> Iterator[Table | str]:
        """Its parts, and what joins and loads them."""
        rows = [(type(part).__name__, part.name, "") for part in self.parts]
        for thing in self.things:
            if not isinstance(thing, Body | BodyPlace | Member | Place):
                between = " - ".join(place.name if isinstance(place, Member) else repr(place) for place in _ends(thing))
                rows.append((type(thing).__name__, getattr(thing, "name", "") or "", between))
        yield Table(("kind", "name", "between"), rows)

    @property
    def parts(self) -> list[Body | Member]:
        """Bodies and members: those listed, then those that connections and loads name, each once."""
        named = [*self.things, *(end for thing in self.things for end in _ends(thing)), *self.measured_from.values()]
        found = (part for place in named for part in _owners(place))
        return [part for part in dict.fromkeys(found) if part != ground]

    def member(self, name: Any) -> Member:
        """The member of that name: `fx.Internal(frame.member("beam"), 0, "moment")`."""
        known = {**{one.name: one for one in _members(self.things)}, **self.members}
        return _by_name(name, known, "member")

    def node(self, name: Any) -> Body:
        """The node of that name of a frame, a place for forces, springs and outputs: `fx.Motion(frame.node("B"))`."""
        return _by_name(name, self.nodes, "node")

    @cached_property
    def lagrangian(self) -> Lagrangian:
        """The energies, boundary values and constraints that the derivations read."""
        builder = Builder(self.things, self.measured_from, self.names, self.foreshortening)
        found = builder.lagrangian()
        idle = builder.idle  # what the second pass leaves out it does not find again
        if idle:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what was to be told has been
                builder = Builder(self.things, self.measured_from, self.names, self.foreshortening, idle)
                found = builder.lagrangian()
        small = Small(builder.described, idle) if found.ties else None
        release = Release(builder.described, idle, builder.placed.owners)
        cutting = Cutting(builder.described, idle)
        return found.changed(release=release, small=small, reordered=Reordered.of(builder), cutting=cutting)


def _flat(things: Any) -> Iterator[Any]:
    for one in things:
        if isinstance(one, list | tuple):
            yield from _flat(one)
        else:
            yield one


def _ends(thing: Any) -> list[Any]:
    """The places that a connection or a load names."""
    return [
        place for place in (getattr(thing, name, None) for name in ("p", "q", "place", "member")) if place is not None
    ]


def _owners(place: Any) -> Iterator[Body | Member]:
    """The part that a place is on, or that it is."""
    for part in (place, getattr(place, "member", None), getattr(place, "body", None)):
        if isinstance(part, Body | Member):
            yield part


def _members(things: Any) -> Iterator[Member]:
    for thing in things:
        for one in (thing, getattr(thing, "p", None), getattr(thing, "q", None)):
            member = one if isinstance(one, Member) else getattr(one, "member", None)
            if isinstance(member, Member):
                yield member


def _by_name(name: Any, known: Mapping[Any, T], what: str) -> T:
    try:
        found = name in known
    except TypeError:  # it is no key at all
        found = False
    if not found:
        raise FlexuraError(
            f"The model has no {what} called {name!r}", advice=nearest(str(name), [str(one) for one in known])
        )
    return known[name]
