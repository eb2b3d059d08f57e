"""The root map: eigenvalues in the complex plane, those that grow in red."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.show.plots.style import BAD, COLOURS, figure, quiet


def draw_roots(eigenvalues: Any) -> Any:
    """Both of each conjugate pair are shown; numbers are those of the list."""
    s = np.asarray(eigenvalues, dtype=np.complex128).ravel()
    made = figure(5.2, 5.2)
    axes = made.add_subplot()
    quiet(axes)
    axes.axhline(0, color="#888888", linewidth=0.8)
    axes.axvline(0, color="#888888", linewidth=0.8)
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
    wide = max(float(np.abs(s.real).max(initial=0.0)), 0.02 * scale)
    axes.set_xlim(-1.25 * wide, 1.25 * wide if grows.any() else 0.5 * wide)
    axes.set_ylim(-1.12 * scale, 1.12 * scale)
    axes.set_xlabel("Re s in 1/s")
    axes.set_ylabel("Im s in rad/s")
    if grows.any():
        axes.legend(frameon=False, loc="best")
    return made
