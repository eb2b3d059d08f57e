"""Motions that are given as numbers or functions: with their rates and accelerations, which inertia answers to.

>>> curve = Record.of_values(t, zr, "The input zr")        # a cubic spline; Record.of_rates integrates
>>> zr, zr_t, zr_tt = curve(0.5)

A record of displacements is followed by the cubic spline through its points: straight lines between them would need
infinite forces. A record of accelerations is straight between its points, and integrated exactly, from rest.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.systems.signals.features import Features
from flexura.systems.signals.signal import real_array

if TYPE_CHECKING:
    from scipy.interpolate import PPoly

Array = NDArray[np.float64]
_DEGREE, _PIECES = 16, 4096
_JUMP = 1e-9  # of the largest value: what neighbouring polynomials may differ by
_SAME = 1e-13  # of the largest value: what a polynomial may miss of a function


@dataclass(frozen=True, eq=False)
class Record:
    """A piecewise polynomial of time; (displacement, rate, acceleration) at one time or at many: (3, ...)."""

    what: str
    curve: PPoly
    note: str

    @classmethod
    def of_values(cls, t: Array, values: Array, what: str) -> Record:
        """Displacements at times."""
        from scipy.interpolate import CubicSpline  # loaded where a record is given

        note = f"{what} is followed by the cubic spline through its {len(t)} points."
        return cls(what, CubicSpline(t, values, bc_type="not-a-knot"), note)

    @classmethod
    def of_rates(cls, t: Array, values: Array, what: str, order: int) -> Record:
        """Accelerations at times (`order=2`), straight in between, or rates, by a spline; from zero, and from rest."""
        from scipy.interpolate import CubicSpline, PPoly

        straight = PPoly(np.array([np.diff(values) / np.diff(t), values[:-1]]), t)
        given = straight if order == 2 else CubicSpline(t, values, bc_type="not-a-knot")
        note = f"{what} is integrated from zero{', straight between its points, and from rest' * (order == 2)}."
        return cls(what, given.antiderivative(order), note)

    def __call__(self, t: Any) -> Array:
        """Three rows."""
        first, last, slack = self._points[0], self._points[-1], self._slack
        if isinstance(t, float) and first - slack <= t <= last + slack:
            return self._at(t)
        times = np.asarray(t, dtype=np.float64)
        if np.any(times < first - slack) or np.any(times > last + slack):
            raise FlexuraError(
                f"{self.what} is a record from t = {first:g} to {last:g}, and it is asked for outside of these times",
                advice="ask for times within, or lengthen the record",
            )
        return np.stack([one(times) for one in self._levels])

    def _at(self, t: float) -> Array:
        """At one time, as steps ask for it over and over."""
        i = min(max(bisect_right(self._points, t) - 1, 0), len(self._rows) - 1)
        s, value, rate, half = t - self._points[i], 0.0, 0.0, 0.0
        for c in self._rows[i]:  # Horner, with two derivatives
            half, rate, value = half * s + rate, rate * s + value, value * s + c
        return np.array([value, rate, 2 * half])

    @cached_property
    def _points(self) -> list[float]:
        return [float(one) for one in self.curve.x]

    @cached_property
    def _rows(self) -> list[list[float]]:
        rows: list[list[float]] = self.curve.c.T.tolist()
        return rows

    @cached_property
    def _slack(self) -> float:
        return 1e-9 * (self._points[-1] - self._points[0])

    @cached_property
    def _levels(self) -> tuple[PPoly, PPoly, PPoly]:
        return self.curve, self.curve.derivative(), self.curve.derivative(2)

    def features(self, start: float, end: float) -> Features:
        """Its points, at which a derivative jumps."""
        knots = self.curve.x[(self.curve.x > start) & (self.curve.x < end)]
        return Features((), tuple(knots.tolist()), (self.note,))


@dataclass(frozen=True, eq=False)
class SmoothFunction:
    """A function of time by polynomials so near to it that their second derivatives are its own.

    `coefficients` are Chebyshev's, (pieces, degree + 1), between `edges`.
    """

    what: str
    edges: Array
    coefficients: Array

    @classmethod
    def of(cls, function: Callable[[float], Any], what: str, start: float, end: float) -> SmoothFunction:
        """Pieces are halved until what is left of the polynomials is rounding."""
        points = chebyshev.chebpts1(_DEGREE + 1)
        fit = np.linalg.inv(chebyshev.chebvander(points, _DEGREE))
        waiting, done, size = [(start, end)], dict[tuple[float, float], Array](), 0.0
        while waiting:
            a, b = waiting.pop()
            values = _numbers(function, what, (a + b) / 2 + (b - a) / 2 * points)
            size = max(size, float(np.abs(values).max()))
            c = fit @ values
            if np.abs(c[-3:]).max() <= _SAME * size:
                done[a, b] = c
                continue
            if len(done) + len(waiting) > _PIECES or b - a < 1e-9 * (end - start):
                raise _jumps(what, (a + b) / 2)
            waiting += [((a + b) / 2, b), (a, (a + b) / 2)]
        pieces = sorted(done)
        made = cls(what, np.array([pieces[0][0], *(b for _, b in pieces)]), np.array([done[one] for one in pieces]))
        made._refuse_jumps(size)
        return made

    def _refuse_jumps(self, size: float) -> None:
        """Between pieces, where halving may have met a jump."""
        ends = np.abs(self.coefficients[:-1].sum(axis=1) - chebyshev.chebval(-1.0, self.coefficients[1:].T))
        if ends.max(initial=0.0) > _JUMP * size:
            raise _jumps(self.what, float(self.edges[1:-1][ends.argmax()]))

    def __call__(self, t: Any) -> Array:
        """Displacement, rate and acceleration: (3, ...)."""
        if isinstance(t, float):
            i = min(max(bisect_right(self._ends, t) - 1, 0), len(self._ends) - 2)
            half, middle = self._spans[i]
            return np.asarray(
                self._tables[:, i] @ chebyshev.chebvander((t - middle) / half, self._tables.shape[2] - 1).ravel()
            )
        times = np.asarray(t, dtype=np.float64)
        flat = times.ravel()
        at = np.clip(np.searchsorted(self.edges, flat, side="right") - 1, 0, len(self.edges) - 2)
        halves, middles = np.diff(self.edges)[at] / 2, (self.edges[1:] + self.edges[:-1])[at] / 2
        table = chebyshev.chebvander((flat - middles) / halves, self._tables.shape[2] - 1)
        return np.asarray(np.einsum("kpj,pj->kp", self._tables[:, at], table).reshape(3, *times.shape))

    @cached_property
    def _tables(self) -> Array:
        """Coefficients of values, rates and accelerations: (3, pieces, degree + 1)."""
        degree, half = self.coefficients.shape[1] - 1, np.diff(self.edges)[:, None] / 2
        found = np.zeros((3, len(half), degree + 1))
        for k in range(3):
            c = chebyshev.chebder(self.coefficients, k, axis=1) if k else self.coefficients
            found[k, :, : degree + 1 - k] = c / half**k
        return found

    @cached_property
    def _ends(self) -> list[float]:
        return [float(one) for one in self.edges]

    @cached_property
    def _spans(self) -> list[tuple[float, float]]:
        return [((b - a) / 2, (a + b) / 2) for a, b in pairwise(self._ends)]

    def integrated(self, times: int) -> SmoothFunction:
        """The integral from the start, of that from the start, and so on."""
        half, c = np.diff(self.edges)[:, None] / 2, self.coefficients
        for _ in range(times):
            c = chebyshev.chebint(c, axis=1, lbnd=-1) * half
            c[1:, 0] += np.cumsum(c.sum(axis=1))[:-1]
        return SmoothFunction(self.what, self.edges, c)

    def features(self, start: float, end: float) -> Features:
        """The ends of its pieces, between which it is smooth."""
        return Features((self.edges,), ())


def _jumps(what: str, t: float) -> FlexuraError:
    return FlexuraError(
        f"{what} is a motion that jumps, or bends suddenly, at t = {t:.6g}, as far as can be seen of a function",
        advice="give it as text in t, which can be differentiated, or as numbers on t",
    )


def _numbers(function: Callable[[float], Any], what: str, times: Array) -> Array:
    found = real_array([np.asarray(function(float(t))).item() for t in times], what)
    if not np.all(np.isfinite(found)):
        raise FlexuraError(f"{what} is not finite at t = {times[np.argmin(np.isfinite(found))]:.6g}")
    return found


@dataclass(frozen=True, eq=False)
class Shown:
    """A record seen as an input: its displacement alone."""

    curve: Record | SmoothFunction

    def __call__(self, t: Any) -> Any:
        """The displacement."""
        found = self.curve(t)[0]
        return float(found) if found.ndim == 0 else found

    def features(self, start: float, end: float) -> Features:
        """As of the record."""
        return self.curve.features(start, end)
