"""Dimensions, where they are asked for: the length of each member, and of each arm of a body.

>>> fx.plot(model, "model.svg", dimensions=True)
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flexura.derivation.equations.latex import tree_latex
from flexura.show.schematic.labels import formula_label
from flexura.show.schematic.layout import Layout
from flexura.show.schematic.sheet import Array, Label, Stroke
from flexura.symbolic.engine import Basic
from flexura.symbolic.kinematics.vectors import Vector

_COLOUR = "#777777"
_ASIDE, _BEYOND, _LEAST = 26.0, 4.0, 20.0  # points of the page: from a part, beyond the line, worth a dimension


def dimensions(layout: Layout) -> Iterator[tuple[str, list[Stroke], Label]]:
    """A name for each, its strokes, and what is written at it: the length as it was given, and its number."""
    for member in layout.energies.members:
        pieces = [layout.energies.spine_of(one) for one in layout.energies.members[member]]
        curve = layout.page(layout.curve(member), member)
        whole = (pieces[-1].end - pieces[0].start).expand()
        yield from _between(layout, member, curve[0], curve[-1], whole, layout.number(whole))
    ends = dict.fromkeys(end for join in layout.geometry.joins for end in (join.p, join.q))
    for number, end in enumerate(end for end in ends if end.part in layout.bodies):
        place, centre = layout.at(end), layout.centre_of(end.part)
        if place is not None:
            tips = layout.page(centre, end.part), layout.page(place, end.part)
            length = float(np.linalg.norm(place - centre))
            yield from _between(layout, f"{end.part}-{number}", *tips, _arm(end.point), length)


def _arm(offset: Vector) -> Basic | None:
    """How long an arm is, where it lies along one axis."""
    parts = [one for one in offset if one != 0]
    if len(parts) != 1:
        return None
    return -parts[0] if str(parts[0]).startswith("-") else parts[0]


def _between(
    layout: Layout, name: str, start: Array, end: Array, tree: Basic | None, length: float
) -> Iterator[tuple[str, list[Stroke], Label]]:
    written = _written(layout, tree, length)
    along = end - start
    long = float(np.hypot(*along))
    if long < _LEAST or not written:
        return
    aside = np.array([along[1], -along[0]]) / long
    aside = aside if aside[1] < -1e-9 or (abs(aside[1]) <= 1e-9 and aside[0] > 0) else -aside
    a, b = start + _ASIDE * aside, end + _ASIDE * aside
    middle = (a + b) / 2
    strokes = [Stroke(np.stack([middle, tip]), _COLOUR, 0.7, head=True) for tip in (a, b)]
    strokes += [
        Stroke(np.stack([foot + 5.0 * aside, foot + (_ASIDE + _BEYOND) * aside]), _COLOUR, 0.5) for foot in (start, end)
    ]
    yield f"dimension-{name}", strokes, formula_label(written, middle, _COLOUR, f"{length:.4g} m")


def _written(layout: Layout, tree: Basic | None, length: float) -> str:
    """The length as it was given and its number; without the number where that is nobody's, nothing without both."""
    latex = tree_latex(tree, layout.energies) if tree is not None and tree.free_symbols else ""
    if tree is not None and layout.lacks(tree):
        return latex
    if tree is None and layout.nominal:
        return ""
    number = rf"{length:.4g}\,\mathrm{{m}}"
    return f"{latex} = {number}" if latex else number
