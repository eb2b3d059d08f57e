"""The balance of members cut free: numbers for a random motion, and what all parts miss along a virtual motion.

    >>> laws = CutLaws(energies, energies.cutting())
    >>> Virtual(laws, Motion(laws, 1), symbol).missed()

Fields, coordinates, rates and accelerations are drawn at random and satisfy only the geometric conditions; deflections
are small, so that an error of first order is a hundred times what is allowed.
"""

from __future__ import annotations

import zlib

import numpy as np
import pytest

import flexura as fx
from flexura.derivation.cut_diagrams import CutLaws, _way
from flexura.derivation.equations.rows import Row, Sum
from flexura.derivation.sections import end_loads
from flexura.derivation.surrogate import surrogate_rows
from flexura.symbolic.engine import SPINE, TIME, ZERO, Basic, Symbol, exact, partial
from flexura.symbolic.jets import Jet
from flexura.symbolic.kinematics.vectors import NULL, Vector, add, change, cross, dot, scale, subtract, turn

SMALL = 1e-5
NODES, WEIGHTS = np.polynomial.legendre.leggauss(9)


def number_of(text: str, low: float = -1.0, high: float = 1.0) -> float:
    """The same number for the same word, whatever the order of words."""
    return low + (high - low) * (zlib.crc32(text.encode()) % 10007) / 10007


class Motion:
    """Numbers for everything at one instant: a random motion that satisfies the geometric conditions."""

    def __init__(self, laws: CutLaws, seed: int) -> None:
        self.laws, self.energies, self.seed = laws, laws.energies, str(seed)
        self.known: dict[str, float] = {}
        spines = {spine.name: spine for spine in self.energies.spines}
        self.ends = {name: [self(spine.start), self(spine.end)] for name, spine in spines.items()}
        self.shapes: dict[tuple[str, int], np.poly1d] = {}
        for spine in spines.values():
            for field in spine.fields:
                for t in range(3):
                    self.shapes[field, t] = self._shape(spine.name, field, t)

    def _shape(self, spine: str, field: str, t: int) -> np.poly1d:
        """A polynomial with given values and derivatives at both ends."""
        rows, right = [], []
        for end, x in zip("ab", self.ends[spine], strict=True):
            for order in range(4):
                rows.append([np.polyval(np.polyder(np.poly1d([1.0] + [0.0] * k), order), x) for k in range(8)])
                right.append(self._jet(Jet(field, order, t, end)))
        return np.poly1d(np.linalg.solve(np.array(rows), np.array(right))[::-1])

    def _jet(self, jet: Jet) -> float:
        if jet.end:
            label = Jet(jet.name, jet.x, 0, jet.end).label
            given = self.energies.settled_boundary.get(label)
            if given is not None:
                for _ in range(jet.t):
                    given = self.energies.jets.D_t(given)
                return self(given)
        name = jet.label
        size = SMALL if jet.name in self.laws.cut.small else 1.0
        return size * number_of(name + self.seed)

    def __call__(self, f, x: float = 0.0) -> float:
        """A tree at x."""
        f = exact(f) if isinstance(f, int | float) else f
        values = {SPINE: exact(x), TIME: exact(0.3)}
        for jet in self.energies.jets.inside(f):
            if (jet.name, jet.t) in getattr(self, "shapes", {}) and not jet.end:
                values[jet.symbol] = exact(float(np.polyval(np.polyder(self.shapes[jet.name, jet.t], jet.x), x)))
            else:
                values[jet.symbol] = exact(self._jet(jet))
        f = f.xreplace(values)
        idle = {one: exact(self.known.get(one.name, number_of(one.name, 0.5, 1.5))) for one in f.free_symbols}
        return float(f.xreplace(idle).n(real=True))

    def along(self, f, spine: str) -> float:
        """The integral over a piece."""
        start, end = self.ends[spine]
        places = start + (end - start) * (NODES + 1) / 2
        return float((end - start) / 2 * sum(w * self(f, x) for w, x in zip(WEIGHTS, places, strict=True)))


def rotated(frame, symbol) -> Vector:
    """By which axis a matrix turns as a coordinate grows: dR R^T."""
    rate = [change(row, lambda f: partial(f, symbol)) for row in frame]
    spin = [[dot(rate[i], frame[j]) for j in range(3)] for i in range(3)]
    return (spin[2][1], spin[0][2], spin[1][0])


class Virtual:
    """The virtual motion of one coordinate, or of one free value at an end."""

    def __init__(self, laws: CutLaws, motion: Motion, symbol: Symbol) -> None:
        self.laws, self.motion, self.symbol = laws, motion, symbol
        self.small = {unit: one.inside for one in laws.cut.holds for unit, _, _ in one.units}

    def slope(self, v: Vector) -> Vector:
        return change(v, lambda f: partial(f, self.symbol))

    def of(self, part, arm: Vector, small: Vector) -> tuple[Vector, Vector]:
        moved = self.slope(add(part.origin, turn(part.frame, arm)))
        slope = self.slope(small)
        turned = add(slope, scale(exact(1) / 2, cross(small, slope)))  # of a rotation vector, to first order
        return moved, add(rotated(part.frame, self.symbol), turn(part.frame, turned))

    def work(self, load, way: tuple[Vector, Vector], at: Vector, x: float = 0.0) -> float:
        moved = add(way[0], cross(way[1], subtract(load.point, at)))
        if load.kind == "reaction" and self.small[load.name]:
            moved = self.slope(load.point)  # a connection inside a frame joins places, to first order
        return self.motion(load.amount * (dot(load.force, moved) + dot(load.couple, way[1])), x)

    def missed(self) -> float:
        """What all parts together miss to be in balance."""
        found = sum(map(self.body, self.laws.cut.bodies))
        found += sum(self.piece(part) for parts in self.laws.cut.members.values() for part in parts)
        return found + sum(map(self.node, self.laws.cut.nodes))

    def body(self, part) -> float:
        moved, turned = way = self.of(part, part.arm, part.small)
        at = add(part.origin, turn(part.frame, part.arm))
        inertia = part.mass * dot(turn(part.frame, part.acceleration), moved)
        inertia += dot(turn(part.frame, part.turning), turned)
        return self.motion(inertia) - sum(self.work(load, way, at) for load in self.laws.on_body(part.name))

    def piece(self, part) -> float:
        moved, turned = self.of(part, part.arm, NULL)
        f = part.mass * dot(turn(part.frame, part.acceleration), moved) + dot(turn(part.frame, part.turning), turned)
        for load in self.laws.on_member(part.name):
            if load.spine == part.spine:
                f -= load.amount * dot(load.force, moved)
        return self.motion.along(f + self.tension(part.spine), part.spine)

    def tension(self, spine: str) -> Basic:
        """Against what the tension of a member works that is straight, by the slope that its ends give it.

        What bends carries that work in the V of its sections; the strut below holds the tension against statics.
        """
        if "transverse" in self.laws.energies.geometry.carriers[spine]:
            return ZERO
        D_t, f = self.laws.jets.D_t, ZERO
        for shift in (one for one in self.laws.energies.motion.shifts if one.spine == spine):
            f -= (shift.second - D_t(shift.first)) * partial(shift.amount, self.symbol)
            f += partial(shift.lost, D_t(self.symbol))
        return f

    def node(self, node) -> float:
        """At an end: its loads against N, V, M; inside: against the jump, as far as it moves more than the member.

        At a free end the diagram has no N, V, M: that their formulas vanish there is the natural condition.
        """
        part = self.laws._piece(node)
        spine, end = node.ends[0]
        x = self.motion.ends[spine]["ab".index(end)]
        at = add(part.origin, turn(part.frame, node.arm))
        whole = self.of(part, node.arm, node.small)
        loads = self.laws.on_body(node.name)
        rigid = tuple(change(one, lambda f: f.xreplace({SPINE: exact(x)})) for one in self.of(part, part.arm, NULL))
        bent = tuple(subtract(one, other) for one, other in zip(whole, rigid, strict=True))
        total = -sum(self.work(load, whole, at, x) for load in loads)
        if len(node.ends) == 1 and loads:
            held = list(self.laws._at_end(node))
            return total + sum(self.work(load, bent, at, x) for load in held)
        for spine, end in node.ends:
            for motion, (_, load) in end_loads(self.laws.energies, spine).items():
                force, couple = (turn(part.frame, turn(part.own, one)) for one in _way(motion))
                value = self.motion(load, x) * (self.motion(dot(force, bent[0]) + dot(couple, bent[1]), x))
                total += value if end == "b" else -value
        return total


def valued(motion: Motion, total: Sum) -> float:
    """What stands at places and along lines, together."""
    return motion(total.local) + sum(motion.along(f, spine) for spine, f in total.integrals.items())


def balanced(model: fx.Model, seed: int) -> int:
    """Every equation of a model against what its parts miss; gives how many."""
    energies = model.lagrangian
    small = energies.of_small_motions
    laws = CutLaws(small, energies.cutting())
    motion = Motion(laws, seed)
    motion.known = {row.name: sum(map(motion, row.right.parts())) for row in laws.formulas}
    rows = {row.name: row for row in surrogate_rows(small) if row.kind in ("ordinary", "natural")}
    for name in small.prescribed:
        rows.pop(name, None)  # what drives it works on it
    for name, row in rows.items():
        jet = small.jets.find(Symbol(name))
        missed = Virtual(laws, motion, jet.symbol).missed()
        total = row.left - row.right
        asked = valued(motion, total)
        assert missed == pytest.approx(asked, abs=3e-8 * (1 + abs(asked))), name
    return len(rows)


class Varied(Motion):
    """The same places and rates; accelerations, and strains, are others for each sample."""

    sample = ""

    def varied(self, number: int) -> None:
        """Another sample."""
        self.sample = f"{7919 * number}#"
        for spine in self.energies.spines:
            for field in spine.fields:
                for t in range(3):
                    self.shapes[field, t] = self._shape(spine.name, field, t)

    def _jet(self, jet: Jet) -> float:
        label = Jet(jet.name, jet.x, 0, jet.end).label
        carried = label in {one.label for one in self.energies.free} | {*self.energies.boundary}
        if jet.end and label in self.energies.settled_boundary:
            return super()._jet(jet)
        if jet.t < 2 and (carried or not jet.end):
            return super()._jet(jet)
        size = SMALL if jet.name in self.laws.cut.small else 1.0
        return size * number_of(self.sample + jet.label + self.seed)


def unimplied(model: fx.Model, seed: int) -> float:
    """What rows say, once all reactions are eliminated from them, that the equations do not: as a share of both.

    Such a combination of rows is one of equations, of fields taken along the rigid motions of their members, and
    follows these as accelerations and strains change. A false row, like 0 = F, follows none.
    """
    energies = model.lagrangian.of_small_motions
    cut = model.lagrangian.cutting()
    assert not cut.refusal
    laws, members = CutLaws(energies, cut), [*cut.members]
    motion = Varied(laws, seed)
    rows = [row for part in cut.bodies for row in laws.of_body(part)]
    rows += [row for name in members for row in (*laws.of_member(name), *laws.at_ends(name))]
    sides = [row.left - row.right for row in (*rows, *laws.formulas)]
    ends = {one.name for name in members for one in laws.on_member(name) if one.kind == "boundary"}
    loads = sorted(ends | {unit for hold in cut.holds for unit, _, _ in hold.units})

    def told(values: dict[str, float]) -> np.ndarray:
        motion.known = dict.fromkeys(loads, 0.0) | values
        return np.array([valued(motion, one) for one in sides])

    still = told({})
    matrix = np.array([told({one: 1.0}) - still for one in loads]).T.reshape(len(sides), len(loads))
    left, sizes, _ = np.linalg.svd(matrix)
    free = left[:, int((sizes > 1e-9 * sizes.max(initial=0.0)).sum()) :]
    equations = [row for row in surrogate_rows(energies) if row.name not in energies.prescribed]
    count = sum(len(_asked(motion, row)) for row in equations) + 4
    combined, asked = [], []
    for sample in range(count):
        motion.varied(sample)
        combined.append(told({}) @ free)
        asked.append([f for row in equations if row.kind in _MOVING for f in _asked(motion, row)])
    y, x = np.array(combined), np.array(asked)
    x, y = (one / np.maximum(np.abs(one).max(axis=0), SMALL**2) for one in (x, y))
    missing = y - x @ np.linalg.lstsq(x, y, rcond=1e-11)[0]
    return float(np.abs(missing).max(initial=0.0))


_MOVING = ("ordinary", "natural", "partial")


def _asked(motion: Motion, row: Row) -> list[float]:
    """What an equation misses; one of a field, along a translation, and a turn, of its member as it is bent."""
    total = row.left - row.right
    if row.kind != "partial":
        return [valued(motion, total)]
    spine = motion.energies.spine_of(row.name)
    moved = (exact(1), SPINE, *(Symbol(field) for field in spine.fields))
    return [motion.along(total.local * one, spine.name) for one in moved]
