"""Random responses: what a stationary load of a given spectral density does, exactly at each frequency.

>>> found = fx.random_response(equations, 2.0, "F", beam.end, omega)
>>> found.psd, found.rms
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Measured, checked_methods
from flexura.derivation.routes import can_be_derived
from flexura.display import Displayed, Table
from flexura.errors import FlexuraError, warn
from flexura.solve.frequency_response import frequency_response
from flexura.solve.modes import modes
from flexura.solve.response import read_frequencies
from flexura.solve.transient import largest_share
from flexura.solve.units import output_columns
from flexura.systems.dataframes import dataframe, numbered
from flexura.systems.signals.signal import real_array

Array = NDArray[np.float64]
_POINTS = (24, 34)  # of Gauss in each panel: the answer, and what it is held against
_NOTICED = 1e-6
_MODES = 400
_UNDAMPED = 1e-10  # of a root: its real part, if there is none but rounding
_MISSED = 1e-2  # of the mean square, by which finer panels differ where it grows without end
_WIDTHS = 4.0 ** np.arange(-1, 9)  # panels about a resonance, in half-power widths


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class RandomResponse(Displayed):
    """`psd` of each output over `omega`, one-sided per rad/s, and `rms` over the band from the first to the last omega.

    `error` is what the integral may be off by, as a part of it.
    """

    omega: Array
    psd: Array
    rms: Any
    error: float
    label: str = ""
    columns: tuple[str, ...] = ()

    @property
    def is_drawn(self) -> bool:
        """Its densities."""
        return True

    @property
    def names(self) -> tuple[str, ...]:
        """What the columns are called."""
        count = int(np.prod(self.psd.shape[1:]))
        return self.columns if len(self.columns) == count else numbered("psd", count)

    def summary(self) -> str:
        """What it is of, its band and its rms."""
        rms = ", ".join(f"{one:.6g}" for one in np.ravel(self.rms)[:4])
        more = ", ..." if np.size(self.rms) > 4 else ""
        return f"{self.label or 'psd'}, {self.omega[0]:.6g} to {self.omega[-1]:.6g} rad/s, rms {rms}{more}"

    def told(self) -> Iterator[Table | str]:
        """Root mean squares, densities at every frequency, and what the integral may be off by."""
        yield Table(("", "rms"), [(one, f"{rms:.8g}") for one, rms in zip(self.names, np.ravel(self.rms), strict=True)])
        flat = self.psd.reshape(len(self.omega), -1)
        rows = [(f"{w:.8g}", *(f"{value:.8g}" for value in row)) for w, row in zip(self.omega, flat, strict=True)]
        yield Table(("omega rad/s", *self.names), rows)
        yield f"The mean square over the band may be off by {self.error:.1g} of it."

    def to_dataframe(self) -> Any:
        """A pandas table of the spectral densities over omega, with their units."""
        flat = self.psd.reshape(len(self.omega), -1)
        return dataframe(dict(zip(self.names, flat.T, strict=True)), self.omega, "omega (rad/s)")


def random_response(
    equations: Any,
    psd: Any,
    load: Any,
    output: Any,
    omega: Measured,
    values: Mapping[str, Any] | None = None,
) -> RandomResponse:
    """Spectral density and rms of outputs under one load with the one-sided density `psd`, in its units per rad/s.

    `psd` is a number (white noise in the band), a function of omega, or an array on omega (straight in between).
    `output` as for fx.frequency_response, one or a list. The rms is the root of the integral over the band of `omega`,
    done between the resonances with the exact response, not by sums over the given points.

    >>> fx.random_response(equations, lambda w: 1 / (1 + w**2), "F", beam.end, omega).rms
    """
    points = np.atleast_1d(read_frequencies(omega))
    if points.ndim != 1 or len(points) < 2 or np.any(np.diff(points) <= 0) or points[0] < 0:
        raise FlexuraError("omega is no band", advice="give at least two increasing frequencies in rad/s, 0 or more")
    density, kinks = _density(psd, points)

    def squared(w: Array) -> Array:
        found = np.abs(np.asarray(frequency_response(equations, w, load, output, values))) ** 2
        return np.asarray(found * density(w).reshape(-1, *(1,) * (found.ndim - 1)))

    seen = squared(points)
    edges, sharp = _edges(equations, values, points, kinks)
    coarse, fine = (_integral(squared, edges, count) for count in _POINTS)
    with np.errstate(invalid="ignore"):
        error = largest_share(np.atleast_1d(fine - coarse)[None], np.atleast_1d(fine)[None])
    if not np.all(np.isfinite(fine)) or (sharp and error > _MISSED):
        raise FlexuraError(
            "The mean square is infinite: an undamped resonance lies in the band", advice="give the system some damping"
        )
    if error > _NOTICED:
        warn(
            f"The mean square may be off by {error:.0e} of it: resonances are too sharp for the panels of its integral."
        )
    rms = np.sqrt(fine)
    columns = output_columns(equations, output, "psd of {}", "{}**2*s/rad")
    return RandomResponse(points, seen, float(rms) if rms.ndim == 0 else rms, error, f"psd of {output!r}", columns)


def _density(psd: Any, points: Array) -> tuple[Callable[[Array], Array], Array]:
    """The density as a function, and where it has kinks."""
    if callable(psd):

        def at(w: Array) -> Array:
            found = np.broadcast_to(np.asarray(psd(w), dtype=np.float64), w.shape)
            return _checked(found)

        return at, points[:0]
    given = real_array(psd, "psd", "give a number, a function of omega, or an array on omega")
    if given.ndim == 0:
        level = float(_checked(given[None])[0])
        return lambda w: np.full(w.shape, level), points[:0]
    if given.shape != points.shape:
        raise FlexuraError(
            f"psd has {given.size} values and omega {len(points)}", advice="give one density for each omega"
        )
    _checked(given)
    return lambda w: np.interp(w, points, given), points


def _checked(psd: Array) -> Array:
    if not np.all(np.isfinite(psd)) or np.any(psd < 0):
        raise FlexuraError(
            "psd holds values that are negative or not finite", advice="give a spectral density, which is 0 or more"
        )
    return psd


def _edges(equations: Any, values: Mapping[str, Any] | None, points: Array, kinks: Array) -> tuple[Array, bool]:
    """Panels that are narrow about resonances, as narrow as these are; whether one in the band is not damped."""
    low, high = float(points[0]), float(points[-1])
    given = values if can_be_derived(equations) else None
    count = 8
    found = modes(equations, count, given)
    while len(found.frequencies) == count < _MODES and found.frequencies[-1] < 1.5 * high:
        count *= 2
        found = modes(equations, count, given)
    edges = [np.array([low, high]), kinks]
    for s in found.eigenvalues:
        centre, width = abs(s.imag), max(abs(s.real), 1e-6 * abs(s))
        edges += [centre + width * _WIDTHS, centre - width * _WIDTHS, np.array([centre])]
    inside = np.unique(np.concatenate(edges))
    sharp = [s for s in found.eigenvalues if abs(s.real) <= _UNDAMPED * abs(s) and low <= abs(s.imag) <= high]
    return inside[(inside >= low) & (inside <= high)], bool(sharp)


def _integral(f: Callable[[Array], Array], edges: Array, count: int) -> Array:
    x, weights = np.polynomial.legendre.leggauss(count)
    half, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    w = (middle[:, None] + half[:, None] * x).ravel()
    scale = (half[:, None] * weights).ravel()
    found = f(w)
    return np.asarray(np.tensordot(scale, found, axes=(0, 0)))
