"""Is an expression identically zero? A normal form first, exact evaluation at random points where that is not enough.

>>> verdict(sin(a)**2 + cos(a)**2 - 1)
Verdict(zero=True, how='normal form')
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import symengine

from flexura.symbols.engine import ONE, ZERO, Basic

_TRIGONOMETRIC = (symengine.sin, symengine.cos)


@dataclass(frozen=True)
class Verdict:
    """Whether an expression is zero, and how that was decided: "normal form" or "evaluation"."""

    zero: bool
    how: str

    def __bool__(self) -> bool:
        return self.zero


def normal_form(f: Basic) -> Basic:
    """Expanded numerator, sines and cosines of sums opened, sin^2 replaced by 1 - cos^2."""
    if not f.atoms(*_TRIGONOMETRIC, symengine.tan):
        return _numerator(f)
    opened = f.xreplace(
        {one: symengine.sin(one.args[0]) / symengine.cos(one.args[0]) for one in f.atoms(symengine.tan)}
    )
    opened = opened.xreplace({one: _open(one) for one in opened.atoms(*_TRIGONOMETRIC)})
    return pythagoras(_numerator(opened))


def verdict(f: Basic) -> Verdict:
    """Decide whether `f` vanishes for all values of its symbols."""
    if f == 0 or f.expand() == 0 or normal_form(f) == 0:
        return Verdict(True, "normal form")
    return Verdict(_vanishes_at_random_points(f), "evaluation")


def _numerator(f: Basic) -> Basic:
    g = f.expand()
    if g == 0 or not any(_negative_power(one) for one in g.atoms(symengine.Pow)):
        return g
    return f.as_numer_denom()[0].expand()


def _negative_power(one: Basic) -> bool:
    exponent = one.args[1]
    return bool(exponent.is_Number and exponent.is_negative)


def _open(one: Basic) -> Basic:
    """sin or cos of a sum with whole coefficients, as a polynomial in sines and cosines of its terms."""
    argument = one.args[0].expand()
    sine, cosine = ZERO, ONE
    for term in argument.args if isinstance(argument, symengine.Add) else (argument,):
        whole, base = _whole_multiple(term)
        for _ in range(abs(whole)):
            s, c = symengine.sin(base), symengine.cos(base)
            if whole < 0:
                s = -s
            sine, cosine = (sine * c + cosine * s).expand(), (cosine * c - sine * s).expand()
    return sine if isinstance(one, symengine.sin) else cosine


def _whole_multiple(term: Basic) -> tuple[int, Basic]:
    head = term.args[0] if isinstance(term, symengine.Mul) else ONE
    if head.is_Integer and abs(int(head)) <= 8:
        return int(head), term / head
    return 1, term


def pythagoras(f: Basic) -> Basic:
    """An expanded tree with even powers of sines replaced; one pass, since cosines do not bring sines back."""
    powers = [
        one for one in f.atoms(symengine.Pow) if isinstance(one.args[0], symengine.sin) and one.args[1].is_Integer
    ]
    replaced: dict[Basic, Basic] = {}
    for one in powers:
        exponent = int(one.args[1])
        if exponent >= 2:
            angle = one.args[0].args[0]
            even = (1 - symengine.cos(angle) ** 2) ** (exponent // 2)
            replaced[one] = even * symengine.sin(angle) ** (exponent % 2)
    return f.xreplace(replaced).expand() if replaced else f


def _vanishes_at_random_points(f: Basic, points: int = 4) -> bool:
    """Evaluate with 60 digits at random rational points; a function that is not zero misses zero at one of them."""
    generator = random.Random(str(f)[:200])
    symbols = sorted(f.free_symbols, key=lambda one: one.name)
    for _ in range(points):
        where = {one: symengine.Rational(generator.randint(1, 997), 998) for one in symbols}
        terms = f.args if isinstance(f, symengine.Add) else (f,)
        values = [_digits(one.xreplace(where)) for one in terms]
        scale = max((abs(one) for one in values), default=1)
        if abs(sum(values)) > scale * symengine.Rational(1, 10**40):
            return False
    return True


def _digits(one: Basic) -> Basic:
    return symengine.Add(one.n(200, real=False))
