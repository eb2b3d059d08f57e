"""Joints of more than one coordinate: ball, universal, cylindrical and planar joints.

>>> Spherical(ground, top), Universal(shaft, yoke, about=("x", "y")), Cylindrical(tube, rod), Planar(table, puck)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.parts.axes import direction
from flexura.parts.joints import Coupling, Joint, three_turns
from flexura.symbolic.engine import Basic
from flexura.symbolic.kinematics.motion import ORDER, Turn
from flexura.symbolic.kinematics.vectors import AXES, EX, EY, EZ, NULL, Vector, add, cross, dot, scale, unit
from flexura.symbolic.zero import verdict


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Spherical(Joint):
    """A ball joint: any rotation, by the angles of Free: psi (about z), theta (about the new y), phi (the new x)."""

    initial: ClassVar[Mapping[str, Any]] = {**Joint.initial, "order": ORDER}

    order: str

    def __init__(self, p: Any, q: Any, names: Any = None, name: str | None = None) -> None:
        """`fx.Spherical(fx.ground, top.at(0, 0, "-l"))`."""
        self._join(p, q, name)
        self._own_named(names, 3, "three: the angles about z, y and x")

    def stems(self, spatial: bool) -> tuple[str, ...]:
        """Those of Free."""
        return ("psi", "theta", "phi")

    def rotations(self, q: Sequence[Basic]) -> list[Turn]:
        """About z, then the new y, then the new x."""
        return three_turns(self.order, q)


def ball_of(pin: Coupling) -> Spherical:
    """The ball joint that a pin is in space."""
    joint = Spherical(pin.p, pin.q, name=pin.name or None)
    joint._set(angle=pin.angle, turned_about=pin.turned_about)
    return joint


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Universal(Joint):
    """A cross between two forks: q turns about one axis of p, then about one of its own."""

    about: tuple[Vector, Vector]

    def __init__(self, p: Any, q: Any, about: Any = ("x", "y"), names: Any = None, name: str | None = None) -> None:
        """`about` are p's axis and q's, both as they lie where the angles are zero."""
        self._join(p, q, name)
        axes = tuple(about) if isinstance(about, tuple | list) else (about,)
        if len(axes) != 2:
            raise FlexuraError(
                f"{self!r} turns about {about!r}",
                advice="give two axes, like about=('x', 'y')",
                part=repr(self),
                keyword="about",
            )
        first, second = (direction(axis, repr(self), "about") for axis in axes)
        if all(verdict(one) for one in cross(first, second)):
            raise FlexuraError(
                f"{self!r} turns twice about one axis",
                advice="give two different axes, or use Revolute",
                part=repr(self),
                keyword="about",
            )
        self._set(about=(first, second))
        self._own_named(names, 2, "two: the angle about p's axis, then about q's")

    def stems(self, spatial: bool) -> tuple[str, ...]:
        """Two angles."""
        return ("alpha", "beta")

    def rotations(self, q: Sequence[Basic]) -> list[Turn]:
        """About p's axis, then about q's."""
        return [(self.about[0], q[0]), (self.about[1], q[1])]


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Cylindrical(Joint):
    """A rod in a tube: q moves along an axis of p and turns about it."""

    along: Vector

    def __init__(
        self, p: Any, q: Any, along: Any = "x", names: Any = None, angle: Any = 0, name: str | None = None
    ) -> None:
        """`names` are those of the translation and the angle; `angle` turns q's axes where both are zero."""
        self._join(p, q, name)
        self._set(along=direction(along, repr(self), "along"))
        self._turn(angle, self.along)
        self._own_named(names, 2, "two: the translation, then the angle")

    def stems(self, spatial: bool) -> tuple[str, ...]:
        """A translation and an angle."""
        return ("s", "theta")

    def translation(self, q: Sequence[Basic]) -> Vector:
        """Along its axis."""
        return scale(q[0], self.along)

    def rotations(self, q: Sequence[Basic]) -> list[Turn]:
        """About its axis."""
        return [(self.along, q[1])]


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Planar(Joint):
    """A puck on a table: q moves across an axis of p and turns about it."""

    normal: Vector
    across: tuple[Vector, Vector]

    def __init__(
        self, p: Any, q: Any, normal: Any = "z", names: Any = None, angle: Any = 0, name: str | None = None
    ) -> None:
        """`names` are those of two translations and the angle; for the normal z these are x, y and the angle about z.

        The translations are along p's axes next after the normal (z: x, y; x: y, z; y: z, x). Across a normal that is
        none of them, the first is along the next of p's axes that is not along it, as far as it lies across it.
        """
        self._join(p, q, name)
        self._set(normal=direction(normal, repr(self), "normal"))
        self._set(across=_across(self.normal))
        self._turn(angle, self.normal)
        self._own_named(names, 3, "three: two translations, then the angle")

    def stems(self, spatial: bool) -> tuple[str, ...]:
        """The letters of its translations where they have one, and an angle."""
        letters = tuple("xyz"[AXES.index(one)] if one in AXES else f"s{i}" for i, one in enumerate(self.across, 1))
        return (*letters, "theta")

    def translation(self, q: Sequence[Basic]) -> Vector:
        """Along two directions across its normal."""
        return add(scale(q[0], self.across[0]), scale(q[1], self.across[1]))

    def rotations(self, q: Sequence[Basic]) -> list[Turn]:
        """About its normal."""
        return [(self.normal, q[2])]


def _across(normal: Vector) -> tuple[Vector, Vector]:
    """Two directions that make a right-handed triad with the normal."""
    for first, after in ((EX, EZ), (EY, EX), (EZ, EY)):
        if cross(after, normal) == NULL:
            return first, cross(normal, first)
    chosen = EX if cross(EX, normal) != NULL else EY
    first = unit(add(chosen, scale(-dot(chosen, normal), normal)))
    return first, cross(normal, first)
