"""Walks over trees that share their branches: each branch is visited once, however often it is used.

A tree of a long chain holds the velocity of every link in terms of that of the one before, twice each; written out it
would double with every link. The engine's own `atoms` walks it so; these do not.

>>> atoms(sin(q) * cos(q), symengine.sin)
{sin(q)}
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Sequence

import symengine
from symengine import Basic, Symbol
from symengine.lib.symengine_wrapper import Boolean


def branches(trees: Iterable[Basic], known: Container[Basic] = frozenset()) -> list[Basic]:
    """All different branches of some trees (themselves included), each after those it is made of; not what is known."""
    found: list[Basic] = []
    seen: set[Basic] = set()
    waiting = [(f, False) for f in trees]
    while waiting:
        f, opened = waiting.pop()
        if opened:
            found.append(f)
        elif f not in seen and f not in known:
            seen.add(f)
            waiting.append((f, True))
            waiting += [(one, False) for one in f.args]
    return found


def atoms(f: Basic, *kinds: type) -> set[Basic]:
    """The branches of `f` that are of some kinds."""
    return {one for one in branches([f]) if isinstance(one, kinds)}


def flattened(trees: Iterable[Basic]) -> list[Basic]:
    """The same trees without sums that are terms of sums, or products that are factors of products.

    The engine's derivative leaves such (of a - (b - q)*(c + d) by q, say), and its search for common subexpressions
    then loses what stands in a sum twice. What it would not evaluate becomes machine numbers.
    """
    made: dict[Basic, tuple[Basic, bool]] = {}  # and whether it is another
    trees = list(trees)
    for one in branches(trees):
        number = machine_number(one)
        if number is not one or not one.args:
            made[one] = number, number is not one
            continue
        parts = [made[part] for part in one.args]
        nested = isinstance(one, _NESTING) and any(isinstance(part, type(one)) for part, _ in parts)
        other = nested or any(another for _, another in parts)
        made[one] = (remade(one, [part for part, _ in parts]) if other else one, other)
    return [made[f][0] for f in trees]


def machine_number(f: Basic) -> Basic:
    """A fraction, a root or any other number of integers too long for the machine as such a number; others as it is.

    The engine's compilers make machine numbers of the integers first: infinity by infinity, where the fraction is 1,
    and 1/log(10**400) is 0.
    """
    if isinstance(f, symengine.Rational):
        return _machine_fraction(f) if _too_long(f) else f
    if not any(map(_too_long, f.args)) or f.free_symbols or not _is_value(f):
        return f
    try:
        found = float(f.n(_BITS, real=True))
    except (RuntimeError, ValueError, TypeError):  # it is no real number
        return f
    return symengine.RealDouble(found) if math.isfinite(found) else f


def _machine_fraction(f: symengine.Rational) -> Basic:
    try:
        return symengine.RealDouble(int(f.p) / int(f.q))
    except OverflowError:  # it is beyond all machine numbers itself
        return f


def _too_long(f: Basic) -> bool:
    return isinstance(f, symengine.Rational) and (abs(int(f.p)) > _LONGEST or int(f.q) > _LONGEST)


def _is_value(f: Basic) -> bool:
    return not isinstance(f, Boolean | symengine.Piecewise)


class Replacing:
    """Puts things in for symbols and remembers every branch: what is not changed, and what was met before, stays one.

    >>> still = Replacing(lambda symbol: ZERO if symbol.name.startswith("w") else symbol)
    >>> still(q * cos(q) + w_l0), still(q * cos(q))        # the same branch twice
    """

    def __init__(self, leaf: Callable[[Symbol], Basic]) -> None:
        self._leaf = leaf
        self._made: dict[Basic, tuple[Basic, bool]] = {}  # and whether it is another

    def __call__(self, f: Basic) -> Basic:
        """The changed tree."""
        for one in branches([f], self._made):
            self._made[one] = self._changed(one)
        return self._made[f][0]

    def _changed(self, one: Basic) -> tuple[Basic, bool]:
        if isinstance(one, Symbol):
            put = self._leaf(one)
            return (put, True) if put != one else (one, False)
        parts = [self._made[part] for part in one.args]
        if not any(other for _, other in parts):
            return one, False
        return remade(one, [part for part, _ in parts]), True


def remade(one: Basic, parts: Sequence[Basic]) -> Basic:
    """The same branch, made of other parts."""
    if isinstance(one, _PLAIN):
        return one.func(*parts)
    return one.xreplace(dict(zip(one.args, parts, strict=True))) if parts else one


_LONGEST = 2**1000  # of integers, well within machine numbers
_BITS = 100  # of a root, before it is rounded
_NESTING = (symengine.Add, symengine.Mul)
_PLAIN = (symengine.Add, symengine.Mul, symengine.Pow, symengine.sin, symengine.cos)
