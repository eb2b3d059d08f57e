"""What hangs on what inside a frame: by which end a member hangs, and what its other end carries along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flexura.model.frames import Frame
from flexura.model.reaching import Reaching
from flexura.model.structure import Part, Segment, Spot, Weld
from flexura.model.turning import outwards
from flexura.parts.bodies import Ground
from flexura.symbolic.kinematics.vectors import EX, NULL, cross, turn


@dataclass(frozen=True)
class Beyond:
    """What a displacement carries along: spots of parts in the same frame, and frames that hang on them."""

    parts: list[Part]
    frames: list[Frame]
    held: bool


class Carrying:
    """Answers for the frames of one model."""

    def __init__(self, frames: list[Frame]) -> None:
        """`frames` are all that may hang on one another."""
        self.frames = frames
        self._hanging: dict[int, dict[int, Spot]] = {}
        self._welded: dict[int, dict[int, list[tuple[Weld, Spot, Spot]]]] = {}
        self._reaching: dict[int, Reaching | None] = {}
        self._together: dict[int, dict[int, int]] = {}

    def inboard_end(self, frame: Frame, seg: Segment) -> str | None:
        """The end on the anchor's side, or None for what floats."""
        anchor = frame.assembly.anchor
        if anchor is not None and anchor.part is seg:
            return anchor.end
        carrier = self._carriers(frame).get(id(seg))
        return carrier.end if carrier else None

    def carries(self, frame: Frame) -> bool:
        """Whether joints carry frames on a frame."""
        return any(one.parent is frame for one in self.frames)

    def _carriers(self, frame: Frame) -> dict[int, Spot]:
        """For each part the spot by which it hangs."""
        if id(frame) not in self._hanging:
            self._hanging[id(frame)] = {id(spot.part): spot for _, spot in outwards(frame.assembly)}
        return self._hanging[id(frame)]

    def inboard_of(self, frame: Frame, spot: Spot) -> list[Segment]:
        """The members by which a spot hangs on what carries the frame, or on ground: whose bending moves it."""
        found: list[Segment] = []
        hung = {id(one.part): (weld, one) for weld, one in outwards(frame.assembly)}
        anchor = frame.assembly.anchor
        while True:
            part = spot.part
            weld, by = hung.get(id(part), (None, anchor))
            if isinstance(part, Segment) and (by is None or by.part is not part or by.end != spot.end):
                found.append(part)
            if weld is None:
                return found
            spot = weld.p if weld.q.part is part else weld.q

    def _beside(self, frame: Frame) -> dict[int, list[tuple[Weld, Spot, Spot]]]:
        """For each part its welds, with its own spot and the other."""
        if id(frame) not in self._welded:
            found: dict[int, list[tuple[Weld, Spot, Spot]]] = {}
            for weld in frame.assembly.welds:
                for mine, other in ((weld.p, weld.q), (weld.q, weld.p)):
                    found.setdefault(id(mine.part), []).append((weld, mine, other))
            self._welded[id(frame)] = found
        return self._welded[id(frame)]

    def held_briefly(self, frame: Frame, seg: Segment, ends: Sequence[str]) -> Beyond | None:
        """Where nothing hangs on a frame and a segment is held at its far end, that is all there is to know."""
        if self.carries(frame):
            return None
        if id(frame) not in self._reaching:
            self._reaching[id(frame)] = Reaching(frame.assembly) if Reaching.serves(frame.assembly) else None
        reaching = self._reaching[id(frame)]
        if reaching is None:
            return None
        near = (one for end in ends for one in self._neighbours(frame, seg, Spot(seg, NULL, end)))
        return Beyond([], [], True) if any(reaching.without(seg, one) for one in near if one is not seg) else None

    def together(self, frame: Frame) -> dict[int, int]:
        """For each part which of the groups it is in that hang together without ground."""
        if id(frame) not in self._together:
            found: dict[int, int] = {}
            for first in frame.assembly.parts:
                waiting = [first]
                while waiting:
                    one = waiting.pop()
                    if id(one) not in found and not isinstance(one, Ground):
                        found[id(one)] = id(first)
                        waiting += [other.part for _, _, other in self._beside(frame).get(id(one), ())]
            self._together[id(frame)] = found
        return self._together[id(frame)]

    def beyond(self, frame: Frame, part: Segment, *ends: str, briefly: bool = False) -> Beyond:
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
        return Beyond(seen, [one for one in self.frames if self._hangs(one, frame, part, starts, seen)], held)

    def held_stiffly(self, frame: Frame, seg: Segment) -> bool:
        """Whether both ends lead to the root by bodies and the same member alone: nothing there bends or gives way."""
        return all(self._leads_to_root(frame, seg, end) for end in "ab")

    def _leads_to_root(self, frame: Frame, seg: Segment, end: str) -> bool:
        anchor, known = frame.assembly.anchor, {id(seg)}
        if anchor is not None and anchor.part is seg and anchor.end == end:
            return True
        waiting = self._neighbours(frame, seg, Spot(seg, NULL, end))
        while waiting:
            one = waiting.pop()
            if isinstance(one, Ground) or (anchor is not None and one is anchor.part and one is not seg):
                return True
            if id(one) in known or (isinstance(one, Segment) and one.member is not seg.member):
                continue
            known.add(id(one))
            waiting += self._neighbours(frame, one, None)
        return False

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


def _same_spot(a: Spot, b: Spot) -> bool:
    if a.part is not b.part:
        return False
    return a.end == b.end if isinstance(a.part, Segment) else a.point == b.point
