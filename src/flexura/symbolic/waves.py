"""Trees as sums of monomials times exp(i k.angles): products of sines and cosines become those of compound angles.

Multiplied out, a product of n cosines of sums has some 2^n terms; written in waves most of them meet and cancel.
Branches that a tree shares are multiplied once.

>>> waves(cos(a) * cos(b) - sin(a) * sin(b)).tree()
cos(a + b)
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import symengine

from flexura.symbolic.engine import ONE, Basic
from flexura.symbolic.integrals import factors, terms

MOST = 150_000
"""Products of terms that are worth their time."""
_FIELD = 16  # bits of an exponent
_HALF = 1 << (_FIELD - 1)
_LARGEST = 64  # exponents and multiples of angles beyond are not looked into
_DIGITS = re.compile(r"\d+")
_CIRCULAR = (symengine.sin, symengine.cos)


class TooLong(Exception):  # a verdict, not an error: nobody but this file's callers sees it
    """A tree that has no such form, or none that is worth its time."""


@dataclass(frozen=True)
class Polynomial:
    """Whole numbers by monomial, over one denominator.

    A monomial is one whole number that holds all exponents in fields of bits, so that monomials multiply by addition:
    the power of i in the two lowest bits, then the multiples of angles, then the exponents of everything else.
    """

    numbers: Mapping[int, int]
    below: int = 1

    def __add__(self, other: Polynomial) -> Polynomial:
        return total([self, other])

    def __len__(self) -> int:
        return len(self.numbers)


def total(parts: Iterable[Polynomial]) -> Polynomial:
    """The sum of some."""
    parts = list(parts)
    below = math.lcm(*(one.below for one in parts))
    found: dict[int, int] = {}
    for one in parts:
        scale = below // one.below
        for key, number in one.numbers.items():
            found[key] = found.get(key, 0) + number * scale
    return _reduced(found, below)


def product(a: Polynomial, b: Polynomial) -> Polynomial:
    """The product of two; i^2 = -1."""
    found: dict[int, int] = {}
    for key, number in a.numbers.items():
        for other, factor in b.numbers.items():
            where, value = key + other, number * factor
            if where & 2:
                where, value = where - 2, -value
            found[where] = found.get(where, 0) + value
    return _reduced(found, a.below * b.below)


def _reduced(numbers: Mapping[int, int], below: int) -> Polynomial:
    kept = {key: number for key, number in numbers.items() if number}
    common = math.gcd(below, *kept.values()) if below > 1 else 1
    return Polynomial({key: number // common for key, number in kept.items()} if common > 1 else kept, below // common)


class Waves:
    """The generators of some trees, and the trees as polynomials in them.

    With `opened` false, sines and cosines are generators like any other.
    """

    def __init__(self, f: Basic, opened: bool = True, most: int = MOST) -> None:
        """`f` is looked through for what it is made of."""
        self._opened, self._left = opened, most
        order, angles, others = self._looked_through(f)
        self.angles, self.others = sorted(angles, key=natural), sorted(others, key=natural)
        self.width = 2 + _FIELD * len(self.angles)
        self._angle = {one: 1 << (2 + _FIELD * i) for i, one in enumerate(self.angles)}
        self._other = {one: 1 << (self.width + _FIELD * i) for i, one in enumerate(self.others)}
        known: dict[Basic, Polynomial] = {}
        for one in order:
            known[one] = self._polynomial(one, known)
        self.polynomial = known[f]

    def _looked_through(self, f: Basic) -> tuple[list[Basic], set[Basic], set[Basic]]:
        """Branches, each after what it is made of; angles; and everything else that polynomials are made of."""
        order, seen, angles, others = list[Basic](), set[Basic](), set[Basic](), set[Basic]()
        waiting = [(f, False)]
        while waiting:
            one, done = waiting.pop()
            if done:
                order.append(one)
            elif one not in seen:
                seen.add(one)
                waiting.append((one, True))
                if isinstance(one, symengine.Add | symengine.Mul):
                    waiting += [(part, False) for part in one.args]
                elif _is_whole_power(one):
                    waiting.append((one.args[0], False))
                elif self._opened and isinstance(one, _CIRCULAR):
                    angles |= {angle for _, angle in _turns(one.args[0])}
                elif isinstance(one, symengine.Float):
                    raise TooLong
                elif not isinstance(one, symengine.Rational):
                    others |= {base_of(one)}
        return order, angles, others

    def _polynomial(self, one: Basic, known: Mapping[Basic, Polynomial]) -> Polynomial:
        if isinstance(one, symengine.Add):
            return total(known[part] for part in one.args)
        if isinstance(one, symengine.Mul):
            return self._multiplied([known[part] for part in one.args])
        if isinstance(one, symengine.Rational):
            above, below = (int(part) for part in one.as_numer_denom())
            return Polynomial({0: above} if above else {}, below)
        if _is_whole_power(one):
            return self._multiplied([known[one.args[0]]] * int(one.args[1]))
        if self._opened and isinstance(one, _CIRCULAR):
            turn = sum(whole * self._angle[angle] for whole, angle in _turns(one.args[0]))
            if isinstance(one, symengine.cos):
                return total([Polynomial({turn: 1}, 2), Polynomial({-turn: 1}, 2)])
            return total([Polynomial({turn + 1: -1}, 2), Polynomial({1 - turn: 1}, 2)])  # (e - 1/e)/(2 i)
        base = base_of(one)
        return Polynomial({self._other[base] * (1 if base == one else int(one.args[1])): 1})

    def _multiplied(self, parts: list[Polynomial]) -> Polynomial:
        parts = sorted(parts, key=len)
        result = Polynomial({0: 1})
        for part in parts:
            self._left -= len(result) * len(part)
            if self._left < 0:
                raise TooLong
            result = product(result, part)
        return result

    def by_wave(self) -> dict[Basic, dict[int, int]]:
        """What multiplies each wave (1, or a sine or cosine of a compound angle), over the polynomial's denominator."""
        found: dict[int, dict[int, int]] = {}
        half, mask = 1 << (self.width - 1) if self.angles else 2, (1 << self.width) - 1
        for key, number in self.polynomial.numbers.items():
            low = ((key + half) & mask) - half
            found.setdefault(low, {})[(key - low) >> self.width] = number
        result: dict[Basic, dict[int, int]] = {}
        for low, numbers in found.items():
            turn = exponents((low - (low & 1)) >> 2, len(self.angles))
            head = next((whole for whole in turn if whole), 0)
            if head < 0:
                continue
            wave, twice = ONE, 1
            if head:
                angle = symengine.Add(*(whole * one for whole, one in zip(turn, self.angles, strict=True)))
                wave, twice = (symengine.sin(angle), -2) if low & 1 else (symengine.cos(angle), 2)
                if isinstance(wave, symengine.Mul):  # the engine turns sin(b - a) around as it likes
                    wave, twice = -wave, -twice
            target = result.setdefault(wave, {})
            for key, number in numbers.items():
                target[key] = target.get(key, 0) + twice * number
        return result

    def monomial(self, key: int) -> Basic:
        """The product that a key stands for."""
        powers = zip(self.others, exponents(key, len(self.others)), strict=True)
        return symengine.Mul(*(base**power for base, power in powers if power))

    def tree(self) -> Basic:
        """Everything multiplied out."""
        below = symengine.Integer(self.polynomial.below)
        return symengine.Add(
            *(
                symengine.Mul(number / below, self.monomial(key), wave)
                for wave, numbers in self.by_wave().items()
                for key, number in numbers.items()
            )
        )


def exponents(key: int, count: int) -> list[int]:
    """The fields of a key, each with its sign."""
    found = []
    for _ in range(count):
        field = ((key + _HALF) & (2 * _HALF - 1)) - _HALF
        found.append(field)
        key = (key - field) >> _FIELD
    return found


def natural(one: Basic) -> str:
    """A key by which m2 comes before m10."""
    return _DIGITS.sub(lambda digits: digits[0].zfill(9), str(one))


def _is_whole_power(one: Basic) -> bool:
    return isinstance(one, symengine.Pow) and one.args[1].is_Integer and 0 < int(one.args[1]) <= _LARGEST


def base_of(one: Basic) -> Basic:
    """What is raised to a negative whole power; anything else is itself."""
    if isinstance(one, symengine.Pow) and isinstance(one.args[0], symengine.Symbol):
        exponent = one.args[1]
        if exponent.is_Integer and abs(int(exponent)) <= _LARGEST:
            return one.args[0]
    return one


def _turns(argument: Basic) -> list[tuple[int, Basic]]:
    """An angle as whole multiples of angles."""
    found = []
    for term in terms(argument.expand()):
        head = factors(term)[0]
        if isinstance(head, symengine.Float):
            raise TooLong
        whole = int(head) if head.is_Integer and term != head and abs(int(head)) <= _LARGEST else 1
        if whole == 1 and head.is_Number and head.is_negative:
            whole = -1
        found.append((whole, term / whole))
    return found


def waves(f: Basic) -> Waves | None:
    """A tree in waves, or None if it is not worth its time."""
    try:
        return Waves(f)
    except TooLong:
        return None
