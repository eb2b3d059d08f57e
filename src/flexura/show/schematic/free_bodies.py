"""Free-body diagrams drawn: each body by itself, forces as arrows where they act, moments as round ones.

>>> fx.plot(fx.free_bodies(model), "free_bodies.svg")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from flexura.derivation.diagrams import FreeBodyDiagram, FreeBodyDiagrams
from flexura.derivation.equations.latex import tree_latex
from flexura.derivation.routes import derive
from flexura.show.schematic import symbols
from flexura.show.schematic.drawing import drawn
from flexura.show.schematic.labels import formula_label, label, placed
from flexura.show.schematic.layout import Layout
from flexura.show.schematic.sheet import Array, Drawn, Label, Sheet, Stroke
from flexura.symbolic.kinematics.motion import Wrench

_GAP = 40.0
_REACTION = "#2e7d32"
_REACH = 60.0  # points of the page from a mass centre to its farthest point


def draw_free_bodies(diagrams: FreeBodyDiagrams, values: Mapping[str, Any] | None = None) -> Any:
    """All bodies side by side, in the reference configuration; reactions in green, other loads in red."""
    layout = Layout(derive(diagrams.energies), values)
    sheet, right = Sheet(), 0.0
    for diagram in diagrams:
        own = placed(_body(layout, diagram))
        low, high = own.bounds
        shift = np.array([right - low[0], 0.0])
        sheet.things += [_moved(thing, shift) for thing in own.things]
        right += float(high[0] - low[0]) + _GAP
    sheet.notes += layout.notes
    return drawn(sheet)


def _body(layout: Layout, diagram: FreeBodyDiagram) -> Sheet:
    sheet = Sheet()
    centre = layout.vector(diagram.centre)
    seen = [layout.direction(layout.vector(one.point) - centre) for one in diagram.wrenches]
    far = max((float(np.hypot(*way)) for way in seen), default=0.0)
    scale = _REACH / far if far > 1e-9 else 1.0
    points = [scale * way for way in seen]
    arms = [stroke for point in points if np.hypot(*point) > 8 for stroke in symbols.arm(np.zeros(2), point)]
    sheet.add(diagram.body, [*arms, *symbols.block()], label(diagram.body, np.zeros(2), mathematics=False))
    drawn_at: dict[tuple[Any, ...], int] = {}
    for wrench, point in zip(diagram.wrenches, points, strict=True):
        strokes, beside = _load(layout, wrench, point, drawn_at)
        if strokes:
            sheet.add(f"{diagram.body}.{wrench.name or wrench.kind}", strokes, _written(diagram, wrench, beside))
    return sheet


def _load(
    layout: Layout, wrench: Wrench, at: Array, drawn_at: dict[tuple[Any, ...], int]
) -> tuple[list[Stroke], Array]:
    """An arrow for a force, a round one for a moment; several at one point stand beside each other."""
    colour = _REACTION if wrench.kind in ("reaction", "cut") else symbols.LOAD
    sign = -1.0 if wrench.kind == "reaction" and str(wrench.amount).startswith("-") else 1.0
    force, couple = (sign * layout.vector(part) for part in (wrench.force, wrench.couple))
    way = layout.direction(force)
    if np.hypot(*way) > 1e-6:
        along = way / np.hypot(*way)
        key = (*np.round(at, 2), *np.round(along, 2))
        drawn_at[key] = drawn_at.get(key, -1) + 1
        start = at + 7 * along + 11 * drawn_at[key] * np.array([-along[1], along[0]])
        return [one.moved(start, along) for one in symbols.sense(34.0, colour)], start + 34 * along
    if np.linalg.norm(couple) < 1e-9:
        return [], at
    about = layout.direction(couple)
    if not layout.spatial or np.hypot(*about) < 0.05:
        key = ("turn", *np.round(at, 2))
        drawn_at[key] = drawn_at.get(key, -1) + 1
        radius = 14.0 + 6 * drawn_at[key]
        turned = symbols.turning(radius, colour, clockwise=couple[2] < 0)
        return [one.moved(at, np.array([1.0, 0.0])) for one in turned], at + np.array([0.0, radius])
    along = about / np.hypot(*about)
    return [one.moved(at + 6 * along, along) for one in symbols.double_arrow(30.0, colour)], at + 36 * along


def _written(diagram: FreeBodyDiagram, wrench: Wrench, at: Array) -> Label:
    """A reaction by its name, another load by its amount where that is short."""
    colour = _REACTION if wrench.kind in ("reaction", "cut") else symbols.LOAD
    if wrench.kind == "reaction":
        return label(wrench.name, at, colour)
    latex = tree_latex(wrench.amount, diagram.energies)
    return formula_label(latex, at, colour, wrench.name or wrench.kind)


def _moved(thing: Drawn, shift: Array) -> Drawn:
    strokes = tuple(stroke.moved(shift, np.array([1.0, 0.0])) for stroke in thing.strokes)
    labels = tuple(one.moved(shift) for one in thing.labels)
    return Drawn(thing.name, strokes, labels)
