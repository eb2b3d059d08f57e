"""Steps 1 to 4: what there is, in which frames it moves, and the coordinates of its motion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from flexura.errors import FlexuraError, concerning
from flexura.model.assembly import solve
from flexura.model.frames import Frame, carried, inertial, translation_between
from flexura.model.gaps import Gap
from flexura.model.lengths import begin_with_length_one
from flexura.model.names import Names
from flexura.model.parting import parted
from flexura.model.reference import lengths_and_angles, place_parts
from flexura.model.structure import Assembly, Segment, SpotLink, Structure
from flexura.model.turning import Turning
from flexura.model.tying import Tying, rides
from flexura.parts.bodies import Body, BodyPlace
from flexura.parts.control import Sampled, State
from flexura.parts.joints import Connection, Joint, Support
from flexura.parts.loads import Gravity, Load
from flexura.parts.members.member import Member, Place
from flexura.parts.springs import SpringOrDamper
from flexura.symbolic.engine import ZERO, Basic, Symbol, symbol_name
from flexura.symbolic.expression import Declaration, InputDeclaration
from flexura.symbolic.jets import Jet, Jets
from flexura.symbolic.kinematics.vectors import NULL, Vector, add, scale, turn_back
from flexura.symbolic.near import Near
from flexura.symbolic.walk import Replacing


class Placed:
    """The parts of a model in their frames, from ground outwards, and the names of all coordinates."""

    def __init__(
        self,
        things: tuple[Any, ...],
        measured_from: Mapping[Any, Any],
        names: Mapping[Any, Any],
        idle: frozenset[str] = frozenset(),
        gap: Gap | None = None,
        tied: bool = False,
    ) -> None:
        """The arguments of `fx.Model`; `idle` motions of bodies get no coordinate, a `gap` opens one connection.

        `tied`: members on which joints hang carry their axial displacement as a field of its own (`tying.py`).
        """
        self.things, self.measured_from, self.given, self.idle = things, measured_from, names, idle
        self.gap = gap
        self.links = [one for one in things if isinstance(one, SpringOrDamper)]
        self.loads = [one for one in things if isinstance(one, Load)]
        self.sampled = tuple(one for one in things if isinstance(one, Sampled))
        self.states = {one.name: one for one in things if isinstance(one, State)}
        self._refuse_strangers()
        self.structure = Structure(things, list(self._used()))
        near = Near(lengths_and_angles(self.structure))
        for assembly in self.structure.assemblies:
            assembly.near = near
        self.names = Names(self.structure, names)
        self._tying = Tying(self._spoken()) if tied else None
        self.coordinates: list[str] = []
        self.prescribed: dict[str, Basic] = dict.fromkeys(gap.names if gap else (), ZERO)
        self.joint_names: dict[int, tuple[str, ...]] = {}
        self.shifts: dict[int, dict[str, Basic]] = {}
        self.frames: list[Frame] = []
        self._frames: dict[int, Frame] = {}  # by the parts in them
        self._jets: tuple[tuple[int, int], Jets] | None = None
        self.notes: list[str] = []
        self._name_joints()
        self._build_frames()
        self.coordinates += [self.names.claim(one.name) for one in things if isinstance(one, State)]
        self._refuse_two_meanings()

    def _loaded(self) -> Iterator[Any]:
        for load in self.loads:
            yield from (force.place for force in load.point_forces)
            yield from (force.axes for force in load.point_forces if force.axes is not None)
            yield from (couple.place for couple in load.couples)
            yield from (line.member for line in load.line_forces)

    def _refuse_strangers(self) -> None:
        """What is named or measured must be in the model; else it would join it, loose."""
        ends = [end for one in self.things if isinstance(one, Connection) for end in (one.p, one.q)]
        known = {id(getattr(one, "member", one)) for one in (*self.things, *ends, *self._loaded())}
        for place in self.given:
            if isinstance(place, Place) and id(place.member) not in known:
                raise FlexuraError(
                    f"Names are given for {place!r}, but {place.member.name} is not in the model",
                    advice="connect it, or name a place on a member that is",
                    part=place.member.name,
                    keyword="names",
                    entry=repr(place),
                )
        for member in self.measured_from:
            if not isinstance(member, Member) or id(member) not in known:
                problem = "is not in the model" if isinstance(member, Member) else "is not a member"
                what = member.name if isinstance(member, Member) else repr(member)
                raise FlexuraError(
                    f"measured_from names {what}, which {problem}",
                    advice="write measured_from={member: body} with a member of the model and a body it hangs on",
                    keyword="measured_from",
                    entry=what,
                )

    def _used(self) -> Iterator[Any]:
        yield from self._loaded()
        yield from (one for one in self.given if isinstance(one, Place))
        yield from self.measured_from
        yield from (one for one in self.measured_from.values() if isinstance(one, Body))

    def _refuse_two_meanings(self) -> None:
        fields = {one.name for seg in self.structure.segments for one in seg.fields}
        for name in self.inputs:
            if name in (*self.coordinates, *self.prescribed, *fields):
                what = "field" if name in fields else "coordinate"
                raise FlexuraError(f"The name {name} is both an input and a {what}", advice="rename one of them")

    @property
    def jets(self) -> Jets:
        """The jet space as far as it is known; made anew only when a coordinate has come."""
        count = len(self.coordinates), len(self.prescribed) + len(self.ties)
        if self._jets is None or self._jets[0] != count:
            fields = [one.name for seg in self.structure.segments for one in seg.fields]
            self._jets = count, Jets((*self.coordinates, *self.prescribed), fields, self.inputs)
        return self._jets[1]

    @property
    def inputs(self) -> dict[str, frozenset[str]]:
        """Loads, rates and motions given by a bare name, and what they depend on; a coordinate's name means that."""
        moving = Jets((*self.coordinates, *self.prescribed, *self.states))
        found: dict[str, frozenset[str]] = {}
        moved = (one.motion for one in self.things if isinstance(one, Joint) and one.motion is not None)
        for text in (*(load.value for load in self.loads), *(state.rate for state in self.states.values()), *moved):
            for one in text.declarations:
                if not isinstance(one, InputDeclaration) or (not one.of and moving.find(Symbol(one.name))):
                    continue
                if found.setdefault(one.name, one.of) != one.of:
                    raise FlexuraError(
                        f"The input {one.name} is written with different arguments", advice="write it one way"
                    )
        for link in self.links:
            if link.acting != 0:
                found.setdefault(symbol_name(link.acting), frozenset())
        for controller in self.sampled:
            found.setdefault(controller.name, frozenset())
        return found

    @property
    def ties(self) -> dict[str, str]:
        """The tension by the axial displacement, of members that carry both as fields."""
        return {seg.ties[0]: seg.ties[1] for seg in self.structure.segments if seg.tied}

    def _spoken(self) -> Iterator[Declaration | str]:
        """Every name that means something in the model already."""
        yield from self.names.taken
        for given in self.names.given.values():
            yield from (given,) if isinstance(given, str) else (one for one in given if one)
        for thing in (*self.things, *self.structure.bodies, *self.structure.members):
            yield from getattr(thing, "names", None) or ()
            yield from (one for value in vars(thing).values() for one in getattr(value, "declarations", ()))
            yield str(getattr(thing, "name", ""))

    @cached_property
    def gravity(self) -> Vector:
        """The sum of all gravity, in ground's axes."""
        return add(NULL, *(scale(one.g.engine, one.along) for one in self.things if isinstance(one, Gravity)))

    def segments(self) -> Iterator[tuple[Frame, Segment]]:
        """Every segment with its frame."""
        for seg in self.structure.segments:
            yield self.frame(seg), seg

    def segments_of(self, member: Member) -> list[Segment]:
        """The segments of a member."""
        return [seg for seg in self.structure.segments if seg.member is member]

    @property
    def owners(self) -> dict[str, Connection]:
        """The joint that each coordinate belongs to."""
        owned = ((link.source, self.joint_names[id(link.source)]) for link in self.structure.joints)
        return {name: source for source, names in owned for name in filter(None, names)}

    def ordered(self) -> list[str]:
        """Joints as listed, then member ends as listed."""
        joints = [name for link in self.structure.joints for name in self.joint_names[id(link.source)]]
        mine = [name for name in joints if name and name not in self.prescribed]
        return [*mine, *(name for name in self.coordinates if name not in mine)]

    # -- frames --------------------------------------------------------------------------------------------------

    def _name_joints(self) -> None:
        for link in self.structure.joints:
            joint = link.source
            self.joint_names[id(joint)] = self.names.of_joint(link) if isinstance(joint, Joint) else ()
            if not isinstance(joint, Joint):
                continue
            for name in filter(None, self.joint_names[id(joint)]):
                if joint.motion is None:
                    self.coordinates.append(name)
                else:
                    self.prescribed[name] = joint.motion.engine

    def _build_frames(self) -> None:
        """From ground outwards; then what floats."""
        waiting = list(self.structure.joints)
        for assembly in [*self.structure.assemblies]:
            if self._has_frame(assembly):
                continue
            if self.frames and not self._may_float(assembly, waiting):
                continue
            self._add(inertial(assembly), waiting)
            while link := next((one for one in waiting if self._known(one)), None):
                waiting.remove(link)
                self._hang(link, waiting)
        for assembly in self.structure.assemblies:
            if not self._has_frame(assembly):
                self._refuse_loose(assembly)

    def _has_frame(self, assembly: Assembly) -> bool:
        return any(id(part) in self._frames for part in assembly.parts)

    def _known(self, link: SpotLink) -> bool:
        return self._frame_of(link.p.part) is not None or self._frame_of(link.q.part) is not None

    def _frame_of(self, part: Any) -> Frame | None:
        return self._frames.get(id(part))

    def frame(self, part: Any) -> Frame:
        """The frame a part belongs to."""
        found = self._frame_of(part)
        assert found is not None
        return found

    def _may_float(self, assembly: Assembly, waiting: list[SpotLink]) -> bool:
        segments = [one for one in assembly.parts if isinstance(one, Segment)]
        if segments and self.structure.carries_itself(segments[0]):
            return any(one.bends_far for one in segments)
        return bool(segments)

    def _refuse_loose(self, assembly: Assembly) -> None:
        names = ", ".join(one.name for one in assembly.parts)
        raise FlexuraError(
            f"Nothing says how {names} can move: connect {'them' if len(assembly.parts) > 1 else 'it'} to ground or to"
            " another part with Fixed, Slide, Revolute or Free",
            part=assembly.parts[0].name,
        )

    def _hang(self, link: SpotLink, waiting: list[SpotLink]) -> None:
        forward = self._frame_of(link.p.part) is not None
        parent, spot = (link.p, link.q) if forward else (link.q, link.p)
        assembly = self.structure.assembly_of(spot.part)
        assembly.anchor = spot
        names = self.joint_names[id(link.source)]
        gap = self.gap if self.gap is not None and self.gap.source is link.source else None
        base = self.frame(parent.part)
        frame = carried(base, link, forward, names, assembly, self.jets, gap)
        frame.rides = rides(base, parent)
        self._add(frame, waiting)

    def _add(self, frame: Frame, waiting: list[SpotLink]) -> None:
        """Place a frame's parts and find its small motions."""
        assembly = frame.assembly
        place_parts(assembly)
        if self._tying is not None:
            self._tying.tie(frame, self._links_beside(assembly, waiting))
        self.frames.append(frame)
        self._frames |= {id(part): frame for part in assembly.parts}
        shifts = {
            id(seg): self._measured(frame, seg)
            for seg in assembly.parts
            if isinstance(seg, Segment) and seg.member in self.measured_from
        }
        self.shifts.update(shifts)
        on_it = [
            spot for link in self._links_beside(assembly, waiting) for spot in (link.p, link.q)
            if isinstance(spot.part, Segment) and any(spot.part is one for one in assembly.parts)
            and not (assembly.anchor is not None and assembly.anchor.key == spot.key)
        ]  # fmt: skip
        gap = (self.gap, frame.rotation_in_space) if self.gap is not None else None
        frame.motions = solve(
            assembly,
            used=on_it,
            named=self.names.at_ends(assembly),
            shifts=shifts,
            idle=self.idle,
            gap=gap,
            pinned=_pinned(frame.joint),
        )
        self.notes += frame.motions.notes
        replaced: dict[Symbol, Basic] = {}
        for name, _, _ in frame.motions.coordinates:
            own = self.names.of_end(name)
            if own != name:
                replaced[Symbol(name)] = Symbol(own)
            self.coordinates.append(own)
        if replaced:
            tables: tuple[dict[Any, Basic], ...] = (frame.motions.values, frame.motions.boundary)
            for table in tables:
                for key, f in table.items():
                    table[key] = f.xreplace(replaced)
        begin_with_length_one(frame, () if self.gap is None else self.gap.names)
        frame.parted = parted(self, frame)
        frame.turning = _turning_with(frame)

    def _links_beside(self, assembly: Assembly, waiting: list[SpotLink]) -> Iterable[SpotLink]:
        """What may hang on a member of an assembly; most assemblies are a body, and have none."""
        has_members = any(isinstance(one, Segment) for one in assembly.parts)
        return (*waiting, *self.structure.cuts) if has_members else ()

    def _measured(self, frame: Frame, seg: Segment) -> dict[str, Basic]:
        """By how much the fields of a segment exceed its own deflections, because they are measured from elsewhere."""
        body = self.measured_from[seg.member]
        base = self._frame_of(body.body if isinstance(body, BodyPlace) else body)
        what = f"The deflection of {seg.member.name}"
        with concerning(part=seg.member.name, keyword="measured_from", entry=seg.member.name):
            if base is None:
                raise FlexuraError(
                    f"{what} is measured from {body!r}, which does not come before it", advice="use a body it hangs on"
                )
            translation = translation_between(frame, base, what, self.jets)
        moved = turn_back(frame.assembly.orientation[id(seg)], translation)
        found: dict[str, Basic] = {}
        for motion, part in zip(("axial", "transverse", "lateral"), moved, strict=True):
            jet = seg.carrier(motion, "a")
            if jet and jet.x == 0:
                found[jet.name] = part
        return found

    def replacements(self, seg: Segment) -> dict[Symbol, Basic]:
        """A segment's own deflections in its fields, which may be measured from elsewhere."""
        jets, found = self.jets, dict[Symbol, Basic]()
        for name, by in self.shifts.get(id(seg), {}).items():
            for t in range(3):
                found[Jet(name, t=t).symbol] = Jet(name, t=t).symbol - by
                by = jets.D_t(by)
        return found

    def without_deflections(self, jets: Jets) -> Replacing:
        """Takes deflections out: coordinates of joints stay, what is measured from elsewhere is what that has moved."""
        joints = {name for names in self.joint_names.values() for name in names} | self.far
        joints |= set(self.gap.names if self.gap else ())
        plain = Replacing(lambda symbol: ZERO if _small(symbol, jets, joints) else symbol)
        moved = {name: plain(by) for name, by in self.measured.items()}

        def leaf(symbol: Symbol) -> Basic:
            jet = _small(symbol, jets, joints)
            if jet is None:
                return symbol
            found = moved.get(jet.name, ZERO) if jet.x == 0 else ZERO
            for _ in range(jet.t):
                found = jets.D_t(found)
            return found

        return Replacing(leaf)

    @property
    def far(self) -> set[str]:
        """Fields and end coordinates of members that bend far: nothing about them is small."""
        found = {one.name for seg in self.structure.segments if seg.bends_far for one in seg.fields}
        ends = (one for frame in self.frames for one in frame.motions.coordinates)
        return found | {name for name, spot, _ in ends if spot.bends_far}

    @property
    def measured(self) -> dict[str, Basic]:
        """Fields and end coordinates that are measured from elsewhere, and by how much they exceed deflections."""
        found: dict[str, Basic] = {}
        if not any(self.shifts.values()):
            return found
        for frame, seg in self.segments():
            shifts = self.shifts.get(id(seg), {})
            found |= shifts
            for name, spot, motion in frame.motions.coordinates:
                jet = seg.carrier(motion, spot.end) if spot.part is seg else None
                if jet is not None and jet.x == 0 and jet.name in shifts:
                    found[name] = shifts[jet.name]
        return found

    def measures(self) -> dict[str, Basic]:
        """Quantities that mean the same in every choice of coordinates: how models know their changes."""
        found: dict[str, Basic] = {}
        for frame, seg in self.segments():
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


def _turning_with(frame: Frame) -> Turning | None:
    """What small turns draw in, of a frame whose members are tied."""
    if not any(isinstance(one, Segment) and one.tied for one in frame.assembly.parts):
        return None
    turning = Turning(frame.motions)
    return turning if turning.works and turning.only_carries else None


def _pinned(joint: SpotLink | None) -> bool:
    """Whether a frame hangs by a pin that leaves the rotation of a section free."""
    return joint is not None and isinstance(joint.source, Support) and bool(joint.source.free_axes)


def _small(symbol: Symbol, jets: Jets, joints: set[str]) -> Jet | None:
    """The jet of a deflection; None for the coordinates of joints and for what is given."""
    jet = jets.find(symbol)
    return None if jet is None or jet.name in jets.functions or jet.name in joints else jet
