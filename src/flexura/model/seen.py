"""Where places are, and how parts are turned, seen from ground: by joints alone, or with all small motions.

>>> RigidPlaces(placed).at(spot), BentPlaces(placed).axes(spot)
"""

from __future__ import annotations

from dataclasses import replace

from flexura.model.frames import Frame, joint_symbols
from flexura.model.placing import Placed
from flexura.model.reference import point_of
from flexura.model.structure import Segment, Spot
from flexura.symbolic.engine import exact
from flexura.symbolic.kinematics.motion import Pose, Turn
from flexura.symbolic.kinematics.vectors import (
    IDENTITY,
    Matrix,
    Vector,
    add,
    product,
    rotation,
    scale,
    transpose,
    turn,
)


class RigidPlaces:
    """Along the joints: turns go about their axes as they lie in the reference configuration, which `frames.py` does
    not do; hence what is read off them checks the energies.
    """

    def __init__(self, model: Placed) -> None:
        self.model = model
        self.poses: dict[int, Pose] = {}
        for frame in model.frames:  # parents first
            self.poses[id(frame)] = self._pose(frame)

    def _pose(self, frame: Frame) -> Pose:
        """From the joint that carries the frame; a child on p's side moves the other way."""
        if frame.parent is None or frame.joint is None:
            return Pose()
        forward = frame.assembly.anchor is frame.joint.q
        seat = frame.joint.p if forward else frame.joint.q
        parent = self.poses[id(frame.parent)]
        q = joint_symbols(self.model.joint_names[id(frame.joint.source)])
        rest = product(parent.rest, frame.parent.assembly.orientation[id(seat.part)])
        resting = _rotation_of(frame.joint.source.resting)
        of_p = rest if forward else product(rest, transpose(resting))
        turns = [(turn(of_p, axis), angle) for axis, angle in frame.joint.source.rotations(q) if angle != 0]
        if not forward:
            turns = [(axis, -angle) for axis, angle in reversed(turns)]
        child = parent.then(turns, product(rest, resting) if forward else of_p)
        shift = frame.joint.source.translation(q)
        moved = turn(self.axes(seat), shift) if forward else scale(exact(-1), turn(child.rotation, shift))
        return replace(child, origin=add(self.at(seat), moved))

    def at(self, spot: Spot) -> Vector:
        """A point of a part in space."""
        frame = self.model.frame(spot.part)
        pose = self.poses[id(frame)]
        return add(pose.origin, turn(pose.rotation, point_of(frame.assembly, spot)))

    def axes(self, spot: Spot) -> Matrix:
        """The axes of a part in ground's."""
        frame = self.model.frame(spot.part)
        return product(self.poses[id(frame)].rotation, frame.assembly.orientation[id(spot.part)])

    def axes_of_links(self, spot: Spot) -> Matrix:
        """The axes that springs on a part act along."""
        return self.axes(spot)


class BentPlaces:
    """With the small motions of bodies and of sections of members."""

    def __init__(self, model: Placed) -> None:
        self.model = model

    def at(self, spot: Spot) -> Vector:
        """A point of a part in space."""
        frame = self.model.frame(spot.part)
        return frame.in_space(frame.locate(spot)[0])

    def axes(self, spot: Spot) -> Matrix:
        """The axes of a part, or section, in ground's."""
        frame = self.model.frame(spot.part)
        return product(frame.rotation_in_space, product(frame.turn_of(spot), frame.assembly.axes(spot)))

    def axes_of_links(self, spot: Spot) -> Matrix:
        """Springs on a member act along the axes of the frame that carries it."""
        frame = self.model.frame(spot.part)
        return frame.rotation_in_space if isinstance(spot.part, Segment) else self.axes(spot)


Places = RigidPlaces | BentPlaces


def label_of(spot: Spot) -> str:
    """A body, or a place on a member, as diagrams call it: "hub", "beam.start", "beam.at(l/2)"."""
    seg = spot.part
    if not isinstance(seg, Segment):
        return seg.name
    s, spine = (seg.start if spot.end == "a" else seg.end), seg.member.spine
    for which, place in (("start", spine.start), ("end", spine.end)):
        if (s.engine - place.engine).expand() == 0:
            return f"{seg.member.name}.{which}"
    return f"{seg.member.name}.at({s})"


def _rotation_of(turns: list[Turn]) -> Matrix:
    turned = IDENTITY
    for axis, angle in turns:
        turned = product(turned, rotation(axis, angle))
    return turned
