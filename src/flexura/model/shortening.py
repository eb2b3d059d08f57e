"""Foreshortening: the second-order displacements that carry the centrifugal and gravity stiffening (theory, section 2).

A bent member is shorter by (1/2) int w_x^2 ds, so everything outboard moves inwards by that much along the member. To
second order in the deflections such a displacement d2 adds m V . (d2_t + w x d2) + m g . d2 to the Lagrangian, V taken
without deflections; what the turns of bodies draw in (`turning.py`, `drawn_in.py`) does so too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import symengine

from flexura.errors import FlexuraError
from flexura.model.energies import local_displacement
from flexura.model.frames import HALF, Frame
from flexura.model.reaching import Reaching
from flexura.model.structure import Part, Segment, Spot, Weld
from flexura.model.turning import outwards
from flexura.parts.bodies import Ground
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


@dataclass(frozen=True)
class _Beyond:
    """What a displacement carries along: spots of parts in the same frame, and frames that hang on them."""

    parts: list[Part]
    frames: list[Frame]
    held: bool


_HELD = "the member {} is held along its axis at both ends, so its shortening under load is left out"
_FEW = 3


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
        self._hanging: dict[int, dict[int, Spot]] = {}
        self._welded: dict[int, dict[int, list[tuple[Weld, Spot, Spot]]]] = {}
        self._reaching: dict[int, Reaching | None] = {}
        self.notes: list[str] = []
        self.small: list[str] = []
        self.pulling: set[int] = set()

    def all(self) -> Iterator[Shift]:
        """Every displacement of bent segments that does work."""
        for frame in self.frames:
            for part in frame.assembly.parts:
                if isinstance(part, Segment) and not part.bends_far:
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
                inboard = self._inboard_end(frame, seg)
                far = {"a": "b", "b": "a"}[inboard] if inboard else "ab"
                beyond = self._held_briefly(frame, seg, far) or self._beyond(
                    frame, seg, *far, briefly=not self._carries(frame)
                )
                outward = {"a": 1, "b": -1}[inboard] if inboard and kept and not beyond.held else 0
                parts = [*beyond.parts, *(part for child in beyond.frames for part in child.assembly.parts)]
                names = (one.spine if isinstance(one, Segment) else one.name for one in parts)
                yield Bend(seg.member.name, seg.spine, squared, outward, tuple(names), bool(beyond.frames))

    def _segment(self, frame: Frame, seg: Segment) -> Iterator[Shift]:
        local = local_displacement(frame, seg, self.shifts.get(id(seg), {}))
        slope2 = sum((self.jets.D_x(one) ** 2 for one in local[1:]), ZERO)
        inboard = self._inboard_end(frame, seg)
        if slope2 == 0 or inboard is None or self._rests(frame):
            return
        far = "b" if inboard == "a" else "a"
        beyond = self._beyond(frame, seg, far)
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

    def _inboard_end(self, frame: Frame, seg: Segment) -> str | None:
        """The end on the anchor's side, or None for what floats."""
        anchor = frame.assembly.anchor
        if anchor is not None and anchor.part is seg:
            return anchor.end
        carrier = self._carriers(frame).get(id(seg))
        return carrier.end if carrier else None

    def _rests(self, frame: Frame) -> bool:
        """Whether nothing can work on what is drawn in: no motion, no weight and no load, as in most large frames."""
        return not self.loads and self._weightless(frame)

    def _weightless(self, frame: Frame) -> bool:
        """Whether no mass pulls on what is drawn in."""
        return not frame.moves and all(one == 0 for one in self.gravity)

    def _carries(self, frame: Frame) -> bool:
        return any(one.parent is frame for one in self.frames)

    def _carriers(self, frame: Frame) -> dict[int, Spot]:
        """For each part the spot by which it hangs."""
        if id(frame) not in self._hanging:
            self._hanging[id(frame)] = {id(spot.part): spot for _, spot in outwards(frame.assembly)}
        return self._hanging[id(frame)]

    def _beside(self, frame: Frame) -> dict[int, list[tuple[Weld, Spot, Spot]]]:
        """For each part its welds, with its own spot and the other."""
        if id(frame) not in self._welded:
            found: dict[int, list[tuple[Weld, Spot, Spot]]] = {}
            for weld in frame.assembly.welds:
                for mine, other in ((weld.p, weld.q), (weld.q, weld.p)):
                    found.setdefault(id(mine.part), []).append((weld, mine, other))
            self._welded[id(frame)] = found
        return self._welded[id(frame)]

    def _held_briefly(self, frame: Frame, seg: Segment, ends: Sequence[str]) -> _Beyond | None:
        """Where nothing hangs on a frame and a segment is held at its far end, that is all there is to know."""
        if self._carries(frame):
            return None
        if id(frame) not in self._reaching:
            self._reaching[id(frame)] = Reaching(frame.assembly) if Reaching.serves(frame.assembly) else None
        reaching = self._reaching[id(frame)]
        if reaching is None:
            return None
        near = (one for end in ends for one in self._neighbours(frame, seg, Spot(seg, NULL, end)))
        return _Beyond([], [], True) if any(reaching.without(seg, one) for one in near if one is not seg) else None

    def _beyond(self, frame: Frame, part: Segment, *ends: str, briefly: bool = False) -> _Beyond:
        """What is reached from an end of a segment without going back through it; briefly: until it is held."""
        starts = [Spot(part, NULL, end) for end in ends]
        seen: list[Part] = []
        known: set[int] = set()
        held = False
        waiting = [other for here in starts for other in self._neighbours(frame, part, here)]
        while waiting and not (briefly and held):
            one = waiting.pop()
            anchor = frame.assembly.anchor
            if one is part:
                continue
            if isinstance(one, Ground) or (anchor is not None and one is anchor.part):
                held = True
            elif id(one) not in known:
                known.add(id(one))
                seen.append(one)
                waiting += self._neighbours(frame, one, None)
        return _Beyond(seen, [one for one in self.frames if self._hangs(one, frame, part, starts, seen)], held)

    def _neighbours(self, frame: Frame, part: Part, here: Spot | None) -> list[Part]:
        return [
            other.part
            for weld, mine, other in self._beside(frame).get(id(part), ())
            if (here is None or _same_spot(mine, here)) and not self._slips(frame, weld, part)
        ]

    def _slips(self, frame: Frame, weld: Weld, part: Part) -> bool:
        """A roller that is free along the member does not hold it along its axis."""
        if not isinstance(part, Segment) or not weld.free_directions:
            return False
        axis = turn(frame.assembly.orientation[id(part)], EX)
        free = (turn(frame.assembly.orientation[id(weld.p.part)], along) for along in weld.free_directions)
        return any(all(frame.assembly.near.small(one) for one in cross(along, axis)) for along in free)

    def _hangs(self, child: Frame, frame: Frame, part: Part, starts: list[Spot], seen: list[Part]) -> bool:
        chain = child.chain
        if child is frame or frame not in chain:
            return False
        link = chain[chain.index(frame) + 1].joint
        assert link is not None
        spot = next(one for one in (link.p, link.q) if any(one.part is other for other in frame.assembly.parts))
        if any(spot.part is other for other in seen):
            return True
        return spot.part is part and any(_same_spot(spot, here) for here in starts)

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

    def _lumps(self, frame: Frame, beyond: _Beyond) -> Iterator[Moved]:
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

    def _loads_on(self, frame: Frame, beyond: _Beyond, axis: Vector) -> Iterator[tuple[Pull, Vector]]:
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


def _refuse_far(seg: Segment, beyond: _Beyond) -> None:
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


def _same_spot(a: Spot, b: Spot) -> bool:
    if a.part is not b.part:
        return False
    return a.end == b.end if isinstance(a.part, Segment) else a.point == b.point
