"""Integrals over x, done once: quadratic forms in the unknowns and their rates on one spine.

With X = (z, v) the unknowns that move a spine and their rates, a moment is mu = X' H X / 2 + d' X, and a line load on
fields is the vector D X + d + E u. Energies are sums of (function of scalars and t) x mu.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.discretisation.layout import Unknowns
from flexura.discretisation.separate import Term
from flexura.energy.lagrangian import Spine
from flexura.errors import FlexuraError
from flexura.symbolic.engine import Basic, Symbol
from flexura.symbolic.jets import Jet
from flexura.symbolic.values import real_value
from flexura.systems.signals.sampled import sampled

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Quadrature:
    """Gauss points on a spine and the tables of its fields there, over the part of the whole vector that moves it."""

    layout: Unknowns
    spine: Spine
    count: int

    @cached_property
    def points(self) -> tuple[Array, Array]:
        """x and weights."""
        return self.layout.meshes[self.spine.name].gauss(self.count)

    @property
    def elements(self) -> int:
        """How many elements there are."""
        return len(self.layout.meshes[self.spine.name].nodes) - 1

    @cached_property
    def columns(self) -> NDArray[np.intp]:
        """The entries of the whole vector that move a field of this spine."""
        rows = np.vstack([self.layout.fields[name].rows for name in self.layout.moving(self.spine)])
        return np.flatnonzero(np.any(rows != 0, axis=0))

    @cached_property
    def _tables(self) -> dict[tuple[str, int], Array]:
        return {}

    def table(self, field: str, derivative: int) -> Array:
        """(points, columns)."""
        key = field, derivative
        if key not in self._tables:
            self._tables[key] = self.layout.fields[field].table(self.points[0], derivative)[:, self.columns]
        return self._tables[key]

    def weighted(self, along: Basic, number: float = 1.0) -> Array:
        """Weights times a number and a function of x at the points."""
        x, w = self.points
        if not along.free_symbols:
            return self._finite(np.full_like(w, number * real_value(along))) * w
        values = sampled(along, f"the density of {self.spine.name}")(x)
        return self._finite(number * values) * w

    def _finite(self, values: Array) -> Array:
        if not np.all(np.isfinite(values)):
            raise FlexuraError(
                f"With these numbers the density of {self.spine.name} has a coefficient that is not a finite real"
                " number",
                advice="check the values",
            )
        return values


class FormBuilder:
    """Builds forms over X = (z, v) of one spine from separated terms."""

    def __init__(self, quadrature: Quadrature, jets: Mapping[Symbol, Jet]) -> None:
        self.quadrature, self.jets = quadrature, jets
        self.m = len(quadrature.columns)

    def form(self, pieces: Sequence[tuple[float, Term]]) -> tuple[Array, Array]:
        """H and d of a sum of number x along(x) x inside."""
        m = self.m
        H, d = np.zeros((2 * m, 2 * m)), np.zeros(2 * m)
        for number, term in pieces:
            w = self.quadrature.weighted(term.along, number)
            rows = [self._row(one) for one in term.inside]
            if len(rows) == 1:
                ((where, table),) = rows
                d[where] += w @ table
            else:
                (first, A), (second, B) = rows
                block = (A * w[:, None]).T @ B
                H[first, second] += block
                H[second, first] += block.T
        return (H + H.T) / 2, d

    def load(self, target: str, pieces: Sequence[tuple[float, Term]]) -> tuple[Array, Array]:
        """D and d of a line load on a field: int N' along (1 or a field) dx."""
        D, d = np.zeros((self.m, 2 * self.m)), np.zeros(self.m)
        N = self.quadrature.table(target, 0)
        for number, term in pieces:
            w = self.quadrature.weighted(term.along, number)
            if not term.inside:
                d += w @ N
            else:
                where, table = self._row(term.inside[0])
                D[:, where] += (N * w[:, None]).T @ table
        return D, d

    def spread(self, target: str, number: float, along: Basic) -> Array:
        """E of a load that an input at the points spreads over a field: (columns, points)."""
        w = self.quadrature.weighted(along, number)
        return self.quadrature.table(target, 0).T * w

    def _row(self, symbol: Symbol) -> tuple[slice, Array]:
        jet = self.jets[symbol]
        where = slice(self.m, 2 * self.m) if jet.t else slice(0, self.m)
        return where, self.quadrature.table(jet.name, jet.x)
