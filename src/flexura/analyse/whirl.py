"""Frequencies of a frame against the speed it turns at: Campbell's chart, with whirl forward or backward.

Columns are branches: the lowest modes at the first speed, followed by root and shape through crossings.

>>> chart = fx.whirl(frame, np.linspace(0, 500, 11), axis="x")
>>> chart.speeds, chart.eigenvalues, chart.whirl, fx.critical_speed(frame, axis="x")
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.optimize
from numpy.typing import NDArray

from flexura.analyse.whirl_modes import Seen, Turning, modes_at
from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.moving.assembly import Constants
from flexura.moving.frame import BeamFrame

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

_GROWS = 1e-7


@checked_methods
@dataclass(frozen=True)
class Whirl:
    """By speed (rows) and branch (columns): `eigenvalues` in the turning frame, `whirl` speeds seen from ground.

    `whirl` is signed, forward positive, and nan where a mode does not whirl about the axis (torsion, stretching, or
    an orbit that is not a circle). `stable` says whether no mode found at that speed grows, `limit` is the speed at
    which one begins to, between the first and the last speed (inf: none was seen to).
    """

    axis: str
    speeds: Array
    eigenvalues: Complex
    whirl: Array
    growth: Array = field(default_factory=lambda: np.empty(0))
    limit: float = float("inf")

    @property
    def frequencies(self) -> Array:
        """|s| in the turning frame (rad/s)."""
        return np.abs(self.eigenvalues)

    @property
    def seen(self) -> Array:
        """What a chart shows: whirl speeds seen from ground, without sign; of all other modes |Im s|."""
        return np.where(np.isnan(self.whirl), self.eigenvalues.imag, np.abs(self.whirl))

    @property
    def stable(self) -> NDArray[np.bool_]:
        """Whether every mode found at a speed does not grow."""
        return np.asarray(self.growth <= _GROWS)

    def forward(self, speed: int) -> Array:
        """The forward whirl speeds at the k-th speed, ascending."""
        row = self.whirl[speed]
        return np.sort(row[row > 0])

    def backward(self, speed: int) -> Array:
        """The backward whirl speeds at the k-th speed, as positive numbers, ascending."""
        row = self.whirl[speed]
        return np.sort(-row[row <= 0])


def whirl(
    frame: BeamFrame,
    speeds: Any,
    axis: str = "x",
    count: int = 8,
    geometric: bool = True,
    *,
    springs_turn: bool = False,
) -> Whirl:
    """The `count` lowest modes over speeds (rad/s) of a frame that turns about an axis through its origin.

    `springs` and `dampers` turn with the frame; those that differ across the axis need `springs_turn=True` to say so.
    """
    given = np.atleast_1d(np.asarray(speeds, dtype=np.float64))
    if given.ndim != 1 or not given.size or not np.all(np.isfinite(given)):
        raise FlexuraError("The speeds are not a row of finite numbers; give them in rad/s.")
    if count < 1:
        raise FlexuraError(f"{count} modes cannot be followed; ask for 1 or more.")
    turning = Turning.of(Constants.of(frame), axis, geometric, springs_turn)
    found = [modes_at(turning, float(one), _several(count)) for one in given]
    rows = _followed(found, count)
    growth = np.array([_growth(one, count) for one in found])
    return Whirl(
        axis, given, np.array([row.roots for row in rows]), np.array([row.whirl for row in rows]), growth,
        _limit(turning, given, growth, count),
    )  # fmt: skip


def _several(count: int) -> int:
    """How many modes to look at, so that branches may cross those above them."""
    return count + max(4, count // 2)


def _followed(found: list[Seen], count: int) -> list[Seen]:
    """At each speed the modes that continue those before best: a linear assignment over all branches."""
    rows = [found[0].take(slice(count))]
    before = rows[0].ground
    for one in found[1:]:
        last = rows[-1]
        expected = 2 * last.ground - before
        size = np.maximum(np.abs(last.ground), 1e-3 * np.abs(last.ground).max())[:, None]
        apart = np.abs(expected[:, None] - one.ground) / size
        changed = np.isnan(last.whirl)[:, None] != np.isnan(one.whirl)
        _, chosen = scipy.optimize.linear_sum_assignment(np.minimum(apart, 3.0) + _unlike(last, one) + 0.5 * changed)
        before = last.ground
        rows.append(one.take(chosen))
    return rows


def _unlike(last: Seen, one: Seen) -> Array:
    """1 - |cosine|^2 of shapes; one that does not whirl may have become its own conjugate."""
    a = last.shapes / np.linalg.norm(last.shapes, axis=1, keepdims=True)
    b = one.shapes / np.linalg.norm(one.shapes, axis=1, keepdims=True)
    plain, turned = np.abs(a.conj() @ b.T) ** 2, np.abs(a @ b.T) ** 2
    return np.asarray(1 - np.where(np.isnan(last.whirl)[:, None], np.maximum(plain, turned), plain))


def _growth(found: Seen, count: int) -> float:
    """The largest Re s of the lowest modes, beside their size."""
    low = found.roots[: _several(count)]
    return float(low.real.max() / max(float(np.abs(low[:count]).max()), 1e-300))


def _limit(turning: Turning, speeds: Array, growth: Array, count: int) -> float:
    """Where a mode begins to grow, between the last speed where none does and the first where one does."""
    order = np.argsort(speeds)
    grows = growth[order] > _GROWS
    if not grows.any():
        return float("inf")
    first = int(np.argmax(grows))
    if first == 0:
        return float(speeds[order[0]])
    calm, wild = (float(speeds[order[k]]) for k in (first - 1, first))
    while wild - calm > 1e-6 * max(abs(calm), abs(wild)):
        middle = (calm + wild) / 2
        if _growth(modes_at(turning, middle, _several(count)), count) > _GROWS:
            wild = middle
        else:
            calm = middle
    return wild
