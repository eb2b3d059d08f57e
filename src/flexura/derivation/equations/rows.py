"""One equation as data: local terms plus integrals along spines, on a left and a right side.

>>> Sum(m * q_tt, {"w": rho * w_tt})        # m q'' + integral of rho w_tt along w's spine
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import symengine

from flexura.energy.lagrangian import Lagrangian, Spine
from flexura.symbolic.engine import ZERO, Basic
from flexura.symbolic.integrals import factors, integral_of_power, terms
from flexura.symbolic.jets import Jets
from flexura.symbolic.shorten import paired

Kind = Literal["ordinary", "partial", "natural", "geometric", "constraint", "reaction"]


@dataclass(frozen=True)
class Sum:
    """`local` plus the integral of `integrals[name]` along each named spine."""

    local: Basic = ZERO
    integrals: Mapping[str, Basic] = field(default_factory=dict)

    def __add__(self, other: Sum) -> Sum:
        names = dict.fromkeys((*self.integrals, *other.integrals))
        merged = {name: self.integrals.get(name, ZERO) + other.integrals.get(name, ZERO) for name in names}
        return Sum(self.local + other.local, {name: f for name, f in merged.items() if f != 0})

    def __neg__(self) -> Sum:
        return self.map(lambda f: -f)

    def __sub__(self, other: Sum) -> Sum:
        return self + (-other)

    def map(self, change: Callable[[Basic], Basic]) -> Sum:
        """Apply a linear change to every part."""
        parts = {name: change(f) for name, f in self.integrals.items()}
        return Sum(change(self.local), {name: f for name, f in parts.items() if f != 0})

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
    """The form that is shown: known integrals done, loads without unknowns on the right, a positive leading sign."""
    left, right = (integrate_known(side, energies).map(paired) for side in (row.left, row.right))
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
        for term in terms(f.expand()):
            split[not jets.unknowns(term)].append(term)
        for part, found in zip((moving, given), split, strict=True):
            if found:
                part[name] = symengine.Add(*found)
    return Sum(moving.pop("", ZERO), moving), Sum(given.pop("", ZERO), given)


def _positive(left: Sum, right: Sum) -> tuple[Sum, Sum]:
    """Flip both sides if most terms on the left are negative."""
    negative = [_is_negative(term) for f in left.parts() for term in terms(f)]
    if 2 * sum(negative) > len(negative):
        return left.map(_opposite), right.map(_opposite)
    return left, right


def _opposite(f: Basic) -> Basic:
    return (-f).expand()


def _is_negative(term: Basic) -> bool:
    number = factors(term)[0]
    return bool(number.is_Number and number.is_negative)
