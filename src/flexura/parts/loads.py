"""Loads, gravity and constraints.

>>> Force(c, "F"), Torque(hub, "tau"), DistributedForce(beam, "f(x)"), Gravity(), Constraint("x_t - r*theta_t")

A load is its value times what it works on: forces at places, couples on what turns, lines of force along members.
Whatever a load consists of, these three are all that the model, the free bodies and the proof ask for.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError, concerning
from flexura.parts.axes import direction
from flexura.parts.bodies import Ground
from flexura.parts.description import Described
from flexura.parts.joints import place_of
from flexura.symbolic.dimensions import in_si
from flexura.symbolic.engine import TIME
from flexura.symbolic.expression import Expression, Input, check_name
from flexura.symbolic.impulses import check_impulses
from flexura.symbolic.kinematics.vectors import Vector
from flexura.symbolic.quantities import check_dimension, quantity, text_or_expression


def load_value(value: Any, what: str, spine: bool = False, unit: str | None = None) -> Expression:
    """A load: a bare name is an input; text is an expression, never a unit, and a quantity of pint has one."""
    value = in_si(value, f"{what[0].upper()}{what[1:]}", unit)
    if isinstance(value, str) and value.isidentifier():
        return Input(value, of="")
    found = text_or_expression(value, what=what, spine=spine, inputs=True, impulses=True)
    check_impulses(found.engine, f"{what[0].upper()}{what[1:]}")
    return found


@dataclass(frozen=True)
class PointForce:
    """A unit force at a place, along ground's axes or those that turn with the place `axes`."""

    place: Any
    along: Vector
    axes: Any = None


@dataclass(frozen=True)
class Couple:
    """A unit torque on a place about an axis that turns with the place `axis_of`; `sense` is 1 or -1."""

    place: Any
    about: Vector
    axis_of: Any
    sense: int = 1


@dataclass(frozen=True)
class LineForce:
    """A unit force per length along a member, in the member's axes, or in ground's (`in_space`)."""

    member: Any
    along: Vector
    in_space: bool = False


@checked_methods
@dataclass(frozen=True, init=False, eq=False)
class Load(Described, ABC):
    """A load by its value; it is addressed by its name, or else by its input's name.

    Its value may hold fields of what it acts on; sentences call it by its `words`.
    """

    across_only: ClassVar[bool] = False
    """Whether it acts where bending draws nothing in, whatever it depends on."""

    value: Expression
    name: str
    words: str

    @property
    @abstractmethod
    def acts_on(self) -> Any:
        """The place or member it acts on."""

    @property
    def point_forces(self) -> tuple[PointForce, ...]:
        """What of it acts at places."""
        return ()

    @property
    def couples(self) -> tuple[Couple, ...]:
        """What of it turns places."""
        return ()

    @property
    def line_forces(self) -> tuple[LineForce, ...]:
        """What of it acts along members."""
        return ()

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _own(self, value: Any, name: str | None, what: str, unit: str, spine: bool = False) -> None:
        with concerning(part=what, keyword="value"):
            read = load_value(value, what, spine, unit)
            check_dimension(read, unit, f"{what[0].upper()}{what[1:]}")
        inputs = sorted(one.name for one in read.declarations if one.kind == "input")
        spread = [one.name for one in read.declarations if "x" in getattr(one, "of", ())]
        if spread and not spine:
            raise FlexuraError(
                f"{what[0].upper()}{what[1:]} is {read}, which varies along x, but it acts at one place",
                advice="leave x out, or use DistributedForce along a member",
                part=what,
                keyword="value",
            )
        chosen = check_name(name, "A load") if name is not None else (inputs[0] if len(inputs) == 1 else "")
        self._set(value=read, name=chosen, words=what)


@checked_methods
@dataclass(frozen=True, init=False, eq=False)
class PointLoad(Load):
    """A load at one place."""

    place: Any

    @property
    def travels(self) -> bool:
        """Whether its place moves along a member with time: `fx.Force(beam.at("v*t"), "F")`."""
        position = getattr(self.place, "position", None)
        return position is not None and TIME in position.engine.free_symbols

    @property
    def acts_on(self) -> Any:
        """Its place; the member, where it travels along it."""
        return self.place.member if self.travels else self.place


@checked_methods
@dataclass(frozen=True, init=False, eq=False)
class Force(PointLoad):
    """A force at a place, along ground's axes, or with `axes` along those of a section or body, which it follows."""

    along: Vector
    axes: Any

    def __init__(self, p: Any, value: Any, along: Any = "y", name: str | None = None, axes: Any = None) -> None:
        """`fx.Force(mass, "F")` is an input; `fx.Force(beam.end, "P", along="-x", axes=beam.end)` a follower force."""
        self._set(place=place_of(p, "A Force"))
        what = f"the force on {self.place!r}"
        self._own(value, name, what, "N")
        held = None if axes is None else place_of(axes, f"The axes of {what}")
        fixed = isinstance(getattr(held, "body", None), Ground)
        self._set(along=direction(along, what, "along"), axes=None if fixed else held)
        if self.travels:
            if self.axes is not None:
                raise FlexuraError(
                    f"{what[0].upper()}{what[1:]} travels, and its axes turn", advice="leave axes out", part=what
                )
            self._set(value=self.value * Input(self.travelling, of="xt"))

    @property
    def travelling(self) -> str:
        """The given function of x and t that is a unit load at its place."""
        where = re.sub(r"\W+", "_", str(self.place.position)).strip("_")
        return f"delta_{self.place.member.name}_{where}"

    @property
    def point_forces(self) -> tuple[PointForce, ...]:
        """Itself, unless it travels."""
        return () if self.travels else (PointForce(self.place, self.along, self.axes),)

    @property
    def line_forces(self) -> tuple[LineForce, ...]:
        """Itself, where it travels."""
        return (LineForce(self.place.member, self.along, in_space=True),) if self.travels else ()


@checked_methods
@dataclass(frozen=True, init=False, eq=False)
class Torque(PointLoad):
    """A torque on a body or an end, about its own axes; `reaction=other` applies the opposite there."""

    about: Vector
    reaction: Any

    def __init__(self, p: Any, value: Any, about: Any = "z", reaction: Any = None, name: str | None = None) -> None:
        """`fx.Torque(arm, "tau", reaction=hub)` is a motor."""
        self._set(place=place_of(p, "A Torque"))
        what = f"the torque on {self.place!r}"
        self._own(value, name, what, "N*m")
        other = None if reaction is None else place_of(reaction, f"The reaction of {what}")
        self._set(about=direction(about, what, "about"), reaction=other)

    @property
    def couples(self) -> tuple[Couple, ...]:
        """Itself, and its reaction about the same axis."""
        own = Couple(self.place, self.about, self.place)
        return (own,) if self.reaction is None else (own, Couple(self.reaction, self.about, self.place, -1))


@checked_methods
@dataclass(frozen=True, init=False, eq=False)
class DistributedForce(Load):
    """A force per length along a member, in the member's axes."""

    member: Any
    along: Vector

    def __init__(self, member: Any, value: Any, along: Any = "y", name: str | None = None) -> None:
        """`fx.DistributedForce(beam, "f(x)")`."""
        if not hasattr(member, "fields"):
            raise FlexuraError(
                f"A DistributedForce acts on {member!r}, which is not a member", advice="use Force for a place"
            )
        what = f"the distributed force on {member.name}"
        self._own(value, name, what, "N/m", spine=True)
        self._set(member=member, along=direction(along, what, "along"))

    @property
    def acts_on(self) -> Any:
        """Its member."""
        return self.member

    @property
    def line_forces(self) -> tuple[LineForce, ...]:
        """Itself."""
        return (LineForce(self.member, self.along),)


@checked_methods
@dataclass(frozen=True, init=False, eq=False)
class Gravity(Described):
    """Weight of everything that has mass."""

    g: Expression
    along: Vector

    def __init__(self, g: Any = 9.81, along: Any = "-y") -> None:
        """`g` is any quantity; a number becomes the symbol g with that value."""
        pair = ("g", g) if isinstance(g, int | float) and g != 0 else g
        object.__setattr__(self, "g", quantity(pair, "g", "gravity", dimension="m/s**2"))
        object.__setattr__(self, "along", direction(along, "gravity", "along"))


@checked_methods
@dataclass(frozen=True, init=False, eq=False)
class Constraint(Described):
    """A condition among coordinates and their rates: the expression vanishes; it need not be integrable."""

    expression: Expression
    text: str

    @property
    def words(self) -> str:
        """What sentences call it."""
        return f"the constraint {self.text}"

    def __init__(self, expression: Any) -> None:
        """`fx.Constraint("x_t*sin(theta) - y_t*cos(theta)")`."""
        read = text_or_expression(expression, what="a constraint")
        check_dimension(read, None, "A constraint")
        object.__setattr__(self, "expression", read)
        object.__setattr__(self, "text", str(expression))
