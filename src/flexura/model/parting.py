"""Gaps across the plane in which an assembly moves: no motion of its own takes them up, so all beyond moves as a whole.

>>> frame.parted = parted(model, frame)        # everything beyond the connection, displaced and turned as one body
>>> frame.parted.shift(spot_part, point)

A planar assembly has no motions across its plane. What a connection in it exerts that way is known where it alone leads
to what it carries; where something else leads there too, stiffness that the model has not decides who carries how much.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flexura.model.gaps import Gap, refuse_shared
from flexura.model.structure import Assembly, Weld
from flexura.parts.bodies import Ground
from flexura.symbolic.engine import ZERO
from flexura.symbolic.kinematics.vectors import NULL, Matrix, Vector, add, cross, subtract

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


def planar(assembly: Assembly) -> bool:
    """Whether nothing in an assembly moves across its plane."""
    return not (assembly.spatial or assembly.twists)


def along_plane(gap: Gap, axes: Matrix) -> tuple[Vector, Vector]:
    """The displacement and rotation of a gap that motions along the plane take up."""
    (a, b, _), (_, _, c) = gap.shift(axes), gap.turn(axes)
    return (a, b, ZERO), (ZERO, ZERO, c)


def across_plane(gap: Gap, axes: Matrix) -> tuple[Vector, Vector]:
    """The rest."""
    (_, _, a), (b, c, _) = gap.shift(axes), gap.turn(axes)
    return (ZERO, ZERO, a), (b, c, ZERO)


def parted(model: Placed, frame: Frame) -> Parted | None:
    """What a gap in one of a frame's connections moves across the plane; None where it does not, or nothing acts so."""
    gap, assembly = model.gap, frame.assembly
    weld = None if gap is None else next((one for one in assembly.welds if one.source is gap.source), None)
    if gap is None or weld is None or not planar(assembly):
        return None
    displaced, turned = across_plane(gap, frame.rotation_in_space)
    if displaced == turned == NULL:
        return None
    near = _reached(assembly, weld)
    alone = (id(weld.p.part) in near) != (id(weld.q.part) in near) and not model.structure.cuts
    hinged = bool(weld.free_axes) and model.structure.spatial  # what it holds of rotations is then not said
    if not alone or (hinged and turned != NULL):
        if turned == NULL and _flat(model):
            return None
        refuse_shared(gap.source)
    beyond = frozenset(id(one) for one in assembly.parts if id(one) not in near)
    if id(weld.q.part) in near:
        displaced, turned = subtract(NULL, displaced), subtract(NULL, turned)
    return Parted(beyond, frame.locate(weld.q)[0], displaced, turned)


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


def _flat(model: Placed) -> bool:
    """Whether nothing acts across the plane, and nothing leaves it."""
    forces = [force.along[2] for load in model.loads for force in load.point_forces]
    forces += [force.along[2] for load in model.loads for force in load.line_forces]
    lines = [one for one in model.links if getattr(one, "along", NULL) is None]
    return not (model.structure.spatial or lines or any(one != 0 for one in (*forces, model.gravity[2])))
