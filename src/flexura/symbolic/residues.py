"""Is a long expression identically zero? Its value at random points, in whole numbers modulo a large prime.

A rational function of symbols, sines and cosines that is not zero misses zero at a random point, but for a chance of
its degree over the prime: 1e-30 for a degree of a hundred million. Every branch of the tree is visited once, and no
number grows, so that the chains of many links are decided in a time that grows with what they share.

>>> vanishes_modulo(sin(a) * cos(b) + cos(a) * sin(b) - sin(a + b), points=2)
True
"""

from __future__ import annotations

import random
from functools import cache

import symengine

from flexura.symbolic.engine import Basic
from flexura.symbolic.integrals import terms
from flexura.symbolic.walk import branches

PRIME = 2**127 - 1
_KEPT = 100_000  # angles at a point
_CIRCULAR = (symengine.sin, symengine.cos, symengine.tan)


class _Elsewhere(Exception):  # a verdict, not an error: nobody but this file sees it
    """Something that has no value modulo a prime: a root, a decimal, a part of an angle; or a pole at this point."""


def vanishes_modulo(f: Basic, points: int) -> bool | None:
    """Whether `f` is zero at some random points; None if it holds what has no value in whole numbers."""
    try:
        return all(_point(number).value(f) == 0 for number in range(points))
    except _Elsewhere:
        return None


@cache
def _point(number: int) -> _Point:
    return _Point(number)


class _Point:
    """Numbers for symbols, and points of the circle s^2 + c^2 = 1 for angles, by their names.

    Angles are known from tree to tree. Larger branches are not: whether one of another tree is the same is asked of
    the engine, which compares what two trees share as often as it is used, not once.
    """

    def __init__(self, number: int) -> None:
        self._draw = number
        self._turns: dict[Basic, tuple[int, int]] = {}
        self._terms: dict[Basic, tuple[int, int]] = {}

    def value(self, f: Basic) -> int:
        """The tree's, each branch from those it is made of."""
        if len(self._turns) > _KEPT:
            self._turns.clear()
            self._terms.clear()
        known: dict[Basic, int] = {}
        for one in branches([f]):
            known[one] = self._branch(one, known)
        return known[f]

    def _branch(self, one: Basic, known: dict[Basic, int]) -> int:
        if isinstance(one, symengine.Symbol) or one == symengine.pi:
            return self._number(str(one))
        if isinstance(one, symengine.Rational):
            above, below = (int(part) for part in one.as_numer_denom())
            return above * _inverse(below) % PRIME
        if isinstance(one, symengine.Add):
            return sum(known[part] for part in one.args) % PRIME
        if isinstance(one, symengine.Mul):
            product = 1
            for part in one.args:
                product = product * known[part] % PRIME
            return product
        if isinstance(one, symengine.Pow) and one.args[1].is_Integer:
            base, exponent = known[one.args[0]], int(one.args[1])
            return pow(base if exponent >= 0 else _inverse(base), abs(exponent), PRIME)
        if isinstance(one, _CIRCULAR):
            cosine, sine = self._turn(one.args[0])
            if isinstance(one, symengine.tan):
                return sine * _inverse(cosine) % PRIME
            return sine if isinstance(one, symengine.sin) else cosine
        raise _Elsewhere

    def _turn(self, angle: Basic) -> tuple[int, int]:
        """Cosine and sine of a sum of angles, from those of its terms."""
        if angle not in self._turns:
            cosine, sine = 1, 0
            for term in terms(angle.expand()):
                if term not in self._terms:
                    self._terms[term] = self._term(term)
                c, s = self._terms[term]
                cosine, sine = (cosine * c - sine * s) % PRIME, (cosine * s + sine * c) % PRIME
            self._turns[angle] = cosine, sine
        return self._turns[angle]

    def _term(self, term: Basic) -> tuple[int, int]:
        head = term.args[0] if isinstance(term, symengine.Mul) else term
        whole = int(head) if head.is_Integer else 1
        opaque = isinstance(term, symengine.Mul) and any(part.is_Add for part in term.args)
        if opaque or whole == 0 or (head.is_Number and not head.is_Integer):
            raise _Elsewhere  # may be a part of another angle, of which only wholes are known
        half = self._number(f"angle {term / whole}")
        below = _inverse(1 + half * half)
        c, s = (1 - half * half) * below % PRIME, 2 * half * below % PRIME
        cosine, sine = 1, 0
        for digit in f"{abs(whole):b}":
            cosine, sine = (cosine * cosine - sine * sine) % PRIME, 2 * cosine * sine % PRIME
            if digit == "1":
                cosine, sine = (cosine * c - sine * s) % PRIME, (cosine * s + sine * c) % PRIME
        return cosine, sine if whole > 0 else -sine % PRIME

    def _number(self, name: str) -> int:
        return random.Random(f"{self._draw} {name}").randrange(2, PRIME)


def _inverse(value: int) -> int:
    if value % PRIME == 0:
        raise _Elsewhere
    return pow(value, -1, PRIME)
