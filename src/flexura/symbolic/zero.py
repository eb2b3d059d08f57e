"""Is an expression identically zero? A normal form first, exact evaluation at random points where that is not enough.

Rational functions of symbols, sines and cosines are evaluated in whole numbers modulo a prime, with random points of
the circle s^2 + c^2 = 1 for each angle (`residues.py`); anything else with 60 digits.

>>> verdict(sin(a)**2 + cos(a)**2 - 1)
Verdict(zero=True, how='normal form')
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

import symengine

from flexura.symbolic.engine import ONE, TIME, ZERO, Basic
from flexura.symbolic.multiplied import multiplied_out
from flexura.symbolic.residues import vanishes_modulo
from flexura.symbolic.walk import atoms, branches, remade

_TRIGONOMETRIC = (symengine.sin, symengine.cos)
_CIRCULAR = (*_TRIGONOMETRIC, symengine.tan)
POINTS = 3
"""At how many points a function is evaluated."""
SHORT = 120
"""Larger trees (in nodes, branches counted as often as they are used) are not expanded unless they must be."""
BITS = 200
"""Of numbers that are not evaluated in whole ones: 60 digits."""
NOISE = symengine.Rational(1, 10**40)
"""What is smaller beside the largest number is rounding."""
LARGE = 30_000
"""Trees of more nodes are not expanded."""
LONG = 300_000
"""Nor are those with more terms than that when multiplied out."""
_ANGLES = 30  # no more are counted
_MULTIPLE, _MULTIPLE_NUMBER = 8, 2_000  # of an angle, up to which it is opened: in symbols, and in numbers
MANY = 2_000
"""Sums of more terms are not brought to the normal form, which would take longer than the derivation."""


@dataclass(frozen=True)
class Verdict:
    """Whether an expression is zero, and how that was decided: "normal form" or "evaluation"."""

    zero: bool
    how: str

    def __bool__(self) -> bool:
        return self.zero


def normal_form(f: Basic) -> Basic:
    """Expanded numerator, sines and cosines of sums opened, sin^2 replaced by 1 - cos^2."""
    if not atoms(f, *_TRIGONOMETRIC, symengine.tan):
        return _numerator(f)
    return pythagoras(_numerator(_opened(f)))


def verdict(f: Basic) -> Verdict:
    """Decide whether `f` vanishes for all values of its symbols."""
    if f == 0 or _expands_to_zero(f):
        return Verdict(True, "normal form")
    return Verdict(_vanishes_at_random_points(f), "evaluation")


def vanishes(f: Basic) -> bool:
    """Whether `f` is zero, for decisions that need no proof: a short tree by expanding it, a long one at random points.

    Long trees share their branches; expanded they may grow beyond bounds.
    """
    return bool(f.expand() == 0) if within(f, SHORT) else _vanishes_at_random_points(f)


def within(f: Basic, limit: int) -> bool:
    """Whether a tree has at most so many nodes; counts no further, since it may be far larger than worth walking."""
    waiting, seen = [f], 0
    while waiting and seen <= limit:
        seen += 1
        waiting += waiting.pop().args
    return seen <= limit


def _expands_to_zero(f: Basic) -> bool:
    """Whether the normal form is zero; one that is long, or has to be made of long ones, is not made."""
    if not within(f, LARGE) or multiplied_out(f) > LONG:
        return False
    expanded = f.expand()
    return bool(expanded == 0 or (len(expanded.args) <= MANY and short_normal_form(f, LONG) == 0))


def short_normal_form(f: Basic, most: int) -> Basic | None:
    """The normal form, or None where it, or what it is made of, may have more terms than that."""
    if multiplied_out(f, {one: 2 ** _angles(one) for one in atoms(f, *_CIRCULAR)}) > most:
        return None
    opened = _opened(f)
    if multiplied_out(opened) > most:
        return None
    above = _numerator(opened)
    return pythagoras(above) if _without_sines(above) <= most // 4 else None


def _angles(one: Basic) -> int:
    """How many angles are added in a sine or cosine, but for the first: opened, it has two to that power of terms."""
    argument = one.args[0].expand()
    found = argument.args if isinstance(argument, symengine.Add) else (argument,)
    return min(sum(abs(_whole_multiple(term)[0]) for term in found) - 1, _ANGLES)


def _without_sines(f: Basic) -> int:
    """How many terms an expanded tree has when even powers of sines are replaced."""
    found = 0
    for term in f.args if isinstance(f, symengine.Add) else (f,):
        powers = [one for one in (term.args if isinstance(term, symengine.Mul) else (term,)) if _is_power_of_sine(one)]
        found += math.prod(int(one.args[1]) // 2 + 1 for one in powers)
    return found


def _is_power_of_sine(one: Basic) -> bool:
    return (
        isinstance(one, symengine.Pow)
        and isinstance(one.args[0], symengine.sin)
        and bool(one.args[1].is_Integer and int(one.args[1]) >= 2)
    )


def _numerator(f: Basic) -> Basic:
    g = f.expand()
    if g == 0 or not any(_negative_power(one) for one in atoms(g, symengine.Pow)):
        return g
    return f.as_numer_denom()[0].expand()


def _negative_power(one: Basic) -> bool:
    exponent = one.args[1]
    return bool(exponent.is_Number and exponent.is_negative)


def _open(
    one: Basic,
    pair: Callable[[Basic], tuple[Basic, Basic]] | None = None,
    most: Callable[[Basic], int] = lambda term: _MULTIPLE,
) -> Basic:
    """sin or cos of a sum with whole coefficients, as a polynomial in sines and cosines of its terms.

    `pair` gives the sine and the cosine of a term; numbers, say, with which nothing grows. `most` is how many times an
    angle a term may hold that is opened.
    """
    pair = pair or (lambda base: (symengine.sin(base), symengine.cos(base)))
    argument = one.args[0].expand()
    sine, cosine = ZERO, ONE
    for term in argument.args if isinstance(argument, symengine.Add) else (argument,):
        whole, base = _whole_multiple(term, most(term))
        for _ in range(abs(whole)):
            s, c = pair(base)
            if whole < 0:
                s = -s
            sine, cosine = (sine * c + cosine * s).expand(), (cosine * c - sine * s).expand()
    return sine if isinstance(one, symengine.sin) else cosine


def _whole_multiple(term: Basic, most: int = _MULTIPLE) -> tuple[int, Basic]:
    head = term if term.is_Integer else term.args[0] if isinstance(term, symengine.Mul) else ONE
    if head.is_Integer and 0 < abs(int(head)) <= most:
        return int(head), term / head
    return 1, term


def _holds_parts_of_angles(f: Basic) -> bool:
    """Whether angles that are not opened may still be multiples of one another: a/2 and a, or too many times a."""
    for one in atoms(f, *_CIRCULAR):
        argument = one.args[0].expand()
        for term in argument.args if isinstance(argument, symengine.Add) else (argument,):
            head = term.args[0] if isinstance(term, symengine.Mul) else term
            whole = not head.is_Number or (head.is_Integer and abs(int(head)) <= _MULTIPLE_NUMBER)
            if not whole or (isinstance(term, symengine.Mul) and any(one.is_Add for one in term.args)):
                return True
    return False


def pythagoras(f: Basic) -> Basic:
    """An expanded tree with even powers of sines replaced; one pass, since cosines do not bring sines back."""
    replaced: dict[Basic, Basic] = {}
    for one in atoms(f, symengine.Pow):
        if _is_power_of_sine(one):
            exponent, angle = int(one.args[1]), one.args[0].args[0]
            even = (1 - symengine.cos(angle) ** 2) ** (exponent // 2)
            replaced[one] = even * symengine.sin(angle) ** (exponent % 2)
    return f.xreplace(replaced).expand() if replaced else f


@dataclass(frozen=True)
class RandomPoint:
    """Whole numbers for symbols, and rational points of the circle s^2 + c^2 = 1 for their sines and cosines.

    A value depends on the point's number and the symbol's name only, so that several trees can be put at one point.
    """

    number: int

    def put(self, f: Basic, kept: Set[Basic] = frozenset()) -> Basic:
        """The tree there; symbols that are kept stay, and so do functions of them."""
        f = without_tangents(f)  # or one angle, tan(1) and sin(1)/cos(1), would get two values
        where: dict[Basic, Basic] = {one: self._value(one.name) for one in f.free_symbols - kept}
        where |= {one: self._circular(one, kept) for one in atoms(f, *_TRIGONOMETRIC)}
        return f.xreplace(where)

    def _circular(self, one: Basic, kept: Set[Basic]) -> Basic:
        """A sine or cosine of a sum, from the points of its terms; terms with kept symbols stay."""

        def pair(term: Basic) -> tuple[Basic, Basic]:
            if term.free_symbols & kept:
                return symengine.sin(term), symengine.cos(term)
            half = self._value(str(term))
            return 2 * half / (1 + half**2), (1 - half**2) / (1 + half**2)

        return _open(one, pair, lambda term: _MULTIPLE if term.free_symbols & kept else _MULTIPLE_NUMBER)

    def _value(self, name: str) -> Basic:
        return symengine.Integer(random.Random(f"{self.number} {name}").randint(2, 10**6))


def _vanishes_at_random_points(f: Basic) -> bool:
    """A function that is not zero misses zero at one of a few random points, but for a chance of less than 1e-20."""
    known = vanishes_modulo(f, POINTS - 1)
    if known is not None:
        return known
    for number in range(POINTS):
        value = RandomPoint(number).put(f) if not atoms(f, symengine.Function) - atoms(f, *_CIRCULAR) else None
        exactly = value is not None and value.is_Rational and (value == 0 or not _holds_parts_of_angles(f))
        if not (value == 0 if exactly else _vanishes_in_digits(f, number)):
            return False
    return True


def last_column_depends(rows: Iterable[Sequence[Basic]]) -> bool:
    """Whether the last column is a combination of the others for all values of the symbols, asked at random points.

    Elimination on trees would grow from step to step; on numbers it is exact, or has 60 digits.
    """
    distinct = list(dict.fromkeys(map(tuple, rows)))
    return all(_last_depends_at(distinct, number) for number in range(POINTS))


def _last_depends_at(rows: Sequence[Sequence[Basic]], number: int) -> bool:
    entries = {one: RandomPoint(number).put(one) for one in {one for row in rows for one in row}}
    if all(one.is_Rational for one in entries.values()):
        noise: Basic = ZERO
    else:
        where = _inside_one(entries, number)
        entries = {one: _digits(one.xreplace(where)) for one in entries}
        noise = NOISE * max(map(abs, entries.values()))
    left = [[entries[one] for one in row] for row in rows]
    for column in range(len(left[0]) - 1 if left else 0):
        left = _without_column(left, column, noise)
    return all(abs(row[-1]) <= noise for row in left)


def _without_column(rows: list[list[Basic]], column: int, noise: Basic) -> list[list[Basic]]:
    """One step of elimination: the rows that are left, with nothing in this column."""
    head = max(rows, key=lambda row: abs(row[column]), default=[])
    if not head or abs(head[column]) <= noise:
        return rows
    others = [row for row in rows if row is not head]
    return [
        [a - row[column] / head[column] * b for a, b in zip(row, head, strict=True)] if row[column] != 0 else row
        for row in others
    ]


def _opened(f: Basic) -> Basic:
    """Tangents as quotients, sines and cosines of sums in those of the terms."""
    opened = without_tangents(f)
    return opened.xreplace({one: _open(one) for one in atoms(opened, *_TRIGONOMETRIC)})


def without_tangents(f: Basic) -> Basic:
    """Tangents as quotients of sines and cosines."""
    while tangents := atoms(f, symengine.tan):  # of tan(tan(q)) the outer one first
        f = f.xreplace({one: symengine.sin(one.args[0]) / symengine.cos(one.args[0]) for one in tangents})
    return f


def _vanishes_in_digits(f: Basic, number: int) -> bool:
    where = _inside_one([f], number)
    terms = f.args if isinstance(f, symengine.Add) else (f,)
    if within(f, LARGE):
        values = [_digits(one.xreplace(where)) for one in terms]
    else:  # the engine would evaluate a branch as often as it is used
        known = _digits_of_branches(terms, where)
        values = [known[one] for one in terms]
    scale = max((abs(one) for one in values), default=ONE)
    return bool(abs(sum(values, start=ZERO)) <= scale * NOISE)


def _inside_one(trees: Iterable[Basic], number: int) -> dict[Basic, Basic]:
    """Values between 0 and 1, where most functions are real, for every symbol of the trees."""
    generator = random.Random(number)
    trees = list(trees)
    symbols = sorted({one for f in trees for one in f.free_symbols}, key=lambda one: one.name)
    found: dict[Basic, Basic] = {one: symengine.Rational(generator.randint(1, 997), 998) for one in symbols}
    impulses = {one for f in trees if TIME in f.free_symbols for one in atoms(f, symengine.FunctionSymbol)}
    for one in sorted(impulses, key=str):  # an impulse has no value: it is a symbol of its own
        found[one] = symengine.Rational(generator.randint(1, 997), 998)
    return found


def _digits_of_branches(terms: Iterable[Basic], where: Mapping[Basic, Basic]) -> dict[Basic, Basic]:
    """The value of every branch, from those it is made of; conditions are true or false."""
    found: dict[Basic, Basic] = {}
    for one in branches(terms):
        value = where.get(one, one)
        if one.args and one not in where:
            value = remade(one, [found[part] for part in one.args])
        found[one] = value if value.is_Boolean else _real_digits(value)
    return found


def _real_digits(one: Basic) -> Basic:
    """Real where it is real, so that conditions can be told."""
    try:
        return one.n(BITS, real=True)
    except RuntimeError:
        return _complex_digits(one)


def _complex_digits(one: Basic) -> Basic:
    return symengine.Add(one.n(BITS, real=False))


def _digits(one: Basic) -> Basic:
    """Complex, as roots may be; what the engine knows of real numbers only, like atan2 and sign, branch by branch."""
    try:
        return _complex_digits(one)
    except RuntimeError:
        return _digits_of_branches([one], {})[one]
