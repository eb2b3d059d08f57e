"""Foreshortening: the second-order displacements that carry the centrifugal and gravity stiffening (theory, section 2).

A bent member is shorter by (1/2) int w_x^2 ds, so everything outboard moves inwards by that much along the member. To
second order in the deflections such a displacement d2 adds m V . (d2_t + w x d2) + m g . d2 to the Lagrangian, V taken
without deflections; what the turns of bodies draw in (`turning.py`, `drawn_in.py`) does so too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import symengine

from flexura.errors import FlexuraError
from flexura.model.carrying import Beyond, Carrying
from flexura.model.energies import local_displacement
from flexura.model.frames import HALF, Frame
from flexura.model.structure import Part, Segment, Spot
from flexura.parts.members.tied import can_stretch, stretching
from flexura.symbolic.engine import SPINE, ZERO, Basic, Symbol
from flexura.symbolic.integrals import definite
from flexura.symbolic.jets import Jets
from flexura.symbolic.kinematics.geometry import Bend
from flexura.symbolic.kinematics.motion import Moved, Shift
from flexura.symbolic.kinematics.vectors import (
    EX,
    NULL,
    Matrix,
    Vector,
    add,
    change,
    cross,
    dot,
    scale,
    turn,
    turn_back,
)
from flexura.symbolic.shorten import tidied
from flexura.symbolic.walk import Replacing
from flexura.symbolic.zero import vanishes


@dataclass(frozen=True)
class Pull:
    """A load that works on second-order displacements too, to which it is what it is without deflections.

    `force` is in ground's axes at a spot: dead loads, and springs that are stretched by the motion of joints. Spread
    `along` a segment it is per length in the segment's axes, and turns with them. With `drag`, a damper's coefficient
    times its speed, `force` is only a direction. `source` is the load it belongs to.
    """

    frame: Frame
    spot: Spot
    force: Vector
    along: bool = False
    drag: Basic | None = None
    source: object = None


_HELD = "the member {} is held along its axis at both ends, so its shortening under load is left out"
_STRETCHES = "the member {} is held along its axis at both ends and turns, so it stretches by w_x^2/2 where it bends"
_FEW = 3


def stretch_held_members(frames: list[Frame]) -> list[str]:
    """Give members their strain of second order where they are held along their axis at both ends and frames turn them.

    What turns pulls along members with a force that is there without any deflection, and stiffens them. Elsewhere such
    a strain is of third order, and equations stay linear. Returns what there is to say.
    """
    carrying, told = Carrying(frames), list[str]()
    for frame in frames:
        turns = any(one != 0 for one in frame.spin)
        for seg in (one for one in frame.assembly.parts if isinstance(one, Segment) and turns):
            if seg.tied or seg.bends_far or not can_stretch(seg.member):
                continue
            inboard = carrying.inboard_end(frame, seg)
            if inboard is not None and carrying.beyond(frame, seg, "b" if inboard == "a" else "a").held:
                seg.stretched = stretching(seg.member)
                told.append(_STRETCHES.format(seg.name))
    return told


def gathered(notes: list[str]) -> list[str]:
    """The same with one sentence for all members that are held at both ends, where they are many."""
    head, tail = _HELD.split("{}")
    names = [one.removeprefix(head).removesuffix(tail) for one in notes if one.startswith(head) and one.endswith(tail)]
    if len(names) <= _FEW:
        return notes
    shown = ", ".join(names[:_FEW])
    whole = (
        f"the members {shown} and {len(names) - _FEW} more are held along their axes at both ends, so their shortening"
        " under load is left out"
    )
    return [whole, *(one for one in notes if not (one.startswith(head) and one.endswith(tail)))]


class Shortening:
    """Finds every second-order displacement of a model."""

    def __init__(
        self,
        frames: list[Frame],
        still: Replacing,
        loads: list[Pull],
        gravity: Vector,
        jets: Jets,
        shifts: dict[int, dict[Symbol, Basic]],
    ) -> None:
        """`still` takes deflections out; `shifts` are replacements of fields measured from elsewhere, by segment."""
        self.frames, self.still, self.loads = frames, still, loads
        self.gravity, self.jets, self.shifts = gravity, jets, shifts
        self._totals: dict[int, Moved] = {}
        self.carrying = Carrying(frames)
        self.notes: list[str] = []
        self.small: list[str] = []
        self.pulling: set[int] = set()
        self._by_frame: dict[int, list[Pull]] = {}
        self._along: dict[tuple[int, Vector], Pull | None] = {}

    def all(self) -> Iterator[Shift]:
        """Every displacement of bent segments that does work."""
        for frame in self.frames:
            for part in frame.assembly.parts:
                if isinstance(part, Segment) and not (part.bends_far or part.tied or part.stretched):
                    yield from (one for one in self._segment(frame, part) if one.works)

    # -- bent members --------------------------------------------------------------------------------------------

    def bends(self, kept: bool) -> Iterator[Bend]:
        """How every segment bends, whether anything works on that or not.

        `kept` says whether places are drawn in: where loops are closed, which is done to first order, they are not.
        """
        for frame in self.frames:
            for seg in (part for part in frame.assembly.parts if isinstance(part, Segment) and not part.bends_far):
                local = local_displacement(frame, seg, self.shifts.get(id(seg), {}))
                squared = sum((self.jets.D_x(one) ** 2 for one in local[1:]), ZERO)
                if squared == 0:
                    continue
                inboard = self.carrying.inboard_end(frame, seg)
                far = {"a": "b", "b": "a"}[inboard] if inboard else "ab"
                beyond = self.carrying.held_briefly(frame, seg, far) or self.carrying.beyond(
                    frame, seg, *far, briefly=not self.carrying.carries(frame)
                )
                drawn = inboard and kept and not (beyond.held or seg.tied)  # what is tied is where its own field says
                outward = {"a": 1, "b": -1}[inboard] if inboard and drawn else 0
                parts = [*beyond.parts, *(part for child in beyond.frames for part in child.assembly.parts)]
                names = (one.spine if isinstance(one, Segment) else one.name for one in parts)
                held = not (seg.tied or seg.stretched) and self.carrying.held_stiffly(frame, seg)
                hinged = bool(beyond.frames) and not seg.tied
                yield Bend(seg.member.name, seg.spine, squared, outward, tuple(names), hinged, held)

    def _segment(self, frame: Frame, seg: Segment) -> Iterator[Shift]:
        local = local_displacement(frame, seg, self.shifts.get(id(seg), {}))
        slope2 = sum((self.jets.D_x(one) ** 2 for one in local[1:]), ZERO)
        inboard = self.carrying.inboard_end(frame, seg)
        if slope2 == 0 or inboard is None or self._rests(frame):
            return
        far = "b" if inboard == "a" else "a"
        if not frame.moves and self.carrying.held_briefly(frame, seg, far):
            if self._pressed(frame, seg):
                self.notes.append(_HELD.format(seg.name))
            return
        beyond = self.carrying.beyond(frame, seg, far)
        _refuse_far(seg, beyond)
        sign = HALF if inboard == "b" else -HALF
        axis = turn(frame.assembly.orientation[id(seg)], EX)
        nothing = beyond.held and not beyond.frames and self._weightless(frame)  # or its masses add up to no work
        moved = () if nothing else (self._own(frame, seg, inboard), *self._lumps(frame, beyond))
        here = [one for one in self.loads if one.spot.part is seg and not one.along and one.spot.end == far]
        loads = [
            *self._loads_on(frame, beyond, axis),
            *self.seen(frame, here, axis),
            *self._own_loads(frame, seg, inboard, axis),
        ]
        shift = self.shift(frame, seg.spine, sign * slope2, axis, moved, loads)
        if beyond.held:
            if not shift.works:
                return
            self.notes.append(_HELD.format(seg.name))
            return
        yield shift

    def _rests(self, frame: Frame) -> bool:
        """Whether nothing can work on what is drawn in: no motion, no weight and no load, as in most large frames."""
        return not self.loads and self._weightless(frame)

    def _weightless(self, frame: Frame) -> bool:
        """Whether no mass pulls on what is drawn in."""
        return not frame.moves and all(one == 0 for one in self.gravity)

    def _pressed(self, frame: Frame, seg: Segment) -> bool:
        """Whether weight or any load on what a held member is joined to acts along it: statics shares that with it."""
        together = self.carrying.together(frame)
        group, axis = together.get(id(seg), 0), turn(frame.assembly.orientation[id(seg)], EX)
        if (group, axis) not in self._along:
            loads = [one for one in self._loads_of(frame) if together.get(id(one.spot.part), 0) == group]
            pulls = (one for one in loads if self._acts_along(frame, one, axis))
            self._along[group, axis] = next(pulls, None)
            self.pulling |= {id(one.source) for one in pulls}
        weight = not self._weightless(frame) and dot(axis, self.from_space(frame, self.gravity)) != 0
        return weight or self._along[group, axis] is not None

    def _loads_of(self, frame: Frame) -> list[Pull]:
        if id(frame) not in self._by_frame:
            self._by_frame[id(frame)] = [one for one in self.loads if one.frame is frame]
        return self._by_frame[id(frame)]

    def _acts_along(self, frame: Frame, load: Pull, axis: Vector) -> bool:
        turned = load.along and isinstance(load.spot.part, Segment)
        force = turn(frame.assembly.orientation[id(load.spot.part)], load.force) if turned else load.force
        return not vanishes(dot(axis, force if turned else self.from_space(frame, force)))

    # -- masses and loads ----------------------------------------------------------------------------------------

    def _velocity(self, frame: Frame, point: Vector) -> Vector:
        return add(change(frame.velocity, self.still), cross(change(frame.spin, self.still), point))

    def from_space(self, frame: Frame, direction: Vector) -> Vector:
        """A direction of ground, which holds no deflections, in a frame's axes."""
        return turn_back(self._turns(frame.rotation_in_space), direction)

    def _turns(self, turned: Matrix) -> Matrix:
        a, b, c = (change(row, self.still) for row in turned)
        return (a, b, c)

    def _own(self, frame: Frame, seg: Segment, inboard: str) -> Moved:
        """The segment's particles beyond x."""
        limits = (SPINE, seg.end.engine) if inboard == "a" else (seg.start.engine, SPINE)
        return self._line(frame, seg, *limits)

    def _line(self, frame: Frame, seg: Segment, start: Basic, end: Basic) -> Moved:
        axis = turn(frame.assembly.orientation[id(seg)], EX)
        at_zero = self._velocity(frame, frame.assembly.origin[id(seg)])
        per_length = cross(change(frame.spin, self.still), axis)
        if at_zero == per_length == self.gravity == NULL:
            return Moved(ZERO, NULL)  # nothing pulls on these masses, whatever they are
        rho = seg.own(seg.member.rho.engine)
        total, first = (self._integral(seg, rho * power, start, end) for power in (1, SPINE))
        return Moved(total, add(scale(total, at_zero), scale(first, per_length)))

    def _integral(self, seg: Segment, f: Basic, start: Basic, end: Basic) -> Basic:
        found = None if self._is_given_along_x((f, ZERO, ZERO)) else definite(f, start, end)
        if found is None:
            raise FlexuraError(
                f"The mass or load along {seg.name} cannot be integrated in closed form, which its foreshortening"
                " needs",
                advice="give it as a polynomial in x, or derive with foreshortening=False",
                part=seg.member.name,
            )
        return found

    def _lumps(self, frame: Frame, beyond: Beyond) -> Iterator[Moved]:
        """Parts beyond, and each frame that hangs on them with all that hangs on it in turn."""
        for part in beyond.parts:
            yield self.lump(frame, part)
        for child in beyond.frames:
            if child.parent is frame:
                yield self.seen_from_parent(child)

    def lump(self, frame: Frame, part: Part) -> Moved:
        """A part as one mass and momentum."""
        if isinstance(part, Segment):
            return self._line(frame, part, part.start.engine, part.end.engine)
        mass = part.mass.engine
        return Moved(mass, scale(mass, self._velocity(frame, frame.assembly.origin[id(part)])))

    def seen_from_parent(self, frame: Frame) -> Moved:
        """A frame and all outboard of it as one mass and momentum in the axes of its parent; from the tips inwards."""
        if id(frame) not in self._totals:
            own = [self.lump(frame, part) for part in frame.assembly.parts]
            further = [self.seen_from_parent(child) for child in self.frames if child.parent is frame]
            momentum = turn(self._turns(frame.turned), add(NULL, *(one.momentum for one in (*own, *further))))
            mass = symengine.Add(*(one.mass for one in (*own, *further)))
            self._totals[id(frame)] = Moved(mass, momentum)
        return self._totals[id(frame)]

    def _loads_on(self, frame: Frame, beyond: Beyond, axis: Vector) -> Iterator[tuple[Pull, Vector]]:
        """Loads on what is carried along."""
        carried = [
            load
            for load in self.loads
            if load.frame in beyond.frames
            or (load.frame is frame and any(load.spot.part is one for one in beyond.parts))
        ]
        yield from self.seen(frame, carried, axis)

    def seen(self, frame: Frame, loads: list[Pull], axis: Vector) -> Iterator[tuple[Pull, Vector]]:
        """Loads with their sums in the frame's axes."""
        for load in loads:
            seg = load.spot.part
            if load.along and isinstance(seg, Segment):
                summed = self._spread(frame, load, axis, seg.start.engine, seg.end.engine)
                if summed is not None:
                    yield load, summed
            else:
                yield load, self.from_space(frame, load.force)

    def _own_loads(self, frame: Frame, seg: Segment, inboard: str, axis: Vector) -> Iterator[tuple[Pull, Vector]]:
        """Loads along the segment itself, beyond x."""
        limits = (SPINE, seg.end.engine) if inboard == "a" else (seg.start.engine, SPINE)
        for load in self.loads:
            if load.along and load.spot.part is seg:
                summed = self._spread(frame, load, axis, *limits)
                if summed is not None:
                    yield load, summed

    def _spread(self, frame: Frame, load: Pull, axis: Vector, start: Basic, end: Basic) -> Vector | None:
        """The sum of a load along its segment, in a frame's axes.

        Across the axis it works on the shortening only where the frame turns; what is known there only later, as an
        input f(x), is taken to be as small as the deflections it makes, and left out.
        """
        seg = load.spot.part
        assert isinstance(seg, Segment)
        force = turn(load.frame.assembly.orientation[id(seg)], load.force)
        if load.frame is not frame:
            force = self.from_space(frame, change(load.frame.direction_in_space(force), self.still))
        works = frame.spin != NULL or not vanishes(dot(axis, force))
        if works and load.force[0] == 0 and self._is_given_along_x(force):
            self.small.append(f"the load across {seg.name} is small, so it does no work on the shortening")
            works = False
        if not works:
            return None
        return change(force, lambda f: self._integral(seg, f, start, end) if f != 0 else ZERO)

    def _is_given_along_x(self, force: Vector) -> bool:
        """Whether a load along x will be known only later, as an input f(x)."""
        return any("x" in self.jets.varies(jet.name) for f in force for jet in self.jets.inside(f))

    def shift(
        self,
        frame: Frame,
        spine: str,
        amount: Basic,
        axis: Vector,
        moved: tuple[Moved, ...],
        loads: list[tuple[Pull, Vector]],
    ) -> Shift:
        """A displacement amount * axis, with what it carries along and what works on it."""
        momentum = add(NULL, *(one.momentum for one in moved))
        spin = change(frame.spin, self.still)
        turns = spin != NULL
        self.pulling |= {id(load.source) for load, one in loads if dot(axis, one) != 0 or (turns and one != NULL)}
        weight = sum((one.mass for one in moved), ZERO) * dot(axis, self.from_space(frame, self.gravity))
        dead = weight + sum((dot(axis, one) for load, one in loads if not load.along and load.drag is None), ZERO)
        follower = add(NULL, *(one for load, one in loads if load.along))
        drags = (load.drag * self.jets.D_t(amount * dot(axis, one)) for load, one in loads if load.drag is not None)
        first = tidied(dot(momentum, axis))
        second = tidied(dot(momentum, cross(spin, axis)) + dead + dot(follower, axis))
        return Shift(spine, amount, axis, spin, moved, dead, follower, sum(drags, ZERO), first, second)


def _refuse_far(seg: Segment, beyond: Beyond) -> None:
    """What a member that bends far does to the shortening of one that carries it depends on its whole shape."""
    parts = [*beyond.parts, *(part for child in beyond.frames for part in child.assembly.parts)]
    far = [one for one in parts if isinstance(one, Segment) and one.bends_far]
    if far:
        raise FlexuraError(
            f"The member {seg.member.name} bends a little and carries {far[0].member.name}, which bends far: its"
            " shortening under what that does is not known",
            advice=f"make {seg.member.name} an fx.ExactBeam too, or derive with foreshortening=False",
            part=seg.member.name,
        )
