"""Where everything is: each body and each line of particles seen from ground, and what joins them. For drawing.

Positions are r_0(q) + R(q) (x e1 + deflection), to first order in the deflections (theory, section 2); the bends of
lines say what foreshortening adds to them. Unlike the motion, the geometry stays with linearised equations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from flexura.symbolic.engine import Basic
from flexura.symbolic.kinematics.vectors import NULL, Matrix, Vector, change


@dataclass(frozen=True)
class Located:
    """A body (`spine` is "") by its mass centre, or the particles of a line by x; `rotation` holds its axes.

    `kind` is the class of the part.
    """

    name: str
    spine: str
    position: Vector
    rotation: Matrix
    kind: str = ""


@dataclass(frozen=True)
class Anchor:
    """A point of a part, in the part's axes; ground without a point is `everywhere`."""

    part: str
    point: Vector
    everywhere: bool = False


@dataclass(frozen=True)
class Join:
    """A connection, spring or damper between two points, by the name of its kind.

    `axis`, in p's axes, is what it works along or about, zero where it has none; `name` is what a picture writes beside
    a spring or damper.
    """

    kind: str
    p: Anchor
    q: Anchor
    axis: Vector = NULL
    name: str = ""


@dataclass(frozen=True)
class Mark:
    """What a picture shows at a place: a load or a coordinate, by its name and direction.

    `kind` is "force", "torque", "line load", "gravity", "translation" or "rotation"; `of` says whose axes the direction
    is in: a part's, or ground's if it is "".
    """

    kind: str
    name: str
    at: Anchor
    axis: Vector
    of: str = ""


@dataclass(frozen=True)
class Bend:
    """How a line of particles bends: the square of its slope, and what its shortening draws along.

    `outward` is 1 where the line is held along its axis at its start and shortens towards it, -1 at its end, 0 where
    the model keeps no shortening. `carried` are the bodies and lines beyond; `hinged` says that joints hang there.
    `held`: bodies or ground hold both ends along the axis, and bending does not stretch the line.
    """

    member: str
    spine: str
    squared: Basic
    outward: int
    carried: tuple[str, ...]
    hinged: bool
    held: bool = False


@dataclass(frozen=True)
class Gap:
    """A loop that closes with the values its parts carry, not for all: how far its two places are apart.

    `connection` is what closes it, in words; `apart` is q's place seen from p's, in the axes of their frame.
    """

    connection: str
    apart: Vector


@dataclass(frozen=True)
class Wheel:
    """A body that rolls: from its centre to the contact, in the axes of what it rolls `on`; its axis, in its own.

    The axis is zero of a sphere.
    """

    at: Anchor
    on: str
    contact: Vector
    axis: Vector


@dataclass(frozen=True)
class Mesh:
    """Two joints that a gear ties: where they are, and the turn of the first by that of the second.

    `turns` says of each whether its coordinate is an angle.
    """

    p: Anchor
    q: Anchor
    ratio: Basic
    turns: tuple[bool, bool]


@dataclass(frozen=True)
class Geometry:
    """All parts in their places, all joins, how lines bend, loads and coordinates, loops that may open, what rolls.

    `carriers[spine]` says which value of a field, or slope, a section moves or turns by: {"rotation": "w_x"}.
    """

    parts: tuple[Located, ...] = ()
    joins: tuple[Join, ...] = ()
    bends: tuple[Bend, ...] = ()
    marks: tuple[Mark, ...] = ()
    carriers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    gaps: tuple[Gap, ...] = ()
    wheels: tuple[Wheel, ...] = ()
    meshes: tuple[Mesh, ...] = ()

    def trees(self) -> Iterator[Basic]:
        """Every expression in it."""
        for part in self.parts:
            yield from (*part.position, *(one for row in part.rotation for one in row))
        for join in self.joins:
            yield from (*join.p.point, *join.q.point, *join.axis)
        yield from (bend.squared for bend in self.bends)
        for mark in self.marks:
            yield from (*mark.at.point, *mark.axis)
        yield from (one for gap in self.gaps for one in gap.apart)
        for wheel in self.wheels:
            yield from (*wheel.contact, *wheel.axis)
        for mesh in self.meshes:
            yield from (*mesh.p.point, *mesh.q.point, mesh.ratio)

    def map(self, by: Callable[[Basic], Basic]) -> Geometry:
        """The same with every expression changed."""

        def moved(anchor: Anchor) -> Anchor:
            return replace(anchor, point=change(anchor.point, by))

        parts = (
            replace(one, position=change(one.position, by), rotation=_rows(one.rotation, by)) for one in self.parts
        )
        joins = (replace(one, p=moved(one.p), q=moved(one.q), axis=change(one.axis, by)) for one in self.joins)
        bends = (replace(one, squared=by(one.squared)) for one in self.bends)
        marks = (replace(one, at=moved(one.at), axis=change(one.axis, by)) for one in self.marks)
        gaps = (replace(one, apart=change(one.apart, by)) for one in self.gaps)
        wheels = (
            replace(one, at=moved(one.at), contact=change(one.contact, by), axis=change(one.axis, by))
            for one in self.wheels
        )
        meshes = (replace(one, p=moved(one.p), q=moved(one.q), ratio=by(one.ratio)) for one in self.meshes)
        return Geometry(
            tuple(parts),
            tuple(joins),
            tuple(bends),
            tuple(marks),
            self.carriers,
            tuple(gaps),
            tuple(wheels),
            tuple(meshes),
        )


def _rows(matrix: Matrix, by: Callable[[Basic], Basic]) -> Matrix:
    a, b, c = (change(row, by) for row in matrix)
    return (a, b, c)
