"""Where labels go: beside what they name, never on one another, off the lines where there is room.

>>> placed(sheet)        # the same sheet, each label with its centre
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from flexura.derivation.equations.latex import LATEX
from flexura.show.lines import wide
from flexura.show.schematic.sheet import Array, Drawn, Label, Sheet

SIZE = 9.0
LONG = 22
"""Letters of a formula that fit beside what it names."""
_CLEAR = 3.0  # between a label and a line: half the width of the widest, and a gap
_GAP = 1.5
_ANGLES = np.deg2rad([90, 0, 270, 180, 45, 135, 315, 225, 67, 112, 22, 157, 247, 292, 202, 337])
_NEAR, _FAR, _STEP = 9.0, 400.0, 5.0

Box = tuple[float, float, float, float]


def label(text: str, at: Array, colour: str = "#222222", mathematics: bool = True) -> Label:
    """A name as mathematics (theta1 as a Greek letter with its index), other text as it is."""
    plain = not mathematics or not text.isidentifier()
    written = _escaped(text) if plain else f"${LATEX.name(text, 0)}$"
    return Label(written, at, _extent(written), colour, not plain)


def formula_label(latex: str, at: Array, colour: str, otherwise: str) -> Label:
    """A short formula; the name `otherwise` where it is long, or holds what a picture cannot set (cases, integrals)."""
    written = f"${latex.replace(chr(92) + 'mathit', chr(92) + 'mathrm')}$"
    if wide(latex) > LONG:
        return label(otherwise, at, colour)
    try:
        return Label(written, at, _extent(written), colour)
    except ValueError:  # Matplotlib sets a part of LaTeX
        return label(otherwise, at, colour)


def _escaped(text: str) -> str:
    """Matplotlib reads what stands between dollars; a name from a file is shown as it is."""
    return text.replace("\\", "\\\\").replace("$", r"\$")


@lru_cache(maxsize=512)
def _extent(text: str) -> tuple[float, float]:
    """Width and height as they are drawn: measured on the outlines of the letters, which no screen changes."""
    from matplotlib.textpath import TextPath

    box = TextPath((0, 0), text or " ", size=SIZE).get_extents()
    return (float(box.width) + 2, max(float(box.height), 0.6 * SIZE) + 2)


def placed(sheet: Sheet) -> Sheet:
    """Each label at the nearest spot that is free of labels and, if one is near, of lines."""
    lines = _segments(sheet)
    taken = np.zeros((0, 4))
    things = []
    for thing in sheet.things:
        labels = []
        for one in thing.labels:
            put = _put(one, taken, lines)
            taken = np.vstack([taken, put.box])
            labels.append(put)
        things.append(Drawn(thing.name, thing.strokes, tuple(labels)))
    return Sheet(things, sheet.notes)


def _put(one: Label, taken: Array, lines: Array) -> Label:
    fallback = None
    reach = _NEAR + 3 * _STEP
    near = _within(one, reach, lines, taken)
    for place in _around(one):
        far = float(np.hypot(*(place - one.at))) - np.hypot(*one.size)
        if far > reach:
            reach = 2 * far
            near = _within(one, reach, lines, taken)
        tried = replace(one, centre=place)
        if _overlaps(tried.box, near[1]):
            continue
        if not _crossed(tried.box, near[0]):
            return tried
        fallback = fallback or tried
        if np.hypot(*(place - one.at)) > 80 + one.size[0]:
            break  # nearer to what it names, across a line, is better than far away
    return fallback or one


def _around(one: Label) -> Iterator[Array]:
    wide, high = one.size
    for radius in np.arange(_NEAR, _FAR, _STEP):
        for angle in _ANGLES:
            c, s = np.cos(angle), np.sin(angle)
            yield one.at + radius * np.array([c, s]) + np.array([c * wide / 2, s * high / 2])


def _within(one: Label, reach: float, lines: Array, taken: Array) -> tuple[Array, Array]:
    """The lines and boxes that a label may meet as far out as this: most of a large picture is far away."""
    far = reach + 2 * float(np.hypot(*one.size)) + _CLEAR + _GAP
    low, high = one.at - far, one.at + far
    starts, ends = np.minimum(lines[:, :2], lines[:, 2:]), np.maximum(lines[:, :2], lines[:, 2:])
    meets = np.all(starts <= high, axis=1) & np.all(ends >= low, axis=1)
    boxes = np.all(taken[:, :2] <= high, axis=1) & np.all(taken[:, 2:] >= low, axis=1)
    return lines[meets], taken[boxes]


def _overlaps(box: Box, others: Array) -> bool:
    low, high = np.array(box[:2]), np.array(box[2:])
    return bool(np.any(np.all((low < others[:, 2:] + _GAP) & (others[:, :2] < high + _GAP), axis=1)))


def _segments(sheet: Sheet) -> Array:
    """All straight pieces, (n, 4)."""
    pieces = []
    for thing in sheet.things:
        for stroke in thing.strokes:
            points = np.concatenate([stroke.points, stroke.points[:1]]) if stroke.closed else stroke.points
            pieces.append(np.hstack([points[:-1], points[1:]]))
    return np.concatenate(pieces) if pieces else np.zeros((0, 4))


def _crossed(box: Box, lines: Array) -> bool:
    """Whether any piece meets the box (Liang and Barsky: the stretch inside all four borders)."""
    if not len(lines):
        return False
    box = (box[0] - _CLEAR, box[1] - _CLEAR, box[2] + _CLEAR, box[3] + _CLEAR)
    x, y, dx, dy = lines[:, 0], lines[:, 1], lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1]
    enter, leave = np.zeros(len(lines)), np.ones(len(lines))
    outside = np.zeros(len(lines), dtype=bool)
    for p, q in ((-dx, x - box[0]), (dx, box[2] - x), (-dy, y - box[1]), (dy, box[3] - y)):
        still = p == 0
        outside |= still & (q < 0)
        share = np.divide(q, p, out=np.zeros_like(q), where=~still)
        enter = np.where(p < 0, np.maximum(enter, share), enter)
        leave = np.where(p > 0, np.minimum(leave, share), leave)
    return bool(np.any(~outside & (enter <= leave)))
