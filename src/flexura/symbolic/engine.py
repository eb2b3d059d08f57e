"""The symbolic engine (symengine) and the few conventions the whole house shares.

Names carry the meaning: the jet of coordinate `q` with two time derivatives is the symbol `q_tt`, the mixed
derivative of field `w` is `w_xt`, its value at the end b is `w_xt@b`. The spine variable is `SPINE` (so that a
coordinate may be called x), time is `TIME`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import symengine

from flexura.symbolic.walk import branches

Basic: TypeAlias = symengine.Basic
Symbol: TypeAlias = symengine.Symbol

SPINE = Symbol("$x")
TIME = Symbol("t")
WIDTH = Symbol("$dx")
ZERO: Basic = symengine.Integer(0)
ONE: Basic = symengine.Integer(1)

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sin": symengine.sin,
    "cos": symengine.cos,
    "tan": symengine.tan,
    "asin": symengine.asin,
    "acos": symengine.acos,
    "atan": symengine.atan,
    "atan2": symengine.atan2,
    "sinh": symengine.sinh,
    "cosh": symengine.cosh,
    "tanh": symengine.tanh,
    "exp": symengine.exp,
    "log": symengine.log,
    "sqrt": symengine.sqrt,
    "abs": symengine.Abs,
    "sign": symengine.sign,
}
"""The functions an expression may use, by the names of the text grammar."""


def step(since: Any) -> Basic:
    """1 from where its argument is zero on, 0 before."""
    return symengine.Piecewise((ZERO, symengine.Lt(since, ZERO)), (ONE, symengine.true))


def ramp(since: Any) -> Basic:
    """Its argument where that is positive, 0 elsewhere."""
    return symengine.Piecewise((ZERO, symengine.Lt(since, ZERO)), (symengine.sympify(since), symengine.true))


SINCE: dict[str, Callable[..., Any]] = {"step": step, "ramp": ramp}
"""Shorthands of the text grammar for what begins somewhere."""


def exact(number: int | float | Fraction | Decimal) -> Basic:
    """Turn a number into an exact rational: 0.1 is one tenth, as the user wrote it."""
    ratio = Fraction(repr(float(number))) if isinstance(number, float) else Fraction(number)
    return symengine.Rational(ratio.numerator, ratio.denominator)


def symbol_name(f: Basic) -> str:
    """The name of a symbol; empty for any other tree."""
    return f.name if isinstance(f, symengine.Symbol) else ""


def hangs(name: str, arguments: Sequence[Basic]) -> bool:
    """Whether the engine would never return, as from sign(sqrt(-q)), now or when something is put in for q."""
    factors = arguments[-1].args if isinstance(arguments[-1], symengine.Mul) else (arguments[-1],)
    base, *rest = [part for part in factors if not isinstance(part, symengine.Number)] or [ZERO]
    while isinstance(base, symengine.Pow):
        base = base.args[0]
    negative = not rest and isinstance(base, symengine.Mul) and base.args[0].is_negative
    return bool(negative) and (name == "sign" or (name == "atan2" and not (arguments[0] / arguments[1]).free_symbols))


def partial(f: Basic, symbol: Symbol) -> Basic:
    """Partial derivative of `f`, everything else frozen; |u| differentiates to sign(u), sign(u) to zero."""
    rough = _rough(f)
    return _partial_of_rough(f, symbol, rough) if rough else f.diff(symbol)


def kinks(f: Basic) -> tuple[Basic, ...]:
    """The absolute values, signs and pieces in a tree."""
    return _rough(f)


def _rough(f: Basic) -> tuple[Basic, ...]:
    """Absolute values, signs and pieces in `f`, which the engine does not differentiate well; finding them is slow."""
    if len(_smooth) > _MOST_KNOWN:
        _smooth.clear()
    found: dict[Basic, frozenset[Basic]] = {}
    for one in branches([f], _Smooth()):
        inside = [found[part] for part in one.args if part in found]
        own = (one,) if isinstance(one, _ROUGH) else ()
        if own or inside:
            found[one] = frozenset(own).union(*inside)
        else:
            _smooth.add(hash(one))
    return tuple(sorted(found[f], key=str)) if f in found else ()


class _Smooth:
    """Branches seen before that hold nothing rough, so that only what is new in a tree is walked.

    They are told by their hash. To compare them may take for ever: the trees of two models alike share nothing, and
    equal branches that are not one are compared all the way down.
    """

    def __contains__(self, one: object) -> bool:
        return hash(one) in _smooth


_ROUGH = (symengine.Abs, symengine.sign, symengine.Piecewise)
_MOST_KNOWN = 200_000
_smooth: set[int] = set()


def _partial_of_rough(f: Basic, symbol: Symbol, rough: tuple[Basic, ...]) -> Basic:
    outermost = next(one for one in rough if not any(one != other and other.has(one) for other in rough))
    stand_in = Symbol(f"$rough{len(rough)}")
    smooth = f.xreplace({outermost: stand_in})
    result = partial(smooth, symbol).xreplace({stand_in: outermost})
    inner = _inner_slope(outermost, symbol)
    if inner != 0:
        result += partial(smooth, stand_in).xreplace({stand_in: outermost}) * inner
    return result


def _inner_slope(one: Basic, symbol: Symbol) -> Basic:
    """The derivative of |u|, sign(u) or a Piecewise, where it has one; what jumps is left to the conditions."""
    if isinstance(one, symengine.Abs):
        inside = one.args[0]
        sign = inside / one if hangs("sign", (inside,)) else symengine.sign(inside)
        return sign * partial(inside, symbol)
    if isinstance(one, symengine.Piecewise):
        pieces = [(partial(one.args[i], symbol), one.args[i + 1]) for i in range(0, len(one.args), 2)]
        return symengine.Piecewise(*pieces) if any(f != 0 for f, _ in pieces) else ZERO
    return ZERO
