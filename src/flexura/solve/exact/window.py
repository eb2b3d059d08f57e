"""The window of omega^2 that holds the modes asked for, and how many there are in it, by the count alone.

>>> window = find_window(stiffness, 8, kernel_of(stiffness))
>>> window.under, window.high, window.count              # none below -under, `count` below high
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexura.errors import FlexuraError
from flexura.solve.exact.dynamic_stiffness import DynamicStiffness
from flexura.solve.exact.gluing import Counts
from flexura.solve.exact.kernels import Kernel
from flexura.solve.exact.lines import Array
from flexura.systems.inertia import not_positive, rank

FLOOR = 1e-10  # of the scale: omega^2 below minus this are negative
_FAR = 1e9  # how much omega^2 may grow in a slice: low modes keep their digits beside high ones


@dataclass(frozen=True)
class RootWindow:
    """No mode has omega^2 below -under, `count` have it below high; `total` modes exist (None: no end)."""

    under: float
    high: float
    count: int
    negative: int
    total: int | None
    scale: float

    def slices(self, counter: DynamicStiffness, size: int) -> tuple[Array, Counts]:
        """Edges that cut the window into parts with about `size` modes each, and J at the edges."""
        root = np.linspace(0, 1, 8 * max(1, self.count // size) + 1)[1:]
        even = np.concatenate([self.high * root**power for power in (1, 2, 4)])
        low = max(1e-8 * self.scale, 1e-14 * self.high)
        spread = np.geomspace(low, self.high, 2 + int(np.log(self.high / low)))
        points = np.unique(np.concatenate([[-self.under], even, spread]))
        J, kept = counter.count(points), [0]
        for i in range(1, len(points) - 1):
            here, more = J[i] - J[kept[-1]], J[i + 1] - J[kept[-1]]
            first = points[np.searchsorted(J, J[kept[-1]], side="right") - 1]  # no mode of the slice is below
            far = points[i + 1] > _FAR * max(first, low)
            if more > here and (more > size or (far and here)):
                kept.append(i)
        kept.append(len(points) - 1)
        return points[kept], J[kept]


def find_window(counter: DynamicStiffness, count: int, kernel: Kernel) -> RootWindow:
    """Room for `count` modes with omega^2 >= 0 and one more, for all negative ones, and for one that is not zero.

    Of a stiffness that is positive by all its parts none is negative, whatever rounding says.
    """
    scale, total = scale_of(counter), _total(counter)
    floor, under = FLOOR * scale, 0.3 * scale
    near = _guess(counter, scale, count) * np.array([0.3, 0.55, 1.0, 1.8, 3.0])
    points = np.unique(np.concatenate([[-under, -floor, 1e-6 * scale], np.maximum(near, 2e-6 * scale)]))
    J = counter.count(points)
    J = np.where(points < 0, 0, J) if kernel.definite else J
    for _ in range(80):
        if J[0] == 0:
            break
        under *= 4
        points, J = np.append(points, -under), np.append(J, counter.count(np.array([-under])))
        order = np.argsort(points)
        points, J = points[order], J[order]
    else:
        raise not_positive()
    negative = int(J[points <= -floor][-1])
    zeros = kernel.motions.shape[1] if kernel.definite else int(J[points <= 1e-6 * scale][-1])
    wanted = max(count + negative, zeros) + 1
    wanted = wanted if total is None else min(wanted, total)
    points, J = _raised(counter, points, J, wanted)
    high, J_high = _lowered(counter, points, J, wanted)
    return RootWindow(min(under, high) if kernel.definite else under, high, J_high, negative, total, scale)


def _guess(counter: DynamicStiffness, scale: float, count: int) -> float:
    """Some omega^2 with about `count` modes below, from the half waves that stand on the lines there."""
    if not counter.lines or any(line.closed is None for line in counter.lines):
        return scale
    points = scale * 2.0 ** np.arange(-6, 60)
    each = {
        line: line.closed.waves(line.closed.at(None, -points)) for line in dict.fromkeys(counter.lines) if line.closed
    }
    waves = sum(each[line] for line in counter.lines)
    at = int(np.searchsorted(waves, max(count - len(counter.lines), 1)))
    return float(points[min(at, len(points) - 1)])


def _raised(counter: DynamicStiffness, points: Array, J: Counts, wanted: int) -> tuple[Array, Counts]:
    """Points up to where the count reaches `wanted`."""
    for _ in range(60):
        if J[-1] >= wanted:
            return points, J
        more = points[-1] * 4.0 ** np.arange(1, 3)
        points, J = np.append(points, more), np.append(J, counter.count(more))
    raise FlexuraError(
        f"Only {J[-1]} modes were found up to omega^2 = {points[-1]:.3g}", advice=f"ask for fewer with count={J[-1]}"
    )


def _lowered(counter: DynamicStiffness, points: Array, J: Counts, wanted: int) -> tuple[float, int]:
    """A point not far above the last mode wanted, and the count there."""
    if wanted == 0:
        return 0.0, 0
    for _ in range(2):
        k = int(np.nonzero(wanted <= J)[0][0])
        low, high = points[k - 1] if k else -points[k], points[k]
        if low <= 0 or J[k] == wanted:
            break
        more = low * (high / low) ** (np.arange(1, 6) / 6)
        points = np.concatenate([[low], more, [high]])
        J = np.concatenate([[J[k - 1]], counter.count(more), [J[k]]])
    k = int(np.nonzero(wanted <= J)[0][0])
    return float(points[k]), int(J[k])


def scale_of(stiffness: DynamicStiffness) -> float:
    """Some omega^2 of the size of the first elastic ones."""
    found = []
    for line in stiffness.lines:
        if np.isfinite(line.first) and line.first > 0:
            found.append(line.first)
    for k, m in zip(np.diagonal(stiffness.rigid[0]), np.diagonal(stiffness.rigid[2]), strict=True):
        if k > 0 and m > 0:
            found.append(k / m)
    return float(np.median(found)) if found else 1.0


def _total(stiffness: DynamicStiffness) -> int | None:
    """How many modes there are, if inertia is only in coordinates."""
    if any(np.isfinite(line.first) for line in stiffness.lines):
        return None
    D, _ = stiffness(None, np.array([0.0, 1.0]))
    return rank(D[1] - D[0])
