"""Trees for reading: compound angles, and in front of each wave what is given, times what moves.

>>> gathered(m * l**2 * (q_tt * cos(a) * cos(b) - q_tt * sin(a) * sin(b)) + k * q, order)
k*q + m*l**2*q_tt*cos(a + b)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import symengine

from flexura.symbolic.engine import ZERO, Basic
from flexura.symbolic.multiplied import multiplied_out, written_out
from flexura.symbolic.walk import atoms
from flexura.symbolic.waves import TooLong, Waves, exponents

Order = Callable[[Basic], int]
"""How often what moves is differentiated by time at most; -1 for a given load, -2 for a parameter."""
_MUCH = 2
"""How much shorter sums as factors must make what waves alone do not, or else it stays multiplied out."""
Numbers = Mapping[tuple[int, ...], int]
"""Whole numbers by the exponents of what they multiply."""


def gathered(f: Basic, order: Order, most: int) -> Basic | None:
    """The tree in waves where that is shorter than sines and cosines as they are; None where neither helps.

    One that may have more than `most` terms with those is not tried.
    """
    circular = atoms(f, symengine.sin, symengine.cos)
    if len(circular) < 2 and not any(one.args[0] in circular for one in atoms(f, symengine.Pow)):
        return None
    try:
        waves = Waves(f)
    except TooLong:
        return None
    compound = _Gathering(waves, order).tree()
    if multiplied_out(f) > most:
        return compound
    try:
        plain = _Gathering(Waves(f, opened=False), order).tree()
    except TooLong:
        return compound
    sizes = [written_out([one]) for one in (compound, plain, f.expand())]
    if sizes[2] > sizes[1] <= sizes[0] and any(one.args[0].is_Add for one in circular):  # compound as it is
        return plain
    return compound if sizes[0] < sizes[1] or _MUCH * sizes[0] < sizes[2] else None


class _Gathering:
    """The terms of one polynomial, by wave, kind and what moves."""

    def __init__(self, waves: Waves, order: Order) -> None:
        self.waves, self.bases = waves, waves.others
        self.orders = [order(one) for one in waves.others]
        self.parameters = [i for i, order in enumerate(self.orders) if order == -2]
        self.movers = [i for i, order in enumerate(self.orders) if order != -2]

    def tree(self) -> Basic:
        """The sum."""
        return symengine.Add(
            *(one for wave, numbers in self.waves.by_wave().items() for one in self._terms(wave, numbers))
        )

    def _terms(self, wave: Basic, numbers: Mapping[int, int]) -> list[Basic]:
        """What is given, by what moves with it: m1 (a + b) and m2 (a + b) is (m1 + m2) (a + b)."""
        by_given: dict[tuple[tuple[int, ...], tuple[int, int]], dict[tuple[int, ...], int]] = {}
        for key, number in numbers.items():
            powers = exponents(key, len(self.bases))
            given, moving = (tuple(powers[i] for i in which) for which in (self.parameters, self.movers))
            by_given.setdefault((given, self._kind(moving)), {})[moving] = number
        shared: dict[tuple[tuple[tuple[int, ...], int], ...], dict[tuple[int, ...], int]] = {}
        for (given, _), moving_numbers in by_given.items():
            items = sorted(moving_numbers.items(), reverse=True)
            common = math.gcd(*(number for _, number in items)) * (-1 if items[0][1] < 0 else 1)
            shared.setdefault(tuple((moving, number // common) for moving, number in items), {})[given] = common
        return [self._term(wave, dict(moving), given) for moving, given in shared.items()]

    def _kind(self, moving: tuple[int, ...]) -> tuple[int, int]:
        """How often what moves is differentiated, and the degree in that."""
        present = [(self.orders[i], abs(power)) for i, power in zip(self.movers, moving, strict=True) if power]
        top = max((order for order, _ in present), default=-2)
        return top, sum(power for order, power in present if order == top)

    def _term(self, wave: Basic, moving: Numbers, given: Numbers) -> Basic:
        common = math.gcd(*given.values())
        signs = sum(1 if number > 0 else -1 for number in given.values())
        common = -common if signs < 0 else common
        first = factored(
            {key: number // common for key, number in given.items()}, [self.bases[i] for i in self.parameters]
        )
        movers = [self.bases[i] for i in self.movers]
        second = factored(moving, movers)
        number = symengine.Rational(common, self.waves.polynomial.below)
        pieces = second.args if isinstance(second, symengine.Mul) else (second,)
        return symengine.Mul(number, first, *pieces, wave)


def factored(numbers: Numbers, bases: list[Basic]) -> Basic:
    """A polynomial with what its terms share taken out, again and again."""
    if not numbers:
        return ZERO
    squares = _as_squares(numbers, bases)
    found = _with_factors(numbers, bases)
    return min(squares, found, key=lambda one: written_out([one])) if squares is not None else found


def _with_factors(numbers: Numbers, bases: list[Basic]) -> Basic:
    least = [min(column, key=abs) if min(column) * max(column) > 0 else 0 for column in zip(*numbers, strict=True)]
    common = math.gcd(*numbers.values())
    if any(least) or common > 1:
        inner = {tuple(a - b for a, b in zip(key, least, strict=True)): n // common for key, n in numbers.items()}
        return symengine.Mul(common, _monomial(least, bases), factored(inner, bases))
    counts = [sum(power > 0 for power in column) for column in zip(*numbers, strict=True)]
    most = max(counts, default=0)
    if most < 2 or len(numbers) < 3:
        return symengine.Add(*(number * _monomial(key, bases) for key, number in numbers.items()))
    beside = _beside(numbers, counts.index(most))
    alike = [i for i, count in enumerate(counts) if count == most and _beside(numbers, i) == beside]
    rest = {key: number for key, number in numbers.items() if not any(key[i] > 0 for i in alike)}
    if len(numbers) - len(rest) < most * len(alike):  # terms with two of them
        alike = alike[:1]
        rest = {key: number for key, number in numbers.items() if key[alike[0]] <= 0}
    shared = symengine.Mul(symengine.Add(*(bases[i] for i in alike)), factored(beside, bases))
    return symengine.Add(shared, factored(rest, bases))


def _beside(numbers: Numbers, which: int) -> Numbers:
    """What one of the bases is multiplied by."""
    return {(*key[:which], key[which] - 1, *key[which + 1 :]): n for key, n in numbers.items() if key[which] > 0}


def _monomial(powers: tuple[int, ...] | list[int], bases: list[Basic]) -> Basic:
    return symengine.Mul(*(base**power for base, power in zip(bases, powers, strict=True) if power))


def _as_squares(numbers: Numbers, bases: list[Basic]) -> Basic | None:
    """A quadratic form as squares of sums, as (a + b)^2 - a^2 for 2 a b + b^2; None where it has no such form."""
    if len(numbers) < 2:
        return None
    left: dict[tuple[int, int], Basic] = {}
    for key, number in numbers.items():
        places = [i for i, power in enumerate(key) for _ in range(power)]
        if len(places) != 2 or min(key) < 0:
            return None
        left[places[0], places[1]] = symengine.Integer(number)
    squares = []
    for last in sorted({i for pair in left for i in pair}, reverse=True):
        head = left.get((last, last), ZERO)
        row = {i + j - last: number for (i, j), number in left.items() if last in (i, j) and i != j and number != 0}
        if head == 0:
            if row:
                return None
            continue
        sides = {last: symengine.Integer(1)} | {i: number / (2 * head) for i, number in row.items()}
        squares.append(head * symengine.Add(*(number * bases[i] for i, number in sides.items())) ** 2)
        for i, a in sides.items():
            for j, b in sides.items():
                if i <= j:
                    left[i, j] = left.get((i, j), ZERO) - head * a * b * (1 if i == j else 2)
    return symengine.Add(*squares)
