"""Trees as lists of operations, evaluated with many digits.

>>> DigitsProgram([a * cos(q), a])({"a": mp.mpf(2), "q": mp.mpf(1)}.__getitem__)
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any

import mpmath
import symengine

from flexura.errors import FlexuraError
from flexura.symbolic.engine import Basic
from flexura.symbolic.walk import branches

DIGITS = 100
mp = mpmath.ctx_mp.MPContext()
mp.dps = DIGITS
STEP = mp.mpf(10) ** -25
"""Of central differences: what they leave out is 50 digits below, and so is their rounding."""

Number = Any
_CALLS: dict[type, Callable[..., Number]] = {
    symengine.sin: mp.sin,
    symengine.cos: mp.cos,
    symengine.tan: mp.tan,
    symengine.cot: mp.cot,
    symengine.asin: mp.asin,
    symengine.acos: mp.acos,
    symengine.atan: mp.atan,
    symengine.atan2: mp.atan2,
    symengine.sinh: mp.sinh,
    symengine.cosh: mp.cosh,
    symengine.tanh: mp.tanh,
    symengine.log: mp.log,
    symengine.Abs: abs,
    symengine.sign: mp.sign,
    symengine.StrictLessThan: operator.lt,
    symengine.LessThan: operator.le,
}
_CONSTANTS = {symengine.pi: mp.pi, symengine.E: mp.e, symengine.true: True, symengine.false: False}


class DigitsProgram:
    """Some trees, ready to be evaluated where symbols have numbers."""

    def __init__(self, trees: Sequence[Basic]) -> None:
        """Every branch is one operation, however often it is used."""
        order = branches(trees)
        number = {one: i for i, one in enumerate(order)}
        self.names = sorted({one.name for one in order if isinstance(one, symengine.Symbol)})
        self._operations = [_operation(one, [number[part] for part in one.args]) for one in order]
        self._results = [number[one] for one in trees]

    def __call__(self, value: Callable[[str], Number]) -> list[Number]:
        """The trees where each symbol has the value that `value(name)` gives."""
        found: list[Number] = []
        for operation, parts in self._operations:
            found.append(operation(value, [found[i] for i in parts]))
        return [found[i] for i in self._results]


def evaluate(tree: Basic, value: Callable[[str], Number]) -> Number:
    """One tree, once."""
    return DigitsProgram([tree])(value)[0]


_Operation = Callable[[Callable[[str], Number], list[Number]], Number]


def _operation(one: Basic, parts: list[int]) -> tuple[_Operation, list[int]]:
    if isinstance(one, symengine.Symbol):
        name = one.name
        return (lambda value, _: value(name)), []
    if isinstance(one, symengine.Rational | symengine.Integer):
        ratio = Fraction(str(one))
        number = mp.mpf(ratio.numerator) / ratio.denominator
        return (lambda _, __: number), []
    if one in _CONSTANTS:
        constant = _CONSTANTS[one]
        return (lambda _, __: +constant if constant is mp.pi or constant is mp.e else constant), []
    if isinstance(one, symengine.Add):
        return (lambda _, args: reduce(operator.add, args)), parts
    if isinstance(one, symengine.Mul):
        return (lambda _, args: reduce(operator.mul, args)), parts
    if isinstance(one, symengine.Pow):
        return _power(one), parts
    if isinstance(one, symengine.Piecewise):
        return _pieces, parts
    call = next((_CALLS[kind] for kind in _CALLS if isinstance(one, kind)), None)
    if call is None:
        raise FlexuraError(f"The expression {one} cannot be evaluated with many digits", advice="write it another way")
    return (lambda _, args: call(*args)), parts


def _power(one: Basic) -> _Operation:
    exponent = one.args[1]
    if isinstance(exponent, symengine.Integer):
        whole = int(exponent)
        return lambda _, args: args[0] ** whole
    if exponent == symengine.Rational(1, 2):
        return lambda _, args: mp.sqrt(args[0])
    return lambda _, args: mp.power(args[0], args[1])


def _pieces(_: Callable[[str], Number], args: list[Number]) -> Number:
    return next(value for value, condition in zip(args[::2], args[1::2], strict=True) if condition)
