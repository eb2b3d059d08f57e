"""Pictures of frames on moving bodies: the bars, bent if displacements are given, and the chart of whirl speeds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.show.plots.style import BAD, COLOURS, REFERENCE, figure, quiet
from flexura.solve.whirl import Whirl
from flexura.structures.moving.assembly import Constants
from flexura.structures.moving.batch import batches
from flexura.structures.moving.frame import BeamFrame

Array = NDArray[np.float64]


def draw_whirl(chart: Whirl, orders: Iterable[float] | None = None) -> Any:
    """Whirl speeds seen from ground over the speed, forward and backward told apart, and rays at multiples of it."""
    made = figure(6.4, 4.4)
    axes = made.add_subplot()
    quiet(axes)
    axes.plot(chart.speeds, chart.seen, color=REFERENCE, linewidth=0.8, zorder=1)
    speeds = np.broadcast_to(chart.speeds[:, None], chart.whirl.shape)
    kinds = (
        (chart.whirl > 0, {"marker": "^", "color": COLOURS[0], "label": "forward whirl"}),
        (chart.whirl <= 0, {"marker": "v", "color": COLOURS[1], "label": "backward whirl"}),
        (
            np.isnan(chart.whirl),
            {"marker": "o", "color": "#666666", "markerfacecolor": "none", "label": "others, in the turning frame"},
        ),
        (
            np.broadcast_to(~chart.stable[:, None], speeds.shape) & (chart.eigenvalues.real > 0),
            {"marker": "o", "color": BAD, "markerfacecolor": "none", "markersize": 9, "label": "unstable"},
        ),
    )
    for chosen, how in kinds:
        if chosen.any():
            axes.plot(speeds[chosen], chart.seen[chosen], linestyle="none", **({"markersize": 4.5} | how))
    ends = np.array([chart.speeds.min(), chart.speeds.max()])
    top = 1.05 * max(float(np.nanmax(chart.seen)), 1e-12)
    for order in (1.0,) if orders is None else orders:
        name = "whirl = speed" if order == 1 else f"whirl = {order:g} speeds"
        axes.plot(ends, order * ends, color="black", linestyle=(0, (5, 3)), linewidth=0.9, zorder=1, label=name)
    axes.set_ylim(0, top)
    axes.set_xlabel(f"speed about {chart.axis} in rad/s")
    axes.set_ylabel("whirl speed in rad/s")
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=9)
    return made


def draw_frame(frame: BeamFrame, displacement: Any = None, scale: float | None = None, view: str | None = None) -> Any:
    """The bars in the plane in which they are widest, or in `view` ("xy", "xz", "yz"); displacements (n,) bend them.

    `scale` magnifies displacements; by default the largest is a tenth of the frame.
    """
    lines = lines_of(frame, None)
    first, second = plane_of(frame, view)
    made = figure(6.4, 4.4)
    axes = made.add_subplot()
    quiet(axes)
    bent = displacement is not None
    for line in lines:
        axes.plot(
            line[:, first], line[:, second], color=REFERENCE if bent else COLOURS[0], linewidth=1.0 if bent else 1.8
        )
    if bent:
        scale = _draw_bent(axes, frame, displacement, scale, lines, (first, second))
    held, bodies = frame.nodes[frame.held.any(axis=1)], frame.nodes[[one.node for one in frame.masses]]
    axes.plot(held[:, first], held[:, second], "s", color="black", markersize=6, label="support" if len(held) else None)
    axes.plot(
        bodies[:, first], bodies[:, second], "o", color=COLOURS[1], markersize=8, label="body" if len(bodies) else None
    )
    axes.set_aspect("equal", adjustable="datalim")
    names = "xyz"
    axes.set_xlabel(f"{names[first]} in m")
    axes.set_ylabel(f"{names[second]} in m")
    if bent:
        axes.set_title(f"displacements times {scale:.3g}", fontsize=10)
    if len(held) or len(bodies):
        axes.legend(frameon=False, fontsize=9)
    return made


def _draw_bent(axes: Any, frame: BeamFrame, displacement: Any, scale: float | None, lines: Array, plane: Any) -> float:
    moved = lines_of(frame, np.asarray(displacement, dtype=np.float64)) - lines
    largest = float(np.abs(moved).max())
    if scale is None:
        scale = 0.1 * float(np.ptp(frame.nodes, axis=0).max()) / largest if largest else 1.0
    for line in lines + scale * moved:
        axes.plot(line[:, plane[0]], line[:, plane[1]], color=COLOURS[0], linewidth=1.8)
    return scale


def lines_of(frame: BeamFrame, displacement: Array | None) -> Array:
    """Points (elements, points, 3) along the bars, moved by the elements' own shape functions."""
    constants = Constants.of(frame)
    if displacement is not None and displacement.shape != (constants.pattern.n,):
        raise FlexuraError(
            f"The displacements have the shape {displacement.shape}",
            advice=f"give {constants.pattern.n} numbers, one for each free motion",
        )
    full = np.zeros(6 * len(frame.nodes)) if displacement is None else constants.pattern.T @ displacement
    ends = full.reshape(-1, 6)[frame.elements].reshape(-1, 12)
    parts = []
    for one in batches(frame):
        inside = one.lumps.position + np.einsum("epik,ek->epi", one.translation, ends[one.which])
        arms = frame.arms[one.which]
        tips = [
            frame.ends[one.which][:, k] + ends[one.which][:, 6 * k : 6 * k + 3]
            + np.cross(ends[one.which][:, 6 * k + 3 : 6 * k + 6], arms[:, k])
            for k in (0, 1)
        ]  # fmt: skip
        parts.append(np.concatenate([tips[0][:, None], inside, tips[1][:, None]], axis=1))
    return np.concatenate(parts)


def plane_of(frame: BeamFrame, view: str | None) -> tuple[int, int]:
    """The two axes of a view, or those along which the frame is widest."""
    if view is not None:
        if len(view) != 2 or not set(view) <= set("xyz"):
            raise FlexuraError(f"view is {view!r}", advice="say 'xy', 'xz' or 'yz'")
        return "xyz".index(view[0]), "xyz".index(view[1])
    wide = sorted(np.argsort(-np.ptp(frame.nodes, axis=0), kind="stable")[:2].tolist())
    return wide[0], wide[1]
