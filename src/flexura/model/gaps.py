"""Connections that give way: a gap between a connection and the place q it holds, whose driving load is the reaction.

>>> Gap(clamp, along=((Symbol("$gap1"), EY),)).shift(axes)

By virtual work, what drives the gap is what the connection exerts on q: along a direction in ground's axes a force,
about one the moment at the place. Only first orders of a gap matter, because it stays closed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from flexura.errors import FlexuraError
from flexura.parts.joints import Connection
from flexura.symbolic.engine import ZERO, Basic, Symbol
from flexura.symbolic.kinematics.vectors import NULL, Matrix, Vector, add, dot, scale, turn_back


@dataclass(frozen=True)
class Gap:
    """How q may part from what a connection holds it to: by these amounts along and about axes of ground."""

    source: Connection
    along: tuple[tuple[Symbol, Vector], ...] = ()
    about: tuple[tuple[Symbol, Vector], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Its coordinates: along, then about."""
        return tuple(one.name for one, _ in (*self.along, *self.about))

    def shift(self, axes: Matrix) -> Vector:
        """How far q is displaced, in axes that are given in ground's."""
        return add(NULL, *(scale(amount, turn_back(axes, e)) for amount, e in self.along))

    def turn(self, axes: Matrix) -> Vector:
        """How far q is turned, in these axes."""
        return add(NULL, *(scale(amount, turn_back(axes, e)) for amount, e in self.about))

    def along_direction(self, direction: Vector) -> Basic:
        """How far q is displaced along a direction in space."""
        return sum((amount * dot(e, direction) for amount, e in self.along), ZERO)

    def about_direction(self, direction: Vector) -> Basic:
        """How far q is turned about a direction in space."""
        return sum((amount * dot(e, direction) for amount, e in self.about), ZERO)


def refuse_shared(source: Connection | None) -> NoReturn:
    """A gap that would tear something rigid: others hold the same motion, and nothing says who carries how much."""
    raise FlexuraError(
        f"What {source!r} exerts is not determined, because other connections hold the same motion of what does not"
        " give way",
        advice="ask for another direction, give members EA so that they stretch, or leave a connection out",
        part=repr(source),
    )
