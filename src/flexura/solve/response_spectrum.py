"""Response spectra: the largest displacement of oscillators on a base that a record shakes.

>>> fx.response_spectrum((t, acceleration), frequencies, damping=0.05)

Between its points the record is a straight line, and the motion on it is known exactly (Nigam & Jennings 1969); where
the rate changes its sign inside a step, the extreme is found there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Measured
from flexura.display import Displayed, Table, counted
from flexura.errors import FlexuraError
from flexura.systems.dataframes import dataframe
from flexura.systems.labelled import Labelled
from flexura.systems.signals.signal import real_array

Array = NDArray[np.float64]
_HALVINGS = 60


class Spectrum(Displayed, Labelled, np.ndarray[Any, np.dtype[np.float64]]):
    """Peaks over `frequencies` (rad/s), then over `damping` where several ratios were given."""

    frequencies: Array | None
    damping: Array | None

    def __array_finalize__(self, source: Any) -> None:
        whole = source is not None and getattr(source, "shape", None) == self.shape
        self.frequencies = getattr(source, "frequencies", None) if whole else None
        self.damping = getattr(source, "damping", None) if whole else None

    def __repr__(self) -> str:
        return super().__repr__() if self.frequencies is not None else repr(np.asarray(self))

    def __str__(self) -> str:
        return super().__str__() if self.frequencies is not None else str(np.asarray(self))

    def _columns(self) -> dict[str, Array]:
        if self.frequencies is None or self.damping is None:
            raise FlexuraError("A part of a spectrum has no frequencies", advice="make the table of the whole")
        flat = np.asarray(self).reshape(self.frequencies.size, -1)
        return {f"peak, damping {z:g}": one for z, one in zip(self.damping.ravel(), flat.T, strict=True)}

    def summary(self) -> str:
        """How many oscillators, and the largest peak."""
        return f"response spectrum of {counted(self.size, 'oscillator')}, largest {np.max(np.asarray(self)):.6g}"

    def told(self) -> Iterator[Table | str]:
        """A row for each frequency."""
        columns = self._columns()
        assert self.frequencies is not None
        rows = zip(self.frequencies.ravel(), *columns.values(), strict=True)
        yield Table(("rad/s", *columns), [tuple(f"{one:.8g}" for one in row) for row in rows])

    def to_dataframe(self) -> Any:
        """A pandas table over the frequencies, a column for each damping ratio."""
        columns = self._columns()
        assert self.frequencies is not None
        return dataframe(columns, self.frequencies.ravel(), "omega (rad/s)")


def response_spectrum(history: Any, frequencies: Measured, damping: Measured = 0.05) -> Any:
    """The peak of |x| during the record, x'' + 2 zeta omega x' + omega^2 x = -a(t), for each frequency in rad/s.

    `history` is (t, base acceleration). Several damping ratios give one more axis: (frequencies, damping).

    >>> fx.response_spectrum((t, a), 2 * np.pi * np.linspace(0.1, 20, 50), damping=0.05)
    """
    t, a = _record(history)
    omega = real_array(frequencies, "frequencies", "give frequencies in rad/s", "rad/s")
    zeta = real_array(damping, "damping", "give damping ratios, like 0.05")
    if not np.all(np.isfinite(omega)) or np.any(omega <= 0):
        raise FlexuraError("frequencies holds values that are not positive", advice="give frequencies in rad/s")
    if not np.all(np.isfinite(zeta)) or np.any(zeta < 0) or np.any(zeta >= 1):
        raise FlexuraError(
            "damping holds values outside of 0 <= zeta < 1", advice="give ratios of the critical damping, like 0.05"
        )
    w, z = (one.ravel() for one in np.meshgrid(omega.ravel(), zeta.ravel(), indexing="ij"))
    found = np.asarray(_peaks(t, a, w, z).reshape((*omega.shape, *zeta.shape)))
    if found.ndim == 0:
        return float(found)
    made = found.view(Spectrum)
    made.frequencies, made.damping = omega, zeta
    return made


def _record(history: Any) -> tuple[Array, Array]:
    if not isinstance(history, tuple | list) or len(history) != 2:
        raise FlexuraError("history is no pair", advice="give (t, base acceleration), two arrays")
    t, a = (real_array(one, "history", "give (t, base acceleration)") for one in history)
    if t.ndim != 1 or t.shape != a.shape or len(t) < 2:
        raise FlexuraError(
            f"history has times of shape {t.shape} and accelerations of shape {a.shape}",
            advice="give two arrays of the same length, 2 or more",
        )
    if not np.all(np.isfinite(t)) or not np.all(np.isfinite(a)) or np.any(np.diff(t) <= 0):
        raise FlexuraError("history is not finite, or its times do not increase", advice="sort the record by time")
    return t, a


class _Step:
    """The motion on one straight piece of the record: x0, v0 and a0 + slope s at its start."""

    def __init__(self, w: Array, z: Array, x: Array, v: Array, a: float, slope: float) -> None:
        self.w, self.z, self.wd = w, z, w * np.sqrt(1 - z**2)
        self.p1 = -slope / w**2  # the particular solution p0 + p1 s
        self.p0 = -a / w**2 + 2 * z * slope / w**3
        self.A = x - self.p0
        self.B = (v - self.p1 + z * w * self.A) / self.wd

    def at(self, s: Array | float) -> tuple[Array, Array]:
        """x and v after s."""
        e, c, d = np.exp(-self.z * self.w * s), np.cos(self.wd * s), np.sin(self.wd * s)
        x = e * (self.A * c + self.B * d)
        v = -self.z * self.w * x + e * self.wd * (self.B * c - self.A * d)
        return x + self.p0 + self.p1 * s, v + self.p1


def _peaks(t: Array, a: Array, w: Array, z: Array) -> Array:
    x, v, peak = np.zeros(len(w)), np.zeros(len(w)), np.zeros(len(w))
    shortest = 2 * np.pi / w.max() / 8  # a step longer than that may hold several extremes
    for i in range(len(t) - 1):
        whole, slope = t[i + 1] - t[i], (a[i + 1] - a[i]) / (t[i + 1] - t[i])
        pieces = max(1, int(np.ceil(whole / shortest)))
        h = whole / pieces
        for k in range(pieces):
            step = _Step(w, z, x, v, float(a[i] + slope * k * h), float(slope))
            after, rate = step.at(h)
            turned = v * rate < 0
            if turned.any():
                peak = np.where(turned, np.maximum(peak, np.abs(_extreme(step, v, h))), peak)
            x, v = after, rate
            peak = np.maximum(peak, np.abs(x))
    return peak


def _extreme(step: _Step, rate: Array, h: float) -> Array:
    """x where the rate changes its sign."""
    low, high = np.zeros(len(rate)), np.full(len(rate), h)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        same = step.at(middle)[1] * rate > 0
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return step.at((low + high) / 2)[0]
