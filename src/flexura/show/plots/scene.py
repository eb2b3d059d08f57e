"""A mode in space: where members and bodies are, how they move, and where the mode does not move. Numbers only.

>>> scene = Scene(Positions(equations, values), shape)
>>> scene.lines[0].rest, scene.lines[0].moved, scene.lines[0].nodes
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.show.plots.keeping import carried_along, joined, kept
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
class SceneArm:
    """From a body's mass centre to a place on it where something is attached: both ends at rest, and how they move."""

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
        self.across = self._all_along(drawn)
        self.lines = tuple(self._line(one, phase) for one in drawn if one.kind == "member")
        self.bodies = tuple(
            SceneBody(one.name, one.point({}), self._sideways(one.point.displacement(shape) * phase))
            for one in drawn
            if one.kind == "body"
        )
        self.arms = tuple(self._arms(phase))
        self.supports = tuple(self._supports())

    def _phase(self, drawn: tuple[DrawnPart, ...]) -> complex:
        every = [np.ravel(one.point.displacement(self.shape)) for one in drawn]
        total = complex(np.sum(np.concatenate(every) ** 2)) if every else 0j
        return complex(np.exp(-0.5j * np.angle(total))) if total else 1.0

    def _all_along(self, drawn: tuple[DrawnPart, ...]) -> Array | None:
        """The one axis along which, or about which, everything moves and deforms; None where there is more to see.

        A picture that moved only some members across their axes would tear the others off; and what moves as a whole
        is drawn where it goes.
        """
        lines = [(one.point({}), one.point.displacement(self.shape)) for one in drawn if one.kind == "member"]
        if not lines:
            return None
        axis = (lines[0][0][-1] - lines[0][0][0]) / np.linalg.norm(lines[0][0][-1] - lines[0][0][0])
        others = [one.point.displacement(self.shape)[None, :] for one in drawn if one.kind == "body"]
        every = np.concatenate([*(moved for _, moved in lines), *others])
        size = np.abs(every).max()
        straight = all(np.linalg.norm(np.cross(rest[-1] - rest[0], axis)) <= _SMALL for rest, _ in lines)
        along = np.abs(every - np.outer(every @ axis, axis)).max() <= _SMALL * max(size, 1e-300)
        rigid = size > 0 and np.abs(every - every[0]).max() <= _SMALL * size
        return np.asarray(axis) if straight and along and not rigid else None

    def _sideways(self, moved: NDArray[Any]) -> NDArray[Any]:
        """What is along the axis is drawn across it, where everything is."""
        return moved if self.across is None else (moved @ self.across)[..., None] * _across(self.across)

    def _line(self, drawn: DrawnPart, phase: complex) -> SceneLine:
        rest, axis = drawn.point({}), self.across
        moved: NDArray[Any] = drawn.point.displacement(self.shape) * phase
        if axis is not None:
            value = moved @ axis if np.abs(moved).max() > 0 else self._twist(drawn, phase)
            moved = value[:, None] * _across(axis)
        own = (rest[-1] - rest[0]) / np.linalg.norm(rest[-1] - rest[0])
        sideways = np.real(moved) - np.outer(np.real(moved) @ own, own)
        main = sideways @ _main_direction(sideways)
        return SceneLine(drawn.name, rest, moved, _nodes(main, np.real(moved), rest), axis is not None)

    def _arms(self, phase: complex) -> Iterator[SceneArm]:
        """Each place of a body that something holds, once."""
        seen = set()
        centres = {one.name: one for one in self.bodies}
        for end in (end for join in self.positions.joins for end in (join.p, join.q)):
            if end.part not in centres or (end.part, end.point) in seen:
                continue
            seen.add((end.part, end.point))
            point, body = self.positions.anchored(end), centres[end.part]
            place = point({})
            if np.linalg.norm(place - body.rest) > 0:
                moved = self._sideways(point.displacement(self.shape) * phase)
                yield SceneArm(end.part, np.stack([body.rest, place]), np.stack([body.moved, moved]))

    def displaced(self, factor: float, part: Any = np.real) -> tuple[list[Array], list[Array], list[Array]]:
        """Lines, bodies and arms, their displacements magnified: ends that are joined stay so, lengths are kept."""
        long: list[SceneLine | SceneArm] = [*self.lines, *self.arms]
        ends = [(one.rest[[0, -1]], factor * part(one.moved)[[0, -1]]) for one in long]
        places = [*ends, *((one.rest[None, :], factor * part(one.moved)[None, :]) for one in self.bodies)]
        rest, moved = (np.concatenate([one[i] for one in places]) for i in (0, 1))
        size = max(float(np.ptp(rest, axis=0).max()), 1e-300)
        rows = joined(np.hstack([rest, moved]), size)
        first = np.unique(rows, return_index=True)[1]
        bars = rows[: 2 * len(ends)].reshape(-1, 2)[[_straight(one.moved) for one in long]]
        bars = np.unique(bars[bars[:, 0] != bars[:, 1]], axis=0)
        still = np.linalg.norm(moved[first], axis=1) <= 1e-9 * size
        at = rest[first] + moved[first] if self.across is not None else kept(rest[first], moved[first], bars, still)
        found = at[rows]
        lines = [
            carried_along(line.rest + factor * part(line.moved), found[2 * i], found[2 * i + 1])
            for i, line in enumerate(self.lines)
        ]
        arms = [found[2 * i : 2 * i + 2] for i in range(len(self.lines), len(ends))]
        return lines, [found[2 * len(ends) + i] for i in range(len(self.bodies))], arms

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


def _straight(moved: NDArray[Any]) -> bool:
    """Whether a piece does not bend: one that does bends away from its chord, whose length then says little."""
    between = moved[0] + np.linspace(0.0, 1.0, len(moved))[:, None] * (moved[-1] - moved[0])
    return bool(np.abs(moved - between).max() <= _SMALL * max(float(np.abs(moved).max()), 1e-300))


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
