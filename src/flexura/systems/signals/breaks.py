"""Where trees are not smooth: conditions, absolute values and signs change over there, and steps and elements end.

>>> breaks_along([Piecewise((1, Abs(SPINE - 2) < 0.5), (3, True))], 0.0, 5.0)
(1.5, 2.5)
>>> picked(Abs(SPINE - 2), {SPINE: 3.0})        # the branch that holds at 3
SPINE - 2

Zeros are found by bounds over intervals, so that none is missed however close two of them lie.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Mapping

import mpmath
import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.symbolic.engine import SPINE, TIME, ZERO, Basic, Symbol, partial
from flexura.symbolic.walk import atoms, branches, remade
from flexura.systems.signals.intervals import bounds, values

Array = NDArray[np.float64]
_RELATIONS = (symengine.LessThan, symengine.StrictLessThan)
_ROUGH = (*_RELATIONS, symengine.Abs, symengine.sign, symengine.Max, symengine.Min)
_MOST = 20_000  # breaks
_FINEST = 1e-13  # of the span: two zeros that close are one
_VARIANTS = 32
_HIGHEST = 8  # degree of polynomials whose zeros are found as such


def breaks_along(trees: Iterable[Basic], start: float, end: float) -> tuple[float, ...]:
    """The places between start and end, ascending; numbers must have been put in."""
    return _between({SPINE}, trees, start, end)


def switches(trees: Iterable[Basic], start: float, end: float) -> tuple[float, ...]:
    """The times between start and end, ascending, of what depends on t alone."""
    return _between({TIME}, trees, start, end)


def _between(symbols: set[Symbol], trees: Iterable[Basic], start: float, end: float) -> tuple[float, ...]:
    (symbol,) = symbols
    found = {x for g in crossings(trees) if g.free_symbols == symbols for x in zeros(g, symbol, start, end)}
    margin = 1e-12 * (end - start)
    inner = sorted(x for x in found if start + margin < x < end - margin)
    return tuple(x for x, before in zip(inner, [start, *inner], strict=False) if x - before > margin)


def crossings(trees: Iterable[Basic]) -> list[Basic]:
    """Smooth functions, among whose zeros are all places where the trees change over."""
    found: dict[Basic, None] = {}
    for one in {one for f in trees for one in atoms(f, *_ROUGH)}:
        for g in _differences(one):
            if g.free_symbols and g.free_symbols <= {SPINE, TIME}:
                found.update(dict.fromkeys(smooth_variants(g)))
    return sorted(found, key=str)


def _differences(one: Basic) -> list[Basic]:
    if isinstance(one, symengine.Abs | symengine.sign):
        return [one.args[0]]
    return [a - b for a, b in itertools.combinations(one.args, 2)]


def smooth_variants(f: Basic) -> list[Basic]:
    """The tree with every branch of its pieces, signs and absolute values in turn."""
    found = [f]
    while any(rough := [atoms(g, *_ROUGH, symengine.Piecewise) for g in found]):
        found = list(dict.fromkeys(h for g, some in zip(found, rough, strict=True) for h in _opened(g, some)))
        if len(found) > _VARIANTS:
            raise FlexuraError(
                f"The condition on {f} nests more than {_VARIANTS} cases", advice="write it as separate conditions"
            )
    return found


def _opened(f: Basic, rough: set[Basic]) -> Iterator[Basic]:
    """The variants of one innermost rough branch."""
    if not rough:
        yield f
        return
    values_only = [one for one in rough if not isinstance(one, _RELATIONS)]
    one = min(values_only, key=lambda g: (len(branches([g])), str(g)))
    for case in _cases(one):
        yield f.xreplace({one: case})


def _cases(one: Basic) -> list[Basic]:
    if isinstance(one, symengine.Abs):
        return [one.args[0], -one.args[0]]
    if isinstance(one, symengine.sign):
        return [symengine.Integer(1), symengine.Integer(-1)]
    return list(one.args[::2]) if isinstance(one, symengine.Piecewise) else list(one.args)


def picked(f: Basic, where: Mapping[Symbol, float]) -> Basic:
    """The tree with the branches that hold at a point: smooth around it."""
    if not atoms(f, *_ROUGH, symengine.Piecewise):
        return f
    made: dict[Basic, Basic] = {}
    for one in branches([f]):
        made[one] = _held(one, [made[part] for part in one.args], where)
    return made[f]


def _held(one: Basic, parts: list[Basic], where: Mapping[Symbol, float]) -> Basic:
    if isinstance(one, symengine.Piecewise):
        for case, condition in zip(parts[::2], parts[1::2], strict=True):
            if bool(bounds(symengine.Piecewise((1, condition), (0, True)), _points(where))[0] > 0):
                return case
    if isinstance(one, symengine.Abs | symengine.sign) and parts[0].free_symbols <= set(where):
        side = 1 if float(values(parts[0], where)) >= 0 else -1
        return side * parts[0] if isinstance(one, symengine.Abs) else symengine.Integer(side)
    return one if list(one.args) == parts else remade(one, parts)


def _points(where: Mapping[Symbol, float]) -> dict[Symbol, tuple[float, float]]:
    return {one: (at, at) for one, at in where.items()}


def zeros(g: Basic, symbol: Symbol, start: float, end: float) -> list[float]:
    """All zeros of a smooth function of one symbol; one that touches zero counts, one that is zero throughout not."""
    slope, finest = partial(g, symbol), _FINEST * max(end - start, abs(start), abs(end))
    coefficients = _coefficients(g, symbol)
    if coefficients is not None:
        return [x for x in _polynomial_zeros(coefficients) if start <= x <= end]
    low, high = np.array([start]), np.array([end])
    found: list[float] = []
    while len(low):
        least, most = bounds(g, {symbol: (low, high)})
        slack = 1e-15 * (np.abs(least) + np.abs(most))
        alive = (least <= slack) & (most >= -slack) & ~((least == 0) & (most == 0))
        low, high = low[alive], high[alive]
        down, up = bounds(slope, {symbol: (low, high)})
        steady = (down > 0) | (up < 0)
        found += _bisected(g, symbol, low[steady], high[steady])
        low, high = low[~steady], high[~steady]
        short = high - low <= finest
        found += [float(x) for x in (low[short] + high[short]) / 2]
        low, high = low[~short], high[~short]
        if len(low) + len(found) > _MOST:
            raise FlexuraError(
                f"A condition changes over more than {_MOST} times from {start:g} to {end:g}",
                advice="look at shorter spans",
            )
        middle = (low + high) / 2
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
    found.sort()
    return [x for x, before in zip(found, [-np.inf, *found], strict=False) if x - before > 8 * finest]


def _coefficients(g: Basic, symbol: Symbol) -> list[Basic] | None:
    """Of the powers of a symbol, from the constant on; None where the tree is no polynomial of low degree."""
    found: list[Basic] = []
    for k in range(_HIGHEST + 1):
        found.append(g.xreplace({symbol: ZERO}) / math.factorial(k))
        g = partial(g, symbol)
        if symbol not in g.free_symbols:
            return [*found, g / math.factorial(k + 1)] if g != 0 else found
    return None


def _polynomial_zeros(coefficients: list[Basic]) -> list[float]:
    """Real zeros, found with many digits so that those which coincide are seen to."""
    if len(coefficients) <= 2:
        return [float(-coefficients[0] / coefficients[1])] if len(coefficients) == 2 else []
    with mpmath.workdps(60):
        given = [mpmath.mpf(str(c.n(220, real=True))) for c in reversed(coefficients)]
        roots = mpmath.polyroots(given, maxsteps=400, extraprec=400)
        real = [one.real for one in roots if abs(one.imag) <= 1e-15 * max(abs(one), 1e-300)]
    return sorted({float(one) for one in real})


def _bisected(g: Basic, symbol: Symbol, low: Array, high: Array) -> list[float]:
    """The zeros in intervals on which the function rises or falls."""
    at_low, at_high = values(g, {symbol: low}), values(g, {symbol: high})
    through = (np.sign(at_low) * np.sign(at_high) <= 0) & ~((at_low == 0) & (at_high == 0))
    low, high, sign = low[through], high[through], np.sign(at_high - at_low)[through]
    for _ in range(200):
        middle = (low + high) / 2
        if not len(low) or np.all((middle == low) | (middle == high)):
            break
        above = values(g, {symbol: middle}) * sign >= 0
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return [float(x) for x in high]


def rounded_ends(start: float, end: float) -> float:
    """How near the ends of a stretch of time rounding may have put what changes there: conditions too are rounded."""
    size = max((abs(one) for one in (start, end) if np.isfinite(one)), default=0.0)
    return float(max(1e-13 * (min(size, end - start) or size), 8 * np.spacing(size) if size else 0.0))


def told_apart(breaks: Iterable[float], end: float, kept: Collection[float] = ()) -> tuple[float, ...]:
    """Breaks in order, of those that only rounding tells apart one, that which is `kept`: no step lies between them."""
    found: list[float] = []
    ahead = sorted({*breaks})
    for one, after in itertools.pairwise([*ahead, end]):
        if not found or one - found[-1] > rounded_ends(found[-1], max(after, one)):
            found.append(one)
        elif one in kept:
            found[-1] = one
    return tuple(found)
