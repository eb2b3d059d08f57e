"""What acts on the bodies of a model, as forces at points and couples, seen from ground.

>>> [load.name for load in Acting(placed, jets, RigidPlaces(placed)).all(holds)]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import symengine

from flexura.errors import FlexuraError
from flexura.model.closing import cut_conditions, held_directions, square_pairs
from flexura.model.elongation import (
    angle_between,
    extent,
    single_angle,
    turn_apart,
    turning_axis,
    turning_joint,
    turning_way,
    way_round,
)
from flexura.model.frames import Frame, at_reference, joint_symbols
from flexura.model.gears import difference, gear_name, geared, gears_of
from flexura.model.placing import Placed
from flexura.model.rolling import rolled_directions, rolling_conditions, rolling_of
from flexura.model.seen import BentPlaces, Places, label_of
from flexura.model.structure import Segment, Spot, SpotLink
from flexura.model.wording import value_of
from flexura.parts.bodies import Ground
from flexura.parts.contacts import Contact
from flexura.parts.rolling import Rolling
from flexura.parts.springs import SpringOrDamper, StraightLink, TurningLink
from flexura.symbolic.engine import Basic, Symbol, partial, symbol_name
from flexura.symbolic.jets import Jet, Jets
from flexura.symbolic.kinematics.motion import STRETCH, FreeMotion, Hold, Wrench
from flexura.symbolic.kinematics.vectors import (
    AXES,
    EZ,
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


class Acting:
    """Weights, springs, dampers, gears, loads and the reactions of cut loops."""

    def __init__(self, model: Placed, jets: Jets, places: Places) -> None:
        self.model, self.jets, self.places = model, jets, places
        self.at, self.axes = places.at, places.axes
        self.rolled = set(rolling_conditions(model, jets)[0])

    def all(self, holds: list[Hold]) -> Iterator[Wrench]:
        """Everything but on ground; `holds` are the joints that gears act on."""
        for some in (self._weights(), self._links(), self._gears(holds), self._loads(), self._cuts()):
            yield from (one for one in some if one.body != "ground")

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

    def _amounts(self, link: SpringOrDamper, stretch: Basic) -> Iterator[tuple[str, Basic]]:
        """The force of what is stored at a stretch, and of what is lost at its rate: slopes of its law."""
        for kind, law, at in (
            ("spring", link.energy(STRETCH), stretch),
            ("damper", link.dissipation(STRETCH), self.jets.D_t(stretch)),
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
            stretch = length - (at_reference(length, self.jets) if given is None else given.engine)
            axis = scale(1 / length, subtract(ends[1], ends[0]))
        else:
            ends = (
                self._stays(q) if isinstance(p.part, Ground) else ends[0],
                self._stays(p) if isinstance(q.part, Ground) else ends[1],
            )
            axis = turn(self.places.axes_of_links(p), link.along)
            distance = dot(axis, subtract(ends[1], ends[0]))
            stretch = distance - at_reference(distance, self.jets)
            if (still := self._unturned(link, p, ends, stretch)) is not None:
                axis, ends = still
        for kind, amount in self._amounts(link, stretch):
            yield from self._on_p(Wrench(link.name, kind, label_of(p), amount, axis, NULL, ends[1]), p, ends[0])
            yield Wrench(link.name, kind, label_of(q), -amount, axis, NULL, ends[1])

    def _unturned(
        self, link: StraightLink, p: Spot, ends: tuple[Vector, Vector], stretch: Basic
    ) -> tuple[Vector, tuple[Vector, Vector]] | None:
        """Where the small turn of a body leaves the stretch as it is, the axis that has not turned, and where it acts.

        Energies hold the stretch to first order, so that the turn enters no equation there, however far joints move.
        None where it does enter and the stretch is small; where joints stretch it far no diagram of first order holds.
        """
        if not isinstance(self.places, BentPlaces) or isinstance(p.part, Segment | Ground) or link.along is None:
            return None
        frame = self.model.frame(p.part)
        small = turn(frame.rotation_in_space, frame.locate(p)[1])
        axis = frame.direction_in_space(turn(frame.assembly.orientation[id(p.part)], link.along))
        apart = change(subtract(ends[1], ends[0]), self.model.without_deflections(self.jets))
        if small == NULL:
            return None
        if dot(axis, cross(small, apart)).expand() != 0:
            if self.model.without_deflections(self.jets)(stretch).expand() != 0:
                raise FlexuraError(
                    f"There are no free-body diagrams: joints stretch {link!r} far, and its axis turns with the small"
                    f" turns of {label_of(p)}",
                    advice="name its other place first, or let it act along='line'",
                    part=repr(link),
                )
            return None
        return axis, (ends[0], add(ends[0], apart))

    def _on_p(self, wrench: Wrench, p: Spot, here: Vector) -> Iterator[Wrench]:
        """A member does not turn the axis of a spring: what carries its frame does, and feels the moment of that."""
        anchor = self.model.frame(p.part).assembly.anchor
        if not isinstance(p.part, Segment) or wrench.force == NULL:
            yield wrench
            return
        yield replace(wrench, point=here)
        if anchor is not None:
            couple = cross(subtract(wrench.point, here), wrench.force)
            yield replace(wrench, body=label_of(anchor), force=NULL, couple=couple, point=self.at(anchor))

    def _stays(self, spot: Spot) -> Vector:
        return change(self.at(spot), lambda f: at_reference(f, self.jets))

    def _couple(self, link: TurningLink | Contact, p: Spot, q: Spot) -> Iterator[Wrench]:
        if isinstance(self.places, BentPlaces):
            yield from self._bent_couple(link, p, q)
            return
        for joint in self.model.structure.joints:
            turns = joint.source.rotations(joint_symbols(self.model.joint_names[id(joint.source)]))
            if len(turns) == 1 and {id(joint.p.part), id(joint.q.part)} == {id(p.part), id(q.part)}:
                axis = turn(self.axes(joint.p), turns[0][0])
                way = way_round(self.model, joint, p, link) * (1 if joint.p.part is p.part else -1)
                for kind, felt in self._amounts(link, way * turns[0][1]):
                    amount = way * felt
                    yield Wrench(link.name, kind, joint.p.part.name, amount, NULL, axis, self.at(joint.p))
                    yield Wrench(link.name, kind, joint.q.part.name, -amount, NULL, axis, self.at(joint.q))
                return
        axis = self.model.frame(p.part).direction_in_space(EZ if link.about is None else link.about)
        for kind, amount in self._amounts(link, angle_between(self.model, link, self.jets)):
            yield Wrench(link.name, kind, p.part.name, amount, NULL, axis, self.at(p))
            yield Wrench(link.name, kind, q.part.name, -amount, NULL, axis, self.at(q))

    def _bent_couple(self, link: TurningLink | Contact, p: Spot, q: Spot) -> Iterator[Wrench]:
        """Where no joint turns its parts apart it feels small rotations: each side turns against its own frame."""
        ends = {id(p.part), id(q.part)}
        joints = (one for one in self.model.structure.joints if {id(one.p.part), id(one.q.part)} == ends)
        joined = any(single_angle(self.model, one) is not None for one in joints)
        small = not joined and not turn_apart(self.model, p, q)
        frames = [self.model.frame(one.part) for one in (p, q)]
        for kind, amount in self._amounts(link, extent(self.model, link, self.jets)):
            for spot, frame, sign in ((p, frames[0], 1), (q, frames[1], -1)):
                axis = turning_axis(self.model, link) if joined else frame.direction_in_space(turning_way(link, p))
                yield Wrench(link.name, kind, label_of(spot), sign * amount, NULL, axis, self.at(spot))
                anchor = frame.assembly.anchor
                if small and frames[0] is not frames[1] and anchor is not None:
                    yield Wrench(link.name, kind, label_of(anchor), -sign * amount, NULL, axis, self.at(anchor))

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
            for force in load.point_forces:
                spot, value = self.model.structure.spot(force.place), value_of(self.model, load)
                holder = None if force.axes is None else self.model.structure.spot(force.axes)
                along = force.along if holder is None else turn(self.axes(holder), force.along)
                yield Wrench(load.name, "force", label_of(spot), value, along, NULL, self.at(spot))
            for couple in load.couples:
                spot, value = self.model.structure.spot(couple.place), value_of(self.model, load)
                axis = turn(self.axes(self.model.structure.spot(couple.axis_of)), couple.about)
                yield Wrench(load.name, "torque", label_of(spot), couple.sense * value, NULL, axis, self.at(spot))

    def _cuts(self) -> Iterator[Wrench]:
        """The reactions where loops were cut: what p exerts on q, multiplier by multiplier."""
        for cut in self.model.structure.cuts:
            for name in cut_conditions(self.model, cut, self.jets):
                force, couple = self._reaction(cut, name.rpartition("_")[2])
                slides = bool(cut.source.free_directions)
                where = self._stays(cut.p) if cut.q.everywhere else self.at(cut.q)
                for spot, sign, point in ((cut.q, 1, where), (cut.p, -1, where if slides else self.at(cut.p))):
                    yield Wrench(name, "cut", label_of(spot), sign * Symbol(name), force, couple, point)

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

    def along(self, frame: Frame, seg: Segment) -> Iterator[Wrench]:
        """What acts along a piece of a member, per length: weight, loads, foundation and damping, in ground's axes."""
        axes = product(frame.rotation_in_space, frame.assembly.orientation[id(seg)])
        if self.model.gravity != NULL:
            mass = seg.own(seg.mechanics.rho.engine)
            yield Wrench("weight", "weight", seg.member.name, mass, self.model.gravity, NULL, NULL, seg.spine)
        for load in self.model.loads:
            for line in (line for line in load.line_forces if line.member is seg.member):
                way = line.along if line.in_space else turn(axes, line.along)
                value = value_of(self.model, load, seg)
                yield Wrench(load.name, "force", seg.member.name, value, way, NULL, NULL, seg.spine)
        by = self.model.replacements(seg)
        for motion, e in zip(("axial", "transverse", "lateral"), transpose(axes), strict=True):
            jet = seg.carrier(motion, "a")
            if jet is None or jet.x:
                continue
            for name, kind, f, t in (
                ("foundation", "spring", seg.mechanics.potential.engine, 0),
                ("damping", "damper", seg.member.dissipation.engine, 1),
            ):
                amount = partial(seg.own(f), Jet(jet.name, t=t).symbol).xreplace(by)
                if amount != 0:
                    yield Wrench(name, kind, seg.member.name, -amount, e, NULL, NULL, seg.spine)


def free_motions(link: SpotLink, names: tuple[str, ...], axes: Matrix) -> Iterator[FreeMotion]:
    """The unit rates that the coordinates of a joint give q relative to p, whose axes are given."""
    q = joint_symbols(names)
    shift = link.source.translation(q)
    for name in filter(None, names):
        along = slope(shift, Symbol(name))
        if along != NULL:
            yield FreeMotion(name, turn(axes, along), NULL)
    turned = axes
    for axis, angle in ((axis, angle) for axis, angle in link.source.rotations(q) if angle != 0):
        yield FreeMotion(symbol_name(angle), NULL, turn(turned, axis))
        turned = product(turned, rotation(axis, angle))
