"""Connections that hold: supports inside one frame, and joints with large motion between two.

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

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError, concerning
from flexura.parts.axes import direction
from flexura.parts.connections import Connection as Connection
from flexura.parts.connections import Coupling as Coupling
from flexura.parts.connections import place_of as place_of
from flexura.symbolic.engine import ZERO, Basic, Symbol
from flexura.symbolic.expression import Expression, check_name
from flexura.symbolic.kinematics.motion import ORDER, Turn
from flexura.symbolic.kinematics.vectors import AXES, EZ, NULL, Vector, scale, slope
from flexura.symbolic.quantities import check_dimension, text_or_expression


def three_turns(order: str, angles: Sequence[Basic]) -> list[Turn]:
    """About three axes, each turned by those before."""
    return [(AXES["xyz".index(letter)], angle) for letter, angle in zip(order, angles, strict=True)]


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Support(Coupling):
    """A connection inside one frame: what it leaves free are small motions, without coordinates of its own."""

    holds_twist: ClassVar[bool] = True
    """Whether it holds the twist of a shaft, which has no other motion to hold."""

    @property
    def held_directions(self) -> tuple[Vector, ...] | None:
        """The directions in which it holds, in p's axes; None: all but those it leaves free."""
        return None

    @property
    def held_axes(self) -> tuple[Vector, ...] | None:
        """The axes about which it holds, in p's axes; None: all, unless it leaves some free."""
        return None


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Fixed(Support):
    """A weld; `angle` turns q's axes relative to p's about `about`."""

    about: Vector

    def __init__(self, p: Any, q: Any, angle: Any = 0, about: Any = "z", name: str | None = None) -> None:
        """Angles in radians, or with a unit: "30 deg"."""
        self._join(p, q, name)
        self._set(about=direction(about, repr(self), "about"))
        self._turn(angle, self.about)


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Pin(Support):
    """The same place, small rotations left free; between rigid bodies of a spatial model any rotation."""

    free_axes = AXES

    def __init__(self, p: Any, q: Any, angle: Any = 0, about: Any = "z", name: str | None = None) -> None:
        """`angle` turns q's axes relative to p's about `about`, as in Fixed."""
        self._join(p, q, name)
        self._turn(angle, direction(about, repr(self), "about"))


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Roller(Support):
    """As a pin, but free along one of p's axes."""

    closes_loops: ClassVar[bool] = False
    holds_twist: ClassVar[bool] = False
    free_axes = AXES

    along: Vector

    def __init__(
        self, p: Any, q: Any, along: Any = "x", angle: Any = 0, about: Any = "z", name: str | None = None
    ) -> None:
        """`angle` turns q's axes relative to p's about `about`, as in Fixed."""
        self._join(p, q, name)
        self._set(along=direction(along, repr(self), "along"))
        self._turn(angle, direction(about, repr(self), "about"))

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
    def turns_out(self) -> bool:
        """Whether it turns about another axis than z."""
        return any(axis[:2] != (ZERO, ZERO) for axis in self.free_axes)

    @property
    def label(self) -> str:
        """Its name, or else that of its first coordinate."""
        return self.name or (self.names[0] if self.names else "")

    @property
    def _dummies(self) -> list[Symbol]:
        """Coordinates for questions about directions."""
        return [Symbol(f"$q{i}") for i in range(len(self.stems(False)))]

    def _own_named(self, names: Any, count: int, what: str) -> None:
        """Free coordinates with the names that were given: none, or one for each."""
        given = (names,) if isinstance(names, str) else tuple(names) if names is not None else ()
        if given and len(given) != count:
            many = "one name" if len(given) == 1 else f"{len(given)} names"
            raise FlexuraError(f"{self!r} is given {many}", advice=f"give {what}", part=repr(self), keyword="names")
        self._own(given, None)

    def _own(self, names: tuple[str | None, ...], motion: Any, unit: str = "") -> None:
        given = tuple(check_name(one, "A coordinate") if one is not None else "" for one in names)
        with concerning(part=repr(self), keyword="motion"):
            what = f"the motion of {self!r}"
            moved = None if motion is None else text_or_expression(motion, what=what, inputs=True)
        if moved is not None:
            with concerning(part=repr(self), keyword="motion"):
                check_dimension(moved, unit, f"The motion of {self!r}")
                _refuse_spread(moved, f"The motion of {self!r}")
        self._set(names=given, motion=moved)


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Slide(Joint):
    """A translation coordinate along one of p's axes; `motion="y0*sin(Omega*t)"` prescribes it."""

    along: Vector

    def __init__(
        self,
        p: Any,
        q: Any,
        along: Any = "y",
        name: str | None = None,
        motion: Any = None,
        angle: Any = 0,
        about: Any = "z",
    ) -> None:
        """q moves along p's axis and keeps p's orientation, or is turned from it by `angle` about `about`."""
        self._join(p, q)
        self._set(along=direction(along, repr(self), "along"))
        self._turn(angle, direction(about, repr(self), "about"))
        self._own((name,), motion, "m")
        self._set(name=self.names[0])

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

    def __init__(
        self, p: Any, q: Any, about: Any = "z", name: str | None = None, motion: Any = None, angle: Any = 0
    ) -> None:
        """q turns about p's axis; `angle` is how far it is turned already where the coordinate is zero."""
        self._join(p, q)
        self._set(about=direction(about, repr(self), "about"))
        self._turn(angle, self.about)
        self._own((name,), motion, "rad")
        self._set(name=self.names[0])

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
    initial: ClassVar[Mapping[str, Any]] = {**Joint.initial, "order": ORDER}

    order: str

    def __init__(self, p: Any, q: Any, names: Any = None, name: str | None = None) -> None:
        """`names` are three in the plane or six in space; of a particle its two or three positions."""
        self._join(p, q, name)
        given = (names,) if isinstance(names, str) else tuple(names) if names is not None else ()
        if len(given) not in (0, 2, 3, 6):
            many = "one name" if len(given) == 1 else f"{len(given)} names"
            raise FlexuraError(
                f"{self!r} is given {many}",
                advice="give three (x, y, theta) or six; two or three for a particle",
                part=repr(self),
            )
        self._own(given, None)

    def stems(self, spatial: bool) -> tuple[str, ...]:
        """Three in the plane, six in space."""
        return ("x", "y", "z", "psi", "theta", "phi") if spatial or len(self.names) == 6 else ("x", "y", "theta")

    def translation(self, q: Sequence[Basic]) -> Vector:
        """Along p's axes."""
        return (q[0], q[1], q[2] if len(q) == 6 else ZERO)

    def rotations(self, q: Sequence[Basic]) -> list[Turn]:
        """About z in the plane; in space about z, then the new y, then the new x."""
        return [(EZ, q[2])] if len(q) == 3 else three_turns(self.order, q[3:])


def free_of(joint: Any) -> bool:
    """Whether a joint leaves all motions free."""
    return isinstance(joint, Free)


def _refuse_spread(motion: Expression, what: str) -> None:
    """A motion may be given by an input of time, not by one along a member."""
    spread = [one.name for one in motion.declarations if "x" in getattr(one, "of", ())]
    if spread:
        raise FlexuraError(f"{what} depends on x through {spread[0]}", advice=f"write {spread[0]}(t)")
