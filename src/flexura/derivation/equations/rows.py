"""One equation as data: local terms plus integrals along spines, on a left and a right side.

>>> Sum(m * q_tt, {"w": rho * w_tt})        # m q'' + integral of rho w_tt along w's spine
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import symengine

from flexura.energy.lagrangian import Lagrangian, Spine
from flexura.errors import FlexuraError
from flexura.symbolic.engine import ZERO, Basic
from flexura.symbolic.gathered import gathered
from flexura.symbolic.integrals import factors, integral_of_power, terms
from flexura.symbolic.jets import Jets
from flexura.symbolic.multiplied import MOST, multiplied_out
from flexura.symbolic.shorten import paired
from flexura.symbolic.waves import waves

WRITTEN = 100_000
"""Terms that are written at most."""
PLAIN = 2_000
"""Terms up to which products of sines and cosines are also tried as they are."""
Kind = Literal["ordinary", "partial", "natural", "geometric", "constraint", "reaction"]


@dataclass(frozen=True)
class Sum:
    """`local` plus the integral of `integrals[name]` along each named spine.

    Parts that are `gathered` have sums as factors of their terms, to be read so: they are not multiplied out.
    """

    local: Basic = ZERO
    integrals: Mapping[str, Basic] = field(default_factory=dict)
    gathered: bool = field(default=False, compare=False)

    def __add__(self, other: Sum) -> Sum:
        names = dict.fromkeys((*self.integrals, *other.integrals))
        merged = {name: self.integrals.get(name, ZERO) + other.integrals.get(name, ZERO) for name in names}
        kept = {name: f for name, f in merged.items() if f != 0}
        return Sum(self.local + other.local, kept, self.gathered or other.gathered)

    def __neg__(self) -> Sum:
        return self.map(lambda f: -f)

    def __sub__(self, other: Sum) -> Sum:
        return self + (-other)

    def map(self, change: Callable[[Basic], Basic]) -> Sum:
        """Apply a linear change to every part."""
        parts = {name: change(f) for name, f in self.integrals.items()}
        return Sum(change(self.local), {name: f for name, f in parts.items() if f != 0}, self.gathered)

    def times(self, factor: Basic) -> Sum:
        """Every part multiplied; the factor does not vary along x."""
        return self.map(lambda f: f * factor)

    @property
    def empty(self) -> bool:
        """Nothing here."""
        return bool(self.local == 0) and not self.integrals

    def parts(self) -> tuple[Basic, ...]:
        """Local part and integrands."""
        return (self.local, *self.integrals.values())


@dataclass(frozen=True)
class Row:
    """One equation, left = right: of a coordinate, of a field on its spine, or a condition at an end."""

    kind: Kind
    name: str
    left: Sum
    right: Sum
    spine: str = ""

    @property
    def sides(self) -> tuple[Sum, Sum]:
        """Left and right."""
        return self.left, self.right

    @property
    def residual(self) -> Sum:
        """Left minus right."""
        return self.left - self.right


def tidy(row: Row, energies: Lagrangian) -> Row:
    """Multiplied out: known integrals done, loads without unknowns on the right, a positive leading sign."""
    return _arranged(row, energies, *(integrate_known(side, energies).map(paired) for side in row.sides))


def legible(row: Row, energies: Lagrangian) -> Row:
    """The same in compound angles, gathered by what moves, where that is shorter."""
    return _arranged(row, energies, *(_readable(side, energies) for side in row.sides))


def _arranged(row: Row, energies: Lagrangian, left: Sum, right: Sum) -> Row:
    if row.kind == "geometric":
        return Row(row.kind, row.name, left, right, row.spine)
    if row.kind in ("natural", "constraint") or left.empty:
        left, right = left - right, Sum()
    if row.kind == "reaction":
        return Row(row.kind, row.name, left, right, row.spine)
    moving, given = _split(left, energies.jets)
    left, right = moving, right - given
    if (row.kind != "ordinary" and row.kind != "partial") or row.left.empty:
        left, right = _positive(left, right)
    return Row(row.kind, row.name, left, right, row.spine)


def _readable(side: Sum, energies: Lagrangian) -> Sum:
    """Known integrals done; each part multiplied out, or in compound angles where that is shorter."""
    flat = Sum(side.local, {name: _flat(f) for name, f in side.integrals.items()})
    done = integrals_done(flat, energies)
    parts = {name: (f, _compound(f, energies)) for name, f in (("", done.local), *done.integrals.items())}
    refuse_long(f for f, compound in parts.values() if compound is None)
    trees = {name: paired(f.expand()) if compound is None else compound for name, (f, compound) in parts.items()}
    return Sum(trees.pop(""), trees, any(compound is not None for _, compound in parts.values()))


def _flat(f: Basic) -> Basic:
    """An integrand whose terms can be integrated one by one."""
    if multiplied_out(f) <= PLAIN:
        return f.expand()
    found = waves(f)
    if found is None:
        refuse_long([f])
        return f.expand()
    return found.tree()


def _compound(f: Basic, energies: Lagrangian) -> Basic | None:
    def order(one: Basic) -> int:
        jets = energies.jets.inside(one)
        return max((-1 if jet.name in energies.inputs else jet.t for jet in jets), default=-2)

    return gathered(f, order, PLAIN)


def refuse_long(trees: Iterable[Basic]) -> None:
    """Nobody reads that many terms, and to multiply them out would take minutes or for ever."""
    refuse_many(map(multiplied_out, trees))


def refuse_many(counts: Iterable[int]) -> None:
    """The same for trees that are counted already."""
    count = sum(counts)
    if count > WRITTEN:
        raise FlexuraError(
            f"Multiplied out, these equations have {'more than ' * (count >= MOST)}{count:.1g} terms, and at most"
            f" {WRITTEN} are written",
            advice="fx.simulate, fx.modes, fx.equilibrium and fx.linearise take them as they are; equations.named"
            " writes those of chains shorter",
        )


def integrate_known(side: Sum, energies: Lagrangian) -> Sum:
    """Do the integrals that hold no field and only powers of x, as the memo turns int rho dx into a mass (step 11)."""
    done = integrals_done(side, energies)
    return Sum(done.local.expand(), done.integrals)


def integrals_done(side: Sum, energies: Lagrangian) -> Sum:
    """The same with what is local left as it is written: expanding it may cost more than the derivation."""
    local, rest = side.local, {}
    for spine in energies.spines:
        if spine.name not in side.integrals:
            continue
        known, unknown = _powers(side.integrals[spine.name].expand(), spine, energies.jets)
        local += known
        if unknown != 0:
            rest[spine.name] = unknown
    return Sum(local, rest)


def _powers(f: Basic, spine: Spine, jets: Jets) -> tuple[Basic, Basic]:
    known: list[Basic] = []
    unknown: list[Basic] = []
    for term in terms(f):
        integral = None if _along_x(term, jets) else integral_of_power(term, spine.start, spine.end)
        (unknown if integral is None else known).append(term if integral is None else integral)
    return symengine.Add(*known).expand(), symengine.Add(*unknown)


def _along_x(f: Basic, jets: Jets) -> bool:
    return any(not jet.end and "x" in jets.varies(jet.name) for jet in jets.inside(f))


def _split(side: Sum, jets: Jets) -> tuple[Sum, Sum]:
    """What moves and what is given (no unknown in the term)."""
    moving: dict[str, Basic] = {}
    given: dict[str, Basic] = {}
    for name, f in (("", side.local), *side.integrals.items()):
        split: tuple[list[Basic], list[Basic]] = ([], [])
        for term in terms(f if side.gathered else f.expand()):
            split[not jets.unknowns(term)].append(term)
        for part, found in zip((moving, given), split, strict=True):
            if found:
                part[name] = symengine.Add(*found)
    return (
        Sum(moving.pop("", ZERO), moving, side.gathered),
        Sum(given.pop("", ZERO), given, side.gathered),
    )


def _positive(left: Sum, right: Sum) -> tuple[Sum, Sum]:
    """Flip both sides if most terms on the left are negative."""
    negative = [_is_negative(term) for f in left.parts() for term in terms(f)]
    if 2 * sum(negative) > len(negative):
        return left.map(_opposite), right.map(_opposite)
    return left, right


def _opposite(f: Basic) -> Basic:
    return symengine.Add(*(-term for term in terms(f)))


def _is_negative(term: Basic) -> bool:
    number = factors(term)[0]
    return bool(number.is_Number and number.is_negative)
