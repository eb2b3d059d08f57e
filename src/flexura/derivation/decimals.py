"""Sines and cosines of a state in decimals as numbers: no normal form of their products is worth its time.

>>> in_decimals(m * sin(3602879701896397/36028797018963968))        # 0.0998... m, to 60 digits
"""

from __future__ import annotations

from fractions import Fraction

import symengine

from flexura.symbolic.engine import SPINE, ZERO, Basic
from flexura.symbolic.integrals import terms as addends

_BITS = 260
_PLAIN = 10**6  # a fraction with such a denominator may be one that a user wrote, and stays
_NOTHING = Fraction(1, 10**50)  # of the largest coefficient: what terms that cancel leave


def in_decimals(f: Basic) -> Basic:
    """The same tree with such values; what then cancels to so many digits is gone."""
    values = {one: _value(one) for one in f.atoms(symengine.sin, symengine.cos) if _long(one.args[0])}
    if not values:
        return f
    found = f.xreplace(values)
    if SPINE in found.free_symbols:  # powers of x multiplied out would cancel one another
        return found
    parts = [_parted(term) for term in addends(found.expand())]
    least = _NOTHING * max(_size(constant) for constant, _ in parts)
    totals: dict[Basic, Basic] = {}
    for constant, rest in parts:
        totals[rest] = totals.get(rest, ZERO) + constant
    return symengine.Add(*(total * rest for rest, total in totals.items() if _size(total) >= least))


def _parted(term: Basic) -> tuple[Basic, Basic]:
    """What is constant in a term, as one number, and the rest.

    The engine writes the root of a fraction as a tiny fraction times the root of a huge number: neither is the size.
    """
    factors = term.args if term.is_Mul else (term,)
    constant = symengine.Mul(*(one for one in factors if not one.free_symbols))
    rest = symengine.Mul(*(one for one in factors if one.free_symbols))
    number = _number(constant)
    long = number is not None and any(_long(one) for one in (constant, *constant.atoms(symengine.Number)))
    return (_value(constant) if long else constant), rest


def _size(constant: Basic) -> Fraction:
    """How large it is; 1 if it is no real number, which nothing cancels."""
    number = _number(constant)
    return Fraction(1) if number is None else abs(number)


def _long(number: Basic) -> bool:
    """Whether a rational has more digits than users write."""
    if not number.is_Rational:
        return False
    fraction = Fraction(str(number))
    return max(abs(fraction.numerator), fraction.denominator) > _PLAIN


def _value(f: Basic) -> Basic:
    near = Fraction(str(f.n(_BITS, real=True)))
    return symengine.Rational(near.numerator, near.denominator)


def _number(constant: Basic) -> Fraction | None:
    try:
        return Fraction(str(constant.n(_BITS, real=True)))
    except (RuntimeError, ValueError):
        return None
