"""The work on what small turns draw in: masses, loads and couples on the second-order motions of `turning.py`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from flexura.model.frames import Frame
from flexura.model.shortening import Pull, Shortening
from flexura.model.structure import Part, Segment, Spot
from flexura.model.turning import Turning
from flexura.parts.bodies import Body
from flexura.symbolic.engine import ZERO, Basic, Symbol
from flexura.symbolic.kinematics.motion import Moved, Shift
from flexura.symbolic.kinematics.vectors import AXES, NULL, Vector, add, change, cross, product, transpose, turn


@dataclass
class _Group:
    """What goes along one direction."""

    moved: list[Moved] = field(default_factory=list)
    loads: list[tuple[Pull, Vector]] = field(default_factory=list)


@dataclass
class DrawnIn:
    """The second-order displacements that small turns of bodies make, and what is left out of them.

    `couples` are loads that turn: their vectors work on turns, as those of `found.loads` do on displacements.
    """

    found: Shortening
    couples: list[Pull]
    notes: list[str] = field(default_factory=list)

    @cached_property
    def _loads(self) -> dict[int, list[Pull]]:
        """The loads on each part."""
        found: dict[int, list[Pull]] = {}
        for one in self.found.loads:
            found.setdefault(id(one.spot.part), []).append(one)
        return found

    def _on(self, part: Part) -> list[Pull]:
        return self._loads.get(id(part), [])

    def all(self) -> Iterator[Shift]:
        """Every displacement or turn that does work."""
        for frame in self.found.frames:
            turning = Turning(frame.motions)
            if frame.turning is not None:  # all of it is part of the motion
                self._tell(frame, frame.turning)
            elif turning.works:
                yield from self._of_bodies(frame, turning)
                for source, amount in turning.amounts.items():
                    yield from self._of_source(frame, turning, source, amount)
                self._tell(frame, turning)

    def _tell(self, frame: Frame, turning: Turning) -> None:
        """What is left out is told where anything works on it."""
        if not (frame.moves or self.found.gravity != NULL or self.found.loads or self.couples):
            return
        self.notes += [
            f"{weld.source!r} closes its loop to first order, so what loads and moving masses do to second order by the"
            " small turns in it is left out"
            for weld in {id(one): one for one in turning.unmet}.values()
        ]
        for part in frame.assembly.parts:
            turns = any(turning.answer(part, source)[1] != NULL for source in turning.amounts)
            if turns and any(self._children(frame, part)):
                self.notes.append(
                    f"what joints carry on {part.name} follows its small turn to first order only, though its loop ties"
                    " that turn to others"
                )

    # -- of the spots of one body --------------------------------------------------------------------------------

    def _of_bodies(self, frame: Frame, turning: Turning) -> Iterator[Shift]:
        """What is at a spot of a turned body, seen from its mass centre."""
        for body in (one for one in frame.assembly.parts if isinstance(one, Body)):
            spots = [child[0] for child in self._children(frame, body)]
            spots += [load.spot for load in self._on(body)]
            for spot in {one.key: one for one in spots}.values():
                drawn = turning.drawn(spot)
                for amount, axis in zip(drawn, AXES, strict=True):
                    if amount != 0:
                        here = _Group()
                        self._at_spot(frame, spot, axis, here)
                        yield from self._shifts(frame, amount, {axis: here})

    def _at_spot(self, frame: Frame, spot: Spot, axis: Vector, into: _Group) -> None:
        """Loads at a spot of a part, and what joints carry there."""
        loads = [one for one in self._on(spot.part) if _same(one, spot)]
        for where, child in self._children(frame, spot.part):
            if where.key == spot.key:
                into.moved.append(self.found.seen_from_parent(child))
                loads += [one for one in self.found.loads if child in one.frame.chain]
        into.loads += self.found.seen(frame, loads, axis)

    def _children(self, frame: Frame, part: Part) -> Iterator[tuple[Spot, Frame]]:
        """What joints carry on a part, and where."""
        for child in self.found.frames:
            if child.parent is frame and child.joint:
                yield from ((one, child) for one in (child.joint.p, child.joint.q) if one.part is part)

    # -- of all that the welds tie -------------------------------------------------------------------------------

    def _of_source(self, frame: Frame, turning: Turning, source: Symbol, amount: Basic) -> Iterator[Shift]:
        """What one source carries along, and turns: parts that go the same way are taken together."""
        groups: dict[Vector, _Group] = {}
        for part in frame.assembly.parts:
            carried, turned = turning.answer(part, source)
            if carried == turned == NULL:
                continue
            self._part(frame, part, carried, groups)
            for spot in self._spots(frame, part):
                arm = NULL if isinstance(part, Segment) else turning.arm(spot)
                axis = change(add(carried, cross(turned, arm)), lambda f: f.expand())
                self._at_spot(frame, spot, axis, groups.setdefault(axis, _Group()))
            if isinstance(part, Body) and turned != NULL:
                self._turn(frame, part, groups.setdefault(turned, _Group()))
        yield from self._shifts(frame, amount, groups)

    def _part(self, frame: Frame, part: Part, axis: Vector, groups: dict[Vector, _Group]) -> None:
        group = groups.setdefault(axis, _Group())
        group.moved.append(self.found.lump(frame, part))
        along = [one for one in self._on(part) if one.along]
        group.loads += self.found.seen(frame, along, axis)

    def _spots(self, frame: Frame, part: Part) -> Iterable[Spot]:
        spots = [spot for spot, _ in self._children(frame, part)]
        spots += [one.spot for one in self._on(part) if not one.along]
        return {(spot.end or spot.point): spot for spot in spots}.values()

    def _turn(self, frame: Frame, body: Body, into: _Group) -> None:
        """The angular momentum of a body, and couples on it."""
        axes = frame.assembly.orientation[id(body)]
        inertia = product(product(axes, body.tensor), transpose(axes))
        into.moved.append(Moved(ZERO, turn(inertia, change(frame.spin, self.found.still))))
        couples = [one for one in self.couples if one.spot.part is body]
        into.loads += [(one, self.found.from_space(frame, one.force)) for one in couples]

    def _shifts(self, frame: Frame, amount: Basic, groups: dict[Vector, _Group]) -> Iterator[Shift]:
        for axis, group in groups.items():
            if axis != NULL:
                shift = self.found.shift(frame, "", amount, axis, tuple(group.moved), group.loads)
                if shift.works:
                    yield shift


def _same(load: Pull, spot: Spot) -> bool:
    """Whether a load acts at a spot."""
    if load.along:
        return False
    return load.spot.end == spot.end if spot.end else load.spot.point == spot.point
