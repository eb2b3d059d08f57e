"""Connections: what holds two places together, and the motion it leaves free.

>>> Revolute(ground, hub, name="theta"), Fixed(hub.at("r0"), beam.start)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from flexura.errors import FlexuraError
from flexura.kinematics.vectors import Vector, tame
from flexura.parts.axes import direction
from flexura.parts.bodies import Body, BodyPlace
from flexura.symbols.engine import exact
from flexura.symbols.expression import Expression, check_name
from flexura.symbols.quantities import check_dimension, quantity, text_or_expression


def place_of(thing: Any, what: str) -> Any:
    """A place, or a body for its mass centre; a whole member is no place."""
    if isinstance(thing, Body):
        return thing.place
    if isinstance(thing, BodyPlace) or hasattr(thing, "member"):
        return thing
    if hasattr(thing, "start") and hasattr(thing, "end"):
        raise FlexuraError(f"{what} names the member {thing.name}; name a place on it: .start, .end or .at(s).")
    raise FlexuraError(
        f"{what} names {thing!r}, which is not a place; give a body, a point of it, or a place on a member."
    )


@dataclass(frozen=True, init=False, eq=False)
class Connection:
    """Two places, p and q; the order fixes only signs."""

    p: Any
    q: Any

    def _join(self, p: Any, q: Any) -> None:
        what = f"{type(self).__name__}({p!r}, {q!r})"
        self._set(p=place_of(p, what), q=place_of(q, what))
        if self.p == self.q:
            raise FlexuraError(f"{what} connects a place to itself; name two different places.")

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.p!r}, {self.q!r})"


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Fixed(Connection):
    """A weld; `angle` turns q's axes relative to p's about `about`."""

    angle: Expression
    about: Vector

    def __init__(self, p: Any, q: Any, angle: Any = 0, about: Any = "z") -> None:
        """Angles in radians, or with a unit: "30 deg"."""
        self._join(p, q)
        self._set(angle=_angle(angle, repr(self)), about=direction(about, repr(self)))


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Pin(Connection):
    """The same place, small rotations left free."""

    def __init__(self, p: Any, q: Any) -> None:
        """Connect two places."""
        self._join(p, q)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Roller(Connection):
    """As a pin, but free along one of p's axes."""

    along: Vector

    def __init__(self, p: Any, q: Any, along: Any = "x") -> None:
        """Connect two places."""
        self._join(p, q)
        self._set(along=direction(along, repr(self)))


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Joint(Connection):
    """A connection that starts a new frame with large motion; it owns coordinates."""

    names: tuple[str, ...]
    motion: Expression | None

    def _own(self, names: tuple[str | None, ...], motion: Any, unit: str = "") -> None:
        given = tuple(check_name(one, "A coordinate") if one is not None else "" for one in names)
        moved = None if motion is None else text_or_expression(motion, what=f"the motion of {self!r}")
        if moved is not None:
            check_dimension(moved, unit, f"The motion of {self!r}")
        self._set(names=given, motion=moved)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Slide(Joint):
    """A translation coordinate along one of p's axes; `motion="y0*sin(Omega*t)"` prescribes it."""

    along: Vector

    def __init__(self, p: Any, q: Any, along: Any = "y", name: str | None = None, motion: Any = None) -> None:
        """q moves along p's axis and keeps p's orientation."""
        self._join(p, q)
        self._set(along=direction(along, repr(self)))
        self._own((name,), motion, "m")


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Revolute(Joint):
    """A rotation coordinate, as large as it gets, about one of p's axes."""

    about: Vector

    def __init__(self, p: Any, q: Any, about: Any = "z", name: str | None = None, motion: Any = None) -> None:
        """q turns about p's axis."""
        self._join(p, q)
        self._set(about=direction(about, repr(self)))
        self._own((name,), motion, "rad")


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Free(Joint):
    """All motions free: x, y, theta in the plane; in space x, y, z and the angles psi (about z), theta (y), phi (x)."""

    def __init__(self, p: Any, q: Any, names: Any = None) -> None:
        """`names` are three in the plane or six in space."""
        self._join(p, q)
        given = (names,) if isinstance(names, str) else tuple(names) if names is not None else ()
        if len(given) not in (0, 3, 6):
            many = "one name" if len(given) == 1 else f"{len(given)} names"
            raise FlexuraError(f"{self!r} is given {many}; give three (x, y, theta) or six.")
        self._own(given, None)


def _angle(angle: Any, what: str) -> Expression:
    """Numbers and units become exact radians, so that two angles are never one symbol; names stay symbols.

    Simple parts of pi become these here, before angles are added to others.
    """
    if isinstance(angle, int | float):
        return Expression(tame(text_or_expression(angle, what=f"the angle of {what}").engine))
    read = quantity(angle, "angle", what, dimension="rad")
    own = [one for one in read.declarations if one.name == re.sub(r"\W", "_", f"angle_{what}")]
    return Expression(tame(exact(getattr(own[0], "value", 0)))) if own else read
