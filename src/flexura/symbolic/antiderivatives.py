"""What a force law stores: its integral over the stretch, also across kinks and jumps.

>>> antiderivative(k * s * abs(s), s)       # k*s**2*abs(s)/3
>>> antiderivative(Piecewise((k*(s - g), s > g), (0, True)), s)

Powers of s, |s| and sign(s) have a rule. A law in pieces is integrated piece by piece: each counts as far as s has come
through its interval, s held between the ends of it, so that the order of the ends need not be known and the sum is
continuous whatever the pieces are. What is smooth is left to SymPy, and its answer is differentiated and compared.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from fractions import Fraction

import symengine

from flexura.symbolic.engine import ONE, ZERO, Basic, Symbol, exact, partial
from flexura.symbolic.integrals import factors, indefinite, terms
from flexura.symbolic.parser import is_finite

Interval = tuple[tuple[Basic, ...], tuple[Basic, ...]]
"""Bounds from below and bounds from above; none is no bound."""

_ROUGH = (symengine.Abs, symengine.sign, symengine.Piecewise)


def antiderivative(f: Basic, s: Symbol) -> Basic | None:
    """The integral of f from s = 0, or from elsewhere where f has no finite one from there; None where none is known.

    The derivative of the result is f at random points, to twelve digits.
    """
    integral = _integral(f, s)
    if integral is None:
        return None
    start = integral.xreplace({s: ZERO})
    if is_finite(start) and not any(one.args[0] == 0 for one in start.atoms(symengine.Pow)):
        integral = integral - start
    return integral if _agree(partial(integral, s), f) else None


def _integral(f: Basic, s: Symbol) -> Basic | None:
    parts = [_term(term, s) for term in terms(f.expand())]
    return None if any(one is None for one in parts) else symengine.Add(*(one for one in parts if one is not None))


def _term(term: Basic, s: Symbol) -> Basic | None:
    simple = _power(term, s) or _saturating(term, s)
    if simple is not None:
        return simple
    rough = sorted((one for one in term.atoms(*_ROUGH) if s in one.free_symbols), key=lambda one: len(str(one)))
    if not rough:
        return indefinite(term, s)
    outermost = next(one for one in rough if not any(one != other and other.has(one) for other in rough))
    pieces = _intervals(_pieces(outermost), s)
    if pieces is None:
        return None
    total = ZERO
    for value, (low, high) in pieces:
        inside = _integral(term.xreplace({outermost: value}), s)
        if inside is None:
            return None
        total += inside.xreplace({s: _between(s, low, high)})
    return total


def _power(term: Basic, s: Symbol) -> Basic | None:
    """c s^a |s|^b sign(s)^m integrates to itself times s/(a + b + 1); None for other terms.

    Where it is odd that is c |s|^(a + b + 1)/(a + b + 1), whose slope is one term.
    """
    power, size, odd, rough, rest = ZERO, symengine.Abs(s), 0, False, ONE
    for factor in factors(term):
        base, exponent = factor.args if isinstance(factor, symengine.Pow) else (factor, ONE)
        if base in (s, size, symengine.sign(s)) and exponent.is_Number and (base == size or exponent.is_Integer):
            power += exponent if base != symengine.sign(s) else ZERO
            odd, rough = odd + (int(exponent) if base != size else 0), rough or base != s
        elif s in factor.free_symbols:
            return None
        else:
            rest = rest * factor
    if power == -1:
        return None
    return rest * size ** (power + 1) / (power + 1) if rough and odd % 2 else term * s / (power + 1)


def _saturating(term: Basic, s: Symbol) -> Basic | None:
    """c tanh(u), u linear in s: log(cosh(u)), and far out a form that neither overflows nor cancels."""
    bent = [one for one in factors(term) if isinstance(one, symengine.tanh)]
    if len(bent) != 1 or s in (term / bent[0]).free_symbols:
        return None
    u = bent[0].args[0]
    slope = partial(u, s)
    if s in slope.free_symbols or slope == 0:
        return None
    size = symengine.Abs(u)
    far = size - symengine.log(2) + symengine.log(1 + symengine.exp(-2 * size))
    near = symengine.Lt(size, exact(20))
    return term / bent[0] / slope * symengine.Piecewise((symengine.log(symengine.cosh(u)), near), (far, symengine.true))


def _pieces(rough: Basic) -> list[tuple[Basic, Basic]]:
    """Values and conditions of a Piecewise; |u| and sign(u) have two pieces."""
    if isinstance(rough, symengine.Piecewise):
        return list(zip(rough.args[::2], rough.args[1::2], strict=True))
    inside = rough.args[0]
    values = (inside, -inside) if isinstance(rough, symengine.Abs) else (ONE, -ONE)
    return [(values[0], symengine.Lt(ZERO, inside)), (values[1], symengine.true)]


def _intervals(pieces: Iterable[tuple[Basic, Basic]], s: Symbol) -> list[tuple[Basic, Interval]] | None:
    """The intervals of s in which each value holds, being the first whose condition does."""
    found: list[tuple[Basic, Interval]] = []
    left: list[Interval] = [((), ())]
    for value, condition in pieces:
        if condition == symengine.true:
            found += [(value, one) for one in left]
            return found
        both = _halves(condition, s)
        if both is None:
            return None
        holds, fails = both
        found += [(value, one) for one in _crossed(left, holds)]
        left = _crossed(left, fails)
    return None


def _crossed(some: list[Interval], others: list[Interval]) -> list[Interval]:
    return [((*a[0], *b[0]), (*a[1], *b[1])) for a in some for b in others]


def _halves(condition: Basic, s: Symbol) -> tuple[list[Interval], list[Interval]] | None:
    """Where left < right holds and where it fails, if s or |s| stands in it alone, times a number."""
    if len(condition.args) != 2:
        return None
    for stands, bounds_above in ((s, _line), (symengine.Abs(s), _around)):
        left, right = (one.xreplace({stands: Symbol("$here")}) for one in condition.args)
        gap = (left - right).expand()  # negative where the condition holds
        slope = partial(gap, Symbol("$here"))
        if s not in gap.free_symbols and slope.is_Number and slope != 0:
            bound = (-gap.xreplace({Symbol("$here"): ZERO}) / slope).expand()
            below, above = bounds_above(bound)
            return (below, above) if slope.is_positive else (above, below)
    return None


def _line(bound: Basic) -> tuple[list[Interval], list[Interval]]:
    """s below a bound, and above."""
    return [((), (bound,))], [((bound,), ())]


def _around(bound: Basic) -> tuple[list[Interval], list[Interval]]:
    """|s| below a bound, and above it on either side, which is everywhere where the bound is negative."""
    size = (symengine.Abs(bound) + bound) / 2
    return [((-size,), (size,))], [((), (-size,)), ((size,), ())]


def _between(s: Basic, low: tuple[Basic, ...], high: tuple[Basic, ...]) -> Basic:
    """s, held between bounds; a bound from above has the last word, so that an empty interval is one point."""
    for bound in low:
        s = symengine.Piecewise((bound, symengine.Lt(s, bound)), (s, symengine.true))
    for bound in high:
        s = symengine.Piecewise((bound, symengine.Lt(bound, s)), (s, symengine.true))
    return s


def _agree(one: Basic, other: Basic) -> bool:
    """Whether two trees are equal at random points, as far as rounding lets one see."""
    symbols = sorted(one.free_symbols | other.free_symbols, key=str)
    seen = 0
    for point in _points(symbols):
        try:
            a, b = (complex(f.xreplace(point).n(80)) for f in (one, other))
        except (RuntimeError, TypeError, ValueError, ZeroDivisionError):
            continue  # outside of where the law is defined
        if b.imag or b != b:
            continue
        if not abs(a - b) <= 1e-12 * max(1.0, abs(a), abs(b)):
            return False
        seen += 1
    return seen >= 3


def _points(symbols: list[Symbol]) -> Iterator[dict[Basic, Basic]]:
    draw = random.Random("antiderivatives")
    for k in range(12):
        signs = [draw.choice((-1, 1)) if k > 3 else 1 for _ in symbols]
        sizes = [Fraction(draw.randint(1, 997), draw.randint(101, 499)) for _ in symbols]
        yield {one: exact(sign * size) for one, sign, size in zip(symbols, signs, sizes, strict=True)}
