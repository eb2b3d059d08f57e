"""Connections: what holds two places together, and the motion it leaves free.

>>> Revolute(ground, hub, name="theta"), Fixed(hub.at("r0"), beam.start)

A connection says how q may stand to p, in p's axes: `translation` and `rotations` as functions of its coordinates, and
what these are usually called. Poses, angular velocities, the conditions of a loop and free bodies follow from that, so
a new joint is one class:

    class Cylindrical(Joint):
        def stems(self, spatial): return ("s", "theta")
        def translation(self, q): return scale(q[0], self.along)
        def rotations(self, q): return [(self.along, q[1])]
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError, concerning
from flexura.parts.axes import direction
from flexura.parts.bodies import Body, BodyPlace
from flexura.symbolic.engine import ZERO, Basic, Symbol, exact
from flexura.symbolic.expression import Expression, check_name
from flexura.symbolic.kinematics.motion import Turn
from flexura.symbolic.kinematics.vectors import AXES, EX, EY, EZ, NULL, Vector, scale, sine, slope, tame
from flexura.symbolic.quantities import check_dimension, quantity, text_or_expression


def place_of(thing: Any, what: str) -> Any:
    """A place, or a body for its mass centre; a whole member is no place."""
    if isinstance(thing, Body):
        return thing.place
    if isinstance(thing, BodyPlace) or hasattr(thing, "member"):
        return thing
    if hasattr(thing, "start") and hasattr(thing, "end"):
        raise FlexuraError(f"{what} names the member {thing.name}", advice="name a place on it: .start, .end or .at(s)")
    raise FlexuraError(
        f"{what} names {thing!r}, which is not a place", advice="give a body, a point of it, or a place on a member"
    )


@checked_methods
@dataclass(frozen=True, init=False, eq=False)
class Connection:
    """Two places, p and q; the order fixes only signs."""

    p: Any
    q: Any

    def _join(self, p: Any, q: Any) -> None:
        what = f"{type(self).__name__}({p!r}, {q!r})"
        self._set(p=place_of(p, what), q=place_of(q, what))
        if self.p == self.q:
            raise FlexuraError(f"{what} connects a place to itself", advice="name two different places", part=what)

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.p!r}, {self.q!r})"


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Coupling(Connection):
    """A connection that holds something: it says how q stands to p, and what it leaves free, in p's axes."""

    closes_loops: ClassVar[bool] = True

    def translation(self, q: Sequence[Basic]) -> Vector:
        """From p to q, in the coordinates q."""
        return NULL

    def rotations(self, q: Sequence[Basic]) -> list[Turn]:
        """How q's axes are turned against p's: about which axis, by which angle, each axis turned by those before."""
        return []

    @property
    def free_directions(self) -> tuple[Vector, ...]:
        """The directions in which q may move away from p."""
        return ()

    @property
    def free_axes(self) -> tuple[Vector, ...]:
        """The axes about which q may turn, in the order in which it does."""
        return ()

    @property
    def leaves_plane(self) -> bool:
        """Whether a planar model becomes a spatial one by it."""
        return False


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Support(Coupling):
    """A connection inside one frame: what it leaves free are small motions, without coordinates of its own."""

    holds_twist: ClassVar[bool] = True
    """Whether it holds the twist of a shaft, which has no other motion to hold."""


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Fixed(Support):
    """A weld; `angle` turns q's axes relative to p's about `about`."""

    angle: Expression
    about: Vector

    def __init__(self, p: Any, q: Any, angle: Any = 0, about: Any = "z") -> None:
        """Angles in radians, or with a unit: "30 deg"."""
        self._join(p, q)
        self._set(angle=_angle(angle, repr(self)), about=direction(about, repr(self), "about"))

    def rotations(self, q: Sequence[Basic]) -> list[Turn]:
        """By its angle."""
        return [(self.about, self.angle.engine)] if self.angle.engine != 0 else []

    @property
    def leaves_plane(self) -> bool:
        """Whether its angle turns out of the plane."""
        return self.about[:2] != (ZERO, ZERO) and sine(self.angle.engine) != 0


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Pin(Support):
    """The same place, small rotations left free."""

    free_axes = AXES

    def __init__(self, p: Any, q: Any) -> None:
        """Connect two places."""
        self._join(p, q)


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Roller(Support):
    """As a pin, but free along one of p's axes."""

    closes_loops: ClassVar[bool] = False
    holds_twist: ClassVar[bool] = False
    free_axes = AXES

    along: Vector

    def __init__(self, p: Any, q: Any, along: Any = "x") -> None:
        """Connect two places."""
        self._join(p, q)
        self._set(along=direction(along, repr(self), "along"))

    @property
    def free_directions(self) -> tuple[Vector, ...]:
        """The one it rolls along."""
        return (self.along,)


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Joint(Coupling, ABC):
    """A connection that starts a new frame with large motion; it owns coordinates."""

    floats: ClassVar[bool] = False
    """Whether it holds nothing, so that a particle on it has no angles."""

    names: tuple[str, ...]
    motion: Expression | None

    @abstractmethod
    def stems(self, spatial: bool) -> tuple[str, ...]:
        """What its coordinates are called, before the name of the part; translations come before angles."""

    @property
    def free_directions(self) -> tuple[Vector, ...]:
        """Those of its translation."""
        q = self._dummies
        along = (slope(self.translation(q), one) for one in q)
        return tuple(one for one in along if one != NULL)

    @property
    def free_axes(self) -> tuple[Vector, ...]:
        """Those of its rotations."""
        return tuple(axis for axis, _ in self.rotations(self._dummies))

    @property
    def leaves_plane(self) -> bool:
        """Whether it moves across the plane or turns about another axis than z."""
        return any(along[2] != 0 for along in self.free_directions) or any(
            axis[:2] != (ZERO, ZERO) for axis in self.free_axes
        )

    @property
    def _dummies(self) -> list[Symbol]:
        """Coordinates for questions about directions."""
        return [Symbol(f"$q{i}") for i in range(len(self.stems(False)))]

    def _own(self, names: tuple[str | None, ...], motion: Any, unit: str = "") -> None:
        given = tuple(check_name(one, "A coordinate") if one is not None else "" for one in names)
        with concerning(part=repr(self), keyword="motion"):
            moved = None if motion is None else text_or_expression(motion, what=f"the motion of {self!r}")
        if moved is not None:
            with concerning(part=repr(self), keyword="motion"):
                check_dimension(moved, unit, f"The motion of {self!r}")
        self._set(names=given, motion=moved)


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Slide(Joint):
    """A translation coordinate along one of p's axes; `motion="y0*sin(Omega*t)"` prescribes it."""

    along: Vector

    def __init__(self, p: Any, q: Any, along: Any = "y", name: str | None = None, motion: Any = None) -> None:
        """q moves along p's axis and keeps p's orientation."""
        self._join(p, q)
        self._set(along=direction(along, repr(self), "along"))
        self._own((name,), motion, "m")

    def stems(self, spatial: bool) -> tuple[str, ...]:
        """The letter of its axis, or s."""
        letters = [letter for letter, part in zip("xyz", self.along, strict=True) if part != 0]
        return (letters[0] if len(letters) == 1 else "s",)

    def translation(self, q: Sequence[Basic]) -> Vector:
        """Along its axis."""
        return scale(q[0], self.along)


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Revolute(Joint):
    """A rotation coordinate, as large as it gets, about one of p's axes."""

    about: Vector

    def __init__(self, p: Any, q: Any, about: Any = "z", name: str | None = None, motion: Any = None) -> None:
        """q turns about p's axis."""
        self._join(p, q)
        self._set(about=direction(about, repr(self), "about"))
        self._own((name,), motion, "rad")

    def stems(self, spatial: bool) -> tuple[str, ...]:
        """One angle."""
        return ("theta",)

    def rotations(self, q: Sequence[Basic]) -> list[Turn]:
        """About its axis."""
        return [(self.about, q[0])]


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Free(Joint):
    """All motions free: x, y, theta in the plane; in space x, y, z and the angles psi (about z), theta (y), phi (x)."""

    closes_loops: ClassVar[bool] = False
    floats: ClassVar[bool] = True

    def __init__(self, p: Any, q: Any, names: Any = None) -> None:
        """`names` are three in the plane or six in space."""
        self._join(p, q)
        given = (names,) if isinstance(names, str) else tuple(names) if names is not None else ()
        if len(given) not in (0, 3, 6):
            many = "one name" if len(given) == 1 else f"{len(given)} names"
            raise FlexuraError(f"{self!r} is given {many}", advice="give three (x, y, theta) or six", part=repr(self))
        self._own(given, None)

    def stems(self, spatial: bool) -> tuple[str, ...]:
        """Three in the plane, six in space."""
        return ("x", "y", "z", "psi", "theta", "phi") if spatial or len(self.names) == 6 else ("x", "y", "theta")

    def translation(self, q: Sequence[Basic]) -> Vector:
        """Along p's axes."""
        return (q[0], q[1], q[2] if len(q) == 6 else ZERO)

    def rotations(self, q: Sequence[Basic]) -> list[Turn]:
        """About z in the plane; in space about z, then the new y, then the new x."""
        return [(EZ, q[2])] if len(q) == 3 else [(EZ, q[3]), (EY, q[4]), (EX, q[5])]


def _angle(angle: Any, what: str) -> Expression:
    """Numbers and units become exact radians, so that two angles are never one symbol; names stay symbols.

    Simple parts of pi become these here, before angles are added to others.
    """
    if isinstance(angle, int | float):
        return Expression(tame(text_or_expression(angle, what=f"the angle of {what}").engine))
    read = quantity(angle, "angle", what, dimension="rad")
    own = [one for one in read.declarations if one.name == re.sub(r"\W", "_", f"angle_{what}")]
    return Expression(tame(exact(getattr(own[0], "value", 0)))) if own else read
