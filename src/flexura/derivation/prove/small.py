"""Small motions inside one frame: linear conditions of welds among the motions of bodies and of members' ends.

What the energies say of the ends must satisfy the conditions, and leave as much free as they do; what they do not say,
the motions of bodies and of members along the axes in which they do not deform, follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flexura.derivation.prove.hanging import outwards
from flexura.derivation.prove.program import Number, mp
from flexura.derivation.prove.read import ReadFrame, ReadLink, ReadPiece, ReadSpot
from flexura.derivation.prove.reading import Reading
from flexura.derivation.prove.vectors import AXES, TINY, ZERO, Matrix, Vector, cross, dot, transpose, turn
from flexura.parts.bodies import Body, Ground
from flexura.parts.joints import Support

Form = dict[str, Number]
"""A linear form: unknown -> coefficient."""

_OF_BODIES = ("x", "y", "z", "phi", "beta", "theta")


@dataclass(frozen=True)
class ReadMoves:
    """Displacement and rotation of a spot as linear forms in the frame's axes, and which of its own axes carry them."""

    displacement: Sequence[Form]
    rotation: Sequence[Form]
    axes: Matrix
    translates: tuple[bool, bool, bool] = (True, True, True)
    rotates: tuple[bool, bool, bool] = (True, True, True)

    def carries(self, direction: Vector, flags: tuple[bool, bool, bool]) -> bool:
        """Whether it moves along (or turns about) a direction at all."""
        local = turn(transpose(self.axes), direction)
        return all(flag for part, flag in zip(local, flags, strict=True) if abs(part) > TINY)


class ReadMotions:
    """The conditions of a frame, solved for what the fields do not say."""

    def __init__(self, reading: Reading, frame: ReadFrame) -> None:
        """Set up and eliminate."""
        self.reading, self.frame = reading, frame
        self._moves: dict[tuple[int, str, str], ReadMoves] = {}
        ends = [piece.member.ends for piece in frame.parts if isinstance(piece, ReadPiece)]
        self.spatial = any("lateral" in one for one in ends)
        self.twists = any("twist" in one for one in ends)
        self.rest = [name for part in frame.parts for name in self._unknowns(part)]
        rows = [row for weld in frame.welds for row in self._weld(weld)]
        if frame.anchor is not None and isinstance(frame.anchor.part, ReadPiece):
            here = self.moves(frame.anchor)
            rows += [*here.displacement, *(() if self._pinned else here.rotation)]
        rows += [row for piece in frame.parts if isinstance(piece, ReadPiece) for row in self._stretch(piece)]
        self.solved, self.conditions = eliminated(rows, list(dict.fromkeys(self.rest)))
        self.free = [name for name in dict.fromkeys(self.rest) if name not in self.solved]

    @property
    def _pinned(self) -> bool:
        """Whether the frame hangs by a pin on a section, whose own rotation it leaves free."""
        source = self.frame.joint.source if self.frame.joint is not None else None
        return isinstance(source, Support) and bool(source.free_axes)

    def values(self, ends: Mapping[str, Number], loose: Mapping[str, Number]) -> dict[str, Number]:
        """All unknowns, from the values of fields at ends and the coordinates of bodies that nothing turns."""
        known = {**ends, **{name: loose.get(self.coordinate(name), ZERO) for name in self.free}}
        for name, form in self.solved.items():
            known[name] = -sum((factor * known[one] for one, factor in form.items()), ZERO)
        return known

    def follows(self, unknown: str) -> bool:
        """Whether an unknown moves at all: a field's end value, or what follows from one."""
        if unknown in self.solved:
            return any(self.follows(one) for one in self.solved[unknown])
        return unknown not in self.free or self.coordinate(unknown) in self.reading.energies.coordinates

    def coordinate(self, unknown: str) -> str:
        """What the coordinate of a loose motion of a body would be called."""
        _, owner, kind = unknown.split(".")
        return f"{kind}_{owner}"

    def moves(self, spot: ReadSpot) -> ReadMoves:
        """How a spot moves."""
        key = (id(spot.part), spot.end, "" if spot.end else str(spot.point))
        if key not in self._moves:
            self._moves[key] = self._found(spot)
        return self._moves[key]

    def _found(self, spot: ReadSpot) -> ReadMoves:
        axes = self.frame.turned[id(spot.part)]
        if isinstance(spot.part, ReadPiece):
            return self._end(spot.part, spot.end, axes)
        mine = set(self._unknowns(spot.part))
        names = [f"body.{spot.part.name}.{kind}" for kind in _OF_BODIES]
        forms = [{name: mp.mpf(1)} if name in mine else {} for name in names]
        arm = turn(axes, spot.point)
        levered = [added([forms[i], *_crossed(forms[3:], arm, i)]) for i in range(3)]
        turns = isinstance(spot.part, Ground) or spot.part.turns
        return ReadMoves(levered, forms[3:], axes, rotates=(turns, turns, turns))

    def _unknowns(self, part: Any) -> list[str]:
        if isinstance(part, Body):
            anchor = self.frame.anchor
            if isinstance(part, Ground) or (anchor is not None and anchor.part is part):
                return []
            kinds = ["x", "y", *(["z"] if self.spatial else [])]
            if part.turns:
                kinds += [*(["phi", "beta"] if self.spatial or self.twists else []), "theta"]
            return [f"body.{part.name}.{kind}" for kind in kinds]
        ends = set(part.member.ends)
        if ends == {"twist"}:
            return []
        found = [] if "axial" in ends or part.tied else [f"axial.{part.member.name}.shift"]
        return found if "transverse" in ends else [*found, *(f"across.{part.spine}.{end}" for end in "ab")]

    def _end(self, piece: ReadPiece, end: str, axes: Matrix) -> ReadMoves:
        found = dict(piece.carriers(end))
        shaft = set(found) == {"twist"}
        if piece.tied:
            found["axial"] = piece.along(end)
        if not shaft:
            found.setdefault("axial", f"axial.{piece.member.name}.shift")
            found.setdefault("transverse", f"across.{piece.spine}.{end}")
        local = [{found[one]: mp.mpf(1)} if one in found else {} for one in ("axial", "transverse", "lateral")]
        turned: list[Form] = [{}, {}, {}]
        for i, (motion, sign) in enumerate((("twist", 1), ("tilt", -1), ("rotation", 1))):
            turned[i] = {found[motion]: mp.mpf(sign)} if motion in found else {}
        return ReadMoves(
            [along(row, local) for row in axes],
            [along(row, turned) for row in axes],
            axes,
            (not shaft, not shaft, "lateral" in found),
            ("twist" in found, "tilt" in found, "rotation" in found),
        )

    def _stretch(self, piece: ReadPiece) -> list[Form]:
        """The stretch of a member whose axial displacement is another field is that displacement where it hangs."""
        if not piece.tied or "axial" not in piece.member.ends:
            return []
        spot = next(one.spot for one in outwards(self.reading, self.frame) if one.spot.part is piece)
        return [{piece.along(spot.end): mp.mpf(1), piece.carriers(spot.end)["axial"]: mp.mpf(-1)}]

    def _weld(self, weld: ReadLink) -> list[Form]:
        p, q = self.moves(weld.p), self.moves(weld.q)
        pairs = [(d, p.displacement, q.displacement) for d in self.held_apart(weld)]
        pairs += [(d, p.rotation, q.rotation) for d in self.held_turned(weld)]
        return [added([along(d, one), scaled(-1, along(d, other))]) for d, one, other in pairs]

    def held_apart(self, weld: ReadLink) -> list[Vector]:
        """The directions along which a weld keeps two places together."""
        p, q = self.moves(weld.p), self.moves(weld.q)
        return [d for d in self._held(weld) if p.carries(d, p.translates) and q.carries(d, q.translates)]

    def held_turned(self, weld: ReadLink) -> list[Vector]:
        """The axes about which it keeps them from turning."""
        p, q = self.moves(weld.p), self.moves(weld.q)
        shaft = any(isinstance(o.part, ReadPiece) and set(o.part.member.ends) == {"twist"} for o in (weld.p, weld.q))
        grips = isinstance(weld.source, Support) and weld.source.holds_twist
        named = weld.source.held_axes if isinstance(weld.source, Support) else None
        if named is None and weld.source is not None and weld.source.free_axes and not (grips and shaft):
            return []
        axes = transpose(p.axes if isinstance(weld.p.part, ReadPiece) else q.axes)
        if named is not None:
            axes = tuple(turn(p.axes, self.reading.vector(one)) for one in named)
        return [d for d in axes if p.carries(d, p.rotates) and q.carries(d, q.rotates)]

    def _held(self, weld: ReadLink) -> Iterable[Vector]:
        """The directions in which a weld keeps two places together."""
        part = weld.p.part if isinstance(weld.p.part, ReadPiece) else weld.q.part
        named = weld.source.held_directions if isinstance(weld.source, Support) else None
        if named is not None:
            turned = self.frame.turned[id(weld.p.part)]
            return [turn(turned, self.reading.vector(one)) for one in named]
        rolls = weld.source.free_directions if weld.source is not None else ()
        if not rolls:
            return transpose(self.frame.turned[id(part)])
        free = turn(self.frame.turned[id(weld.p.part)], self.reading.vector(rolls[0]))
        across = cross(AXES[2], free)
        return AXES[:2] if dot(across, across) < TINY else (across, AXES[2])


def along(direction: Vector, forms: Sequence[Form]) -> Form:
    """The component of a vector of forms."""
    return added([scaled(part, form) for part, form in zip(direction, forms, strict=True)])


def scaled(factor: Number, form: Form) -> Form:
    """A multiple of a form."""
    return {name: factor * one for name, one in form.items() if abs(factor * one) > TINY}


def added(forms: Iterable[Form]) -> Form:
    """The sum of forms."""
    total: Form = {}
    for form in forms:
        for name, one in form.items():
            total[name] = total.get(name, ZERO) + one
    return {name: one for name, one in total.items() if abs(one) > TINY}


def eliminated(rows: Iterable[Form], unknowns: Sequence[str]) -> tuple[dict[str, Form], list[Form]]:
    """Each dependent unknown as minus a form in the others, and the conditions in which no unknown is left."""
    left = [row for row in rows if row]
    solved: dict[str, Form] = {}
    for name in unknowns:
        pivot = next((row for row in left if name in row), None)
        if pivot is None:
            continue
        left = [row for row in left if row is not pivot]
        rest = scaled(1 / pivot[name], {one: factor for one, factor in pivot.items() if one != name})
        left = [row for row in (_without(one, name, rest) for one in left) if row]
        solved = {one: _without(form, name, rest) for one, form in solved.items()}
        solved[name] = rest
    return solved, left


def rank(rows: Iterable[Form]) -> int:
    """The number of independent forms."""
    rows = list(rows)
    return len(eliminated(rows, sorted({name for row in rows for name in row}))[0])


def _without(row: Form, name: str, rest: Form) -> Form:
    if name not in row:
        return row
    return added([{one: factor for one, factor in row.items() if one != name}, scaled(-row[name], rest)])


def _crossed(turned: Sequence[Form], arm: Vector, i: int) -> list[Form]:
    """Component i of rotation x arm."""
    j, k = (i + 1) % 3, (i + 2) % 3
    return [scaled(arm[k], turned[j]), scaled(-arm[j], turned[k])]
