"""A rotor drawn as a rotor: its shaft to scale, discs by their inertia, bearings, supports and the axis.

>>> fx.plot(rotor, "rotor.svg")
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.show.plots.style import COLOURS, REFERENCE, figure, quiet
from flexura.structures.moving.rotor import AXES, Rotor

_MIDDLE = np.array([0.5])


def draw_rotor(rotor: Rotor) -> Any:
    """Seen from the side; a round section of the same A and I is drawn, and a disc of the same m and I."""
    from matplotlib.patches import Polygon, Rectangle

    frame, axis = rotor.frame, AXES[rotor.axis]
    made = figure(7.2, 3.2)
    axes = made.add_subplot()
    quiet(axes)
    along = frame.nodes[:, axis]
    length = max(float(np.ptp(along)), 1e-300)
    A, second = (np.asarray(frame.properties(name, _MIDDLE))[:, 0] for name in ("A", "Iy"))
    radii = 2 * np.sqrt(second / A)
    for (first, last), radius in zip(frame.elements.tolist(), np.broadcast_to(radii, len(frame.elements)), strict=True):
        start, end = sorted((along[first], along[last]))
        shape = Rectangle((start, -radius), end - start, 2 * radius, facecolor="#dddddd", edgecolor=REFERENCE)
        axes.add_patch(shape)
    thick, reach = 0.025 * length, float(radii.max())
    for body in frame.masses:
        polar = float(body.inertia[axis, axis])
        radius = float(np.sqrt(2 * polar / body.mass)) if body.mass > 0 and polar > 0 else 1.6 * float(radii.max())
        place = along[body.node] + body.centre[axis]
        shape = Rectangle((place - thick / 2, -radius), thick, 2 * radius, facecolor=COLOURS[0], alpha=0.8)
        axes.add_patch(shape)
        reach = max(reach, radius)
    size = 0.03 * length
    for node in rotor.bearings:
        radius = float(radii.max())
        for side in (1, -1):
            foot = side * (radius + 1.6 * size)
            corners = [(along[node], side * radius), (along[node] - size, foot), (along[node] + size, foot)]
            axes.add_patch(Polygon(corners, closed=True, facecolor="none", edgecolor="black"))
            axes.plot([along[node] - 1.5 * size, along[node] + 1.5 * size], [foot, foot], color="black", linewidth=1.4)
        axes.annotate(f"{node}", (along[node], -radius - 2.2 * size), ha="center", va="top", fontsize=9)
        reach = max(reach, radius + 3.5 * size)
    ends = np.array([along.min(), along.max()]) + np.array([-0.06, 0.06]) * length
    axes.plot(ends, [0, 0], color="black", linewidth=0.7, linestyle=(0, (12, 3, 2, 3)))
    axes.set_xlim(*ends)
    axes.set_ylim(-1.1 * reach, 1.1 * reach)
    axes.set_aspect("equal", adjustable="box")
    axes.set_xlabel(f"{rotor.axis} in m")
    axes.set_ylabel("across in m")
    return made
