"""What a run remembers: states at the ends of its steps, and a smooth curve through them.

    >>> q, v, a = history.curve().at(times)

Between two ends of steps the curve is the polynomial that meets q, v and a at the four nearest ends (degree 11), so
that it is as accurate as the steps; it never reaches across a break, where the motion is not smooth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.solve.steppers.mechanics import State

Array = NDArray[np.float64]
_REACH = 4  # ends of steps a polynomial meets
_AT_ONCE = 200_000  # numbers evaluated at a time
_KEPT = 20_000  # numbers of states up to which polynomials are kept: they take a dozen times the room
_JUMP = 20.0  # neighbouring steps that differ more than this lie at a break
_ROUNDED = 4 * float(np.finfo(np.float64).eps)  # of a place, and of a time: as little as that is not known of either


@dataclass
class History:
    """States in the order of time; `starts` are the indices where smooth stretches begin.

    At a break there are two states of one time, the second with the accelerations just after it.
    """

    states: list[State] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)

    def begin(self, state: State) -> None:
        """A smooth stretch begins with this state."""
        self.starts.append(len(self.states))
        self.states.append(state)

    def append(self, state: State) -> None:
        """Remember one more."""
        self.states.append(state)

    @property
    def t(self) -> Array:
        """The times at the ends of steps."""
        return np.array([one.t for one in self.states])

    def curve(self) -> Curve:
        """The smooth curve, to be asked often."""
        t = self.t
        q, v, a = (np.array([one[k] for one in self.states]) for k in (1, 2, 3))
        return Curve(t, q, v, a, _smooth_parts(t, self.starts))


@dataclass(frozen=True, eq=False)
class Curve:
    """A piecewise polynomial through states; `parts` are the (first, last) indices of smooth stretches."""

    t: Array
    q: Array
    v: Array
    a: Array
    parts: Sequence[tuple[int, int]]

    def at(self, times: Array) -> tuple[Array, Array, Array]:
        """q, v and a at the times, each (times, n)."""
        if not self.parts:
            q, v, a = (np.repeat(one[-1:], len(times), axis=0) for one in (self.q, self.v, self.a))
            return q, v, a
        reach = self._stencils[1]
        k = np.clip(np.searchsorted(self.t, times, side="right") - 1, 0, len(self.t) - 2)
        k = np.maximum.accumulate(np.where(reach > 0, np.arange(len(reach)), 0))[k]  # a run may end at a break
        found = np.empty((3, len(times), self.q.shape[1]))
        for size in np.unique(reach[k]):
            mine = np.flatnonzero(reach[k] == size)
            for part in np.array_split(mine, 1 + len(mine) * found.shape[2] // _AT_ONCE):
                found[:, part] = self._polynomials(times[part], k[part], reach, int(size))
        return found[0], found[1], found[2]

    @cached_property
    def kept(self) -> list[tuple[Any, NDArray[np.int64], Any]]:
        """Of which mechanics, at which steps, and what was seen there: those who judge a run ask for the same."""
        return []

    @cached_property
    def _made(self) -> dict[int, tuple[Array, Array]]:
        """Polynomials by the number of states they meet, kept where there are few: a curve is asked several times."""
        return {}

    @cached_property
    def _stencils(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each step: the first state its polynomial meets, and how many it meets."""
        first, reach = np.zeros((2, len(self.t) - 1), dtype=np.int64)
        for low, high in self.parts:
            steps = np.arange(low, high)
            size = min(_REACH, high - low + 1)
            first[steps] = np.clip(steps - (size - 2) // 2, low, high + 1 - size)
            reach[steps] = size
        return first, reach

    def _polynomials(
        self, times: Array, k: NDArray[np.int64], reach: NDArray[np.int64], size: int
    ) -> tuple[Array, Array, Array]:
        """Newton's form on nodes that each count three times (q, v, a), all steps at once."""
        if self.q.size <= _KEPT:
            of_size = np.flatnonzero(reach == size)
            if size not in self._made:
                self._made[size] = self._newton_form(of_size, size)
            (s, coefficients), mine = self._made[size], np.searchsorted(of_size, k)
        else:
            used, mine = np.unique(k, return_inverse=True)
            s, coefficients = self._newton_form(used, size)
        unit = self.t[k + 1] - self.t[k]
        basis = _newton((times - self.t[k]) / unit, s[mine])
        value, slope, bend = np.moveaxis(basis @ coefficients[mine], 1, 0)
        width = unit[:, None]
        return value, slope / width, bend / width**2

    def _newton_form(self, steps: NDArray[np.int64], size: int) -> tuple[Array, Array]:
        """Nodes and divided differences of the polynomials of some steps."""
        nodes = self._stencils[0][steps][:, None] + np.arange(size)
        unit = self.t[steps + 1] - self.t[steps]
        scale = unit[:, None, None]
        data = np.stack([self.q[nodes], self.v[nodes] * scale, self.a[nodes] * scale**2 / 2])
        s = np.repeat((self.t[nodes] - self.t[steps][:, None]) / unit[:, None], 3, axis=1)
        unsure = _ROUNDED * (np.abs(self.q[nodes]) + np.abs(self.v[nodes] * self.t[nodes][..., None]))
        return s, _divided(s, data, unsure)


def _ways(s: Array, data: Array, unsure: Array) -> Array:
    """How far each node is from the one before it; in steps so short that rounding hides that, what rates say.

    Places and times lose digits there, and their quotients are no rates. What curvatures add to rates being less than
    rounding, rates tell the way to far better than that.
    """
    gap, some = np.diff(s[:, ::3], axis=1)[..., None], np.maximum(unsure[:, 1:], unsure[:, :-1])
    value, slope, bend = data
    added, seen = gap**2 * np.diff(bend, axis=1) / 6, np.diff(value, axis=1)
    told = gap * (slope[:, 1:] + slope[:, :-1]) / 2 - added
    return np.asarray(np.where((np.abs(added) <= some) & (np.abs(seen - told) <= some), told, seen))


def _divided(s: Array, data: Array, unsure: Array) -> Array:
    """Divided differences on nodes of multiplicity three: (steps, nodes, n); data: value, slope, half the curvature."""
    size = s.shape[1]
    column = np.repeat(data[0], 3, axis=1)
    found = np.empty_like(column)
    found[:, 0] = column[:, 0]
    for order in range(1, size):
        gap = s[:, order:] - s[:, : size - order]
        same = [j for j in range(size - order) if j // 3 == (j + order) // 3]
        gap[:, same] = 1.0
        ahead = column[:, 1:] - column[:, :-1]
        if order == 1:
            ahead[:, 2::3] = _ways(s, data, unsure)
        column = ahead / gap[..., None]
        if same:
            column[:, same] = data[order][:, [j // 3 for j in same]]
        found[:, order] = column[:, 0]
    return found


def _newton(x: Array, s: Array) -> Array:
    """Newton's polynomials on the nodes s at x, with first and second derivatives: (times, 3, nodes)."""
    found = np.zeros((len(x), 3, s.shape[1]))
    found[:, 0, 0] = 1.0
    for j in range(1, s.shape[1]):
        away, before = x - s[:, j - 1], found[:, :, j - 1]
        found[:, 0, j] = before[:, 0] * away
        found[:, 1, j] = before[:, 1] * away + before[:, 0]
        found[:, 2, j] = before[:, 2] * away + 2 * before[:, 1]
    return found


def _smooth_parts(t: Array, starts: Sequence[int]) -> list[tuple[int, int]]:
    """Stretches between breaks, cut where the steps suddenly became much smaller or larger."""
    parts: list[tuple[int, int]] = []
    for first, after in zip(starts, (*starts[1:], len(t)), strict=True):
        h = np.diff(t[first:after])
        jumps = first + 1 + np.flatnonzero(np.maximum(h[1:], h[:-1]) > _JUMP * np.minimum(h[1:], h[:-1]))
        ends = [first, *(int(one) for one in jumps), after - 1]
        parts += [(low, high) for low, high in pairwise(ends) if high > low]
    return parts
