"""Parts and connections read anew: pieces of members, what is welded together, the tree of joints, names of motions.

A model is read as the manual words it: welds and pins gather parts into one frame, joints carry frames on frames, and a
connection between parts that hang together already closes a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from flexura.derivation.prove.program import Number, evaluate, mp
from flexura.derivation.prove.read import (
    Part,
    ReadFrame,
    ReadGroups,
    ReadLink,
    ReadPiece,
    ReadSpot,
    UnreadableError,
    members_of,
    named,
    unique,
)
from flexura.derivation.prove.vectors import (
    AXES,
    NULL,
    Vector,
    product,
    scale,
    subtract,
    transpose,
    turn,
    turned_by,
)
from flexura.energy.lagrangian import Lagrangian
from flexura.parts.bodies import Body, BodyPlace, Ground, Mass, ground
from flexura.parts.control import State
from flexura.parts.description import Description
from flexura.parts.gears import Gear
from flexura.parts.joints import Coupling, Free, Joint, Pin, Revolute, Support
from flexura.parts.loads import Load
from flexura.parts.members.member import Member
from flexura.parts.members.tied import tied
from flexura.parts.spatial_joints import Spherical
from flexura.symbolic.engine import Basic, Symbol
from flexura.symbolic.kinematics.vectors import tame

Value = Callable[[str], Number]


class Reading:
    """The parts of a description in their frames, with numbers for all parameters."""

    def __init__(self, described: Description, energies: Lagrangian, value: Value) -> None:
        """`value` gives parameters; of the energies only the names of fields and their pieces are read."""
        self.described, self.energies, self.value = described, energies, value
        self.things = described.things
        self.pieces = [piece for member in members_of(described) for piece in self._pieces(member)]
        self.bodies = unique(self._bodies())
        self._sort([one for one in self.things if isinstance(one, Coupling)])
        self.spatial = self._is_spatial()
        balls = [id(weld.source) for weld in self.welds if self.spatial and self._is_ball(weld)]
        if balls:
            self._sort([_ball(one) if id(one) in balls else one for one in self.things if isinstance(one, Coupling)])
        self.joint_names = self._names()
        self.frames = self._frames()

    def number(self, f: Any) -> Number:
        """A quantity, as a number."""
        return evaluate(getattr(f, "engine", f), self.value)

    def vector(self, v: Iterable[Basic]) -> Vector:
        """A vector of trees in numbers."""
        return tuple(self.number(one) for one in v)

    def spot(self, place: Any) -> ReadSpot:
        """The part and point a place names."""
        if isinstance(place, Body):
            place = place.place
        if isinstance(place, BodyPlace):
            return ReadSpot(place.body, self.vector(place.offset), everywhere=place.everywhere)
        at = place.position.engine
        mine = [piece for piece in self.pieces if piece.member is place.member]
        for end in (0, 1):
            for piece in mine:
                if (piece.limits[end] - at).expand() == 0:
                    return self._end(piece, end)
        raise UnreadableError(f"{place!r} is not at an end of a piece of {place.member.name}")

    def _end(self, piece: ReadPiece, end: int) -> ReadSpot:
        point, heading = piece.member.point(piece.limits[end]), piece.member.direction(piece.limits[end])
        about = self.vector(piece.member.about)
        return ReadSpot(piece, self.vector(point), "ab"[end], heading=self.number(heading), about=about)

    def frame(self, part: Any) -> ReadFrame:
        """The frame a part lies in."""
        return next(one for one in self.frames if any(part is other for other in one.parts))

    def pieces_of(self, member: Any) -> list[ReadPiece]:
        """The pieces of a member."""
        return [one for one in self.pieces if one.member is member]

    # -- parts ---------------------------------------------------------------------------------------------------------

    def _bodies(self) -> Iterator[Body]:
        for one in named(self.described):
            body = one if isinstance(one, Body) else getattr(one, "body", None)
            if isinstance(body, Body) and not isinstance(body, Ground):
                yield body

    def _pieces(self, member: Member) -> Iterator[ReadPiece]:
        """As the energies cut the member; the pieces must fill it."""
        spines = [self.energies.spine_of(name) for name in self.energies.members[member.name]]
        at = member.spine.start.engine
        for spine in spines:
            if (spine.start - at).expand() != 0:
                raise UnreadableError(f"the pieces of {member.name} leave a gap")
            at = spine.end
            ends = (self.number(spine.start), self.number(spine.end))
            own = self._tied(member, spine.fields)
            yield ReadPiece(member, spine.name, (spine.start, spine.end), ends, spine.fields, own)
        if (at - member.spine.end.engine).expand() != 0:
            raise UnreadableError(f"the pieces of {member.name} do not reach its end")

    def _tied(self, member: Member, fields: tuple[str, ...]) -> Member | None:
        """The member as the energies have it, where two more fields are in them."""
        axial, tension = fields[-2:] if len(fields) == len(member.fields) + 2 else ("", "")
        return tied(member, axial, tension) if self.energies.ties.get(axial) == tension else None

    # -- connections ---------------------------------------------------------------------------------------------------

    def _is_ball(self, weld: ReadLink) -> bool:
        """Whether a pin in space joins two rigid bodies that no other support ties together."""
        if not isinstance(weld.source, Pin):
            return False
        if not all(isinstance(end.part, Ground) or getattr(end.part, "turns", False) for end in (weld.p, weld.q)):
            return False
        reached, others = [weld.p.part], [one for one in self.welds if one is not weld]
        for part in reached:
            for p, q in ((one.p.part, one.q.part) for one in others):
                beyond = q if p is part else p if q is part else None
                if beyond is not None and not any(beyond is one for one in reached):
                    reached.append(beyond)
        return not any(weld.q.part is one for one in reached)

    def _sort(self, couplings: Iterable[Coupling]) -> None:
        self.welds: list[ReadLink] = []
        self.joints: list[ReadLink] = []
        self.cuts: list[ReadLink] = []
        welded, hanging = ReadGroups(), ReadGroups()
        for one, other in zip(self.pieces, self.pieces[1:], strict=False):
            if one.member is other.member:
                self.welds.append(ReadLink(None, self._end(one, 1), self._end(other, 0)))
                welded.join(one, other)
                hanging.join(one, other)
        for connection in couplings:
            link = ReadLink(connection, self.spot(connection.p), self.spot(connection.q))
            p, q = link.p.part, link.q.part
            on_ground = isinstance(p, Ground) or isinstance(q, Ground)
            in_frame = isinstance(connection, Support) and (on_ground or not (link.p.far or link.q.far))
            if in_frame and (welded.same(p, q) or not hanging.same(p, q)):
                self.welds.append(link)
                welded.join(p, q)
            elif hanging.same(p, q):
                self.cuts.append(link)
                continue
            else:
                self.joints.append(link)
            hanging.join(p, q)
        self.joints += list(self._floating(hanging))
        self.joints = [self._of_particle(one) for one in self.joints]
        self._welded, self._hanging = welded, hanging
        self.joints = self._carried()

    def _carried(self) -> list[ReadLink]:
        """The joints; a pin by which a section that turns far carries what can turn is a hinge with an angle."""
        done = {self._welded.find(one) for one in (ground, *self.adrift)}
        found, waiting = list(self.joints), list(self.joints)
        while waiting:
            link = next(
                (one for one in waiting if any(self._welded.find(e.part) in done for e in (one.p, one.q))), None
            )
            if link is None:
                raise UnreadableError("what floats is not read")
            waiting.remove(link)
            child = link.q if self._welded.find(link.p.part) in done else link.p
            done |= {self._welded.find(end.part) for end in (link.p, link.q)}
            pin = link.source if isinstance(link.source, Support) and link.source.free_axes else None
            if pin is not None and not child.far and getattr(child.part, "turns", True):
                carries, carried = (pin.p, pin.q) if child is link.q else (pin.q, pin.p)
                here = link.p if child is link.q else link.q
                hinge = Revolute(carries, carried)
                hinge._set(angle=pin.angle if child is link.q else -pin.angle, turned_about=pin.turned_about)
                found[found.index(link)] = ReadLink(hinge, here, child)
        return found

    @property
    def adrift(self) -> list[ReadPiece]:
        """Members that bend far and float: the first of each that hang together."""
        found: list[ReadPiece] = []
        for piece in self.pieces:
            if piece.far and not any(self._hanging.same(piece, one) for one in (ground, *found)):
                found.append(piece)
        return found

    def _floating(self, hanging: ReadGroups) -> Iterator[ReadLink]:
        """Nothing need reach ground: a free joint carries what turns best."""
        done: list[Part] = [ground]
        for link in list(self.joints):
            if any(hanging.same(link.p.part, one) for one in done):
                continue
            done.append(link.p.part)
            if any(piece.far and hanging.same(piece, link.p.part) for piece in self.pieces):
                continue
            parts = [one for one in (*self.bodies, *self.pieces) if hanging.same(one, link.p.part)]
            root = min(parts, key=lambda one: 2 if isinstance(one, ReadPiece) else not one.turns)
            place = root.member.start if isinstance(root, ReadPiece) else root.place
            turns = isinstance(root, ReadPiece) or root.turns
            yield ReadLink(Free(ground, place), self.spot(ground), self.spot(place), turns)

    def _of_particle(self, link: ReadLink) -> ReadLink:
        """A free particle on which nothing hangs or pulls off its centre has no angles."""
        places = [one for one in named(self.described) if isinstance(one, BodyPlace)]
        offset = {id(one.body) for one in places if any(part != 0 for part in one.offset)}
        others = [one for one in (*self.welds, *self.joints, *self.cuts) if one is not link]
        for spot in (link.p, link.q):
            alone = not any(spot.part is end.part for one in others for end in (one.p, one.q))
            floats = isinstance(link.source, Joint) and link.source.floats
            if floats and isinstance(spot.part, Mass) and alone and id(spot.part) not in offset:
                return ReadLink(link.source, link.p, link.q, False)
        return link

    def _is_spatial(self) -> bool:
        for joint in (link.source for link in (*self.joints, *self.cuts)):
            if not isinstance(joint, Joint):
                continue
            if any(along[2] != 0 for along in joint.free_directions) or any(
                about[0] != 0 or about[1] != 0 for about in joint.free_axes
            ):
                return True
        for weld in (one for one in self.things if isinstance(one, Support)):
            for about, angle in weld.resting:
                if any(part != 0 for part in about[:2]) and abs(mp.sin(self.number(angle))) > mp.mpf(10) ** -12:
                    return True
        return any("lateral" in one.member.ends for one in self.pieces)

    def _names(self) -> dict[int, tuple[str, ...]]:
        """The coordinates of joints: as given, else a letter and the part, numbered where a name is taken."""
        taken = {name for piece in self.pieces for name in piece.fields}
        found: dict[int, tuple[str, ...]] = {}
        for link in self.joints:
            names = []
            given = (*(link.source.names if isinstance(link.source, Joint) else ()), *[""] * 6)
            for i, default in enumerate(self._usual(link)):
                own, number = given[i] or default, 2
                while default and own in taken:
                    own, number = f"{default}_{number}", number + 1
                names.append(own if default else "")
                taken.add(own)
            found[id(link.source)] = tuple(names)
        return found

    def _usual(self, link: ReadLink) -> tuple[str, ...]:
        part = self._called(link.p.part if isinstance(link.q.part, Ground) else link.q.part)
        if not isinstance(link.source, Joint):
            return ()
        stems = link.source.stems(self.spatial)
        straight = len(stems) - len(link.source.rotations([Symbol(stem) for stem in stems]))
        return tuple(f"{stem}_{part}" if link.turns or i < straight else "" for i, stem in enumerate(stems))

    def _called(self, part: Part) -> str:
        """The name of a part; pieces of a member are numbered."""
        pieces = self.pieces_of(part.member) if isinstance(part, ReadPiece) else []
        return f"{part.name}_{pieces.index(part) + 1}" if isinstance(part, ReadPiece) and pieces[1:] else part.name

    # -- frames --------------------------------------------------------------------------------------------------------

    def _frames(self) -> list[ReadFrame]:
        groups: dict[int, ReadFrame] = {}
        for part in (ground, *self.bodies, *self.pieces):
            groups.setdefault(self._welded.find(part), ReadFrame([], [])).parts.append(part)
        for weld in self.welds:
            groups[self._welded.find(weld.p.part)].welds.append(weld)
        base = groups[self._welded.find(ground)]
        done, waiting = [base], list(self.joints)
        done += [groups[self._welded.find(one)] for one in self.adrift]
        loose = [one for one in groups.values() if one is not base]
        while waiting:
            link = next((one for one in waiting if self._reached(one, done)), None)
            if link is None:
                raise UnreadableError("what floats is not read")
            waiting.remove(link)
            self._hang(link, done, groups)
        done += [one for one in loose if one not in done]  # what floats without a joint moves a little
        for frame in done:
            self._lay(frame)
        return done

    def _reached(self, link: ReadLink, done: list[ReadFrame]) -> bool:
        return any(any(end.part is part for part in one.parts) for one in done for end in (link.p, link.q))

    def _hang(self, link: ReadLink, done: list[ReadFrame], groups: dict[int, ReadFrame]) -> None:
        forward = any(any(link.p.part is part for part in one.parts) for one in done)
        here, there = (link.p, link.q) if forward else (link.q, link.p)
        frame = groups[self._welded.find(there.part)]
        frame.parent = next(one for one in done if any(here.part is part for part in one.parts))
        frame.joint, frame.forward, frame.anchor = link, forward, there
        frame.names = self.joint_names[id(link.source)]
        done.append(frame)

    def _lay(self, frame: ReadFrame) -> None:
        """Lay the parts out in the reference configuration, from the anchor along the welds."""
        first = frame.anchor.part if frame.anchor else frame.parts[0]
        frame.turned[id(first)] = transpose(frame.anchor.turned) if frame.anchor else AXES
        back = scale(mp.mpf(-1), frame.anchor.point) if frame.anchor else NULL
        frame.origin[id(first)] = turn(frame.turned[id(first)], back)
        waiting = list(frame.welds)
        while waiting:
            ready = [one for one in waiting if id(one.p.part) in frame.turned or id(one.q.part) in frame.turned]
            if not ready:
                raise UnreadableError("a weld leads nowhere")
            weld = min(ready, key=_vaguely)
            waiting.remove(weld)
            forward = id(weld.p.part) in frame.turned
            known, new = (weld.p, weld.q) if forward else (weld.q, weld.p)
            if id(new.part) in frame.turned:
                continue
            turned = product(frame.turned[id(known.part)], known.turned)
            turns = weld.source.resting if weld.source is not None else []
            for about, angle in turns if forward else reversed(turns):
                by = self.number(tame(angle)) * (1 if forward else -1)
                turned = product(turned, turned_by(scale(by, self.vector(about))))
            turned = product(turned, transpose(new.turned))
            frame.turned[id(new.part)] = turned
            frame.origin[id(new.part)] = subtract(frame.rest(known), turn(turned, new.point))

    @property
    def loads(self) -> list[Load]:
        """Forces, torques and distributed forces."""
        return [one for one in self.things if isinstance(one, Load)]

    @property
    def rates(self) -> dict[str, Basic]:
        """How fast first-order states change, in what is not the rate of another one."""
        found = {one.name: one.rate.engine for one in self.things if isinstance(one, State)}
        for _ in found:
            found = {name: f.xreplace({Symbol(f"{one}_t"): g for one, g in found.items()}) for name, f in found.items()}
        return found

    def geared(self, gear: Gear) -> tuple[str, str]:
        """The coordinates of a gear: named, those of its joints, or both of one joint."""
        names = [
            (one,) if isinstance(one, str) else tuple(filter(None, self.joint_names[id(one)]))
            for one in (gear.first, gear.second)
        ]
        return (names[0][0], names[1][-1])

    def value_there(self, load: Load, piece: ReadPiece | None) -> Basic:
        """A load's text in the fields of the piece it acts on."""
        if load.line_forces:
            return piece.own(load.value.engine) if piece else load.value.engine
        part = self.spot(load.acts_on).part
        return part.own(load.value.engine) if isinstance(part, ReadPiece) else load.value.engine


def _ball(pin: Coupling) -> Spherical:
    made = Spherical(pin.p, pin.q, name=pin.name or None)
    made._set(angle=pin.angle, turned_about=pin.turned_about)
    return made


def _vaguely(weld: ReadLink) -> tuple[bool, bool]:
    """Ground without a point says least about where a part lies; a pin may not say how it is turned."""
    silent = weld.source is not None and bool(weld.source.free_axes) and not weld.source.resting
    return weld.p.everywhere or weld.q.everywhere, silent
