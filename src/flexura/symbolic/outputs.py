"""What is looked at: the motion of a place, what a connection exerts, what a section of a member carries.

>>> Motion(beam.end, along="x"), Reaction(clamp, about="z"), Internal(beam, "l/2", "moment")

Outputs are words alone; each verb reads from equations or states what they mean there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from typing import Any, NoReturn

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError, warn
from flexura.symbolic.kinematics.axes import direction
from flexura.symbolic.kinematics.vectors import Vector

RESULTANTS = ("moment", "shear", "axial", "torque", "shear_z", "moment_y")
"""What a section may carry."""


@checked_methods
@dataclass(frozen=True, init=False)
class Motion:
    """The displacement of a place from the reference configuration, along one of ground's axes.

    Prescribed motion is part of it. With `relative_to` another place it is relative to that, along the present axes of
    what that lies on. `about` an axis gives the rotation instead: the whole angle in the plane, in space the component
    of the rotation vector. `.t` is its rate and `.tt` its acceleration; relative ones are those that are seen there.

    >>> run[fx.Motion(beam.end, along="x")], run[fx.Motion(beam.end).tt]
    >>> fx.frequency_response(equations, omega, "F", fx.Motion(car, about="z"))
    """

    place: Any
    along: Vector | None
    relative_to: Any
    about: Vector | None
    rate: int

    def __init__(self, place: Any, along: Any = "y", relative_to: Any = None, about: Any = None, rate: int = 0) -> None:
        """`along` and `about` are "x", "y", "z", a signed one, or a vector; `rate` counts time derivatives, up to 2."""
        _refuse_no_place(place, "A Motion")
        if relative_to is not None:
            _refuse_no_place(relative_to, "relative_to of a Motion")
        what = f"the motion of {place!r}"
        _fill(
            self,
            place=place,
            along=None if about is not None else direction(along, what, "along"),
            relative_to=relative_to,
            about=None if about is None else direction(about, what, "about"),
            rate=rate,
        )
        _checked_rate(self)

    @property
    def t(self) -> Motion:
        """Its rate."""
        return self.differentiated(1)

    @property
    def tt(self) -> Motion:
        """Its acceleration."""
        return self.differentiated(2)

    def differentiated(self, times: int) -> Motion:
        """The same motion's derivative in time; -rate gives the motion itself."""
        other = copy(self)
        _fill(other, rate=self.rate + times)
        return _checked_rate(other)

    def __repr__(self) -> str:
        """What it shows, as a label has it."""
        way = f"about {_letter(self.about)}" if self.about else f"along {_letter(self.along)}"
        other = "" if self.relative_to is None else f" relative to {_called(self.relative_to)}"
        words = (
            ("turn", "rate of turn", "angular acceleration") if self.about else ("motion", "velocity", "acceleration")
        )
        return f"{words[self.rate]} of {_called(self.place)} {way}{other}"


@checked_methods
@dataclass(frozen=True, init=False)
class Reaction:
    """What a connection exerts on its second place q, in ground's axes: a force `along`, or a moment `about`, an axis.

    With neither it is the force as a vector, (times, 3), of a run. A connection is the object itself, or the name of a
    coordinate that it owns.

    >>> run[fx.Reaction(hinge)], fx.frequency_response(equations, omega, "F", fx.Reaction(clamp, about="z"))
    """

    connection: Any
    along: Vector | None
    about: Vector | None

    def __init__(self, connection: Any, along: Any = None, about: Any = None) -> None:
        """`along` and `about` are "x", "y", "z", a signed one, or a vector."""
        if not isinstance(connection, str) and not (hasattr(connection, "p") and hasattr(connection, "q")):
            raise FlexuraError(
                f"A Reaction is asked of {connection!r}, which is no connection",
                advice="give the Fixed, Pin, Revolute, Spring, ... itself, or the name of its coordinate",
            )
        what = f"the reaction of {connection!r}"
        if along is not None and about is not None:
            raise FlexuraError(f"Both along and about are given for {what}", advice="give one of the two")
        _fill(
            self,
            connection=connection,
            along=None if along is None else direction(along, what, "along"),
            about=None if about is None else direction(about, what, "about"),
        )

    def __repr__(self) -> str:
        """What it shows, as a label has it."""
        way = f" about {_letter(self.about)}" if self.about else f" along {_letter(self.along)}" if self.along else ""
        return f"reaction of {_called(self.connection)}{way}"


@checked_methods
@dataclass(frozen=True, init=False)
class Internal:
    """What the part of a member beyond s exerts on the part before it, in the axes of the section.

    "axial" is tension, "shear" is along +y, "moment" about +z, "torque" about +x; in space also "shear_z", "moment_y".
    Damping and rotary inertia are in it; the tension's share P w_x, which belongs to the slope, is not. Where a load
    or a mass makes it jump, it is the value just before s.

    >>> run[fx.Internal(beam, 0, "moment")], fx.frequency_response(equations, omega, "F", fx.Internal(beam, "l/2"))
    """

    member: Any
    s: Any
    kind: str

    def __init__(self, member: Any, s: Any, kind: str = "moment") -> None:
        """`s` is the distance from the member's start, any quantity."""
        if kind not in RESULTANTS:
            raise FlexuraError(f"An Internal of kind {kind!r} is asked for", advice=f"use {', '.join(RESULTANTS)}")
        if not isinstance(member, str) and not (hasattr(member, "start") and hasattr(member, "name")):
            raise FlexuraError(f"An Internal is asked of {member!r}, which is no member", advice="give a member")
        _fill(self, member=member, s=getattr(s, "position", s), kind=kind)

    @property
    def name(self) -> str:
        """The member's."""
        return str(getattr(self.member, "name", self.member))

    def refuse(self, known: Iterable[str]) -> NoReturn:
        """Say that the member carries no such load, and which it does."""
        stiff = " (it does not stretch, so what pulls it is not in its equations: give it EA)"
        raise FlexuraError(
            f"{self.name} carries no {self.kind}{stiff if self.kind == 'axial' else ''}",
            advice=f"ask for {', '.join(known) or 'another member'}",
        )

    def __repr__(self) -> str:
        """What it shows, as a label has it."""
        return f"{self.kind} of {self.name} at {self.s}"


class Weighted(ABC):
    """A weighted sum of what sections carry, as an output: a stress at a fibre."""

    __slots__ = ()

    @property
    @abstractmethod
    def terms(self) -> tuple[tuple[Internal, float], ...]:
        """The loads on sections, each with what it counts for."""

    @property
    @abstractmethod
    def unit(self) -> str:
        """Of the sum."""

    @property
    def name(self) -> str:
        """The member's."""
        return self.terms[0][0].name

    def known(self, kinds: Iterable[str]) -> list[tuple[Internal, float]]:
        """The terms that the member carries; it says where what pulls it is not among them."""
        there = set(kinds)
        found = [(one, weight) for one, weight in self.terms if one.kind in there]
        if not found:
            raise FlexuraError(
                f"{self.name} carries nothing that makes a {self!r}",
                advice=f"ask for what it carries: {', '.join(sorted(there)) or 'nothing'}",
            )
        if "axial" not in there:
            warn(
                f"The {self!r} leaves out the axial force: {self.name} does not stretch, so what pulls it is not in its"
                " equations; give it EA if that counts."
            )
        return found


Looked = Motion | Reaction | Internal | Weighted


def is_output(thing: Any) -> bool:
    """Whether something is an output that is no name: one of these, a body, a place, or a field of a member there."""
    place = thing[0] if isinstance(thing, tuple) and len(thing) == 2 else thing
    on_member = hasattr(place, "member") and hasattr(place, "position")
    return isinstance(thing, Motion | Reaction | Internal | Weighted) or on_member or is_body(thing)


def is_body(thing: Any) -> bool:
    """Whether something is a body, or a point of one: as an output, its motion along the one axis it moves along."""
    return hasattr(thing, "offset") or hasattr(thing, "tensor")


def only_motion(place: Any, along: Iterable[str]) -> Motion:
    """The motion of a body that moves along one of ground's axes, of those given, only."""
    axes = list(along)
    if len(axes) == 1:
        return Motion(place, along=axes[0])
    moves = f"moves along {' and '.join(axes)}" if axes else "does not move along any axis"
    raise FlexuraError(
        f"{_called(place)} {moves}, so that it is no output by itself",
        advice=f"say which motion: fx.Motion({_called(place)}, along={axes[0] if axes else 'y'!r}), or about='z'",
    )


def is_force(output: Any) -> bool:
    """Whether an output is a force or moment, which `kind` does not differentiate."""
    return isinstance(output, Reaction | Internal | Weighted)


def _checked_rate(motion: Motion) -> Motion:
    if motion.rate not in (0, 1, 2) or isinstance(motion.rate, bool):
        raise FlexuraError(
            f"The rate of the motion of {_called(motion.place)} is {motion.rate!r}",
            advice="use 0 for the motion itself, 1 for its rate, 2 for its acceleration",
        )
    return motion


def _fill(thing: Any, **values: Any) -> None:
    for name, value in values.items():
        object.__setattr__(thing, name, value)


def _refuse_no_place(place: Any, what: str) -> None:
    if isinstance(place, str) or hasattr(place, "tensor") or hasattr(place, "offset"):
        return
    if hasattr(place, "member") and hasattr(place, "position"):
        return
    if hasattr(place, "start") and hasattr(place, "end"):
        raise FlexuraError(f"{what} names the member {place.name}", advice="name a place on it: .start, .end or .at(s)")
    raise FlexuraError(
        f"{what} names {place!r}, which is not a place", advice="give a body, a point of it, or a place on a member"
    )


def _letter(axis: Vector | None) -> str:
    """ "x", "-y" or the vector."""
    parts = [(letter, part) for letter, part in zip("xyz", axis or (), strict=False) if part != 0]
    if len(parts) == 1 and parts[0][1] in (1, -1):
        return parts[0][0] if parts[0][1] == 1 else f"-{parts[0][0]}"
    return f"({', '.join(map(str, axis or ()))})"


def _called(place: Any) -> str:
    return place if isinstance(place, str) else str(getattr(place, "name", "") or repr(place))
