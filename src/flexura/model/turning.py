"""What small turns draw in, to second order: the conditions that tie the parts of a frame, taken one order further.

A body that turns by phi draws a point at the arm a in by phi x (phi x a)/2, and what rolls by s along the axis of a
part that turns is carried aside by phi x s. Put into the conditions of the welds, these are sources, to which the
motions that the conditions tie answer linearly. Independent motions are coordinates, and answer to nothing; so do the
values of fields at ends, which satisfy the conditions to first order: a member as a whole is carried along instead.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from flexura.model.assembly import Moves, SmallMotions, Solver, body_unknowns, displacement_of, moves_of
from flexura.model.elimination import difficulty, short
from flexura.model.structure import Assembly, Part, Segment, Spot, Weld
from flexura.parts.bodies import Body, Ground
from flexura.symbolic.engine import ONE, ZERO, Basic, Symbol
from flexura.symbolic.kinematics.vectors import NULL, Vector, add, change, cross, dot, scale, subtract, transpose, turn
from flexura.symbolic.linear import linear_part
from flexura.symbolic.zero import vanishes

HALF = ONE / 2
Form = dict[Symbol, Basic]
"""A linear form: symbol -> coefficient."""


def outwards(assembly: Assembly) -> Iterator[tuple[Weld, Spot]]:
    """Each part of an assembly by the weld on which it hangs and its spot there, from the anchor, or ground, outwards.

    A part hangs by a roller only if nothing else carries anything more. What floats hangs on nothing.
    """
    roots = [assembly.anchor.part] if assembly.anchor else [one for one in assembly.parts if isinstance(one, Ground)]
    known = {id(one) for one in roots}
    beside: dict[int, list[tuple[bool, int]]] = {}
    for i, weld in enumerate(assembly.welds):
        for part in (weld.p.part, weld.q.part):
            beside.setdefault(id(part), []).append((bool(weld.free_directions), i))
    ready = [one for root in roots for one in beside.get(id(root), ())]
    heapq.heapify(ready)
    while ready:
        weld = assembly.welds[heapq.heappop(ready)[1]]
        new = next((spot for spot in (weld.q, weld.p) if id(spot.part) not in known), None)
        if new is not None:
            known.add(id(new.part))
            for one in beside[id(new.part)]:
                heapq.heappush(ready, one)
            yield weld, new


@dataclass
class Turning:
    """The second-order motions of the parts of one frame: `amounts` of sources, and how each motion answers to them.

    `unmet` are the welds whose conditions nothing can satisfy to second order.
    """

    motions: SmallMotions
    amounts: dict[Symbol, Basic] = field(default_factory=dict)
    unmet: list[Weld] = field(default_factory=list)
    _answers: dict[Basic, Form] = field(default_factory=dict)
    _sources: dict[Symbol, Basic] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not (self.works and any(self._makes_a_source(weld) for weld in self.assembly.welds)):
            return
        for weld in self._ordered():
            p, q = self._moves(weld.p), self._moves(weld.q)
            if weld.free_directions:
                p = replace(p, displacement=add(p.displacement, self._named(self._rolled(weld))))
            for condition in self._solver.conditions(weld, p, q):
                self.unmet += [] if self._take(condition) else [weld]
        for direction, seg in self._loose():
            self._take(dot(direction, _carried(seg)))

    @cached_property
    def works(self) -> bool:
        """Whether anything is drawn in at all. What floats hangs on nothing."""
        if not any(True for _ in outwards(self.assembly)):
            return False
        turned = any(isinstance(part, Body) and self.small(part) != NULL for part in self.assembly.parts)
        return turned or any(one.free_directions and self._rolled(one) != NULL for one in self.assembly.welds)

    @property
    def assembly(self) -> Assembly:
        """The parts of the frame."""
        return self.motions.assembly

    @cached_property
    def _solver(self) -> Solver:
        return Solver(self.assembly, [], {}, {})

    @cached_property
    def _tied(self) -> list[Symbol]:
        """The motions that answer, those of parts listed first first."""
        bodies = [one for one in self._solver.order() if one in self.motions.tied and not _of_end(one)]
        segments = [part for part in self.assembly.parts if isinstance(part, Segment) and not self._is_root(part)]
        return [*bodies, *(one for seg in segments for one in _carried(seg))]

    def _is_root(self, part: Part) -> bool:
        anchor = self.assembly.anchor
        return isinstance(part, Ground) or (anchor is not None and anchor.part is part)

    def _ordered(self) -> list[Weld]:
        """Those by which parts hang first: what closes a loop comes after, and gives way if it must."""
        carrying = [weld for weld, _ in outwards(self.assembly)]
        return [*carrying, *(weld for weld in self.assembly.welds if not any(weld is one for one in carrying))]

    # -- sources -------------------------------------------------------------------------------------------------

    def small(self, part: Part) -> Vector:
        """The small turn of a body."""
        return displacement_of(self.motions, Spot(part, NULL))[1]

    def drawn(self, spot: Spot) -> Vector:
        """What the turn of its body draws a spot in, seen from the mass centre."""
        if isinstance(spot.part, Segment):
            return NULL
        small, arm = self.small(spot.part), self.arm(spot)
        return scale(HALF, cross(small, cross(small, arm)))

    def arm(self, spot: Spot) -> Vector:
        """From a body's mass centre to a spot, in the frame's axes."""
        return turn(self.assembly.orientation[id(spot.part)], spot.point)

    def _rolled(self, weld: Weld) -> Vector:
        """What has rolled along the axes of p is carried aside as these turn."""
        if weld.p.bends_far or weld.q.bends_far:
            return NULL
        (from_p, small), (to_q, _) = (displacement_of(self.motions, spot) for spot in (weld.p, weld.q))
        apart = change(subtract(to_q, from_p), lambda f: f.expand())
        return cross(small, apart)

    def _makes_a_source(self, weld: Weld) -> bool:
        """Frames of many members that meet in points make none, and need not be solved again."""
        ends = any(self.drawn(spot) != NULL for spot in (weld.p, weld.q))
        return ends or (bool(weld.free_directions) and self._rolled(weld) != NULL)

    def _moves(self, spot: Spot) -> Moves:
        """How a spot moves to second order, in what answers and in what is known."""
        first = moves_of(self.assembly, spot, self._solver)
        if isinstance(spot.part, Segment):
            a, b, c = (ZERO, ZERO, ZERO) if self._is_root(spot.part) else _carried(spot.part)
            return replace(first, displacement=(a, b, c), rotation=NULL)
        idle = {one: ZERO for one in body_unknowns(spot.part, self._solver) if one not in self.motions.tied}
        moved, turned = (change(v, lambda f: f.xreplace(idle)) for v in (first.displacement, first.rotation))
        return replace(first, displacement=add(moved, self._named(self.drawn(spot))), rotation=turned)

    def _named(self, source: Vector) -> Vector:
        """A source by a symbol of its own: written out, the squares of small turns would grow in every condition."""
        names = {}
        for f in source:
            if f != 0:
                names[f] = Symbol(f"$drawn.{len(self._sources)}")
                self._sources[names[f]] = f
        return change(source, lambda f: names.get(f, ZERO))

    # -- answers -------------------------------------------------------------------------------------------------

    def _loose(self) -> Iterator[tuple[Vector, Segment]]:
        """Where nothing carries a segment along it stays: what it rolls along, then the axes in which it is stiff.

        Those next to what they hang on come first, in whatever order parts are listed: so a coordinate that several
        share is, to second order, the motion of the one nearest to ground.
        """
        hung = [spot.part for _, spot in outwards(self.assembly)]
        segments = [one for one in hung if isinstance(one, Segment) and not self._is_root(one)]
        segments = [one for one in segments if not all(self._is_known(symbol) for symbol in _carried(one))]
        for seg in segments:
            for weld in self.assembly.welds:
                if any(spot.part is seg for spot in (weld.p, weld.q)):
                    axes = self.assembly.orientation[id(weld.p.part)]
                    yield from ((turn(axes, along), seg) for along in weld.free_directions)
            yield from ((axis, seg) for axis in transpose(self.assembly.orientation[id(seg)]))

    def _is_known(self, symbol: Symbol) -> bool:
        return symbol in self._answers and all(one in self.amounts for one in self._answers[symbol])

    def _take(self, condition: Basic) -> bool:
        """One more condition, solved for a motion that is not known yet; False if it contradicts the others."""
        factors, amount = linear_part(condition, self._tied)
        row = {one: f for one, f in zip(self._tied, factors, strict=True) if f != 0}
        if amount != 0:
            source = Symbol(f"$source.{len(self.amounts)}")
            self.amounts[source] = amount.xreplace(self._sources)
            row[source] = ONE
        row = self._reduced(row)
        free = [one for one in row if one not in self.amounts]
        if not free:
            left = sum((f * self.amounts[one] for one, f in row.items()), ZERO)
            return bool(vanishes(left))
        pivot = min(free, key=lambda one: (difficulty(row[one]), self._tied.index(one)))
        head = row.pop(pivot)
        answer = {one: short(-f / head) for one, f in row.items()}
        self._answers[pivot] = answer
        for one, form in self._answers.items():
            if pivot in form:
                self._answers[one] = self._reduced(form)
        return True

    def _reduced(self, row: Form) -> Form:
        """A form with what is known put in."""
        total: Form = {}
        for one, f in row.items():
            for other, g in self._answers.get(one, {one: ONE}).items():
                total[other] = short(total.get(other, ZERO) + f * g)
        return {one: f for one, f in total.items() if f != 0}

    def answer(self, part: Part, source: Symbol) -> tuple[Vector, Vector]:
        """How far a part is carried, and turned, by a unit of a source."""
        if self._is_root(part):
            return NULL, NULL
        if isinstance(part, Segment):
            a, b, c = (self._unit(one, source) for one in _carried(part))
            return (a, b, c), NULL
        moves = moves_of(self.assembly, Spot(part, NULL), self._solver)
        return (
            change(moves.displacement, lambda f: self._unit(f, source)),
            change(moves.rotation, lambda f: self._unit(f, source)),
        )

    @property
    def only_carries(self) -> bool:
        """Whether no body turns further to second order."""
        return all(self.answer(part, source)[1] == NULL for part in self.assembly.parts for source in self.amounts)

    def displaced(self, spot: Spot) -> Vector:
        """All that a spot moves to second order."""
        carried = (scale(amount, self.answer(spot.part, source)[0]) for source, amount in self.amounts.items())
        return add(self.drawn(spot), *carried)

    def _unit(self, unknown: Basic, source: Symbol) -> Basic:
        return self._answers[unknown].get(source, ZERO) if unknown in self._answers else ZERO


def _carried(seg: Segment) -> tuple[Symbol, Symbol, Symbol]:
    """How far a segment is carried as a whole, along the frame's axes."""
    a, b, c = (Symbol(f"$carried.{seg.name}.{axis}") for axis in "xyz")
    return a, b, c


def _of_end(symbol: Symbol) -> bool:
    """Whether an unknown of the first order is a motion of a member."""
    return "@" in symbol.name or symbol.name.startswith(("$axial.", "$across."))
