"""What small turns draw in: the welds of a frame to second order, in numbers.

To second order a point at the arm a of a body turned by f is drawn in by f x (f x a)/2, and what has rolled by s along
an axis that turns by f goes aside by f x s. The motions of bodies that the welds give by others make up for it, members
follow as a whole; coordinates stay what they are. Welds that close a loop come last, and give way where nothing can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from flexura.derivation.prove.hanging import Hung
from flexura.derivation.prove.program import Number, mp
from flexura.derivation.prove.read import ReadFrame, ReadLink, ReadPiece, ReadSpot
from flexura.derivation.prove.small import Form, ReadMotions, added, along, scaled
from flexura.derivation.prove.vectors import NULL, ZERO, Vector, add, cross, dot, scale, subtract, transpose, turn

Turned = Callable[[ReadSpot], Vector]
"""How a spot moves, or turns, a little."""


@dataclass
class Turning:
    """The second-order motions of one frame as forms in sources, each of which a weld makes along a direction."""

    solver: ReadMotions
    hanging: list[Hung]
    sources: dict[str, tuple[ReadLink, Vector]] = field(default_factory=dict)
    known: dict[str, Form] = field(default_factory=dict)

    def __post_init__(self) -> None:
        frame = self.solver.frame
        first = [one.weld for one in self.hanging if one.weld is not None]
        rest = [one for one in frame.welds if not any(one is other for other in first)]
        if not self.works:
            return
        for weld in (one for one in (*first, *rest) if not (one.p.far or one.q.far)):
            for direction in self.solver.held_apart(weld):
                ends = [along(direction, self._moved(spot)) for spot in (weld.p, weld.q)]
                source = f"source.{len(self.sources)}"
                self.sources[source] = (weld, direction)
                self._take(added([ends[0], scaled(-1, ends[1]), {source: mp.mpf(1)}]))
            for direction in self.solver.held_turned(weld):
                ends = [along(direction, self._turned(spot)) for spot in (weld.p, weld.q)]
                self._take(added([ends[0], scaled(-1, ends[1])]))
        for direction, piece in self._loose(frame):
            self._take(along(direction, self._moved(ReadSpot(piece, NULL))))

    @property
    def works(self) -> bool:
        """Whether turns draw anything in: what floats hangs on nothing. Welds that hold turns only make no source, and
        the spots of a body are drawn in by its turn all the same."""
        return any(one.weld is not None for one in self.hanging)

    def _loose(self, frame: ReadFrame) -> Iterator[tuple[Vector, ReadPiece]]:
        """What is free to be carried stays, from the root outwards: the first stays, and the others follow it."""
        hung = [one.spot.part for one in self.hanging if one.weld is not None]
        for piece in (one for one in hung if isinstance(one, ReadPiece)):
            for weld in frame.welds:
                if piece in (weld.p.part, weld.q.part) and weld.source is not None:
                    for free in weld.source.free_directions:
                        yield turn(frame.turned[id(weld.p.part)], self.solver.reading.vector(free)), piece
            yield from ((axis, piece) for axis in transpose(frame.turned[id(piece)]))

    def _moved(self, spot: ReadSpot) -> list[Form]:
        """How a spot answers."""
        if not isinstance(spot.part, ReadPiece):
            return [self._tied(form) for form in self.solver.moves(spot).displacement]
        anchor = self.solver.frame.anchor
        if anchor is not None and anchor.part is spot.part:
            return [{}, {}, {}]
        return [{f"carried.{spot.part.spine}.{axis}": mp.mpf(1)} for axis in "xyz"]

    def _turned(self, spot: ReadSpot) -> list[Form]:
        if isinstance(spot.part, ReadPiece):
            return [{}, {}, {}]
        return [self._tied(form) for form in self.solver.moves(spot).rotation]

    def _tied(self, form: Form) -> Form:
        return {name: one for name, one in form.items() if name in self.solver.solved}

    def _take(self, row: Form) -> None:
        row = self._put_in(row)
        free = [name for name in row if name not in self.sources]
        if not free:
            return
        pivot = max(free, key=lambda name: abs(row[name]))
        self.known[pivot] = scaled(-1 / row[pivot], {name: one for name, one in row.items() if name != pivot})
        for name, form in self.known.items():
            if pivot in form:
                self.known[name] = self._put_in(form)

    def _put_in(self, row: Form) -> Form:
        return added([scaled(one, self.known.get(name, {name: mp.mpf(1)})) for name, one in row.items()])

    # -- at a state ----------------------------------------------------------------------------------------------------

    def amounts(self, moved: Turned, turned: Turned) -> dict[str, Number]:
        """What the sources are worth."""
        found = {}
        for name, (weld, direction) in self.sources.items():
            apart = subtract(self.drawn(weld.p, turned), self.drawn(weld.q, turned))
            if weld.source is not None and weld.source.free_directions:
                apart = add(apart, cross(turned(weld.p), subtract(moved(weld.q), moved(weld.p))))
            found[name] = dot(direction, apart)
        return found

    def drawn(self, spot: ReadSpot, turned: Turned) -> Vector:
        """What the turn of its body draws a spot in, seen from the mass centre."""
        if isinstance(spot.part, ReadPiece):
            return NULL
        small = turned(spot)
        arm = turn(self.solver.frame.turned[id(spot.part)], spot.point)
        return scale(mp.mpf(1) / 2, cross(small, cross(small, arm)))

    def displacement(self, spot: ReadSpot, amounts: dict[str, Number]) -> Vector:
        """How a spot answers to what the sources are worth."""
        return tuple(self._value(form, amounts) for form in self._moved(spot))

    def rotation(self, spot: ReadSpot, amounts: dict[str, Number]) -> Vector:
        """How its body turns for it."""
        return tuple(self._value(form, amounts) for form in self._turned(spot))

    def _value(self, form: Form, amounts: dict[str, Number]) -> Number:
        total = ZERO
        for name, one in form.items():
            for source, factor in self.known.get(name, {}).items():
                total += one * factor * amounts.get(source, ZERO)
        return total
