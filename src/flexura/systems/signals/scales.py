"""How long steps may be, so that none reaches across what drives a motion: a pulse of 3 ms in 10 s is met.

    >>> scales = Scales.of([edges], longest=0.1)
    >>> scales.reach(4.9)        # how far a step from 4.9 may go

Inputs come as pieces of time on which they are nearly straight. Of text the pieces are found by bounds, which miss
nothing (`systems/signals/resolution.py`); a function can only be looked at, at many times (`look`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.systems.signals.resolution import STRAIGHT

Array = NDArray[np.float64]
Times = Callable[[Array], Array]
_TOGETHER = 16  # nearly straight pieces in a step
SAMPLES = 4**7
_DEEPER = 24  # halvings of what is rough between two samples
_LIKE = 0.01  # of a step, by which its neighbours may differ where nothing jumps; _SHARP of it and more is a jump
_SHARP = 0.05
_MANY = 0.25  # of all samples: where more of them are rough, halving them all would not end
_NUMBERS = {float, int, bool, np.float64}  # what a function may give, that needs no look of its own


@dataclass(frozen=True, eq=False)
class Scales:
    """Edges of nearly straight pieces of each input, and the longest step that is allowed."""

    edges: tuple[list[float], ...] = ()
    longest: float = np.inf

    @classmethod
    def of(cls, edges: Iterable[Array], longest: float = np.inf) -> Scales:
        """Of inputs; one that is straight in a few pieces holds no step up."""
        return cls(tuple(one.tolist() for one in edges if len(one) > _TOGETHER + 1), longest)

    def reach(self, t: float) -> float:
        """The longest step from t: over some pieces of each input."""
        h = self.longest
        for one in self.edges:
            last = bisect_right(one, t) - 1 + _TOGETHER
            if last < len(one):
                h = min(h, one[last] - t)
        return h

    def crowded(self, start: Array, end: Array) -> NDArray[np.bool_]:
        """Which intervals are longer than a step there may be."""
        found = end - start > self.longest * (1 + 1e-9)
        for one in self.edges:
            inside = np.searchsorted(one, end, side="left") - np.searchsorted(one, start, side="right")
            found = found | (inside >= _TOGETHER)
        return np.asarray(found)

    @property
    def shortest(self) -> float:
        """The shortest of the longest steps."""
        spans = [np.asarray(one[_TOGETHER:]) - one[:-_TOGETHER] for one in self.edges]
        return min([self.longest, *(float(one.min()) for one in spans)])

    @property
    def moments(self) -> Array:
        """Times at which every feature of the inputs shows."""
        return np.unique(np.concatenate([np.zeros(0), *self.edges]))


@dataclass(frozen=True, eq=False)
class SeenFunction:
    """What was seen of a function: nearly straight pieces, its jumps, and how far apart it was looked at."""

    edges: Array
    jumps: tuple[float, ...]
    finest: float


def look(function: Times, start: float, end: float, samples: int = SAMPLES) -> SeenFunction:
    """Look at a function of many times, (times, values): at equal distances, then closer where it is not straight."""
    t = np.linspace(start, end, samples + 1)
    values = function(t)
    finest = (end - start) / samples
    size = float((values.max(axis=0) - values.min(axis=0)).max(initial=0.0))
    if size <= 1e-9 * np.abs(values).max(initial=0.0):
        return SeenFunction(np.array([start, end]), (), finest)
    jumps = _jumps(function, t, values)
    edges, rough = _straight(values, samples, STRAIGHT * size)
    cells = np.searchsorted(t, jumps, side="left") - 1
    rough = np.setdiff1d(rough, cells)
    inner = _closer(function, t, values, rough, size) if len(rough) <= _MANY * samples else np.zeros(0)
    return SeenFunction(np.unique(np.concatenate([t[edges], inner, jumps])), tuple(jumps), finest)


def _straight(values: Array, samples: int, tolerance: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Edges of pieces that do not leave their chord, cut in four by turns; and cells that could not be cut further."""
    first, size, edges = np.zeros(1, dtype=np.int64), samples, [np.array([0, samples], dtype=np.int64)]
    while size > 1 and len(first):
        inside = values[first[:, None] + np.arange(size + 1)]
        share = np.linspace(0, 1, size + 1)[:, None]
        chord = inside[:, :1] + share * (inside[:, -1:] - inside[:, :1])
        first = first[np.abs(inside - chord).max(axis=(1, 2)) > tolerance]
        size //= 4
        cut = first[:, None] + size * np.arange(4)
        edges.append(cut.ravel())
        first = cut.ravel()
    return np.unique(np.concatenate(edges)), first if size == 1 else first[:0]


def _closer(function: Times, t: Array, values: Array, cells: NDArray[np.int64], size: float) -> Array:
    """More edges where a function leaves its chord between samples; its size may show only there."""
    low, high, left, right = t[cells], t[cells + 1], values[cells], values[cells + 1]
    found = [np.zeros(0)]
    for _ in range(_DEEPER):
        if not len(low):
            break
        middle = (low + high) / 2
        between = function(middle)
        away = np.abs(between - (left + right) / 2).max(axis=1)
        size = max(size, float(away.max()))
        rough = away > STRAIGHT * size
        low, middle, high, left, between, right = (one[rough] for one in (low, middle, high, left, between, right))
        found.append(middle)
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
        left, right = np.concatenate([left, between]), np.concatenate([between, right])
    return np.concatenate(found)


def _jumps(function: Times, t: Array, values: Array) -> list[float]:
    """Where a function jumps: halving an interval around a jump leaves the change as large as it was."""
    changes = np.abs(np.diff(values, axis=0)).max(axis=1)
    large = changes > 5 * np.median(changes) + 1e-9 * np.abs(values).max(initial=0.0)
    cells = np.flatnonzero(large & _unlike_beside(np.diff(values, axis=0), changes))
    low, high, left, right, change = t[cells], t[cells + 1], values[cells], values[cells + 1], changes[cells]
    for _ in range(60):
        middle = (low + high) / 2
        if not len(low) or np.all((middle == low) | (middle == high)):
            break
        between = function(middle)
        first = np.abs(between - left).max(axis=1) >= np.abs(right - between).max(axis=1)
        high, right = np.where(first, middle, high), np.where(first[:, None], between, right)
        low, left = np.where(first, low, middle), np.where(first[:, None], left, between)
        sharp = np.abs(right - left).max(axis=1) >= _SHARP * change
        low, high, left, right, change = (one[sharp] for one in (low, high, left, right, change))
    return sorted(float(one) for one in high)


def _unlike_beside(steps: Array, changes: Array) -> NDArray[np.bool_]:
    """Where a step of the samples is not as those on both sides of it: a jump that counts makes it so.

    Where nothing jumps, neighbours differ by as little as the slope changes between two samples.
    """
    before = np.abs(np.diff(steps, axis=0)).max(axis=1)  # between neighbours
    both = np.maximum(np.append(before[:1], before), np.append(before, before[-1:]))
    return np.asarray(both > _LIKE * changes)


def _plain(function: Callable[[Any], Any], times: Array) -> Array | None:
    """A function that gives finite numbers, quickly; None for all others, which are looked at one by one."""
    try:
        given = [*map(function, times.tolist())]
        if not set(map(type, given)) <= _NUMBERS:
            return None
        found = np.array(given, dtype=np.float64)
    except Exception:  # it is asked again, and says what is wrong
        return None
    return found if np.isfinite(found).all() else None


def many(function: Callable[[Any], Any], checked: Callable[[float], Any]) -> Times:
    """A function of one time as a function of many: asked for all at once if it answers so, one by one otherwise."""

    def singly(times: Array) -> Array:
        found = _plain(function, times)
        if found is not None:
            return found[:, None]
        return np.array([np.ravel(checked(one)) for one in times.tolist()], dtype=np.float64).reshape(len(times), -1)

    def together(times: Array) -> Array:
        if len(times) <= 64:
            return singly(times)
        try:
            given = np.asarray(function(times))
            found = np.asarray(given if given.dtype.kind != "c" else np.nan, dtype=np.float64)  # refused one by one
        except Exception:  # whatever a user's function may raise when it is given many times
            return singly(times)
        some = slice(None, None, len(times) // 16)
        if found.shape != times.shape or not np.array_equal(found[some], singly(times[some])[:, 0]):
            return singly(times)
        return found[:, None]

    return together
