"""What stands where on display: which terms of an equation stand together, and in which order. Data, no typography.

    >>> for block in DisplayOrder(energies).side(row.left):
    ...     print(block.spine, block.groups)

The order of a sum: inertia (what holds an acceleration), products of rates (gyroscopic), rates (damping), displacements
(stiffness), given loads; within each by variable (coordinates, then fields, then multipliers), degree and derivative
along x. Inside a product: numbers, parameters (g and lengths after the rest, then x), given functions, then what moves.
Nothing depends on the engine's own order of arguments, which differs between platforms.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any, NamedTuple

import symengine

from flexura.derivation.equations.rows import Sum
from flexura.energy.lagrangian import Lagrangian
from flexura.symbolic.engine import ONE, SPINE, WIDTH, Basic
from flexura.symbolic.integrals import factors, terms
from flexura.symbolic.jets import Jet

INERTIA, GYROSCOPIC, DAMPING, STIFFNESS, LOAD = range(5)
_RUN = 4  # names in a sum that are written as the first, dots and the last
_ODD = (symengine.sin, symengine.tan, symengine.asin, symengine.atan, symengine.sinh, symengine.tanh, symengine.sign)
_EVEN = (symengine.cos, symengine.cosh, symengine.Abs)
_UNORDERED = (symengine.Add, symengine.Mul, symengine.And, symengine.Or)
_LENGTH = re.compile(r"[lLrRhd](?:[\d_]|\Z)")
_DIGITS = re.compile(r"\d+")
_HEAD = re.compile(r"([^\W\d_]*)(.*)\Z")
_LOWER = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi"
_UPPER = "omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
GREEK = dict(zip(f"{_LOWER} {_UPPER}".split(), "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ", strict=True))
SECTIONS = (
    ("Equations of motion", ("ordinary",)),
    ("Field equations", ("partial",)),
    ("Boundary conditions", ("natural", "geometric")),
    ("Constraints", ("constraint",)),
    ("Reactions", ("reaction",)),
)
Level = IntEnum("Level", "SUM BAR PRODUCT QUOTIENT POWER ATOM")
"""How tightly a piece of mathematics holds together; looser than its surroundings, it gets parentheses."""
Key = tuple[Any, ...]
Member = tuple[bool, tuple[Basic, ...]]
"""Whether negative, and the factors that move (jets, functions of jets)."""


class Written(NamedTuple):
    """Written mathematics and how tightly it holds together."""

    text: str
    level: Level = Level.ATOM


@dataclass(frozen=True)
class Style:
    """How a format writes each thing, from pieces already written."""

    name: Callable[[str, int], str]  # a name, with so many dots
    derivative: Callable[[bool, str, int, int], Written]  # partial or not, of what, orders in x and t
    power: Callable[[Written, Written], Written]
    root: Callable[[Written], Written]
    fraction: Callable[[Sequence[Written], Sequence[Written]], Written]  # products above and below the line
    call: Callable[[str, Sequence[str], str], Written]  # function, arguments, exponent
    bar: Callable[[Written, Written], Written]  # of what, x = where
    integral: Callable[[Written, Written, Written], Written]  # of what, from, to
    cases: Callable[[Sequence[tuple[str, str]]], Written]  # values and conditions; the last condition may be empty
    wrap: Callable[[str], str]  # parentheses
    words: Mapping[str, str]  # signs and words


@dataclass(frozen=True)
class Summand:
    """One summand: sign, number, given factors (sums among them), (sum of `members`); all of it at x = `at`, if set."""

    negative: bool
    number: Basic
    given: tuple[Basic, ...] = ()
    members: tuple[Member, ...] = ()
    at: Basic | None = None


@dataclass(frozen=True)
class DisplayBlock:
    """A group, or the integral of a sum of groups along a spine."""

    negative: bool
    groups: tuple[Summand, ...]
    spine: str = ""


class DisplayOrder:
    """The display order of one system's expressions."""

    def __init__(self, energies: Lagrangian) -> None:
        """Variables rank as the system lists them."""
        self.energies, self.jets = energies, energies.jets
        names = (*energies.moving, *energies.fields, *energies.multipliers, *sorted(energies.inputs))
        self._index = {name: i for i, name in enumerate(names)}
        self._keys: dict[Basic, str] = {}
        self._oriented: dict[Basic, Basic] = {}
        self._known: dict[Basic, tuple[Jet, ...]] = {}

    def side(self, side: Sum) -> tuple[DisplayBlock, ...]:
        """Expand one side of an equation, unless it is gathered, and collect its terms by what multiplies them."""
        found: dict[Key, list[Summand]] = {}
        for spine, f in (("", side.local), *side.integrals.items()):
            tree = self.oriented(f) if side.gathered else self.oriented(f.expand()).expand()
            for group in self._singles(tree):
                found.setdefault((spine, group.members or group.given), []).append(group)
        ranked = [((*self._rank(one[0]), spine), self._collected(one)) for (spine, _), one in found.items()]
        ranked.sort(key=lambda item: item[0])
        return self._blocks(_together([(rank[0], rank[-1], group) for rank, group in ranked]))

    def tree(self, f: Basic) -> tuple[Summand, ...]:
        """The summands of an oriented tree as it stands, in display order."""
        return _positive_first([self._placed(group) for group in self._singles(f)])

    def oriented(self, f: Basic) -> Basic:
        """Odd and even functions whose argument starts with a minus, turned around: sin(-a + b) is -sin(a - b)."""
        if f in self._oriented:
            return self._oriented[f]
        turned: dict[Basic, Basic] = {}
        for one in f.atoms(*_ODD, *_EVEN):
            argument = self.oriented(one.args[0])
            function = symengine.Function(name_of(one))  # the engine would turn its own functions back
            if argument != 0 and self._singles(argument)[0].negative:
                turned[one] = (-1 if isinstance(one, _ODD) else 1) * function(_opposite(argument))
            elif argument != one.args[0]:
                turned[one] = function(argument)
        self._oriented[f] = f.xreplace(turned) if turned else f
        return self._oriented[f]

    @staticmethod
    def runs(groups: Sequence[Summand]) -> list[tuple[int, int]]:
        """Where at least four single names follow one another in number, as m3 + m4 + m5 + m6: (first, last + 1)."""
        found, start = list[tuple[int, int]](), 0
        for stop in range(1, len(groups) + 1):
            if stop == len(groups) or not _follows(groups[stop - 1], groups[stop]):
                found += [(start, stop)] if stop - start >= _RUN else []
                start = stop
        return found

    def inside(self, f: Basic) -> tuple[Jet, ...]:
        """The jets in `f`, given functions included."""
        if f not in self._known:
            self._known[f] = tuple(self.jets.inside(f))
        return self._known[f]

    def key(self, f: Basic) -> str:
        """A text that identifies a tree, whatever order the engine keeps its arguments in; m2 comes before m10."""
        if f not in self._keys:
            parts = [self.key(part) for part in f.args]
            inner = ",".join(sorted(parts) if isinstance(f, _UNORDERED) else parts)
            name = _DIGITS.sub(lambda digits: digits[0].zfill(9), name_of(f))
            self._keys[f] = f"{name}({inner})" if inner else name
        return self._keys[f]

    def place(self, jet: Jet) -> Basic:
        """Where the end of a jet lies; that of a given function names its spine."""
        end, _, spine = jet.end.partition("_")
        return self.energies.spine_of(spine or jet.name).place(end)

    def _moves(self, f: Basic) -> list[Jet]:
        return [jet for jet in self.inside(f) if jet.name not in self.energies.inputs]

    def _singles(self, f: Basic) -> list[Summand]:
        """One group for each summand, in display order."""
        return sorted(map(self._single, terms(f)), key=self._rank)

    def _single(self, term: Basic) -> Summand:
        number, (given, loads, moving) = ONE, (list[Basic]() for _ in range(3))
        for factor in factors(term):
            if isinstance(factor, symengine.Rational | symengine.Float):
                number *= factor
            else:
                (moving if self._moves(factor) else loads if self.inside(factor) else given).append(factor)
        if not moving:
            moving, loads = loads, []
        members = ((False, tuple(sorted(moving, key=self._moving_key))),) if moving else ()
        return Summand(bool(number < 0), abs(number), tuple(sorted(given + loads, key=self._given_key)), members)

    def _rank(self, group: Summand) -> Key:
        moving = group.members[0][1] if group.members else ()
        unknown = [jet for f in moving for jet in self._moves(f)]
        degree, size = (sum(abs(_power(f)[1]) for f in some) for some in (moving, group.given))
        rest = ([self._moving_key(f) for f in moving], size, [self._given_key(f) for f in group.given])
        if not unknown:
            return (LOAD, 0, degree, 0, "", *rest)
        top = max(jet.t for jet in unknown)
        lead, x, end = min((self._index[jet.name], jet.x, jet.end) for jet in unknown if jet.t == top)
        linear = degree == 1 and isinstance(moving[0], symengine.Symbol | symengine.Add)
        kind = INERTIA if top > 1 else STIFFNESS if top == 0 else DAMPING if linear else GYROSCOPIC
        return (kind, lead, degree, x, end, *rest)

    def _moving_key(self, f: Basic) -> Key:
        base = _power(f)[0]
        jet = self.jets.find(base) if isinstance(base, symengine.Symbol) else None
        place = (0, self._index[jet.name], jet.t, jet.x, jet.end) if jet else (1, 0, 0, 0, "")
        return (*place, self.key(f))

    def _given_key(self, f: Basic) -> Key:
        base, symbols = _power(f)[0], f.free_symbols
        kind: float = 0 if not symbols else 6 if self.inside(f) else 5 if SPINE in symbols else 4
        if kind == 4 and isinstance(base, symengine.Symbol):
            kind = 7 if base == WIDTH else 3 if _LENGTH.match(base.name) else 2 if base.name == "g" else 1
        elif kind == 4 and isinstance(base, symengine.Add):  # (m1 + m2) l, but m (l + r)
            kind = min(self._given_key(symbol)[0] for symbol in symbols) - 0.5
        return (kind, self.key(f))

    def _collected(self, alike: Sequence[Summand]) -> Summand:
        """Terms with the same members as one group: their coefficients as a sum, common factors taken out."""
        if len(alike) == 1:
            return alike[0]
        number = alike[0].number if len({one.number for one in alike}) == 1 else ONE
        powers = [dict(map(_power, one.given)) for one in alike]
        least = {base: min((one.get(base, 0) for one in powers), key=abs) for base in powers[0]}
        common = [base**e for base, e in least.items() if e and all(e * one[base] > 0 for one in powers)]
        signed = (symengine.Mul(*one.given, -one.number if one.negative else one.number) for one in alike)
        total = symengine.Add(*(one / symengine.Mul(*common, number) for one in signed))
        negative = self._singles(total)[0].negative
        given = sorted([*common, _opposite(total) if negative else total], key=self._given_key)
        return Summand(negative, number, tuple(given), alike[0].members)

    def _blocks(self, ordered: Iterable[tuple[int, str, Summand]]) -> tuple[DisplayBlock, ...]:
        """Local groups one by one; the integrals of one kind along one spine under one sign."""
        gathered: dict[tuple[int, str], list[Summand]] = {}
        for kind, spine, group in ordered:
            where = (kind, spine) if spine else (len(gathered), "")
            gathered.setdefault(where, []).append(group if spine else self._placed(group))
        return tuple(_block(groups, spine) for (_, spine), groups in gathered.items())

    def _placed(self, group: Summand) -> Summand:
        """Put one evaluation bar over the group if every field in it is taken at the same end."""
        places = [self._places(moving) for _, moving in group.members]
        everything = (*group.given, *(f for _, moving in group.members for f in moving))
        if not places or any(one != places[0] or len(one) != 1 for one in places) or any(map(self._along, everything)):
            return group
        ends = [jet for f in everything for jet in self.inside(f) if jet.name in self.energies.fields]
        inner = {jet.symbol: replace(jet, end="").symbol for jet in ends}
        moved = tuple((negative, tuple(f.xreplace(inner) for f in moving)) for negative, moving in group.members)
        return replace(group, members=moved, at=places[0].pop())

    def _places(self, moving: Iterable[Basic]) -> set[Basic]:
        """Where the fields are taken."""
        jets = (jet for f in moving for jet in self.inside(f) if jet.name in self.energies.fields)
        return {self.place(jet) for jet in jets}

    def _along(self, f: Basic) -> bool:
        """Whether `f` varies along the spine."""
        inner = (jet for jet in self.inside(f) if not jet.end and "x" in self.jets.varies(jet.name))
        return SPINE in f.free_symbols or any(inner)


def name_of(f: Basic) -> str:
    """The name of a symbol, number or function."""
    if isinstance(f, symengine.Symbol):
        return str(f.name)
    if isinstance(f, symengine.FunctionSymbol):
        return str(f.get_name())
    return type(f).__name__.lower() if f.args else str(f)


def name_parts(name: str) -> tuple[str, str, list[str]]:
    """The letters a name starts with, the rest of that word, and the words after it: theta1_a is theta, 1, [a]."""
    word, *words = name.split("_")
    head, tail = _HEAD.match(word).groups()  # type: ignore[union-attr]  # it matches every word
    return head, tail, words


def _follows(one: Summand, other: Summand) -> bool:
    """Whether two summands are alike but for one number in a name, which is the next."""
    names = [_only_name(one), _only_name(other)]
    if not all(names) or (one.negative, one.number, one.at) != (other.negative, other.number, other.at):
        return False
    words = [_DIGITS.split(name) for name in names]
    numbers = [_DIGITS.findall(name) for name in names]
    steps = [(a, b) for a, b in zip(*numbers, strict=False) if a != b]
    return words[0] == words[1] and len(steps) == 1 and str(int(steps[0][0]) + 1) == steps[0][1]


def _only_name(group: Summand) -> str:
    """The name of the symbol that a summand is, but for its number."""
    pieces = [*group.given, *(f for _, moving in group.members for f in moving)]
    return pieces[0].name if len(pieces) == 1 and isinstance(pieces[0], symengine.Symbol) else ""


def _power(f: Basic) -> tuple[Basic, int]:
    """Base and whole exponent."""
    if isinstance(f, symengine.Pow) and isinstance(f.args[1], symengine.Integer):
        return f.args[0], int(f.args[1])
    return f, 1


def _block(groups: Sequence[Summand], spine: str) -> DisplayBlock:
    negative = all(one.negative for one in groups)
    return DisplayBlock(negative, tuple(replace(one, negative=one.negative != negative) for one in groups), spine)


def _opposite(f: Basic) -> Basic:
    return symengine.Add(*(-part for part in terms(f)))


def _positive_first(groups: Sequence[Summand]) -> tuple[Summand, ...]:
    """b - a rather than -a + b."""
    first = next((i for i, one in enumerate(groups) if not one.negative), 0)
    return (*groups[first : first + 1], *groups[:first], *groups[first + 1 :])


def _together(ordered: Iterable[tuple[int, str, Summand]]) -> list[tuple[int, str, Summand]]:
    """Linear terms of one kind with one product of parameters before them share it: m (a + b), as the memo writes."""
    shared: dict[Key, tuple[int, str, Summand]] = {}
    for kind, spine, group in ordered:
        moving = group.members[0][1] if group.members else ()
        linear = kind != LOAD and len(moving) == 1 and isinstance(moving[0], symengine.Symbol)
        alone = not linear or not group.given or any(isinstance(f, symengine.Add) for f in group.given)
        key: Key = (len(shared),) if alone else (kind, spine, group.number, group.given)
        old = shared.get(key, (kind, spine, replace(group, members=())))[2]
        members = [(group.negative != old.negative, factors) for _, factors in group.members]
        shared[key] = (kind, spine, replace(old, members=(*old.members, *members)))
    return list(shared.values())
