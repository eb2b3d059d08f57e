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
from flexura.systems.intervals import bounds, values

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
    bend = partial(partial(tree, symbol), symbol)
    held = {one: (low, high) for one, (low, high) in (others or {}).items()}
    corners = np.array([start, *breaks, end])
    low, high, done = corners[:-1], corners[1:], [corners]
    seen: list[float] = []
    for _ in range(_DEEPEST):
        least, largest = bounds(tree, {symbol: (low, high), **held})
        size = _range(tree, symbol, low, high, held, seen)
        local = np.maximum(np.minimum(np.maximum(-least, largest), size), floor * size)
        rough = ~(largest - least <= STRAIGHT * floor * size)
        low, high, scale = low[rough], high[rough], STRAIGHT * local[rough]
        down, up = bounds(bend, {symbol: (low, high), **held})
        with np.errstate(all="ignore"):
            curved = ~(np.maximum(-down, up) * (high - low) ** 2 / 8 <= scale)
        low, high = low[curved], high[curved]
        if not len(low) or sum(map(len, done)) + 3 * len(low) > most:
            break
        inner = low[:, None] + (high - low)[:, None] * _QUARTERS
        done.append(inner.ravel())
        low, high = np.column_stack([low, inner]).ravel(), np.column_stack([inner, high]).ravel()
    return np.unique(np.concatenate(done)), not len(low)


def _range(
    tree: Basic, symbol: Symbol, low: Array, high: Array, held: Mapping[Symbol, tuple[float, float]], seen: list[float]
) -> float:
    """How far the function has been seen to vary; `seen` remembers its extremes."""
    at: dict[Symbol, Any] = {symbol: np.concatenate([low, (low + high) / 2, high])}
    for corner in (0, 1):
        found = values(tree, {**at, **{one: ends[corner] for one, ends in held.items()}})
        found = found[np.isfinite(found)]
        seen[:] = [min([*seen, *found.tolist()], default=0.0), max([*seen, *found.tolist()], default=0.0)]
    return max(seen[1] - seen[0], 1e-6 * max(abs(seen[0]), abs(seen[1])))
