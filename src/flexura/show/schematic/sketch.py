"""What a model is drawn with: each part, joint, load and coordinate in its place.

>>> sheet = sketch(equations, {"l": 2.0})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.latex import tree_latex
from flexura.show.schematic import symbols
from flexura.show.schematic.dimensions import dimensions as lengths
from flexura.show.schematic.labels import formula_label, label, placed
from flexura.show.schematic.layout import APART, Layout
from flexura.show.schematic.rolling import gear_strokes, wheel_strokes
from flexura.show.schematic.sheet import Array, Label, Sheet, Stroke
from flexura.symbolic.kinematics.geometry import Join, Mark
from flexura.symbolic.quantities import text_or_expression

_LINKS: dict[str, Callable[..., list[Stroke]]] = {
    "Spring": symbols.spring,
    "Damper": symbols.damper,
    "Stop": symbols.stop,
    "Friction": symbols.friction,
}
_SPIRALS = {"TorsionSpring": False, "TorsionDamper": True}
_BALLS = ("Spherical", "Universal")
_ALONG, _ACROSS = ("Slide", "Roller", "Cylindrical"), ("Planar",)  # ways on which joints let their places part
MANY, CROWDED = 150, 300
"""Parts beyond which coordinates, and beyond which names, are left out: nobody could read them."""
LOADS = frozenset(("force", "torque", "line load", "gravity"))
MARKS = LOADS | {"translation", "rotation"}
_UP, _RIGHT = np.array([0.0, 1.0]), np.array([1.0, 0.0])


def sketch(equations: Equations, values: Mapping[str, Any] | None = None, dimensions: bool = False) -> Sheet:
    """The schematic as data, every label in its place; `dimensions` adds the lengths of members and arms."""
    return placed(Sketch(Layout(equations, values), measured=dimensions).sheet())


class Sketch:
    """One schematic; of a state that was found, `kinds` of marks says which are drawn."""

    def __init__(self, layout: Layout, kinds: frozenset[str] = MARKS, measured: bool = False) -> None:
        """With coordinates and loads, or some of them; with dimensions, if it is measured."""
        self.layout, self.kinds, self.measured = layout, kinds, measured
        self.page = Sheet()
        self.named = True
        self.beside: Counter[tuple[Any, ...]] = Counter()
        self.links: list[tuple[Array, Array]] = []  # where springs end, and which way they leave

    def sheet(self) -> Sheet:
        """Everything, from what lies below to what lies above; of very many parts no coordinates, then no names."""
        layout = self.layout
        self._leave_out()
        for level, name in enumerate(layout.far_to_near()):
            near = level / (1 + len(layout.bodies) + len(layout.energies.members)) if layout.spatial else 0.0
            (self._body if name in layout.bodies else self._member)(name, near)
        for number, join in enumerate(layout.geometry.joins):
            if join.kind != "Rolling":  # its wheel stands on ground of its own
                self._join(join, f"{join.kind}-{number}")
        for number, wheel in enumerate(layout.geometry.wheels):
            self.page.add(f"wheel-{number}", wheel_strokes(layout, wheel))
        for number, mesh in enumerate(layout.geometry.meshes):
            self.page.add(f"gear-{number}", *gear_strokes(layout, mesh))
        for name, strokes, written in lengths(layout) if self.measured else ():
            self.page.add(name, strokes, written)
        for mark in layout.geometry.marks:
            if mark.kind in self.kinds:
                self._mark(mark)
        self._axes()
        self.page.notes += layout.notes
        return self.page

    def _leave_out(self) -> None:
        """What a page has no room for, counted and said."""
        parts = len(self.layout.energies.members) + len(self.layout.bodies)
        senses = sum(mark.kind in self.kinds - LOADS for mark in self.layout.geometry.marks)
        self.named = parts <= CROWDED
        if parts > MANY and senses:
            self.kinds = self.kinds & LOADS
            self.page.notes.append(f"{senses} coordinates are left out")
        if not self.named:
            self.page.notes.append(f"the names of {parts} parts are left out")

    def _name(self, name: str, at: Array, colour: str = symbols.LINE) -> list[Label]:
        return [label(name, at, colour, mathematics=False)] if self.named else []

    # -- parts -----------------------------------------------------------------------------------------------------

    def _member(self, name: str, near: float) -> None:
        """`near`, from 0 to 1, lifts what lies before others; what it passes over ends at its border."""
        curve = self.layout.page(self.layout.curve(name), name)
        kind = next(line.kind for line, _, _ in self.layout.spines(name))
        width, colour, dashed = symbols.MEMBERS.get(kind, (2.6, symbols.COORDINATE, False))
        middle = curve[len(curve) // 2]
        stroke = Stroke(curve, colour, width, dashed=dashed, level=3 + near)
        border = [Stroke(curve, "white", width + 3.0, level=3 + near)] if self.layout.spatial else []
        self.page.add(name, [*border, stroke], *self._name(name, middle, colour))

    def _body(self, name: str, near: float) -> None:
        layout, body = self.layout, self.layout.bodies[name]
        centre = layout.page(layout.centre_of(name), name)
        places = [layout.at(end) for join in layout.geometry.joins for end in (join.p, join.q) if end.part == name]
        points = [layout.page(place, name) for place in places if place is not None]
        far = [point for point in points if np.hypot(*(point - centre)) > 10]
        shapes = {"Mass": symbols.particle, "Node": symbols.node}
        shape = shapes[body.kind]() if body.kind in shapes else symbols.block(6.0 if far else 8.0)
        strokes = [stroke for point in far for stroke in symbols.arm(centre, point)]
        strokes += [one.moved(centre, _RIGHT) for one in shape]
        if self.layout.spatial:
            strokes = [replace(one, level=3 + near) for one in strokes]
        self.page.add(name, strokes, *self._name(name, centre))

    # -- joins -----------------------------------------------------------------------------------------------------

    def _join(self, join: Join, name: str) -> None:
        layout = self.layout
        p, q = layout.ends(join)
        axis = layout.direction(layout.axes(join.p.part) @ layout.vector(join.axis))
        if join.kind in _SPIRALS:
            hinge = self._hinge(join, q)
            strokes = _at(symbols.spiral(_SPIRALS[join.kind]), hinge, _RIGHT)
            self.page.add(name, strokes, *self._caption(join, hinge))
        elif join.kind in _LINKS or join.name:
            self._link(join, name, p, q, axis)
        else:
            grounded = "ground" in (join.p.part, join.q.part)
            if grounded and join.kind == "Slide":
                p, q = layout.still.ends(join)  # rails stay where they are
            strokes = self._held(join, q if join.p.part == "ground" else p, axis, grounded)
            if self._open(join):
                strokes += [Stroke(np.stack([p, q]), "#888888", 0.9, dashed=True), *_at(symbols.pin(), q, _RIGHT)]
            self.page.add(name, strokes)

    def _open(self, join: Join) -> bool:
        """Whether the joint is part of a loop that is open where all coordinates are zero."""
        layout = self.layout
        p, q = layout.at(join.p), layout.at(join.q)
        if join.kind == "Free" or p is None or q is None:
            return False
        apart, axis = q - p, layout.axes(join.p.part) @ layout.vector(join.axis)
        if join.kind in _ALONG:
            apart = apart - axis * (axis @ apart) / max(float(axis @ axis), 1e-300)
        if join.kind in _ACROSS:
            apart = axis * (axis @ apart)
        return bool(np.hypot(*layout.direction(apart)) * layout.scale > 5)

    def _caption(self, join: Join, at: Array) -> list[Label]:
        """What is written beside a spring or damper: its constant or law as a formula, or its name."""
        if join.kind not in _LINKS and join.kind not in _SPIRALS:
            return [label(join.name, at, mathematics=False)]
        if not join.name or join.name.isidentifier():
            return [label(join.name, at)] if join.name else []
        latex = tree_latex(text_or_expression(join.name, what="a spring").engine, self.layout.energies)
        return [formula_label(latex, at, symbols.LINE, join.kind)]

    def _hinge(self, spring: Join, at: Array) -> Array:
        """Where the joint between the same two parts is, on which a torsion spring acts."""
        parts = {spring.p.part, spring.q.part}
        for join in self.layout.geometry.joins:
            if {join.p.part, join.q.part} == parts and join.kind not in _SPIRALS and join.kind not in _LINKS:
                p, q = self.layout.ends(join)
                return q if join.p.part == "ground" else p
        return at

    def _link(self, join: Join, name: str, p: Array, q: Array, axis: Array) -> None:
        """A spring or damper; where it starts and ends in one place it reaches to ground beside it."""
        layout = self.layout
        draw = _LINKS.get(join.kind, symbols.element)
        along = axis / np.hypot(*axis) if np.hypot(*axis) > 0.1 else _UP
        strokes: list[Stroke] = []
        first, last = layout.still.ends(join)
        if np.hypot(*(last - first)) < 15:
            if join.q.part == "ground":
                q = self._foot(first, along if join.kind != "Stop" else -along)
            else:  # a stop stands where q runs to
                p = self._foot(last, along if join.kind != "Stop" else -along) + p - first
        self.links += [(p, q - p), (q, p - q)]
        side = self._side(p, q)
        for end, other in ((join.p, p), (join.q, q)):
            if end.part == "ground":
                inward = (q if other is p else p) - other
                strokes += [one.moved(other, inward / np.hypot(*inward)) for one in symbols.wall()]
        strokes += draw(p, q, side)
        middle = (p + q) / 2 + side * _across(q - p)
        self.page.add(name, strokes, *self._caption(join, middle))

    def _foot(self, at: Array, along: Array) -> Array:
        """Where a spring to ground ends: behind what it holds, or before it where a body stands behind."""
        layout = self.layout.still
        bodies = [layout.page(layout.centre_of(name), name) for name in layout.bodies]
        for way in (-along, along):
            near = (np.hypot(*(body - at - share * APART * way)) for body in bodies for share in (0.5, 0.75, 1.0))
            if min(near, default=APART) > 16:
                return np.asarray(at + APART * way)
        return np.asarray(at - APART * along)

    def _side(self, p: Array, q: Array) -> float:
        """Where several stand between the same two points they stand beside one another."""
        key = tuple(np.round(np.sort(np.stack([p, q]), axis=0).ravel(), 3))
        count = self.beside[key]
        self.beside[key] += 1
        return 0.0 if count == 0 else 15.0 * ((count + 1) // 2) * (-1) ** (count + 1)

    def _held(self, join: Join, at: Array, axis: Array, grounded: bool) -> list[Stroke]:
        """The symbol of what holds two places together; an unknown kind is a hinge."""
        seen = float(np.hypot(*axis))
        along = axis / seen if seen > 0.1 else _RIGHT
        if join.kind == "Free":
            return []
        if join.kind == "Fixed":
            return _at(symbols.wall(), at, self._inward(join, at)) if grounded else _at(symbols.weld(), at, _RIGHT)
        if join.kind == "Slide":
            return _at(symbols.guide(grounded), at, along)
        if join.kind in _BALLS:
            return _at([*(self._base(join, at) if grounded else []), *symbols.ball()], at, _RIGHT)
        if join.kind == "Roller":
            facing = along if _across(along) @ self._inward(join, at) > -1e-9 else -along
            return _at(symbols.triangle(rollers=True), at, facing)
        if self.layout.spatial and seen > 0.1:
            return _at(symbols.turning_axis(), at, along)
        return _at([*(self._base(join, at) if grounded else []), *symbols.pin()], at, _RIGHT)

    def _base(self, join: Join, at: Array) -> list[Stroke]:
        """A triangle on ground below, or above where what it holds hangs down."""
        hangs = self._inward(join, at)[1] < -0.5
        return [one.moved(np.zeros(2), -_RIGHT if hangs else _RIGHT) for one in symbols.triangle()]

    def _inward(self, join: Join, at: Array) -> Array:
        """From a support into what it holds, as that lies at first: along a member, or up into a body."""
        held, layout = join.q if join.p.part == "ground" else join.p, self.layout.still
        if held.part in layout.energies.members:
            curve = layout.page(layout.curve(held.part), held.part)
            near = int(np.argmin(np.hypot(*(curve - at).T)))
            inner = (
                curve[min(max(near, 1), len(curve) - 2)] if 0 < near < len(curve) - 1 else curve[1 if near == 0 else -2]
            )
            way = inner - at
            return way / np.hypot(*way) if np.hypot(*way) > 1e-9 else _UP
        if held.part in layout.bodies:
            way = layout.page(layout.centre_of(held.part), held.part) - at
            return way / np.hypot(*way) if np.hypot(*way) > 10 else _UP
        return _UP

    # -- loads and coordinates -------------------------------------------------------------------------------------

    def _mark(self, mark: Mark) -> None:
        layout = self.layout
        if mark.kind == "gravity":
            return self._gravity(mark)
        axis = layout.axes(mark.of or "ground") @ layout.vector(mark.axis)
        seen = layout.direction(axis)
        if mark.kind == "line load":
            return self._line_load(mark, seen)
        place = layout.at(mark.at)
        at = layout.page(place if place is not None else np.zeros(3), mark.at.part)
        colour = symbols.LOAD if mark.kind in ("force", "torque") else symbols.COORDINATE
        if mark.kind in ("torque", "rotation"):
            strokes, beside = self._turn(at, axis, seen, colour)
        else:
            strokes, beside = self._arrow(mark, at, seen, colour)
        self.page.add(f"{mark.kind}-{mark.name}", strokes, label(mark.name, beside, colour))
        return None

    def _arrow(self, mark: Mark, at: Array, seen: Array, colour: str) -> tuple[list[Stroke], Array]:
        long = float(np.hypot(*seen))
        if long < 0.05:  # towards whoever looks at the page: a circle with its point
            ring = [
                Stroke(symbols.pin(5.0)[0].points, colour, 1.2, closed=True),
                *_at(symbols.weld(), np.zeros(2), _RIGHT),
            ]
            return _at(ring, at, _RIGHT), at
        along = seen / long
        if mark.kind == "force":
            here = [way for foot, way in self.links if np.hypot(*(at - foot)) < 3]
            pushed = any(_cosine(way, -along) > 0.8 for way in here)
            if pushed and any(_cosine(way, along) > 0.8 for way in here):
                at = at + 13 * _across(along)  # beside what stands on both sides
            tip = at + 40 * along if pushed else at - 4 * along  # a load pulls where a spring is in its way
            return _at(symbols.arrow(), tip, along), tip - (0 if pushed else 28) * along
        aside = _across(along) if abs(along[0]) > 0.7 else -_across(along)
        start = at + 17 * aside + 6 * along
        return _at(symbols.sense(), start, along), start + 24 * along

    def _turn(self, at: Array, axis: Array, seen: Array, colour: str) -> tuple[list[Stroke], Array]:
        long = float(np.hypot(*seen))
        about_page = abs(axis[2]) > 0.5 and not self.layout.spatial
        if about_page or long < 0.05:
            key = ("turn", *np.round(at, 3))
            radius = 15.0 + 5.0 * self.beside[key]
            self.beside[key] += 1
            return _at(symbols.turning(radius, colour, clockwise=axis[2] < 0), at, _RIGHT), at + radius * _UP
        along = seen / long
        start = at + 14 * _across(along)
        return _at(symbols.double_arrow(26.0, colour), start, along), start + 26 * along

    def _line_load(self, mark: Mark, seen: Array) -> None:
        curve = self.layout.page(self.layout.curve(mark.at.part), mark.at.part)
        long = float(np.hypot(*seen))
        along = seen / long if long > 0.05 else -_UP
        strokes = symbols.comb(curve - 4 * along, along)
        self.page.add(
            f"{mark.kind}-{mark.name}", strokes, label(mark.name, curve[len(curve) // 2] - 26 * along, symbols.LOAD)
        )

    def _gravity(self, mark: Mark) -> None:
        _, high = self.page.bounds
        seen = self.layout.direction(self.layout.vector(mark.axis))
        along = seen / max(float(np.hypot(*seen)), 1e-9)
        at = np.array([high[0] + 26, high[1]])
        self.page.add(
            "gravity", _at(symbols.arrow(30.0), at + 30 * along, along), label(mark.name, at + 15 * along, symbols.LOAD)
        )

    def _axes(self) -> None:
        low, _ = self.page.bounds
        corner = low + np.array([-4.0, -34.0])
        strokes, labels = [], []
        for axis, name in zip(np.eye(3), "xyz", strict=True):
            seen = self.layout.direction(axis)
            if np.hypot(*seen) > 0.05:
                strokes += [Stroke(np.stack([corner, corner + 22 * seen]), "#888888", 1.0, head=True)]
                labels.append(label(name, corner + 24 * seen, "#888888"))
        self.page.add("axes", strokes, *labels)


def _at(strokes: list[Stroke], origin: Array, along: Array) -> list[Stroke]:
    return [one.moved(origin, along) for one in strokes]


def _cosine(a: Array, b: Array) -> float:
    return float(a @ b / max(np.hypot(*a) * np.hypot(*b), 1e-300))


def _across(along: Array) -> Array:
    long = float(np.hypot(*along))
    return np.array([-along[1], along[0]]) / (long or 1.0)
