"""Reads the derivatives of a linear system by one parameter: symbolic ones of every coefficient, then numbers.

>>> SlopeReader(energies, numbers, "EI").sample(system, xi)         # d/d(EI) of all that `sample(system, xi)` holds

Lines are held to fixed places between their ends, x = a + xi (b - a), so a coefficient c(x, p) changes by
c_p + c_x (a_p + xi (b_p - a_p)). Constraints A g = 0 change g = N z by N_p = -A^+ A_p N, which leaves z what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np
import symengine

from flexura.energy.lagrangian import Lagrangian, Spine
from flexura.solve.exact.lines import POWERS, Line, LinearSystem
from flexura.solve.exact.reading import Reader
from flexura.solve.slopes import Array, LinePiece, Sample
from flexura.symbolic.engine import SPINE, ZERO, Basic, Symbol, partial
from flexura.systems.signals.sampled import sampled


class SlopeReader(Reader):
    """As `Reader`, but of derivatives by one parameter."""

    def __init__(self, energies: Lagrangian, numbers: Mapping[str, float], parameter: str) -> None:
        """`numbers` hold the value at which the derivatives are taken."""
        super().__init__(energies, numbers)
        self.parameter = Symbol(parameter)

    def sample(self, system: LinearSystem, xi: Array) -> Sample:
        """The derivatives of the numbers of a system at the places xi of its lines."""
        spines = self.energies.spines
        return Sample(
            self._rigid(),
            self._change_of_independent(system.independent),
            tuple(self._ends(spine, line.orders) for spine, line in zip(spines, system.lines, strict=True)),
            tuple(self._pieces(spine, line, xi) for spine, line in zip(spines, system.lines, strict=True)),
        )

    def row(self, label: str) -> Array:
        """How the weights of the generalized coordinates in an end value change."""
        row = np.zeros(len(self.names))
        if label not in self.index:
            value = self.energies.settled_boundary[label]
            for jet in self.jets.unknowns(value):
                row[self.index[jet.label]] += self._slope(partial(value, jet.symbol), f"the boundary value {label}")
        return row

    def _slope(self, f: Basic, where: str) -> float:
        return self.number(partial(f, self.parameter), where) if self.parameter in f.free_symbols else 0.0

    def _rigid(self) -> Array:
        found = np.zeros((POWERS, len(self.names), len(self.names)))
        for a, b, power, c, where in self._terms(""):
            found[power, self._slot(a, ())[1], self._slot(b, ())[1]] += self._slope(c, where)
        return found

    def _change_of_independent(self, N: Array) -> Array:
        A, A_p = self._constraints(self.number), self._constraints(self._slope)
        return -np.linalg.pinv(A) @ A_p @ N if np.any(A_p) else np.zeros_like(N)

    def _constraints(self, read: Callable[[Basic, str], float]) -> Array:
        rows = np.zeros((len(self.energies.constraints), len(self.names)))
        for row, (name, f) in zip(rows, self.energies.constraints.items(), strict=True):
            f = self.energies.settled(f)
            for jet in self.jets.unknowns(f):
                row[self.index[replace(jet, t=0).label]] += read(partial(f, jet.symbol), f"the constraint of {name}")
        return rows

    def _pieces(self, spine: Spine, line: Line, xi: Array) -> tuple[LinePiece, ...]:
        nodes, moves = np.array([line.start, *line.breaks, line.end]), self._moves(spine, line)
        ends = zip(pairwise(nodes), pairwise(moves), strict=True)
        places = [(a + xi * (b - a), d + xi * (e - d)) for (a, b), (d, e) in ends]
        found = [np.zeros((POWERS, len(line.slots), len(line.slots), len(xi))) for _ in places]
        for a, b, power, c, where in self._terms(spine.name):
            at = power, *(line.slots.index(self._slot(one, spine.fields)) for one in (a, b))
            for by, weight in ((self.parameter, None), (SPINE, moves)):
                if by not in c.free_symbols or (weight is not None and not weight.any()):
                    continue
                change = self._along(partial(c, by), where)
                for C, (x, dx) in zip(found, places, strict=True):
                    C[at] += change(x) * (1.0 if weight is None else dx)
        return tuple(LinePiece(np.array(ends), C) for ends, C in zip(pairwise(moves), found, strict=True))

    def _along(self, f: Basic, where: str) -> Callable[[Array], Array]:
        tree = self._put(f, where)
        if SPINE in tree.free_symbols:
            return sampled(tree, where)
        value = self.number(tree, where)
        return lambda x: np.full(x.shape, value)

    def _moves(self, spine: Spine, line: Line) -> Array:
        """How the ends of a line move, and the places where a property changes over."""
        where = f"the length of {spine.name}"
        moves = dict.fromkeys(line.breaks, 0.0)
        for c in {one[3] for one in self._terms(spine.name)} if line.breaks else ():
            for x in _breaks(c):
                at = self.number(x, where)
                near = min(line.breaks, key=lambda place: abs(place - at))
                if abs(near - at) <= 1e-9 * (line.end - line.start):
                    moves[near] = self._slope(x, where)
        return np.array([self._slope(spine.start, where), *moves.values(), self._slope(spine.end, where)])


def _breaks(f: Basic) -> list[Basic]:
    """Where the conditions of Piecewise properties change over, as trees."""
    found = []
    for piece in f.atoms(symengine.Piecewise):
        for condition in piece.args[1::2]:
            for one in condition.atoms(symengine.LessThan, symengine.StrictLessThan):
                g = one.args[0] - one.args[1]
                slope = g.diff(SPINE)
                if slope != 0 and SPINE not in slope.free_symbols:
                    found.append(-g.xreplace({SPINE: ZERO}) / slope)
    return found
