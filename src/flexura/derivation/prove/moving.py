"""Everything at a random state: coordinates, fields along members, and from them where each particle is in space.

A state is a path: coordinates and fields depend on an amount s of a virtual displacement and on a time tau, linearly
where nothing prescribes them, so that differences in s and tau give variations and rates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from flexura.derivation.prove.hanging import Hung, outwards
from flexura.derivation.prove.paths import Draw, Path
from flexura.derivation.prove.polynomials import Polynomial, at, derived, integrated, multiplied, summed
from flexura.derivation.prove.program import DigitsProgram, Number, evaluate, mp
from flexura.derivation.prove.read import ReadFrame, ReadPiece, ReadSpot, UnreadableError
from flexura.derivation.prove.reading import Reading
from flexura.derivation.prove.small import Form, ReadMotions
from flexura.derivation.prove.turning import Turning
from flexura.derivation.prove.vectors import (
    AXES,
    NULL,
    ZERO,
    Matrix,
    Vector,
    add,
    product,
    rotation_vector,
    scale,
    subtract,
    transpose,
    turn,
    turned_by,
)  # fmt: skip
from flexura.energy.lagrangian import Lagrangian
from flexura.symbolic.engine import SPINE, Basic, Symbol
from flexura.symbolic.jets import Jet
from flexura.symbolic.kinematics.vectors import tame


@dataclass(frozen=True, eq=False)
class RandomState:
    """A reading with all that is random: sizes of deflections, the time, the seed."""

    reading: Reading
    energies: Lagrangian
    draw: Draw
    small: Number
    now: Number
    second: bool

    @cached_property
    def joints(self) -> tuple[str, ...]:
        """The coordinates of joints, and first-order states, which may be large."""
        joints = (name for names in self.reading.joint_names.values() for name in names if name)
        return (*joints, *self.reading.rates)

    @cached_property
    def far(self) -> frozenset[str]:
        """Fields of members that bend far, and the coordinates that give their ends: nothing about them is small."""
        fields = {name for piece in self.reading.pieces if piece.far for name in piece.fields}
        fields |= set(self.energies.ties.values())
        ends = {label: f for label, f in self.energies.boundary.items() if label.partition("@")[0] in fields}
        given = {symbol.name for f in ends.values() for symbol in f.free_symbols}
        return frozenset(fields | (given & set(self.energies.coordinates)))

    @cached_property
    def solvers(self) -> dict[int, ReadMotions]:
        """The small motions of every frame."""
        return {id(frame): ReadMotions(self.reading, frame) for frame in self.reading.frames}

    @cached_property
    def rest(self) -> Snapshot:
        """The reference configuration."""
        return Snapshot(self, ZERO, ZERO, still=True)

    @cached_property
    def unbent(self) -> RandomState:
        """The same motion of joints without any deflection."""
        return replace(self, small=ZERO)

    @cached_property
    def hanging(self) -> dict[int, list[Hung]]:
        """The parts of every frame from its anchor, or ground, outwards; rollers last. What floats hangs on nothing."""
        return {id(frame): outwards(self.reading, frame) if self.second else [] for frame in self.reading.frames}

    @cached_property
    def turning(self) -> dict[int, Turning]:
        """What the small turns in every frame draw in."""
        return {key: Turning(solver, self.hanging[key]) for key, solver in self.solvers.items()}

    @cached_property
    def orders(self) -> dict[str, int]:
        """How many values each field has at an end."""
        found: dict[str, int] = {}
        for piece in self.reading.pieces:
            trees = [piece.own(f.engine) for f in (piece.mechanics.density, piece.mechanics.dissipation)]
            for name in piece.fields:
                jets = [self.energies.jets.find(symbol) for f in trees for symbol in f.free_symbols]
                found[name] = max((jet.x for jet in jets if jet and jet.name == name), default=0)
        return found

    @cached_property
    def starts(self) -> dict[str, Number]:
        """Where the piece of each field starts."""
        return {name: piece.ends[0] for piece in self.reading.pieces for name in piece.fields}

    def end_of(self, jet: Jet) -> Number:
        """The place of an end value."""
        piece = next(one for one in self.reading.pieces if jet.name in one.fields)
        return piece.ends["ab".index(jet.end[0])]

    def given(self, jet: Jet, x: Number | None) -> Number:
        """An input: a number, or a polynomial in x; what varies along x is taken to be as small as deflections."""
        if jet.x or jet.t:
            raise UnreadableError(f"the derivative {jet.label} of an input is in a load")
        if "x" not in self.energies.inputs[jet.name]:
            return self.draw.any(jet.name)
        if jet.end:
            spine = next(one for one in self.reading.pieces if one.spine == jet.end[2:])
            x = spine.ends["ab".index(jet.end[0])]
        return self.small * (self.draw.any(jet.name) + self.draw.any(f"{jet.name} along x") * x)

    @cached_property
    def boundary(self) -> dict[str, DigitsProgram]:
        """The given end values, ready to be evaluated."""
        return {label: DigitsProgram([f]) for label, f in self.energies.settled_boundary.items()}

    @cached_property
    def motions(self) -> dict[str, DigitsProgram]:
        """Prescribed motions."""
        return {name: DigitsProgram([f]) for name, f in self.energies.prescribed.items()}

    @cached_property
    def owners(self) -> dict[str, str]:
        """The field whose end value a coordinate is, for coordinates that are one."""
        found: dict[str, str] = {}
        for label, f in self.energies.boundary.items():
            jet = self.energies.jets.find(Symbol(label))
            if jet is not None and jet.x == 0 and isinstance(f, Symbol):
                found.setdefault(f.name, jet.name)
        return found

    def coordinate(self, name: str, s: Number, tau: Number, shift: Number = ZERO) -> Number:
        """A coordinate; `shift` is by how much a small one is measured from elsewhere."""
        if name in self.motions:
            moved = self.motions[name](lambda one: self.now + tau if one == "t" else self.reading.value(one))[0]
            return moved + Path(self.draw, mp.mpf(1)).given(name, s, tau)
        size = mp.mpf(1) if name in self.joints or name in self.far else self.small
        return Path(self.draw, size).value(name, s, tau) + shift


@dataclass
class Snapshot:
    """The system at one s and tau: poses of frames, fields, small motions; or at rest but for what is `shown`."""

    state: RandomState
    s: Number
    tau: Number
    coordinates: dict[str, Number] = field(default_factory=dict)
    fields: dict[str, Polynomial] = field(default_factory=dict)
    shifts: dict[str, Number] = field(default_factory=dict)
    values: dict[int, dict[str, Number]] = field(default_factory=dict)
    turned: dict[int, Matrix] = field(default_factory=dict)
    origin: dict[int, Vector] = field(default_factory=dict)
    straight: dict[int, Vector] = field(default_factory=dict)
    carried: dict[int, tuple[Hung, Vector]] = field(default_factory=dict)
    amounts: dict[int, dict[str, Number]] = field(default_factory=dict)
    still: bool = False
    shown: Mapping[str, Number] = field(default_factory=dict)

    @cached_property
    def unbent(self) -> Snapshot:
        """The same without any deflection."""
        return Snapshot(self.state.unbent, self.s, self.tau, still=self.still)

    def __post_init__(self) -> None:
        state = self.state
        for name in (*state.joints, *state.energies.moving):
            if not self.still:
                self.coordinates[name] = state.coordinate(name, self.s, self.tau)
            else:
                self.coordinates[name] = self.shown.get(name, ZERO)
        for frame in state.reading.frames:
            self._pose(frame)
            self._deform(frame)

    # -- frames --------------------------------------------------------------------------------------------------------

    def _pose(self, frame: ReadFrame) -> None:
        """Place and axes in space; `straight` is the place without what bending draws in."""
        if frame.parent is None or frame.joint is None:
            self.turned[id(frame)], self.origin[id(frame)], self.straight[id(frame)] = AXES, NULL, NULL
            return
        seat = frame.joint.p if frame.forward else frame.joint.q
        where = self.place(seat)[0]
        straight, axes = self.place(seat, straight=True)  # axes that a loop turns further are told to be left out
        shift, inner = self._joint(frame)
        if not frame.forward:
            inner = transpose(inner)
            shift = scale(mp.mpf(-1), turn(inner, shift))
        self.turned[id(frame)] = product(axes, inner)
        self.origin[id(frame)] = add(where, turn(axes, shift))
        self.straight[id(frame)] = add(straight, turn(axes, shift))

    def _joint(self, frame: ReadFrame) -> tuple[Vector, Matrix]:
        """Where q is and how it is turned, from p, in p's axes."""
        assert frame.joint is not None
        joint, reading = frame.joint.source, self.state.reading
        assert joint is not None
        given = {f"${i}": self.coordinates[name] if name else ZERO for i, name in enumerate(frame.names)}
        q = [Symbol(name) for name in given]

        def number(f: Basic) -> Number:
            return evaluate(f, lambda name: given[name] if name in given else reading.value(name))

        turned: Matrix = AXES
        for axis, angle in (*joint.rotations(q), *((axis, tame(angle)) for axis, angle in joint.resting)):
            turned = product(turned, turned_by(scale(number(angle), reading.vector(axis))))
        return tuple(number(part) for part in joint.translation(q)), turned

    # -- deflections ---------------------------------------------------------------------------------------------------

    def _deform(self, frame: ReadFrame) -> None:
        state = self.state
        pieces = [one for one in frame.parts if isinstance(one, ReadPiece)]
        for piece in pieces:
            self._measure(frame, piece)
        for name, owner in state.owners.items():
            if owner in self.shifts and name not in state.joints and any(owner in one.fields for one in pieces):
                self.coordinates[name] = (
                    ZERO if self.still else state.coordinate(name, self.s, self.tau, self.shifts[owner])
                )
        ends: dict[str, Number] = {}
        for piece in pieces:
            for name in piece.fields:
                self._bend(piece, name, ends)
        self.values[id(frame)] = state.solvers[id(frame)].values(ends, self.coordinates)
        self._hang(frame)

    def _measure(self, frame: ReadFrame, piece: ReadPiece) -> None:
        """By how much fields exceed deflections, because they are measured from another body."""
        reading = self.state.reading
        body = reading.described.measured_from.get(piece.member)
        moved: Vector = NULL
        if body is not None and not self.still:
            base = reading.frame(getattr(body, "body", body))
            at_rest = self.state.rest
            d = subtract(self._seen(frame, base), at_rest._seen(frame, base))
            axes = product(transpose(self.turned[id(base)]), self.turned[id(frame)])
            moved = turn(transpose(frame.turned[id(piece)]), turn(transpose(axes), d))
        carriers = piece.carriers("a")
        for i, motion in enumerate(("axial", "transverse", "lateral")):
            name = carriers.get(motion, "").partition("@")[0]
            if name in piece.fields:
                self.shifts[name] = moved[i]

    def _seen(self, frame: ReadFrame, base: ReadFrame) -> Vector:
        away = subtract(self.straight[id(frame)], self.straight[id(base)])
        return turn(transpose(self.turned[id(base)]), away)

    def _bend(self, piece: ReadPiece, name: str, ends: dict[str, Number]) -> None:
        """A polynomial with the end values that are given, random where they are free and inside."""
        order, length = self.state.orders[name], piece.ends[1] - piece.ends[0]
        shift = self.shifts.get(name, ZERO)
        at: dict[tuple[int, str], Number] = {}
        for end in "ab":
            for x in range(order):
                label = Jet(name, x, end=end).label
                value = self._end_value(label) - (shift if x == 0 and label in self.state.boundary else ZERO)
                at[x, end] = ends[label] = value
        inside = self._small(f"{name} inside")
        if order == 0:
            self.fields[name] = (inside, self._small(f"{name} slope"))
        elif order == 1:
            a, b = at[0, "a"], at[0, "b"]
            self.fields[name] = (a, (b - a) / length + inside * length, -inside)
        elif order == 2:
            a, b, sa, sb = at[0, "a"], at[0, "b"], at[1, "a"], at[1, "b"]
            second = (3 * (b - a) / length - 2 * sa - sb) / length + inside * length**2
            third = (2 * (a - b) / length + sa + sb) / length**2 - 2 * inside * length
            self.fields[name] = (a, sa, second, third, inside)
        else:
            raise UnreadableError(f"{piece.member.name} holds derivatives of {name} beyond the second")

    def _end_value(self, label: str) -> Number:
        if label not in self.state.boundary:
            return self._small(label)
        return self.state.boundary[label](self._known)[0]

    def _known(self, name: str) -> Number:
        """A name in a given end value: a coordinate, a free end value, a parameter."""
        if name in self.coordinates:
            return self.coordinates[name]
        if "@" not in name:
            return self.state.reading.value(name)
        jet = self.state.energies.jets.find(Symbol(name))
        return self._small(name) + (self.shifts.get(jet.name, ZERO) if jet is not None and jet.x == 0 else ZERO)

    def _small(self, name: str) -> Number:
        far = name.partition("@")[0].partition(" ")[0] in self.state.far
        size = mp.mpf(1) if far else self.state.small
        return ZERO if self.still else Path(self.state.draw, size).value(name, self.s, self.tau)

    # -- what bending draws in -----------------------------------------------------------------------------------------

    def _hang(self, frame: ReadFrame) -> None:
        """What the spot by which each part hangs is drawn in by."""
        for one in self.state.hanging[id(frame)]:
            carried = NULL if one.carrier is None else self._shortened(frame, one.carrier)
            self.carried[id(one.spot.part)] = (one, carried)
        moved, turned = partial(self._displaced, frame), partial(self.small_turn, frame)
        self.amounts[id(frame)] = self.state.turning[id(frame)].amounts(moved, turned)

    def _displaced(self, frame: ReadFrame, spot: ReadSpot) -> Vector:
        moves = self.state.solvers[id(frame)].moves(spot)
        return tuple(self.form(frame, one) for one in moves.displacement)

    def _shortened(self, frame: ReadFrame, spot: ReadSpot) -> Vector:
        """What bent members draw a spot in."""
        if isinstance(spot.part, ReadPiece):
            return self._shortened_along(frame, spot.part, spot.point[0])
        return self.carried[id(spot.part)][1] if id(spot.part) in self.carried else NULL

    def drawn(self, frame: ReadFrame, spot: ReadSpot) -> Vector:
        """The second-order displacement of a spot, in the frame's axes."""
        turning = self.state.turning[id(frame)]
        found = [self._shortened(frame, spot), turning.displacement(spot, self.amounts[id(frame)])]
        if turning.works:
            found.append(turning.drawn(spot, partial(self.small_turn, frame)))
        return add(*found)

    def drawn_along(self, frame: ReadFrame, piece: ReadPiece, x: Number) -> Vector:
        """The same for a particle of a piece at x."""
        carried = self.state.turning[id(frame)].displacement(ReadSpot(piece, NULL), self.amounts[id(frame)])
        return add(carried, self._shortened_along(frame, piece, x))

    def _shortened_along(self, frame: ReadFrame, piece: ReadPiece, x: Number) -> Vector:
        """What the piece hangs on is drawn in, and half the integral of its own squared slopes."""
        if id(piece) not in self.carried or piece.far or piece.tied:
            return NULL
        hung, carried = self.carried[id(piece)]
        if hung.held:
            return carried
        start = ZERO if hung.spot.end == "a" else piece.ends[1] - piece.ends[0]
        squares = [multiplied(one, one) for one in map(derived, self.local(frame, piece)[1:])]
        total = sum((integrated(one, start, x - piece.ends[0]) for one in squares), ZERO)
        return add(carried, scale(-total / 2, turn(frame.turned[id(piece)], AXES[0])))

    # -- where things are ----------------------------------------------------------------------------------------------

    def form(self, frame: ReadFrame, form: Form) -> Number:
        """The value of a linear form."""
        values = self.values[id(frame)]
        return sum((factor * values[name] for name, factor in form.items()), ZERO)

    def small_turn(self, frame: ReadFrame, spot: ReadSpot) -> Vector:
        """The small rotation of a spot, in the frame's axes."""
        if isinstance(spot.part, ReadPiece) and spot.part.member.quaternion is not None:
            own = self.turn_in_space(spot.part, lambda name: self.values[id(frame)][f"{name}@{spot.end}"])
            return turn(frame.turned[id(spot.part)], own)
        moves = self.state.solvers[id(frame)].moves(spot)
        return tuple(self.form(frame, one) for one in moves.rotation)

    @staticmethod
    def turn_in_space(piece: ReadPiece, values: Callable[[str], Number]) -> Vector:
        """The rotation vector, in its own axes, of a section that turns far in space."""
        return rotation_vector([evaluate(piece.own(one.engine), values) for one in piece.member.quaternion or ()])

    def place(self, spot: ReadSpot, straight: bool = False) -> tuple[Vector, Matrix]:
        """Where a spot is in space, and its axes."""
        frame = self.state.reading.frame(spot.part)
        moved, small = add(frame.rest(spot), self._displaced(frame, spot)), self.small_turn(frame, spot)
        if not straight or frame.tied:
            moved = add(moved, self.drawn(frame, spot))
        if not straight:
            small = add(small, self.state.turning[id(frame)].rotation(spot, self.amounts[id(frame)]))
        origin, turned = (self.straight if straight else self.origin)[id(frame)], self.turned[id(frame)]
        axes = product(product(turned, turned_by(small)), product(frame.turned[id(spot.part)], spot.turned))
        return add(origin, turn(turned, moved)), axes

    def local(self, frame: ReadFrame, piece: ReadPiece) -> tuple[Polynomial, Polynomial, Polynomial]:
        """The displacement along the piece's own axes, as polynomials."""
        if id(piece) in self._locals:
            return self._locals[id(piece)]
        found = [self._component(piece, i) for i in range(3)]
        ends = set(piece.member.ends)
        values = self.values[id(frame)]
        if ends != {"twist"}:
            if "axial" not in ends and not piece.tied:
                found[0] = summed(found[0], (values[f"axial.{piece.member.name}.shift"],))
            if "transverse" not in ends:
                a, b = (values[f"across.{piece.spine}.{end}"] for end in "ab")
                found[1] = summed(found[1], (a, (b - a) / (piece.ends[1] - piece.ends[0])))
        self._locals[id(piece)] = (found[0], found[1], found[2])
        return self._locals[id(piece)]

    @cached_property
    def _locals(self) -> dict[int, tuple[Polynomial, Polynomial, Polynomial]]:
        return {}

    def _component(self, piece: ReadPiece, i: int) -> Polynomial:
        tree = piece.own(piece.mechanics.displacement[i].engine)
        if tree == 0:
            return (ZERO,)
        if not isinstance(tree, Symbol) or tree.name not in self.fields:
            raise UnreadableError(f"the displacement of {piece.member.name} is not one of its fields")
        return self.fields[tree.name]

    def particle(self, frame: ReadFrame, piece: ReadPiece, x: Number, straight: bool = False) -> Vector:
        """Where the particle of a piece at x is in space."""
        local = tuple(at(one, x - piece.ends[0]) for one in self.local(frame, piece))
        value = self.state.reading.value
        own = tuple(
            evaluate(f.engine, lambda name: x if name == SPINE.name else value(name)) for f in piece.member.axis
        )
        rest = add(frame.origin[id(piece)], turn(frame.turned[id(piece)], add(own, local)))
        moved = rest if straight and not frame.tied else add(rest, self.drawn_along(frame, piece, x))
        origin = (self.straight if straight else self.origin)[id(frame)]
        return add(origin, turn(self.turned[id(frame)], moved))

    def section(self, frame: ReadFrame, piece: ReadPiece, rotation: Vector, x: Number) -> Matrix:
        """The axes in space of a section turned by a rotation vector in the piece's axes."""
        turned = turned_by(turn(frame.turned[id(piece)], rotation))
        axes = product(product(self.turned[id(frame)], turned), frame.turned[id(piece)])
        if piece.member.quaternion is None:  # its inertia is the same about all axes that it does not turn about
            return axes
        value, member = self.state.reading.value, piece.member
        angle = evaluate(member.heading.engine, lambda name: x if name == SPINE.name else value(name))
        return product(axes, turned_by(scale(angle, self.state.reading.vector(member.about))))
