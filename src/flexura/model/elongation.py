"""What springs and dampers feel: displacements along an axis, true distances, angles."""

from __future__ import annotations

import symengine

from flexura.errors import FlexuraError
from flexura.model.frames import HALF, Frame, at_reference, joint_symbols, relative
from flexura.model.placing import Placed
from flexura.model.structure import Segment, Spot, SpotLink
from flexura.parts.bodies import Body, Ground
from flexura.parts.contacts import Contact
from flexura.parts.joints import Joint
from flexura.parts.springs import SpringOrDamper, StraightLink, TurningLink
from flexura.symbolic.engine import ZERO, Basic, exact
from flexura.symbolic.jets import Jets
from flexura.symbolic.kinematics.motion import STRETCH, Law, Turn
from flexura.symbolic.kinematics.vectors import (
    EX,
    EZ,
    NULL,
    Vector,
    change,
    cross,
    dot,
    rotation,
    scale,
    subtract,
    turn,
    turn_back,
)
from flexura.symbolic.shorten import tidied
from flexura.symbolic.zero import vanishes


def extent(model: Placed, link: SpringOrDamper, jets: Jets) -> Basic:
    """The angle or elongation that a spring or damper feels."""
    gap = model.gap if model.gap is not None and model.gap.source is link else None
    if isinstance(link, TurningLink):
        angle = angle_between(model, link, jets)
        return angle if gap is None else angle - gap.about_direction(turning_axis(model, link))
    if isinstance(link, Contact) and turning_joint(model, link) is not None:
        return angle_between(model, link, jets)
    assert isinstance(link, StraightLink)
    stretch = elongation(model, link, jets)
    return stretch if gap is None else stretch - gap.along_direction(sense(model, link))


def elongation(model: Placed, link: StraightLink, jets: Jets) -> Basic:
    """The displacement of q relative to p along p's axes, or the change of their true distance."""
    p, q = model.structure.spot(link.p), model.structure.spot(link.q)
    if link.along is None:
        return _stretch(model, link, p, q, jets)
    further = _turned_further(model, link, p, q, jets)
    found = tidied(_displacement(model, p, q, link.along, jets) + further)
    if not jets.moves(found):
        raise FlexuraError(
            f"{link!r} acts along a direction in which its ends cannot move against each other",
            advice="choose another along=",
            part=repr(link),
        )
    return found


def sense(model: Placed, link: StraightLink) -> Vector:
    """The direction in space in which q moves away from p: where the force of a spring or damper acts."""
    p, q = model.structure.spot(link.p), model.structure.spot(link.q)
    frame, along = model.frame(p.part), link.along
    if along is None:
        line = _line(model, p, q)
        return scale(1 / symengine.sqrt(tidied(dot(line, line))), line)
    axis = turn(frame.assembly.orientation[id(p.part)], along) if isinstance(p.part, Body) else along
    return frame.direction_in_space(axis)


def _line(model: Placed, p: Spot, q: Spot) -> Vector:
    """From p to q in space."""
    ends = [model.frame(one.part).in_space(model.frame(one.part).locate(one)[0]) for one in (p, q)]
    return subtract(ends[1], ends[0])


def _is_everywhere(spot: Spot) -> bool:
    return isinstance(spot.part, Ground)


def _displacement(model: Placed, p: Spot, q: Spot, along: Vector, jets: Jets) -> Basic:
    """In the axes of the frame that carries p."""
    frame = model.frame(p.part)
    axis = turn(frame.assembly.orientation[id(p.part)], along) if isinstance(p.part, Body) else along
    moved = _apart(model, p, q, jets)
    along_it = dot(axis, subtract(moved, _turned_with(model, p, moved, jets)))
    return along_it - at_reference(along_it, jets)


def _apart(model: Placed, p: Spot, q: Spot, jets: Jets) -> Vector:
    """Where q is, seen from p."""
    frame = model.frame(p.part)
    if _is_everywhere(p):
        other = model.frame(q.part)
        return other.in_space(other.locate(q)[0])
    if _is_everywhere(q):
        point = frame.locate(p)[0]
        stays = change(frame.in_space(point), lambda f: at_reference(f, jets))
        return subtract(relative((model.frames[0], stays), frame) if _rooted(model, frame) else stays, point)
    return subtract(relative((model.frame(q.part), model.frame(q.part).locate(q)[0]), frame), frame.locate(p)[0])


def _turned_with(model: Placed, p: Spot, moved: Vector, jets: Jets) -> Vector:
    """What the small rotation of a rigid p makes of where q is, to first order: its axes turn with it."""
    small = model.frame(p.part).locate(p)[1]
    if not isinstance(p.part, Body) or small == NULL:
        return NULL
    return cross(small, change(moved, model.without_deflections(jets)))


def _turned_further(model: Placed, link: StraightLink, p: Spot, q: Spot, jets: Jets) -> Basic:
    """The same to second order, on which a spring or damper works whose law pulls in the reference configuration."""
    small = model.frame(p.part).locate(p)[1]
    if not isinstance(p.part, Body) or small == NULL or link.along is None:
        return ZERO
    stored, lost = link.energy(STRETCH), link.dissipation(STRETCH)
    if all(vanishes(Law(link.name, ZERO, law).force(ZERO)) for law in (stored, lost)):
        return ZERO
    still = model.without_deflections(jets)
    moved = _apart(model, p, q, jets)
    far = change(moved, still)
    turned = subtract(scale(HALF, cross(small, cross(small, far))), cross(small, subtract(moved, far)))
    return dot(turn(model.frame(p.part).assembly.orientation[id(p.part)], link.along), turned)


def _rooted(model: Placed, frame: Frame) -> bool:
    return frame.chain[0] is model.frames[0]


def _stretch(model: Placed, link: StraightLink, p: Spot, q: Spot, jets: Jets) -> Basic:
    free_length = link.free_length
    for spot in (p, q):
        if spot.everywhere and free_length is None:
            raise FlexuraError(
                f"{link!r} acts along the line to ground, which is everywhere",
                advice="say where with fx.ground.at(x, y, z)",
                part=repr(link),
            )
    line = _line(model, p, q)
    distance = symengine.sqrt(tidied(dot(line, line)))
    relaxed = at_reference(distance, jets) if free_length is None else free_length.engine
    if not jets.unknowns(distance) or model.structure.rigid_together(p.part, q.part):
        raise FlexuraError(
            f"{link!r} joins two places whose distance never changes", advice="leave it out", part=repr(link)
        )
    return distance - relaxed


def turning_joint(model: Placed, link: Contact) -> SpotLink | None:
    """The joint that turns about one axis between the parts of a contact, on which it acts as a torque."""
    ends = {id(model.structure.spot(one).part) for one in (link.p, link.q)}
    joints = [one for one in model.structure.joints if {id(one.p.part), id(one.q.part)} == ends]
    turned = (one for one in joints if single_angle(model, one) is not None and not one.source.free_directions)
    return next(turned, None) if link.turns else None


def angle_between(model: Placed, link: TurningLink | Contact, jets: Jets) -> Basic:
    """The angle of the joint that turns about one axis between the two parts, else what they turn against each other.

    Away from the joint, what the parts turn from there to the places is added; so are the angles of all joints between
    parts of frames that turn about z.
    """
    p, q = model.structure.spot(link.p), model.structure.spot(link.q)
    for joint in model.structure.joints:
        for a, b, sign in ((p, q, 1), (q, p, -1)):
            if joint.p.part is a.part and joint.q.part is b.part and (angle := single_angle(model, joint)) is not None:
                bent = [
                    _rotation(model, far, link, axis) - _rotation(model, near, link, axis)
                    for far, near, axis in zip((a, b), (joint.p, joint.q), _axes_of_joint(model, joint), strict=True)
                ]
                return sign * way_round(model, joint, p, link) * (angle + bent[1] - bent[0]).expand()
    about = _felt_about(model, p, q, link)
    _refuse_two_axes(model, p, q, link)
    carried = [_carried_round(model, spot, link, about) for spot in (q, p)] if turn_apart(model, p, q) else [ZERO, ZERO]
    found = _rotation(model, q, link, about) + carried[0] - _rotation(model, p, link, about) - carried[1]
    if not jets.unknowns(found.expand()):
        raise FlexuraError(
            f"{link!r} acts on a rotation that does not exist: its two parts do not turn against each other",
            advice="connect them with a Revolute or a Pin, or leave it out",
            part=repr(link),
        )
    return found.expand()


def way_round(model: Placed, joint: SpotLink, p: Spot, link: TurningLink | Contact) -> int:
    """1 if a joint turns about what its spring or damper is told to act about, -1 if the other way round."""
    if link.about is None:
        return 1
    frame = model.frame(p.part)
    axis = _axes_of_joint(model, joint)[0 if joint.p.part is p.part else 1]
    about, small = turn(frame.assembly.orientation[id(p.part)], link.about), frame.assembly.near.small
    if not all(small(one) for one in cross(axis, about)):
        raise FlexuraError(
            f"{link!r} acts about an axis about which {joint.source!r} between its parts does not turn",
            advice="leave about= out, and it acts on the angle of that joint, or say about its axis",
            part=link.name,
            keyword="about",
        )
    return 1 if small(dot(axis, about) - 1) else -1


def turn_apart(model: Placed, p: Spot, q: Spot) -> bool:
    """Whether joints, or the sections they are on, turn the frames of two places against each other."""
    chains = [model.frame(spot.part).chain for spot in (p, q)]
    apart = (frame for chain, other in (chains, chains[::-1]) for frame in chain if frame not in other)
    return any(_turns(model, one.joint) or _on_what_turns(model, one) for one in apart if one.joint)


def _on_what_turns(model: Placed, frame: Frame) -> bool:
    return frame.parent is not None and frame.parent.locate(_seat(model, frame))[1] != NULL


def _seat(model: Placed, frame: Frame) -> Spot:
    """Where the joint of a frame is on what carries it."""
    assert frame.joint is not None
    forward = model.frame(frame.joint.p.part) is frame.parent
    return frame.joint.p if forward else frame.joint.q


def _turns(model: Placed, joint: SpotLink) -> list[Turn]:
    return joint.source.rotations(joint_symbols(model.joint_names[id(joint.source)]))


def _carried_round(model: Placed, spot: Spot, link: TurningLink | Contact, about: Vector) -> Basic:
    """The angle by which joints, and what they hang on, have turned the frame of a place about one axis."""
    total = ZERO
    for frame in model.frame(spot.part).chain:
        if frame.joint is None or frame.parent is None:
            continue
        lies = frame.parent.assembly.orientation
        forward = model.frame(frame.joint.p.part) is frame.parent
        seat = _seat(model, frame)
        turns = [(turn(lies[id(seat.part)], axis), angle) for axis, angle in _turns(model, frame.joint)]
        if any(cross(axis, about) != NULL for axis, _ in turns):
            raise FlexuraError(
                f"{link!r} acts between parts that joints turn about other axes than it does, and has no single angle",
                advice="say about which axis all of them turn, about='y', or let it act on one joint about one axis",
                part=repr(link),
            )
        own = sum((dot(axis, about) * angle for axis, angle in turns), ZERO)
        total += _rotation(model, seat, link, about) + (own if forward else -own)
    return total


def turning_axis(model: Placed, link: TurningLink | Contact) -> Vector:
    """The direction in space about which a torsion spring or damper turns q."""
    p, q = model.structure.spot(link.p), model.structure.spot(link.q)
    for joint in model.structure.joints:
        if {id(joint.p.part), id(joint.q.part)} == {id(p.part), id(q.part)} and single_angle(model, joint) is not None:
            frame = model.frame(joint.p.part)
            axis = turn(frame.assembly.orientation[id(joint.p.part)], joint.source.free_axes[0])
            return scale(exact(way_round(model, joint, p, link)), frame.direction_in_space(axis))
    return model.frame(p.part).direction_in_space(turning_way(link, p))


def turning_way(link: TurningLink | Contact, p: Spot) -> Vector:
    """About what it feels small rotations: what it says, the axis of a shaft, else z; in the axes of the frame."""
    twists = link.about is None and isinstance(p.part, Segment) and set(p.part.member.ends) == {"twist"}
    return link.about if link.about is not None else EX if twists else EZ


def single_angle(model: Placed, joint: SpotLink) -> Basic | None:
    """The angle of a joint that turns about one axis only; None for others."""
    if not isinstance(joint.source, Joint):
        return None
    turns = joint.source.rotations(joint_symbols(model.joint_names[id(joint.source)]))
    return turns[0][1] if len(turns) == 1 and turns[0][1] != 0 else None


def _axes_of_joint(model: Placed, joint: SpotLink) -> list[Vector]:
    """The axis about which a joint turns, in the frames of its p and of its q."""
    ((axis, _),) = _turns(model, joint)
    seen_from_q = axis
    for about, angle in joint.source.resting:
        seen_from_q = turn_back(rotation(about, angle), seen_from_q)
    return [
        turn(model.frame(spot.part).assembly.orientation[id(spot.part)], way)
        for spot, way in ((joint.p, axis), (joint.q, seen_from_q))
    ]


def _refuse_two_axes(model: Placed, p: Spot, q: Spot, link: TurningLink | Contact) -> None:
    """Of a shaft's twist and a beam's slope no difference can be taken."""
    ways = [_felt_about(model, spot, spot, link) for spot in (p, q)]
    if ways[0] != ways[1] and all(
        _rotation(model, spot, link, way) != 0 for spot, way in zip((p, q), ways, strict=True)
    ):
        raise FlexuraError(
            f"{link!r} acts between parts that turn about two axes, one about x and one about z",
            advice="say about which axis it acts, about='z'",
            part=repr(link),
        )


def _rotation(model: Placed, spot: Spot, link: TurningLink | Contact, about: Vector) -> Basic:
    frame = model.frame(spot.part)
    if isinstance(spot.part, Segment) and spot.part.quaternion is not None:
        raise FlexuraError(
            f"{link.name} turns with a section of {spot.part.name}, which turns far in space and has no single angle",
            advice="weld a body there, and give it a joint whose angle the spring or damper acts on",
            part=link.name,
        )
    return dot(frame.locate(spot)[1], about)


def _felt_about(model: Placed, p: Spot, q: Spot, link: TurningLink | Contact) -> Vector:
    """The axis of small turns that count: the one given, else z, or x where parts turn about nothing else (a shaft)."""
    if link.about is not None:
        return link.about
    small = [model.frame(spot.part).locate(spot)[1] for spot in (p, q)]
    only_x = all(one[2] == 0 for one in small) and any(one[0] != 0 for one in small)
    return EX if only_x else EZ
