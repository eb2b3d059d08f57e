"""Answers over time, spectral densities and response curves: a line for each output and load.

>>> fx.plot(fx.step_response(equations, t, "F", beam.end), "step.png"), fx.plot(fx.random_response(...), "psd.png")
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.errors import FlexuraError
from flexura.show.plots.response import UNITS
from flexura.show.plots.style import COLOURS, figure, quiet
from flexura.solve.random_response import RandomResponse
from flexura.solve.response_curve import ResponseCurve
from flexura.solve.time_response import OverTime


def draw_over_time(response: OverTime) -> Any:
    """The columns over t."""
    if response.t is None:
        raise FlexuraError("A part of a response has no times of its own", advice="draw the whole")
    return _drawn(response.t, np.asarray(response), response.names, "t in s", response.label)


def draw_densities(response: RandomResponse) -> Any:
    """The spectral densities over omega, logarithmic where none of them is zero everywhere."""
    made = _drawn(response.omega, response.psd, response.names, "frequency in rad/s", "spectral density")
    if np.all(np.asarray(response.psd).reshape(len(response.omega), -1).max(axis=0) > 0):
        made.axes[0].set_yscale("log")
    return made


def draw_curve(curve: ResponseCurve, unit: str = "rad/s") -> Any:
    """Amplitudes over the frequency in "rad/s" or "Hz": lines where the motion is stable, dashes where it is not."""
    if unit not in UNITS:
        raise FlexuraError(f"unit is {unit!r}", advice=f"use one of {', '.join(UNITS)}")
    made = figure(6.4, 3.6)
    axes = made.subplots()
    over, columns = curve.omega / UNITS[unit], curve.amplitude.reshape(len(curve.omega), -1).T
    beside = curve.stable.copy()
    beside[:-1] |= curve.stable[1:]
    beside[1:] |= curve.stable[:-1]  # lines meet where it changes
    for i, (name, column) in enumerate(zip(curve.names, columns, strict=True)):
        colour = COLOURS[i % len(COLOURS)]
        axes.plot(over, np.where(beside, column, np.nan), color=colour, linewidth=1.4, label=name)
        axes.plot(over, np.where(curve.stable, np.nan, column), color=colour, linewidth=1.2, linestyle="--")
    _named(axes, curve.names)
    axes.set_xlabel(f"frequency in {unit}")
    axes.set_title(curve.label, fontsize=10)
    return made


def _drawn(over: Any, values: Any, names: tuple[str, ...], label: str, title: str) -> Any:
    made = figure(6.4, 3.6)
    axes = made.subplots()
    order, columns = np.argsort(over, kind="stable"), np.reshape(values, (len(over), -1)).T
    for i, (name, column) in enumerate(zip(names, columns, strict=True)):
        axes.plot(over[order], column[order], color=COLOURS[i % len(COLOURS)], linewidth=1.4, label=name)
    _named(axes, names)
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(label)
    return made


def _named(axes: Any, names: tuple[str, ...]) -> None:
    if len(names) == 1:
        axes.set_ylabel(names[0])
    else:
        axes.legend(fontsize=9, frameon=False)
    quiet(axes)
