"""Separation of variables: a density as a sum of (function of time) x (function of x) x (fields, at most two).

>>> separate(rho * w_t**2 / 2 + q_t * SPINE * w_t, [w_t])
... # terms 1 * rho/2 * w_t w_t and q_t * x * w_t; nothing is left

The integrals over x are then done once, whatever the motion. What cannot be separated is left for quadrature at every
evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import symengine

from flexura.discretisation.degrees import Degrees
from flexura.symbolic.engine import ONE, SPINE, ZERO, Basic, Symbol, kinks, partial
from flexura.symbolic.integrals import factors, terms
from flexura.symbolic.values import real_value
from flexura.symbolic.zero import LARGE, SHORT, within

Zeroing = Callable[[Basic], Basic]
"""Puts zero in for what is inside."""


@dataclass(frozen=True)
class Term:
    """`scalar` (of coordinates and time) times `along` (of x) times the product of `inside`, none to two symbols."""

    scalar: Basic
    along: Basic
    inside: tuple[Symbol, ...]


def separate(f: Basic, inside: Sequence[Symbol], zeroing: Zeroing | None = None) -> tuple[list[Term], Basic]:
    """The terms of `f`, and what is left: not of second degree in `inside`, or mixing x with coordinates.

    `zeroing` is for many trees that share branches, which its result should share too.
    """
    names = f.free_symbols
    present = [one for one in inside if one in names]
    at_zero = zeroing or (lambda g: g.xreplace(dict.fromkeys(present, ZERO)))
    found = _quadratic(f, present, at_zero)
    if found is not None:
        return found
    good: list[Basic] = []
    bad: list[Basic] = []
    for term in _pieces(f, Degrees(set(present).__contains__)):
        (good if _quadratic(term, present, at_zero) is not None else bad).append(term)
    separated = _quadratic(symengine.Add(*good), present, at_zero)
    assert separated is not None
    return separated[0], separated[1] + symengine.Add(*bad)


def _pieces(f: Basic, degrees: Degrees) -> Iterator[Basic]:
    """The terms of `f`, multiplied out where they are polynomials: functions of fields are shortest as they stand."""
    for term in terms(f):
        held, outside = list[Basic](), ONE
        for one in factors(term):
            if degrees(one) == frozenset({0}):
                outside *= one
            else:
                held.append(one)
        if degrees(term) is not None:
            yield from terms(term.expand() if within(term, LARGE) else term)
        elif len(held) == 1 and isinstance(held[0], symengine.Add):
            yield from _pieces(symengine.Add(*(outside * one for one in held[0].args)), degrees)
        else:
            yield term


def degree(f: Basic, inside: Sequence[Symbol], limit: int = 6) -> int | None:
    """The degree of `f` as a polynomial in `inside`; None where it is none, or beyond the limit."""
    present = [one for one in inside if one in f.free_symbols]
    if not present:
        return 0
    if _bends(f, present):
        return None
    if limit == 0 or (not within(f, SHORT) and Degrees(set(present).__contains__)(f) is None):
        return None  # a long tree is not differentiated where its shape says that it is no polynomial
    found = [degree(partial(f, one).expand(), present, limit - 1) for one in present]
    return None if any(one is None for one in found) else 1 + max(one or 0 for one in found)


def _bends(f: Basic, inside: Sequence[Symbol]) -> bool:
    """Whether signs, absolute values or pieces change over in these symbols: their derivatives do not tell, being zero.

    Properties that jump along x are integrated from jump to jump.
    """
    return any(not one.free_symbols.isdisjoint(inside) for one in kinks(f)) if SPINE not in inside else False


def _quadratic(f: Basic, inside: list[Symbol], at_zero: Zeroing) -> tuple[list[Term], Basic] | None:
    """Coefficients as derivatives at zero, so that nothing need be expanded; None where second ones still vary."""
    if _bends(f, inside):
        return None
    found: list[tuple[Basic, tuple[Symbol, ...]]] = [(at_zero(f) if inside else f, ())]
    names, every = f.free_symbols, set(inside)
    for i, a in enumerate(inside):
        if a not in names:
            continue
        slope = partial(f, a)
        found.append((at_zero(slope), (a,)))
        held = slope.free_symbols
        for b in inside[i:]:
            if b not in held:
                continue
            second = partial(slope, b)
            if second.free_symbols & every:
                second = second.expand() if within(second, LARGE) else second
                if second.free_symbols & every:
                    return None
            found.append((second / 2 if a == b else second, (a, b)))
    result: list[Term] = []
    left = ZERO
    for c, symbols in found:
        if c == 0:
            continue
        split = _split(c)
        if split is None:
            left += symengine.Mul(c, *symbols)
        else:
            result += [Term(scalar, along, symbols) for along, scalar in split.items()]
    return result, left


def _split(c: Basic) -> dict[Basic, Basic] | None:
    """c as a sum of (function of x) -> (function of the rest); None where one factor holds both."""
    if SPINE not in c.free_symbols:
        return {ONE: c}
    if c.free_symbols == {SPINE}:
        return {c: ONE}
    if not within(c, SHORT):
        return _split_branches(c)
    found: dict[Basic, Basic] = {}
    for term in terms(c.expand()):
        along: list[Basic] = []
        scalar: list[Basic] = []
        for one in factors(term):
            names = one.free_symbols
            if SPINE in names and len(names) > 1:
                return None
            (along if SPINE in names else scalar).append(one)
        key = symengine.Mul(*along)
        found[key] = found.get(key, ZERO) + symengine.Mul(*scalar)
    return found


def _split_branches(c: Basic) -> dict[Basic, Basic] | None:
    """The same by the shape of a long tree, whose branches without x are not opened."""
    names = c.free_symbols
    if SPINE not in names:
        return {ONE: c}
    if names == {SPINE}:
        return {c: ONE}
    parts: Sequence[Basic] = c.args
    if isinstance(c, symengine.Pow) and parts[1].is_Integer and 0 < int(parts[1]) <= 4:
        parts = [parts[0]] * int(parts[1])
    elif not isinstance(c, symengine.Add | symengine.Mul):
        return None
    split = [_split_branches(part) for part in parts]
    known = [one for one in split if one is not None]
    if len(known) < len(split):
        return None
    pairs = [pair for one in known for pair in one.items()]
    if not isinstance(c, symengine.Add):
        pairs = [(ONE, ONE)]
        for one in known:
            pairs = [(a * b, f * g) for a, f in pairs for b, g in one.items()]
    found: dict[Basic, list[Basic]] = {}
    for along, scalar in pairs:
        found.setdefault(along, []).append(scalar)
    return {along: symengine.Add(*scalars) for along, scalars in found.items()}


def normed(c: Basic) -> tuple[Basic, float]:
    """(c', number) with c = number c', so that proportional coefficients are found equal."""
    if not c.free_symbols:
        return ONE, real_value(c)
    leading = factors(c)[0]
    if leading.is_Number and isinstance(c, symengine.Mul):
        return symengine.Mul(*factors(c)[1:]), float(leading)
    return c, 1.0
