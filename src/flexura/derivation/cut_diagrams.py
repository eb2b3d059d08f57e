"""Diagrams of systems with members: bodies and members cut free, each balance to first order in the deflections.

>>> diagrams = cut_diagrams(energies)
>>> diagrams["beam"].equations, diagrams.reactions["V_beam_end"]

What the part beyond a section exerts on the part before it is N along the member's axis, V (W out of the plane)
across and M (My, T) about it: on a member's end acts N, V, M, on its start the opposite. Their formulas follow from
the density. Bodies are balanced in ground's axes, members in their own, moments about their start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from flexura.derivation.equations.rows import Row, Sum
from flexura.derivation.sections import end_loads
from flexura.energy.lagrangian import Lagrangian
from flexura.symbolic.engine import ZERO, Basic, Symbol, exact
from flexura.symbolic.kinematics.motion import CutFree, CutHold, CutNode, CutPart, Wrench
from flexura.symbolic.kinematics.vectors import (
    AXES,
    EX,
    EY,
    EZ,
    NULL,
    Vector,
    add,
    change,
    cross,
    dot,
    scale,
    subtract,
    turn,
    turn_back,
)
from flexura.symbolic.shorten import shorter
from flexura.symbolic.zero import vanishes

LETTERS = {"axial": "N", "transverse": "V", "lateral": "W", "rotation": "M", "tilt": "My", "twist": "T"}
_ALONG = {"axial": EX, "transverse": EY, "lateral": EZ}
_ABOUT = {"rotation": EZ, "tilt": scale(exact(-1), EY), "twist": EX}  # tilt is w_x
_MINUS = exact(-1)
Rows = tuple[Row, ...]


class CutLaws:
    """Newton's and Euler's laws for the parts of one system."""

    def __init__(self, energies: Lagrangian, cut: CutFree) -> None:
        """`energies` are those of small motions: members carry no fields but their own."""
        self.energies, self.jets, self.cut = energies, energies.jets, cut

    # -- loads ---------------------------------------------------------------------------------------------------

    def on_body(self, name: str) -> list[Wrench]:
        """What acts on a body, or at a place on a member: loads, then what connections exert."""
        acting = [one for one in self.cut.wrenches if one.body == name and not one.spine]
        return [*acting, *(one for hold in self.cut.holds for one in self._held(hold, name))]

    def on_member(self, name: str) -> list[Wrench]:
        """What acts along a member, inside it, and at its ends."""
        along = [one for one in self.cut.wrenches if one.body == name and one.spine]
        inside = [one for node in self._of(name) if len(node.ends) > 1 for one in self.on_body(node.name)]
        return [*along, *inside, *(one for node in self._of(name) for one in self._at_end(node))]

    def _of(self, member: str) -> list[CutNode]:
        return [node for node in self.cut.nodes if node.member == member]

    def _held(self, hold: CutHold, name: str) -> Iterator[Wrench]:
        """On q as named, on p the opposite."""
        sign = {hold.p: -1, hold.q: 1}.get(name, 0) if hold.p != hold.q else 0
        for unit, force, couple in hold.units if sign else ():
            point = hold.point if sign > 0 else hold.on_p
            yield Wrench(unit, "reaction", name, sign * Symbol(unit), force, couple, point)
        if name == hold.carrier and hold.on_p != hold.point:
            arm = change(subtract(hold.point, hold.on_p), shorter)
            for unit, force, _ in hold.units:
                if (couple := cross(arm, force)) != NULL:
                    yield Wrench(unit, "reaction", name, -Symbol(unit), NULL, couple, hold.point)

    def _at_end(self, node: CutNode) -> Iterator[Wrench]:
        """N, V, M at an end where anything is attached, in ground's axes; at a free one there are none."""
        if len(node.ends) > 1 or not self.on_body(node.name):
            return
        (_, end), part = node.ends[0], self._piece(node)
        sign = 1 if end == "b" else -1
        point = self.place_of(node)
        for motion in self._carried(node):
            name = load_name(motion, node)
            force, couple = (turn(part.frame, turn(part.own, way)) for way in _way(motion))
            yield Wrench(name, "boundary", node.member, sign * Symbol(name), force, couple, point)

    def place_of(self, node: CutNode) -> Vector:
        """Where a place on a member is."""
        part = self._piece(node)
        return add(part.origin, turn(part.frame, node.arm))

    def start_of(self, member: str) -> Vector:
        """Where a member starts."""
        return self.place_of(self._of(member)[0])

    def _piece(self, node: CutNode) -> CutPart:
        spine, _ = node.ends[0]
        return next(part for part in self.cut.members[node.member] if part.spine == spine)

    def _motions(self, spine: str) -> list[str]:
        """What an end carries; a member that is no shaft carries along and across its axis, deforming or not."""
        own = set(self.energies.geometry.carriers[spine])
        every = own if own == {"twist"} else own | {"axial", "transverse"}
        return [motion for motion in LETTERS if motion in every]

    def _carried(self, node: CutNode) -> list[str]:
        """What an end carries here: also M where a couple acts on a member whose sections do not turn by themselves."""
        part = self._piece(node)
        found = self._motions(part.spine)
        about = turn(part.frame, turn(part.own, EZ))
        turned = (one for one in self.on_body(node.name) if one.couple != NULL)
        if "transverse" in found and any(not vanishes(dot(one.couple, about)) for one in turned):
            return [motion for motion in LETTERS if motion in {*found, "rotation"}]
        return found

    @cached_property
    def formulas(self) -> Rows:
        """N, V, M of each end as the density gives them; what a member does not deform by has no formula."""
        found = []
        for node in self.cut.nodes:
            if len(node.ends) > 1 or not self.on_body(node.name):
                continue
            spine, end = node.ends[0]
            place = next(one for one in self.energies.spines if one.name == spine).place(end)
            for motion, (_, load) in end_loads(self.energies, spine).items():
                value = self.energies.settled(self.jets.at(load, end, place, spine))
                found.append(Row("reaction", load_name(motion, node), Sum(Symbol(load_name(motion, node))), Sum(value)))
        order = {name: i for i, name in enumerate(LETTERS.values())}
        return tuple(sorted(found, key=lambda row: order[row.name.partition("_")[0]]))

    # -- balances ------------------------------------------------------------------------------------------------

    def of_body(self, part: CutPart) -> Iterator[Row]:
        """Mass times acceleration, and Euler's equation about the mass centre, in ground's axes."""
        loads = self.on_body(part.name)
        centre = centre_of(part)
        force = add(NULL, *(scale(one.amount, one.force) for one in loads))
        moment = add(NULL, *(_moment(one, subtract(one.point, centre)) for one in loads))
        left = [turn(part.frame, way) for way in (scale(part.mass, part.acceleration), part.turning)]
        turns = part.turning != NULL or any(one.couple != NULL for one in loads)
        yield from self._rows(part.name, "xyz", left[0], force)
        if turns:
            yield from self._rows(part.name, ("about x", "about y", "about z"), left[1], moment)

    def of_member(self, name: str) -> Iterator[Row]:
        """The same of a member along its own axes, moments about its start, as far as it can move so."""
        pieces, loads = self.cut.members[name], self.on_member(name)
        start = self._of(name)[0].arm
        first = pieces[0]
        motions = set(self._motions(first.spine))
        for number, way in enumerate(AXES):
            if {"xyz"[number]} & {axis for axis, motion in _FORCES.items() if motion in motions}:
                yield self._balance(name, f"{name}_{'xyz'[number]}", pieces, loads, start, (way, NULL))
        for number, way in enumerate(AXES):
            if _moments(motions) & {"xyz"[number]}:
                yield self._balance(name, f"{name}_about {'xyz'[number]}", pieces, loads, start, (NULL, way))

    def _balance(
        self,
        name: str,
        called: str,
        pieces: Iterable[CutPart],
        loads: list[Wrench],
        start: Vector,
        rigid: tuple[Vector, Vector],
    ) -> Row:
        """Along a unit motion of the member as a rigid body: a translation, or a turn about its start."""
        left: dict[str, Basic] = {}
        right, local = dict[str, Basic](), ZERO
        for part in pieces:
            along, about = (turn(part.own, way) for way in rigid)
            moved = add(along, cross(about, subtract(part.arm, start)))
            left[part.spine] = self.first(part.mass * dot(part.acceleration, moved) + dot(part.turning, about))
            spread = (one for one in loads if one.spine == part.spine)
            push = add(NULL, *(scale(one.amount, turn_back(part.frame, one.force)) for one in spread))
            right[part.spine] = self.first(dot(push, moved))
        here = next(iter(pieces))
        along, about = (turn(here.own, way) for way in rigid)
        for one in (one for one in loads if not one.spine):
            arm = subtract(turn_back(here.frame, subtract(one.point, here.origin)), start)
            push, twist = (turn_back(here.frame, way) for way in (one.force, one.couple))
            local += one.amount * shorter(dot(push, add(along, cross(about, arm))) + dot(twist, about))
        sums = [{spine: shorter(f) for spine, f in side.items() if f != 0} for side in (left, right)]
        return Row("ordinary", called, Sum(ZERO, sums[0]), Sum(shorter(self.first(local)), sums[1]))

    def at_ends(self, member: str) -> Iterator[Row]:
        """What holds N, V and M at both ends."""
        for node in self._of(member):
            yield from self.of_node(node)

    def of_node(self, node: CutNode) -> Iterator[Row]:
        """At an end of a member: what is attached there exerts N, V, M on it."""
        loads = self.on_body(node.name)
        if len(node.ends) > 1 or not loads:
            return
        (_, end), part = node.ends[0], self._piece(node)
        here = self.place_of(node)
        force = add(NULL, *(scale(one.amount, one.force) for one in loads))
        couple = add(NULL, *(_moment(one, subtract(one.point, here)) for one in loads))
        sign = exact(1 if end == "b" else -1)
        for motion in self._carried(node):
            way, turned = (turn(part.frame, turn(part.own, one)) for one in _way(motion))
            value = dot(force, way) + dot(couple, turned)
            name = load_name(motion, node)
            yield Row("reaction", name, Sum(Symbol(name)), Sum(shorter(self.first(sign * value))))

    def _rows(self, name: str, axes: Iterable[str], left: Vector, right: Vector) -> Iterator[Row]:
        for axis, a, b in zip(axes, left, right, strict=True):
            sides = [shorter(self.first(shorter(one))) for one in (a, b)]
            if any(one != 0 for one in sides):
                yield Row("ordinary", f"{name}_{axis}", Sum(sides[0]), Sum(sides[1]))

    def first(self, f: Basic) -> Basic:
        """To first order in the deflections."""
        return self.jets.first_order(f, self.cut.small)


_FORCES = {"x": "axial", "y": "transverse", "z": "lateral"}


def _moments(motions: set[str]) -> set[str]:
    """About which axes a member is balanced: those across the ways it moves, and its own where it twists."""
    if motions == {"twist"}:
        return {"x"}
    found = {"z"} | ({"y"} if "lateral" in motions else set())
    return found | ({"x"} if "twist" in motions else set())


def _way(motion: str) -> tuple[Vector, Vector]:
    """A unit force and a unit couple along a motion, in the member's axes."""
    return _ALONG.get(motion, NULL), _ABOUT.get(motion, NULL)


def _moment(one: Wrench, arm: Vector) -> Vector:
    return scale(one.amount, add(one.couple, change(cross(arm, one.force), shorter)))


def centre_of(part: CutPart) -> Vector:
    """The mass centre of a body, or the particle of a member at x."""
    return add(part.origin, turn(part.frame, part.arm))


def load_name(motion: str, node: CutNode) -> str:
    """N_beam_end, V_beam_start, ..."""
    return f"{LETTERS[motion]}_{node.name.replace('.', '_')}"
