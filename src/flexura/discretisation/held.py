"""Conditions along a spine, g = 0 at Gauss points: the rows of multiplier fields, as many to an element as its order.

A density -N Gamma holds Gamma = 0 all along. With polynomials of degree p, whose slopes have p coefficients, it is held
at p points of each element: any bending can be followed, and nothing locks. The multiplier at a point is N there.

    g_i = w_i g(x_i)        A_i = w_i g_xi S        c_i = w_i (v' S' g_xixi S v + 2 g_xit S v + g_tt)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.polynomial.legendre import legder, legval, legvander
from numpy.typing import NDArray

from flexura.discretisation.forms import Quadrature
from flexura.discretisation.program import over_points
from flexura.symbolic.engine import SPINE, TIME, Basic, Symbol, partial
from flexura.symbolic.jets import Jet

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class LineCondition:
    """What a multiplier field holds: `tree` vanishes at the points of `quadrature`."""

    name: str
    quadrature: Quadrature
    tree: Basic
    inside: dict[Symbol, Jet]

    @property
    def count(self) -> int:
        """How many conditions there are."""
        return len(self.quadrature.points[0])

    @property
    def names(self) -> tuple[str, ...]:
        """What the multipliers are called: the values of the field at the points."""
        return tuple(f"{self.name}[{i}]" for i in range(self.count))

    @cached_property
    def xi(self) -> list[Symbol]:
        """The scalars and fields that appear."""
        held = self.tree.free_symbols
        return [one for one in (*self.quadrature.layout.symbols(0), *self.inside) if one in held]

    @cached_property
    def linear(self) -> bool:
        """Whether it is linear, with coefficients that do not change."""
        slopes = [partial(self.tree, one) for one in self.xi]
        return not any(one in f.free_symbols for f in slopes for one in (*self.xi, TIME))

    @cached_property
    def S(self) -> Array:
        """(points x xi, whole vector)."""
        q = self.quadrature
        found = np.zeros((self.count, len(self.xi), q.layout.size))
        for i, symbol in enumerate(self.xi):
            if symbol in self.inside:
                jet = self.inside[symbol]
                found[:, i, q.columns] = q.table(jet.name, jet.x)
            else:
                found[:, i, q.layout.index[symbol.name]] = 1.0
        return found.reshape(-1, q.layout.size)

    @cached_property
    def _slopes(self) -> list[Basic]:
        return [partial(self.tree, one) for one in self.xi]

    @cached_property
    def _first(self) -> Any:
        """g, g_t, then g_xi."""
        return over_points([SPINE, TIME, *self.xi], [self.tree, partial(self.tree, TIME), *self._slopes])

    @cached_property
    def _second(self) -> Any:
        """g_tt, g_xit, then g_xixi."""
        timed = [partial(partial(self.tree, TIME), TIME), *(partial(one, TIME) for one in self._slopes)]
        seconds = [partial(f, one) for f in self._slopes for one in self.xi]
        return over_points([SPINE, TIME, *self.xi], [*timed, *seconds])

    def _at(self, program: Any, t: Any, z: Array) -> Array:
        """Weighted values at each state of a stack and each point: (..., points, trees)."""
        x, w = self.quadrature.points
        rows = np.empty((*z.shape[:-1], self.count, 2 + len(self.xi)))
        rows[..., 0], rows[..., 1] = x, np.asarray(t)[..., None]
        rows[..., 2:] = self._of_xi(z)
        found = np.asarray(program(rows.reshape(-1, rows.shape[-1])))
        return np.asarray(found.reshape(*rows.shape[:-1], -1) * w[:, None])

    def _of_xi(self, z: Array) -> Array:
        return np.asarray(z @ self.S.T).reshape(*z.shape[:-1], self.count, len(self.xi))

    def held(self, t: Any, z: Array, w: Array) -> tuple[Array, Array, Array, Array]:
        """g, A over the whole vector, b and c."""
        k, found = len(self.xi), self._at(self._first, t, z)
        A = np.einsum("...gi,gin->...gn", found[..., 2:], self.S.reshape(self.count, k, -1))
        c = np.zeros_like(found[..., 0])
        if np.any(w) or TIME in self.tree.free_symbols:
            moved, bent = self._of_xi(w), self._at(self._second, t, z)
            second = bent[..., 1 + k :].reshape(*bent.shape[:-1], k, k)
            c = np.einsum("...gi,...gij,...gj->...g", moved, second, moved)
            c = c + 2 * np.einsum("...gi,...gi->...g", bent[..., 1 : 1 + k], moved) + bent[..., 0]
        return found[..., 0], A, found[..., 1], c

    def bent(self, t: Any, z: Array, lam: Array) -> Array:
        """d(A' lambda)/dz."""
        k = len(self.xi)
        second = self._at(self._second, t, z)[..., 1 + k :]
        second = second.reshape(*second.shape[:-1], k, k) * lam[..., None, None]
        moved = second @ self.S.reshape(self.count, k, -1)
        return np.asarray(self.S.T @ moved.reshape(*moved.shape[:-3], -1, moved.shape[-1]))

    def table(self, x: Array, derivative: int = 0) -> Array:
        """The field at x from its values at the points: the polynomial through those of each element."""
        nodes = self.quadrature.layout.meshes[self.quadrature.spine.name].nodes
        p, points = self.quadrature.count, self.quadrature.points[0]
        element = np.clip(np.searchsorted(nodes, x, side="right") - 1, 0, len(nodes) - 2)
        found = np.zeros((len(x), self.count))
        for e in np.unique(element):
            half = (nodes[e + 1] - nodes[e]) / 2
            own, at = ((one - nodes[e]) / half - 1 for one in (points[e * p : (e + 1) * p], x[element == e]))
            here = np.ix_(np.flatnonzero(element == e), np.arange(e * p, (e + 1) * p))
            through = np.linalg.inv(legvander(own, p - 1))
            rows = legder(through, derivative) if derivative else through
            found[here] = legval(at, rows).T / half**derivative
        return found
