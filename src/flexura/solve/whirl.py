"""Frequencies of a frame against the speed it turns at: Campbell's chart, with whirl forward or backward.

Columns are branches: the lowest modes at the first speed, followed by root and shape through crossings (`branches.py`).
Where two real roots merge into a pair one of their branches ends, in nan; the lowest mode without one begins another.

>>> chart = fx.whirl(frame, np.linspace(0, 500, 11), axis="x")
>>> chart.speeds, chart.eigenvalues, chart.whirl, fx.critical_speed(frame, axis="x")
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.display import Displayed, Table, counted
from flexura.errors import FlexuraError
from flexura.solve.roots.branches import Branches, Entry
from flexura.solve.roots.whirl_modes import SeenModes, Turning, modes_at
from flexura.structures.moving.assembly import Constants
from flexura.structures.moving.frame import BeamFrame
from flexura.systems.dataframes import dataframe

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

_GROWS = 1e-7
_WATCHED = 40  # modes at least that are matched with those at the next speed, where so many are known


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Whirl(Displayed):
    """By speed (rows) and branch (columns): `eigenvalues` in the turning frame, `whirl` speeds seen from ground.

    `whirl` is signed, forward positive, and nan where a mode does not whirl about the axis (torsion, stretching, or
    an orbit that is not a circle). Both are nan where a branch does not exist. `stable` says whether no mode found at
    that speed grows, `limit` is the speed at which one begins to, between the first and the last speed (inf: none was
    seen to).
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

    @property
    def is_drawn(self) -> bool:
        """The chart."""
        return True

    def summary(self) -> str:
        """How many branches over which speeds."""
        unstable = "" if np.all(self.stable) else f", unstable from {self.limit:.6g} rad/s on"
        span = f"{self.speeds[0]:.6g} to {self.speeds[-1]:.6g} rad/s about {self.axis}"
        return f"{counted(self.whirl.shape[1], 'branch', 'branches')} over {span}{unstable}"

    def told(self) -> Iterator[Table | str]:
        """A row for each speed, in rad/s."""
        yield Table(
            ("speed", *(f"mode {k + 1}" for k in range(self.whirl.shape[1]))),
            list(map(self._row, range(len(self.speeds)))),
        )
        yield "In rad/s. F forward and B backward whirl as seen from ground; unmarked modes in the turning frame."
        yield (
            f"* grows. The motion is unstable from {self.limit:.6g} rad/s on."
            if not np.all(self.stable)
            else "No mode grows at these speeds."
        )

    def _row(self, k: int) -> tuple[str, ...]:
        marks = [" " if np.isnan(speed) else "F" if speed > 0 else "B" for speed in self.whirl[k]]
        grows = (self.eigenvalues[k].real > 0) & ~self.stable[k]
        cells = [
            "-  " if np.isnan(seen) else f"{seen:.7g} {mark}{'*' if bad else ' '}"
            for seen, mark, bad in zip(self.seen[k], marks, grows, strict=True)
        ]
        return (f"{self.speeds[k]:.6g}", *cells)

    def to_dataframe(self) -> Any:
        """A pandas table over the speed: whirl speed and eigenvalue of each branch."""
        columns: dict[str, Any] = {}
        for k in range(self.eigenvalues.shape[1]):
            columns |= {f"whirl[{k}] (rad/s)": self.whirl[:, k], f"s[{k}] (1/s)": self.eigenvalues[:, k]}
        return dataframe(columns, self.speeds, "speed (rad/s)")

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
        raise FlexuraError("The speeds are not a row of finite numbers", advice="give them in rad/s")
    if count < 1:
        raise FlexuraError(f"{count} modes cannot be followed", advice="ask for 1 or more")
    turning = Turning.of(Constants.of(frame), axis, geometric, springs_turn)
    solve = cache(lambda speed: modes_at(turning, speed, _several(count)))
    branches = Branches(lambda speed, _: _entries(solve(speed), speed, count), count)
    for speed in given.tolist():
        branches.advance(speed)
    growth = np.array([_growth(solve(speed), count) for speed in given.tolist()])
    roots = branches.table(lambda entry: complex(entry.s.real, abs(entry.s.imag)))
    whirls = branches.table(lambda entry: entry.told).real
    return Whirl(axis, given, roots, whirls, growth, _limit(turning, given, growth, count))


def _several(count: int) -> int:
    """How many modes to look at, so that branches may cross those above them."""
    return count + max(4, count // 2)


def _entries(found: SeenModes, speed: float, count: int) -> list[Entry]:
    """The lowest modes by their roots in the turning frame: that of a whirl as it runs ahead, s or s*."""
    low = found.take(slice(max(4 * count, _WATCHED)))
    circles = ~np.isnan(low.whirl)
    s = np.where(circles, low.ground - 1j * speed, low.roots)
    shapes = low.shapes / np.linalg.norm(low.shapes, axis=1, keepdims=True)
    rows = zip(s.tolist(), shapes, low.counts.tolist(), np.abs(low.ground).tolist(), circles, low.whirl, strict=True)
    return [
        Entry(root, shape, roots, size, mirrored=not circle, told=complex(seen))
        for root, shape, roots, size, circle, seen in rows
    ]


def _growth(found: SeenModes, count: int) -> float:
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
