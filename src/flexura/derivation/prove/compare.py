"""A Lagrangian held against the parts it was written from.

At random states the variation of T - V together with the virtual work of the loads, Rayleigh's function, and the
conditions of welds and loops are those of the parts. Where members bend, deflections are so small that an error of
second order would stand far above what is left out, which is of third order.

>>> compare(lagrangian)
Agreement(differences={}, states=2, digits=29, bends=True, compared=('T - V and work', ...), skipped=())
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flexura.derivation.prove.around import StateAround
from flexura.derivation.prove.balance import PartsBalance
from flexura.derivation.prove.loops import left_free
from flexura.derivation.prove.moving import RandomState, Snapshot
from flexura.derivation.prove.paths import Draw
from flexura.derivation.prove.program import STEP, DigitsProgram, Number, mp
from flexura.derivation.prove.read import ReadFrame, ReadLink, ReadSpot, UnreadableError, members_of
from flexura.derivation.prove.reading import Reading
from flexura.derivation.prove.small import Form, rank
from flexura.derivation.prove.strains import misread
from flexura.derivation.prove.stretched import stretches
from flexura.derivation.prove.vectors import AXES, ZERO, Vector, add, cross, dot, scale, subtract, transpose, turn
from flexura.energy.lagrangian import Lagrangian
from flexura.parts.bodies import Ground
from flexura.parts.description import Description
from flexura.parts.gears import Gear
from flexura.parts.loads import Constraint, Load
from flexura.parts.rolling import Rolling
from flexura.symbolic.engine import SPINE, Basic, Symbol, partial
from flexura.symbolic.jets import Jet

STATES = 2
ENERGIES, LOSSES, WELDS, LOOPS = "T - V and work", "dissipation", "conditions of welds", "constraints"
STATES_TOO = "rates of states"
STRAINS = "strain of members held along their axis"
HIGHEST = 20
"""Properties and loads are polynomials in x of at most this degree."""
SMALL, LEFT_OUT = mp.mpf(10) ** -12, mp.mpf(10) ** -29
"""The size of deflections, and what may remain: far below their square, far above their cube."""
ROUNDED = mp.mpf(10) ** -40
"""What may remain where nothing is small."""


@dataclass(frozen=True)
class Agreement:
    """What was found: differences by what differs, at how many states, to how many digits, and what was left out."""

    differences: dict[str, str]
    states: int
    digits: int
    bends: bool
    compared: tuple[str, ...]
    skipped: tuple[str, ...]

    def __bool__(self) -> bool:
        return not self.differences


def compare(energies: Lagrangian, states: int = STATES) -> Agreement:
    """Hold a Lagrangian against its parts; raises `UnreadableError` with the reason where that cannot be done."""
    described = energies.source
    if not isinstance(described, Description):
        raise UnreadableError("there are no parts, the system was given by its energies")
    nodes = _nodes(described, energies)
    differences: dict[str, str] = {}
    skipped: dict[str, None] = {}
    strained = False
    bends = _is_small_anywhere(energies, described)
    for seed in range(states):
        check = _Check(energies, described, seed, bends, nodes)
        differences |= {what: told for what, told in check.differences() if what not in differences}
        skipped |= dict.fromkeys(check.skipped)
        strained = strained or bool(check.stretched)
    there = {STRAINS: strained, WELDS: energies.fields, LOOPS: energies.constraints, STATES_TOO: energies.states}
    compared = (ENERGIES, LOSSES, *(what for what, held in there.items() if held))
    return Agreement(differences, states, 29 if bends else 40, bends, compared, tuple(skipped))


def _nodes(described: Description, energies: Lagrangian) -> int:
    """Gauss points enough for integrals along members: of the properties times two deflections, of degree 4 each."""
    trees = [
        f.engine
        for one in members_of(described)
        for f in (one.rho, *one.rotary_inertia, *(() if one.bends_far else (one.potential, one.dissipation)))
    ]
    trees += [one.value.engine for one in described.things if isinstance(one, Load) and one.line_forces]
    degree = max((_degree(f) for f in trees), default=0) + any("x" in of for of in energies.inputs.values())
    return (degree + 9) // 2 + 2


def _degree(f: Basic) -> int:
    """The degree in x of a polynomial, or more: it is read off the tree, since others have derivatives without end."""
    if SPINE not in f.free_symbols:
        return 0
    if f.is_Symbol:
        return 1
    if f.is_Add:
        return max(map(_degree, f.args))
    if f.is_Mul:
        return sum(map(_degree, f.args))
    if f.is_Pow and f.args[1].is_Integer and 0 < int(f.args[1]) <= HIGHEST:
        return _degree(f.args[0]) * int(f.args[1])
    raise UnreadableError("a property or load is no polynomial in x, so its integrals are not exact")


def _is_small_anywhere(energies: Lagrangian, described: Description) -> bool:
    """Whether a field or coordinate counts to second order only."""
    reading = Reading(described, energies, Draw(0).positive)
    state = RandomState(reading, energies, Draw(0), ZERO, ZERO, described.foreshortening)
    return bool({*energies.fields, *energies.coordinates} - {*state.joints, *state.far, *reading.rates})


class _Check:
    """One state."""

    def __init__(self, energies: Lagrangian, described: Description, seed: int, bends: bool, nodes: int) -> None:
        self.energies = energies
        draw = Draw(seed)
        self.reading = Reading(described, energies, lambda name: draw.positive(f"parameter {name}"))
        now = draw.positive("time")
        self.state = RandomState(self.reading, energies, draw, SMALL if bends else ZERO, now, described.foreshortening)
        self.bends = bends
        self.balance = PartsBalance(self.state, nodes)
        self.moments = StateAround(self.state, -STEP), StateAround(self.state, STEP)
        self.stretched = [one for one in self.reading.pieces if self.state.second and stretches(self.state, one)]
        self.skipped: list[str] = []
        self.programs: dict[str, DigitsProgram] = {}

    def differences(self) -> Iterator[tuple[str, str]]:
        """What does not agree, and by how much."""
        for name in sorted(set(self.energies.coordinates) - set(self.state.joints) - self._explained()):
            if re.sub(r"_\d+\Z", "", name) not in self._loose(False):
                raise UnreadableError(f"what {name} moves is not known")
            yield WELDS, f"{name} moves, but the connections hold it"
        if self.state.second and self.reading.pieces:
            left = [one for one in self.reading.loads if one.point_forces or one.line_forces]
            left = [
                one
                for one in left
                if self.balance.follows_motion(one, self.state.joints)
                or any(self.balance.carried_along(force) for force in one.point_forces)
            ]
            self.skipped += ["the work on the shortening of forces that depend on joints"] if left else []
        yield from self._strains()
        yield from self._conditions()
        yield from self._differs(ENERGIES, self._variation_of_parts(), self._variation_of_energies())
        yield from self._differs(LOSSES, self.balance.losses(self.moments[1]), self._losses())
        yield from self._constraints()

    def _explained(self) -> set[str]:
        ends = {one.name for f in self.energies.boundary.values() for one in f.free_symbols}
        return ends | self._loose(True)

    def _loose(self, free: bool) -> set[str]:
        """What the coordinates of bodies inside frames may be called; `free` ones only, or all."""
        solvers = self.state.solvers.values()
        return {
            s.coordinate(name) for s in solvers for name in (s.free if free else s.rest) if name.startswith("body.")
        }

    def _differs(self, what: str, parts: list[Number], energies: list[Number]) -> Iterator[tuple[str, str]]:
        size = max(abs(one) for one in (mp.mpf(1), *parts, *energies))  # parameters are about one, and so are terms
        apart = abs(sum(parts, ZERO) - sum(energies, ZERO))
        allowed = LEFT_OUT if self.bends else ROUNDED
        if not apart <= allowed * size:  # what is no number agrees with nothing
            yield what, f"parts and energies are {mp.nstr(apart / size, 3)} apart, of their own size"

    def _strains(self) -> Iterator[tuple[str, str]]:
        """What members that stretch where they bend store and lose by it, which is of third order."""
        for piece in self.stretched:
            wrong = " and ".join(misread(self.state, piece))
            if wrong:
                yield STRAINS, f"what {piece.name} {wrong} is not that of its strain"

    # -- T - V and work ------------------------------------------------------------------------------------------------

    def _variation_of_parts(self) -> list[Number]:
        low, high = (self.balance.lagrangian(one) for one in self.moments)
        varied = [(b - a) / (2 * STEP) for a, b in zip(low, high, strict=True)]
        return [*varied, *self.balance.work(self.moments)]

    def _variation_of_energies(self) -> list[Number]:
        low, high = (self._lagrangian(one) for one in self.moments)
        varied = [(b - a) / (2 * STEP) for a, b in zip(low, high, strict=True)]
        return [*varied, *self._work()]

    def _lagrangian(self, moment: StateAround) -> list[Number]:
        rigid = self._program("", "rigid", self.energies.kinetic, self.energies.potential)
        kinetic, potential = moment.evaluate(rigid, None, True)
        return [kinetic, -potential, *self._integrals(moment, "density", self.energies.density)]

    def _integrals(self, moment: StateAround, what: str, densities: Mapping[str, Basic]) -> list[Number]:
        found = []
        for piece in self.reading.pieces:
            tree = densities.get(piece.spine)
            if tree is not None:
                program = self._program(piece.spine, what, tree)
                points = self.balance.points(piece)
                found.append(sum((w * moment.evaluate(program, x, True)[0] for x, w in points), ZERO))
        return found

    def _program(self, where: str, what: str, *trees: Basic) -> DigitsProgram:
        """Trees are read once for both moments."""
        key = f"{what} of {where}"
        if key not in self.programs:
            self.programs[key] = DigitsProgram(trees)
        return self.programs[key]

    def _losses(self) -> list[Number]:
        moment = self.moments[1]
        rigid = moment.evaluate(DigitsProgram([self.energies.dissipation]), None, True)
        return [*rigid, *self._integrals(moment, "losses", self.energies.dissipation_density)]

    def _work(self) -> list[Number]:
        """Generalized forces times the variations of what they act on."""
        found = []
        for label, f in self.energies.work.items():
            found.append(self._mean(DigitsProgram([f]), None) * self._variation(Symbol(label), None))
        for piece in self.reading.pieces:
            for label, f in self.energies.work_density.get(piece.spine, {}).items():
                program = DigitsProgram([f])
                total = ZERO
                for x, weight in self.balance.points(piece):
                    total += weight * self._mean(program, x) * self._variation(Symbol(label), x)
                found.append(total)
        return found

    def _mean(self, program: DigitsProgram, x: Number | None) -> Number:
        return sum((one.evaluate(program, x, True)[0] for one in self.moments), ZERO) / 2

    def _variation(self, symbol: Symbol, x: Number | None) -> Number:
        low, high = (one.named(symbol.name, x, True) for one in self.moments)
        return (high - low) / (2 * STEP)

    # -- conditions ----------------------------------------------------------------------------------------------------

    def _conditions(self) -> Iterator[tuple[str, str]]:
        """End values satisfy the welds, and leave as much free as these do."""
        here = self.moments[1].here
        for frame in self.reading.frames:
            solver = self.state.solvers[id(frame)]
            values = here.values[id(frame)]
            for row in solver.conditions:
                left = sum((factor * values[name] for name, factor in row.items()), ZERO)
                size = max(SMALL, *(abs(factor * values[name]) for name, factor in row.items()))
                if abs(left) > ROUNDED * size:
                    where = ", ".join(sorted({name.partition("@")[0] for name in row}))
                    yield WELDS, f"the values of {where} at ends do not hold together"
            allowed = sum(self.state.orders[n] * 2 for p in frame.parts for n in getattr(p, "fields", ()))
            free = allowed - rank(solver.conditions) - sum(self._has_length(part) for part in frame.parts)
            if free != rank(self._tangents(frame)):
                yield WELDS, "the ends of members are not as free as the connections leave them"

    def _has_length(self, part: Any) -> bool:
        """Whether the quaternion of a piece begins with a length that is given, and not held by a condition."""
        parts = getattr(getattr(part, "member", None), "quaternion", None) or ()
        symbols = (one for f in parts[:1] for one in part.own(f.engine).free_symbols)
        return any(f"{one.name}@a" in self.energies.boundary for one in symbols)

    def _tangents(self, frame: ReadFrame) -> list[Form]:
        """How end values change with each small coordinate and each free end value."""
        found: dict[str, Form] = {}
        for part in frame.parts:
            for name in getattr(part, "fields", ()):
                for end in "ab":
                    for x in range(self.state.orders[name]):
                        self._tangent(Jet(name, x, end=end).label, found)
        return list(found.values())

    def _tangent(self, label: str, found: dict[str, Form]) -> None:
        tree = self.energies.settled_boundary.get(label, Symbol(label))
        for symbol in tree.free_symbols:
            if symbol.name in self.state.joints or self.energies.jets.find(symbol) is None:
                continue
            slope = DigitsProgram([partial(tree, symbol)])(self.reading.value)[0]
            found.setdefault(symbol.name, {})[label] = slope

    def _constraints(self) -> Iterator[tuple[str, str]]:
        """Loops close where the energies say so; written constraints are there."""
        written = [one for one in self.reading.things if isinstance(one, Constraint)]
        for i, one in enumerate(written, 1):
            if self.energies.constraints.get(f"lambda_{i}") != one.expression.engine:
                yield LOOPS, f"the constraint {one.text} is not among the conditions"
        for link in left_free(self.state):
            yield LOOPS, f"the conditions leave something free that {link.source!r} holds"
        rolling = {
            f"lambda_{one.label}_{which}": (one, which)
            for one in self.reading.things
            if isinstance(one, Rolling)
            for which in ("t", "n", "t1", "t2")
        }
        gears = {f"lambda_{self._gear(one)}": one for one in self.reading.things if isinstance(one, Gear)}
        for name, tree in self.energies.constraints.items():
            if name in rolling:
                yield from self._rolls(*rolling[name], tree)
                continue
            if name in gears:
                yield from self._meshed(gears[name], tree)
                continue
            cut = name.removeprefix("lambda_").rpartition("_")
            axis = "xyz".find(cut[2]) if len(cut[2]) == 1 else -1
            links = [link for link in self.reading.cuts if axis >= 0 and self._closes(link, cut[0])]
            if len(links) == 1:
                here = self.moments[1].here
                ends = [self._somewhere(here, *pair) for pair in ((links[0].p, links[0].q), (links[0].q, links[0].p))]
                gap = dot(subtract(ends[1], ends[0]), AXES[axis])
                told = self.moments[1].evaluate(DigitsProgram([tree]), None, True)[0]
                if abs(gap - told) > (SMALL * mp.mpf(10) ** -4 if self.bends else ROUNDED) * max(1, abs(gap)):
                    yield LOOPS, f"the places joined by {links[0].source!r} are not where the condition has them"
            elif cut[0] or not name.removeprefix("lambda_").isdigit():
                self.skipped.append(f"the condition {name}")

    def _rolls(self, one: Rolling, which: str, tree: Basic) -> Iterator[tuple[str, str]]:
        """The touching point of a body moves as fast as the surface below it, in a direction that is square to none."""
        reading, moment = self.reading, self.moments[1]
        wheel, surface = reading.spot(one.q), reading.spot(one.p)
        centre, axes = moment.here.place(wheel)
        base, under = moment.here.place(surface)
        below = turn(under, reading.vector(one.normal))
        if one.turns_about is not None and reading.spatial:
            axle = turn(axes, reading.vector(one.turns_about))
            below = subtract(below, scale(dot(below, axle), axle))
            below = scale(1 / mp.sqrt(dot(below, below)), below)
        touching = subtract(centre, scale(reading.number(one.radius), below))
        on_wheel = ReadSpot(wheel.part, add(wheel.point, turn(transpose(axes), subtract(touching, centre))))
        on_surface = ReadSpot(surface.part, add(surface.point, turn(transpose(under), subtract(touching, base))))
        slip = moment.velocity(lambda now: now.place(on_wheel)[0])
        if not isinstance(surface.part, Ground):
            slip = subtract(slip, moment.velocity(lambda now: now.place(on_surface)[0]))
        told = moment.evaluate(DigitsProgram([tree]), None, True)[0]
        for along in self._held_ways(one, which):
            speed = dot(slip, turn(under, along))
            if abs(speed - told) <= (SMALL * mp.mpf(10) ** -4 if self.bends else ROUNDED) * max(1, abs(speed)):
                return
        yield LOOPS, f"{one!r} is not among the conditions as its contact moves"

    def _held_ways(self, one: Rolling, which: str) -> Iterator[Vector]:
        """The direction of a condition: the normal, the one given, or in space one square to the normal."""
        if which == "n" or (which == "t" and not self.reading.spatial):
            yield self.reading.vector(one.normal if which == "n" else one.along)
            return
        normal = self.reading.vector(one.normal)
        for axis in AXES:
            for way in (cross(axis, normal), cross(normal, cross(axis, normal))):
                size = mp.sqrt(dot(way, way))
                if size > 0:
                    yield scale(1 / size, way)
                    yield scale(-1 / size, way)

    def _gear(self, gear: Gear) -> str:
        return gear.name or "gear_" + "_".join(self.reading.geared(gear))

    def _meshed(self, gear: Gear, tree: Basic) -> Iterator[tuple[str, str]]:
        """A rigid gear: one coordinate is a multiple of the other."""
        first, second = (self.moments[1].here.coordinates[name] for name in self.reading.geared(gear))
        told = self.moments[1].evaluate(DigitsProgram([tree]), None, True)[0]
        if abs(first - self.reading.number(gear.ratio) * second - told) > ROUNDED * max(1, abs(first)):
            yield LOOPS, f"{gear!r} is not among the conditions as it is written"

    def _closes(self, link: ReadLink, name: str) -> bool:
        own = link.source.label if link.source is not None else ""
        return name == (own or f"{link.p.part.name}_{link.q.part.name}")

    def _somewhere(self, here: Snapshot, spot: ReadSpot, other: ReadSpot) -> Vector:
        if spot.everywhere:
            return self.state.rest.place(other)[0]
        return here.place(spot, straight=True)[0]
