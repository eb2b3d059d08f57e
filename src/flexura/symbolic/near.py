"""Which trees are zero where numbers are given: at the values that symbols carry, up to a tolerance; else everywhere.

    >>> near = Near({Symbol("a"): 3.0, Symbol("b"): 4.0, Symbol("c"): 5.0})
    >>> near.zero(sqrt(a**2 + b**2) - c)
    True

Geometry is given in floating point: a frame whose members meet to all digits that were written is meant to be closed.
Symbols without a value stand for any number, so a tree in them must vanish at random ones, too.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping
from fractions import Fraction

import symengine

from flexura.symbolic.engine import Basic, Symbol, exact
from flexura.symbolic.expression import Declaration, ParameterDeclaration
from flexura.symbolic.integrals import terms
from flexura.symbolic.values import real_value
from flexura.symbolic.zero import BITS, POINTS, verdict

CLOSED = 1e-9
"""Of the size of a loop: a gap that is smaller is rounding of what was given."""
PARALLEL = 1e-7
"""Between unit vectors, and of what cancels in an elimination: wider, or a gap would be left over as a condition."""

_DIGITS = 60
_LONG = 200  # characters of a number that is left alone

Samples = tuple[float, ...]


def in_digits(f: Basic, longest: int = 60) -> Basic:
    """A number that takes longer to write with sixty digits; what has symbols stays as it is."""
    short = f.free_symbols or len(str(f)) <= (_LONG if f.is_Number else longest)
    return f if short else _rounded(f)


def _rounded(f: Basic) -> Basic:
    """Zero where the terms cancel: sixty digits of nothing are rounding."""
    value = symengine.Add(f.expand().n(BITS + 60, real=True))
    scaled = Fraction(str(value)) * 10**_DIGITS
    return symengine.Rational(round(scaled), 10**_DIGITS)


class Near:
    """Decides at the values that symbols carry, and at random ones for the others."""

    def __init__(self, values: Mapping[Symbol, float] | None = None) -> None:
        """`values` are those that are known."""
        self.values = dict(values or {})
        self._known: dict[Basic, Samples | None] = {}

    @staticmethod
    def carried(declarations: Iterable[Declaration]) -> dict[Symbol, float]:
        """The values that declared parameters carry."""
        known = [one for one in declarations if isinstance(one, ParameterDeclaration)]
        return {Symbol(one.name): one.value for one in known if one.value is not None}

    def at(self, f: Basic) -> Samples | None:
        """The numbers that a tree comes to; None where it has no real ones."""
        if f not in self._known:
            self._known[f] = self._evaluated(f)
        return self._known[f]

    def zero(self, f: Basic, tolerance: float = CLOSED) -> bool:
        """Whether the terms of a tree cancel."""
        if f == 0:
            return True
        return self.cancels(f, [f], tolerance)

    def cancels(self, f: Basic, beside: list[Basic], tolerance: float = CLOSED) -> bool:
        """Whether a tree is zero beside the terms of these."""
        values = self.at(f)
        sizes = [self.at(term) for one in beside for term in terms(one)]
        if values is None or any(one is None for one in sizes):
            return bool(verdict(f))
        known = [one for one in sizes if one is not None]
        return all(abs(v) <= tolerance * math.fsum(abs(one[i]) for one in known) for i, v in enumerate(values))

    def small(self, f: Basic) -> bool:
        """Whether a component of a unit vector is zero."""
        if f.is_Number:
            return abs(float(f)) <= PARALLEL
        values = self.at(f)
        return bool(verdict(f)) if values is None else all(abs(one) <= PARALLEL for one in values)

    def number(self, f: Basic) -> float | None:
        """The number a tree comes to with the values that are known, if these are all it needs."""
        if not f.free_symbols <= set(self.values):
            return None
        values = self.at(f)
        return None if values is None else values[0]

    def _evaluated(self, f: Basic) -> Samples | None:
        if f.is_Number:
            return (float(f),) * POINTS
        open_ = [one for one in f.free_symbols if one not in self.values]
        found = tuple(self._value(f, open_, i) for i in range(POINTS if open_ else 1))
        return (found * (POINTS // len(found)) if all(map(math.isfinite, found)) else None) if found else None

    def _value(self, f: Basic, open_: list[Symbol], number: int) -> float:
        where = {one: exact(self.values[one]) for one in f.free_symbols if one in self.values}
        where |= {one: exact(random.Random(f"{number} {one.name}").uniform(0.5, 1.5)) for one in open_}
        put = f.xreplace(where) if where else f
        try:
            return float(put.n(BITS, real=True))
        except (RuntimeError, TypeError, ValueError):
            return real_value(put)
