"""How fast places move along a run: velocities and accelerations, absolute or as another place sees them.

>>> Rates(outputs).history(fx.Motion(beam.end).t), run[fx.Motion(mass, relative_to=arm).tt]

They follow from the positions themselves by the product and the chain rule, with the rates and accelerations that the
equations of motion give; nothing is differenced.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.runs.positions import NODES, WEIGHTS, DrawnIn, Point, Positions
from flexura.solve.runs.section_turns import Series
from flexura.symbolic.engine import Basic
from flexura.symbolic.kinematics.vectors import Matrix
from flexura.symbolic.outputs import Motion

Array = NDArray[np.float64]


class Looked(Protocol):
    """What is asked of the outputs of a run."""

    @property
    def places(self) -> Positions:
        """Places, with prescribed coordinates by their names."""

    def tree(self, f: Basic, x: float) -> Array:
        """A tree along the run."""

    def rotation(self, place: Any) -> tuple[Matrix, str, float]:
        """The axes of a place as trees, its spine and x."""

    def section_axes(self, spine: str, x: float, rates: int = 2) -> Series:
        """How a section is turned in the axes of its member, and the rates of that."""

    def axes(self, place: Any, still: bool = False) -> Array:
        """The axes of a place."""

    def reference(self, place: Any) -> Array:
        """Where a place is in the reference configuration."""


class Rates:
    """Of one run."""

    def __init__(self, looked: Looked) -> None:
        self.looked = looked

    def history(self, output: Motion) -> Array:
        """The rate, or the acceleration, of a motion."""
        if output.about is not None:
            return self._turn(output)
        along = np.array([float(one) for one in output.along or ()])
        here, other = self._position(output.place), output.relative_to
        if other is None:
            return np.asarray(here[output.rate] @ along)
        away = [one - its for one, its in zip(here, self._position(other), strict=True)]
        seen = _product([np.swapaxes(one, 1, 2) for one in self._axes(other)], [one[..., None] for one in away])
        return np.asarray(seen[output.rate][..., 0] @ along)

    def _turn(self, output: Motion) -> Array:
        about = np.array([float(one) for one in output.about or ()])
        turned, still = self._axes(output.place), self.looked.axes(output.place, still=True)
        if output.relative_to is not None:
            back = [np.swapaxes(one, 1, 2) for one in self._axes(output.relative_to)]
            turned, still = _product(back, turned), self.looked.axes(output.relative_to, still=True).T @ still
        if np.abs(turned[0] @ still.T @ about - about).max(initial=0.0) > 1e-9:
            raise FlexuraError(
                f"The {output!r} is asked of what turns in space, where an angle has no one rate",
                advice="ask for the rates of the joint's coordinates",
            )
        spin = turned[output.rate] @ np.swapaxes(turned[0], 1, 2)  # of R'' R' the skew part counts
        return np.asarray((spin[:, [2, 0, 1], [1, 2, 0]] - spin[:, [1, 2, 0], [2, 0, 1]]) @ about / 2)

    # -- positions -------------------------------------------------------------------------------------------------

    def _position(self, place: Any) -> Series:
        positions = self.looked.places
        anchor = positions.anchor(place)
        if anchor.everywhere or anchor.part == "ground":
            rest = self.looked.reference(place) if not anchor.everywhere else np.zeros(3)
            return [rest[None], np.zeros((1, 3)), np.zeros((1, 3))]
        point = positions.anchored(anchor)
        x = 0.0 if point.x is None else float(point.x)
        found = self._vector(point.trees, x)
        for one in point.drawn:
            found = [a + b for a, b in zip(found, self._drawn(one, point, x), strict=True)]
        return found

    def _vector(self, trees: Sequence[Basic], x: float) -> Series:
        return [np.column_stack([self.looked.tree(f, x) for f in row]) for row in self._differentiated(trees)]

    def _differentiated(self, trees: Sequence[Basic]) -> list[list[Basic]]:
        jets, rows = self.looked.places.energies.jets, [list(trees)]
        for _ in range(2):
            rows.append([jets.D_t(f) for f in rows[-1]])
        return rows

    def _drawn(self, drawn: DrawnIn, point: Point, x: float) -> Series:
        """What bending draws in: an amount, integrated along the member, times a direction."""
        held, far = drawn.span
        to = x if point.spine == drawn.bend.spine and point.x is not None else far
        amounts: Series = []
        for f, *_ in self._differentiated(drawn.squared.trees):
            values = [w * self.looked.tree(f, held + (to - held) * s) for s, w in zip(NODES, WEIGHTS, strict=True)]
            amounts.append(np.sum(values, axis=0)[:, None, None] * abs(to - held) / 2)
        direction = [-drawn.bend.outward * one[..., None] for one in self._vector(drawn.axis.trees, 0.0)]
        return [one[..., 0] for one in _product(direction, amounts)]

    # -- axes ------------------------------------------------------------------------------------------------------

    def _axes(self, place: Any) -> Series:
        """The axes of what a place lies on, (times, 3, 3)."""
        rotation, spine, x = self.looked.rotation(place)
        rows = [self._vector(row, x) for row in rotation]
        frame = [np.stack([row[k] for row in rows], axis=1) for k in range(3)]
        if not spine:
            return frame
        return _product(frame, self.looked.section_axes(spine, x))


def _product(a: Series, b: Series) -> Series:
    """Of two functions of time, matrices: Leibniz."""
    return [a[0] @ b[0], a[1] @ b[0] + a[0] @ b[1], a[2] @ b[0] + 2 * (a[1] @ b[1]) + a[0] @ b[2]]
