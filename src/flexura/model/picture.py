"""What a picture of the model shows: parts in their places, what joins them, loads, coordinates with their sense.

    >>> geometry_of(placed, (*bodies, *lines), bends)

It stays with the equations, so that what draws never asks the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flexura.model.gears import geared, gears_of
from flexura.model.placing import Placed
from flexura.model.structure import Segment, Spot, SpotLink
from flexura.parts.joints import Connection
from flexura.parts.loads import Gravity, Load
from flexura.parts.rolling import Rolling
from flexura.symbolic.engine import ZERO, Symbol, exact, partial
from flexura.symbolic.kinematics.geometry import Anchor, Bend, Geometry, Join, Located, Mark, Mesh, Wheel
from flexura.symbolic.kinematics.motion import Carried
from flexura.symbolic.kinematics.vectors import EX, EY, EZ, NULL, Vector, change, scale, slope

_MOVES = {"axial": EX, "transverse": EY, "lateral": EZ, "x": EX, "y": EY, "z": EZ}
_TURNS = {"rotation": EZ, "tilt": scale(exact(-1), EY), "twist": EX, "rx": EX, "ry": EY, "rz": EZ}  # tilt is w_x


def geometry_of(placed: Placed, parts: Sequence[Carried], bends: tuple[Bend, ...]) -> Geometry:
    """Everything a picture needs, in the symbols of the model."""
    bodies = {body.name: body.symbol for body in placed.structure.bodies}
    lines = {segment.spine: type(segment.member).__name__ for segment in placed.structure.segments}
    located = (
        Located(one.name, one.spine, one.position, one.rotation, lines[one.spine] if one.spine else bodies[one.name])
        for one in parts
    )
    joins = (one for one in placed.things if isinstance(one, Connection))
    return Geometry(
        tuple(located),
        tuple(_join(placed, one) for one in joins),
        bends,
        (*_loads(placed), *_of_joints(placed), *_of_ends(placed)),
        {segment.spine: segment.carriers for segment in placed.structure.segments},
        tuple(gap for frame in placed.frames for gap in frame.assembly.gaps),
        tuple(_wheels(placed)),
        tuple(_meshes(placed)),
    )


def _join(placed: Placed, connection: Connection) -> Join:
    p, q = (_anchor(placed.structure.spot(place)) for place in (connection.p, connection.q))
    return Join(connection.symbol, p, q, connection.axis, connection.caption)


def _anchor(spot: Spot) -> Anchor:
    part = spot.part.member if isinstance(spot.part, Segment) else spot.part
    return Anchor(part.name, spot.point, spot.everywhere)


def _wheels(placed: Placed) -> Iterator[Wheel]:
    for one in (one for one in placed.things if isinstance(one, Rolling)):
        contact = scale(-one.radius.engine, one.normal)
        on = _anchor(placed.structure.spot(one.p)).part
        yield Wheel(_anchor(placed.structure.spot(one.q)), on, contact, one.turns_about or NULL)


def _meshes(placed: Placed) -> Iterator[Mesh]:
    """Where the joints of each gear are; those that close a loop stand nowhere of their own."""
    at = {
        name: (_anchor(link.q), any(symbol == name for symbol, kind, _ in senses if kind == "rotation"))
        for link in placed.structure.joints
        for senses in [tuple(_senses(link, placed.joint_names[id(link.source)]))]
        for name, _, _ in senses
    }
    for gear in gears_of(placed):
        first, second = (at.get(name) for name in geared(placed, gear))
        if first and second:
            yield Mesh(first[0], second[0], gear.ratio.engine, (first[1], second[1]))


def _loads(placed: Placed) -> Iterator[Mark]:
    """What acts from outside; what a member and its rider do to each other is no load."""
    for load in (one for one in placed.things if isinstance(one, Load) and not one.across_only):
        label = load.name or str(load.value)
        for force in load.point_forces:
            yield Mark("force", label, _anchor(placed.structure.spot(force.place)), force.along)
        for couple in load.couples:
            axis = scale(exact(couple.sense), couple.about)
            of = _anchor(placed.structure.spot(couple.axis_of)).part
            yield Mark("torque", label, _anchor(placed.structure.spot(couple.place)), axis, of)
        for line in load.line_forces:
            yield Mark("line load", label, Anchor(line.member.name, NULL), line.along, line.member.name)
    for gravity in (one for one in placed.things if isinstance(one, Gravity)):
        yield Mark("gravity", str(gravity.g), Anchor("ground", NULL, True), gravity.along)


def _of_joints(placed: Placed) -> Iterator[Mark]:
    """What each coordinate of a joint does to q, where q is; its axes are p's."""
    for link in placed.structure.joints:
        at, of = _anchor(link.q), _anchor(link.p).part
        for name, kind, axis in _senses(link, placed.joint_names[id(link.source)]):
            yield Mark(kind, name, at, axis, of)


def _senses(link: SpotLink, names: tuple[str, ...]) -> Iterator[tuple[str, str, Vector]]:
    """By which way q moves at first as each coordinate grows from zero."""
    symbols = [Symbol(f"$q{i}") for i in range(len(names))]
    still = dict.fromkeys(symbols, ZERO)
    moved, turns = link.source.translation(symbols), link.source.rotations(symbols)
    for symbol, name in zip(symbols, names, strict=True):
        along = change(slope(moved, symbol), lambda f: f.xreplace(still))
        if name and along != NULL:
            yield name, "translation", along
        for axis, angle in turns:
            if name and symbol in angle.free_symbols:
                yield name, "rotation", scale(partial(angle, symbol), axis)


def _of_ends(placed: Placed) -> Iterator[Mark]:
    """Coordinates of members' ends and of bodies that pins free, in their own axes."""
    for frame in placed.frames:
        for name, spot, motion in frame.motions.coordinates:
            kind, axis = ("translation", _MOVES[motion]) if motion in _MOVES else ("rotation", _TURNS[motion])
            at = _anchor(spot)
            if isinstance(spot.part, Segment):
                at = Anchor(at.part, ((spot.part.start if spot.end == "a" else spot.part.end).engine, ZERO, ZERO))
            yield Mark(kind, name, at, axis, at.part)
