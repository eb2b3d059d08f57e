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

from flexura.symbols.engine import Basic, Symbol, partial
from flexura.systems.intervals import Bounded, Interval

Array = NDArray[np.float64]
STRAIGHT = 1e-3  # of the range of a function, by which it may leave its chord
_MOST = 100_000  # pieces
_DEEPEST = 20  # quarterings
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
    points, seen = corners, (np.inf, -np.inf)
    for _ in range(_DEEPEST):
        points = np.concatenate([points, (low + high) / 2])
        (least, largest), (down, up), at_points = _bounded(both, symbol, (low, high), points, held)
        seen = min(seen[0], *at_points), max(seen[1], *at_points)
        size = max(seen[1] - seen[0], 1e-6 * max(abs(seen[0]), abs(seen[1])))
        local = np.maximum(np.minimum(np.maximum(-least, largest), size), floor * size)
        with np.errstate(all="ignore"):
            curved = ~(np.maximum(-down, up) * (high - low) ** 2 / 8 <= STRAIGHT * local)
        rough = curved & ~(largest - least <= STRAIGHT * floor * size)
        low, high = low[rough], high[rough]
        if not len(low) or sum(map(len, done)) + 3 * len(low) > most:
            break
        inner = low[:, None] + (high - low)[:, None] * _QUARTERS
        points = inner.ravel()
        done.append(points)
        low, high = np.column_stack([low, inner]).ravel(), np.column_stack([inner, high]).ravel()
    return np.unique(np.concatenate(done)), not len(low)


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
