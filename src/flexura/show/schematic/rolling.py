"""Wheels where they roll, and gears between the joints that they tie.

>>> wheel_strokes(layout, wheel), gear_strokes(layout, mesh)
"""

from __future__ import annotations

import numpy as np

from flexura.show.schematic import symbols
from flexura.show.schematic.labels import label
from flexura.show.schematic.layout import Layout
from flexura.show.schematic.sheet import Array, Label, Stroke
from flexura.symbolic.kinematics.geometry import Mesh, Wheel

_ANGLES = np.linspace(0, 2 * np.pi, 49)
_NEAR, _LONE = 25.0, 18.0  # points between joints that are one place, and the radius of a gear there


def wheel_strokes(layout: Layout, wheel: Wheel) -> list[Stroke]:
    """The rim, a spoke that shows its turn, and the surface that it touches."""
    part = wheel.at.part
    rim = np.array([layout.page(point, part) for point in layout.rim(wheel)])
    centre, contact = (layout.page(point, part) for point in layout.touching(wheel))
    down = contact - centre
    long = float(np.hypot(*down))
    spoke = [Stroke(np.stack([centre, rim[0]]), symbols.LINE, 0.9, level=3)]
    if long < 1e-6:
        return [*symbols.rim(rim), *spoke]
    along = np.array([-down[1], down[0]]) / long
    ground = [one.moved(contact, along) for one in symbols.hatch((-24, 0), (24, 0), 8)] if wheel.on == "ground" else []
    return [*symbols.rim(rim), *spoke, *ground]


def gear_strokes(layout: Layout, mesh: Mesh) -> tuple[list[Stroke], Label]:
    """Pitch circles that touch where they turn against each other, a belt where they turn alike; else a line."""
    places = [layout.at(anchor) for anchor in (mesh.p, mesh.q)]
    p, q = (
        layout.page(place if place is not None else np.zeros(3), anchor.part)
        for place, anchor in zip(places, (mesh.p, mesh.q), strict=True)
    )
    ratio = layout.number(mesh.ratio)
    apart = float(np.hypot(*(q - p)))
    name = label(f"{ratio:.3g} : 1", (p + q) / 2, "#8c6d00", mathematics=False)
    if not all(mesh.turns) or apart < _NEAR:
        return (symbols.tie(p, q) if apart > 0 else symbols.pitch(_circle(p, _LONE))), name
    room = apart if ratio < 0 else min(0.6 * apart, 4 * _LONE)
    share = 1 / (1 + abs(ratio))  # |turn of the first| is ratio times that of the second, so its radius is the inverse
    radii = (room * share, room * (1 - share))
    circles = [*symbols.pitch(_circle(p, radii[0])), *symbols.pitch(_circle(q, radii[1]))]
    return [*circles, *(symbols.belt(p, q, radii) if ratio > 0 else [])], name


def _circle(centre: Array, radius: float) -> Array:
    return np.asarray(centre + radius * np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1))
