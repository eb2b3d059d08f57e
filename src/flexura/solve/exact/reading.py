"""Reads linear equations into numbers: what the energies say about each line and about the coordinates.

With u = U e^(st), a product c a b of two jets in L (a tested, b tried) contributes -c (-s)^(t of a) s^(t of b), one in
the dissipation +c s^(t of b), and a load -d(load)/db s^(t of b). Everything is a polynomial K + s C + s^2 M.

    >>> system = read_linear(equations, numbers)
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

import numpy as np
import scipy.linalg
import symengine

from flexura.derivation.equations.equations import Equations
from flexura.energy.lagrangian import Lagrangian, Spine
from flexura.errors import FlexuraError
from flexura.solve.exact.lines import POWERS, Array, Function, Line, LinearSystem, Slot, refuse_sizes
from flexura.symbolic.engine import SPINE, TIME, ZERO, Basic, Symbol, partial, symbol_name
from flexura.symbolic.integrals import terms
from flexura.symbolic.jets import Jet
from flexura.symbolic.values import real_value
from flexura.systems.conditions import eliminated
from flexura.systems.inertia import semidefinite
from flexura.systems.signals.breaks import breaks_along
from flexura.systems.signals.sampled import sampled


def read_linear(equations: Equations, numbers: Mapping[str, float]) -> LinearSystem:
    """Put numbers into linear equations; refuses what is not linear or changes with time."""
    return Reader(equations.lagrangian, numbers).system()


Term = tuple[Jet, Jet, int, Basic, str]  # tested, tried, power of s, coefficient, where it stands
_kept_terms: dict[int, dict[str, list[Term]]] = {}


def _terms_of(energies: Lagrangian) -> dict[str, list[Term]]:
    """What is kept of a Lagrangian while it lives."""
    if id(energies) not in _kept_terms:
        _kept_terms[id(energies)] = {}
        weakref.finalize(energies, _kept_terms.pop, id(energies), None)
    return _kept_terms[id(energies)]


class Reader:
    """Reads trees of one Lagrangian with numbers put in."""

    def __init__(self, energies: Lagrangian, numbers: Mapping[str, float], kept: Collection[str] = ()) -> None:
        """Coordinates in `kept` stay independent, whatever constraints tie them to."""
        self.kept = frozenset(kept)
        if energies.prescribed:
            raise FlexuraError(
                f"The motion of {', '.join(energies.prescribed)} is prescribed",
                advice="linearise first: fx.linearise(...)",
            )
        self.energies, self.jets = energies, energies.jets
        self.known = {Symbol(name): symengine.RealDouble(value) for name, value in numbers.items()}
        self.off = {
            Symbol(name): ZERO for name in energies.inputs if name not in numbers
        }  # a load without a value is small
        generalized = tuple(jet.label for jet in energies.generalized)
        self.multipliers = tuple(name for name, f in energies.constraints.items() if self._mixed(f))
        self.names = (*generalized, *self.multipliers)
        self.index = {name: i for i, name in enumerate(self.names)}

    def system(self) -> LinearSystem:
        """The whole of it."""
        lines = tuple(self._line(spine) for spine in self.energies.spines)
        parts = self._parts()
        rigid = np.zeros((POWERS, len(self.names), len(self.names)))
        for power, part in parts:
            rigid[power] += part
        found = LinearSystem(self.names, rigid, lines, self.independent(), parts, len(self.multipliers))
        _refuse_repeated(found)
        refuse_sizes(found)
        return found

    def _mixed(self, f: Basic) -> bool:
        """Whether a condition holds coordinates and rates: then its multiplier is one more coordinate.

        A condition on rates alone is one on coordinates, whose constant is of no interest to small motions.
        """
        orders = {jet.t > 0 for jet in self.jets.unknowns(self.energies.settled(f))}
        return orders == {True, False}

    def number(self, f: Basic, where: str) -> float:
        """A coefficient without x."""
        f = self._put(f, where)
        if SPINE in f.free_symbols:
            raise FlexuraError(
                f"A coefficient in {where} depends on x, but it belongs to no line", advice="check the energies"
            )
        return _finite(f, where)

    def _put(self, f: Basic, where: str) -> Basic:
        f = f.xreplace({one: self.known[one] for one in f.free_symbols if one in self.known})  # cheap for many parts
        if not f.free_symbols <= {SPINE}:
            f = f.expand()
        left = f.free_symbols - {SPINE}
        if left and left <= set(self.off):
            return f.xreplace(self.off)
        if not left:
            return f
        if TIME in left:
            raise FlexuraError(
                f"A coefficient in {where} depends on t, so there are no modes", advice="give constant coefficients"
            )
        missing = tuple(sorted(symbol.name for symbol in left))
        names = ", ".join(missing)
        if self.jets.unknowns(f):
            raise FlexuraError(
                f"The equations are not linear: {where} multiplies the motion by {names}",
                advice="linearise first: fx.linearise(equations)",
            )
        raise FlexuraError(
            f"In {where} the motion is multiplied by {names}, which has no value",
            advice="give it one in values",
            missing=missing,
        )

    def _terms(self, spine: str) -> list[Term]:
        """Everything on a spine, or what is not spread (""); found once for each Lagrangian, whatever the numbers."""
        kept = _terms_of(self.energies)
        if spine not in kept:
            kept[spine] = list(self._found(spine))
        return kept[spine]

    def _found(self, spine: str) -> Iterable[Term]:
        energies = self.energies
        L = energies.density.get(spine, ZERO) if spine else energies.rigid
        R = energies.dissipation_density.get(spine, ZERO) if spine else energies.dissipation
        loads = energies.work_density.get(spine, {}) if spine else energies.work
        where = f"the density of {spine}" if spine else "the energies"
        for a, b, c in self._pairs(L):
            yield replace(a, t=0), replace(b, t=0), a.t + b.t, -c if a.t % 2 == 0 else c, where
        for a, b, c in self._pairs(R):
            if a.t:
                yield replace(a, t=0), replace(b, t=0), b.t, c, f"the dissipation{f' of {spine}' if spine else ''}"
        for target, load in loads.items():
            where = f"the load on {target}"
            load = energies.settled(load)
            for b in self.jets.unknowns(load):
                for a, share in self._moved(target):
                    yield a, replace(b, t=0), b.t, -share * partial(load, b.symbol), where
        for name in self.multipliers if not spine else ():
            yield from self._condition(name)

    def _condition(self, name: str) -> Iterable[Term]:
        """s A_v + A_q in the row of a multiplier, and A_v' in its column: what the condition exerts."""
        f, where = self.energies.settled(self.energies.constraints[name]), f"the constraint of {name}"
        for b in self.jets.unknowns(f):
            c = partial(f, b.symbol)
            yield Jet(name), replace(b, t=0), b.t, c, where
            if b.t:
                yield replace(b, t=0), Jet(name), 0, c, where

    def _pairs(self, f: Basic) -> Iterable[tuple[Jet, Jet, Basic]]:
        """Second derivatives, term by term: each holds few of the many unknowns of a large frame."""
        found: dict[tuple[Jet, Jet], list[Basic]] = {}
        for term in terms(self.energies.settled(f)):
            for a in self.jets.unknowns(term):
                slope = partial(term, a.symbol)
                for b in self.jets.unknowns(slope):
                    found.setdefault((a, b), []).append(partial(slope, b.symbol))
        for (a, b), shares in sorted(found.items(), key=lambda item: (item[0][0].label, item[0][1].label)):
            c = symengine.Add(*shares)
            if c != 0:
                yield a, b, c

    def _moved(self, target: str) -> list[tuple[Jet, Basic]]:
        """What a load on a target works on: a field, or generalized coordinates (through a given end value)."""
        if target in self.energies.fields:
            return [(Jet(target), symengine.Integer(1))]
        if target in self.index:
            return [(self.energies.generalized[self.index[target]], symengine.Integer(1))]
        value = self.energies.settled_boundary[target]
        return [(jet, partial(value, jet.symbol)) for jet in self.jets.unknowns(value)]

    def _slot(self, jet: Jet, fields: tuple[str, ...]) -> Slot:
        if not jet.end and jet.name in fields:
            return fields.index(jet.name), jet.x
        if jet.label in self.index:
            return -1, self.index[jet.label]
        raise FlexuraError(
            f"The equations hold {jet.label}, a derivative at an end that is not a coordinate of the system",
            advice="modes cannot be found for such a load",
        )

    def _parts(self) -> tuple[tuple[int, Array], ...]:
        """K, C and M of what is not spread, cut by the parameters they are proportional to: (power, matrix).

        A spring's stiffness stands in its own energy alone, so its matrix has a sign of its own, and is not lost beside
        another that is stiffer by any ratio. What has no sign by itself is left as a sum.
        """
        kept = _terms_of(self.energies)
        if _CUT not in kept:
            kept[_CUT] = list(_cut(self._terms("")))
        found: dict[tuple[int, str], dict[tuple[int, int], float]] = {}
        for a, b, power, c, where in kept[_CUT]:
            key = self._power(power, where), where.partition(_CUT)[2]
            into, place = found.setdefault(key, {}), (self._slot(a, ())[1], self._slot(b, ())[1])
            into[place] = into.get(place, 0.0) + self.number(c, where.partition(_CUT)[0])
        together = _Together(len(self.names))
        for (power, _), entries in found.items():
            together.add(power, entries)
        return together.parts

    @staticmethod
    def _power(power: int, where: str) -> int:
        if power >= POWERS:
            raise FlexuraError(
                f"A product of an acceleration and a rate stands in {where}", advice="there are no modes of such"
            )
        return power

    def _line(self, spine: Spine) -> Line:
        orders = tuple(self.energies.orders[name] for name in spine.fields)
        slots: list[Slot] = [(i, x) for i, order in enumerate(orders) for x in range(order + 1)]
        found: dict[tuple[int, Slot, Slot], Basic] = {}
        for a, b, power, c, where in self._terms(spine.name):
            key = self._power(power, where), self._slot(a, spine.fields), self._slot(b, spine.fields)
            for slot in key[1:]:
                if slot not in slots:
                    slots.append(slot)
            found[key] = found.get(key, ZERO) + self._put(c, where)
        start, end = (self.number(place, f"the length of {spine.name}") for place in (spine.start, spine.end))
        if not end > start:
            raise FlexuraError(
                f"The line of {spine.name} runs from {start:g} to {end:g}", advice="give it a positive length"
            )
        constant, varying = _split(found, slots, spine.name)
        breaks = breaks_along(found.values(), start, end)
        ends = self._ends(spine, orders)
        return Line(spine.name, start, end, spine.fields, orders, tuple(slots), constant, varying, breaks, ends)

    def _ends(self, spine: Spine, orders: tuple[int, ...]) -> Array:
        rows = []
        for end in "ab":
            for name, order in zip(spine.fields, orders, strict=True):
                for x in range(order):
                    rows.append(self.row(Jet(name, x=x, end=end).label))
        return np.array(rows).reshape(len(rows), len(self.names))

    def row(self, label: str) -> Array:
        """A coordinate, a free or a given end value as a combination of the generalized coordinates."""
        row = np.zeros(len(self.names))
        if label in self.index:
            row[self.index[label]] = 1.0
            return row
        value = self.energies.settled_boundary[label]
        for jet in self.jets.unknowns(value):
            row[self.index[jet.label]] += self.number(partial(value, jet.symbol), f"the boundary value {label}")
        return row

    def independent(self) -> Array:
        """N of g = N z, which satisfies the linear constraints: one coordinate leaves with each that counts."""
        plain = [name for name in self.energies.constraints if name not in self.multipliers]
        n = len(self.names) - len(self.multipliers)
        A = np.zeros((len(plain), n))
        for row, name in zip(A, plain, strict=True):
            f = self.energies.settled(self.energies.constraints[name])
            for jet in self.jets.unknowns(f):
                row[self.index[replace(jet, t=0).label]] += self.number(
                    partial(f, jet.symbol), f"the constraint of {name}"
                )
        free, _ = eliminated(A, self.names[:n], self.kept)
        return np.asarray(scipy.linalg.block_diag(free, np.eye(len(self.multipliers))))


def _refuse_repeated(system: LinearSystem) -> None:
    """Refuse conditions on rates that are not independent of one another, or of those on coordinates."""
    m = system.multipliers
    if not m:
        return
    names = system.names[-m:]
    A = system.rigid[1][-m:] @ system.independent
    sizes = np.abs(A).max(axis=1, initial=0.0)
    found = np.linalg.svd(A / np.where(sizes > 0, sizes, 1.0)[:, None], compute_uv=False)
    if np.any(sizes == 0) or len(found) < m or found[-1] <= 1e-10 * found[0]:
        raise FlexuraError(
            f"The condition{'s' * (m > 1)} {', '.join(names)} on rates and coordinates repeat{'s' * (m == 1)}"
            " others or contradict them",
            advice="leave out those that follow from the rest",
        )


_CUT = "\n"  # between where a term stands and what it is proportional to


def _cut(found: Iterable[Term]) -> Iterable[Term]:
    """Each term as a sum of products, marked with the symbols that are plain factors wherever they stand."""
    split = [(a, b, power, part, where) for a, b, power, c, where in found for part in _addends(c)]
    plain, other = set[Basic](), set[Basic]()
    for *_, part, _ in split:
        for factor in _factors(part):
            (plain if factor.is_Symbol else other).update(factor.free_symbols)
    for a, b, power, part, where in split:
        mark = sorted(symbol_name(one) for one in _factors(part) if one.is_Symbol and one in plain - other)
        yield a, b, power, part, f"{where}{_CUT}{' '.join(mark)}"


def _addends(c: Basic) -> tuple[Basic, ...]:
    c = c.expand()
    return tuple(c.args) if c.is_Add else (c,)


def _factors(c: Basic) -> tuple[Basic, ...]:
    return tuple(c.args) if c.is_Mul else (c,)


class _Together:
    """Few matrices for many parts: those of one sign that share no coordinate lose nothing in one matrix."""

    def __init__(self, size: int) -> None:
        self._shape = size, size
        self._signed: list[tuple[int, int, set[int], Array]] = []
        self._rest: dict[int, Array] = {}

    def add(self, power: int, entries: Mapping[tuple[int, int], float]) -> None:
        """One part, by its entries."""
        touched = sorted({i for pair in entries for i in pair})
        local = {i: k for k, i in enumerate(touched)}
        form = np.zeros((len(touched), len(touched)))
        for (i, j), value in entries.items():
            form[local[i], local[j]] += value
        into = self._into(power, _sign_of(form), touched)
        into[np.ix_(touched, touched)] += form

    def _into(self, power: int, sign: int, touched: list[int]) -> Array:
        if not sign:
            return self._rest.setdefault(power, np.zeros(self._shape))
        for other, alike, used, matrix in self._signed:
            if (other, alike) == (power, sign) and used.isdisjoint(touched):
                used.update(touched)
                return matrix
        self._signed.append((power, sign, set(touched), np.zeros(self._shape)))
        return self._signed[-1][3]

    @property
    def parts(self) -> tuple[tuple[int, Array], ...]:
        """(power, matrix), those with a sign first."""
        return (*((power, matrix) for power, _, _, matrix in self._signed), *self._rest.items())


def _sign_of(form: Array) -> int:
    """1 where a form is positive semidefinite, -1 where it is negative, 0 where it is neither."""
    if not np.array_equal(form, form.T):
        return 0
    return 1 if semidefinite(form) else -1 if semidefinite(-form) else 0


def _split(
    found: Mapping[tuple[int, Slot, Slot], Basic], slots: list[Slot], name: str
) -> tuple[Array, tuple[tuple[int, int, int, Function], ...]]:
    constant, varying = np.zeros((POWERS, len(slots), len(slots))), []
    where = f"the density of {name}"
    for (power, a, b), c in found.items():
        i, j = slots.index(a), slots.index(b)
        if SPINE in c.free_symbols:
            varying.append((power, i, j, sampled(c, where)))
        else:
            constant[power, i, j] = _finite(c, where)
    return constant, tuple(varying)


def _finite(f: Basic, where: str) -> float:
    value = real_value(f)
    if not math.isfinite(value):
        raise FlexuraError(
            f"With these numbers {where} has a coefficient that is not a finite real number", advice="check the values"
        )
    return value
