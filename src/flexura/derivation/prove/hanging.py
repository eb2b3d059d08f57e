"""What hangs on what inside a frame: the way by which bending draws parts in, and what is held against it."""

from __future__ import annotations

from dataclasses import dataclass

from flexura.derivation.prove.read import ReadFrame, ReadLink, ReadPiece, ReadSpot
from flexura.derivation.prove.reading import Reading
from flexura.derivation.prove.vectors import AXES, NULL, TINY, Vector, cross, dot, turn
from flexura.parts.bodies import Ground


@dataclass(frozen=True, eq=False)
class Hung:
    """How a part hangs: by its `spot`, on the `carrier` spot (None if nothing draws it in); held at its far end too?

    `weld` is what holds it there; the root has none.
    """

    spot: ReadSpot
    carrier: ReadSpot | None
    held: bool
    weld: ReadLink | None = None


def outwards(reading: Reading, frame: ReadFrame) -> list[Hung]:
    """The parts of a frame from its anchor, or ground, outwards; rollers last. What floats hangs on nothing."""
    ground = next((one for one in frame.parts if isinstance(one, Ground)), None)
    root = frame.anchor or (ReadSpot(ground, NULL) if ground is not None else None)
    if root is None:
        return []
    found = {id(root.part): Hung(root, None, held(reading, frame, root))}
    while True:
        ready = [(w, a, b) for w in frame.welds for a, b in ((w.p, w.q), (w.q, w.p)) if _new(a, b, found)]
        if not ready:
            return list(found.values())
        weld, a, b = min(ready, key=lambda one: bool(_rolls(one[0])))
        found[id(b.part)] = Hung(b, None if slips(reading, frame, weld) else a, held(reading, frame, b), weld)


def _new(a: ReadSpot, b: ReadSpot, found: dict[int, Hung]) -> bool:
    return id(a.part) in found and id(b.part) not in found


def slips(reading: Reading, frame: ReadFrame, weld: ReadLink) -> bool:
    """A roller that is free along a member does not hold it, or draw it in, along its axis."""
    axes = [turn(frame.turned[id(one.part)], AXES[0]) for one in (weld.p, weld.q) if isinstance(one.part, ReadPiece)]
    free = [turn(frame.turned[id(weld.p.part)], reading.vector(along)) for along in _rolls(weld)]
    return any(dot(cross(along, axis), cross(along, axis)) < TINY for along in free for axis in axes)


def _rolls(weld: ReadLink) -> tuple[Vector, ...]:
    """The directions in which a weld lets go."""
    return weld.source.free_directions if weld.source is not None else ()


def held(reading: Reading, frame: ReadFrame, spot: ReadSpot) -> bool:
    """Whether a piece that hangs by a spot is held beyond as well: its far end leads back to the root."""
    if not isinstance(spot.part, ReadPiece):
        return False
    root = frame.anchor.part if frame.anchor else None
    seen: list[object] = []
    waiting = _neighbours(reading, frame, spot.part, "b" if spot.end == "a" else "a")
    while waiting:
        one = waiting.pop()
        if one is spot.part or any(one is other for other in seen):
            continue
        if isinstance(one, Ground) or (root is not None and one is root):
            return True
        seen.append(one)
        waiting += _neighbours(reading, frame, one, "")
    return False


def _neighbours(reading: Reading, frame: ReadFrame, part: object, end: str) -> list[object]:
    found: list[object] = []
    for weld in frame.welds:
        for mine, other in ((weld.p, weld.q), (weld.q, weld.p)):
            slipping = isinstance(part, ReadPiece) and slips(reading, frame, weld)
            if mine.part is part and (not end or mine.end == end) and not slipping:
                found.append(other.part)
    return found
