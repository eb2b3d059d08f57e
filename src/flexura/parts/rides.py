"""A body that travels along a member: a vehicle on a bridge, a trolley on a rail, a collar on a moving arm.

>>> Ride(bridge, car, motion="v*t")                       # held to the deflected axis
>>> Ride(bridge, car, motion="v*t", held=False)           # it may lift off
>>> Ride(bridge, car, name="s")                           # it finds its own way: s is a coordinate

Across the member the body has a coordinate of its own, and so has its turning, if it has an inertia about its centre.
That it stays on the deflected axis is a condition of its motion, y = w(s, t), whose rates hold the convective terms,
y_t = w_t + s_t w_x; that it turns with the section is another, theta = w_x(s, t). The forces of these conditions are
R_<name> on the member where it stands, R_<name>_turn, a couple there, and R_<name>_along, what the slope of the member
pushes the body along.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError, concerning
from flexura.parts.bodies import Body, RigidBody, ground
from flexura.parts.description import Described
from flexura.parts.joints import Revolute, Slide
from flexura.parts.loads import Force, LineForce, Load, Torque
from flexura.symbolic.engine import TIME
from flexura.symbolic.expression import Coordinate, Expression, Input, check_name
from flexura.symbolic.kinematics.vectors import EX, EY, Vector
from flexura.symbolic.quantities import check_dimension, text_or_expression


@checked_methods
@dataclass(frozen=True, init=False, eq=False)
class Ride(Described):
    """A body that travels along a member: as `motion` says, the distance from the member's start, or as it will."""

    member: Any
    body: Any
    name: str
    motion: Expression | None
    held: bool

    def __init__(self, member: Any, body: Any, name: str | None = None, motion: Any = None, held: bool = True) -> None:
        """`fx.Ride(bridge, car, motion="v*t")`; held=False: it may lift off towards +y."""
        ends = getattr(member, "ends", ())
        if not hasattr(member, "fields") or "transverse" not in ends or "lateral" in ends:
            raise FlexuraError(
                f"A Ride goes along {member!r}, which is no member that moves across its axis in the plane alone",
                advice="give a beam or a string",
                part=repr(member),
            )
        if not isinstance(body, Body) or body is ground:
            raise FlexuraError(f"{body!r} rides on {member.name}, but it is no body", advice="give a Mass")
        own = check_name(name, "A ride") if name is not None else f"s_{body.name}"
        self._set(member=member, body=body, name=own, motion=None, held=bool(held))
        if motion is not None:
            self._set(motion=self._read(motion))
        self._check_turning()

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _read(self, motion: Any) -> Expression:
        read = text_or_expression(motion, what=f"the motion of {self.words}")
        if TIME not in read.engine.free_symbols:
            raise FlexuraError(
                f"T{self.words[1:]} stands still at {read}",
                advice="connect it there with Fixed",
                part=self.words,
                keyword="motion",
            )
        with concerning(part=self.words, keyword="motion"):
            check_dimension(read, "m", f"The motion of {self.words}")
        return read

    def _check_turning(self) -> None:
        if self.turns and not self.held:
            raise FlexuraError(
                f"{self.body.name} turns with the section of {self.member.name} as long as it rides, and may lift off",
                advice="give a Mass, I=0, or leave held=False out",
                part=self.body.name,
                keyword="held",
            )
        if self.turns and (len(self.member.fields) > 1 or "rotation" not in self.member.ends):
            raise FlexuraError(
                f"{self.body.name} rides on {self.member.name} and has an inertia about its centre, but the sections of"
                " that member do not turn as its axis does",
                advice="give a Mass, I=0, or an Euler-Bernoulli or Rayleigh beam without EA",
                part=self.body.name,
                keyword="I",
            )

    @property
    def turns(self) -> bool:
        """Whether the body turns with the section."""
        return any(one != 0 for row in self.body.tensor for one in row)

    @property
    def place(self) -> Expression:
        """Where it is along the member: a function of time, or its own coordinate."""
        return self.motion if self.motion is not None else Coordinate(self.name)

    def on(self, base: Any, x: Vector = EX, y: Vector = EY) -> Iterator[Any]:
        """A carriage that goes along on its base, the body on it, and the forces between the body and the member."""
        carriage = RigidBody(f"{self.body.name}_carriage", m=0, I=0)
        yield carriage
        yield _along(Slide(base, carriage, name=self.name, motion=self.motion), x)
        if self.turns:
            holder = RigidBody(f"{self.body.name}_holder", m=0, I=0)
            yield holder
            yield _along(Slide(carriage, holder, name=self.across), y)
            yield Revolute(holder, self.body, name=self.turned)
            yield Torque(self.body, f"-R_{self.name}_turn(t)")
            yield Reaction(self, "R_{}_turn", "couple")
        else:
            yield _along(Slide(carriage, self.body, name=self.across), y)
        still = base is ground or getattr(base, "body", None) is ground
        axes = None if still else carriage
        yield _along(_Push(self.body, f"-R_{self.name}(t)", axes=axes), y)
        yield _along(_Push(carriage, f"R_{self.name}_along(t)", axes=axes), x)
        if not still:  # the member is pushed back, and hands that on to what carries it
            yield _along(_Push(base, f"-R_{self.name}_along(t)", axes=axes), x)
        yield Reaction(self, "R_{}", "delta")

    @property
    def across(self) -> str:
        """The coordinate of the body across the member."""
        return f"y_{self.body.name}"

    @property
    def turned(self) -> str:
        """The coordinate of the body as it turns with the section."""
        return f"theta_{self.body.name}"

    @property
    def words(self) -> str:
        """What sentences call it."""
        return f"the ride of {self.body.name} on {self.member.name}"

    def __repr__(self) -> str:
        return f"Ride({self.member.name}, {self.body.name})"


def _along(part: Slide | Force, axis: Vector) -> Slide | Force:
    """The same along a unit vector, which needs no division by its length: sines and cosines stay as they are."""
    object.__setattr__(part, "along", axis)
    return part


class _Push(Force):
    """What the member does to the body: across it, where nothing is drawn in."""

    across_only: ClassVar[bool] = True


@checked_methods
@dataclass(frozen=True, init=False, eq=False)
class Reaction(Load):
    """What a ride does to its member where it stands: a force across it, or a couple, as a function of x and t."""

    across_only: ClassVar[bool] = True

    ride: Ride
    unit: str
    travelling: str

    def __init__(self, ride: Ride, force: str, unit: str) -> None:
        """The force R_<name> times a unit load, or a unit couple."""
        travelling = f"{unit}_{ride.member.name}_{ride.name}"
        value = Input(force.format(ride.name)) * Input(travelling, of="xt")
        self._set(ride=ride, unit=unit, travelling=travelling, value=value, name="", words=f"the force of {ride.words}")

    @property
    def acts_on(self) -> Any:
        """Its member."""
        return self.ride.member

    @property
    def line_forces(self) -> tuple[LineForce, ...]:
        """Across the member, in its own axes."""
        return (LineForce(self.ride.member, EY),)
