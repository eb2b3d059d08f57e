"""Where everything is: each body and each line of particles seen from ground, and what joins them. For drawing.

Positions are r_0(q) + R(q) (x e1 + deflection), to first order in the deflections (theory, section 2); foreshortening
is of second order and is not in them. Unlike the motion, the geometry stays with linearised equations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from flexura.kinematics.vectors import Matrix, Vector, change
from flexura.symbols.engine import Basic


@dataclass(frozen=True)
class Located:
    """A body (`spine` is "") by its mass centre, or the particles of a line by x; `rotation` holds its axes."""

    name: str
    spine: str
    position: Vector
    rotation: Matrix


@dataclass(frozen=True)
class Anchor:
    """A point of a part, in the part's axes; ground without a point is `everywhere`."""

    part: str
    point: Vector
    everywhere: bool = False


@dataclass(frozen=True)
class Join:
    """A connection, spring or damper between two points, by the name of its kind."""

    kind: str
    p: Anchor
    q: Anchor


@dataclass(frozen=True)
class Geometry:
    """All parts in their places, and all joins."""

    parts: tuple[Located, ...] = ()
    joins: tuple[Join, ...] = ()

    def trees(self) -> Iterator[Basic]:
        """Every expression in it."""
        for part in self.parts:
            yield from (*part.position, *(one for row in part.rotation for one in row))
        for join in self.joins:
            yield from (*join.p.point, *join.q.point)

    def map(self, by: Callable[[Basic], Basic]) -> Geometry:
        """The same with every expression changed."""

        def moved(anchor: Anchor) -> Anchor:
            return replace(anchor, point=change(anchor.point, by))

        parts = (
            replace(one, position=change(one.position, by), rotation=_rows(one.rotation, by)) for one in self.parts
        )
        return Geometry(tuple(parts), tuple(replace(one, p=moved(one.p), q=moved(one.q)) for one in self.joins))


def _rows(matrix: Matrix, by: Callable[[Basic], Basic]) -> Matrix:
    a, b, c = (change(row, by) for row in matrix)
    return (a, b, c)
