"""Steps 5 to 8: energies, losses, work and constraints of the parts in their places; the result is one Lagrangian."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import symengine

from flexura.energy.checks import check
from flexura.energy.lagrangian import Lagrangian, Spine
from flexura.energy.reading import parameters
from flexura.errors import FlexuraError, warn
from flexura.model.acting import (
    across_the_plane,
    contacts,
    couples,
    dampers,
    deflects,
    dependent_forces,
    forces,
    held_back,
    line_loads,
    per_length,
    pulls,
    springs,
    unit_loads,
    work,
    work_density,
)
from flexura.model.closing import cut_conditions, dropped_conditions
from flexura.model.contacts import contact_laws, normal_forces, transmitted
from flexura.model.drawn_in import DrawnIn
from flexura.model.energies import carried_bodies, carried_line, kinetic, refuse_turning_shaft
from flexura.model.frames import Frame
from flexura.model.free_bodies import free_bodies
from flexura.model.gaps import Gap
from flexura.model.gears import gear_conditions, gear_laws
from flexura.model.lengths import length_conditions
from flexura.model.picture import geometry_of
from flexura.model.placing import Placed
from flexura.model.redundant import refuse_described_twice
from flexura.model.rolling import rolling_conditions
from flexura.model.shortening import Pull, Shortening, gathered, stretch_held_members
from flexura.model.states import refuse_states, refuse_unused, state_work
from flexura.model.structure import Segment
from flexura.model.travelling import travelling
from flexura.model.wording import new_parameters
from flexura.parts.bodies import BodyPlace
from flexura.parts.contacts import Contact
from flexura.parts.control import State
from flexura.parts.description import Description
from flexura.parts.gears import Gear
from flexura.parts.joints import Connection
from flexura.parts.loads import Constraint, Gravity, Load
from flexura.parts.members.member import Place
from flexura.parts.rides import Ride
from flexura.symbolic.engine import ZERO, Basic
from flexura.symbolic.expression import Declaration, Expression
from flexura.symbolic.jets import Jets
from flexura.symbolic.kinematics.motion import Carried, FreeBodies, ModelMotion, Shift
from flexura.symbolic.kinematics.vectors import dot
from flexura.symbolic.quantities import merge_values
from flexura.symbolic.walk import Replacing


class Builder:
    """Builds the Lagrangian of a model; one pass, each method one step."""

    def __init__(
        self,
        things: tuple[Any, ...],
        measured_from: Mapping[Any, Any],
        names: Mapping[Any, Any],
        foreshortening: bool,
        idle: frozenset[str] = frozenset(),
        gap: Gap | None = None,
        tied: bool = True,
    ) -> None:
        """The arguments of `fx.Model`; `idle` motions of bodies get no coordinate, a `gap` opens one connection.

        `tied` False: to second order in all deflections, which is enough where these are small.
        """
        self.described = Description(things, measured_from, names, foreshortening)
        self.placed = Placed(things, measured_from, names, idle, gap, tied and foreshortening)
        self.idle, self.foreshortening = idle, foreshortening
        self.notes = self.placed.notes
        self.spare: list[str] = []
        self.new = list(new_parameters(self.placed))
        self.pulling: set[int] = set()

    def lagrangian(self) -> Lagrangian:
        """The finished Lagrangian."""
        placed = self.placed
        if not (placed.coordinates or placed.prescribed or placed.structure.segments):
            raise FlexuraError(
                "Nothing in the model can move",
                advice="connect a body with Slide, Revolute or Free, or attach a member",
            )
        jets = placed.jets
        self.notes += stretch_held_members(placed.frames) if self.foreshortening else []
        bodies = [one for frame in placed.frames for one in carried_bodies(frame, placed.gravity, jets)]
        lines = [self._line(frame, seg) for frame, seg in placed.segments()]
        shifts = tuple(self._shortening(jets))
        acting = (*forces(placed, jets, self.pulling), *contacts(placed, jets))
        along = tuple(line_loads(placed, lines, self.pulling))
        motion = ModelMotion(
            (*bodies, *lines),
            shifts,
            (*springs(placed, jets), *gear_laws(placed)),
            tuple(dampers(placed, jets)),
            acting,
            along,
            {seg.spine: self._stored(seg) for _, seg in placed.segments()},
            {seg.spine: self._lost(seg) for _, seg in placed.segments()},
            {seg.spine: self._extra(frame, seg) for frame, seg in placed.segments()},
            placed.measures(),
            free_bodies(placed, jets) if placed.gap is None else FreeBodies(),
        )
        return self._assemble(motion, bodies, lines, jets)

    # -- energies ------------------------------------------------------------------------------------------------

    def _line(self, frame: Frame, seg: Segment) -> Carried:
        refuse_turning_shaft(frame, seg)
        return carried_line(frame, seg, self.placed.gravity, self.placed.jets, self.placed.replacements(seg))

    def _own(self, seg: Segment, f: Basic) -> Basic:
        return seg.own(f).xreplace(self.placed.replacements(seg))

    def _stored(self, seg: Segment) -> Basic:
        return self._own(seg, seg.mechanics.potential.engine)

    def _lost(self, seg: Segment) -> Basic:
        return self._own(seg, seg.mechanics.dissipation.engine)

    def _extra(self, frame: Frame, seg: Segment) -> Basic:
        """Kinetic energy of an element beyond that of its moving mass, as a fluid in a pipe has it."""
        member = seg.member
        extra = (member.kinetic.engine - member.kinetic_of_motion.engine).expand()
        if extra != 0 and frame.moves:
            raise FlexuraError(
                f"The member {member.name} has a kinetic energy of its own and hangs on a moving body, where its"
                " absolute velocity is not known",
                advice="put it on ground, or write the system as energies",
                part=member.name,
            )
        return self._own(seg, extra)

    def _shortening(self, jets: Jets) -> Iterator[Shift]:
        if not self.foreshortening:  # what loads do along members is left out with it
            if deflects(self.placed):
                self.notes.append(
                    "foreshortening is off, so nothing works on the shortening of bent members, nor on what the small"
                    " turns of bodies draw in: a body on a Pin has no stiffness from its weight"
                )
                self.pulling = {id(one) for one in self.placed.loads}
            return
        still = self.placed.without_deflections(jets)
        found = self._shortened([*pulls(self.placed, jets), *held_back(self.placed, jets, still)], still, jets)
        turned = DrawnIn(found, [*couples(self.placed, jets, still)])
        yield from found.all()
        yield from turned.all()
        self.pulling = found.pulling
        left_out = [*found.notes, *turned.notes, *dependent_forces(self.placed, jets)]
        self.notes += [*left_out, *found.small]
        for note in gathered(left_out):
            warn(f"{note[0].upper()}{note[1:]}.")

    def _shortened(self, loads: list[Pull], still: Replacing, jets: Jets) -> Shortening:
        """`still` is one for the loads and the rest: what it makes is shared, or chains grow beyond bounds."""
        replaced = {id(seg): self.placed.replacements(seg) for seg in self.placed.structure.segments}
        return Shortening(self.placed.frames, still, loads, self.placed.gravity, jets, replaced)

    def _weight(self, one: Carried) -> Basic:
        return -one.mass * dot(self.placed.gravity, one.position)

    def _shift_energy(self, motion: ModelMotion, spine: str, jets: Jets) -> Basic:
        return sum(
            (jets.D_t(one.amount) * one.first + one.amount * one.second for one in motion.shifts if one.spine == spine),
            ZERO,
        )

    # -- the Lagrangian ------------------------------------------------------------------------------------------

    def _assemble(self, motion: ModelMotion, bodies: list[Carried], lines: list[Carried], jets: Jets) -> Lagrangian:
        for note in across_the_plane(self.placed):
            self.notes.append(note)
            warn(f"{note[0].upper()}{note[1:]}.")
        stored = (spring.at(spring.extent) for spring in motion.springs)
        potential = symengine.Add(*stored) + symengine.Add(*(self._weight(one) for one in bodies))
        dissipation = symengine.Add(*(damper.at(jets.D_t(damper.extent)) for damper in motion.dampers))
        losses = {spine: f + _lost_to_shifts(motion, spine) for spine, f in motion.lost.items()}
        rigid = symengine.Add(*(kinetic(one) for one in bodies)) + self._shift_energy(motion, "", jets)
        density = {
            one.spine: kinetic(one)
            + motion.extra_kinetic[one.spine]
            - motion.stored[one.spine]
            - self._weight(one)
            + self._shift_energy(motion, one.spine, jets)
            for one in lines
        }
        data: dict[str, Any] = {
            "coordinates": tuple(self.placed.ordered()),
            "spines": tuple(
                Spine(seg.spine, seg.start.engine, seg.end.engine, tuple(one.name for one in seg.fields))
                for seg in self.placed.structure.segments
            ),
            "kinetic": rigid,
            "potential": potential,
            "dissipation": dissipation + _lost_to_shifts(motion, ""),
            "density": density,
            "dissipation_density": {spine: f for spine, f in losses.items() if f != 0},
            "work": {**work(motion, jets), **state_work(self.placed, jets)},
            "work_density": work_density(self.placed, motion, jets),
            "boundary": {label: f for frame in self.placed.frames for label, f in frame.motions.boundary.items()},
            "constraints": self._constraints(jets),
            "prescribed": self.placed.prescribed,
            "inputs": self.placed.inputs,
            "members": {
                one.name: tuple(seg.spine for seg in self.placed.segments_of(one))
                for one in self.placed.structure.members
            },
            "loads": unit_loads(self.placed, motion, jets),
            "story": self._story(),
            "contacts": contact_laws(self.placed, jets),
            "travelling": travelling(self.placed, jets),
            "ties": self.placed.ties,
            "states": {name: one.initial.engine for name, one in self.placed.states.items()},
        }
        known = Jets(
            (*self.placed.coordinates, *self.placed.prescribed, *data["constraints"]),
            jets.fields,
            self.placed.inputs | normal_forces(data["contacts"]),
        )
        shortened = self._shortened([], self.placed.without_deflections(jets), jets)
        bends = shortened.bends(self.foreshortening and not self.placed.structure.cuts)
        geometry = geometry_of(self.placed, (*bodies, *lines), tuple(bends))
        data["parameters"] = parameters(
            self._declarations(), (*_trees(data), *geometry.trees(), *transmitted(data["contacts"], motion)), known
        )
        check(data)
        refuse_unused(self.placed)
        self._refuse_massless(data, jets)
        refuse_described_twice(self.placed, data, bodies)
        self.idle = self._idle(data)
        return Lagrangian.of_parts(
            **data,
            motion=motion,
            geometry=geometry,
            source=self.described,
            sampled=self.placed.sampled,
            dropped=tuple(sorted({*merge_values(self._declarations())} - {*data["parameters"]})),
            spare=tuple(self.spare),
            per_length=per_length(self.placed),
        )

    def _refuse_massless(self, data: Mapping[str, Any], jets: Jets) -> None:
        """A joint that moves nothing with mass has no equation of motion."""
        moving = {jet.name for f in (data["kinetic"], *data["density"].values()) for jet in jets.unknowns(f) if jet.t}
        for link in self.placed.structure.joints:
            for name in filter(None, self.placed.joint_names[id(link.source)]):
                if name not in moving and name not in self.placed.prescribed:
                    raise FlexuraError(
                        f"The coordinate {name} of {link.source!r} moves nothing that has mass or inertia",
                        advice="give a mass or inertia to a body that it carries",
                        part=repr(link.source),
                    )

    def _idle(self, data: Mapping[str, Any]) -> frozenset[str]:
        """Small motions of bodies on which nothing depends: no energy, load, boundary value or condition holds them."""
        small = {name for frame in self.placed.frames for name, spot, _ in frame.motions.coordinates if not spot.end}
        if not small:
            return frozenset()
        jets = self.placed.jets
        return frozenset(small - {jet.name for f in _trees(data) for jet in jets.unknowns(f)})

    def _story(self) -> dict[int, str]:
        """Steps 1 to 4 in the words of the model."""
        bodies = ", ".join(one.name for one in self.placed.structure.bodies)
        members = ", ".join(f"{one.name} ({type(one).__name__})" for one in self.placed.structure.members)
        told = [f"rigid parts: {bodies}" if bodies else "", f"flexible members: {members}" if members else ""]
        joints = "; ".join(
            f"{', '.join(filter(None, self.placed.joint_names[id(link.source)]))} of {link.source!r}"
            for link in self.placed.structure.joints
            if self.placed.joint_names[id(link.source)]
        )
        ends = [name for frame in self.placed.frames for name, _, _ in frame.motions.coordinates]
        said = [f"joints give {joints}" if joints else "", f"member ends give {', '.join(ends)}" if ends else ""]
        listed = {*map(id, self.placed.structure.connections), *self.placed.structure.hinges}
        floating = [link for link in self.placed.structure.joints if id(link.source) not in listed]
        said += [f"nothing connects {link.q.part.name} to ground, so it moves freely" for link in floating]
        driven = f"prescribed: {', '.join(self.placed.prescribed)}" if self.placed.prescribed else ""
        said.append(f"first-order states: {', '.join(self.placed.states)}" if self.placed.states else "")
        said += [f"the input {one.name} is sampled every {one.period:g} s" for one in self.placed.sampled]
        rides = [one for one in self.placed.things if isinstance(one, Ride)]
        said += [
            f"{one.body.name} rides on {one.member.name} at x = {one.name}: {one.across} is its deflection there"
            for one in rides
        ]
        new = merge_values(self.new).values()
        named = f"parameters that no part has: {', '.join(f'{one.name} ({_and(one.parts)})' for one in new)}"
        said += [driven, *([named] if new else []), *self.notes]
        around = self._surroundings()
        story = {1: _sentence(told), 4: _sentence(said) or "No coordinate is left to assign."}
        return story | ({5: around} if around else {})

    def _surroundings(self) -> str:
        """What to say in step 5 of foundations and damping that a moving frame carries along."""
        placed, found = self.placed, []
        for member in placed.structure.members:
            moves = any(placed.frame(seg).moves for seg in placed.segments_of(member))
            if moves and member.surroundings:
                found.append(f"the {' and the '.join(member.surroundings)} of {member.name}")
        if not found:
            return ""
        return (
            "The representative particle of width dx at x carries the energy of its member. What surrounds a member"
            f" moves with the frame that carries it: {', '.join(found)} resist its deflection in that frame, not the"
            " motion of the frame."
        )

    def _constraints(self, jets: Jets) -> dict[str, Basic]:
        found: dict[str, Basic] = {}
        for cut in self.placed.structure.cuts:
            found |= cut_conditions(self.placed, cut, jets)
            spare, note = dropped_conditions(self.placed, cut, jets)
            self.spare += spare
            self.notes += [note] if spare else []
        found |= length_conditions(self.placed.frames)
        geared, repeated = gear_conditions(self.placed)
        found |= geared
        rolled, held = rolling_conditions(self.placed, jets)
        found |= rolled
        self.spare += repeated
        self.notes += [*repeated.values(), *held]
        written = [one for one in self.placed.things if isinstance(one, Constraint)]
        for i, one in enumerate(written, 1):
            refuse_states(self.placed, one, jets)
            for symbol in one.expression.engine.free_symbols:
                if symbol.name.endswith("_t") and jets.find(symbol) is None:
                    raise FlexuraError(
                        f"The constraint {one.text} holds {symbol}, which is the rate of no coordinate",
                        advice=f"the coordinates are {', '.join((*self.placed.coordinates, *self.placed.prescribed))}",
                        part=one.words,
                    )
            found[f"lambda_{i}"] = one.expression.engine
        return found

    def _declarations(self) -> set[Declaration]:
        found: set[Declaration] = set(self.new)
        names = (*self.placed.coordinates, *self.placed.prescribed)
        moving = {*names, *(f"{name}_t" for name in names)}  # limits of friction may depend on them: Stribeck's do
        for body in self.placed.structure.bodies:
            found |= body.declarations
        for member in self.placed.structure.members:
            for f in (member.kinetic, member.potential, member.dissipation, member.rho, member.length):
                found |= f.declarations
        for thing in self.placed.things:
            if isinstance(thing, Connection | Load | Gravity | Constraint | Gear | State):
                carried = set[Declaration]().union(*_carried_by(thing))
                found |= {one for one in carried if not (isinstance(thing, Contact) and one.name in moving)}
        return {one for one in found if one.kind == "parameter"}


def _carried_by(thing: Any) -> Iterator[Iterable[Declaration]]:
    """What the quantities of a connection or load, and the places it names, declare."""
    for value in vars(thing).values():
        if isinstance(value, Expression | BodyPlace):
            yield value.declarations
        elif isinstance(value, Place):
            yield value.position.declarations
        elif isinstance(value, Mapping):
            yield from (one.declarations for one in value.values() if isinstance(one, Expression))


def _lost_to_shifts(motion: ModelMotion, spine: str) -> Basic:
    return sum((one.lost for one in motion.shifts if one.spine == spine), ZERO)


def _and(words: tuple[str, ...]) -> str:
    return " and ".join(words)


def _sentence(parts: list[str]) -> str:
    said = "; ".join(one for one in parts if one)
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def _trees(data: Mapping[str, Any]) -> Iterator[Basic]:
    for value in data.values():
        if isinstance(value, Mapping):
            yield from _trees(value)
        elif isinstance(value, tuple):
            for one in value:
                if isinstance(one, Spine):
                    yield one.start
                    yield one.end
        elif hasattr(value, "free_symbols"):
            yield value
