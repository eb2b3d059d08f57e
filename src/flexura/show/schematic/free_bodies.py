"""Free-body diagrams drawn: each body by itself, forces as arrows where they act, moments as round ones.

>>> fx.plot(fx.free_bodies(model), "free_bodies.svg")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from flexura.derivation.diagrams import FreeBodyDiagram, FreeBodyDiagrams, free_bodies
from flexura.derivation.equations.latex import tree_latex
from flexura.derivation.equations.steps import Step
from flexura.derivation.routes import derive
from flexura.errors import FlexuraError
from flexura.show.schematic import symbols
from flexura.show.schematic.drawing import drawn
from flexura.show.schematic.labels import formula_label, label, placed
from flexura.show.schematic.layout import Layout
from flexura.show.schematic.sheet import Array, Drawn, Label, Sheet, Stroke
from flexura.symbolic.kinematics.motion import Wrench

_GAP, _WIDE = 40.0, 620.0
_REACTION = "#2e7d32"
_MEETS = ("reaction", "cut", "boundary")
_RIGHT = np.array([1.0, 0.0])
_REACH = 60.0  # points of the page from a mass centre to its farthest point


def draw_free_bodies(diagrams: FreeBodyDiagrams, values: Mapping[str, Any] | None = None) -> Any:
    """All bodies and members in the reference configuration, in rows as wide as a page.

    Reactions, and N, V, M at ends of members, are green, other loads red.
    """
    return drawn(sheet_of(diagrams, values))


def draw_cut(step: Step) -> Any:
    """The free bodies of the step of a derivation that cuts them."""
    if not step.cuts:
        raise FlexuraError(
            f"Step {step.number}, {step.title}, has no picture", advice="the step that cuts bodies free has one"
        )
    return draw_free_bodies(free_bodies(derive(step.lagrangian)))


def draw_free_body(diagram: FreeBodyDiagram, values: Mapping[str, Any] | None = None) -> Any:
    """One body or member."""
    return drawn(sheet_of_one(diagram, values))


def sheet_of_one(diagram: FreeBodyDiagram, values: Mapping[str, Any] | None = None) -> Sheet:
    """The same as data."""
    return sheet_of(FreeBodyDiagrams((diagram,), (), diagram.energies), values)


def sheet_of(diagrams: FreeBodyDiagrams, values: Mapping[str, Any] | None = None) -> Sheet:
    """The same as data."""
    layout = Layout(derive(diagrams.energies), values)
    sheet, right, top, lowest = Sheet(), 0.0, 0.0, 0.0
    for diagram in diagrams:
        own = placed(_body(layout, diagram))
        low, high = own.bounds
        if right > 0 and right + float(high[0] - low[0]) > _WIDE:
            right, top = 0.0, lowest - _GAP
        shift = np.array([right - low[0], top - high[1]])
        sheet.things += [_moved(thing, shift) for thing in own.things]
        right += float(high[0] - low[0]) + _GAP
        lowest = min(lowest, float(top - high[1] + low[1]))
    sheet.notes += layout.notes
    return sheet


def _body(layout: Layout, diagram: FreeBodyDiagram) -> Sheet:
    """A block with arms to where loads act, or a member along its axis."""
    sheet = Sheet()
    centre = layout.vector(diagram.centre)
    line = _line(layout, diagram)
    at_points = [one for one in diagram.wrenches if not one.spine]
    seen = [layout.direction(layout.vector(one.point) - centre) for one in at_points]
    every = [*seen, *(layout.direction(point - centre) for point in line)]
    far = max((float(np.hypot(*way)) for way in every), default=0.0)
    scale = (_REACH if not len(line) else 2.5 * _REACH) / far if far > 1e-9 else 1.0
    points = [scale * way for way in seen]
    drawn_at: dict[tuple[Any, ...], int] = {}
    if len(line):
        curve = np.array([scale * layout.direction(point - centre) for point in line])
        width, colour, _ = symbols.MEMBERS.get(layout.lines[diagram.spines[0]].kind, (2.6, symbols.COORDINATE, False))
        middle = curve[len(curve) // 2]
        sheet.add(diagram.body, [Stroke(curve, colour, width, level=3)], label(diagram.body, middle, colour, False))
        for wrench in (one for one in diagram.wrenches if one.spine):
            _spread(sheet, layout, diagram, wrench, scale, drawn_at)
    else:
        arms = [stroke for point in points if np.hypot(*point) > 8 for stroke in symbols.arm(np.zeros(2), point)]
        sheet.add(diagram.body, [*arms, *symbols.block()], label(diagram.body, np.zeros(2), mathematics=False))
    for wrench, point in zip(at_points, points, strict=True):
        strokes, beside = _load(layout, wrench, point, drawn_at)
        if strokes:
            sheet.add(f"{diagram.body}.{wrench.name or wrench.kind}", strokes, _written(diagram, wrench, beside))
    return sheet


def _line(layout: Layout, diagram: FreeBodyDiagram) -> Array:
    """Points along the pieces of a member, in space; none of a body."""
    pieces = [_piece(layout, diagram, spine) for spine in diagram.spines]
    return np.concatenate(pieces) if pieces else np.zeros((0, 3))


def _piece(layout: Layout, diagram: FreeBodyDiagram, name: str) -> Array:
    spine = next(one for one in diagram.energies.spines if one.name == name)
    ends = layout.number(spine.start), layout.number(spine.end)
    return np.array([layout.vector(layout.lines[name].position, x) for x in np.linspace(*ends, 33)])


def _spread(
    sheet: Sheet,
    layout: Layout,
    diagram: FreeBodyDiagram,
    wrench: Wrench,
    scale: float,
    drawn_at: dict[tuple[Any, ...], int],
) -> None:
    """A load along a piece of a member: a comb of arrows, one comb behind the other."""
    way = layout.direction(layout.vector(wrench.force))
    if np.hypot(*way) < 1e-6:
        return
    along = way / np.hypot(*way)
    centre = layout.vector(diagram.centre)
    curve = np.array([scale * layout.direction(p - centre) for p in _piece(layout, diagram, wrench.spine)])
    key = ("spread", wrench.spine, *np.round(along, 2))
    drawn_at[key] = drawn_at.get(key, -1) + 1
    feet = curve - (5 + 26 * drawn_at[key]) * along
    tails = feet[len(feet) // 2] - 24 * along
    name = f"{diagram.body}.{wrench.name or wrench.kind}"
    sheet.add(name, symbols.comb(feet, along), _written(diagram, wrench, tails))


def _load(
    layout: Layout, wrench: Wrench, at: Array, drawn_at: dict[tuple[Any, ...], int]
) -> tuple[list[Stroke], Array]:
    """An arrow for a force, a round one for a moment; several at one point stand beside each other."""
    colour = _REACTION if wrench.kind in _MEETS else symbols.LOAD
    sign = -1.0 if wrench.kind in _MEETS and str(wrench.amount).startswith("-") else 1.0
    force, couple = (sign * layout.vector(part) for part in (wrench.force, wrench.couple))
    way = layout.direction(force)
    if np.hypot(*way) > 1e-6:
        along = way / np.hypot(*way)
        key = (*np.round(at, 2), *np.round(along, 2))
        drawn_at[key] = drawn_at.get(key, -1) + 1
        start = at + 7 * along + 11 * drawn_at[key] * np.array([-along[1], along[0]])
        return [one.moved(start, along) for one in symbols.sense(34.0, colour)], start + 34 * along
    if np.linalg.norm(force) > 1e-9:
        key = ("facing", *np.round(at, 2))
        drawn_at[key] = drawn_at.get(key, -1) + 1
        beside = at + (13.0 + 13.0 * drawn_at[key]) * np.array([0.7, -0.7])
        return [one.moved(beside, _RIGHT) for one in symbols.facing(colour, bool(force[2] < 0))], beside
    if np.linalg.norm(couple) < 1e-9:
        return [], at
    about = layout.direction(couple)
    if np.hypot(*about) < (0.05 if layout.spatial else abs(couple[2])):  # about an axis that leaves the page
        key = ("turn", *np.round(at, 2))
        drawn_at[key] = drawn_at.get(key, -1) + 1
        radius = 14.0 + 6 * drawn_at[key]
        turned = symbols.turning(radius, colour, clockwise=couple[2] < 0)
        return [one.moved(at, _RIGHT) for one in turned], at + np.array([0.0, radius])
    along = about / np.hypot(*about)
    return [one.moved(at + 6 * along, along) for one in symbols.double_arrow(30.0, colour)], at + 36 * along


def _written(diagram: FreeBodyDiagram, wrench: Wrench, at: Array) -> Label:
    """A reaction by its name, another load by its amount where that is short."""
    colour = _REACTION if wrench.kind in _MEETS else symbols.LOAD
    if wrench.kind in ("reaction", "boundary"):
        return label(wrench.name, at, colour)
    latex = tree_latex(wrench.amount, diagram.energies)
    return formula_label(latex, at, colour, wrench.name or wrench.kind)


def _moved(thing: Drawn, shift: Array) -> Drawn:
    strokes = tuple(stroke.moved(shift, _RIGHT) for stroke in thing.strokes)
    labels = tuple(one.moved(shift) for one in thing.labels)
    return Drawn(thing.name, strokes, labels)
