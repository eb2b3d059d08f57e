"""The structure of a model: members cut where something attaches, places, frames, loops.

Supports (Fixed, Pin, Roller) weld parts into assemblies; each assembly moves with one frame; joints (Slide, Revolute,
Free, ...) connect the frames in a tree, and the joint listed last in a loop is its cut. A pin between rigid bodies of a
spatial model is a joint as well, unless other supports hold the two in one frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from flexura.energy.field import Field
from flexura.errors import FlexuraError
from flexura.parts.bodies import Body, BodyPlace, Ground, Mass, ground
from flexura.parts.joints import Connection, Coupling, Free, Joint, Pin, Revolute, Support
from flexura.parts.members.member import Member, Place
from flexura.parts.members.tied import tied
from flexura.parts.spatial_joints import ball_of
from flexura.symbolic.engine import TIME, ZERO, Basic, Symbol, symbol_name
from flexura.symbolic.expression import Expression
from flexura.symbolic.jets import Jet
from flexura.symbolic.kinematics.geometry import Gap
from flexura.symbolic.kinematics.motion import Pose, Turn
from flexura.symbolic.kinematics.quaternions import Quaternion
from flexura.symbolic.kinematics.vectors import EZ, IDENTITY, NULL, Matrix, Vector, product, rotation
from flexura.symbolic.near import Near


@dataclass(eq=False)
class Segment:
    """A member between two places where something attaches, with fields of its own; whole members have one."""

    member: Member
    start: Expression
    end: Expression
    number: int = 0
    fields: tuple[Field, ...] = ()
    tied: Member | None = None
    """The member with its axial displacement as a field of its own, where what hangs on it asks for that."""
    hangs_by: str = "a"
    """The end nearest to what carries its frame, of a member that is tied so."""
    stretched: Member | None = None
    """The member as it stretches where it bends, if it is held along its axis at both ends and turns with its frame."""

    def __post_init__(self) -> None:
        if not self.number:
            self.fields = self.member.fields
            return
        first = Field(f"{self.member.fields[0].name}_{self.number}", length=self.end - self.start, start=self.start)
        others = [Field(f"{one.name}_{self.number}", spine=first) for one in self.member.fields[1:]]
        self.fields = (first, *others)

    @property
    def mechanics(self) -> Member:
        """What it stores and how it moves."""
        return self.tied or self.stretched or self.member

    def tie(self, axial: str, tension: str, inboard: str) -> None:
        """Give its axial displacement, and the tension that ties that to bending, fields of their own."""
        self.tied, self.hangs_by = tied(self.member, axial, tension), inboard
        self.fields = (*self.fields, *(Field(name, spine=self.fields[0]) for name in (axial, tension)))

    @property
    def ties(self) -> tuple[str, ...]:
        """The names of those two fields; none where there are none."""
        return tuple(one.name for one in self.fields[-2:]) if self.tied else ()

    def moved_along(self, end: str) -> Jet | None:
        """The boundary value of the axial displacement, where that is a field of its own."""
        return Jet(self.ties[0], end=end) if self.tied else None

    @property
    def bends_far(self) -> bool:
        """Whether its ends move and turn as far as they like."""
        return self.member.bends_far

    @property
    def name(self) -> str:
        """For sentences and symbols."""
        return f"{self.member.name}_{self.number}" if self.number else self.member.name

    @property
    def spine(self) -> str:
        """The name of its spine."""
        return self.fields[0].name

    def own(self, f: Basic) -> Basic:
        """A tree of the member with this segment's fields in place of the member's."""
        if not self.number:
            return f
        names = {old.name: new.name for old, new in zip(self.mechanics.fields, self.fields, strict=True)}
        renamed: dict[Symbol, Symbol] = {}
        for symbol in f.free_symbols:
            for old, new in names.items():
                if symbol.name == old or (
                    symbol.name.startswith(f"{old}_") and set(symbol.name[len(old) + 1 :]) <= {"x", "t"}
                ):
                    renamed[symbol] = Symbol(new + symbol.name[len(old) :])
        return f.xreplace(renamed) if renamed else f

    @property
    def quaternion(self) -> Quaternion | None:
        """By which its sections are turned from rest, where they turn far in space."""
        if self.member.quaternion is None:
            return None
        a, b, c, d = (self.own(one.engine) for one in self.member.quaternion)
        return (a, b, c, d)

    def quaternion_at(self, end: str) -> Quaternion | None:
        """The same at an end, in its boundary values."""
        if self.quaternion is None:
            return None
        values = {Symbol(one.name): Jet(one.name, end=end).symbol for one in self.fields}
        a, b, c, d = (one.xreplace(values) for one in self.quaternion)
        return (a, b, c, d)

    @property
    def resting(self) -> Matrix:
        """How its sections are turned at rest, in the member's axes."""
        heading = self.member.heading.engine
        return IDENTITY if heading == 0 else rotation(self.member.about, heading)

    @property
    def carriers(self) -> dict[str, str]:
        """Which field, or slope of one, carries each motion of its sections; "length" is that of a quaternion."""
        found = {motion: symbol_name(self.own(by.engine)) for motion, by in self.member.ends.items()}
        if self.quaternion is not None:
            found["length"] = symbol_name((2 * (self.quaternion[0] - 1)).expand())
        return found

    def carrier(self, motion: str, end: str) -> Jet | None:
        """The boundary value that carries a motion at an end, if one does."""
        if motion not in self.member.ends:
            return None
        value = self.own(self.member.ends[motion].engine)
        for one in self.fields:
            for x in (0, 1):
                if Jet(one.name, x).symbol == value:
                    return Jet(one.name, x, end=end)
        return None

    def __repr__(self) -> str:
        return self.name


Part = Body | Segment


@dataclass(frozen=True)
class Spot:
    """A place resolved: the part it is on, its point in the part's axes, and which end of a segment it is.

    Ground without a point is everywhere: where the other place of a connection is in the reference configuration.
    """

    part: Part
    point: Vector
    end: str = ""
    everywhere: bool = False
    heading: Basic = ZERO
    """How the section at a place of a curved member is turned at rest, about z of the member or `about`."""
    about: Vector = EZ

    @property
    def bends_far(self) -> bool:
        """Whether it is on a member whose sections turn as far as they like."""
        return isinstance(self.part, Segment) and self.part.bends_far

    @property
    def key(self) -> tuple[int, Vector, str]:
        """For comparing spots."""
        return (id(self.part), self.point, self.end)


@dataclass(frozen=True)
class Weld:
    """A weld-type connection between two spots; the implicit one inside a cut member has `source` None."""

    source: Coupling | None
    p: Spot
    q: Spot

    @property
    def free_directions(self) -> tuple[Vector, ...]:
        """What it leaves free to move, in p's axes."""
        return self.source.free_directions if self.source is not None else ()

    @property
    def free_axes(self) -> tuple[Vector, ...]:
        """About what it leaves free to turn."""
        return self.source.free_axes if self.source is not None else ()

    @property
    def held_directions(self) -> tuple[Vector, ...] | None:
        """Where it says so, the directions in which it holds, in p's axes."""
        return self.source.held_directions if isinstance(self.source, Support) else None

    @property
    def held_axes(self) -> tuple[Vector, ...] | None:
        """Where it says so, the axes about which it holds."""
        return self.source.held_axes if isinstance(self.source, Support) else None

    @property
    def turns(self) -> list[Turn]:
        """How q's axes are turned against p's."""
        return self.source.resting if self.source is not None else []


@dataclass(frozen=True)
class SpotLink:
    """A joint or a cut between two spots; `turns` is False where a free joint carries a particle only."""

    source: Coupling
    p: Spot
    q: Spot
    turns: bool = True


@dataclass
class Assembly:
    """Parts that share a frame: where each lies in it in the reference configuration, and what holds them together."""

    number: int
    parts: list[Part] = field(default_factory=list)
    welds: list[Weld] = field(default_factory=list)
    anchor: Spot | None = None
    turned: dict[int, Pose] = field(default_factory=dict)
    orientation: dict[int, Matrix] = field(default_factory=dict)
    origin: dict[int, Vector] = field(default_factory=dict)
    closed: bool = False
    near: Near = field(default_factory=Near)
    gaps: list[Gap] = field(default_factory=list)

    @cached_property
    def spatial(self) -> bool:
        """Whether a member in it bends out of the plane."""
        return any(isinstance(one, Segment) and "lateral" in one.member.ends for one in self.parts)

    @cached_property
    def twists(self) -> bool:
        """Whether a member in it twists."""
        return any(isinstance(one, Segment) and "twist" in one.member.ends for one in self.parts)

    def axes(self, spot: Spot) -> Matrix:
        """The axes of a part at a spot, in the frame's: those of the section, where its member is curved."""
        turned = self.orientation[id(spot.part)]
        return turned if spot.heading == 0 else product(turned, rotation(spot.about, spot.heading))


class Structure:
    """Parts, segments, assemblies, and the tree of joints between them."""

    def __init__(self, things: Iterable[Any], used: Iterable[Any]) -> None:
        """`things` are what the user listed; `used` are the places that springs, loads and the like name besides."""
        self.connections = [one for one in things if isinstance(one, Coupling)]
        named = [*things, *(end for one in things if isinstance(one, Connection) for end in (one.p, one.q)), *used]
        self.bodies = _unique(_bodies(named))
        self.members = _unique(_members(named))
        _distinct([*self.bodies, *self.members])
        places = [one for one in named if isinstance(one, Place)]
        self.segments = [seg for member in self.members for seg in _segments(member, places)]
        self._cut: dict[int, list[Segment]] = {}
        for segment in self.segments:
            self._cut.setdefault(id(segment.member), []).append(segment)
        self.welds: list[Weld] = []
        self.joints: list[SpotLink] = []
        self.cuts: list[SpotLink] = []
        _named_apart(self.connections)
        self.hinges: dict[int, Coupling] = {}  # what the user wrote for a joint made of it
        self._sort(_offset(named))
        balls = [one.source for one in self.welds if self._turns_far(one)]
        if balls:
            self.connections = [ball_of(one) if any(one is ball for ball in balls) else one for one in self.connections]
            self._sort(_offset(named))
        self.assemblies = self._assemblies()
        self._assembly = {id(part): one for one in self.assemblies for part in one.parts}

    def spot(self, place: Any) -> Spot:
        """The part and point a place names."""
        if isinstance(place, Body):
            place = place.place
        if isinstance(place, BodyPlace):
            return Spot(place.body, place.offset, everywhere=place.everywhere)
        mine = self._cut.get(id(place.member), ())
        for seg in mine:
            if _same(seg.start, place.position):
                return _spot(seg, "a")
        for seg in mine:
            if _same(seg.end, place.position):
                return _spot(seg, "b")
        raise FlexuraError(f"The place {place!r} is not on {place.member.name}", part=place.member.name)

    @cached_property
    def spatial(self) -> bool:
        """Whether anything in the model leaves the plane."""
        joints = (link.source for link in (*self.joints, *self.cuts))
        held = (*joints, *(one for one in self.connections if isinstance(one, Support)))
        return any(one.leaves_plane for one in held) or any("lateral" in one.ends for one in self.members)

    def rigid_together(self, a: Part, b: Part) -> bool:
        """Whether two parts are one body, or bodies that turn and are welded to one another: nothing moves between."""
        return isinstance(a, Body) and self._rigid.same(a, b)

    @cached_property
    def _rigid(self) -> _Groups:
        groups = _Groups()
        for weld in self.welds:
            ends = (weld.p.part, weld.q.part)
            if not (weld.free_axes or weld.free_directions) and all(
                isinstance(one, Body) and one.turns for one in ends
            ):
                groups.join(*ends)
        return groups

    def _turns_far(self, weld: Weld) -> bool:
        """Whether a pin is a ball joint: in space, between rigid bodies that nothing else holds in one frame."""
        ends = (weld.p.part, weld.q.part)
        rigid = all(isinstance(one, Ground) or (isinstance(one, Body) and one.turns) for one in ends)
        if not (isinstance(weld.source, Pin) and rigid and self.spatial):
            return False
        others = _Groups()
        for one in self.welds:
            if one is not weld:
                others.join(one.p.part, one.q.part)
        return not others.same(*ends)

    def _sort(self, offset: set[int]) -> None:
        """Walk the connections in the order listed: welds, joints of the tree, cuts of loops."""
        self.welds, self.joints, self.cuts = [], [], []
        welded, connected = _Groups(), _Groups()
        for one in self._inside():
            self.welds.append(one)
            welded.join(one.p.part, one.q.part)
            connected.join(one.p.part, one.q.part)
        for connection in self.connections:
            p, q = self.spot(connection.p), self.spot(connection.q)
            welds = isinstance(connection, Support) and not _rides(p, q)
            if welds and (welded.same(p.part, q.part) or not connected.same(p.part, q.part)):
                self.welds.append(Weld(connection, p, q))
                welded.join(p.part, q.part)
                connected.join(p.part, q.part)
            elif connected.same(p.part, q.part):
                self.cuts.append(SpotLink(connection, p, q))
            else:
                self.joints.append(SpotLink(connection, p, q))
                connected.join(p.part, q.part)
        self._welded, self._connected = welded, connected
        self.joints += self._floating(connected)
        self.joints = [
            replace(one, turns=False) if self._carries_a_particle(one, offset) else one for one in self.joints
        ]
        self.joints = self._hinged()

    def _carries_a_particle(self, link: SpotLink, offset: set[int]) -> bool:
        """A free joint to a particle on which nothing else hangs or pulls off its centre: it has no angles."""
        if not (isinstance(link.source, Joint) and link.source.floats):
            return False
        for spot in (link.p, link.q):
            others: list[Weld | SpotLink] = [*self.welds, *(one for one in self.joints if one is not link), *self.cuts]
            alone = not any(spot.part is end.part for one in others for end in (one.p, one.q))
            if isinstance(spot.part, Mass) and alone and id(spot.part) not in offset:
                return True
        return False

    def _floating(self, connected: _Groups) -> Iterator[SpotLink]:
        """What joints connect, but nothing connects to ground, floats: a free joint carries one part of it.

        A body that turns carries best, then any body, then the start of a member.
        """
        done: list[Part] = [ground]
        for link in self.joints[:]:
            if any(connected.same(link.p.part, one) for one in done):
                continue
            done.append(link.p.part)
            if self.carries_itself(link.p.part):
                continue
            parts = [one for one in (*self.bodies, *self.segments) if connected.same(one, link.p.part)]
            root = min(parts, key=lambda one: 2 if isinstance(one, Segment) else not one.turns)
            place = root.member.start if isinstance(root, Segment) else root.place
            turns = isinstance(root, Segment) or root.turns  # a particle keeps the axes of its parent, which is ground
            yield SpotLink(Free(ground, place), self.spot(ground), self.spot(place), turns)

    def carries_itself(self, part: Part) -> bool:
        """Whether a part that nothing connects to ground is connected to a member that bends far: that one floats."""
        apart = not self._connected.same(part, ground)
        return apart and any(one.bends_far and self._connected.same(one, part) for one in self.segments)

    def _hinged(self) -> list[SpotLink]:
        """The joints; a pin by which a section carries what turns gets an angle.

        A section that is itself carried by a pin needs none: its own rotation is free.
        """
        if not any(one.bends_far for one in self.segments):
            return self.joints
        found, known, waiting = list(self.joints), self._roots(), list(range(len(self.joints)))
        while ready := [i for i in waiting if self._groups_of(found[i]) & known]:
            i = ready[0]
            waiting.remove(i)
            p, q = found[i].p, found[i].q
            outwards = self._welded.find(p.part) in known
            known |= self._groups_of(found[i])
            found[i] = self._hinge(found[i], q if outwards else p, outwards)
        return found

    def _groups_of(self, link: SpotLink) -> set[int]:
        return {self._welded.find(end.part) for end in (link.p, link.q)}

    def _hinge(self, link: SpotLink, outer: Spot, outwards: bool) -> SpotLink:
        """The angle is that of what is carried."""
        source = link.source
        if not isinstance(source, Support):
            return link
        if source.free_directions:
            raise FlexuraError(
                f"{source!r} holds a member that bends far to something else than ground",
                advice="use fx.Slide or fx.Revolute there, or a body between the two",
                part=repr(source),
            )
        turns = isinstance(outer.part, Segment) or outer.part.turns
        if outer.bends_far or not (source.free_axes and turns):
            return link
        if self.spatial:
            raise FlexuraError(
                f"{source!r} is a pin on a member that bends far in one plane, in a model that leaves the plane",
                advice="use fx.Revolute there",
                part=repr(source),
            )
        angle = Revolute(source.p, source.q) if outwards else Revolute(source.q, source.p)
        angle._set(angle=source.angle if outwards else -source.angle, turned_about=source.turned_about)
        self.hinges[id(angle)] = source
        return SpotLink(angle, link.p, link.q) if outwards else SpotLink(angle, link.q, link.p)

    def _roots(self) -> set[int]:
        """Ground, and what floats by itself."""
        own = [one for one in self.segments if one.bends_far]
        floating: list[Part] = []
        for seg in own:
            if not any(self._connected.same(seg, one) for one in (ground, *floating)):
                floating.append(seg)
        return {self._welded.find(one) for one in (ground, *floating)}

    def _inside(self) -> Iterator[Weld]:
        """Neighbouring segments of one member are welded."""
        for first, second in zip(self.segments, self.segments[1:], strict=False):
            if first.member is second.member:
                yield Weld(None, _spot(first, "b"), _spot(second, "a"))

    def _assemblies(self) -> list[Assembly]:
        found: dict[Any, Assembly] = {}
        for part in (ground, *self.bodies, *self.segments):
            root = self._welded.find(part)
            found.setdefault(root, Assembly(len(found))).parts.append(part)
        for weld in self.welds:
            found[self._welded.find(weld.p.part)].welds.append(weld)
        return list(found.values())

    def assembly_of(self, part: Part) -> Assembly:
        """The assembly a part belongs to."""
        return self._assembly[id(part)]


class _Groups:
    """Which parts are connected (union-find)."""

    def __init__(self) -> None:
        self._up: dict[int, Any] = {}

    def find(self, part: Any) -> int:
        at = id(part)
        while (up := self._up.get(at, at)) != at:
            self._up[at] = self._up.get(up, up)  # ways are halved, or long chains take long
            at = up
        return int(at)

    def same(self, a: Any, b: Any) -> bool:
        return self.find(a) == self.find(b)

    def join(self, a: Any, b: Any) -> None:
        self._up[self.find(b)] = self.find(a)


def _named_apart(connections: list[Coupling]) -> None:
    """Names of coordinates are told apart with those of all others (`names.py`)."""
    seen: dict[str, Coupling] = {}
    for one in connections:
        other = seen.setdefault(one.name, one)
        if one.name and other is not one and not all(one.name in getattr(each, "names", ()) for each in (one, other)):
            raise FlexuraError(
                f"Two connections are called {one.name}", advice="give each a name of its own", part=repr(one)
            )


def _spot(seg: Segment, end: str) -> Spot:
    """An end of a segment."""
    s = (seg.start if end == "a" else seg.end).engine
    return Spot(seg, seg.member.point(s), end, heading=seg.member.direction(s), about=seg.member.about)


def _rides(p: Spot, q: Spot) -> bool:
    """Whether a connection lets one part ride on a section that turns far, or such a member on a part that moves."""
    return (p.bends_far or q.bends_far) and not any(isinstance(one.part, Ground) for one in (p, q))


def _unique(things: Iterable[Any]) -> list[Any]:
    return list({id(one): one for one in things}.values())


def _bodies(named: Iterable[Any]) -> Iterator[Body]:
    for one in named:
        body = one if isinstance(one, Body) else getattr(one, "body", None)
        if isinstance(body, Body) and not isinstance(body, Ground):
            yield body


def _members(named: Iterable[Any]) -> Iterator[Member]:
    for one in named:
        member = one if isinstance(one, Member) else getattr(one, "member", None)
        if isinstance(member, Member):
            yield member


def _offset(named: Iterable[Any]) -> set[int]:
    """The bodies of which a point off the centre is named."""
    return {id(one.body) for one in named if isinstance(one, BodyPlace) and one.offset != NULL}


def _distinct(parts: list[Any]) -> None:
    seen: dict[str, Any] = {}
    for part in parts:
        if seen.setdefault(part.name, part) is not part:
            raise FlexuraError(
                f"Two different parts are called {part.name}", advice="give each part a name of its own", part=part.name
            )


def _segments(member: Member, places: list[Place]) -> list[Segment]:
    """The member cut at every interior place that something names, in order along it."""
    inside = {place: None for place in places if place.member is member and not place.end}
    for place in inside:
        if TIME in place.position.engine.free_symbols:
            raise FlexuraError(
                f"The place {place!r} travels along {member.name}, where only a Force may",
                advice="use fx.Force there, or give a place that stays",
                part=member.name,
            )
    if not inside:
        return [Segment(member, member.spine.start, member.spine.end)]
    cuts = [place.position for place in sorted(inside, key=lambda one: _share(one, alone=len(inside) == 1))]
    marks = [member.spine.start, *cuts, member.spine.end]
    return [Segment(member, a, b, i) for i, (a, b) in enumerate(pairwise(marks), 1)]


def _share(place: Place, alone: bool) -> float:
    share = place.member._share(place.position)
    if share is None and not alone:
        raise FlexuraError(
            f"The order of the places on {place.member.name} is not known, because {place.position} has no value",
            advice="give them as parts of the length, like 'l/3', or give values",
            part=place.member.name,
        )
    return share or 0.0


def _same(a: Expression, b: Expression) -> bool:
    return bool((a.engine - b.engine).expand() == 0)
