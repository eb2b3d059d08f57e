"""Roots by the count alone: J(omega^2) brackets each of them, whatever poles and repeated roots there are.

>>> search_roots(DynamicStiffness(system), count=8, within=(0.0, 1e6))         # omega^2, ascending
"""

from __future__ import annotations

import numpy as np

from flexura.solve.exact.dynamic_stiffness import DynamicStiffness
from flexura.solve.exact.gluing import Counts
from flexura.solve.exact.lines import Array
from flexura.solve.exact.window import scale_of

_ROUNDS = 200


class _KnownCounts:
    """What has been evaluated so far: points omega^2, J there, J_0 and the eigenvalues of D."""

    def __init__(self, stiffness: DynamicStiffness) -> None:
        self.stiffness = stiffness
        n = stiffness.system.independent.shape[1]
        self.points, self.J, self.J0 = np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64)
        self.sizes = np.zeros((0, n))

    def add(self, points: Array) -> Counts:
        points = np.setdiff1d(points, self.points)
        if len(points):
            sizes, J0 = self.stiffness.pivots(points)
            order = np.argsort(np.concatenate([self.points, points]), kind="stable")
            self.points = np.concatenate([self.points, points])[order]
            self.J0 = np.concatenate([self.J0, J0])[order]
            self.sizes = np.concatenate([self.sizes, sizes])[order]
            raw = self.J0 + (self.sizes < 0).sum(axis=1)
            self.J = np.maximum.accumulate(raw)  # rounding beside a root could undo a step
        return self.J

    def brackets(self, k: Counts) -> tuple[Counts, Counts]:
        high = np.searchsorted(self.J, k, side="right")
        return high - 1, high


def search_roots(stiffness: DynamicStiffness, count: int, within: tuple[float, float], rtol: float = 2e-15) -> Array:
    """The `count` eigenvalues omega^2 between two points, each bracketed to `rtol`."""
    known, floor = _KnownCounts(stiffness), 1e-10 * scale_of(stiffness)
    known.add(np.array(within))
    k = known.J[0] + np.arange(min(count, known.J[-1] - known.J[0]))
    for _ in range(_ROUNDS):
        low, high = known.brackets(k)
        a, b = known.points[low], known.points[high]
        size = np.maximum(np.abs(a), np.abs(b))
        open_ = (b - a > rtol * size) & (size > 1e-12 * floor)
        if not open_.any():
            break
        known.add(_next(known, k[open_], low[open_], high[open_], floor))
    low, high = known.brackets(k)
    return np.asarray((known.points[low] + known.points[high]) / 2)


def _next(known: _KnownCounts, k: Counts, low: Counts, high: Counts, floor: float) -> Array:
    """New points for open brackets: around a secant step where D has no pole inside, else the middle."""
    a, b = known.points[low], known.points[high]
    middle = _middle(a, b, floor)
    which = k - known.J0[low]
    smooth = (known.J0[low] == known.J0[high]) & (which < known.sizes.shape[1])
    a, b, low, high, which = (one[smooth] for one in (a, b, low, high, which))
    f, g = known.sizes[low, which], known.sizes[high, which]
    with np.errstate(all="ignore"):
        secant = np.where(f > g, a + (b - a) * f / (f - g), (a + b) / 2)
    relative = (b - a) / np.maximum(np.abs(a), np.abs(b))
    step = np.maximum((b - a) * np.clip(relative**0.75, 1e-7, 0.2), 4e-16 * np.abs(secant))
    tries = np.concatenate([secant - step, secant, secant + step])
    inside = (tries > np.tile(a, 3)) & (tries < np.tile(b, 3))
    slow = middle[~smooth]
    return np.unique(np.concatenate([tries[inside], slow, middle[smooth][relative > 1e-3], _stuck(a, b, secant)]))


def _stuck(a: Array, b: Array, secant: Array) -> Array:
    """The middle of brackets where the secant step fell on an end."""
    return np.asarray(((a + b) / 2)[(secant <= a) | (secant >= b)])


def _middle(a: Array, b: Array, floor: float) -> Array:
    """Half way in the logarithm (linear around zero)."""
    u, v = (np.sign(x) * np.log1p(np.abs(x) / floor) for x in (a, b))
    m = (u + v) / 2
    found = np.sign(m) * np.expm1(np.abs(m)) * floor
    return np.asarray(np.where((found > a) & (found < b), found, (a + b) / 2))
