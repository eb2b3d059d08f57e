"""Motions that no coordinate has, because nothing drives them: what acts on them, and which connection holds that.

>>> holds, refusal = Resting(placed, places, cut).held()

An energy does not need them, a part that is cut free does: what acts along them is carried on by the connections, in
directions in which members do not deform. To these connections reactions are given; where there is none that could
hold what acts, balances would be false, and the sentence that says so is the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from flexura.model.assembly import Solver, axial_symbol, moves_of
from flexura.model.at_rest_held import Held, Rest, Unheld, Way, Work, needed, unheld
from flexura.model.at_rest_ways import across_of, length_of, member_named, never_moves, rigid_unknowns
from flexura.model.energies import line_point
from flexura.model.frames import Frame
from flexura.model.motion_names import what_moves
from flexura.model.placing import Placed
from flexura.model.reference import point_of
from flexura.model.seen import BentPlaces, label_of
from flexura.model.structure import Part, Segment, Spot, SpotLink, Weld
from flexura.model.wrenches import free_motions
from flexura.parts.bodies import Body, Ground
from flexura.parts.joints import Joint
from flexura.symbolic.engine import SPINE, ZERO, Basic, Symbol
from flexura.symbolic.kinematics.motion import CutFree, CutPart
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
    scale,
    subtract,
    transpose,
    turn,
    turn_back,
)
from flexura.symbolic.shorten import shorter
from flexura.symbolic.zero import vanishes

_Load = tuple[str, str, Vector, Vector, Basic, str]  # name, on what, force, couple, amount, spine
_STILL: Way = (NULL, NULL)


class Resting:
    """All motions at rest of one model that is cut free."""

    def __init__(self, placed: Placed, places: BentPlaces, cut: CutFree, links: Mapping[int, str]) -> None:
        """`links` names the connections of `cut` by what they are made of."""
        self.placed, self.places, self.cut, self.links = placed, places, cut, links
        self.holds = {hold.name: hold for hold in cut.holds}

    def held(self) -> CutFree:
        """The model, its connections with all reactions that rest needs; or with the reason why there are no balances.

        Frames are asked from the last to the first: what a connection carries acts on the frame it hangs on.
        """
        for frame in reversed(self.placed.frames):
            found = _OfFrame(self, frame).held()
            if isinstance(found, Unheld):
                rest, acting = found.rest, " and ".join(found.acting)
                return replace(
                    self.cut,
                    refusal=f"There are no free-body diagrams: {acting} {'act' if len(found.acting) > 1 else 'acts'} on"
                    f" {rest.called}, which has no coordinate and which no connection holds",
                    advice=f"hold {rest.part} that way (fx.Fixed, or fx.Pin for a Roller), or leave that load out",
                    part=rest.part,
                )
            for one in found:
                self._give(one)
        return replace(self.cut, holds=tuple(self.holds[one.name] for one in self.cut.holds))

    def _give(self, one: Held) -> None:
        assert one.hold is not None
        hold = self.holds[one.hold.name]
        along = one.force if one.couple == NULL else one.couple
        names = [name for name, *_ in hold.units if name.startswith(one.unit)]
        axis = next((which for which, e in zip("xyz", AXES, strict=True) if _parallel(along, e)), "")
        which = axis or next(f"n{i}" for i in range(1, 7) if f"{one.unit}_{hold.name}_n{i}" not in names)
        unit = (f"{one.unit}_{hold.name}_{which}", one.force, one.couple)
        self.holds[hold.name] = replace(hold, units=(*hold.units, unit))

    @cached_property
    def bodies(self) -> dict[str, CutPart]:
        """Bodies by name."""
        return {one.name: one for one in self.cut.bodies}

    @cached_property
    def pieces(self) -> dict[str, CutPart]:
        """Pieces of members by spine."""
        return {one.spine: one for pieces in self.cut.members.values() for one in pieces}


class _OfFrame:
    """Those of one frame."""

    def __init__(self, resting: Resting, frame: Frame) -> None:
        self.all, self.frame, self.assembly = resting, frame, frame.assembly
        self.placed, self.jets = resting.placed, resting.placed.jets
        self.segments = [one for one in self.assembly.parts if isinstance(one, Segment)]
        self.spots = dict(self._spots())
        structure = self.placed.structure
        self.spatial, self.twists = structure.spatial, self.assembly.twists

    def held(self) -> list[Held] | Unheld:
        """What connections must carry beyond what they do, or a motion on which something acts that none holds."""
        rests = [*self._undriven(), *self._stiff(), *self._whole()]
        works = {one: self._work(one) for one in rests}
        if not any(works.values()):
            return []
        can = list(self._can(rests))
        loose = unheld(rests, can, works)
        return needed(can, works) if loose is None else Unheld(loose, self._acting(loose))

    def _acting(self, rest: Rest) -> tuple[str, ...]:
        """The names of what works on a motion: loads and reactions, else the inertia of what would move."""
        found = dict[str, None]()
        for load in self._loads():
            force, couple, way = (*map(self._own, load[2:4]), self._moved(rest, load))
            if not vanishes(dot(force, way[0]) + dot(couple, way[1])):
                found[load[0]] = None
        return tuple(found) or (f"the inertia of {rest.part}",)

    def _moved(self, rest: Rest, load: _Load) -> Way:
        """How what a load acts on moves."""
        _, label, _, _, _, spine = load
        if not spine:
            return self._spot(rest, self.spots[label])
        seg = next(one for one in self.segments if one.spine == spine)
        return self._of(rest, seg, line_point(self.frame, seg))

    def _spots(self) -> Iterator[tuple[str, Spot]]:
        """Bodies and places on members, by their labels."""
        for part in self.assembly.parts:
            if isinstance(part, Segment):
                for end, at in (("a", part.start), ("b", part.end)):
                    spot = Spot(part, part.member.point(at.engine), end)
                    yield label_of(spot), spot
            elif not isinstance(part, Ground):
                yield part.name, Spot(part, NULL)

    # -- what rests ----------------------------------------------------------------------------------------------

    def _undriven(self) -> Iterator[Rest]:
        """What the elimination has left over, and set to zero."""
        own = {symbol for seg in self.segments for symbol in rigid_unknowns(seg)}
        for symbol, moved in self.frame.motions.resting.items():
            if symbol in own or not symbol.name.startswith(("$axial.", "$across.")):
                ways = {id(part): self._way(part, moved) for part in self.assembly.parts}
                kind, name = symbol.name.lstrip("$").split(".")[:2]
                part = kind if kind not in ("axial", "across") else member_named(self.segments, name)
                yield Rest(what_moves(symbol), part, ways)

    def _way(self, part: Part, moved: Mapping[Symbol, Basic]) -> Way:
        if isinstance(part, Segment):
            along, start, end = (moved.get(one, ZERO) for one in (axial_symbol(part), *across_of(part)))
            own = rigid_unknowns(part)
            along = along if axial_symbol(part) in own else ZERO
            axes = self.assembly.orientation[id(part)]
            if own.isdisjoint(across_of(part)):
                return turn(axes, (along, ZERO, ZERO)), NULL
            return turn(axes, (along, start, ZERO)), turn(axes, scale((end - start) / length_of(part), EZ))
        solver = Solver(self.assembly, [], {}, {})
        moves = moves_of(self.assembly, Spot(part, NULL), solver)
        return _put(moves.displacement, moved), _put(moves.rotation, moved)

    def _stiff(self) -> Iterator[Rest]:
        """Ways of a member along which nothing of it ever moves against its frame."""
        for seg in self.segments:
            axes = self.assembly.orientation[id(seg)]
            for which, (along, about) in never_moves(seg, self.spatial, self.twists).items():
                way = (turn(axes, along), turn(axes, about))
                yield Rest(f"{which} of {seg.member.name}", seg.member.name, {id(seg): way})

    def _whole(self) -> Iterator[Rest]:
        """The frame against what carries it, where a member is joined to it that does not move all ways."""
        link, anchor = self.frame.joint, self.assembly.anchor
        if link is None or anchor is None:
            return
        point = point_of(self.assembly, anchor)
        for force, couple, shown in self._units(link):
            if shown:
                ways = {id(one): self._carried_by(one, point, force, couple) for one in self.assembly.parts}
                name = link.p.part.name if isinstance(link.p.part, Body) else self._member_of(link)
                yield Rest(f"what {link.source!r} carries", name, ways)

    def _carried_by(self, part: Part, point: Vector, along: Vector, about: Vector) -> Way:
        return add(along, cross(about, subtract(self._origin(part), point))), about

    @staticmethod
    def _member_of(link: Weld | SpotLink) -> str:
        return next(spot.part.member.name for spot in (link.p, link.q) if isinstance(spot.part, Segment))

    # -- what acts -----------------------------------------------------------------------------------------------

    def _of(self, rest: Rest, part: Part, point: Vector) -> Way:
        """How a point of a part, given in the frame, moves."""
        moved, turned = rest.ways.get(id(part), _STILL)
        return add(moved, cross(turned, subtract(point, self._origin(part)))), turned

    def _origin(self, part: Part) -> Vector:
        """A part's point of reference."""
        return line_start(self.frame, part) if isinstance(part, Segment) else self.assembly.origin[id(part)]

    def _spot(self, rest: Rest, spot: Spot) -> Way:
        return self._of(rest, spot.part, point_of(self.assembly, spot))

    def _work(self, rest: Rest) -> Work:
        """What acts along a motion, less what masses take; empty if that is nothing, whatever moves."""
        found: Work = {}
        for load in self._loads():
            _, _, force, couple, amount, spine = load
            way = self._moved(rest, load)
            if way != _STILL:
                value = amount * (dot(self._own(force), way[0]) + dot(self._own(couple), way[1]))
                found[spine] = found.get(spine, ZERO) + value
        for part, moving in self._masses():
            spine, at = (moving.spine, line_point(self.frame, part)) if isinstance(part, Segment) else ("", None)
            way = self._of(rest, part, self.assembly.origin[id(part)] if at is None else at)
            if way != _STILL:
                taken = moving.mass * dot(moving.acceleration, way[0]) + dot(moving.turning, way[1])
                found[spine] = found.get(spine, ZERO) - taken
        small = self.all.cut.small
        first = {spine: shorter(self.jets.first_order(shorter(f), small)) for spine, f in found.items()}
        return {spine: f for spine, f in first.items() if not vanishes(f)}

    def _own(self, v: Vector) -> Vector:
        """In the frame's axes."""
        return turn_back(self.frame.rotation_in_space, v)

    def _loads(self) -> Iterator[_Load]:
        """What acts on the parts of the frame, and what its joints exert on them."""
        spines = {seg.spine for seg in self.segments}
        for one in self.all.cut.wrenches:
            if one.spine in spines or (not one.spine and one.body in self.spots):
                yield one.name, one.body, one.force, one.couple, one.amount, one.spine
        for hold in self.all.holds.values():
            ends = [(label, sign) for label, sign in ((hold.p, -1), (hold.q, 1)) if label in self.spots]
            if hold.inside or len(ends) != 1:
                continue
            for name, force, couple in hold.units:
                yield name, ends[0][0], force, couple, ends[0][1] * Symbol(name), ""

    def _masses(self) -> Iterator[tuple[Part, CutPart]]:
        for part in self.assembly.parts:
            if isinstance(part, Segment):
                yield part, self.all.pieces[part.spine]
            elif not isinstance(part, Ground):
                yield part, self.all.bodies[part.name]

    # -- what holds ----------------------------------------------------------------------------------------------

    def _can(self, rests: Sequence[Rest]) -> Iterator[Held]:
        """All that connections could carry: what works on motions at rest, and on no other."""
        links: list[Weld | SpotLink] = [*self.assembly.welds]
        for link in (*links, *([self.frame.joint] if self.frame.joint else [])):
            for force, couple, shown in self._units(link):
                if not vanishes(self._apart(link, force, couple, None)):
                    continue
                apart = {one: self._apart(link, force, couple, one) for one in rests}
                apart = {one: f for one, f in apart.items() if not vanishes(f)}
                if apart:
                    name = self.all.links.get(id(link.source)) if shown else None
                    yield Held(
                        self.all.holds[name] if name else None,
                        turn(self.frame.rotation_in_space, force),
                        turn(self.frame.rotation_in_space, couple),
                        apart,
                    )

    def _units(self, link: Weld | SpotLink) -> Iterator[tuple[Vector, Vector, bool]]:
        """Unit loads in the frame's axes beyond those that a connection has already; the last says if it is shown.

        What a joint leaves free turns or moves the whole frame: from that, motions of the frame's parts are counted.
        """
        axes = self._axes(link)
        if axes is None:
            return
        loose = self._loose(link)
        name = self.all.links.get(id(link.source)) if link.source is not None else None
        units = self.all.holds[name].units if name else ()
        turns = all(isinstance(spot.part, (Segment, Ground)) or spot.part.turns for spot in (link.p, link.q))
        for kind, ways in enumerate((axes if self.spatial else AXES[:2], self._turning(axes) if turns else ())):
            has = [shorter_vector(self._own((force, couple)[kind])) for _, force, couple in units]
            for e in ways:
                if any(not vanishes(dot(e, one)) for one in has):
                    continue
                free = any(not vanishes(dot(e, one)) for one in loose[kind])
                if free and link is not self.frame.joint:
                    continue
                yield (e, NULL, not free) if kind == 0 else (NULL, e, not free)

    def _axes(self, link: Weld | SpotLink) -> Matrix | None:
        """The axes of a member at a connection, in the frame's; None where there is none."""
        spot = next((one for one in (link.p, link.q) if isinstance(one.part, Segment)), None)
        if spot is None:
            return None
        frame = self.placed.frame(spot.part)
        own = transpose(frame.assembly.orientation[id(spot.part)])
        if frame is self.frame:
            return own
        a, b, c = (shorter_vector(self._own(turn(frame.rotation_in_space, e))) for e in own)
        return (a, b, c)

    def _turning(self, axes: Iterable[Vector]) -> tuple[Vector, ...]:
        return tuple(axes) if self.spatial or self.twists else (EZ,)

    def _loose(self, link: Weld | SpotLink) -> tuple[list[Vector], list[Vector]]:
        """Along and about what a connection leaves free, in the frame's axes; what a joint is driven by is held."""
        if isinstance(link, Weld):
            axes = self.assembly.orientation[id(link.p.part)]
            if link.source is None:
                return [], []
            return [turn(axes, one) for one in link.free_directions], [*AXES] if link.free_axes else []
        names = self.placed.joint_names[id(link.source)] if isinstance(link.source, Joint) else ()
        free = [
            one
            for one in free_motions(link, names, self.all.places.axes(link.p))
            if one.name not in self.placed.prescribed
        ]
        ways = [[self._own(v) for v in vs if v != NULL] for vs in ([f.along for f in free], [f.about for f in free])]
        pinned = [*AXES] if not isinstance(link.source, Joint) and link.source.free_axes else []
        return ways[0], [*ways[1], *pinned]

    def _apart(self, link: Weld | SpotLink, force: Vector, couple: Vector, rest: Rest | None) -> Basic:
        """How far a unit load works as its two sides move: by a motion at rest, or by all others."""
        total = ZERO
        for spot, sign in ((link.p, -1), (link.q, 1)):
            moved, turned = self._real(spot) if rest is None else self._side(rest, spot)
            total += sign * (dot(force, moved) + dot(couple, turned))
        return total

    def _side(self, rest: Rest, spot: Spot) -> Way:
        """How one side of a connection moves by a motion of this frame."""
        return self._spot(rest, spot) if id(spot.part) in rest.ways else _STILL

    def _real(self, spot: Spot) -> Way:
        """How a spot really moves in its frame; a member that does not bend turns as its ends say.

        With a section that does turn, a frame turns that hangs on it; the other side of a joint counts no further.
        """
        if isinstance(spot.part, Ground):
            return _STILL
        frame = self.placed.frame(spot.part)
        moved, turned = NULL, NULL
        if frame is self.frame:
            moved, turned = frame.locate(spot)
            moved = subtract(moved, point_of(self.assembly, spot))
        if isinstance(spot.part, Segment) and not rigid_unknowns(spot.part).isdisjoint(across_of(spot.part)):
            start, end = (frame.motions.value(one) for one in across_of(spot.part))
            axes = frame.assembly.orientation[id(spot.part)]
            chord = turn(axes, scale((end - start) / length_of(spot.part), EZ))
            turned = add(turned, chord if frame is self.frame else self._own(turn(frame.rotation_in_space, chord)))
        return moved, turned


def line_start(frame: Frame, seg: Segment) -> Vector:
    """Where a piece of a member starts, undeformed."""
    return change(line_point(frame, seg), lambda f: f.xreplace({SPINE: seg.start.engine}))


def shorter_vector(v: Vector) -> Vector:
    """Each component as short as it gets."""
    return change(v, shorter)


def _parallel(a: Vector, b: Vector) -> bool:
    return all(vanishes(one) for one in cross(a, b))


def _put(v: Vector, moved: Mapping[Symbol, Basic]) -> Vector:
    return change(v, lambda f: f.xreplace({one: moved.get(one, ZERO) for one in f.free_symbols}))
