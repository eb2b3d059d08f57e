"""A mode in space: where members and bodies are, how they move, and where the mode does not move. Numbers only.

>>> scene = Scene(Positions(equations, values), shape)
>>> scene.lines[0].rest, scene.lines[0].moved, scene.lines[0].nodes
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.exact.shapes import Shape
from flexura.solve.runs.positions import DrawnPart, Positions

Array = NDArray[np.float64]
_POINTS = 121
_SMALL = 1e-6


@dataclass(frozen=True)
class SceneLine:
    """A member, or a piece of one: points at rest, displacement, and places along it where nothing moves.

    `across`: what moves along or about the axis is drawn across it.
    """

    name: str
    rest: Array
    moved: NDArray[Any]
    nodes: Array
    across: bool


@dataclass(frozen=True)
class SceneBody:
    """A body's mass centre at rest, and its displacement."""

    name: str
    rest: Array
    moved: NDArray[Any]


@dataclass(frozen=True)
class DrawnSupport:
    """Where ground holds something, and how."""

    kind: str
    at: Array


class Scene:
    """Everything a picture of one mode draws; displacements are complex where the mode is."""

    def __init__(self, positions: Positions, shape: Shape) -> None:
        """The shape is turned in phase so that its real part is the largest."""
        self.positions, self.shape = positions, shape
        drawn = positions.drawing(_POINTS)
        phase = self._phase(drawn)
        self.lines = tuple(self._line(one, phase) for one in drawn if one.kind == "member")
        self.bodies = tuple(
            SceneBody(one.name, one.point({}), one.point.displacement(shape) * phase)
            for one in drawn
            if one.kind == "body"
        )
        self.supports = tuple(self._supports())

    def _phase(self, drawn: tuple[DrawnPart, ...]) -> complex:
        every = [np.ravel(one.point.displacement(self.shape)) for one in drawn]
        total = complex(np.sum(np.concatenate(every) ** 2)) if every else 0j
        return complex(np.exp(-0.5j * np.angle(total))) if total else 1.0

    def _line(self, drawn: DrawnPart, phase: complex) -> SceneLine:
        rest = drawn.point({})
        axis = (rest[-1] - rest[0]) / np.linalg.norm(rest[-1] - rest[0])
        moved = drawn.point.displacement(self.shape) * phase
        along = moved @ axis
        sideways = moved - along[:, None] * axis
        across = bool(np.abs(sideways).max() <= _SMALL * max(np.abs(along).max(), 1e-300))
        if across:
            value = along if np.abs(along).max() > 0 else self._twist(drawn, phase)
            sideways = value[:, None] * _across(axis)
        shown = sideways if across else moved
        main = np.real(sideways) @ _main_direction(np.real(sideways))
        return SceneLine(drawn.name, rest, shown, _nodes(main, np.real(shown), rest), across)

    def _twist(self, drawn: DrawnPart, phase: complex) -> NDArray[Any]:
        """A shaft's rotation, which displaces nothing."""
        x, name = drawn.point.x, next(
            one.spine for one in self.positions.geometry.parts if one.name == drawn.name and one.spine
        )  # fmt: skip
        return np.asarray(self.shape.fields[name](x)) * phase

    def _supports(self) -> Any:
        for join in self.positions.joins:
            sides = (join.p, join.q)
            if not any(side.part == "ground" for side in sides) or join.kind in ("Spring", "Damper"):
                continue
            other = next((one for one in sides if one.part != "ground"), None)
            if other is None:
                continue
            try:
                yield DrawnSupport(join.kind, np.asarray(self.positions.anchored(other)({})))
            except FlexuraError:
                continue

    @property
    def moving(self) -> tuple[SceneLine | SceneBody, ...]:
        """Members, then bodies."""
        return (*self.lines, *self.bodies)

    @property
    def size(self) -> float:
        """The largest extent at rest."""
        points = self.points
        return float(np.ptp(points, axis=0).max()) if len(points) else 0.0

    @property
    def points(self) -> Array:
        """All points at rest."""
        found = [*(one.rest for one in self.lines), *(one.rest[None, :] for one in self.bodies)]
        return np.concatenate(found) if found else np.zeros((0, 3))

    @property
    def largest(self) -> float:
        """The largest displacement."""
        return max((float(np.abs(one.moved).max()) for one in self.moving), default=0.0)


def _across(axis: Array) -> Array:
    """A direction across the axis, in the plane if it lies there."""
    flat = np.array([-axis[1], axis[0], 0.0])
    return flat / np.linalg.norm(flat) if np.linalg.norm(flat) > _SMALL else np.array([1.0, 0.0, 0.0])


def _main_direction(moved: Array) -> Array:
    _, _, directions = np.linalg.svd(moved, full_matrices=False)
    return np.asarray(directions[0])


def _nodes(main: Array, moved: Array, rest: Array) -> Array:
    """Where the displacement changes sign inside the line and nothing moves along it either, by interpolation."""
    size, last = np.linalg.norm(moved, axis=1).max(), len(main) - 1
    found = []
    for i in range(last):
        a, b = main[i], main[i + 1]
        if a * b >= 0 or max(abs(a), abs(b)) <= 1e-9 * size:
            continue
        share = a / (a - b)
        still = np.linalg.norm(moved[i] + (moved[i + 1] - moved[i]) * share) <= 0.03 * size
        if still and 0.015 < (i + share) / last < 0.985:
            found.append(rest[i] + (rest[i + 1] - rest[i]) * share)
    return np.array(found).reshape(-1, 3)
