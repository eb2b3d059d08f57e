"""Every body cut free, seen from ground: where it is, what holds it and what acts on it, for Newton's and Euler's laws.

Nothing here reads the velocities of `frames.py`: turns go about joint axes as they lie in the reference configuration
(`Pose`), positions follow along the joints, loads are forces at points. Hence an independent check on the energies.

    >>> free = free_bodies(builder, jets)
    >>> free.bodies[0].position, [hold.name for hold in free.holds]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import symengine

from flexura.model.closing import cut_conditions, held_directions, square_pairs
from flexura.model.elongation import angle_between, turning_joint
from flexura.model.frames import Frame, at_reference, joint_symbols
from flexura.model.gears import difference, gear_name, geared, gears_of
from flexura.model.placing import Placed
from flexura.model.reference import point_of
from flexura.model.rolling import rolled_directions, rolling_conditions, rolling_of
from flexura.model.structure import Assembly, Spot, SpotLink, Weld
from flexura.parts.bodies import Body, Ground
from flexura.parts.contacts import Contact
from flexura.parts.rolling import Rolling
from flexura.parts.springs import SpringOrDamper, StraightLink, TurningLink
from flexura.symbolic.engine import Basic, Symbol, exact, partial, symbol_name
from flexura.symbolic.jets import Jets
from flexura.symbolic.kinematics.motion import STRETCH, FreeBodies, FreeBody, FreeMotion, Hold, Pose, Turn, Wrench
from flexura.symbolic.kinematics.vectors import (
    AXES,
    EZ,
    IDENTITY,
    NULL,
    Matrix,
    Vector,
    add,
    change,
    cross,
    dot,
    product,
    rotation,
    scale,
    slope,
    subtract,
    transpose,
    turn,
)


def free_bodies(model: Placed, jets: Jets) -> FreeBodies:
    """The free bodies of a model whose frames are built, or the reason why there are none."""
    refusal, advice = _refusal(model)
    return FreeBodies(refusal=refusal, advice=advice) if refusal else _Space(model, jets).free_bodies()


def _refusal(model: Placed) -> tuple[str, str]:
    """Why there are none, and what to do about it."""
    members = ", ".join(one.name for one in model.structure.members)
    small = ", ".join(name for frame in model.frames for name, _, _ in frame.motions.coordinates)
    if members:
        return f"only rigid bodies are cut free, and this system has flexible members ({members})", ""
    if small:
        left = f"a Pin or Roller leaves a small motion ({small}), which has no free body"
        return left, "write Revolute or Slide there"
    return "", ""


class _Space:
    """The model seen from ground."""

    def __init__(self, model: Placed, jets: Jets) -> None:
        self.model, self.jets = model, jets
        self.rolled = set(rolling_conditions(model, jets)[0])
        self.poses: dict[int, Pose] = {}
        for frame in model.frames:  # parents first
            self.poses[id(frame)] = self._pose(frame)

    def free_bodies(self) -> FreeBodies:
        """Everything."""
        holds = [*(self._joint(frame) for frame in self.model.frames if frame.joint), *self._welds()]
        loads = (self._weights(), self._links(), self._gears(holds), self._loads(), self._cuts())
        wrenches = [one for some in loads for one in some if one.body != "ground"]
        return FreeBodies(tuple(self._bodies()), tuple(_named_once(holds)), tuple(wrenches))

    # -- where everything is -------------------------------------------------------------------------------------

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

    def _bodies(self) -> Iterator[FreeBody]:
        for body in self.model.structure.bodies:
            spot = Spot(body, NULL)
            spin = self.poses[id(self.model.frame(body))].spin(self.jets)
            yield FreeBody(body.name, body.mass.engine, self.at(spot), self.axes(spot), spin, body.tensor)

    # -- what holds what -----------------------------------------------------------------------------------------

    @cached_property
    def _outboard(self) -> dict[int, list[str]]:
        """The parts that each frame carries, its own and those of frames that hang on it."""
        found: dict[int, list[str]] = {id(frame): [] for frame in self.model.frames}
        for one in self.model.frames:
            names = _names(one.assembly)
            for frame in one.chain:
                found[id(frame)] += names
        return found

    def _joint(self, frame: Frame) -> Hold:
        link = frame.joint
        assert link is not None
        names = self.model.joint_names[id(link.source)]
        outboard = tuple(self._outboard[id(frame)])
        sign = 1 if frame.assembly.anchor is link.q else -1
        free = tuple(self._free(link, names))
        return Hold(hold_name(link), link.p.part.name, link.q.part.name, self.at(link.q), outboard, sign, free)

    def _free(self, link: SpotLink, names: tuple[str, ...]) -> Iterator[FreeMotion]:
        """The unit rates that the coordinates of a joint give q relative to p."""
        q, axes = joint_symbols(names), self.axes(link.p)
        shift = link.source.translation(q)
        for name in filter(None, names):
            along = slope(shift, Symbol(name))
            if along != NULL:
                yield FreeMotion(name, turn(axes, along), NULL)
        turned = axes
        for axis, angle in ((axis, angle) for axis, angle in link.source.rotations(q) if angle != 0):
            yield FreeMotion(symbol_name(angle), NULL, turn(turned, axis))
            turned = product(turned, rotation(axis, angle))

    def _welds(self) -> Iterator[Hold]:
        """Each weld, walking outwards from the part that carries the assembly."""
        for frame in self.model.frames:
            assembly = frame.assembly
            first = assembly.anchor.part if assembly.anchor else assembly.parts[0]
            tree = len(assembly.welds) == len(assembly.parts) - 1
            for weld in assembly.welds:
                near = _reached(assembly, first, weld)
                beyond = [one for one in assembly.parts if not any(one is other for other in near)]
                outboard = tuple(name for part in beyond for name in self._hanging(part))
                sign = 1 if any(weld.q.part is one for one in beyond) else -1
                ends = (weld.p.part.name, weld.q.part.name)
                yield Hold(hold_name(weld), *ends, self.at(weld.q), outboard, sign, (), tree)

    def _hanging(self, part: Any) -> Iterator[str]:
        """A body and all that hangs on it by joints."""
        yield part.name
        for frame in self.model.frames:
            ends = (frame.joint.p.part, frame.joint.q.part) if frame.joint else ()
            if frame is not self.model.frame(part) and any(one is part for one in ends):
                yield from (name for one in self.model.frames if frame in one.chain for name in _names(one.assembly))

    # -- what acts -----------------------------------------------------------------------------------------------

    def _weights(self) -> Iterator[Wrench]:
        for body in self.model.structure.bodies if self.model.gravity != NULL else ():
            at = self.at(Spot(body, NULL))
            yield Wrench("weight", "weight", body.name, body.mass.engine, self.model.gravity, NULL, at)

    def _links(self) -> Iterator[Wrench]:
        for link in self.model.links:
            p, q = self.model.structure.spot(link.p), self.model.structure.spot(link.q)
            if isinstance(link, TurningLink) or (isinstance(link, Contact) and turning_joint(self.model, link)):
                yield from self._couple(link, p, q)
            else:
                assert isinstance(link, StraightLink)
                yield from self._pull(link, p, q)

    def _amounts(self, link: SpringOrDamper, extent: Basic) -> Iterator[tuple[str, Basic]]:
        """The force of what is stored at a stretch, and of what is lost at its rate: slopes of its law."""
        for kind, law, at in (
            ("spring", link.energy(STRETCH), extent),
            ("damper", link.dissipation(STRETCH), self.jets.D_t(extent)),
        ):
            if law != 0:
                yield kind, partial(law, STRETCH).xreplace({STRETCH: at})
        if link.acting != 0:
            yield "force", -link.acting

    def _pull(self, link: StraightLink, p: Spot, q: Spot) -> Iterator[Wrench]:
        """Along p's axis the link slides in p: its force on p acts where q is. Along the line both lie on it."""
        ends = (self.at(p), self.at(q))
        if link.along is None:
            length = symengine.sqrt(dot(subtract(ends[1], ends[0]), subtract(ends[1], ends[0])).expand())
            given = link.free_length
            extent = length - (at_reference(length, self.jets) if given is None else given.engine)
            axis = scale(1 / length, subtract(ends[1], ends[0]))
        else:
            ends = (
                self._stays(q) if isinstance(p.part, Ground) else ends[0],
                self._stays(p) if isinstance(q.part, Ground) else ends[1],
            )
            axis = turn(self.axes(p), link.along)
            distance = dot(axis, subtract(ends[1], ends[0]))
            extent = distance - at_reference(distance, self.jets)
        for kind, amount in self._amounts(link, extent):
            yield Wrench(link.name, kind, p.part.name, amount, axis, NULL, ends[1])
            yield Wrench(link.name, kind, q.part.name, -amount, axis, NULL, ends[1])

    def _stays(self, spot: Spot) -> Vector:
        return change(self.at(spot), lambda f: at_reference(f, self.jets))

    def _couple(self, link: TurningLink | Contact, p: Spot, q: Spot) -> Iterator[Wrench]:
        for joint in self.model.structure.joints:
            turns = joint.source.rotations(joint_symbols(self.model.joint_names[id(joint.source)]))
            if len(turns) == 1 and {id(joint.p.part), id(joint.q.part)} == {id(p.part), id(q.part)}:
                axis = turn(self.axes(joint.p), turns[0][0])
                for kind, amount in self._amounts(link, turns[0][1]):
                    yield Wrench(link.name, kind, joint.p.part.name, amount, NULL, axis, self.at(joint.p))
                    yield Wrench(link.name, kind, joint.q.part.name, -amount, NULL, axis, self.at(joint.q))
                return
        axis = self.model.frame(p.part).direction_in_space(EZ if link.about is None else link.about)
        for kind, amount in self._amounts(link, angle_between(self.model, link, self.jets)):
            yield Wrench(link.name, kind, p.part.name, amount, NULL, axis, self.at(p))
            yield Wrench(link.name, kind, q.part.name, -amount, NULL, axis, self.at(q))

    def _gears(self, holds: list[Hold]) -> Iterator[Wrench]:
        """What an elastic gear does between p and q of each of its joints, along the motion of its coordinate."""
        for gear in (one for one in gears_of(self.model) if one.rate is not None):
            apart = difference(self.model, gear)
            force = partial(gear.energy(STRETCH), STRETCH).xreplace({STRETCH: apart})
            called = gear_name(self.model, gear)
            for name in geared(self.model, gear):
                share = force * partial(apart, Symbol(name))
                hold, free = next((hold, free) for hold in holds for free in hold.free if free.name == name)
                for body, sign in ((hold.q, -1), (hold.p, 1)):
                    yield Wrench(called, "spring", body, sign * share, free.along, free.about, hold.point)

    def _loads(self) -> Iterator[Wrench]:
        for load in self.model.loads:
            value = load.value.engine
            for force in load.point_forces:
                spot = self.model.structure.spot(force.place)
                holder = None if force.axes is None else self.model.structure.spot(force.axes)
                along = force.along if holder is None else turn(self.axes(holder), force.along)
                yield Wrench(load.name, "force", spot.part.name, value, along, NULL, self.at(spot))
            for couple in load.couples:
                spot = self.model.structure.spot(couple.place)
                axis = turn(self.axes(self.model.structure.spot(couple.axis_of)), couple.about)
                yield Wrench(load.name, "torque", spot.part.name, couple.sense * value, NULL, axis, self.at(spot))

    def _cuts(self) -> Iterator[Wrench]:
        """The reactions where loops were cut: what p exerts on q, multiplier by multiplier."""
        for cut in self.model.structure.cuts:
            for name in cut_conditions(self.model, cut, self.jets):
                force, couple = self._reaction(cut, name.rpartition("_")[2])
                slides = bool(cut.source.free_directions)
                where = self._stays(cut.p) if cut.q.everywhere else self.at(cut.q)
                for spot, sign, point in ((cut.q, 1, where), (cut.p, -1, where if slides else self.at(cut.p))):
                    yield Wrench(name, "cut", spot.part.name, sign * Symbol(name), force, couple, point)

        for one in rolling_of(self.model):
            surface, wheel = (self.model.structure.spot(place) for place in (one.p, one.q))
            point = self._contact(one, surface, wheel)
            for which, along in rolled_directions(self.model, one).items():
                name, way = f"lambda_{one.label}_{which}", turn(self.axes(surface), along)
                if name in self.rolled:
                    yield Wrench(name, "cut", wheel.part.name, Symbol(name), way, NULL, point)
                    yield Wrench(name, "cut", surface.part.name, -Symbol(name), way, NULL, point)

    def _contact(self, one: Rolling, surface: Spot, wheel: Spot) -> Vector:
        """Where a wheel touches: below its centre, in its plane if it is a disc in space."""
        below = turn(self.axes(surface), one.normal)
        if one.turns_about is not None and self.model.structure.spatial:
            axle = turn(self.axes(wheel), one.turns_about)
            below = subtract(below, scale(dot(below, axle), axle))
            below = scale(1 / symengine.sqrt(dot(below, below)), below)
        return subtract(self.at(wheel), scale(one.radius.engine, below))

    def _reaction(self, cut: SpotLink, which: str) -> tuple[Vector, Vector]:
        """The unit load behind one condition of a cut: along an axis, across a slide, or about an axis."""
        if which in ("x", "y", "z"):
            return AXES["xyz".index(which)], NULL
        if which[0] == "n":
            across = held_directions(cut.source.free_directions, self.model.structure.spatial)[int(which[1:]) - 1]
            return turn(self.axes(cut.p), across), NULL
        axes = (self.axes(cut.p), self.axes(cut.q))
        mine, other = square_pairs(cut.source, self.model.structure.spatial, *axes, self.jets)[which]
        return NULL, cross(other, mine)


def hold_name(one: SpotLink | Weld) -> str:
    """What a joint or weld is called in the names of its reactions: as it or its coordinate is, else its two parts."""
    return (one.source.label if one.source is not None else "") or f"{one.p.part.name}_{one.q.part.name}"


def _rotation_of(turns: list[Turn]) -> Matrix:
    turned = IDENTITY
    for axis, angle in turns:
        turned = product(turned, rotation(axis, angle))
    return turned


def _named_once(holds: list[Hold]) -> Iterator[Hold]:
    seen: dict[str, int] = {}
    for one in holds:
        seen[one.name] = seen.get(one.name, 0) + 1
        yield one if seen[one.name] == 1 else replace(one, name=f"{one.name}_{seen[one.name]}")


def _names(assembly: Assembly) -> list[str]:
    return [one.name for one in assembly.parts if isinstance(one, Body) and not isinstance(one, Ground)]


def _reached(assembly: Assembly, first: Any, without: Weld) -> list[Any]:
    """The parts of an assembly that hold together with the first one when a weld is taken out."""
    found = [first]
    for part in found:
        for weld in assembly.welds:
            ends = (weld.p.part, weld.q.part)
            if weld is not without and any(part is one for one in ends):
                found += [one for one in ends if not any(one is other for other in found)]
    return found
