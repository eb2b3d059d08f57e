"""Rolling without slip: the touching point of a body has no velocity against the surface, in each direction (api)."""

from __future__ import annotations

import symengine

from flexura.model.closing import directions_across
from flexura.model.frames import Frame, direction_between, relative, velocity_at
from flexura.model.placing import Placed
from flexura.model.structure import Spot
from flexura.parts.bodies import Ground
from flexura.parts.rolling import Rolling
from flexura.symbolic.engine import ZERO, Basic, Symbol, partial
from flexura.symbolic.jets import Jets
from flexura.symbolic.kinematics.vectors import (
    Vector,
    add,
    cross,
    dot,
    scale,
    subtract,
    turn,
)
from flexura.symbolic.shorten import shorter
from flexura.symbolic.zero import verdict


def rolling_of(placed: Placed) -> list[Rolling]:
    """What rolls in a model."""
    return [one for one in placed.things if isinstance(one, Rolling)]


def rolling_conditions(placed: Placed, jets: Jets) -> tuple[dict[str, Basic], list[str]]:
    """The speeds that vanish at every contact, and what to say of those that joints hold already."""
    found: dict[str, Basic] = {}
    notes: list[str] = []
    for one in rolling_of(placed):
        gone = []
        for which, along in rolled_directions(placed, one).items():
            speed = _speed(placed, one, along, jets)
            if verdict(speed):
                gone.append(which)
            else:
                found[f"lambda_{one.label}_{which}"] = speed - _parting(placed, one, along, jets)
        if gone:
            notes.append(f"joints hold {one!r} already along {' and '.join(gone)}")
    return found, notes


def rolled_directions(placed: Placed, one: Rolling) -> dict[str, Vector]:
    """In which directions of the surface's axes the contact is held: along it, in space both ways, and across it."""
    if not placed.structure.spatial:
        return {"t": one.along, "n": one.normal}
    first, second = directions_across(one.normal, True)
    return {"t1": first, "t2": second, "n": one.normal}


def contact(placed: Placed, one: Rolling) -> tuple[Frame, Spot, Vector]:
    """The frame and centre of a body that rolls, and the way from there to the contact, in the frame's axes."""
    centre, surface = placed.structure.spot(one.q), placed.structure.spot(one.p)
    frame, base = placed.frame(centre.part), placed.frame(surface.part)
    normal = direction_between(base, _in_frame(base, surface, one.normal), frame)
    if one.turns_about is not None and placed.structure.spatial:
        axis = _in_frame(frame, centre, one.turns_about)
        normal = subtract(normal, scale(shorter(dot(normal, axis)), axis))
        normal = scale(1 / symengine.sqrt(shorter(dot(normal, normal).expand())), normal)
    return frame, centre, scale(-one.radius.engine, normal)


def _in_frame(frame: Frame, spot: Spot, axis: Vector) -> Vector:
    """An axis of a part in the axes of its frame."""
    return turn(frame.turn_of(spot), turn(frame.assembly.orientation[id(spot.part)], axis))


def _speed(placed: Placed, one: Rolling, along: Vector, jets: Jets) -> Basic:
    """How fast the touching point of the body moves against the surface along a direction of it."""
    frame, centre, arm = contact(placed, one)
    surface = placed.structure.spot(one.p)
    base = placed.frame(surface.part)
    way = direction_between(base, _in_frame(base, surface, along), frame)
    where = frame.locate(centre)[0]
    spin = add(frame.spin, frame.spin_of(centre, jets))
    speed = dot(way, add(velocity_at(frame, where, jets)[0], cross(spin, arm)))
    if not isinstance(surface.part, Ground):
        place = base.locate(surface)[0]
        away = subtract(relative((frame, add(where, arm)), base), place)
        carried = add(base.spin, base.spin_of(surface, jets))
        beneath = add(velocity_at(base, place, jets)[0], cross(carried, away))
        speed -= dot(_in_frame(base, surface, along), beneath)
    return shorter(speed.expand())


def _parting(placed: Placed, one: Rolling, along: Vector, jets: Jets) -> Basic:
    """How fast the touching point leaves the surface where the contact is let go: its reaction acts on the body."""
    gap = placed.gap
    if gap is None or gap.source is not one:
        return ZERO
    frame, _, arm = contact(placed, one)
    surface = placed.structure.spot(one.p)
    base = placed.frame(surface.part)
    way = base.direction_in_space(_in_frame(base, surface, along))
    leaves = gap.along_direction(way) + gap.about_direction(cross(frame.direction_in_space(arm), way))
    speed = symengine.Add(*(partial(leaves, Symbol(name)) * jets.D_t(Symbol(name)) for name in gap.names))
    return shorter(speed.expand())
