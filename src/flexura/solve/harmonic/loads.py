"""Periodic loads as they are given, and their Fourier series: exact where they jump, bend or are tables.

>>> load = read_load("F", "sign(sin(7*t))", None)
>>> load.over(2*np.pi/7).harmonics[1]                       # 4/pi times -i: real part of c_k exp(i k omega t)

Equal samples of what jumps put the jump between two of them, which moves the whole response by half a sample. So the
series of text is integrated from one break to the next, that of a function between the jumps that are seen in it, and
that of a table is the closed form of its straight lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.runs.distributed import arguments_of
from flexura.symbolic.engine import TIME, ZERO, Basic, partial
from flexura.symbolic.expression import Expression
from flexura.symbolic.machine import machine_function
from flexura.symbolic.quantities import text_or_expression
from flexura.systems.signals.breaks import crossings, switches
from flexura.systems.signals.signal import real_array, signal_of_function
from flexura.systems.signals.tables import is_record, record_of

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
HARMONICS = 1024
_X, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_PANELS = 512  # of a period: two waves of the highest harmonic in each
_TOGETHER, _POINTS = 64, 8192  # harmonics and times at once
_KEPT = 1e-15  # of the largest harmonic
_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class OnePeriod:
    """A load over a known period: its course, amplitudes of exp(i k omega t), their doubt, and notes."""

    at: Callable[[Array], Array]
    harmonics: Complex
    doubt: Complex
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class PeriodicLoad:
    """One load as it was given: a tree in t, a function of t, a table with its times, or None, a unit cosine."""

    name: str
    tree: Basic | None = None
    function: Callable[[float], Any] | None = None
    table: tuple[Array | None, Array] | None = None

    @property
    def span(self) -> float | None:
        """The time that its own times cover."""
        return None if self.table is None or self.table[0] is None else float(self.table[0][-1] - self.table[0][0])

    @property
    def rates(self) -> tuple[float, ...]:
        """The frequencies of the sines and cosines in its text."""
        waves = self.tree.atoms(symengine.sin, symengine.cos) if self.tree is not None else ()
        slopes = [partial(one.args[0], TIME) for one in waves]
        found = [abs(float(one.n(53, real=True))) for one in slopes if not one.free_symbols]
        return tuple(one for one in found if one)

    def over(self, T: float) -> OnePeriod:
        """Over that period."""
        if self.table is not None:
            return self._lines(T)
        if self.tree is not None:
            return self._formula(self.tree, T)
        if self.function is None:
            return OnePeriod(lambda t: np.cos(2 * np.pi * t / T), _only(1), np.zeros(HARMONICS, dtype=np.complex128))
        signal = signal_of_function(self.function, f"The load {self.name}", 0.0, T)
        return _integrated(lambda t: np.asarray(signal.at(t)).reshape(len(t)), signal.breaks, T, self.name)

    def _formula(self, tree: Basic, T: float) -> OnePeriod:
        compiled = machine_function([TIME], [tree + ZERO], backend="lambda")

        def f(t: Array) -> Array:
            return np.asarray(compiled(np.asarray(t)[:, None]), dtype=np.float64).reshape(len(t))

        breaks = switches([tree], 0.0, T)
        places = _gauss((0.0, *breaks, T), 8)[0]
        here = _finite(f(places), self.name)
        there = f(places + T)
        if np.abs(there - here).max() <= _SAME * max(np.abs(here).max(), 1e-300):
            return _integrated(f, breaks, T, self.name) if crossings([tree]) else _smooth(f, T, self.name)
        if not crossings([tree]):
            raise FlexuraError(
                f"The load {self.name} does not come back after {T:g} s",
                advice="give its true period; of a function of t, or a record (times, numbers), the course is repeated",
            )
        note = f"The load {self.name} does not come back by itself: its course from t = 0 to {T:g} s is repeated."
        return _integrated(f, breaks, T, self.name, (note,))

    def _lines(self, T: float) -> OnePeriod:
        """Straight lines between the points of a table, the last one back to the first; records keep their times."""
        assert self.table is not None
        when, values = self.table
        if when is None:  # equal steps, the first point coming again after the last
            when = T * np.arange(len(values)) / len(values)
        begun = float(when[0])
        when = when - begun
        if when[-1] > T * (1 + _SAME):
            raise FlexuraError(
                f"The record of {self.name} is {when[-1]:g} s long, and the period {T:g} s",
                advice="give a record of one period",
            )
        if when[-1] < T * (1 - _SAME):
            when, values = np.append(when, T), np.append(values, values[0])
        when[-1] = T
        return OnePeriod(
            lambda t: np.interp(np.mod(t - begun, T), when, values),
            _kept(_of_lines(when, values, T) * np.exp(-2j * np.pi * np.arange(HARMONICS) * (begun / T % 1.0))),
            np.zeros(HARMONICS, dtype=np.complex128),
        )


def read_load(name: str, given: Any, values: Mapping[str, Any] | None) -> PeriodicLoad:
    """Text or an expression in t, a function of t, an array over a period, a record (times, numbers), or None."""
    if given is None:
        return PeriodicLoad(name)
    if isinstance(given, str) or hasattr(given, "engine"):
        tree = text_or_expression(given, what=f"the load {name}").engine
        known = {symengine.Symbol(key): one for key, one in (values or {}).items() if isinstance(one, int | float)}
        tree = tree.xreplace(known)
        left = sorted(one.name for one in tree.free_symbols - {TIME})
        if left == ["x"]:
            raise _along(name)
        if left:
            raise FlexuraError(f"The load {name} holds {', '.join(left)}", advice="give numbers for them in values")
        return PeriodicLoad(name, tree=tree)
    if callable(given):
        if arguments_of(given) > 1:
            raise _along(name)
        return PeriodicLoad(name, function=given)
    if is_record(given):
        return PeriodicLoad(name, table=record_of(given, f"The load {name}", np.zeros(0)))
    advice = "give at least two of them"
    table = real_array(given, f"The load {name}", advice)
    if table.ndim != 1 or len(table) < 2 or not np.all(np.isfinite(table)):
        raise FlexuraError(f"The load {name} is no list of numbers over a period", advice=advice)
    return PeriodicLoad(name, table=(None, table))


def as_given(load: PeriodicLoad, period: OnePeriod) -> Any:
    """As runs take it: text where there is text, and a function of t otherwise."""
    return Expression(load.tree) if load.tree is not None else lambda t: float(period.at(np.array([float(t)]))[0])


def _along(name: str) -> FlexuraError:
    return FlexuraError(
        f"The load {name} is given as a function of x and t",
        advice=f"give its course over time here, and its shape along x by values={{{name!r}: 'text in x'}}",
    )


# -- amplitudes --------------------------------------------------------------------------------------------------------


def _only(k: int) -> Complex:
    return np.asarray(np.arange(HARMONICS) == k, dtype=np.complex128)


def _kept(harmonics: Complex) -> Complex:
    """What rounding leaves is none."""
    size = np.abs(harmonics)
    return np.asarray(np.where(size > _KEPT * size.max(initial=0.0), harmonics, 0.0))


def _finite(values: Array, name: str) -> Array:
    if not np.all(np.isfinite(values)):
        raise FlexuraError(f"The load {name} is not finite over its period", advice="check it")
    return values


def _smooth(f: Callable[[Array], Array], T: float, name: str) -> OnePeriod:
    """Of what is smooth and comes back, by equal samples."""
    found, rough = (_sampled(f, T, count, name) for count in (4 * HARMONICS, 2 * HARMONICS))
    return OnePeriod(f, _kept(found), found - rough)


def _sampled(f: Callable[[Array], Array], T: float, count: int, name: str) -> Complex:
    found = np.fft.rfft(_finite(f(T * np.arange(count) / count), name)) / count
    found[1:] *= 2
    return np.asarray(found[:HARMONICS])


def _integrated(
    f: Callable[[Array], Array], breaks: tuple[float, ...], T: float, name: str, notes: tuple[str, ...] = ()
) -> OnePeriod:
    """Between breaks by Gauss points; half as many panels tell what was not followed."""
    edges = (0.0, *breaks, T)
    found, rough = (_of_panels(f, edges, T, panels, name) for panels in (_PANELS, _PANELS // 2))
    doubt = np.where(np.arange(HARMONICS) < HARMONICS // 2, found - rough, 0.0)
    return OnePeriod(lambda t: f(np.mod(t, T)), _kept(found), doubt, notes)


def _of_panels(f: Callable[[Array], Array], edges: tuple[float, ...], T: float, panels: int, name: str) -> Complex:
    t, weights = _gauss(edges, panels)
    amounts = weights * _finite(f(t), name) * (2 / T)
    found = _waves(t, T, amounts)
    found[0] /= 2
    return found


def _gauss(edges: tuple[float, ...], panels: int) -> tuple[Array, Array]:
    """Gauss points and weights between edges, in about so many panels."""
    whole = edges[-1] - edges[0]
    counts = [max(1, round(panels * (b - a) / whole)) for a, b in pairwise(edges)]
    cuts = np.concatenate([
        *(np.linspace(a, b, count, endpoint=False) for (a, b), count in zip(pairwise(edges), counts, strict=True)),
        [edges[-1]],
    ])  # fmt: skip
    half, middle = np.diff(cuts) / 2, (cuts[1:] + cuts[:-1]) / 2
    return (middle[:, None] + half[:, None] * _X).ravel(), (half[:, None] * _WEIGHTS).ravel()


def _waves(t: Array, T: float, amounts: Array) -> Complex:
    """The sums of amounts exp(-i k omega t)."""
    found = np.zeros(HARMONICS, dtype=np.complex128)
    for begun in range(0, len(t), _POINTS):
        some = slice(begun, begun + _POINTS)
        angle = -2j * np.pi * np.mod(t[some] / T, 1.0)
        first = np.exp(np.multiply.outer(np.arange(_TOGETHER), angle))
        for k in range(0, HARMONICS, _TOGETHER):
            found[k : k + _TOGETHER] += first @ (amounts[some] * np.exp(k * angle))
    return found


def _of_lines(when: Array, values: Array, T: float) -> Complex:
    """Of straight lines, each by parts twice: [f e]/(-ia) + s [e]/a^2 with e = exp(-i a t)."""
    widths = np.diff(when)
    if len(widths) > 1 and np.ptp(widths) <= _SAME * T / len(widths) and values[-1] == values[0]:
        count = len(widths)  # equal steps: a hat's transform is a squared sinc, whatever the harmonic
        k = np.arange(HARMONICS)
        found = np.fft.fft(values[:-1])[k % count] * np.sinc(k / count) ** 2 * (2 / count)
        found[0] /= 2
        return np.asarray(found)
    slopes, a = np.diff(values) / widths, 2 * np.pi / T * np.arange(1, HARMONICS)
    bends = np.concatenate([[-slopes[0]], slopes[:-1] - slopes[1:], [slopes[-1]]])
    found = np.zeros(HARMONICS, dtype=np.complex128)
    found[0] = (values[1:] + values[:-1]) @ widths / 2 / T
    found[1:] = (2 / T) * ((values[-1] - values[0]) * 1j / a + _waves(when, T, bends)[1:] / a**2)
    return found
