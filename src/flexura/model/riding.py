"""Bodies that ride on members: what each ride adds to a model, on what carries the member.

>>> tuple(riding(ride, things))                           # carriage, slides, forces
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flexura.errors import FlexuraError
from flexura.model.placing import Placed
from flexura.model.structure import Segment
from flexura.parts.bodies import BodyPlace, ground
from flexura.parts.connections import Coupling
from flexura.parts.joints import Slide, Support
from flexura.parts.members.member import Place
from flexura.parts.rides import Reaction, Ride
from flexura.symbolic.engine import ONE, ZERO, Basic, Symbol
from flexura.symbolic.kinematics.vectors import EX, EY, EZ, IDENTITY, Matrix, Vector, add, rotation, scale, turn


def riding(ride: Ride, things: Iterable[object]) -> Iterator[object]:
    """The parts of a ride."""
    base, turned = _base(ride, things)
    yield from ride.on(base, turn(turned, EX), turn(turned, EY))


def _base(ride: Ride, things: Iterable[object]) -> tuple[object, Matrix]:
    """The place that carries the member at its start in its reference configuration, and how the member is turned."""
    held = [one for one in things if isinstance(one, Support)]
    for end in ("a", "b"):
        for one in held:
            for mine, other, sign in ((one.q, one.p, 1), (one.p, one.q, -1)):
                here = isinstance(mine, Place) and mine.member is ride.member and mine.end == end
                if here and isinstance(other, BodyPlace) and one.turned_about == EZ:
                    return _start(ride, other, _turned(one, sign), end)
    return ground, IDENTITY


def _turned(support: Coupling, sign: int) -> Matrix:
    found = IDENTITY
    for axis, angle in support.resting:
        found = rotation(axis, sign * angle)
    return found


def _start(ride: Ride, place: BodyPlace, turned: Matrix, end: str) -> tuple[object, Matrix]:
    """The place of the member's start on the body that holds one of its ends."""
    if place.everywhere:
        return (ground if end == "a" else place), turned
    if end == "a":
        return place, turned
    length = ride.member.length
    back: Vector = scale(-length.engine, turn(turned, EX))
    return BodyPlace(place.body, add(place.offset, back), place.declarations | length.declarations), turned


def ride_laws(model: Placed) -> dict[str, dict[str, Basic]]:
    """Where bodies ride, the coordinates they have, and the fields that they follow, piece by piece."""
    found: dict[str, dict[str, Basic]] = {}
    loads = [one for one in model.loads if isinstance(one, Reaction)]
    for ride in (one for one in model.things if isinstance(one, Ride)):
        held = {"held": ONE if ride.held else ZERO}
        where = {"place": ride.place.engine, "pushed": Symbol(f"R_{ride.name}_along"), **held, **_fields(model, ride)}
        units = {one.unit: Symbol(one.travelling) for one in loads if one.ride is ride}
        found[ride.name] = {"across": Symbol(ride.across), "unit": units["delta"], **where}
        if ride.turns:
            turn = {"across": Symbol(ride.turned), "unit": units["couple"], "slope": ONE}
            found[f"{ride.name}_turn"] = {**where, **turn}
    return found


def _fields(model: Placed, ride: Ride) -> dict[str, Basic]:
    fields: dict[str, Basic] = {}
    slide = next(one for one in model.things if isinstance(one, Slide) and one.name == ride.name)
    for i, seg in enumerate(model.segments_of(ride.member), 1):
        jet = seg.carrier("transverse", "a")
        if jet is None or not _carried(model, seg, slide):
            raise FlexuraError(
                f"{ride.member.name}, on which {ride.body.name} rides, is not carried by one rigid body in whose axes"
                " it bends a little",
                advice="fix or pin an end to ground or to a rigid body that hangs on a joint, without measured_from",
                part=ride.member.name,
            )
        fields[f"field_{i}"] = Symbol(jet.name)
    return fields


def _carried(model: Placed, seg: Segment, slide: Slide) -> bool:
    """Whether a segment's deflection is measured in the axes of what carries the body along it."""
    frame, base = model.frame(seg), slide.p.body
    if seg.bends_far or seg.tied or id(seg) in model.shifts:
        return False
    assembly = frame.assembly
    along = turn(assembly.orientation[id(seg)], EX)
    if base is ground:
        return not frame.moves and along == slide.along
    anchored = assembly.anchor is not None and assembly.anchor.part is base
    return anchored and along == turn(assembly.orientation[id(base)], slide.along)
