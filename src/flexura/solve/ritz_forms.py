"""K, C and M of a linear system in polynomials along its lines, and their derivatives by parameters: no discretisation.

    >>> forms = RitzForms(system, order=12)
    >>> forms.matrices, forms.change(SlopeReader(energies, numbers, "EI").sample(system, forms.xi))

Unknowns are the independent coordinates, then amplitudes of polynomials inside each field that vanish at its ends.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray

from flexura.solve.exact.asked import HarmonicLoad
from flexura.solve.exact.lines import POWERS, LinearSystem
from flexura.solve.slopes import Sample, grid, sample

Array = NDArray[np.float64]
_HIGHEST = 2  # derivatives that fields keep at their ends
_CELLS = 3  # of sixteen Gauss points each


def fit(system: LinearSystem) -> bool:
    """Whether all lines are smooth ones, and no condition holds rates."""
    return not system.multipliers and all(
        not line.breaks and max(line.orders, default=0) <= _HIGHEST for line in system.lines
    )


def unknowns(system: LinearSystem, order: int) -> int:
    """How many there are, with polynomials of that degree."""
    inside = sum(max(order + 1 - 2 * one, 0) for line in system.lines for one in line.orders)
    return int(system.independent.shape[1]) + inside


class RitzForms:
    """Everything quadratic about a system, in numbers."""

    def __init__(self, system: LinearSystem, order: int) -> None:
        """`order` is the degree of the polynomials; of a system without lines it means nothing."""
        self.system, self.order = system, order
        self.xi, self.weights = grid(_CELLS)
        self.sample = sample(system, self.xi)
        self.m = system.independent.shape[1]
        self._first: list[int] = [self.m]
        for line in system.lines:
            self._first.append(self._first[-1] + sum(self._inside(order) for order in line.orders))
        self.n = self._first[-1]
        self.tables = [self._slots(i, self.xi) for i in range(len(system.lines))]
        self.matrices = self._whole(system.rigid, [pieces[0].C for pieces in self.sample.pieces])

    def _inside(self, order: int) -> int:
        return max(self.order + 1 - 2 * order, 0)

    def over_unknowns(self, rows: Array) -> Array:
        """Rows over the coordinates as rows over the unknowns."""
        return np.hstack([rows @ self.system.independent, np.zeros((len(rows), self.n - self.m))])

    def _slots(self, which: int, xi: Array) -> Array:
        """What each slot of a line is at places 0..1: (slots, points, unknowns)."""
        line = self.system.lines[which]
        rows = [self._field(which, *slot, xi) if slot[0] >= 0 else self._coordinate(slot[1], xi) for slot in line.slots]
        return np.array(rows).reshape(len(rows), len(xi), self.n)

    def _coordinate(self, coordinate: int, xi: Array) -> Array:
        row = self.over_unknowns(np.eye(len(self.system.names))[[coordinate]])
        return np.repeat(row, len(xi), axis=0)

    def _field(self, which: int, field: int, derivative: int, xi: Array) -> Array:
        """A field, or a derivative of it along x: (points, unknowns)."""
        line = self.system.lines[which]
        order, first, half = line.orders[field], sum(line.orders[:field]), line.end_values
        inside = self._inside(order)
        table = _functions(order, inside, line.end - line.start, xi, derivative)
        ends = self.over_unknowns(line.ends[[*range(first, first + order), *range(half + first, half + first + order)]])
        found = table[: 2 * order].T @ ends
        start = self._first[which] + sum(self._inside(one) for one in line.orders[:field])
        found[:, start : start + inside] += table[2 * order :].T
        return np.asarray(found)

    def values(self, which: int, x: float) -> Array:
        """The values that a line would have at an end, at x inside it: (values, unknowns)."""
        line = self.system.lines[which]
        xi = np.array([(x - line.start) / (line.end - line.start)])
        rows = [self._field(which, f, k, xi)[0] for f, order in enumerate(line.orders) for k in range(order)]
        return np.array(rows).reshape(len(rows), self.n)

    def fields(self, which: int, x: float) -> Array:
        """All fields of a line at x."""
        line = self.system.lines[which]
        xi = np.array([(x - line.start) / (line.end - line.start)])
        return np.array([self._field(which, f, 0, xi)[0] for f in range(len(line.fields))])

    def loaded(self, load: HarmonicLoad) -> Array:
        """Generalized forces of a load per unit."""
        found = self.over_unknowns(load.forces[None])[0]
        for one in load.along:
            line = self.system.lines[one.line]
            h = line.end - line.start
            field, which = one.slot
            table = self._field(one.line, field, which, self.xi) if field >= 0 else self._coordinate(which, self.xi)
            amount = one.amount(line.start + h * self.xi) if callable(one.amount) else np.full(len(self.xi), one.amount)
            found = found + h * (self.weights * amount) @ table
        return np.asarray(found)

    def change(self, by: Sample) -> Array:
        """Derivatives of the matrices by a parameter, at fixed unknowns and at fixed places 0..1 of each line."""
        N, R = self.system.independent, self.system.rigid
        found = self._whole(by.rigid, [pieces[0].C for pieces in by.pieces])
        found[:, : self.m, : self.m] += by.N.T @ R @ N + N.T @ R @ by.N
        for i, pieces in enumerate(by.pieces):
            moved = float(pieces[0].ends[1] - pieces[0].ends[0])
            if moved or np.any(by.ends[i]) or np.any(by.N):
                found += self._stretched(i, moved, by)
        return found

    def _stretched(self, which: int, moved: float, by: Sample) -> Array:
        """What changes of a line's matrices because its length and its ends do."""
        line, C, table = self.system.lines[which], self.sample.pieces[which][0].C, self.tables[which]
        share = moved / (line.end - line.start)
        counts = [max(0, k) if field >= 0 else 0 for field, k in line.slots]
        grown = np.array([
            self._grown(which, *slot, share, by) if slot[0] >= 0 else self._moved(slot[1], by) for slot in line.slots
        ])  # fmt: skip
        found = np.zeros((POWERS, self.n, self.n))
        for p, i, j, values in _entries(C):
            weights = ((line.end - line.start) * self.weights * values)[:, None]
            found[p] += share * (1 - counts[i] - counts[j]) * (table[i].T @ (weights * table[j]))
            found[p] += grown[i].T @ (weights * table[j]) + table[i].T @ (weights * grown[j])
        return found

    def _moved(self, coordinate: int, by: Sample) -> Array:
        row = np.zeros((1, self.n))
        row[0, : self.m] = by.N[coordinate]
        return np.repeat(row, len(self.xi), axis=0)

    def _grown(self, which: int, field: int, derivative: int, share: float, by: Sample) -> Array:
        """How the functions of a field's ends change: slopes at fixed places grow with the length."""
        line = self.system.lines[which]
        order, first, half = line.orders[field], sum(line.orders[:field]), line.end_values
        rows = [*range(first, first + order), *range(half + first, half + first + order)]
        ends = line.ends[rows] @ by.N + by.ends[which][rows] @ self.system.independent
        if order == _HIGHEST:
            ends = ends + np.array([0.0, share, 0.0, share])[:, None] * (line.ends[rows] @ self.system.independent)
        table = _functions(order, 0, line.end - line.start, self.xi, derivative)
        return np.hstack([table.T @ ends, np.zeros((len(self.xi), self.n - self.m))])

    def _whole(self, rigid: Array, along: list[Array]) -> Array:
        N, found = self.system.independent, np.zeros((POWERS, self.n, self.n))
        found[:, : self.m, : self.m] = N.T @ rigid @ N
        for line, C, table in zip(self.system.lines, along, self.tables, strict=True):
            for p, i, j, values in _entries(C):
                weights = (line.end - line.start) * self.weights * values
                found[p] += table[i].T @ (weights[:, None] * table[j])
        return found


def _entries(C: Array) -> Iterator[tuple[int, int, int, Array]]:
    for p, i, j in np.argwhere(np.any(C, axis=3)).tolist():
        yield p, i, j, C[p, i, j]


def _functions(order: int, inside: int, h: float, xi: Array, derivative: int) -> Array:
    """A derivative along x of the functions of both ends, then of those inside, at places 0..1."""
    minus, plus = np.array([1.0, -1.0]), np.array([1.0, 1.0])  # 1 - r and 1 + r, as Legendre series
    ends: list[Array] = []
    if order == 1:
        ends = [minus / 2, plus / 2]
    if order == _HIGHEST:
        low, high = legendre.legmul(minus, minus) / 4, legendre.legmul(plus, plus) / 4
        ends = [
            legendre.legmul(low, [2.0, 1.0]),
            legendre.legmul(low, plus) * h / 2,
            legendre.legmul(high, [2.0, -1.0]),
            -legendre.legmul(high, minus) * h / 2,
        ]
    bubble = np.array([1.0])
    for _ in range(order):
        bubble = legendre.legmul(bubble, legendre.legmul(minus, plus))
    series = [*ends, *(legendre.legmul(bubble, np.eye(1, k + 1, k)[0]) for k in range(inside))]
    r = 2 * xi - 1
    rows = [legendre.legval(r, legendre.legder(one, derivative)) * (2 / h) ** derivative for one in series]
    return np.array(rows).reshape(len(series), len(xi))
