"""Sines and cosines of a state in decimals as numbers: no normal form of their products is worth its time.

>>> in_decimals(m * sin(3602879701896397/36028797018963968))        # 0.0998... m, to 60 digits
"""

from __future__ import annotations

from fractions import Fraction

import symengine

from flexura.symbolic.engine import SPINE, Basic
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
    terms = addends(found.expand())
    sizes = [abs(_number(term)) for term in terms]
    return symengine.Add(*(term for term, size in zip(terms, sizes, strict=True) if size >= _NOTHING * max(sizes)))


def _number(term: Basic) -> Fraction:
    """The rational factor of a term; 1 where there is none."""
    factors = term.args if term.is_Mul else (term,)
    return Fraction(str(factors[0])) if factors and factors[0].is_Rational else Fraction(1)


def _long(angle: Basic) -> bool:
    return bool(angle.is_Rational) and Fraction(str(angle)).denominator > _PLAIN


def _value(f: Basic) -> Basic:
    near = Fraction(str(f.n(_BITS, real=True)))
    return symengine.Rational(near.numerator, near.denominator)
