"""Undamped natural frequencies: the count J(omega^2) brackets each root, whatever poles and repeated roots there are.

>>> search = search_roots(DynamicStiffness(system), count=8)
>>> search.eigenvalues                  # omega^2, ascending, negative where the system is unstable
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexura.errors import FlexuraError
from flexura.exact.dynamic_stiffness import Counts, DynamicStiffness
from flexura.exact.lines import Array

_ROUNDS = 200


class _Known:
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


@dataclass(frozen=True)
class Roots:
    """Bracketed eigenvalues omega^2 and how many there are in all (None: no end)."""

    eigenvalues: Array
    widths: Array
    total: int | None
    negative: int
    scale: float


def search_roots(
    stiffness: DynamicStiffness, count: int, rtol: float = 2e-15, within: tuple[int, Array] | None = None
) -> Roots:
    """The first `count` eigenvalues omega^2 >= 0 and all negative ones, each bracketed to `rtol`.

    `within=(k, near)` looks only for those from the k-th on that are known to lie close to `near`.
    """
    known, scale = _Known(stiffness), scale_of(stiffness)
    total = _total(stiffness)
    floor = 1e-10 * scale
    if within:
        near = within[1]
        known.add(np.array([near.min() * (1 - 1e-6), near.max() * (1 + 1e-6)]))
        k, negative = np.arange(within[0], within[0] + count), 0
    else:
        negative = _below(known, floor)
        wanted = count + negative if total is None else min(count + negative, total)
        _above(known, scale, wanted)
        k = np.arange(wanted)
    for _ in range(_ROUNDS):
        low, high = known.brackets(k)
        a, b = known.points[low], known.points[high]
        size = np.maximum(np.abs(a), np.abs(b))
        open_ = (b - a > rtol * size) & (size > 1e-12 * floor)
        if not open_.any():
            break
        known.add(_next(known, k[open_], low[open_], high[open_], floor))
    low, high = known.brackets(k)
    a, b = known.points[low], known.points[high]
    return Roots((a + b) / 2, b - a, total, negative, scale)


def _next(known: _Known, k: Counts, low: Counts, high: Counts, floor: float) -> Array:
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


def scale_of(stiffness: DynamicStiffness) -> float:
    """Some omega^2 of the size of the first elastic ones."""
    found = []
    for line in stiffness.lines:
        condensed = line.stretches(line.level(0.0)).condensed
        assert condensed is not None
        largest = condensed.mu.max(initial=0.0)
        if largest > 0:
            found.append(1 / largest)
    D, _ = stiffness(None, np.array([0.0, 1.0]))
    for k, m in zip(np.diagonal(D[0]), np.diagonal(D[1] - D[0]), strict=True):
        if k > 0 and m > 0:
            found.append(k / m)
    return float(np.median(found)) if found else 1.0


def _total(stiffness: DynamicStiffness) -> int | None:
    """How many modes there are, if inertia is only in coordinates."""
    for line in stiffness.lines:
        condensed = line.stretches(line.level(0.0)).condensed
        assert condensed is not None
        if condensed.mu.max(initial=0.0) > 1e-14 * np.abs(condensed.B[2]).max(initial=0.0):
            return None
    D, _ = stiffness(None, np.array([0.0, 1.0]))
    M = D[1] - D[0]
    size = np.sqrt(np.abs(np.diagonal(M)))
    size[size == 0] = 1.0
    return int((np.linalg.eigvalsh(M / np.outer(size, size)) > 1e-12).sum()) if len(M) else 0


def _below(known: _Known, floor: float) -> int:
    """Start the brackets under the lowest eigenvalue; returns how many are clearly negative."""
    J = known.add(np.array([-floor, -1e-3 * floor, 1e-3 * floor, floor]))
    negative, at = int(J[0]), -floor
    for _ in range(80):
        if known.J[0] == 0:
            return negative
        at *= 4
        known.add(np.array([at]))
    raise FlexuraError("The inertia is not positive, so the modes have no lowest one; check the masses and inertias.")


def _above(known: _Known, scale: float, wanted: int) -> None:
    top = scale
    for _ in range(120):
        if known.J[-1] >= wanted:
            return
        known.add(np.array([top]))
        top *= 4
    raise FlexuraError(
        f"Only {known.J[-1]} modes were found up to omega^2 = {top:.3g}; ask for fewer with count={known.J[-1]}."
    )
