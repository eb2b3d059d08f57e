"""Answers over time and spectral densities: a line for each output and load.

>>> fx.plot(fx.step_response(equations, t, "F", beam.end), "step.png"), fx.plot(fx.random_response(...), "psd.png")
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.errors import FlexuraError
from flexura.show.plots.style import COLOURS, figure, quiet
from flexura.solve.random_response import RandomResponse
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


def _drawn(over: Any, values: Any, names: tuple[str, ...], label: str, title: str) -> Any:
    made = figure(6.4, 3.6)
    axes = made.subplots()
    order, columns = np.argsort(over, kind="stable"), np.reshape(values, (len(over), -1)).T
    for i, (name, column) in enumerate(zip(names, columns, strict=True)):
        axes.plot(over[order], column[order], color=COLOURS[i % len(COLOURS)], linewidth=1.4, label=name)
    if len(names) == 1:
        axes.set_ylabel(names[0])
    else:
        axes.legend(fontsize=9, frameon=False)
    quiet(axes)
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(label)
    return made
