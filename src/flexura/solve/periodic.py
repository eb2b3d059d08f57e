"""Periodic responses: the motion that a periodic load keeps up, once what the start brought in is gone.

>>> fx.periodic_response(equations, {"F": "2*cos(3*t) + sin(9*t)"}, beam.end)

Linear systems by Fourier series and the exact frequency response at each harmonic; nonlinear ones by shooting: the
state that comes back after a period, by Newton's method, with the Floquet multipliers of the motion about it. Members
that bend nonlinearly are followed by harmonic balance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import equations_of
from flexura.display import Table
from flexura.errors import FlexuraError, warn
from flexura.solve.frequency_response import frequency_response
from flexura.solve.harmonic.floquet import is_stable
from flexura.solve.harmonic.motion import periodic_motion
from flexura.solve.harmonic.question import Shaken, Wave
from flexura.solve.runs.distributed import arguments_of
from flexura.solve.runs.driving import with_given_motions
from flexura.solve.shooting import shot
from flexura.solve.time_response import OverTime
from flexura.solve.transient import listed, several
from flexura.solve.units import called, output_columns
from flexura.symbolic.engine import TIME, ZERO, Basic, partial
from flexura.symbolic.expression import Expression
from flexura.symbolic.quantities import text_or_expression
from flexura.systems.second_order import SecondOrderSystem
from flexura.systems.signals.breaks import switches

Array = NDArray[np.float64]
_SAMPLES, _SHOWN = 2048, 256
_NODES = 32
"""Of Gauss' rule in a panel as long as a quarter as many samples: the highest harmonic has four periods there."""
_KEPT = 1e-15  # of the largest harmonic
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
    _more: dict[str, Any] = {  # noqa: RUF012
        "period": 0.0, "harmonics": None, "multipliers": None, "stable": None,
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


def periodic_response(
    equations: Any,
    load: Any,
    output: Any,
    period: float | None = None,
    values: Mapping[str, Any] | None = None,
    start: Mapping[str, float] | None = None,
) -> PeriodicResponse:
    """The steady motion under a periodic load, one period of it.

    `load`: {"F": f} with f text or an expression in t, a function of t, or an array of equal steps over one period; a
    load's name alone is a unit cosine. `period` is read from text in sines and cosines where it is not given. Outputs
    as for fx.frequency_response, one or a list. `start` is where the search for a nonlinear motion begins.

    >>> fx.periodic_response(equations, {"F": "cos(2*t)"}, "q1").harmonics
    """
    loads: dict[str, Any] = {}
    if isinstance(equations, SecondOrderSystem) and not isinstance(load, Mapping | str):
        loads, load = {"load": load}, "load"
    equations = equations if isinstance(equations, SecondOrderSystem) else equations_of(equations)
    given = dict(load) if isinstance(load, Mapping) else {str(getattr(load, "name", load)): None}
    signals = {name: _signal(name, f, values) for name, f in given.items()}
    T = _period(signals, period)
    for name, one in signals.items():
        signals[name] = one if one.f is not None else _Signal(None, lambda t: np.cos(2 * np.pi * t / T), ())
    if isinstance(equations, SecondOrderSystem) or _linear(equations):
        found, harmonics, error, more = (*_fourier(equations, signals, output, T, values, loads), (None, None))
    else:
        search = _balanced if equations.fields else _shot
        found, harmonics, error, more = search(equations, signals, output, T, values, start)
    if error > _NOTICED:
        warn(f"The periodic response may be off by {error:.0e} of its largest value; give a smoother load.")
    made = (found if several(output) else found[:, 0]).view(PeriodicResponse)
    made.t, made.period, made.error = np.arange(_SHOWN) * T / _SHOWN, T, error
    made.harmonics = harmonics if several(output) else harmonics[:, 0]
    made.multipliers, made.stable = more
    made.label = f"periodic response of {', '.join(map(called, listed(output)))}"
    made.columns = output_columns(equations, output)
    return made


@dataclass(frozen=True)
class _Signal:
    """A load over time: its tree if it has one, a function of an array, and the frequencies it was seen to hold."""

    tree: Basic | None
    f: Callable[[Array], Array] | None
    frequencies: tuple[float, ...]
    given: Any = None


def _signal(name: str, given: Any, values: Mapping[str, Any] | None) -> _Signal:
    if given is None:
        return _Signal(None, None, ())
    if isinstance(given, str) or hasattr(given, "engine"):
        tree = text_or_expression(given, what=f"the load {name}").engine
        known = {symengine.Symbol(key): one for key, one in (values or {}).items() if isinstance(one, int | float)}
        tree = tree.xreplace(known)
        left = sorted(one.name for one in tree.free_symbols - {TIME})
        if left == ["x"]:
            raise _along(name)
        if left:
            raise FlexuraError(f"The load {name} holds {', '.join(left)}", advice="give numbers for them in values")
        function = symengine.Lambdify([TIME], [tree + ZERO], backend="lambda")
        return _Signal(
            tree,
            lambda t: np.asarray(function(t[:, None]), dtype=np.float64).reshape(len(t)),
            _rates(tree),
            Expression(tree),
        )
    if callable(given):
        if arguments_of(given) > 1:
            raise _along(name)
        return _Signal(None, lambda t: np.array([float(given(float(one))) for one in t]), ())
    table = np.asarray(given, dtype=np.float64)
    if table.ndim != 1 or len(table) < 2 or not np.all(np.isfinite(table)):
        raise FlexuraError(f"The load {name} is no list of numbers over a period", advice="give at least two of them")
    return _Signal(None, _sampled(table), (-1.0,))


def _along(name: str) -> FlexuraError:
    return FlexuraError(
        f"The load {name} is given as a function of x and t",
        advice=f"give its course over time here, and its shape along x by values={{{name!r}: 'text in x'}}",
    )


def _sampled(table: Array) -> Callable[[Array], Array]:
    """Straight lines between equal steps over a period of 1, which is stretched when the period is known."""
    return lambda share: np.interp(
        np.mod(share, 1.0) * len(table), np.arange(len(table) + 1), np.append(table, table[0])
    )


def _rates(tree: Basic) -> tuple[float, ...]:
    """The frequencies of the sines and cosines in a tree."""
    found = []
    for one in tree.atoms(symengine.sin, symengine.cos):
        slope = partial(one.args[0], TIME)
        if not slope.free_symbols:
            found.append(abs(float(slope.n(53, real=True))))
    return tuple(one for one in found if one)


def _period(signals: Mapping[str, _Signal], period: float | None) -> float:
    if period is not None:
        if not (isinstance(period, int | float | np.floating) and np.isfinite(period) and period > 0):
            raise FlexuraError(f"period is {period!r}", advice="give a positive time in s")
        return float(period)
    rates = [rate for one in signals.values() for rate in one.frequencies if rate > 0]
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


def _samples(one: _Signal, T: float, count: int) -> Array:
    assert one.f is not None
    share = np.arange(count) / count
    found = one.f(share if one.frequencies == (-1.0,) else share * T)
    if not np.all(np.isfinite(found)):
        raise FlexuraError("The load is not finite over its period", advice="check it")
    if one.frequencies != (-1.0,) and one.tree is not None:
        between = (share + 0.382 / count) * T  # beside the jumps of a load, where rounding decides
        if np.abs(one.f(between + T) - one.f(between)).max() > 1e-9 * max(np.abs(found).max(), 1e-300):
            raise FlexuraError(f"The load does not come back after {T:g} s", advice="give its true period")
    return found


def _fourier(
    equations: Equations | SecondOrderSystem,
    signals: Mapping[str, _Signal],
    output: Any,
    T: float,
    values: Mapping[str, Any] | None,
    loads: Mapping[str, Any],
) -> tuple[Array, NDArray[np.complex128], float]:
    """By harmonics: each is answered exactly; the last ones tell what was left out."""
    series = {name: _series(one, T) for name, one in signals.items()}
    used = [k for k in range(_SAMPLES // 2) if any(one[k] for one in series.values())]
    omega = 2 * np.pi / T * np.array(used or [0])
    outputs = listed(output) if isinstance(equations, Equations) else output
    total: Any = 0.0
    folded: Any = 0.0  # what samples of a load with jumps or kinks put into the wrong harmonics
    for name, one in series.items():
        H = np.asarray(frequency_response(equations, omega, loads.get(name, name), outputs, values))
        H = H.reshape(len(omega), -1)
        total = np.zeros((_SAMPLES // 2, H.shape[1]), dtype=np.complex128) if np.ndim(total) == 0 else total
        if not np.all(np.isfinite(H)):
            raise FlexuraError(
                "A harmonic of the load lies on an undamped resonance, so the motion grows without end",
                advice="give the system some damping, or the load another period",
            )
        total[used] += H * one[used or [0], None]
        if not _jumps(signals[name], T):
            folded = folded + np.abs(one[-_SAMPLES // 32 :]).max(initial=0.0) * np.abs(H).max(axis=0)
    shown = np.exp(2j * np.pi * np.outer(np.arange(_SHOWN) / _SHOWN, used)) @ total[used]
    largest = np.abs(total).max(initial=0.0)
    left = np.max(np.abs(total[-_SAMPLES // 32 :]).max(initial=0.0) * _SAMPLES / 4 + folded)
    last = max(used, default=0)
    return np.real(shown), total[: last + 1], float(left / largest) if largest else 0.0


def _shot(
    equations: Equations,
    signals: Mapping[str, _Signal],
    output: Any,
    T: float,
    values: Mapping[str, Any] | None,
    start: Mapping[str, float] | None,
) -> tuple[Array, NDArray[np.complex128], float, tuple[Any, Any]]:
    """By shooting: the state that comes back, and how those beside it do."""
    forces = {name: _as_function(one, T) for name, one in signals.items()}
    given = {name: _as_input(one, T) for name, one in signals.items()}
    orbit = shot(equations, forces, given, listed(output), T, _SHOWN, values, start)
    harmonics = np.fft.rfft(orbit.outputs, axis=0) / _SHOWN
    harmonics[1:-1] *= 2
    return orbit.outputs, harmonics, orbit.error, (orbit.multipliers, is_stable(orbit.multipliers))


def _balanced(
    equations: Equations,
    signals: Mapping[str, _Signal],
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
    equations, _ = with_given_motions(
        equations, {name: _as_input(one, T) for name, one in signals.items()}, np.array([0.0, T])
    )
    acting = set(equations.lagrangian.inputs)
    waves = {name: Wave(_series(one, T)) for name, one in signals.items() if name in acting}
    orbit = periodic_motion(Shaken.of(equations, waves, values), 2 * np.pi / T, listed(output), _SHOWN)
    harmonics = np.fft.rfft(orbit.outputs, axis=0) / _SHOWN
    harmonics[1:-1] *= 2
    return orbit.outputs, harmonics, orbit.error, (orbit.multipliers, is_stable(orbit.multipliers))


def _series(one: _Signal, T: float) -> NDArray[np.complex128]:
    """Complex amplitudes of a load's harmonics; what rounding leaves is none."""
    found = np.fft.rfft(_samples(one, T, _SAMPLES)) / _SAMPLES
    if jumps := _jumps(one, T):
        found = _integrated(one, T, jumps)  # samples beside a jump would move it by half their distance
    found[1:-1] *= 2
    return np.asarray(np.where(np.abs(found) > _KEPT * np.abs(found).max(initial=0.0), found, 0.0))


def _jumps(one: _Signal, T: float) -> tuple[float, ...]:
    """The times in a period at which a load given as a text or expression may jump, its ends among them."""
    return () if one.tree is None or not (inner := switches([one.tree], 0.0, T)) else (0.0, *inner, T)


def _integrated(one: _Signal, T: float, jumps: tuple[float, ...]) -> NDArray[np.complex128]:
    """Fourier's integrals from jump to jump, by Gauss; panels so short that the highest harmonic is no wave in them."""
    assert one.f is not None
    x, weight = np.polynomial.legendre.leggauss(_NODES)
    edges = np.unique([*jumps, *np.linspace(0.0, T, 4 * _SAMPLES // _NODES + 1)])
    half = np.diff(edges)[:, None] / 2
    t = (edges[:-1, None] + half * (1 + x)).ravel()
    f = one.f(t) * (half * weight).ravel() / T
    harmonics = np.array_split(np.arange(_SAMPLES // 2 + 1), _NODES)
    return np.concatenate([np.exp(-2j * np.pi / T * np.outer(k, t)) @ f for k in harmonics])


def _as_input(one: _Signal, T: float) -> Any:
    return one.given if one.given is not None else _as_function(one, T)


def _as_function(one: _Signal, T: float) -> Callable[[float], float]:
    f = one.f
    assert f is not None
    if one.frequencies == (-1.0,):
        return lambda t: float(f(np.array([t / T]))[0])
    return lambda t: float(f(np.array([float(t)]))[0])
