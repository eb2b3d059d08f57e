"""How a linear system changes with a parameter, seen by two shapes: the derivative of y' (K + s C + s^2 M) x.

Every line is held to fixed places between its ends (x = a + xi (b - a)), so lengths may depend on the parameter; where
the end values of a field change in its coordinates, a Hermite polynomial carries the change inside. Integrals are taken
with the exact shapes at Gauss points.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.solve.exact.lines import Line, LinearSystem
from flexura.solve.exact.shapes import Shape

Array = NDArray[np.float64]
Complex = NDArray[Any]  # real where shapes are
_GAUSS = 16


@dataclass(frozen=True)
class LinePiece:
    """A line between two places where a property changes over: its ends, and C[power, tested, tried, point]."""

    ends: Array
    C: Array


@dataclass(frozen=True)
class Sample:
    """All numbers of a system: what is not spread, g = N z, and for each line its ends and pieces."""

    rigid: Array
    N: Array
    ends: tuple[Array, ...]
    pieces: tuple[tuple[LinePiece, ...], ...]


def grid(cells: int) -> tuple[Array, Array]:
    """Points and weights on 0..1: Gauss points in each of so many cells."""
    x, w = np.polynomial.legendre.leggauss(_GAUSS)
    places = (np.arange(cells)[:, None] + (x + 1) / 2).ravel() / cells
    return places, np.tile(w / 2, cells) / cells


def sample(system: LinearSystem, xi: Array) -> Sample:
    """The numbers of a system at fixed places of its lines."""
    lines = system.lines
    pieces = tuple(_pieces(line, xi) for line in lines)
    return Sample(system.rigid, system.independent, tuple(line.ends for line in lines), pieces)


def _pieces(line: Line, xi: Array) -> tuple[LinePiece, ...]:
    nodes, n = [line.start, *line.breaks, line.end], len(line.slots)
    found = []
    for a, b in pairwise(nodes):
        C = np.zeros((3, n, n, len(xi)))
        for (power, i, j), values in line.coefficients(a + xi * (b - a)).items():
            C[power, i, j] = values
        found.append(LinePiece(np.array([a, b]), C))
    return tuple(found)


class Forms:
    """y' (K, C, M) x of a system, and the derivatives of these three numbers by a parameter."""

    def __init__(self, system: LinearSystem, cells: int) -> None:
        """`cells` to integrate over, in each line."""
        self.system = system
        self.xi, self.weights = grid(cells)
        self.sample = sample(system, self.xi)

    def shape(self, shape: Shape) -> _SeenShape:
        """What a shape has at the Gauss points."""
        return _SeenShape(self, shape)

    def values(self, y: _SeenShape, x: _SeenShape) -> Complex:
        """y' K x, y' C x, y' M x."""
        total = np.array([y.g @ R @ x.g for R in self.sample.rigid])
        for i, pieces in enumerate(self.sample.pieces):
            for k, piece in enumerate(pieces):
                h = piece.ends[1] - piece.ends[0]
                total = total + h * self._sum(piece.C, y.slots[i][k], x.slots[i][k])
        return np.asarray(total)

    def slopes(self, y: _SeenShape, x: _SeenShape, by: Sample) -> Complex:
        """The derivatives of `values`, at fixed z and xi."""
        dx = x.change(by)
        dy = dx if y is x else y.change(by)
        R = self.sample.rigid
        total = np.array([y.g @ by.rigid[p] @ x.g + dy.g @ R[p] @ x.g + y.g @ R[p] @ dx.g for p in range(3)])
        for i, line in enumerate(self.system.lines):
            k_of = np.array([max(0, which) if field >= 0 else 0 for field, which in line.slots])
            for k, piece in enumerate(self.sample.pieces[i]):
                h, dh = (float(one.ends[1] - one.ends[0]) for one in (piece, by.pieces[i][k]))
                stretch = (dh / h) * (1 - k_of[:, None] - k_of[None, :])
                C = by.pieces[i][k].C + piece.C * stretch[None, :, :, None]
                Y, X = y.slots[i][k], x.slots[i][k]
                total = total + h * self._sum(C, Y, X)
                total = total + h * (self._sum(piece.C, dy.slots[i][k], X) + self._sum(piece.C, Y, dx.slots[i][k]))
        return np.asarray(total)

    def _sum(self, C: Array, Y: Complex, X: Complex) -> Complex:
        return np.asarray((C * (Y[:, None] * X[None])).sum(axis=(1, 2)) @ self.weights)


class _SeenShape:
    """A shape in numbers: generalized coordinates g, and its slots at the Gauss points of each piece."""

    def __init__(self, forms: Forms, shape: Shape) -> None:
        self.forms, self.shape = forms, shape
        self._ends: dict[tuple[str, float], Any] = {}
        self._change: tuple[Sample, _ShapeChange] | None = None
        self.g = np.array([_value(name, shape) for name in forms.system.names])
        self.slots = [
            [self._line(line, piece.ends[0] + forms.xi * (piece.ends[1] - piece.ends[0])) for piece in pieces]
            for line, pieces in zip(forms.system.lines, forms.sample.pieces, strict=True)
        ]

    def _line(self, line: Line, x: Array) -> Complex:
        rows = [
            self.shape.fields[line.fields[field]](x, which) if field >= 0 else np.full(x.shape, self.g[which])
            for field, which in line.slots
        ]
        return np.array(rows).reshape(len(line.slots), len(x))

    def slope(self, name: str, x: float) -> Any:
        """A field's slope at a place, whichever parameter asks."""
        if (name, x) not in self._ends:
            self._ends[name, x] = self.shape.fields[name](x, 1)
        return self._ends[name, x]

    def change(self, by: Sample) -> _ShapeChange:
        """How its numbers change; the last one is kept, since every pair of a group asks for it."""
        if self._change is None or self._change[0] is not by:
            self._change = by, _ShapeChange(self.forms, self, by)
        return self._change[1]


def _value(name: str, shape: Shape) -> Any:
    """A generalized coordinate: a coordinate of the system, or an end value that nothing sets ("w_x@b")."""
    if name in shape.coordinates:
        return shape.coordinates[name]
    label, _, end = name.partition("@")
    derivative = 0 if label in shape.fields else 1
    field = shape.fields[label if derivative == 0 else label.removesuffix("_x")]
    return field(field.span[end == "b"], derivative)


class _ShapeChange:
    """How a shape's numbers change with the parameter if z and the field at each xi stay, as its ends allow."""

    def __init__(self, forms: Forms, seen: _SeenShape, by: Sample) -> None:
        N = forms.sample.N
        z = np.linalg.lstsq(N, seen.g, rcond=None)[0] if N.size else np.zeros(0)
        self.g = by.N @ z
        self.slots: list[list[Complex]] = []
        for i, line in enumerate(forms.system.lines):
            ends = by.ends[i] @ seen.g + forms.sample.ends[i] @ self.g
            half, last = len(ends) // 2, len(forms.sample.pieces[i]) - 1
            rows = []
            for k, piece in enumerate(forms.sample.pieces[i]):
                sides = (ends[:half] if k == 0 else 0 * ends[:half], ends[half:] if k == last else 0 * ends[half:])
                rows.append(self._piece(line, forms, seen, piece, by.pieces[i][k], sides))
            self.slots.append(rows)

    def _piece(
        self,
        line: Line,
        forms: Forms,
        seen: _SeenShape,
        piece: LinePiece,
        by: LinePiece,
        sides: tuple[Complex, Complex],
    ) -> Complex:
        h, dh = (float(one.ends[1] - one.ends[0]) for one in (piece, by))
        fields: dict[int, Mapping[int, Complex]] = {}
        first = 0
        for index, (name, order) in enumerate(zip(line.fields, line.orders, strict=True)):
            given = np.array([side[first : first + order] for side in sides])
            if order == 2:  # the slope at fixed xi grows with the length
                grown = [dh / h * seen.slope(name, float(x)) for x in piece.ends]
                given = given + np.outer(grown, [0.0, 1.0])
            fields[index] = _hermite(given, order, h, forms.xi)
            first += order
        zero = np.zeros(len(forms.xi))
        rows = [
            fields[field].get(which, zero) if field >= 0 else np.full(len(forms.xi), self.g[which])
            for field, which in line.slots
        ]
        return np.array(rows).reshape(len(line.slots), len(forms.xi))


def _hermite(given: Complex, order: int, h: float, xi: Array) -> dict[int, Complex]:
    """The polynomial with these values (and slopes) at both ends: its derivatives 0 to `order` at the places xi."""
    if order == 0:
        return {}
    if order == 1:
        (a,), (b,) = given
        return {0: a + (b - a) * xi, 1: np.full(len(xi), (b - a) / h)}
    (a, m), (b, n) = given[0], given[1]
    t, m, n = xi, m * h, n * h
    return {
        0: a + m * t + (3 * (b - a) - 2 * m - n) * t**2 + (2 * (a - b) + m + n) * t**3,
        1: (m + 2 * (3 * (b - a) - 2 * m - n) * t + 3 * (2 * (a - b) + m + n) * t**2) / h,
        2: (2 * (3 * (b - a) - 2 * m - n) + 6 * (2 * (a - b) + m + n) * t) / h**2,
    }
