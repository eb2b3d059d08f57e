"""What every connection is: two places, a name, and how q stands to p.

>>> Coupling(p, q).translation(q), Coupling(p, q).rotations(q), Coupling(p, q).resting

Springs and dampers are connections that hold nothing (`springs.py`); couplings hold something (`joints.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.parts.bodies import Body, BodyPlace
from flexura.parts.description import Described
from flexura.symbolic.engine import ZERO, Basic, exact
from flexura.symbolic.expression import Expression, check_name
from flexura.symbolic.kinematics.motion import Turn
from flexura.symbolic.kinematics.vectors import EZ, NULL, Vector, sine, tame
from flexura.symbolic.quantities import quantity, text_or_expression


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
class Connection(Described):
    """Two places, p and q; the order fixes only signs. Its name, if it has one, is that of its reactions."""

    initial: ClassVar[Mapping[str, Any]] = {}
    """What a kind of connection holds unless it is told otherwise."""

    p: Any
    q: Any
    name: str

    @property
    def axis(self) -> Vector:
        """What it works along or about, in p's axes, for pictures; zero where there is no single one."""
        return NULL

    @property
    def symbol(self) -> str:
        """The kind whose symbol a picture draws: its own, if it is nothing else in disguise."""
        return type(self).__name__

    @property
    def caption(self) -> str:
        """What a picture writes beside it."""
        return ""

    def _join(self, p: Any, q: Any, name: str | None = None) -> None:
        what = f"{type(self).__name__}({p!r}, {q!r})"
        self._set(p=place_of(p, what), q=place_of(q, what), name="", **self.initial)
        if self.p == self.q:
            raise FlexuraError(f"{what} connects a place to itself", advice="name two different places", part=what)
        if name is not None:
            self._set(name=check_name(name, "A connection"))

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

    initial: ClassVar[Mapping[str, Any]] = {"angle": Expression(ZERO), "turned_about": EZ}

    angle: Expression
    turned_about: Vector

    def translation(self, q: Sequence[Basic]) -> Vector:
        """From p to q, in the coordinates q."""
        return NULL

    def rotations(self, q: Sequence[Basic]) -> list[Turn]:
        """How q turns against p: about which axis, by which angle, each axis turned by those before."""
        return []

    @property
    def resting(self) -> list[Turn]:
        """How q's axes are turned against p's in the reference configuration, by its angle."""
        return [(self.turned_about, self.angle.engine)] if self.angle.engine != 0 else []

    @property
    def free_directions(self) -> tuple[Vector, ...]:
        """The directions in which q may move away from p."""
        return ()

    @property
    def free_axes(self) -> tuple[Vector, ...]:
        """The axes about which q may turn, in the order in which it does."""
        return ()

    @property
    def axis(self) -> Vector:
        """The one direction it leaves free, or the first axis about which it lets turn."""
        along, about = self.free_directions, self.free_axes
        return along[0] if len(along) == 1 else about[0] if len(about) in (1, 2) else NULL

    @property
    def label(self) -> str:
        """What its reactions are called after, if it was given a name."""
        return self.name

    @property
    def leaves_plane(self) -> bool:
        """Whether a planar model becomes a spatial one by it: it moves across the plane, or turns out of it."""
        across = (along[2] != 0 for along in self.free_directions)
        return any(across) or self.turns_out or any(_tilts(turn) for turn in self.resting)

    @property
    def turns_out(self) -> bool:
        """Whether the turns it leaves free go out of the plane."""
        return False

    def _turn(self, angle: Any, about: Vector) -> None:
        """In radians, or with a unit: "30 deg"."""
        self._set(angle=angle_of(angle, repr(self)), turned_about=about)


def _tilts(turn: Turn) -> bool:
    about, angle = turn
    return about[:2] != (ZERO, ZERO) and sine(angle) != 0


def angle_of(angle: Any, what: str) -> Expression:
    """Numbers and units become exact radians, so that two angles are never one symbol; names stay symbols.

    Simple parts of pi become these here, before angles are added to others.
    """
    if isinstance(angle, int | float):
        return Expression(tame(text_or_expression(angle, what=f"the angle of {what}").engine))
    read = quantity(angle, "angle", what, dimension="rad")
    own = [one for one in read.declarations if one.name == re.sub(r"\W", "_", f"angle_{what}")]
    return Expression(tame(exact(getattr(own[0], "value", 0)))) if own else read
