"""A run: coordinates and deflections over time, and the energy balance that proves it.

>>> fx.plot(run, "run.png"); fx.plot(run, names=["theta", "theta_t"]); fx.plot(run, at=[0.1, 0.2], trace="beam.end")
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from flexura.errors import FlexuraError
from flexura.show.plots.style import BAD, COLOURS, figure, number, quiet
from flexura.show.schematic.drawing import drawn
from flexura.show.schematic.states import run_sheet
from flexura.solve.steppers.trajectory import Trajectory

_MOST = 8


def draw_trajectory(
    run: Trajectory,
    names: Iterable[str] | str | None = None,
    at: float | Iterable[float] | None = None,
    magnification: float | None = None,
    trace: Any = (),
) -> Any:
    """Three panels: coordinates (or the histories of the given names), deflections of members, energies.

    `at` (times in s) draws the run on the schematic instead, with displacements times `magnification` and the paths of
    the places in `trace`.
    """
    if at is not None or magnification is not None or not _none(trace):
        return drawn(run_sheet(run, at, magnification, trace))
    panels = [(_given(run, names), "histories")] if names is not None else _usual(run)
    made = figure(6.4, 1.9 * (len(panels) + 1) + 0.5)
    every = made.subplots(len(panels) + 1, 1, sharex=True, squeeze=False)[:, 0]
    for axes, (curves, label) in zip(every, panels, strict=False):
        _curves(axes, run.t, curves, label)
    _energies(every[-1], run)
    every[-1].set_xlabel("t in s", fontsize=9)
    if not run.complete:
        every[0].set_title(_folded(run.message), fontsize=8, color=BAD, loc="left")
    return made


def _none(trace: Any) -> bool:
    return isinstance(trace, tuple | list) and not trace


def _given(run: Trajectory, names: Iterable[str] | str) -> dict[str, Any]:
    wanted = [names] if isinstance(names, str) else list(names)
    return {name: run[name] for name in wanted}


def _usual(run: Trajectory) -> list[tuple[dict[str, Any], str]]:
    """Coordinates of joints first, then deflections, which are far smaller: values at ends and in the middle."""
    motion = run.motion
    if motion is None:
        plain = [name for name in run if not name.endswith(("_t", "_tt"))]
        if not plain:
            raise FlexuraError("The trajectory holds no histories to draw.")
        return [({name: run[name] for name in plain[:_MOST]}, "displacements")]
    energies = motion.equations.lagrangian
    ends = {label: str(value) for label, value in energies.settled_boundary.items()}
    every = {name: run[name] for name in (*energies.coordinates, *energies.prescribed)}
    joints = {name: one for name, one in every.items() if name not in ends.values()}
    deflections = {name: one for name, one in every.items() if name not in joints}
    for name in energies.shown(energies.fields):
        one = motion.whole.fields[name]
        places = {"b": one.end, "": (one.start + one.end) / 2, "a": one.start}
        for side, x in places.items():
            if ends.get(f"{name}@{side}") not in every:  # else it is there by its own name
                deflections[f"{name}({number(x)})"] = motion.place(name, x)
    panels = [(_first(joints), "coordinates in m, rad"), (_first(_moving(deflections)), "deflections in m, rad")]
    return [one for one in panels if one[0]]


def _moving(curves: dict[str, Any]) -> dict[str, Any]:
    """Those that are not held where they are; all of them where nothing moves."""
    largest = max((np.ptp(one) for one in curves.values()), default=0.0)
    return {name: one for name, one in curves.items() if np.ptp(one) > 1e-9 * largest} or curves


def _first(curves: dict[str, Any]) -> dict[str, Any]:
    """The liveliest ones, so that the panel stays legible."""
    if len(curves) <= _MOST:
        return curves
    size = {name: float(np.ptp(one)) for name, one in curves.items()}
    kept = sorted(size, key=lambda name: -size[name])[:_MOST]
    return {name: one for name, one in curves.items() if name in kept}


def _curves(axes: Any, t: Any, curves: dict[str, Any], label: str) -> None:
    quiet(axes)
    for k, (name, values) in enumerate(curves.items()):
        axes.plot(t, values, color=COLOURS[k % len(COLOURS)], linewidth=1.3, label=name)
    axes.set_ylabel(label, fontsize=9)
    _legend(axes)


def _energies(axes: Any, run: Trajectory) -> None:
    quiet(axes)
    energy = run.energy
    rows = {
        "kinetic": (energy.kinetic, "-"),
        "potential": (energy.potential - energy.potential[0], "-"),
        "dissipated": (energy.dissipated, "-"),
        "supplied": (energy.supplied, (0, (4, 3))),  # a rigid motion holds as much, so that one line hides the other
    }
    for k, (name, (values, style)) in enumerate(rows.items()):
        if np.abs(values).max(initial=0.0) > 1e-12 * energy.scale:
            axes.plot(run.t, values, color=COLOURS[k], linewidth=1.3, linestyle=style, label=name)
    axes.set_ylabel("energies in J", fontsize=9)
    axes.set_title(f"energy balance closed to {energy.error:.0e} of the largest energy", fontsize=8, loc="right")
    _legend(axes)


def _legend(axes: Any) -> None:
    axes.tick_params(labelsize=8)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=7.5, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))


def _folded(text: str, width: int = 90) -> str:
    import textwrap

    return "\n".join(textwrap.wrap(text, width))
