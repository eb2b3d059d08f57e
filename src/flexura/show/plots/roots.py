"""The root map: eigenvalues in the complex plane, those that grow in red; and their locus over a parameter."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.show.plots.style import BAD, COLOURS, figure, quiet
from flexura.solve.campbell import Campbell


def draw_roots(eigenvalues: Any) -> Any:
    """Both of each conjugate pair are shown; numbers are those of the list."""
    s = np.asarray(eigenvalues, dtype=np.complex128).ravel()
    made, axes = _plane()
    scale = float(np.abs(s).max(initial=0.0)) or 1.0
    grows = s.real > 1e-9 * scale
    for which, colour, name in ((~grows, COLOURS[0], "stable"), (grows, BAD, "unstable")):
        if which.any():
            both = np.concatenate([s[which], s[which].conj()])
            axes.plot(both.real, both.imag, "x", color=colour, markersize=7, markeredgewidth=1.6, label=name)
    for k, one in enumerate(s):
        axes.annotate(
            str(k + 1), (one.real, one.imag), xytext=(6, 4), textcoords="offset points", fontsize=8, color="#444444"
        )
    _limits(axes, s, bool(grows.any()))
    if grows.any():
        axes.legend(frameon=False, loc="best")
    return made


def draw_locus(chart: Campbell) -> Any:
    """Each branch over the parameter, from x to o, with its conjugate; where it grows in red."""
    made, axes = _plane()
    for k, branch in enumerate(chart.eigenvalues.T):
        colour, there = COLOURS[k % len(COLOURS)], np.flatnonzero(np.isfinite(branch))
        if not len(there):
            continue
        for s in (branch, branch.conj()):
            axes.plot(s.real, s.imag, color=colour, linewidth=1.4, marker=".", markersize=3)
            bad = chart.unstable[:, k]
            axes.plot(s.real[bad], s.imag[bad], "o", markerfacecolor="none", color=BAD, markersize=6)
            for i, mark in ((there[0], "x"), (there[-1], "o")):
                axes.plot(s.real[i], s.imag[i], mark, color=colour, markersize=7, markeredgewidth=1.6, fillstyle="none")
        first = branch[there[0]]
        axes.annotate(
            str(k + 1), (first.real, first.imag), xytext=(6, 4), textcoords="offset points", fontsize=8, color=colour
        )
    s = chart.eigenvalues[np.isfinite(chart.eigenvalues)]
    _limits(axes, s, bool(np.any(chart.unstable)))
    low, high = (f"{one:g}" for one in (chart.values[0], chart.values[-1]))
    axes.set_title(f"{chart.parameter} from {low} (×) to {high} (○)", fontsize=9)
    return made


def _plane() -> tuple[Any, Any]:
    made = figure(5.2, 5.2)
    axes = made.add_subplot()
    quiet(axes)
    axes.axhline(0, color="#888888", linewidth=0.8)
    axes.axvline(0, color="#888888", linewidth=0.8)
    return made, axes


def _limits(axes: Any, s: Any, grows: bool) -> None:
    scale = float(np.abs(s).max(initial=0.0)) or 1.0
    wide = max(float(np.abs(s.real).max(initial=0.0)), 0.02 * scale)
    axes.set_xlim(-1.25 * wide, 1.25 * wide if grows else 0.5 * wide)
    axes.set_ylim(-1.12 * scale, 1.12 * scale)
    axes.set_xlabel("Re s in 1/s")
    axes.set_ylabel("Im s in rad/s")
