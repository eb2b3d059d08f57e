"""Gaps that no motion of an assembly takes up, like those across its plane: all that is beyond moves as a whole.

>>> frame.parted = parted(model, frame)        # everything beyond the connection, displaced and turned as one body
>>> frame.parted.shift(spot_part, point)

A planar assembly has no motions across its plane, a shaft none but its twist. What a connection in it exerts that way
is known where it alone leads to what it carries; where something else leads there too, stiffness that the model has not
decides who carries how much.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flexura.model.gaps import Gap, refuse_shared
from flexura.model.structure import Assembly, Segment, Weld
from flexura.parts.bodies import Body, Ground
from flexura.symbolic.engine import ZERO
from flexura.symbolic.kinematics.vectors import (
    EX,
    NULL,
    Matrix,
    Vector,
    add,
    change,
    cross,
    dot,
    scale,
    subtract,
    turn,
)
from flexura.symbolic.zero import pythagoras

if TYPE_CHECKING:
    from flexura.model.frames import Frame
    from flexura.model.placing import Placed


@dataclass(frozen=True, eq=False)
class Parted:
    """The parts beyond a connection, displaced and turned about a place, to first order."""

    parts: frozenset[int]
    place: Vector
    displaced: Vector
    turned: Vector

    def shift(self, part: Any, point: Vector) -> Vector:
        """How far a point of a part goes, in the frame's axes."""
        if id(part) not in self.parts:
            return NULL
        return add(self.displaced, cross(self.turned, subtract(point, self.place)))

    def turn(self, part: Any) -> Vector:
        """How far a part turns."""
        return self.turned if id(part) in self.parts else NULL


def taken_up(assembly: Assembly, weld: Weld, gap: Gap, axes: Matrix) -> tuple[Vector, Vector]:
    """The displacement and rotation of a gap that motions of the parts take up."""
    displaced, turned = gap.shift(axes), gap.turn(axes)
    shaft = _shaft(weld)
    if shaft is not None:  # it twists about its own axis, and does nothing else
        axis = turn(assembly.orientation[id(shaft)], EX)
        return NULL, scale(dot(turned, axis), axis)
    if assembly.spatial:
        return displaced, turned
    bodies = not any(isinstance(one.part, Segment) for one in (weld.p, weld.q))
    return (*displaced[:2], ZERO), turned if assembly.twists and bodies else (ZERO, ZERO, turned[2])


def parted(model: Placed, frame: Frame) -> Parted | None:
    """What a gap in one of a frame's connections moves beside that; None where it does not, or nothing acts so."""
    gap, assembly, axes = model.gap, frame.assembly, frame.rotation_in_space
    weld = None if gap is None else next((one for one in assembly.welds if one.source is gap.source), None)
    if gap is None or weld is None:
        return None
    whole = gap.shift(axes), gap.turn(axes)
    displaced, turned = (
        change(subtract(a, b), lambda f: pythagoras(f.expand()))
        for a, b in zip(whole, taken_up(assembly, weld, gap, axes), strict=True)
    )
    for free in weld.free_directions:
        way = turn(assembly.orientation[id(weld.p.part)], free)
        displaced = subtract(displaced, scale(dot(displaced, way), way))
    if displaced == turned == NULL:
        return None
    near = _reached(assembly, weld)
    alone = (id(weld.p.part) in near) != (id(weld.q.part) in near) and not model.structure.cuts
    hinged = bool(weld.free_axes) and model.structure.spatial  # what it holds of rotations is then not said
    if not alone or (hinged and turned != NULL):
        if turned == NULL and _quiet(model, frame, weld):
            return None
        refuse_shared(gap.source)
    beyond = frozenset(id(one) for one in assembly.parts if id(one) not in near)
    if id(weld.q.part) in near:
        displaced, turned = subtract(NULL, displaced), subtract(NULL, turned)
    return Parted(beyond, frame.locate(weld.q)[0], displaced, turned)


def _shaft(weld: Weld) -> Segment | None:
    """The member in a weld that twists alone."""
    members = [one.part for one in (weld.p, weld.q) if isinstance(one.part, Segment)]
    return next((one for one in members if set(one.member.ends) == {"twist"}), None)


def _reached(assembly: Assembly, without: Weld) -> set[int]:
    """The parts that what carries the assembly reaches without a connection."""
    roots = [assembly.anchor.part] if assembly.anchor else [one for one in assembly.parts if isinstance(one, Ground)]
    waiting, found = roots or [without.p.part], set[int]()
    while waiting:
        part = waiting.pop()
        if id(part) not in found:
            found.add(id(part))
            ends = [(one.p.part, one.q.part) for one in assembly.welds if one.source is not without.source]
            waiting += [q if p is part else p for p, q in ends if p is part or q is part]
    return found


def _quiet(model: Placed, frame: Frame, weld: Weld) -> bool:
    """Whether nothing acts across the plane, and nothing leaves it; beside a shaft, whether no force acts at all."""
    axes, across = range(3) if _shaft(weld) is not None else (2,), model.gravity
    forces = [across[i] for i in axes]
    forces += [force.along[i] for load in model.loads for force in load.point_forces for i in axes]
    forces += [force.along[i] for load in model.loads for force in load.line_forces for i in axes]
    lines = [one for one in model.links if getattr(one, "along", NULL) is None]
    if lines or any(one != 0 for one in forces):
        return False
    if _shaft(weld) is None:
        return not model.structure.spatial
    ends = [spot for one in frame.assembly.welds for spot in (one.p, one.q) if isinstance(spot.part, Body)]
    return not (frame.moves or model.links or any(one.point != NULL for one in ends))
