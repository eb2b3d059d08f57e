"""Bounds of trees over intervals: what a function can be at most and at least, however narrow its features.

>>> low, high = bounds(exp(-(t / 0.001) ** 2), {t: (np.array([-1.0, 0.5]), np.array([0.5, 1.0]))})
>>> low, high        # (array([0., 0.]), array([1., 0.]))

Interval arithmetic of many intervals at once. Bounds may be wide where a symbol stands twice, never too narrow but for
the last digits. A function that is not known here has no bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray
from symengine.lib.symengine_wrapper import Boolean

from flexura.symbolic.engine import Basic, Symbol
from flexura.symbolic.walk import branches

Array = NDArray[np.float64]
Interval = tuple[Array, Array]
Verdict = tuple[NDArray[np.bool_], NDArray[np.bool_]]  # surely true, possibly true


class Bounded:
    """Trees that are bounded again and again: what they are made of is read once, and what they share counts once.

    >>> Bounded(f, f.diff(t))({t: (low, high)})        # the bounds of both
    """

    def __init__(self, *trees: Basic) -> None:
        order = branches(trees)
        places = {one: i for i, one in enumerate(order)}
        self._found = [places[f] for f in trees]
        self._steps = [(one, _rule(one), [places[part] for part in one.args]) for one in order]

    def __call__(self, where: Mapping[Symbol, tuple[Any, Any]]) -> list[Interval]:
        """The least and the largest value of each while each symbol is anywhere between its two."""
        given: dict[Basic, Any] = {
            one: tuple(np.asarray(end, dtype=np.float64) for end in ends) for one, ends in where.items()
        }
        shape = np.broadcast_shapes(*(end.shape for ends in given.values() for end in ends))
        found: list[Any] = []
        with np.errstate(all="ignore"):
            for one, rule, parts in self._steps:
                found.append(rule(*[found[i] for i in parts]) if rule else given.get(one, _ANYTHING))
        ends = [found[i] for i in self._found]
        return [(np.broadcast_to(low, shape), np.broadcast_to(high, shape)) for low, high in ends]


def bounds(tree: Basic, where: Mapping[Symbol, tuple[Any, Any]]) -> Interval:
    """The least and the largest value while each symbol is anywhere between its two."""
    return Bounded(tree)(where)[0]


def values(tree: Basic, where: Mapping[Symbol, Any]) -> Array:
    """The tree at points."""
    return bounds(tree, {one: (at, at) for one, at in where.items()})[0]


def _rule(one: Basic) -> Callable[..., Any] | None:
    """What makes the bounds of a branch from those of its parts; those of a symbol are given."""
    if isinstance(one, symengine.Symbol):
        return None
    rule = _RULES.get(type(one).__name__)
    if rule is not None:
        return rule
    if Boolean in type(one).__mro__:  # a condition that is not known here
        return lambda *parts: _UNDECIDED
    if isinstance(one, symengine.Pow):
        return partial(_power, one)
    if one.free_symbols:
        return lambda *parts: _ANYTHING
    value = np.asarray(_number(one))
    return lambda *parts: (value, value)


def _number(one: Basic) -> float:
    found = complex(one.n(53, real=False))
    return found.real if found.imag == 0 else float("nan")


def _sum(*parts: Interval) -> Interval:
    low, high = parts[0]
    for a, b in parts[1:]:
        low, high = low + a, high + b
    return _whole(low, high)


def _product(*parts: Interval) -> Interval:
    low, high = parts[-1]
    for a, b in parts[-2::-1]:  # a number comes first in a product, and is the least work last
        if a is b and not a.ndim and a != 0:
            low, high = (low * a, high * a) if a > 0 else (high * a, low * a)
            continue
        corners = [np.where((x == 0) | (y == 0), 0.0, x * y) for x in (low, high) for y in (a, b)]
        low, high = np.minimum.reduce(corners), np.maximum.reduce(corners)
    return _whole(low, high)


def _whole(low: Any, high: Any) -> Interval:
    """What is no number could be anything."""
    lost = np.isnan(low) | np.isnan(high)
    return np.where(lost, -np.inf, low), np.where(lost, np.inf, high)


def _power(one: Basic, base: Interval, exponent: Interval) -> Interval:
    if one.args[0] == symengine.E:
        return np.exp(exponent[0]), np.exp(exponent[1])
    n = one.args[1]
    low, high = base
    if n.is_Integer:
        k = abs(int(n))
        a, b = low**k, high**k
        if k % 2 == 0:
            a, b = np.where((low <= 0) & (high >= 0), 0.0, np.minimum(a, b)), np.maximum(a, b)
        return (a, b) if int(n) > 0 else _inverse(a, b)
    if isinstance(n, symengine.Number):
        a, b = (np.maximum(end, 0.0) ** abs(_number(n)) for end in base)
        found = (a, b) if _number(n) > 0 else _inverse(a, b)
        return _where(high < 0, _ANYTHING, found)  # no real number: whoever evaluates it says so
    return _exponential(_product(exponent, _logarithm(base)))


def _inverse(low: Any, high: Any) -> Interval:
    through = (low < 0) & (high > 0)
    a = np.where(high == 0, -np.inf, 1 / np.where(high == 0, 1.0, high))
    b = np.where(low == 0, np.inf, 1 / np.where(low == 0, 1.0, low))
    return np.where(through, -np.inf, a), np.where(through, np.inf, b)


def _rising(function: Callable[[Any], Any], least: float = -np.inf, most: float = np.inf) -> Callable[..., Interval]:
    def rule(one: Interval) -> Interval:
        return _whole(*(function(np.clip(end, least, most)) for end in one))

    return rule


_logarithm, _exponential = _rising(np.log, 0.0), _rising(np.exp)


def _sine(one: Interval) -> Interval:
    low, high = one
    a, b = np.sin(low), np.sin(high)
    turn = 2 * np.pi
    top = np.floor((high - np.pi / 2) / turn) > np.floor((low - np.pi / 2) / turn)
    bottom = np.floor((high + np.pi / 2) / turn) > np.floor((low + np.pi / 2) / turn)
    least, most = np.where(bottom, -1.0, np.minimum(a, b)), np.where(top, 1.0, np.maximum(a, b))
    lost = ~(np.isfinite(low) & np.isfinite(high))
    return np.where(lost, -1.0, least), np.where(lost, 1.0, most)


def _cosine(one: Interval) -> Interval:
    return _sine((one[0] + np.pi / 2, one[1] + np.pi / 2))


def _tangent(one: Interval) -> Interval:
    low, high = one
    pole = np.floor((high + np.pi / 2) / np.pi) > np.floor((low + np.pi / 2) / np.pi)
    pole = pole | ~np.isfinite(low + high)
    return np.where(pole, -np.inf, np.tan(low)), np.where(pole, np.inf, np.tan(high))


def _absolute(one: Interval) -> Interval:
    low, high = one
    a, b = np.abs(low), np.abs(high)
    return np.where((low <= 0) & (high >= 0), 0.0, np.minimum(a, b)), np.maximum(a, b)


def _arc(y: Interval, x: Interval) -> Interval:
    """atan2, bounded where x stays positive."""
    a, b = _rising(np.arctan)(_product(y, _inverse(*x)))
    return np.where(x[0] > 0, a, -np.pi), np.where(x[0] > 0, b, np.pi)


def _where(condition: Any, first: Interval, second: Interval) -> Interval:
    return np.where(condition, first[0], second[0]), np.where(condition, first[1], second[1])


def _pieces(*parts: Any) -> Interval:
    """The hull of the branches that may hold."""
    low, high, open_ = np.asarray(np.inf), np.asarray(-np.inf), np.asarray(True)
    for (a, b), (sure, possible) in zip(parts[::2], parts[1::2], strict=True):
        taken = open_ & possible
        low, high = np.where(taken, np.minimum(low, a), low), np.where(taken, np.maximum(high, b), high)
        open_ = open_ & ~sure
    none = low > high
    return np.where(none, -np.inf, low), np.where(none, np.inf, high)


def _less(strict: bool) -> Callable[..., Verdict]:
    def rule(a: Interval, b: Interval) -> Verdict:
        if strict:
            return a[1] < b[0], a[0] < b[1]
        return a[1] <= b[0], a[0] <= b[1]

    return rule


def _all(*parts: Verdict) -> Verdict:
    return np.logical_and.reduce([one[0] for one in parts]), np.logical_and.reduce([one[1] for one in parts])


def _any(*parts: Verdict) -> Verdict:
    return np.logical_or.reduce([one[0] for one in parts]), np.logical_or.reduce([one[1] for one in parts])


_ANYTHING: Interval = np.asarray(-np.inf), np.asarray(np.inf)
_UNDECIDED: Verdict = np.asarray(False), np.asarray(True)
_RULES: dict[str, Callable[..., Any]] = {
    "Add": _sum,
    "Mul": _product,
    "sin": _sine,
    "cos": _cosine,
    "tan": _tangent,
    "asin": _rising(np.arcsin, -1.0, 1.0),
    "acos": lambda one: _rising(np.arccos, -1.0, 1.0)(one[::-1]),
    "atan": _rising(np.arctan),
    "atan2": _arc,
    "sinh": _rising(np.sinh),
    "cosh": lambda one: _rising(np.cosh)(_absolute(one)),
    "tanh": _rising(np.tanh),
    "log": _logarithm,
    "Abs": _absolute,
    "sign": _rising(np.sign),
    "Max": lambda *parts: tuple(np.maximum.reduce([one[end] for one in parts]) for end in (0, 1)),
    "Min": lambda *parts: tuple(np.minimum.reduce([one[end] for one in parts]) for end in (0, 1)),
    "Piecewise": _pieces,
    "StrictLessThan": _less(strict=True),
    "LessThan": _less(strict=False),
    "And": _all,
    "Or": _any,
    "Not": lambda one: (~one[1], ~one[0]),
    "BooleanTrue": lambda: (np.asarray(True), np.asarray(True)),
    "BooleanFalse": lambda: (np.asarray(False), np.asarray(False)),
}
