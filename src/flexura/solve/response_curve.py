"""How a nonlinear system answers to a harmonic load over the frequency: all motions that hang together, by arc length.

>>> curve = fx.response_curve(equations, {"F": 0.3}, "q", (0.5, 2.0))
>>> curve.omega, curve.amplitude, curve.stable, curve.limit_points
>>> fx.plot(curve, "duffing.png")

Each motion is found by harmonic balance, and whether it is stable by Floquet's multipliers. At limit points the path
turns back: there the motion jumps when the frequency is changed slowly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import equations_of
from flexura.display import Displayed, Table, counted
from flexura.errors import FlexuraError, warn
from flexura.solve.discretise import check_mesh
from flexura.solve.harmonic.balance import NotSettled
from flexura.solve.harmonic.floquet import is_stable, multipliers
from flexura.solve.harmonic.followed import Follower, Path, Point, followed
from flexura.solve.harmonic.motion import FIRST, MOST, ORDERS, carried, inertia
from flexura.solve.harmonic.question import SAMPLES, Shaken, Wave
from flexura.solve.transient import listed, several
from flexura.solve.units import called, output_columns
from flexura.systems.dataframes import dataframe, numbered

Array = NDArray[np.float64]
_TOLERANCE = 1e-7
_STAYS, _NOTICED = 1e-5, 1e-3  # of the motion: how far finer polynomials may move it
_FINE = 1024


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class ResponseCurve(Displayed):
    """Periodic motions along a path over the frequency; a single output drops its axis.

    `omega` in rad/s turns back at `limit_points`; `amplitude` is half of what an output covers, (points, outputs);
    `harmonics` (points, outputs, k) are complex, of exp(i k omega t); `stable` follows from `multipliers`, Floquet's;
    `error` is what harmonics and polynomials that were left out may change, as a part of the motion.
    """

    omega: Array
    amplitude: Array
    harmonics: NDArray[np.complex128] = field(repr=False)
    stable: NDArray[np.bool_]
    multipliers: NDArray[np.complex128] = field(repr=False)
    limit_points: Array
    error: float
    label: str = ""
    columns: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_drawn(self) -> bool:
        """The curve, dashed where it is unstable."""
        return True

    @property
    def names(self) -> tuple[str, ...]:
        """What the amplitudes are called."""
        count = int(np.prod(self.amplitude.shape[1:]))
        return self.columns if len(self.columns) == count else numbered("amplitude", count)

    def summary(self) -> str:
        """Of what, where, and what was met."""
        span = f"{self.omega.min():.6g} to {self.omega.max():.6g} rad/s"
        met = f"{counted(len(self.limit_points), 'limit point')}, {int((~self.stable).sum())} unstable"
        return f"{self.label}, {counted(len(self.omega), 'motion')}, {span}, {met}"

    def told(self) -> Iterator[Table | str]:
        """A row for each motion, limit points, and what is to be known."""
        yield self.summary()
        flat = self.amplitude.reshape(len(self.omega), -1)
        rows = [
            (f"{w:.8g}", *(f"{one:.6g}" for one in row), "yes" if held else "no")
            for w, row, held in zip(self.omega, flat, self.stable, strict=True)
        ]
        yield Table(("omega rad/s", *self.names, "stable"), rows)
        if len(self.limit_points):
            yield f"Limit points: {', '.join(f'{one:.8g}' for one in self.limit_points)} rad/s"
        yield from self.notes

    def to_dataframe(self) -> Any:
        """A pandas table of the path: frequency, amplitudes, and whether it is stable."""
        flat = self.amplitude.reshape(len(self.omega), -1)
        columns = {"omega (rad/s)": self.omega, **dict(zip(self.names, flat.T, strict=True)), "stable": self.stable}
        return dataframe(columns, np.arange(len(self.omega)), "point")


def response_curve(
    equations: Any,
    load: Any,
    output: Any,
    between: Sequence[float],
    values: Mapping[str, Any] | None = None,
    harmonics: int | None = None,
    order: int | None = None,
) -> ResponseCurve:
    """Periodic motions under F cos(omega t), from between[0] in rad/s until the path leaves the range.

    `load`: {"F": amplitude}, or a name for a unit one; several act in phase. Outputs as for fx.frequency_response, one
    or a list. `harmonics` and `order` (of the polynomials along members) are raised until they no longer count, unless
    they are given.

    >>> fx.response_curve(equations, {"F": 0.3}, beam.end, (0.5, 2.0)).limit_points
    """
    equations = equations_of(equations)
    check_mesh(order, None)
    start, end = _range(between)
    shaken = Shaken.of(equations, _waves(equations, load), values)
    orders = (order,) if order is not None else ORDERS if equations.fields else ORDERS[:1]
    first, most, tolerance = (FIRST, MOST, _TOLERANCE) if harmonics is None else (_whole(harmonics), harmonics, np.inf)
    path, moved = _followed(shaken, orders, (start, end), first, most, tolerance, listed(output))
    return _told(shaken, path, output, moved, end)


def _followed(
    shaken: Shaken,
    orders: Sequence[int],
    between: tuple[float, float],
    first: int,
    most: int,
    tolerance: float,
    outputs: Sequence[Any],
) -> tuple[Path, float]:
    """The path in polynomials of the lowest degree that hold its largest motion, and what finer ones change of it."""
    for k, order in enumerate(orders):
        balance = shaken.balance(order, first)
        metric = inertia(balance)
        try:
            path = followed(balance, between, metric, tolerance, most)
        except NotSettled:
            raise FlexuraError(
                f"No periodic motion was found at {between[0]:.6g} rad/s",
                advice="begin farther from resonances, or give a smaller load",
            ) from None
        if k + 1 == len(orders):
            return path, 0.0
        moved = _moved(shaken, path, orders[k + 1], between, outputs)
        if moved <= _STAYS:
            break
    return path, moved


def _moved(shaken: Shaken, path: Path, order: int, between: tuple[float, float], outputs: Sequence[Any]) -> float:
    """How far finer polynomials move the largest motion and its outputs, across the path and beside their sizes."""
    sizes = [float(np.abs(point.x[1:]).max(initial=0.0)) for point in path.points]
    point = path.points[int(np.argmax(sizes))]
    balance = shaken.balance(order, point.balance.harmonics)
    assert point.along is not None
    along = Point(point.balance, point.along[:-1].reshape(point.x.shape), point.omega)
    lifted = Point(
        balance, carried(point, balance), point.omega, 0.0, np.append(carried(along, balance), point.along[-1])
    )
    follower = Follower(between, inertia(balance), np.inf, point.balance.harmonics)
    try:
        after = follower.ahead(lifted, 0.0)[0]
    except NotSettled:
        return np.inf
    away = np.append((after.x - lifted.x).ravel(), after.omega - lifted.omega)
    here, there = (shaken.outputs(one.balance, one.x, one.omega, outputs) for one in (point, after))
    sizes_of = np.maximum(np.ptp(there, axis=0), 1e-300)
    seen = float(np.max(np.ptp(there - here, axis=0) / sizes_of, initial=0.0))
    return max(seen, float(np.sqrt(follower.product(away, away, lifted))))


def _told(shaken: Shaken, path: Path, output: Any, moved: float, end: float) -> ResponseCurve:
    outputs = listed(output)
    seen = np.array([shaken.outputs(one.balance, one.x, one.omega, outputs) for one in path.points])
    waves = np.fft.rfft(seen, axis=1) / SAMPLES
    waves[:, 1:-1] *= 2
    fine = np.fft.irfft(np.fft.rfft(seen, axis=1), _FINE, axis=1) * (_FINE / SAMPLES)
    amplitude = (_peak(fine) + _peak(-fine)) / 2
    around = [multipliers(one.balance, one.x, one.omega) for one in path.points]
    error = max(moved, *(one.error for one in path.points))
    last = path.points[-1].omega
    notes = [] if path.complete else [f"The path could not be followed on to {end:.6g} rad/s; it ends at {last:.6g}."]
    if path.complete and last != end:
        notes.append(f"The path turned back and left the range at {last:.6g} rad/s, where it began.")
    if error > _NOTICED:
        notes.append(f"Harmonics and polynomials that were left out may change the motion by {error:.0e} of it.")
    for note in notes:
        warn(note)
    harmonics = waves.transpose(0, 2, 1)
    one = not several(output)
    return ResponseCurve(
        np.array([point.omega for point in path.points]),
        amplitude[:, 0] if one else amplitude,
        harmonics[:, 0] if one else harmonics,
        np.array([is_stable(some) for some in around]),
        np.array(around),
        np.array(path.limits),
        error,
        f"response curve of {', '.join(map(called, outputs))}",
        output_columns(shaken.equations, output, "amplitude of {}"),
        tuple(notes),
    )


def _peak(over: Array) -> Array:
    """The largest of smooth samples along the second axis: the top of the parabola through three of them."""
    at = np.argmax(over, axis=1)[:, None, :]
    count = over.shape[1]
    left, top, right = (np.take_along_axis(over, (at + k) % count, axis=1)[:, 0] for k in (-1, 0, 1))
    bend = left - 2 * top + right
    with np.errstate(divide="ignore", invalid="ignore"):
        more = np.where(bend < 0, -((right - left) ** 2) / (8 * bend), 0.0)
    return np.asarray(top + more)


def _waves(equations: Equations, load: Any) -> dict[str, Wave]:
    given = dict(load) if isinstance(load, Mapping) else {str(getattr(load, "name", load)): 1.0}
    moving = {symbol.name for f in equations.lagrangian.prescribed.values() for symbol in f.free_symbols}
    for name, amplitude in given.items():
        if (
            isinstance(amplitude, bool)
            or not isinstance(amplitude, int | float | np.number)
            or not np.isfinite(amplitude)
        ):
            raise FlexuraError(f"The load {name} is given by {amplitude!r}", advice="give its amplitude, a number")
        if name in moving:
            raise FlexuraError(
                f"{name} is a prescribed motion, and response curves are under loads",
                advice="ask fx.periodic_response at each frequency, or put the inertia forces in as loads",
            )
    return {name: Wave(np.array([0.0, complex(amplitude)])) for name, amplitude in given.items()}


def _range(between: Any) -> tuple[float, float]:
    try:
        start, end = (float(one) for one in between)
    except (TypeError, ValueError):
        start = end = 0.0
    if not (np.isfinite([start, end]).all() and start > 0 and end > 0 and start != end):
        raise FlexuraError(f"between is {between!r}", advice="give two different positive frequencies in rad/s")
    return start, end


def _whole(harmonics: Any) -> int:
    if isinstance(harmonics, bool) or not isinstance(harmonics, int | np.integer) or not 1 <= harmonics <= SAMPLES // 2:
        raise FlexuraError(f"harmonics is {harmonics!r}", advice=f"give a whole number from 1 to {SAMPLES // 2}")
    return int(harmonics)
