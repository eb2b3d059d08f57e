"""Loads B u(t) on systems of matrices, and time cut into pieces on which they are polynomials.

>>> signals = Signals(B, at, degree=1)
>>> cut(signals, t).coefficients
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.systems.deadline import between_pieces
from flexura.systems.signals.scales import Scales

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Signals:
    """Loads B (n, k), their histories `at(times)` (times, k), and the degree of the polynomials they are between t.

    `scales` tell how short their features are, `breaks` where they jump, `rounding` what of each is no feature at all.
    """

    B: Any
    at: Callable[[Array], Array]
    degree: int
    notes: tuple[str, ...] = ()
    scales: Scales = field(default_factory=Scales)
    breaks: tuple[float, ...] = ()
    rounding: Any = 0.0

    @property
    def count(self) -> int:
        """How many inputs there are."""
        return int(self.B.shape[1])


@dataclass(frozen=True)
class Pieces:
    """Time cut into pieces on which every input is a polynomial in s = (t - start)/(end - start)."""

    start: Array
    end: Array
    coefficients: Array
    """(pieces, degree + 1, k), of 1, s, s^2, ..."""
    last: NDArray[np.int64]
    """Which piece ends at each point of t, from the second on."""
    notes: tuple[str, ...] = ()
    missed: float = 0.0
    """The impulse that the polynomials may miss, as a part of all of it."""


_NODES = (1 - np.cos(np.pi * np.arange(6) / 5)) / 2
_BETWEEN = np.array([0.06, 0.21, 0.53, 0.79, 0.94])
_DEEPEST = 14
_DEEPEST_OF_ALL = 40  # where pieces are known to be longer than a feature of an input
_AGREES = 1e-10


def cut(signals: Signals, t: Array) -> Pieces:
    """Pieces between the points of t; where a polynomial does not follow an input, they are halved until it does."""
    points = t
    if signals.breaks and signals.degree > 1:  # what is straight turns on t only
        breaks = np.array(signals.breaks)
        points = np.union1d(t, breaks[(breaks > t[0]) & (breaks < t[-1])])
    start, end = points[:-1], points[1:]
    owner: NDArray[np.int64] = np.searchsorted(t, (start + end) / 2) - 1
    if signals.degree < 2:
        first, second = signals.at(start), signals.at(end)
        coefficients = np.stack([first, second - first][: signals.degree + 1], axis=1)
        return Pieces(start, end, coefficients, owner)
    done: list[tuple[Array, Array, Array, NDArray[np.int64]]] = []
    size, jumps, missed, given = (np.full(signals.count, least) for least in (1e-300, 0.0, 0.0, 1e-300))
    for depth in range(_DEEPEST_OF_ALL + 1):
        between_pieces()
        coefficients, misfit, heights = _fit(signals, start, end)
        size = np.maximum(size, heights.max(axis=0, initial=0.0))  # each input in its own: small ones are as true
        rough = (misfit > np.maximum(_AGREES * size, signals.rounding)).any(axis=1) & (depth < _DEEPEST)
        rough |= signals.scales.crowded(start, end) & (depth < _DEEPEST_OF_ALL)
        jumps = np.maximum(jumps, misfit[~rough].max(axis=0, initial=0.0))
        missed += (end - start)[~rough] @ misfit[~rough]
        given += (end - start)[~rough] @ heights[~rough]
        done.append((start[~rough], end[~rough], coefficients[~rough], owner[~rough]))
        if not rough.any():
            break
        middle = (start[rough] + end[rough]) / 2
        start, end = np.concatenate([start[rough], middle]), np.concatenate([middle, end[rough]])
        owner = np.concatenate([owner[rough], owner[rough]])
    start, end, coefficients = (np.concatenate([one[i] for one in done]) for i in range(3))
    owner = np.concatenate([one[3] for one in done])
    order = np.argsort(start, kind="stable")
    last: NDArray[np.int64] = np.searchsorted(owner[order], np.arange(len(t) - 1), side="right") - 1
    jump = np.any(jumps > 1e-6 * size)
    notes = (
        ("An input jumps between the points of t; put a point of t at each jump to follow it exactly.",) if jump else ()
    )
    share = float(np.max(missed / given, initial=0.0))
    return Pieces(start[order], end[order], coefficients[order], last, notes, share)


def _fit(signals: Signals, start: Array, end: Array) -> tuple[Array, Array, Array]:
    """Polynomials through six points of each piece, how far each input is from them in between, and how large it is."""
    places = np.concatenate([_NODES, _BETWEEN])
    times = start[:, None] + (end - start)[:, None] * places
    if signals.breaks:  # at a jump, the value from inside the piece
        slack = 8 * np.spacing(np.maximum(np.abs(start), np.abs(end)))[:, None]
        times = np.clip(times, start[:, None] + slack, end[:, None] - slack)
    values = signals.at(times.ravel()).reshape(len(start), len(places), signals.count)
    powers = np.vander(_NODES, increasing=True)
    coefficients = np.einsum("ij,pjk->pik", np.linalg.inv(powers), values[:, :6])
    model = np.einsum("ij,pjk->pik", np.vander(_BETWEEN, 6, increasing=True), coefficients)
    misfit = np.abs(model - values[:, 6:]).max(axis=1, initial=0.0)
    return coefficients, misfit, np.abs(values).max(axis=1, initial=0.0)
