"""The Campbell chart: frequencies over a parameter, instability marked, excitation orders as rays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from flexura.show.plots.style import BAD, COLOURS, REFERENCE, figure, quiet
from flexura.solve.campbell import Campbell


def draw_campbell(chart: Campbell, orders: Iterable[float] | None = None) -> Any:
    """`orders` are the multiples of a speed to draw; the first, if the parameter is one."""
    made = figure(6.4, 4.4)
    axes = made.add_subplot()
    quiet(axes)
    for k in range(chart.eigenvalues.shape[1]):
        colour = COLOURS[k % len(COLOURS)]
        axes.plot(chart.values, chart.frequencies[:, k], color=colour, linewidth=1.6, marker=".", markersize=3.5)
        there = np.flatnonzero(np.isfinite(chart.frequencies[:, k]))
        last = there[-1] if len(there) else -1
        axes.annotate(
            f"{k + 1}", (chart.values[last], chart.frequencies[last, k]), xytext=(5, 0), textcoords="offset points",
            color=colour, va="center", fontsize=9,
        )  # fmt: skip
    bad = chart.unstable
    if bad.any():
        x = np.broadcast_to(chart.values[:, None], bad.shape)[bad]
        axes.plot(x, chart.frequencies[bad], "o", markerfacecolor="none", color=BAD, markersize=6, label="unstable")
        axes.legend(frameon=False, loc="best")
    top = 1.05 * float(chart.frequencies[np.isfinite(chart.frequencies)].max(initial=1e-12))
    for order in ((1.0,) if chart.speed else ()) if orders is None else orders:
        _ray(axes, chart, float(order), top)
    axes.set_ylim(0, top)
    axes.set_xlim(float(chart.values.min()), float(chart.values.max()) if np.ptp(chart.values) else None)
    axes.set_xlabel(f"{chart.parameter} in rad/s" if chart.speed else chart.parameter)
    axes.set_ylabel("frequency in rad/s")
    return made


def _ray(axes: Any, chart: Campbell, order: float, top: float) -> None:
    ends = np.array([chart.values.min(), chart.values.max()])
    axes.plot(ends, order * ends, color=REFERENCE, linestyle=(0, (5, 3)), linewidth=0.9, zorder=1)
    last = min(float(ends[1]), top / order) if order > 0 else float(ends[1])
    axes.annotate(
        f"{order:g}×", (last, order * last), xytext=(-6, 3), textcoords="offset points", ha="right", va="bottom",
        color="#666666", fontsize=8,
    )  # fmt: skip
