"""How finely a function must be looked at: pieces on which it is nearly straight, found by bounds, not by luck.

>>> edges, _ = resolved(exp(-((t - 5) / 0.002) ** 2), t, 0.0, 10.0)        # shorter than 1 ms around 5

A piece is short enough where the curvature's bound says that the function leaves its chord by less than `STRAIGHT` of
its range, so that no feature larger than that lies inside, however short it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.symbolic.engine import Basic, Symbol, partial
from flexura.systems.signals.intervals import Bounded, Interval

Array = NDArray[np.float64]
STRAIGHT = 1e-3  # of the range of a function, by which it may leave its chord
_MOST = 100_000  # pieces
_DEEPEST = 20  # quarterings
_LEVELS, _FEW = 4, 128  # of pieces in one sweep; the most in the last of them
_QUARTERS = np.array([0.25, 0.5, 0.75])


def resolved(
    tree: Basic,
    symbol: Symbol,
    start: float,
    end: float,
    breaks: tuple[float, ...] = (),
    others: Mapping[Symbol, tuple[float, float]] | None = None,
    most: int = _MOST,
    floor: float = 1.0,
) -> tuple[Array, bool]:
    """Edges of the pieces from start to end, and whether they are short enough everywhere.

    `others` are symbols that may be anywhere between two numbers. Where the function is smaller than its range, it is
    held to what it is there, down to `floor` of the range: the tails of what shall be integrated count. Where bounds
    are not to be had (beside a pole), or more than `most` pieces would be needed, they are as short as they came.
    """
    both, held = Bounded(tree, partial(partial(tree, symbol), symbol)), dict(others or {})
    corners = np.array([start, *breaks, end])
    low, high, done = corners[:-1], corners[1:], [corners]
    points, seen, depth = corners, (np.inf, -np.inf), 0
    while depth < _DEEPEST:
        levels = _ahead(low, high)
        low, high = (np.concatenate(ends) for ends in zip(*levels, strict=True))
        points = np.concatenate([points, low, (low + high) / 2])
        (least, largest), (down, up), at_points = _bounded(both, symbol, (low, high), points, held)
        seen = min(seen[0], *at_points), max(seen[1], *at_points)
        size = max(seen[1] - seen[0], 1e-6 * max(abs(seen[0]), abs(seen[1])))
        local = np.maximum(np.minimum(np.maximum(-least, largest), size), floor * size)
        with np.errstate(all="ignore"):
            curved = ~(np.maximum(-down, up) * (high - low) ** 2 / 8 <= STRAIGHT * local)
        rough = curved & ~(largest - least <= STRAIGHT * floor * size)
        inside, first = np.ones(len(levels[0][0]), dtype=bool), 0
        for low, high in levels:
            inside = inside & rough[first : first + len(low)]
            low, high, first, depth = low[inside], high[inside], first + len(low), depth + 1
            if not len(low) or sum(map(len, done)) + 3 * len(low) > most:
                return np.unique(np.concatenate(done)), not len(low)
            points = (low[:, None] + (high - low)[:, None] * _QUARTERS).ravel()
            done.append(points)
            inside = np.repeat(inside, 4)
        low, high = _quarters(low, high)
    return np.unique(np.concatenate(done)), not len(low)


def _ahead(low: Array, high: Array) -> list[tuple[Array, Array]]:
    """Pieces, and their quarters, and those of these: of few, all are bounded in one sweep, which costs no more."""
    levels = [(low, high)]
    while len(levels) < _LEVELS and 4 * len(levels[-1][0]) <= _FEW:
        levels.append(_quarters(*levels[-1]))
    return levels


def _quarters(low: Array, high: Array) -> tuple[Array, Array]:
    inner = low[:, None] + (high - low)[:, None] * _QUARTERS
    return np.column_stack([low, inner]).ravel(), np.column_stack([inner, high]).ravel()


def _bounded(
    both: Bounded, symbol: Symbol, spans: tuple[Array, Array], points: Array, held: Mapping[Symbol, tuple[float, float]]
) -> tuple[Interval, Interval, tuple[float, float]]:
    """Bounds of a function and of its curvature over spans, and its extremes at points, where it is finite there.

    What is held is there at either of its ends. All that in one sweep: for few spans the sweep itself is what costs.
    """
    n, ends = len(spans[0]), 2 if held else 1
    where: dict[Symbol, tuple[Any, Any]] = {symbol: (_with(spans[0], points, ends), _with(spans[1], points, ends))}
    for one, (low, high) in held.items():
        at = np.repeat([low, high], len(points))
        where[one] = np.concatenate([np.full(n, low), at]), np.concatenate([np.full(n, high), at])
    function, curvature = both(where)
    found = function[0][n:]
    found = found[np.isfinite(found)]
    extremes = (float(found.min()), float(found.max())) if len(found) else (0.0, 0.0)
    return (function[0][:n], function[1][:n]), (curvature[0][:n], curvature[1][:n]), extremes


def _with(spans: Array, points: Array, times: int) -> Array:
    return np.concatenate([spans, *[points] * times])
