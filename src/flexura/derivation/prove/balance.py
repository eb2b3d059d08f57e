"""Energies, losses and virtual work of the parts at a state, from where their particles are and how these move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from flexura.derivation.prove.around import StateAround
from flexura.derivation.prove.moving import RandomState, Snapshot
from flexura.derivation.prove.polynomials import at, derived
from flexura.derivation.prove.program import STEP, DigitsProgram, Number, evaluate, mp
from flexura.derivation.prove.read import ReadFrame, ReadLink, ReadPiece, ReadSpot
from flexura.derivation.prove.vectors import (
    AXES,
    NULL,
    ZERO,
    Matrix,
    Vector,
    add,
    axial,
    cross,
    dot,
    scale,
    subtract,
    transpose,
    turn,
)
from flexura.parts.bodies import Ground
from flexura.parts.contacts import Contact
from flexura.parts.gears import Gear
from flexura.parts.joints import Joint
from flexura.parts.loads import Couple, Gravity, LineForce, Load, PointForce
from flexura.parts.springs import SpringOrDamper, StraightLink, TurningLink
from flexura.symbolic.engine import SPINE, Basic, Symbol, symbol_name
from flexura.symbolic.kinematics.motion import STRETCH


class PartsBalance:
    """What the parts of a state store, lose and do."""

    def __init__(self, state: RandomState, nodes: int) -> None:
        """`nodes` is the number of Gauss points along each piece."""
        self.state, self.reading = state, state.reading
        self.nodes = gauss(nodes)
        self.weight = add(NULL, *(self._pull(one) for one in self.reading.things if isinstance(one, Gravity)))
        self.trees = {id(piece): self._trees(piece) for piece in self.reading.pieces}
        self.extents = list(self._links())

    def _pull(self, one: Gravity) -> Vector:
        return scale(self.reading.number(one.g), self.reading.vector(one.along))

    def _trees(self, piece: ReadPiece) -> DigitsProgram:
        member = piece.mechanics  # where it stretches by its bending is of third order, and `strains` holds that
        extra = (member.kinetic.engine - member.kinetic_of_motion.engine).expand()
        own = (member.rho, *member.rotary_inertia, member.potential, member.dissipation)
        return DigitsProgram([piece.own(one.engine) for one in own] + [piece.own(extra)])

    def points(self, piece: ReadPiece) -> Iterator[tuple[Number, Number]]:
        """Places along a piece and their weights."""
        start, end = piece.ends
        for share, weight in self.nodes:
            yield start + (end - start) * share, weight * (end - start)

    # -- kinetic minus potential energy --------------------------------------------------------------------------------

    def lagrangian(self, moment: StateAround) -> list[Number]:
        """T - V, part by part."""
        found = [self._body(moment, body) for body in self.reading.bodies]
        for frame in self.reading.frames:
            found += [self._line(moment, frame, piece) for piece in frame.parts if isinstance(piece, ReadPiece)]
        found += [-self._law(link.energy(STRETCH), extent(moment.here)) for link, extent in self.extents]
        return found

    def _body(self, moment: StateAround, body: Any) -> Number:
        centre = ReadSpot(body, NULL)
        mass = self.reading.number(body.mass)
        velocity = moment.velocity(lambda one: one.place(centre)[0])
        spin = turn(transpose(moment.here.place(centre)[1]), moment.spin(lambda one: one.place(centre)[1]))
        tensor = [self.reading.vector(row) for row in body.tensor]
        turning = dot(spin, turn(tensor, spin)) / 2
        return mass * dot(velocity, velocity) / 2 + turning + mass * dot(self.weight, moment.here.place(centre)[0])

    def _line(self, moment: StateAround, frame: ReadFrame, piece: ReadPiece) -> Number:
        total = ZERO
        for x, weight in self.points(piece):
            rho, jx, jy, jz, potential, _, extra = moment.evaluate(self.trees[id(piece)], x)
            velocity = moment.velocity(partial(_particle, frame, piece, x))
            energy = rho * dot(velocity, velocity) / 2 - potential + extra
            energy += rho * dot(self.weight, moment.here.particle(frame, piece, x))
            if jx or jy or jz:
                energy += self._turning(moment, frame, piece, x, (jx, jy, jz))
            total += weight * energy
        return total

    def _turning(self, moment: StateAround, frame: ReadFrame, piece: ReadPiece, x: Number, inertia: Vector) -> Number:
        trees = DigitsProgram([piece.own(one.engine) for one in piece.mechanics.rotation])

        def axes(one: Snapshot) -> Matrix:
            def value(name: str) -> Number:
                return _still(one, self.state, name, x)

            far = piece.member.quaternion is not None
            return one.section(frame, piece, one.turn_in_space(piece, value) if far else trees(value), x)

        spin = turn(transpose(axes(moment.here)), moment.spin(axes))
        return sum((j * w**2 for j, w in zip(inertia, spin, strict=True)), ZERO) / 2

    # -- springs and dampers -------------------------------------------------------------------------------------------

    def losses(self, moment: StateAround) -> list[Number]:
        """Rayleigh's function, part by part."""
        found = [self._law(link.dissipation(STRETCH), moment.rate(extent)) for link, extent in self.extents]
        for piece in self.reading.pieces:
            total = ZERO
            for x, weight in self.points(piece):
                total += weight * moment.evaluate(self.trees[id(piece)], x)[5]
            found.append(total)
        return found

    def _links(self) -> Iterator[tuple[SpringOrDamper | Gear, Callable[[Snapshot], Number]]]:
        """Springs and dampers, and what is stretched."""
        for one in self.reading.things:
            if isinstance(one, Contact) and self._turns(one):
                yield one, self._angle(one)
            elif isinstance(one, StraightLink):
                yield one, self._along(one) if one.along is not None else self._distance(one)
            elif isinstance(one, TurningLink):
                yield one, self._angle(one)
            elif isinstance(one, Gear) and one.rate is not None:
                yield one, self._slip(one)

    def _slip(self, gear: Gear) -> Callable[[Snapshot], Number]:
        """By how much the two coordinates of a gear are apart."""
        (first, second), ratio = self.reading.geared(gear), self.reading.number(gear.ratio)
        return lambda one: one.coordinates[first] - ratio * one.coordinates[second]

    def _turns(self, link: Contact) -> bool:
        """Whether a contact is between parts that a joint about one axis joins."""
        ends = {id(self.reading.spot(one).part) for one in (link.p, link.q)}
        for one in self.reading.joints:
            source = one.source
            if source is None or {id(one.p.part), id(one.q.part)} != ends:
                continue
            if link.turns and len(self._angles(one)) == 1 and not source.free_directions:
                return True
        return False

    def _law(self, law: Basic, stretch: Number) -> Number:
        """The law of a spring or damper at a stretch."""
        return evaluate(law, lambda name: stretch if name == STRETCH.name else self.reading.value(name))

    def _pulls(self, link: SpringOrDamper) -> bool:
        """Whether a law is a force where nothing is stretched or moves."""
        laws = link.energy(STRETCH), link.dissipation(STRETCH)
        return any(abs(self._law(one, STEP) - self._law(one, -STEP)) > STEP * mp.mpf(10) ** -20 for one in laws)

    def _along(self, link: Any) -> Callable[[Snapshot], Number]:
        """q's displacement relative to p along axes of the frame that carries p; a body's own turn with it a little.

        That turn counts to first order; to second, where the law pulls at rest. A contact's force depends on motion,
        so that its work on what bending draws in is left out.
        """
        straight = isinstance(link, Contact)
        pulls = not straight and self._pulls(link)
        p, q = self.reading.spot(link.p), self.reading.spot(link.q)
        frame, axis = self.reading.frame(p.part), self.reading.vector(link.along)
        own = axis if isinstance(p.part, ReadPiece) else turn(frame.turned[id(p.part)], axis)

        def apart(one: Snapshot) -> Vector:
            ends = [self._somewhere(one, spot, other, straight) for spot, other in ((p, q), (q, p))]
            return turn(transpose(one.turned[id(frame)]), subtract(ends[1], ends[0]))

        def component(one: Snapshot) -> Number:
            moved = apart(one)
            if not isinstance(p.part, ReadPiece):
                small, far = one.small_turn(frame, p), apart(one.unbent)
                if pulls:
                    twice = scale(mp.mpf(1) / 2, cross(small, cross(small, far)))
                    moved = add(moved, subtract(twice, cross(small, subtract(moved, far))))
                moved = subtract(moved, cross(small, far))
            return dot(own, moved)

        return lambda one: component(one) - component(self.state.rest)

    def _somewhere(self, one: Snapshot, spot: ReadSpot, other: ReadSpot, straight: bool = False) -> Vector:
        """Where a spot is, without what bending draws in if `straight`; ground is where the other one is at rest."""
        return self.state.rest.place(other)[0] if isinstance(spot.part, Ground) else one.place(spot, straight)[0]

    def _distance(self, link: Any) -> Callable[[Snapshot], Number]:
        p, q = self.reading.spot(link.p), self.reading.spot(link.q)
        length = link.free_length

        def distance(one: Snapshot) -> Number:
            line = subtract(one.place(q)[0], one.place(p)[0])
            return mp.sqrt(dot(line, line))

        relaxed = distance(self.state.rest) if length is None else self.reading.number(length)
        return lambda one: distance(one) - relaxed

    def _angle(self, link: Any) -> Callable[[Snapshot], Number]:
        """The angle of the one-axis joint between the parts, with what they turn from there; else that of their frames.

        Frames of one angle each have turned by all angles on the way there, and parts in them by their small turns.
        """
        p, q = self.reading.spot(link.p), self.reading.spot(link.q)
        for joint in self.reading.joints:
            for a, b in ((p, q), (q, p)):
                names = [name for name in self._angles(joint) if joint.p.part is a.part and joint.q.part is b.part]
                if len(names) == 1:
                    name, way = names[0], self._way_round(joint, p, link)
                    turns = [self._turned(spot, self._axis_seen(joint, spot)) for spot in (b, joint.q, a, joint.p)]
                    return lambda one: way * (
                        one.coordinates[name]
                        + turns[0](one) - turns[1](one) - turns[2](one) + turns[3](one)
                    )  # fmt: skip
        frames = self.reading.frame(q.part), self.reading.frame(p.part)
        about = max((self._felt_about(spot, link) for spot in (p, q)), key=lambda axis: abs(axis[0]))
        ends = self._turned(q, about), self._turned(p, about)
        if frames[0] is frames[1]:
            return lambda one: ends[0](one) - ends[1](one)

        def turned_apart(one: Snapshot) -> Number:
            carried = self._carried_round(one, frames[0], about) - self._carried_round(one, frames[1], about)
            return ends[0](one) - ends[1](one) + carried

        return turned_apart

    def _way_round(self, joint: ReadLink, p: ReadSpot, link: Any) -> int:
        """1 if the joint turns q from p about the axis of the link, -1 if the other way round."""
        forward = 1 if joint.p.part is p.part else -1
        if link.about is None:
            return forward
        about = turn(self.state.rest.place(p)[1], self.reading.vector(link.about))
        axis = turn(self.state.rest.place(joint.p)[1], self._senses(joint)[0][1])
        return forward if dot(axis, about) > 0 else -forward

    def _carried_round(self, one: Snapshot, frame: ReadFrame, about: Vector) -> Number:
        """By what angle about an axis a frame has turned in space, counted through all its turns."""
        if frame.parent is None or frame.joint is None:
            return mp.mpf(0)
        seat = frame.joint.p if frame.forward else frame.joint.q
        lies = frame.parent.turned[id(seat.part)]
        turns = self._senses(frame.joint)
        own = sum((dot(turn(lies, axis), about) * one.coordinates[name] for name, axis in turns), mp.mpf(0))
        inboard = self._carried_round(one, frame.parent, about) + dot(one.small_turn(frame.parent, seat), about)
        return inboard + (own if frame.forward else -own)

    def _senses(self, joint: ReadLink) -> list[tuple[str, Vector]]:
        """The coordinates about which a joint turns, with their axes."""
        if not isinstance(joint.source, Joint):
            return []
        names = [Symbol(name) for name in self.reading.joint_names[id(joint.source)]]
        turns = [(symbol_name(angle), self.reading.vector(axis)) for axis, angle in joint.source.rotations(names)]
        return [(name, axis) for name, axis in turns if name]

    def _angles(self, joint: ReadLink) -> list[str]:
        """The coordinates about which a joint turns."""
        if not isinstance(joint.source, Joint):
            return []
        names = self.reading.joint_names[id(joint.source)]
        turned = [symbol_name(angle) for _, angle in joint.source.rotations([Symbol(name) for name in names])]
        return [name for name in turned if name]

    def _turned(self, spot: ReadSpot, about: Vector) -> Callable[[Snapshot], Number]:
        frame = self.reading.frame(spot.part)
        return lambda one: dot(one.small_turn(frame, spot), about)

    def _axis_seen(self, joint: ReadLink, spot: ReadSpot) -> Vector:
        """The axis of a joint that turns about one only, as it lies at rest, in the frame of a spot."""
        ((_, axis),), rest = self._senses(joint), self.state.rest
        in_space = turn(rest.place(joint.p)[1], axis)
        return turn(transpose(rest.turned[id(self.reading.frame(spot.part))]), in_space)

    def _felt_about(self, spot: ReadSpot, link: Any) -> Vector:
        """The axis of small turns that count: the one given, else z, or x where the part turns about nothing else."""
        if link.about is not None:
            return self.reading.vector(link.about)
        solver = self.state.solvers[id(self.reading.frame(spot.part))]
        forms = solver.moves(spot).rotation
        along_z = any(solver.follows(one) for one in forms[2]) or not any(solver.follows(one) for one in forms[0])
        return AXES[2 if along_z else 0]

    # -- virtual work --------------------------------------------------------------------------------------------------

    def work(self, moments: tuple[StateAround, StateAround]) -> list[Number]:
        """The work of each load on the variation between two moments, per unit of it."""
        loads = [self._work(load, *moments) for load in self.reading.loads]
        loads += [self._contact(link, extent, *moments) for link, extent in self.extents if isinstance(link, Contact)]
        return [*loads, *(self._state(name, f, *moments) for name, f in self.reading.rates.items())]

    def _contact(
        self, link: Contact, extent: Callable[[Snapshot], Number], low: StateAround, high: StateAround
    ) -> Number:
        """The work of a contact on its displacement."""
        return low.named(symbol_name(link.acting), None, True) * (extent(high.here) - extent(low.here)) / (2 * STEP)

    def _state(self, name: str, rate: Basic, low: StateAround, high: StateAround) -> Number:
        """What the row of a first-order state, rate - z_t = 0, does on its variation."""
        program = DigitsProgram([rate - Symbol(f"{name}_t")])
        value = (low.evaluate(program)[0] + high.evaluate(program)[0]) / 2
        return value * (high.here.coordinates[name] - low.here.coordinates[name]) / (2 * STEP)

    def _work(self, load: Load, low: StateAround, high: StateAround) -> Number:
        along = [
            self._spread(load, line, piece, low, high)
            for line in load.line_forces
            for piece in self.reading.pieces_of(line.member)
        ]
        if not (load.point_forces or load.couples):
            return sum(along, ZERO)
        spot = self.reading.spot(load.acts_on)
        at_x = spot.point[0] if isinstance(spot.part, ReadPiece) else None
        program = DigitsProgram([self.reading.value_there(load, None)])
        value = (low.evaluate(program, at_x, True)[0] + high.evaluate(program, at_x, True)[0]) / 2
        straight = self.follows_motion(load)
        pushed = [self._pushed(f, straight or self.carried_along(f), low, high) for f in load.point_forces]
        turned = [couple.sense * self._turning_by(couple, straight, low, high) for couple in load.couples]
        return sum(along, ZERO) + value * sum((*pushed, *turned), ZERO)

    def _pushed(self, force: PointForce, straight: bool, low: StateAround, high: StateAround) -> Number:
        """How far a place moves along a force, per unit of the variation."""
        spot = self.reading.spot(force.place)
        moved = subtract(high.here.place(spot, straight)[0], low.here.place(spot, straight)[0])
        along = self.reading.vector(force.along)
        if force.axes is not None:  # half way between the two states
            holder = self.reading.spot(force.axes)
            along = scale(mp.mpf(1) / 2, add(*(turn(one.here.place(holder)[1], along) for one in (low, high))))
        return dot(along, moved) / (2 * STEP)

    def carried_along(self, force: PointForce) -> bool:
        """Whether a force follows axes that joints move: its work on what bending draws in is left out."""
        return force.axes is not None and self.reading.frame(self.reading.spot(force.axes).part).joint is not None

    def _turning_by(self, couple: Couple, straight: bool, low: StateAround, high: StateAround) -> Number:
        """How far a place turns about the axis of a couple, which is that of its holder half way."""
        spot, holder = self.reading.spot(couple.place), self.reading.spot(couple.axis_of)
        axes = [turn(one.here.place(holder)[1], self.reading.vector(couple.about)) for one in (low, high)]
        axis = scale(mp.mpf(1) / 2, add(*axes))
        before, after = (one.here.place(spot, straight)[1] for one in (low, high))
        return dot(axis, axial(before, after, 2 * STEP))

    def follows_motion(self, load: Any, of: tuple[str, ...] = ()) -> bool:
        """Whether a load depends on the motion (`of` some names): it then does no work on what bending draws in."""
        jets = self.state.energies.jets
        lines = [line.member for line in load.line_forces]
        pieces: list[Any] = [piece for member in lines for piece in self.reading.pieces_of(member)] or [None]
        trees = [self.reading.value_there(load, piece) for piece in pieces]
        return any(not of or jet.name in of for f in trees for jet in jets.unknowns(f))

    def _spread(self, load: Load, line: LineForce, piece: ReadPiece, low: StateAround, high: StateAround) -> Number:
        frame = self.reading.frame(piece)
        program = DigitsProgram([self.reading.value_there(load, piece)])
        direction = turn(frame.turned[id(piece)], self.reading.vector(line.along))
        axes = [turn(one.here.turned[id(frame)], direction) for one in (low, high)]
        along = self.reading.vector(line.along) if line.in_space else scale(mp.mpf(1) / 2, add(*axes))
        straight = line.in_space or self.follows_motion(load)
        total = ZERO
        for x, weight in self.points(piece):
            value = (low.evaluate(program, x, True)[0] + high.evaluate(program, x, True)[0]) / 2
            ends = (one.here.particle(frame, piece, x, straight) for one in (high, low))
            moved = subtract(*ends)
            total += weight * value * dot(along, moved) / (2 * STEP)
        return total


def _particle(frame: ReadFrame, piece: ReadPiece, x: Number, one: Snapshot) -> Vector:
    return one.particle(frame, piece, x)


def _still(one: Snapshot, state: RandomState, name: str, x: Number) -> Number:
    """A field or slope in one snapshot."""
    jet = state.energies.jets.find(Symbol(name))
    if jet is None or jet.name not in one.fields:
        return x if name == SPINE.name else state.reading.value(name)
    polynomial = one.fields[jet.name]
    for _ in range(jet.x):
        polynomial = derived(polynomial)
    return at(polynomial, x - state.starts[jet.name])


def gauss(count: int) -> list[tuple[Number, Number]]:
    """Points and weights on 0..1, exact for polynomials of degree 2 count - 1; by Newton from Chebyshev's guesses."""
    if count in _GAUSS:
        return _GAUSS[count]
    found = []
    for i in range(count):
        x = mp.cos(mp.pi * (i + mp.mpf(3) / 4) / (count + mp.mpf(1) / 2))
        for _ in range(12):
            before, value = mp.mpf(1), x
            for n in range(2, count + 1):
                before, value = value, ((2 * n - 1) * x * value - (n - 1) * before) / n
            slope = count * (x * value - before) / (x**2 - 1)
            x -= value / slope
        found.append(((1 + x) / 2, 1 / ((1 - x**2) * slope**2)))
    _GAUSS[count] = found
    return found


_GAUSS: dict[int, list[tuple[Number, Number]]] = {}
