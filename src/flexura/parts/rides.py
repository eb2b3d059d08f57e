"""A body that travels along a member: a vehicle on a bridge, a trolley on a rail.

>>> Ride(bridge, car, motion="v*t")                       # held to the deflected axis
>>> Ride(bridge, car, motion="v*t", held=False)           # it may lift off

Where the body is along the member is given; across it the body has a coordinate of its own, and it exerts the force
R_<name> on the member where it stands. That it stays on the deflected axis is a condition of its motion, y = w(s, t),
whose rates hold the convective terms: y_t = w_t + s_t w_x.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.parts.bodies import Body, RigidBody, ground
from flexura.parts.description import Described
from flexura.parts.joints import Slide
from flexura.parts.loads import Force
from flexura.symbolic.engine import TIME
from flexura.symbolic.expression import Expression, check_name
from flexura.symbolic.quantities import text_or_expression


@checked_methods
@dataclass(frozen=True, init=False, eq=False)
class Ride(Described):
    """A body that travels along a member as `motion` says, the distance from the member's start."""

    member: Any
    body: Any
    name: str
    motion: Expression
    held: bool
    parts: tuple[Any, ...]

    def __init__(self, member: Any, body: Any, name: str | None = None, motion: Any = None, held: bool = True) -> None:
        """`fx.Ride(bridge, car, motion="v*t")`; held=False: it may lift off towards +y."""
        if not hasattr(member, "fields") or "transverse" not in getattr(member, "ends", ()):
            raise FlexuraError(
                f"A Ride goes along {member!r}, which is no member that moves across its axis",
                advice="give a beam or a string",
                part=repr(member),
            )
        if not isinstance(body, Body) or body is ground:
            raise FlexuraError(f"{body!r} rides on {member.name}, but it is no body", advice="give a Mass")
        own = check_name(name, "A ride") if name is not None else f"s_{body.name}"
        words = f"the ride of {body.name} on {member.name}"
        if motion is None:
            raise FlexuraError(
                f"T{words[1:]} has no motion: a body that finds its own way along a member is not covered yet",
                advice="give where it is, the distance from the member's start, like motion='v*t'",
                part=words,
                keyword="motion",
            )
        if any(one != 0 for row in body.tensor for one in row):
            raise FlexuraError(
                f"{body.name} rides on {member.name} and has an inertia about its centre, with which it would turn"
                " with the section: that is not covered yet",
                advice="give a Mass, or I=0",
                part=body.name,
                keyword="I",
            )
        read = text_or_expression(motion, what=f"the motion of {words}")
        if TIME not in read.engine.free_symbols:
            raise FlexuraError(
                f"T{words[1:]} stands still at {read}",
                advice="connect it there with Fixed",
                part=words,
                keyword="motion",
            )
        self._set(member=member, body=body, name=own, motion=read, held=bool(held))
        self._set(parts=tuple(self._made()))

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _made(self) -> Iterator[Any]:
        """A carriage that goes along, the body on it, and the force between the body and the member."""
        carriage = RigidBody(f"{self.body.name}_carriage", m=0, I=0)
        yield Slide(ground, carriage, along="x", name=self.name, motion=self.motion)
        yield Slide(carriage, self.body, along="y", name=self.across)
        yield Force(self.body, f"-R_{self.name}(t)")
        yield Force(self.member.at(self.motion), f"R_{self.name}(t)")

    @property
    def made(self) -> tuple[Any, ...]:
        """What it adds to a model: its carriage, and what connects and loads it."""
        return (self.parts[0].q.body, *self.parts)

    @property
    def across(self) -> str:
        """The coordinate of the body across the member."""
        return f"y_{self.body.name}"

    @property
    def words(self) -> str:
        """What sentences call it."""
        return f"the ride of {self.body.name} on {self.member.name}"

    def __repr__(self) -> str:
        return f"Ride({self.member.name}, {self.body.name})"
