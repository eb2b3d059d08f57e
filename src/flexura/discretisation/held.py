"""Conditions along a spine, g = 0 at Gauss points: the rows of multiplier fields, as many to an element as its order.

A density -N Gamma holds Gamma = 0 all along. With polynomials of degree p, whose slopes have p coefficients, it is held
at p points of each element: any bending can be followed, and nothing locks. The multiplier at a point is N there.

    g_i = w_i g(x_i)        A_i = w_i g_xi S        c_i = w_i (v' S' g_xixi S v + 2 g_xit S v + g_tt)
"""

from __future__ import annotations

from collections.abc import Sequence
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
    def _second(self) -> Any:
        """g_xixi."""
        seconds = [partial(f, one) for f in self._slopes for one in self.xi]
        return over_points([SPINE, TIME, *self.xi], seconds)

    def _bent_at(self, t: Any, z: Array) -> Array:
        """Weighted g_xixi at each state of a stack and each point: (..., points, xi, xi)."""
        (x, w), k = self.quadrature.points, len(self.xi)
        rows = np.empty((*z.shape[:-1], self.count, 2 + k))
        rows[..., 0], rows[..., 1] = x, np.asarray(t)[..., None]
        rows[..., 2:] = np.asarray(z @ self.S.T).reshape(*z.shape[:-1], self.count, k)
        found = np.asarray(self._second(rows.reshape(-1, rows.shape[-1])))
        return np.asarray(found.reshape(*rows.shape[:-1], k, k) * w[:, None, None])

    def bent(self, t: Any, z: Array, lam: Array) -> Array:
        """d(A' lambda)/dz."""
        second = self._bent_at(t, z) * lam[..., None, None]
        moved = second @ self.S.reshape(self.count, len(self.xi), -1)
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


def together(conditions: Sequence[LineCondition]) -> list[HeldTogether]:
    """Conditions that stand next to one another and are held at the same points, each group asked at once."""
    groups: list[list[LineCondition]] = []
    for one in conditions:
        last = groups[-1][-1].quadrature if groups else None
        if last is not None and (last.spine, last.count) == (one.quadrature.spine, one.quadrature.count):
            groups[-1].append(one)
        else:
            groups.append([one])
    return [HeldTogether(tuple(one)) for one in groups]


@dataclass(frozen=True, eq=False)
class HeldTogether:
    """Conditions on one line at the same points: most of what an evaluation costs is the calls, not the numbers."""

    conditions: tuple[LineCondition, ...]

    @cached_property
    def xi(self) -> list[Symbol]:
        """The scalars and fields that appear in any."""
        return list(dict.fromkeys(symbol for one in self.conditions for symbol in one.xi))

    @cached_property
    def _S(self) -> Array:
        """(points, xi, whole vector), and the same flat."""
        first = self.conditions[0]
        found = np.zeros((first.count, len(self.xi), first.quadrature.layout.size))
        for one in self.conditions:
            own = one.S.reshape(one.count, len(one.xi), -1)
            for i, symbol in enumerate(one.xi):
                found[:, self.xi.index(symbol)] = own[:, i]
        return found

    @cached_property
    def _flat(self) -> Array:
        return np.ascontiguousarray(self._S.reshape(-1, self._S.shape[-1]).T)

    @cached_property
    def _first(self) -> Any:
        """Of each condition g, g_t, then g_xi."""
        slopes = [
            (one.tree, partial(one.tree, TIME), *(partial(one.tree, xi) for xi in self.xi)) for one in self.conditions
        ]
        return over_points([SPINE, TIME, *self.xi], [f for row in slopes for f in row])

    @cached_property
    def _rates(self) -> list[Symbol]:
        return [Symbol(f"$rate{i}") for i in range(len(self.xi))]

    @cached_property
    def _convective(self) -> Any:
        """Of each condition what it accelerates by the rates alone: xi_t' g_xixi xi_t + 2 g_xit xi_t + g_tt."""
        rates = dict(zip(self.xi, self._rates, strict=True))

        def along(f: Basic) -> Basic:
            return sum((partial(f, one) * rate for one, rate in rates.items()), partial(f, TIME))

        return over_points([SPINE, TIME, *self.xi, *self._rates], [along(along(one.tree)) for one in self.conditions])

    @cached_property
    def _moves(self) -> bool:
        """Whether given functions of time stand in a condition."""
        return any(TIME in one.tree.free_symbols for one in self.conditions)

    def held(self, t: Any, z: Array, w: Array) -> tuple[Array, Array, Array, Array]:
        """g, A over the whole vector, b and c."""
        k, many, count = len(self.xi), len(self.conditions), self.conditions[0].count
        x, weights = self.conditions[0].quadrature.points
        moving = bool(w.any()) or self._moves
        rows = np.empty((*z.shape[:-1], count, 2 + (2 if moving else 1) * k))
        rows[..., 0], rows[..., 1] = x, np.asarray(t)[..., None]
        rows[..., 2 : 2 + k] = (z @ self._flat).reshape(*z.shape[:-1], count, k)
        one = rows[..., : 2 + k].reshape(-1, 2 + k)
        found = self._first(one).reshape(*rows.shape[:-1], many, 2 + k) * weights[:, None, None]
        found = np.moveaxis(found, -2, -3)  # (..., condition, point, what)
        A = (found[..., None, 2:] @ self._S)[..., 0, :]
        c = np.zeros(found.shape[:-1])
        if moving:
            rows[..., 2 + k :] = (w @ self._flat).reshape(*z.shape[:-1], count, k)
            bent = self._convective(rows.reshape(-1, rows.shape[-1])).reshape(*rows.shape[:-1], many)
            c = np.moveaxis(bent * weights[:, None], -1, -2)
        shape = (*z.shape[:-1], many * count)
        return (
            found[..., 0].reshape(shape),
            A.reshape(*shape, A.shape[-1]),
            found[..., 1].reshape(shape),
            c.reshape(shape),
        )
