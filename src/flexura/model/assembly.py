"""Small motions inside one frame: what is welded moves together, what is left over becomes coordinates (steps 3, 4).

Every part of an assembly moves a little relative to its frame: bodies by displacements and rotations, member ends by
the values their fields have there. The connections are linear conditions among these; elimination leaves the
independent ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import symengine

from flexura.errors import FlexuraError
from flexura.model.elimination import eliminate
from flexura.model.gaps import Gap, refuse_shared
from flexura.model.motion_names import BODY_NAMES, default_name, what_moves
from flexura.model.parting import taken_up
from flexura.model.structure import Assembly, Segment, Spot, Weld
from flexura.parts.bodies import Body, Ground
from flexura.parts.joints import Support
from flexura.symbolic.engine import ONE, ZERO, Basic, Symbol
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
    subtract,
    transpose,
    turn,
    turn_back,
)
from flexura.symbolic.linear import linear_part
from flexura.symbolic.near import Near
from flexura.symbolic.zero import pythagoras

END_MOTIONS = ("axial", "transverse", "lateral", "rotation", "tilt", "twist")
"""The order in which a user names the motions of an end."""
_ROUNDED = 1e-12  # of coefficients that are taken as equal: larger differences are told


@dataclass(frozen=True)
class Moves:
    """How a spot moves relative to its frame (frame axes), and which of its own axes carry the motion."""

    displacement: Vector
    rotation: Vector
    axes: Matrix
    translates: tuple[bool, bool, bool] = (True, True, True)
    rotates: tuple[bool, bool, bool] = (True, True, True)

    def carries(self, direction: Vector, flags: tuple[bool, bool, bool], near: Near) -> str:
        """Whether a direction lies in the axes that carry a motion: "all", "none" or "some"."""
        if all(flags) or not any(flags):
            return "all" if all(flags) else "none"
        local = turn_back(self.axes, direction)
        along = [flag for part, flag in zip(local, flags, strict=True) if not near.small(part)]
        return "all" if all(along) else "some" if any(along) else "none"


@dataclass
class SmallMotions:
    """The solved motions of one assembly; `tied` are those that the conditions give by the others.

    `resting` are the unknowns that nothing drives: for each, how everything that is tied to it would move by it.
    """

    assembly: Assembly
    values: dict[Symbol, Basic] = field(default_factory=dict)
    coordinates: list[tuple[str, Spot, str]] = field(default_factory=list)
    boundary: dict[str, Basic] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    tied: frozenset[Symbol] = frozenset()
    resting: dict[Symbol, dict[Symbol, Basic]] = field(default_factory=dict)

    def value(self, f: Basic) -> Basic:
        """A linear form in the unknowns, written in coordinates and free boundary values."""
        replaced = {one: self.values[one] for one in f.free_symbols if one in self.values}
        return f.subs(replaced) if replaced else f


def solve(
    assembly: Assembly,
    *,
    used: Iterable[Spot] = (),
    named: Mapping[tuple[int, str], Mapping[str, str | None]] | None = None,
    shifts: Mapping[int, Mapping[str, Basic]] | None = None,
    idle: frozenset[str] = frozenset(),
    gap: tuple[Gap, Matrix] | None = None,
    pinned: bool = False,
) -> SmallMotions:
    """Find the independent small motions of an assembly whose parts are placed.

    `used` are ends that carry a joint and so need coordinates; `named` gives names by (segment, end) and motion;
    `shifts` says by how much a field is measured from elsewhere; `idle` motions of bodies stay at rest; one weld may
    have a `gap`, with the axes of the frame in ground's; `pinned` says that the anchor may turn.
    """
    solver = Solver(assembly, list(used), named or {}, shifts or {}, idle, gap, pinned)
    return solver.run()


class Solver:
    """Conditions of welds among the small motions of an assembly, and their elimination."""

    def __init__(
        self,
        assembly: Assembly,
        used: list[Spot],
        named: Any,
        shifts: Mapping[int, Mapping[str, Basic]],
        idle: frozenset[str] = frozenset(),
        gap: tuple[Gap, Matrix] | None = None,
        pinned: bool = False,
    ) -> None:
        self.pinned = pinned
        self.assembly, self.used, self.named, self.shifts, self.idle = assembly, used, named, shifts, idle
        self.gap = gap
        self.motions = SmallMotions(assembly)
        self.spatial, self.twists, self.near = assembly.spatial, assembly.twists, assembly.near

    def run(self) -> SmallMotions:
        """The motions that the welds leave, and all others in them."""
        conditions = [one for weld in self.assembly.welds for one in self._weld(weld)]
        if self.assembly.anchor is not None and isinstance(self.assembly.anchor.part, Segment):
            conditions += self._held(self.assembly.anchor)
        touched = {symbol for one in conditions for symbol in one.free_symbols}
        touched |= {stretch for along, stretch in self._stretches().items() if along in touched}
        conditions += self._measured_stretch()
        solved = self._eliminate(conditions)
        self.motions.tied = frozenset(solved)
        self._settle(solved, touched)
        return self.motions

    # -- how each part moves -------------------------------------------------------------------------------------

    def _tied(self) -> list[Segment]:
        return [one for one in self.assembly.parts if isinstance(one, Segment) and one.tied]

    def _stretches(self) -> dict[Symbol, Symbol]:
        """The stretch at the ends of members whose axial displacement is another field, by the values of that one."""
        pairs = ((seg.moved_along(end), seg.carrier("axial", end)) for seg in self._tied() for end in "ab")
        return {along.symbol: stretch.symbol for along, stretch in pairs if along and stretch}

    def _measured_stretch(self) -> list[Basic]:
        """Stretch is counted from the end nearest to what carries the frame: there it is the axial displacement."""
        found = []
        for seg in self._tied():
            along, stretch = seg.moved_along(seg.hangs_by), seg.carrier("axial", seg.hangs_by)
            found += [along.symbol - stretch.symbol] if along and stretch else []
        return found

    def _weld(self, weld: Weld) -> list[Basic]:
        p, q = (moves_of(self.assembly, spot, self) for spot in (weld.p, weld.q))
        if self.gap is not None and self.gap[0].source is weld.source:
            gap, axes = self.gap
            shift, angle = taken_up(self.assembly, weld, gap, axes)
            q = replace(q, displacement=subtract(q.displacement, shift), rotation=subtract(q.rotation, angle))
        return self.conditions(weld, p, q)

    def conditions(self, weld: Weld, p: Moves, q: Moves) -> list[Basic]:
        """What a weld holds of the motions of its two spots: forms that vanish."""
        found = [
            dot(d, subtract(p.displacement, q.displacement))
            for d in self._directions(weld)
            if self._both_carry(weld, d, p.carries(d, p.translates, self.near), q.carries(d, q.translates, self.near))
        ]
        found += [
            dot(d, subtract(p.rotation, q.rotation))
            for d in self._axes(weld, p, q)
            if p.carries(d, p.rotates, self.near) == q.carries(d, q.rotates, self.near) == "all"
        ]
        if not found:
            raise FlexuraError(
                f"{weld.source!r} connects two parts that share no motion, so it would hold nothing",
                advice="a shaft twists about its own axis only: connect it to bodies that turn about that axis",
                part=repr(weld.source),
            )
        return [one for one in (f.expand() for f in found) if one != 0]

    def _axes(self, weld: Weld, p: Moves, q: Moves) -> tuple[Vector, ...]:
        """About which a weld may hold."""
        if weld.held_axes is not None:
            return tuple(turn(p.axes, axis) for axis in weld.held_axes)
        twists = any(
            isinstance(spot.part, Segment) and not any(one.translates) for spot, one in ((weld.p, p), (weld.q, q))
        )
        if not weld.free_axes or (twists and isinstance(weld.source, Support) and weld.source.holds_twist):
            return transpose(p.axes if isinstance(weld.p.part, Segment) else q.axes)
        return ()

    def _directions(self, weld: Weld) -> tuple[Vector, ...]:
        if weld.held_directions is not None:
            return tuple(turn(self.assembly.orientation[id(weld.p.part)], one) for one in weld.held_directions)
        part = weld.p.part if isinstance(weld.p.part, Segment) else weld.q.part
        axes = transpose(self.assembly.orientation[id(part)])
        if not weld.free_directions:
            return axes
        along = turn(self.assembly.orientation[id(weld.p.part)], weld.free_directions[0])
        if all(self.near.small(part) for part in cross(along, EZ)):
            return AXES[:2]
        return (cross(EZ, along), EZ)

    def _both_carry(self, weld: Weld, d: Vector, p: str, q: str) -> bool:
        bending = [isinstance(one.part, Segment) and set(one.part.member.ends) != {"twist"} for one in (weld.p, weld.q)]
        if "some" in (p, q) or (all(bending) and p != q):
            raise FlexuraError(
                f"{weld.source!r} joins members that do not bend in one plane",
                advice="use fx.SpatialBeam for motion in space",
                part=repr(weld.source),
            )
        return p == q == "all"

    def _held(self, spot: Spot) -> list[Basic]:
        moves = moves_of(self.assembly, spot, self)
        parts = (*moves.displacement, *(() if self.pinned else moves.rotation))
        return [one for one in (part.expand() for part in parts) if one != 0]

    # -- elimination ---------------------------------------------------------------------------------------------

    def order(self) -> list[Symbol]:
        """Unknowns, those that should depend on others first, those that should stay last."""
        bodies: list[Symbol] = []
        leading: list[Symbol] = []
        for part in (one for one in self.assembly.parts if isinstance(one, Body)):
            (leading if part.leads else bodies).extend(body_unknowns(part, self))
        rigid: list[Symbol] = []
        ends: list[Symbol] = []
        chosen: list[Symbol] = []
        along: list[Symbol] = []
        for seg in (one for one in self.assembly.parts if isinstance(one, Segment)):
            for end in "ab":
                jet = seg.moved_along(end)
                if jet:
                    (rigid if end == seg.hangs_by else along).append(jet.symbol)
            for end in "ab":
                names = self.named.get((id(seg), end), {})
                for motion in END_MOTIONS:
                    jet = seg.carrier(motion, end)
                    if jet:
                        (chosen if names.get(motion) else ends).append(jet.symbol)
            rigid += [axial_symbol(seg), *(interpolated(seg, end) for end in "ab")]
        return [
            *bodies,
            *dict.fromkeys(rigid),
            *reversed(ends),
            *reversed(chosen),
            *reversed(leading),
            *reversed(along),
        ]

    def _eliminate(self, conditions: list[Basic]) -> dict[Symbol, Basic]:
        """Every dependent unknown in the independent ones."""
        unknown = self.order()
        order = [*unknown, *(Symbol(name) for name in (self.gap[0].names if self.gap else ()))]
        columns = {symbol: i for i, symbol in enumerate(order)}
        rows = []
        for condition in conditions:
            inside = sorted((one for one in condition.free_symbols if one in columns), key=columns.__getitem__)
            factors = linear_part(condition, inside)[0]
            rows.append({columns[one]: pythagoras(f) for one, f in zip(inside, factors, strict=True)})
        found = eliminate(rows, range(len(unknown)), self.near)
        if self.gap is not None and found.left:
            refuse_shared(self.gap[0].source)
        extra = len(conditions) - len(found.solved)
        if extra:
            self.motions.notes.append(
                f"{extra} of the conditions that close loops {'is' if extra == 1 else 'are'} satisfied by the others"
                " and dropped"
            )
        if found.absorbed > _ROUNDED:
            self.motions.notes.append(
                f"conditions that differ by {found.absorbed:.1g} of their coefficients are taken as one"
            )
        return {
            order[column]: -symengine.Add(*(order[j] * one.tree for j, one in sorted(row.items())))
            for column, row in found.solved.items()
        }

    # -- what the independent motions become ---------------------------------------------------------------------

    def _settle(self, solved: dict[Symbol, Basic], touched: set[Symbol]) -> None:
        carriers = self._carriers()
        along = [jet.symbol for seg in self._tied() for end in "ab" if (jet := seg.moved_along(end))]
        needed = {symbol for one in self.used for symbol in self._spot_symbols(one)}
        needed |= {stretch for one, stretch in self._stretches().items() if one in needed}
        for symbol in reversed(self.order()):
            if symbol in solved:
                continue
            if symbol in along:
                self.motions.values[symbol] = symbol
            elif symbol in carriers:
                self._settle_end(symbol, *carriers[symbol], touched | needed)
            else:
                self._settle_other(symbol, touched)
        place = {id(part): i for i, part in enumerate(self.assembly.parts)}
        self.motions.coordinates.sort(key=lambda one: _rank(place[id(one[1].part)], one[1], one[2]))
        independent = dict(self.motions.values)
        for symbol, f in solved.items():
            replaced = {one: independent[one] for one in f.free_symbols if one in independent}
            self.motions.values[symbol] = f.subs(replaced).expand()
            for one in f.free_symbols & self.motions.resting.keys():
                self.motions.resting[one][symbol] = linear_part(f, [one])[0][0]
        for symbol, (seg, end, motion) in carriers.items():
            self._give(symbol, seg, end, motion, solved)
        self.motions.boundary |= {one.name: self.motions.values[one] for one in along if one in solved}
        self._refuse_unused_names(carriers)

    def _carriers(self) -> dict[Symbol, tuple[Segment, str, str]]:
        found: dict[Symbol, tuple[Segment, str, str]] = {}
        for seg in (one for one in self.assembly.parts if isinstance(one, Segment)):
            for end in "ab":
                for motion in END_MOTIONS:
                    jet = seg.carrier(motion, end)
                    if jet:
                        found[jet.symbol] = (seg, end, motion)
        return found

    def _spot_symbols(self, spot: Spot) -> set[Symbol]:
        moves = moves_of(self.assembly, spot, self)
        return {symbol for one in (*moves.displacement, *moves.rotation) for symbol in one.free_symbols}

    def _settle_end(self, symbol: Symbol, seg: Segment, end: str, motion: str, touched: set[Symbol]) -> None:
        """An end's own motion: a coordinate if anything is connected there or a name is given, else a free value."""
        shift = self._shift(seg, symbol)
        name = self.named.get((id(seg), end), {}).get(motion)
        if symbol in touched or name:
            chosen = name or default_name(seg, end, motion)
            self.motions.coordinates.append((chosen, Spot(seg, NULL, end), motion))
            self.motions.values[symbol] = Symbol(chosen) - shift
        else:
            self.motions.values[symbol] = symbol - shift

    def _settle_other(self, symbol: Symbol, touched: set[Symbol]) -> None:
        """A body's own motion stays if a pin or roller frees it; a rigid shift that nothing drives does not."""
        body = self._owners.get(symbol)
        if body is not None and (body.leads or self._freed(body)):
            kind = symbol.name.rpartition(".")[2]
            name = f"{BODY_NAMES[kind]}_{body.name}"
            if name in self.idle:
                self.motions.values[symbol] = ZERO
                self.motions.notes.append(
                    f"nothing depends on {what_moves(symbol)} (no inertia, spring, damper or load), so it gets no"
                    " coordinate"
                )
                return
            self.motions.coordinates.append((name, Spot(body, NULL), kind))
            self.motions.values[symbol] = Symbol(name)
            return
        self.motions.values[symbol] = ZERO
        self.motions.resting[symbol] = {symbol: ONE}
        if symbol in touched or symbol in self._stiff:
            self.motions.notes.append(f"nothing drives {what_moves(symbol)}, so it gets no coordinate")

    @cached_property
    def _owners(self) -> dict[Symbol, Body]:
        bodies = [one for one in self.assembly.parts if isinstance(one, Body)]
        return {symbol: body for body in bodies for symbol in body_unknowns(body, self)}

    @cached_property
    def _stiff(self) -> set[Symbol]:
        """The shifts along their axes of members that do not stretch."""
        segments = [one for one in self.assembly.parts if isinstance(one, Segment)]
        return {axial_symbol(one) for one in segments if not {"axial", "twist"} & set(one.member.ends)}

    def _freed(self, body: Body) -> bool:
        """Whether a pin or roller frees a body, or one that is welded to it and turns with it."""
        rigid, waiting = [body], [body]
        while waiting:
            one = waiting.pop()
            for weld in (weld for weld in self.assembly.welds if one in (weld.p.part, weld.q.part)):
                if weld.free_axes:
                    return True
                other = weld.q.part if weld.p.part is one else weld.p.part
                if isinstance(other, Body) and one.turns and other.turns and other not in rigid:
                    rigid.append(other)
                    waiting.append(other)
        return False

    def _give(self, symbol: Symbol, seg: Segment, end: str, motion: str, solved: dict[Symbol, Basic]) -> None:
        value = (self.motions.values[symbol] + self._shift(seg, symbol)).expand()
        if value != symbol:
            self.motions.boundary[symbol.name] = value

    def _shift(self, seg: Segment, symbol: Symbol) -> Basic:
        return self.shifts.get(id(seg), {}).get(symbol.name.partition("@")[0], ZERO)

    def _refuse_unused_names(self, carriers: Mapping[Symbol, tuple[Segment, str, str]]) -> None:
        taken = {(id(spot.part), spot.end, motion) for _, spot, motion in self.motions.coordinates}
        for seg, end, motion in carriers.values():
            name = self.named.get((id(seg), end), {}).get(motion)
            if name and (id(seg), end, motion) not in taken:
                where = "start" if end == "a" else "end"
                raise FlexuraError(
                    f"The name {name!r} is given to the {motion} of {seg.name}.{where}, which the connections hold"
                    " or tie to another coordinate",
                    advice="leave that name out (None)",
                    part=seg.member.name,
                    keyword="names",
                    entry=f"{seg.member.name}.{where}",
                )


def _rank(position: int, spot: Spot, motion: str) -> tuple[int, int, int]:
    order = END_MOTIONS.index(motion) if motion in END_MOTIONS else 0
    return (0 if isinstance(spot.part, Segment) else 1, 2 * position + (spot.end == "b"), order)


def axial_symbol(seg: Segment) -> Symbol:
    """The rigid shift along its axis of a member that does not stretch."""
    return Symbol(f"$axial.{seg.member.name}")


def interpolated(seg: Segment, end: str) -> Symbol:
    """The transverse motion of an end of a rod, which follows its ends without bending."""
    return Symbol(f"$across.{seg.name}.{end}")


def body_unknowns(body: Body, solver: Solver) -> list[Symbol]:
    """The small motions a body may have in this assembly."""
    anchor = solver.assembly.anchor
    if isinstance(body, Ground) or (anchor is not None and anchor.part is body):
        return []
    kinds = ["x", "y", *(["z"] if solver.spatial else [])]
    if body.turns:
        kinds += [*(["rx", "ry"] if solver.spatial or solver.twists else []), "rz"]
    return [Symbol(f"${body.name}.{kind}") for kind in kinds]


def moves_of(assembly: Assembly, spot: Spot, solver: Solver) -> Moves:
    """How a spot moves, in the unknowns."""
    axes = assembly.orientation[id(spot.part)]
    if isinstance(spot.part, Segment):
        return _end_moves(spot.part, spot.end, axes)
    mine = {one.name.rpartition(".")[2]: one for one in body_unknowns(spot.part, solver)}
    displacement = (mine.get("x", ZERO), mine.get("y", ZERO), mine.get("z", ZERO))
    turned = (mine.get("rx", ZERO), mine.get("ry", ZERO), mine.get("rz", ZERO))
    arm = turn(axes, spot.point)
    turns = isinstance(spot.part, Ground) or spot.part.turns
    return Moves(add(displacement, cross(turned, arm)), turned, axes, rotates=(turns, turns, turns))


def _end_moves(seg: Segment, end: str, axes: Matrix) -> Moves:
    found = {motion: jet.symbol for motion in END_MOTIONS if (jet := seg.carrier(motion, end))}
    shaft = set(found) == {"twist"}
    along = seg.moved_along(end)
    if along is not None:
        found["axial"] = along.symbol
    if not shaft:
        found.setdefault("axial", axial_symbol(seg))
        found.setdefault("transverse", interpolated(seg, end))
    local = (found.get("axial", ZERO), found.get("transverse", ZERO), found.get("lateral", ZERO))
    turned = (found.get("twist", ZERO), -found.get("tilt", ZERO), found.get("rotation", ZERO))
    return Moves(
        turn(axes, local),
        turn(axes, turned),
        axes,
        translates=(not shaft, not shaft, "lateral" in found),
        rotates=("twist" in found, "tilt" in found, "rotation" in found),
    )


def displacement_of(motions: SmallMotions, spot: Spot) -> tuple[Vector, Vector]:
    """Displacement and rotation of a spot in coordinates and free boundary values (frame axes)."""
    moves = moves_of(motions.assembly, spot, Solver(motions.assembly, [], {}, {}))
    return change(moves.displacement, motions.value), change(moves.rotation, motions.value)
