"""Steps 1 to 8 in order: structure, frames, coordinates, energies, loads; the result is one Lagrangian."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from typing import Any

from flexura.energy.checks import check
from flexura.energy.lagrangian import Lagrangian, Spine
from flexura.energy.reading import parameters
from flexura.errors import FlexuraError
from flexura.kinematics.geometry import Anchor, Geometry, Join, Located
from flexura.kinematics.motion import Acting, Carried, LineLoad, Motion, Shift
from flexura.kinematics.vectors import NULL, Vector, add, change, dot, scale, sine, turn, turn_back
from flexura.members.member import Member, Place
from flexura.model.assembly import END_MOTIONS, solve
from flexura.model.closing import cut_conditions, dropped_conditions
from flexura.model.elongation import angle_between, elongation, sense
from flexura.model.energies import carried_bodies, carried_line, kinetic, refuse_turning_shaft, spin_orders
from flexura.model.frames import (
    Frame,
    carried,
    direction_between,
    inertial,
    scalar_position,
    small_rotation,
    small_spin,
    translation_between,
)
from flexura.model.free_bodies import free_bodies
from flexura.model.reference import place_parts
from flexura.model.shortening import Pull, Shortening
from flexura.model.structure import Assembly, Link, Segment, Structure
from flexura.parts.bodies import Body, BodyPlace
from flexura.parts.joints import Connection, Fixed, Free, Joint, Revolute, Slide
from flexura.parts.loads import Constraint, DistributedForce, Force, Gravity, Load, Torque
from flexura.parts.springs import Damper, Spring, TorsionDamper, TorsionSpring
from flexura.parts.springs import Link as SpringOrDamper
from flexura.symbols.engine import ONE, ZERO, Basic, Symbol, partial
from flexura.symbols.expression import Declaration, InputDeclaration, check_name
from flexura.symbols.jets import Jet, Jets


class Builder:
    """Builds the Lagrangian of a model; one pass, each method one step."""

    def __init__(
        self, things: tuple[Any, ...], measured_from: Mapping[Any, Any], names: Mapping[Any, Any], foreshortening: bool
    ) -> None:
        """The arguments of `fx.Model`."""
        self.things, self.measured_from, self.names = things, measured_from, names
        self.foreshortening = foreshortening
        self.links = [one for one in things if isinstance(one, SpringOrDamper)]
        self.loads = [one for one in things if isinstance(one, Load)]
        self._refuse_strangers()
        self.structure = Structure(things, list(self._used()))
        self.coordinates: list[str] = []
        self.prescribed: dict[str, Basic] = {}
        self.joint_names: dict[int, tuple[str, ...]] = {}
        self.shifts: dict[int, dict[str, Basic]] = {}
        self.frames: list[Frame] = []
        self.notes: list[str] = []

    def _loaded(self) -> Iterator[Any]:
        for load in self.loads:
            yield from (
                one for one in (getattr(load, "place", None), getattr(load, "reaction", None)) if one is not None
            )
            if isinstance(load, DistributedForce):
                yield load.member

    def _refuse_strangers(self) -> None:
        """What is named or measured must be in the model; else it would join it, loose."""
        ends = [end for one in self.things if isinstance(one, Connection) for end in (one.p, one.q)]
        known = {id(getattr(one, "member", one)) for one in (*self.things, *ends, *self._loaded())}
        for place in self.names:
            if isinstance(place, Place) and id(place.member) not in known:
                raise FlexuraError(
                    f"Names are given for {place!r}, but {place.member.name} is not in the model; connect it, or name a"
                    " place on a member that is."
                )
        for member in self.measured_from:
            if not isinstance(member, Member) or id(member) not in known:
                problem = "is not in the model" if isinstance(member, Member) else "is not a member"
                what = member.name if isinstance(member, Member) else repr(member)
                raise FlexuraError(
                    f"measured_from names {what}, which {problem}; write measured_from={{member: body}} with a member"
                    " of the model and a body it hangs on."
                )

    def _used(self) -> Iterator[Any]:
        yield from self._loaded()
        yield from (one for one in self.names if isinstance(one, Place))
        yield from self.measured_from
        yield from (one for one in self.measured_from.values() if isinstance(one, Body))

    def lagrangian(self) -> Lagrangian:
        """The finished Lagrangian."""
        self._name_joints()
        self._build_frames()
        if not (self.coordinates or self.prescribed or self.structure.segments):
            raise FlexuraError(
                "Nothing in the model can move; connect a body with Slide, Revolute or Free, or attach a member."
            )
        jets = self.jets
        bodies = [one for frame in self.frames for one in carried_bodies(frame, self.gravity, jets)]
        lines = [self._line(frame, seg) for frame, seg in self._segments()]
        shifts = list(self._shortening(jets))
        forces, line_loads = list(self._forces(jets)), list(self._line_loads(lines))
        springs, dampers = list(self._springs(jets)), list(self._dampers(jets))
        motion = Motion(
            (*bodies, *lines),
            tuple(shifts),
            tuple(springs),
            tuple(dampers),
            tuple(forces),
            tuple(line_loads),
            {seg.spine: self._stored(seg) for _, seg in self._segments()},
            {seg.spine: self._lost(seg) for _, seg in self._segments()},
            {seg.spine: self._extra(frame, seg) for frame, seg in self._segments()},
            self._measures(),
            free_bodies(self, jets),
        )
        return self._assemble(motion, bodies, lines, jets)

    # -- coordinates and frames ----------------------------------------------------------------------------------

    @property
    def jets(self) -> Jets:
        """The jet space as far as it is known."""
        fields = [one.name for seg in self.structure.segments for one in seg.fields]
        return Jets((*self.coordinates, *self.prescribed), fields, self._inputs())

    def _name_joints(self) -> None:
        taken = self._field_names()
        for link in self.structure.joints:
            joint = link.source
            assert isinstance(joint, Joint)
            defaults = self._default_names(joint, link)
            names = (*joint.names, *[""] * len(defaults))[: len(defaults)]
            chosen = tuple(
                (self._claim(name, taken) if name else self._fresh(default, taken)) if default else ""
                for name, default in zip(names, defaults, strict=True)
            )
            self.joint_names[id(joint)] = chosen
            for name in filter(None, chosen):
                if joint.motion is None:
                    self.coordinates.append(name)
                else:
                    self.prescribed[name] = joint.motion.engine
        self._taken = taken

    def _field_names(self) -> set[str]:
        owners: dict[str, str] = {}
        for seg in self.structure.segments:
            for one in seg.fields:
                if one.name in owners:
                    raise FlexuraError(
                        f"Two different fields are called {one.name}, of {owners[one.name]} and {seg.name}; rename one"
                        " of them with field=."
                    )
                owners[one.name] = seg.name
        return set(owners)

    def _claim(self, name: str, taken: set[str]) -> str:
        for seg in self.structure.segments:
            if any(one.name == name for one in seg.fields):
                raise FlexuraError(
                    f"The name {name} is both a coordinate and a field of {seg.name}; rename one of them."
                )
        if name in taken:
            raise FlexuraError(f"Two different coordinates are called {name}; rename one of them.")
        taken.add(name)
        return name

    def _fresh(self, name: str, taken: set[str]) -> str:
        number, found = 2, name
        while found in taken:
            found, number = f"{name}_{number}", number + 1
        taken.add(found)
        return found

    def _default_names(self, joint: Joint, link: Link) -> tuple[str, ...]:
        part = link.q.part.name if link.q.part.name != "ground" else link.p.part.name
        if isinstance(joint, Slide):
            letters = [letter for letter, one in zip("xyz", joint.along, strict=True) if one != 0]
            return (f"{letters[0] if len(letters) == 1 else 's'}_{part}",)
        if isinstance(joint, Revolute):
            return (f"theta_{part}",)
        assert isinstance(joint, Free)
        stems = ("x", "y", "z", "psi", "theta", "phi") if self.spatial or len(joint.names) == 6 else ("x", "y", "theta")
        if not link.turns:
            angles = len(stems) // 2
            return (*(f"{stem}_{part}" for stem in stems[:-angles]), *[""] * angles)
        if joint.names and len(joint.names) < len(stems):
            raise FlexuraError(
                f"{joint!r} is given three names, but the model leaves the plane; give six (x, y, z and the angles"
                " about z, y, x)."
            )
        return tuple(f"{stem}_{part}" for stem in stems)

    @property
    def spatial(self) -> bool:
        """Whether anything in the model leaves the plane."""
        for link in self.structure.joints:
            joint = link.source
            if isinstance(joint, Slide) and joint.along[2] != 0:
                return True
            if isinstance(joint, Revolute) and (joint.about[0] != 0 or joint.about[1] != 0):
                return True
            if isinstance(joint, Free) and len(joint.names) == 6:
                return True
        for weld in self.structure.connections:
            if isinstance(weld, Fixed) and weld.about[:2] != (0, 0) and sine(weld.angle.engine) != 0:
                return True
        return any("lateral" in one.ends for one in self.structure.members)

    def _build_frames(self) -> None:
        """From ground outwards; then what floats."""
        waiting = list(self.structure.joints)
        for assembly in [*self.structure.assemblies]:
            if any(frame.assembly is assembly for frame in self.frames):
                continue
            if self.frames and not self._may_float(assembly, waiting):
                continue
            self._add(inertial(assembly), waiting)
            while ready := [one for one in waiting if self._known(one)]:
                link = ready[0]
                waiting.remove(link)
                self._hang(link, waiting)
        for assembly in self.structure.assemblies:
            if not any(frame.assembly is assembly for frame in self.frames):
                self._refuse_loose(assembly)

    def _known(self, link: Link) -> bool:
        return self._frame_of(link.p.part) is not None or self._frame_of(link.q.part) is not None

    def _frame_of(self, part: Any) -> Frame | None:
        return next((one for one in self.frames if any(other is part for other in one.assembly.parts)), None)

    def frame(self, part: Any) -> Frame:
        """The frame a part belongs to."""
        found = self._frame_of(part)
        assert found is not None
        return found

    def _may_float(self, assembly: Assembly, waiting: list[Link]) -> bool:
        return any(isinstance(one, Segment) for one in assembly.parts)

    def _refuse_loose(self, assembly: Assembly) -> None:
        names = ", ".join(one.name for one in assembly.parts)
        raise FlexuraError(
            f"Nothing says how {names} can move: connect {'them' if ',' in names else 'it'} to ground or to another"
            " part with Fixed, Slide, Revolute or Free."
        )

    def _hang(self, link: Link, waiting: list[Link]) -> None:
        forward = self._frame_of(link.p.part) is not None
        parent, spot = (link.p, link.q) if forward else (link.q, link.p)
        assembly = self.structure.assembly_of(spot.part)
        assembly.anchor = spot
        names = self.joint_names[id(link.source)]
        self._add(carried(self.frame(parent.part), link, forward, names, assembly, self.jets), waiting)

    def _add(self, frame: Frame, waiting: list[Link]) -> None:
        """Place a frame's parts and find its small motions."""
        assembly = frame.assembly
        place_parts(assembly)
        self.frames.append(frame)
        shifts = {
            id(seg): self._measured(frame, seg)
            for seg in assembly.parts
            if isinstance(seg, Segment) and seg.member in self.measured_from
        }
        self.shifts.update(shifts)
        on_it = [
            spot for link in (*waiting, *self.structure.cuts) for spot in (link.p, link.q)
            if isinstance(spot.part, Segment) and any(spot.part is one for one in assembly.parts)
            and not (assembly.anchor is not None and assembly.anchor.key == spot.key)
        ]  # fmt: skip
        frame.motions = solve(assembly, used=on_it, named=self._named(assembly), shifts=shifts)
        self.notes += frame.motions.notes
        replaced: dict[Symbol, Basic] = {}
        for name, _, _ in frame.motions.coordinates:
            own = name if name in self._given_names() else self._fresh(name, self._taken)
            if name in self._given_names():
                self._claim(name, self._taken)
            if own != name:
                replaced[Symbol(name)] = Symbol(own)
            self.coordinates.append(own)
        if replaced:
            for table in (frame.motions.values, frame.motions.boundary):
                for key, f in table.items():
                    table[key] = f.xreplace(replaced)

    def _given_names(self) -> set[str]:
        return {
            name for given in self.names.values() for name in ((given,) if isinstance(given, str) else given) if name
        }

    def _named(self, assembly: Assembly) -> dict[tuple[int, str], dict[str, str | None]]:
        found: dict[tuple[int, str], dict[str, str | None]] = {}
        for place, given in self.names.items():
            if not isinstance(place, Place):
                raise FlexuraError(
                    f"Names are given for {place!r}, which is not a place on a member; joints have name=."
                )
            spot = self.structure.spot(place)
            assert isinstance(spot.part, Segment)
            if not any(spot.part is one for one in assembly.parts):
                continue
            names = (given,) if isinstance(given, str) else tuple(given)
            motions = [one for one in END_MOTIONS if spot.part.carrier(one, spot.end)]
            if len(names) > len(motions):
                raise FlexuraError(
                    f"{place!r} is given {len(names)} names, but only {', '.join(motions)} exist there; give one each."
                )
            for name in names:
                if name is not None:
                    check_name(name, "A coordinate")
            found[(id(spot.part), spot.end)] = dict(zip(motions, names, strict=False))
        return found

    def _measured(self, frame: Frame, seg: Segment) -> dict[str, Basic]:
        """By how much the fields of a segment exceed its own deflections, because they are measured from elsewhere."""
        body = self.measured_from[seg.member]
        base = self._frame_of(body.body if isinstance(body, BodyPlace) else body)
        what = f"The deflection of {seg.member.name}"
        if base is None:
            raise FlexuraError(
                f"{what} is measured from {body!r}, which does not come before it; use a body it hangs on."
            )
        moved = turn_back(frame.assembly.orientation[id(seg)], translation_between(frame, base, what, self.jets))
        found: dict[str, Basic] = {}
        for motion, part in zip(("axial", "transverse", "lateral"), moved, strict=True):
            jet = seg.carrier(motion, "a")
            if jet and jet.x == 0:
                found[jet.name] = part
        return found

    def _replacements(self, seg: Segment) -> dict[Symbol, Basic]:
        jets, found = self.jets, dict[Symbol, Basic]()
        for name, by in self.shifts.get(id(seg), {}).items():
            for t in range(3):
                found[Jet(name, t=t).symbol] = Jet(name, t=t).symbol - by
                by = jets.D_t(by)
        return found

    # -- energies ------------------------------------------------------------------------------------------------

    @property
    def gravity(self) -> Vector:
        """The sum of all gravity, in ground's axes."""
        return add(NULL, *(scale(one.g.engine, one.along) for one in self.things if isinstance(one, Gravity)))

    def _segments(self) -> Iterator[tuple[Frame, Segment]]:
        for seg in self.structure.segments:
            yield self.frame(seg), seg

    def _line(self, frame: Frame, seg: Segment) -> Carried:
        refuse_turning_shaft(frame, seg)
        return carried_line(frame, seg, self.gravity, self.jets, self._replacements(seg))

    def _own(self, seg: Segment, f: Basic) -> Basic:
        return seg.own(f).xreplace(self._replacements(seg))

    def _stored(self, seg: Segment) -> Basic:
        return self._own(seg, seg.member.potential.engine)

    def _lost(self, seg: Segment) -> Basic:
        return self._own(seg, seg.member.dissipation.engine)

    def _extra(self, frame: Frame, seg: Segment) -> Basic:
        """Kinetic energy of an element beyond that of its moving mass, as a fluid in a pipe has it."""
        member = seg.member
        extra = (member.kinetic.engine - member.kinetic_of_motion.engine).expand()
        if extra != 0 and frame.moves:
            raise FlexuraError(
                f"The member {member.name} has a kinetic energy of its own and hangs on a moving body, where its"
                " absolute velocity is not known; put it on ground, or write the system as energies."
            )
        return self._own(seg, extra)

    def _shortening(self, jets: Jets) -> Iterator[Shift]:
        if not self.foreshortening:
            return
        joints = {name for names in self.joint_names.values() for name in names}
        replaced = {id(seg): self._replacements(seg) for seg in self.structure.segments}
        found = Shortening(
            self.frames, joints, [*self._pulls(jets), *self._held_back(jets, joints)], self.gravity, jets, replaced
        )
        yield from found.all()
        self.notes += [*found.notes, *found.small]
        for note in found.notes:
            warnings.warn(f"{note[0].upper()}{note[1:]}.", stacklevel=6)

    def _pulls(self, jets: Jets) -> Iterator[Pull]:
        for load in self.loads:
            if jets.unknowns(load.value.engine):
                continue
            if isinstance(load, Force):
                spot = self.structure.spot(load.place)
                yield Pull(self.frame(spot.part), spot, scale(load.value.engine, load.along))
            elif isinstance(load, DistributedForce):
                for seg in self._segments_of(load.member):
                    spot = self.structure.spot(load.member.start)
                    force = scale(load.value.engine, load.along)
                    yield Pull(self.frame(seg), type(spot)(seg, NULL), force, along=True)

    def _held_back(self, jets: Jets, joints: set[str]) -> Iterator[Pull]:
        """Springs and dampers that the motion of joints stretches: to first order they pull on what is shortened."""

        def still(f: Basic) -> Basic:
            return f.xreplace({jet.symbol: ZERO for jet in jets.unknowns(f) if jet.name not in joints})

        for link in self.links:
            if not isinstance(link, Spring | Damper) or not self.structure.members:
                continue
            stretch = still(elongation(self, link, link.along, getattr(link, "free_length", None), jets))
            if stretch == 0:
                continue
            away = change(sense(self, link, link.along), still)
            for place, sign in ((link.p, 1), (link.q, -1)):
                spot = self.structure.spot(place)
                if isinstance(link, Damper):
                    drag = -sign * link.rate.engine * jets.D_t(stretch)
                    yield Pull(self.frame(spot.part), spot, away, drag=drag)
                else:
                    yield Pull(self.frame(spot.part), spot, scale(sign * link.rate.engine * stretch, away))

    def _segments_of(self, member: Member) -> list[Segment]:
        return [seg for seg in self.structure.segments if seg.member is member]

    # -- springs and loads ---------------------------------------------------------------------------------------

    def _springs(self, jets: Jets) -> Iterator[Acting]:
        for link in self.links:
            if isinstance(link, Spring):
                yield Acting(link.name, link.rate.engine, elongation(self, link, link.along, link.free_length, jets))
            elif isinstance(link, TorsionSpring):
                yield Acting(link.name, link.rate.engine, angle_between(self, link, jets))

    def _dampers(self, jets: Jets) -> Iterator[Acting]:
        for link in self.links:
            if isinstance(link, Damper):
                yield Acting(link.name, link.rate.engine, elongation(self, link, link.along, None, jets))
            elif isinstance(link, TorsionDamper):
                yield Acting(link.name, link.rate.engine, angle_between(self, link, jets))

    def _forces(self, jets: Jets) -> Iterator[Acting]:
        for load in self.loads:
            if isinstance(load, Force):
                spot = self.structure.spot(load.place)
                frame = self.frame(spot.part)
                extent = scalar_position(frame, frame.locate(spot)[0], load.along)
                if not self.structure.members:  # along a member a force may still pull on it
                    self._refuse_idle(f"The force on {load.place!r}", extent, jets)
                yield Acting(load.name, load.value.engine, extent)
            elif isinstance(load, Torque):
                turning = self._turning(load, jets)
                back = ZERO if load.reaction is None else self._turning_back(load, jets)
                self._refuse_idle(f"The torque on {load.place!r}", turning if turning != 0 else back, jets)
                yield Acting(load.name, load.value.engine, None, turning)
                if load.reaction is not None:
                    yield Acting(load.name, -load.value.engine, None, back)

    def _refuse_idle(self, what: str, motion: Basic, jets: Jets) -> None:
        if not jets.unknowns(motion.expand()):
            raise FlexuraError(f"{what} does no work, because nothing moves that way there; choose another direction.")

    def _turning(self, load: Torque, jets: Jets) -> Basic:
        """The rate of turning of what a torque acts on, about one of its own axes, which turn with it."""
        spot = self.structure.spot(load.place)
        frame = self.frame(spot.part)
        spin = spin_orders(frame.spin, frame.locate(spot)[1], jets)
        return dot(add(*spin), turn(frame.assembly.orientation[id(spot.part)], load.about))

    def _turning_back(self, load: Torque, jets: Jets) -> Basic:
        """The rate of turning of what the reaction acts on, about the same axis in space: the opposite torque."""
        spot, other = self.structure.spot(load.place), self.structure.spot(load.reaction)
        frame, seen_from = self.frame(spot.part), self.frame(other.part)
        axis = turn(frame.assembly.orientation[id(spot.part)], load.about)
        axis = direction_between(frame, turn(small_rotation(frame.locate(spot)[1]), axis), seen_from)
        return dot(add(seen_from.spin, small_spin(seen_from.locate(other)[1], jets)), axis)

    def _line_loads(self, lines: list[Carried]) -> Iterator[LineLoad]:
        by_spine = {one.spine: one for one in lines}
        for load in self.loads:
            if isinstance(load, DistributedForce):
                for seg in self._segments_of(load.member):
                    axes = self.frame(seg).assembly.orientation[id(seg)]
                    along = dot(turn(axes, load.along), by_spine[seg.spine].velocity)
                    if load.along[0] == 0:  # along the member it may still pull on it
                        self._refuse_idle(f"The distributed force on {load.member.name}", along, self.jets)
                    yield LineLoad(load.name, seg.spine, load.value.engine, along)

    # -- the Lagrangian ------------------------------------------------------------------------------------------

    def _assemble(self, motion: Motion, bodies: list[Carried], lines: list[Carried], jets: Jets) -> Lagrangian:
        potential = sum((one.value * one.extent**2 / 2 for one in motion.springs if one.extent is not None), ZERO)
        potential += sum((self._weight(one) for one in bodies), ZERO)
        dissipation = sum(
            (one.value * jets.D_t(one.extent) ** 2 / 2 for one in motion.dampers if one.extent is not None), ZERO
        )
        losses = {spine: f + _lost_to_shifts(motion, spine) for spine, f in motion.lost.items()}
        rigid = sum((kinetic(one) for one in bodies), ZERO) + self._shift_energy(motion, "", jets)
        density = {
            one.spine: kinetic(one)
            + motion.extra_kinetic[one.spine]
            - motion.stored[one.spine]
            - self._weight(one)
            + self._shift_energy(motion, one.spine, jets)
            for one in lines
        }
        data: dict[str, Any] = {
            "coordinates": tuple(self._ordered()),
            "spines": tuple(
                Spine(seg.spine, seg.start.engine, seg.end.engine, tuple(one.name for one in seg.fields))
                for seg in self.structure.segments
            ),
            "kinetic": rigid,
            "potential": potential,
            "dissipation": dissipation + _lost_to_shifts(motion, ""),
            "density": density,
            "dissipation_density": {spine: f for spine, f in losses.items() if f != 0},
            "work": self._work(motion, jets),
            "work_density": self._work_density(motion, jets),
            "boundary": {label: f for frame in self.frames for label, f in frame.motions.boundary.items()},
            "constraints": self._constraints(jets),
            "prescribed": self.prescribed,
            "inputs": self._inputs(),
            "members": {one.name: tuple(seg.spine for seg in self._segments_of(one)) for one in self.structure.members},
            "loads": self._unit_loads(motion, jets),
            "story": self._story(),
        }
        known = Jets((*self.coordinates, *self.prescribed, *data["constraints"]), jets.fields, self._inputs())
        geometry = self._geometry((*bodies, *lines))
        data["parameters"] = parameters(self._declarations(), (*_trees(data), *geometry.trees()), known)
        check(data)
        self._refuse_massless(data, jets)
        return Lagrangian.of_parts(**data, motion=motion, geometry=geometry)

    def _geometry(self, parts: tuple[Carried, ...]) -> Geometry:
        """Where everything is, and what joins it, for drawing."""

        def anchor(place: Any) -> Anchor:
            spot = self.structure.spot(place)
            part = spot.part.member if isinstance(spot.part, Segment) else spot.part
            return Anchor(part.name, spot.point, spot.everywhere)

        joins = [one for one in self.things if isinstance(one, Connection)]
        return Geometry(
            tuple(Located(one.name, one.spine, one.position, one.rotation) for one in parts),
            tuple(Join(type(one).__name__, anchor(one.p), anchor(one.q)) for one in joins),
        )

    def _refuse_massless(self, data: Mapping[str, Any], jets: Jets) -> None:
        """A joint that moves nothing with mass has no equation of motion."""
        moving = {jet.name for f in (data["kinetic"], *data["density"].values()) for jet in jets.unknowns(f) if jet.t}
        for link in self.structure.joints:
            for name in filter(None, self.joint_names[id(link.source)]):
                if name not in moving and name not in self.prescribed:
                    raise FlexuraError(
                        f"The coordinate {name} of {link.source!r} moves nothing that has mass or inertia; give a mass"
                        " or inertia to a body that it carries."
                    )

    def _story(self) -> dict[int, str]:
        """Steps 1 to 4 in the words of the model."""
        bodies = ", ".join(one.name for one in self.structure.bodies)
        members = ", ".join(f"{one.name} ({type(one).__name__})" for one in self.structure.members)
        told = [f"rigid parts: {bodies}" if bodies else "", f"flexible members: {members}" if members else ""]
        joints = "; ".join(
            f"{', '.join(filter(None, self.joint_names[id(link.source)]))} of {link.source!r}"
            for link in self.structure.joints
        )
        ends = [name for frame in self.frames for name, _, _ in frame.motions.coordinates]
        said = [f"joints give {joints}" if joints else "", f"member ends give {', '.join(ends)}" if ends else ""]
        floating = [link for link in self.structure.joints if link.source not in self.things]
        said += [f"nothing connects {link.q.part.name} to ground, so it moves freely" for link in floating]
        driven = f"prescribed: {', '.join(self.prescribed)}" if self.prescribed else ""
        said += [driven, *self.notes]
        return {1: _sentence(told), 4: _sentence(said) or "No coordinate is left to assign."}

    def _weight(self, one: Carried) -> Basic:
        return -one.mass * dot(self.gravity, one.position)

    def _shift_energy(self, motion: Motion, spine: str, jets: Jets) -> Basic:
        return sum(
            (jets.D_t(one.amount) * one.first + one.amount * one.second for one in motion.shifts if one.spine == spine),
            ZERO,
        )

    def _ordered(self) -> list[str]:
        """Joints as listed, then member ends as listed."""
        joints = [name for link in self.structure.joints for name in self.joint_names[id(link.source)]]
        mine = [name for name in joints if name and name not in self.prescribed]
        return [*mine, *(name for name in self.coordinates if name not in mine)]

    def _work(self, motion: Motion, jets: Jets) -> dict[str, Basic]:
        found: dict[str, Basic] = {}
        for one in motion.forces:
            _collect(found, one.value, _rate(one, jets), jets)
        _add_follower_work(found, motion, "", jets)
        return found

    def _work_density(self, motion: Motion, jets: Jets) -> dict[str, dict[str, Basic]]:
        found: dict[str, dict[str, Basic]] = {seg.spine: {} for seg in self.structure.segments}
        for one in motion.line_loads:
            _collect(found[one.spine], one.value, one.extent, jets)
        for spine, loads in found.items():
            _add_follower_work(loads, motion, spine, jets)
        return found

    def _unit_loads(self, motion: Motion, jets: Jets) -> dict[str, dict[str, dict[str, Basic]]]:
        """What each named load does to the coordinates per unit of its value."""
        values = {load.name: load.value.engine for load in self.loads if load.name}
        found: dict[str, dict[str, dict[str, Basic]]] = {name: {} for name in values}
        for force in motion.forces:
            if force.name:
                sense = ONE if force.value == values[force.name] else -ONE
                _collect(found[force.name].setdefault("", {}), sense, _rate(force, jets), jets)
        for line in motion.line_loads:
            if line.name:
                _collect(found[line.name].setdefault(line.spine, {}), ONE, line.extent, jets)
        return found

    def _constraints(self, jets: Jets) -> dict[str, Basic]:
        found: dict[str, Basic] = {}
        for cut in self.structure.cuts:
            found |= cut_conditions(self, cut, jets)
            self.notes += [one for one in (dropped_conditions(self, cut, jets),) if one]
        written = [one for one in self.things if isinstance(one, Constraint)]
        for i, one in enumerate(written, 1):
            for symbol in one.expression.engine.free_symbols:
                if symbol.name.endswith("_t") and jets.find(symbol) is None:
                    raise FlexuraError(
                        f"The constraint {one.text} holds {symbol}, which is the rate of no coordinate; the coordinates"
                        f" are {', '.join((*self.coordinates, *self.prescribed))}."
                    )
            found[f"lambda_{i}"] = one.expression.engine
        return found

    def _inputs(self) -> dict[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        for load in self.loads:
            for one in load.value.declarations:
                if isinstance(one, InputDeclaration) and found.setdefault(one.name, one.of) != one.of:
                    raise FlexuraError(f"The input {one.name} is written with different arguments; write it one way.")
        return found

    def _declarations(self) -> set[Declaration]:
        found: set[Declaration] = set()
        for body in self.structure.bodies:
            found |= body.declarations
        for member in self.structure.members:
            for f in (member.kinetic, member.potential, member.dissipation, member.rho, member.length):
                found |= f.declarations
        for link in self.links:
            found |= link.rate.declarations
            length = getattr(link, "free_length", None)
            found |= length.declarations if length is not None else set()
        for one in self.things:
            if isinstance(one, Gravity):
                found |= one.g.declarations
            if isinstance(one, Load):
                found |= one.value.declarations
            if isinstance(one, Connection):
                for end in (one.p, one.q):
                    found |= end.declarations if isinstance(end, BodyPlace) else end.position.declarations
            if isinstance(one, Fixed):
                found |= one.angle.declarations
            if isinstance(one, Joint) and one.motion is not None:
                found |= one.motion.declarations
        return {one for one in found if one.kind == "parameter"}

    def _measures(self) -> dict[str, Basic]:
        """Quantities that mean the same in every choice of coordinates: how models know their changes."""
        found: dict[str, Basic] = {}
        for frame, seg in self._segments():
            shifts = self.shifts.get(id(seg), {})
            for i, one in enumerate(seg.fields):
                found[f"{seg.name}:{i}"] = Jet(one.name).symbol - shifts.get(one.name, ZERO)
            for name, spot, motion in frame.motions.coordinates:
                if spot.part is seg:
                    jet = seg.carrier(motion, spot.end)
                    assert jet is not None
                    found[f"{seg.name}.{spot.end}:{motion}"] = Symbol(name) - (
                        shifts.get(jet.name, ZERO) if jet.x == 0 else ZERO
                    )
        return found


def _rate(one: Acting, jets: Jets) -> Basic:
    rate = jets.D_t(one.extent) if one.extent is not None else one.rate
    assert rate is not None
    return rate


def _lost_to_shifts(motion: Motion, spine: str) -> Basic:
    return sum((one.lost for one in motion.shifts if one.spine == spine), ZERO)


def _add_follower_work(found: dict[str, Basic], motion: Motion, spine: str, jets: Jets) -> None:
    for one in motion.shifts:
        if one.spine == spine and one.follower != NULL:
            for name, force in one.follower_work(jets).items():
                found[name] = found.get(name, ZERO) + force


def _collect(found: dict[str, Basic], value: Basic, rate: Basic, jets: Jets) -> None:
    """Add the generalized forces of a load to what they act on: value times d(rate)/d(rate of the coordinate)."""
    for jet in jets.unknowns(rate):
        if jet.t == 1:
            target = Jet(jet.name, jet.x, 0, jet.end).label
            found[target] = found.get(target, ZERO) + value * partial(rate, jet.symbol)


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
