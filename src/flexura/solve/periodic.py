"""Periodic responses: the motion that a periodic load keeps up, once what the start brought in is gone.

>>> fx.periodic_response(equations, {"F": "2*cos(3*t) + sin(9*t)"}, beam.end)

Linear systems by Fourier series and the exact frequency response at each harmonic; nonlinear ones by shooting: the
state that comes back after a period, by Newton's method, with the Floquet multipliers of the motion about it. Members
that bend nonlinearly are followed by harmonic balance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import equations_of
from flexura.display import Table
from flexura.errors import FlexuraError, warn
from flexura.solve.frequency_response import frequency_response
from flexura.solve.harmonic.floquet import is_stable
from flexura.solve.harmonic.loads import HARMONICS, OnePeriod, PeriodicLoad, as_given, read_load
from flexura.solve.harmonic.motion import periodic_motion
from flexura.solve.harmonic.question import Shaken, Wave
from flexura.solve.runs.driving import with_given_motions
from flexura.solve.shooting import shot
from flexura.solve.time_response import OverTime
from flexura.solve.transient import listed, several
from flexura.solve.units import called, output_columns
from flexura.systems.second_order import SecondOrderSystem

Array = NDArray[np.float64]
_SHOWN = 256
_NOTICED = 1e-6
_SEEN = 1e-6  # of the largest harmonic: what a table shows


class PeriodicResponse(OverTime):
    """One period of the outputs over `t`: (times,), or (times, outputs) for a list.

    `harmonics` are the complex amplitudes of exp(2 pi i k t/period), k = 0, 1, ..., whose real parts add up to it.
    `multipliers` are Floquet's, `stable` says that none lies outside the unit circle (None where that was not asked:
    linear systems); `error` is what it may be off by, as a part of the largest.
    """

    period: float
    harmonics: NDArray[np.complex128] | None
    multipliers: NDArray[np.complex128] | None
    stable: bool | None
    notes: tuple[str, ...]
    _more: dict[str, Any] = {  # noqa: RUF012  # never changed: names and what they are of a part
        "period": 0.0, "harmonics": None, "multipliers": None, "stable": None, "notes": (),
    }  # fmt: skip

    def told(self) -> Iterator[Table | str]:
        """Beside what every answer over time tells: the first harmonics, and how motions nearby go on."""
        yield from super().told()
        if self.harmonics is not None:
            sizes = np.abs(self.harmonics).reshape(len(self.harmonics), -1)
            rows = [
                (str(k), f"{2 * np.pi * k / self.period:.6g}", *(f"{one:.6g}" for one in row))
                for k, row in enumerate(sizes)
                if np.any(row > _SEEN * sizes.max(axis=0))
            ]
            yield Table(("harmonic", "rad/s", *self.names), rows)
        if self.multipliers is not None:
            largest = np.abs(self.multipliers).max(initial=0.0)
            how = "stable" if self.stable else "unstable"
            yield f"The motion is {how}: the largest of Floquet's multipliers is {largest:.6g}."
        yield from self.notes


def periodic_response(
    equations: Any,
    load: Any,
    output: Any,
    period: float | None = None,
    values: Mapping[str, Any] | None = None,
    start: Mapping[str, float] | None = None,
) -> PeriodicResponse:
    """The steady motion under a periodic load, one period of it.

    `load`: {"F": f} with f text or an expression in t, a function of t, an array of equal steps over one period, or a
    record (times, numbers) or (time step, numbers); a load's name alone is a unit cosine. Without `period` it is that
    of the sines and cosines in text, or the length of the record; of text that jumps the course from 0 to `period` is
    repeated. Outputs as for fx.frequency_response, one or a list. `start` is where the search for a nonlinear motion
    begins.

    >>> fx.periodic_response(equations, {"F": "cos(2*t)"}, "q1").harmonics
    """
    loads: dict[str, Any] = {}
    if isinstance(equations, SecondOrderSystem) and not isinstance(load, Mapping | str):
        loads, load = {"load": load}, "load"
    equations = equations if isinstance(equations, SecondOrderSystem) else equations_of(equations)
    given = dict(load) if isinstance(load, Mapping) else {str(getattr(load, "name", load)): None}
    signals = {name: read_load(name, f, values) for name, f in given.items()}
    T = _period(signals, period)
    known = {name: one.over(T) for name, one in signals.items()}
    courses = {name: as_given(one, known[name]) for name, one in signals.items()}
    if isinstance(equations, SecondOrderSystem) or _linear(equations):
        found, harmonics, error, more = (*_fourier(equations, known, output, T, values, loads), (None, None))
    else:
        search = _balanced if equations.fields else _shot
        found, harmonics, error, more = search(equations, known, courses, output, T, values, start)
    if error > _NOTICED:
        warn(f"The periodic response may be off by {error:.0e} of its largest value; give a smoother load.")
    made = (found if several(output) else found[:, 0]).view(PeriodicResponse)
    made.t, made.period, made.error = np.arange(_SHOWN) * T / _SHOWN, T, error
    made.harmonics = harmonics if several(output) else harmonics[:, 0]
    made.multipliers, made.stable = more
    made.notes = tuple(note for one in known.values() for note in one.notes)
    made.label = f"periodic response of {', '.join(map(called, listed(output)))}"
    made.columns = output_columns(equations, output)
    return made


def _period(signals: Mapping[str, PeriodicLoad], period: float | None) -> float:
    if period is not None:
        if not (isinstance(period, int | float | np.floating) and np.isfinite(period) and period > 0):
            raise FlexuraError(f"period is {period!r}", advice="give a positive time in s")
        return float(period)
    spans = {one.span for one in signals.values() if one.span is not None}
    if len(spans) == 1 and all(one.span is not None for one in signals.values()):
        return spans.pop()
    rates = [rate for one in signals.values() for rate in one.rates]
    if rates and all(one.tree is not None for one in signals.values()):
        lowest = min(rates)
        for parts in range(1, 201):
            base = lowest / parts
            if all(abs(rate / base - round(rate / base)) < 1e-9 * rate / base for rate in rates):
                return float(2 * np.pi / base)
    raise FlexuraError("The period of the load is not known", advice="give it: period=... in s")


def _linear(equations: Equations) -> bool:
    energies = equations.lagrangian
    free = energies.changed(coordinates=energies.moving, prescribed={}) if energies.prescribed else energies
    return free.linear


def _fourier(
    equations: Equations | SecondOrderSystem,
    known: Mapping[str, OnePeriod],
    output: Any,
    T: float,
    values: Mapping[str, Any] | None,
    loads: Mapping[str, Any],
) -> tuple[Array, NDArray[np.complex128], float]:
    """By harmonics: each is answered exactly; the last ones, and the doubt of the series, tell what was left out."""
    used = [k for k in range(HARMONICS) if any(one.harmonics[k] for one in known.values())]
    omega = 2 * np.pi / T * np.array(used or [0])
    outputs = listed(output) if isinstance(equations, Equations) else output
    total: Any = 0.0
    doubt: Any = 0.0
    for name, one in known.items():
        H = np.asarray(frequency_response(equations, omega, loads.get(name, name), outputs, values))
        H = H.reshape(len(omega), -1)
        total = np.zeros((HARMONICS, H.shape[1]), dtype=np.complex128) if np.ndim(total) == 0 else total
        if not np.all(np.isfinite(H)):
            raise FlexuraError(
                "A harmonic of the load lies on an undamped resonance, so the motion grows without end",
                advice="give the system some damping, or the load another period",
            )
        total[used] += H * one.harmonics[used or [0], None]
        doubt = doubt + np.abs(H * one.doubt[used or [0], None]).sum(axis=0)
    shown = np.exp(2j * np.pi * np.outer(np.arange(_SHOWN) / _SHOWN, used)) @ total[used]
    largest = np.abs(total).max(axis=0, initial=0.0)
    left = np.abs(total[-HARMONICS // 16 :]).max(axis=0, initial=0.0) * HARMONICS / 2 + doubt
    last = max(used, default=0)
    error = max((float(one / size) for one, size in zip(left, largest, strict=True) if size), default=0.0)
    return np.real(shown), total[: last + 1], error


def _shot(
    equations: Equations,
    known: Mapping[str, OnePeriod],
    courses: Mapping[str, Any],
    output: Any,
    T: float,
    values: Mapping[str, Any] | None,
    start: Mapping[str, float] | None,
) -> tuple[Array, NDArray[np.complex128], float, tuple[Any, Any]]:
    """By shooting: the state that comes back, and how those beside it do."""
    forces = {name: _as_function(one) for name, one in known.items()}
    orbit = shot(equations, forces, courses, listed(output), T, _SHOWN, values, start)
    harmonics = np.fft.rfft(orbit.outputs, axis=0) / _SHOWN
    harmonics[1:-1] *= 2
    return orbit.outputs, harmonics, orbit.error, (orbit.multipliers, is_stable(orbit.multipliers))


def _balanced(
    equations: Equations,
    known: Mapping[str, OnePeriod],
    courses: Mapping[str, Any],
    output: Any,
    T: float,
    values: Mapping[str, Any] | None,
    start: Mapping[str, float] | None,
) -> tuple[Array, NDArray[np.complex128], float, tuple[Any, Any]]:
    """By harmonic balance, with members in polynomials whose degree is raised until the motion stays."""
    if start:
        raise FlexuraError(
            "Nonlinear motions of members are not searched for from a start",
            advice="leave start out; fx.response_curve follows all motions that hang together over the frequency",
        )
    equations, _ = with_given_motions(equations, courses, np.array([0.0, T]))
    acting = set(equations.lagrangian.inputs)
    waves = {name: Wave(one.harmonics) for name, one in known.items() if name in acting}
    orbit = periodic_motion(Shaken.of(equations, waves, values), 2 * np.pi / T, listed(output), _SHOWN)
    harmonics = np.fft.rfft(orbit.outputs, axis=0) / _SHOWN
    harmonics[1:-1] *= 2
    return orbit.outputs, harmonics, orbit.error, (orbit.multipliers, is_stable(orbit.multipliers))


def _as_function(one: OnePeriod) -> Callable[[float], float]:
    return lambda t: float(one.at(np.array([float(t)]))[0])
