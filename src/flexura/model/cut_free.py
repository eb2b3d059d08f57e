"""A model with members, each part cut free: what moves, what holds it and what acts on it, to first order.

>>> cut = Cutting(description, frozenset())()
>>> cut.members["beam"], [hold.name for hold in cut.holds]

Velocities are those that the energies are made of; forces at points, and what ends of members carry, are not. Diagrams
add the loads at the ends, which follow from the densities, and hold all of it against the equations.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from flexura.errors import FlexuraError
from flexura.model.at_rest import Resting
from flexura.model.builder import Builder
from flexura.model.closing import held_directions
from flexura.model.energies import line_point, local_displacement, rotation_of, spin_orders
from flexura.model.frames import Frame, small_rotation, velocity_at
from flexura.model.free_bodies import hold_name
from flexura.model.placing import Placed
from flexura.model.seen import BentPlaces, label_of
from flexura.model.structure import Segment, Spot, SpotLink, Weld
from flexura.model.wrenches import Acting, free_motions
from flexura.parts.bodies import Body, Ground
from flexura.parts.contacts import Contact
from flexura.parts.description import Description
from flexura.parts.joints import Joint
from flexura.parts.loads import Constraint
from flexura.parts.rides import Ride
from flexura.symbolic.engine import ZERO, Basic, Symbol
from flexura.symbolic.kinematics.motion import CutFree, CutHold, CutNode, CutPart, FreeMotion, Hold
from flexura.symbolic.kinematics.vectors import (
    AXES,
    EX,
    EY,
    EZ,
    NULL,
    Matrix,
    Vector,
    add,
    change,
    cross,
    product,
    transpose,
    turn,
)

Unit = tuple[str, Vector, Vector]
_SHAFT = {"twist"}


@dataclass(frozen=True, eq=False)
class Cutting:
    """Cuts a described model when it is asked to, which most models never are."""

    described: Description
    idle: frozenset[str]

    def __call__(self) -> CutFree:
        """All parts."""
        told = self.described
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what was to be told has been
            arguments = (told.things, told.measured_from, told.names, told.foreshortening, self.idle)
            placed = Builder(*arguments, tied=False).placed
        _refuse(placed)
        return _Cut(placed).all()


def _refuse(placed: Placed) -> None:
    """What has no diagram, and what to do."""
    reasons = {
        Ride: "a load that travels along a member has no place in it",
        Constraint: "a condition written by hand does not say on which bodies its load acts",
        Contact: "a contact with members has none",
    }
    for thing in placed.things:
        for kind, reason in reasons.items():
            if isinstance(thing, kind):
                raise FlexuraError(
                    f"There are no free-body diagrams: {reason}", advice="leave it out to see the others"
                )
    for member in placed.structure.members:
        moves = any(placed.frame(seg).moves for seg in placed.segments_of(member))
        if member.surroundings and moves:
            around = " and the ".join(member.surroundings)
            raise FlexuraError(
                f"There are no free-body diagrams: the {around} of {member.name} moves with the frame that carries it,"
                " and rests on no part that is cut",
                advice="leave it out to see the others",
                part=member.name,
            )
        extra = (member.kinetic.engine - member.kinetic_of_motion.engine).expand()
        if member.bends_far or extra != 0:
            why = "bends far, and its sections turn" if member.bends_far else "has a kinetic energy of its own"
            raise FlexuraError(
                f"There are no free-body diagrams: the member {member.name} {why}",
                advice="the loads at its ends are in the boundary conditions of fx.derive",
                part=member.name,
            )


class _Cut:
    """One model."""

    def __init__(self, placed: Placed) -> None:
        self.placed, self.jets = placed, placed.jets
        self.places = BentPlaces(placed)
        self.acting = Acting(placed, self.jets, self.places)

    def all(self) -> CutFree:
        """Everything."""
        structure = self.placed.structure
        members = {one.name: tuple(self._pieces(one.name)) for one in structure.members}
        joints = [(link, frame) for frame in self.placed.frames if (link := frame.joint)]
        welds = [weld for frame in self.placed.frames for weld in frame.assembly.welds if weld.source]
        holds = tuple(_named_once([*(self._joint(link) for link, _ in joints), *map(self._weld, welds)]))
        links: list[SpotLink | Weld] = [*(link for link, _ in joints), *welds]
        geared = [self._geared(link) for link, _ in joints]
        wrenches = [*self.acting.all(geared)]
        wrenches += [one for frame, seg in self.placed.segments() for one in self.acting.along(frame, seg)]
        cut = CutFree(tuple(self._bodies()), members, tuple(self._nodes()), holds, tuple(wrenches), self._small())
        names = {id(link.source): hold.name for link, hold in zip(links, holds, strict=True)}
        return Resting(self.placed, self.places, cut, names).held()

    def _small(self) -> frozenset[str]:
        """Deflections; what is measured from elsewhere is not small by itself."""
        fields = {one.name for seg in self.placed.structure.segments for one in seg.fields}
        ends = {name for frame in self.placed.frames for name, _, _ in frame.motions.coordinates}
        return frozenset(fields | ends) - {name for name, by in self.placed.measured.items() if by != 0}

    # -- what moves ----------------------------------------------------------------------------------------------

    def _bodies(self) -> Iterator[CutPart]:
        for body in self.placed.structure.bodies:
            frame = self.placed.frame(body)
            axes = frame.assembly.orientation[id(body)]
            inertia = product(product(axes, body.tensor), transpose(axes))
            point, small = frame.locate(Spot(body, NULL))
            yield self._part(body.name, frame, body.mass.engine, point, small, inertia, axes, "")

    def _pieces(self, member: str) -> Iterator[CutPart]:
        for frame, seg in self.placed.segments():
            if seg.member.name != member:
                continue
            axes, by = frame.assembly.orientation[id(seg)], self.placed.replacements(seg)
            moved = turn(axes, local_displacement(frame, seg, by))
            small = turn(axes, _replaced(rotation_of(seg), by))
            mass = seg.own(seg.mechanics.rho.engine)
            inertia = _section(seg, axes)
            yield self._part(member, frame, mass, add(line_point(frame, seg), moved), small, inertia, axes, seg.spine)

    def _part(
        self,
        name: str,
        frame: Frame,
        mass: Basic,
        point: Vector,
        small: Vector,
        inertia: Matrix,
        own: Matrix,
        spine: str,
    ) -> CutPart:
        D_t = self.jets.D_t
        velocity, _ = velocity_at(frame, point, self.jets)
        acceleration = add(change(velocity, D_t), cross(frame.spin, velocity))
        zeroth, first, _ = spin_orders(frame.spin, small, self.jets)
        spin = add(zeroth, first)
        momentum = turn(inertia, spin)
        rate = turn(small_rotation(small), add(change(momentum, D_t), cross(spin, momentum)))
        turning = rate if any(one != 0 for row in inertia for one in row) else NULL
        return CutPart(
            name, mass, point, small, acceleration, turning, frame.rotation_in_space, own, frame.origin_in_space, spine
        )

    # -- where things attach -------------------------------------------------------------------------------------

    def _nodes(self) -> Iterator[CutNode]:
        found: dict[str, CutNode] = {}
        for frame, seg in self.placed.segments():
            for end in "ab":
                spot = Spot(seg, seg.member.point((seg.start if end == "a" else seg.end).engine), end)
                label = label_of(spot)
                node = found.get(label, CutNode(label, seg.member.name, (), *frame.locate(spot)))
                found[label] = replace(node, ends=(*node.ends, (seg.spine, end)))
        yield from found.values()

    def _joint(self, link: SpotLink) -> CutHold:
        names = self.placed.joint_names[id(link.source)]
        driven = {name for name in names if name in self.placed.prescribed}
        loose = [one for one in self._free(link) if one.name not in driven]
        return self._hold(link, [one.along for one in loose], [one.about for one in loose])

    def _free(self, link: SpotLink) -> Iterator[FreeMotion]:
        names = self.placed.joint_names[id(link.source)] if isinstance(link.source, Joint) else ()
        return free_motions(link, names, self.places.axes(link.p))

    def _geared(self, link: SpotLink) -> Hold:
        free = tuple(self._free(link))
        return Hold(hold_name(link), label_of(link.p), label_of(link.q), self.places.at(link.q), (), 1, free)

    def _weld(self, weld: Weld) -> CutHold:
        axes = self.placed.frame(weld.p.part)
        base = product(axes.rotation_in_space, axes.assembly.orientation[id(weld.p.part)])
        along = [turn(base, one) for one in weld.free_directions]
        about = list(AXES) if weld.free_axes else []
        return self._hold(weld, along, about)

    def _hold(self, link: SpotLink | Weld, along: list[Vector], about: list[Vector]) -> CutHold:
        spots = (link.p, link.q)
        name = hold_name(link)
        point = self.places.at(link.p if link.q.everywhere else link.q)
        on_p = self.places.at(link.p) if isinstance(link, Weld) and not link.p.everywhere else point
        anchor = self.placed.frame(link.p.part).assembly.anchor if isinstance(link, Weld) else None
        carrier = "" if anchor is None else label_of(anchor)
        forces, couples = ([one for one in ways if one != NULL] for ways in (along, about))
        units = [(f"R_{name}_{which}", way, NULL) for which, way in self._ways(spots, forces, PUSHED)]
        units += [(f"M_{name}_{which}", NULL, way) for which, way in self._ways(spots, couples, TURNED)]
        return CutHold(
            name, label_of(link.p), label_of(link.q), point, on_p, carrier, isinstance(link, Weld), tuple(units)
        )

    def _ways(
        self, spots: tuple[Spot, Spot], loose: list[Vector], carried: Mapping[str, Vector]
    ) -> Iterator[tuple[str, Vector]]:
        """The directions in which a connection holds: ground's axes where they serve, else those of what it joins."""
        can = [self._carried(spot, carried) for spot in spots]
        shared = [one for one in can if one is not None]
        axes = [(which, e) for which, e in zip("xyz", AXES, strict=True) if self._lives(e, carried, spots)]
        if shared:  # a member that does not move all ways, or no way at all
            few = min(shared, key=len)
            if len(few) < len(axes) or (len(few) == 1 and not _parallel(few[0], axes[0][1])):
                axes = [(_called(way, i), way) for i, way in enumerate(few, 1)]
        if not loose:
            yield from axes
            return
        if len(loose) >= len(axes):
            return
        aligned = [(which, e) for which, e in axes if not any(_parallel(e, way) for way in loose)]
        if len(aligned) == len(axes) - len(loose):
            yield from aligned
            return
        held = held_directions(tuple(loose), carried is TURNED or self.placed.structure.spatial)
        yield from ((_called(way, i), way) for i, way in enumerate(held, 1))

    def _lives(self, e: Vector, carried: Mapping[str, Vector], spots: tuple[Spot, Spot]) -> bool:
        """Whether anything moves that way: in the plane along x and y, and about z."""
        if self.placed.structure.spatial:
            return True
        return e == EZ if carried is TURNED else e != EZ

    def _carried(self, spot: Spot, carried: Mapping[str, Vector]) -> list[Vector] | None:
        """The directions in ground's axes in which a part moves, or turns, by itself; None: all of them."""
        if isinstance(spot.part, Ground) or (isinstance(spot.part, Body) and (carried is PUSHED or spot.part.turns)):
            return None
        if isinstance(spot.part, Body):
            return []
        frame = self.placed.frame(spot.part)
        axes = product(frame.rotation_in_space, frame.assembly.orientation[id(spot.part)])
        motions = motions_of(spot.part)
        found = [turn(axes, e) for motion, e in carried.items() if motion in motions]
        return None if len(found) == 3 else found


PUSHED = {"axial": EX, "transverse": EY, "lateral": EZ}
TURNED = {"twist": EX, "tilt": EY, "rotation": EZ}


def motions_of(seg: Segment) -> set[str]:
    """How an end of a member moves; what does not bend or stretch follows as it is."""
    ends = set(seg.member.ends)
    return ends if ends == _SHAFT else ends | {"axial", "transverse"}


def _replaced(v: Vector, by: Mapping[Symbol, Basic]) -> Vector:
    return change(v, lambda f: f.xreplace(by))


def _section(seg: Segment, axes: Matrix) -> Matrix:
    x, y, z = (seg.own(one.engine) for one in seg.mechanics.rotary_inertia)
    diagonal = ((x, ZERO, ZERO), (ZERO, y, ZERO), (ZERO, ZERO, z))
    return product(product(axes, diagonal), transpose(axes))


def _called(way: Vector, number: int) -> str:
    """The axis of ground that a direction is, or else a number."""
    return next((which for which, e in zip("xyz", AXES, strict=True) if _parallel(way, e)), f"n{number}")


def _parallel(a: Vector, b: Vector) -> bool:
    return all(one.expand() == 0 for one in cross(a, b))


def _named_once(holds: list[CutHold]) -> Iterator[CutHold]:
    seen: dict[str, int] = {}
    for one in holds:
        seen[one.name] = count = seen.get(one.name, 0) + 1
        if count == 1:
            yield one
            continue
        name = f"{one.name}_{count}"
        units = tuple(
            (f"{unit[0]}_{name}_{unit.rpartition('_')[2]}", force, couple) for unit, force, couple in one.units
        )
        yield replace(one, name=name, units=units)
