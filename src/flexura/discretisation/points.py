"""Densities that do not separate, at Gauss points: values, slopes and curvatures of functions of fields and scalars.

With xi the scalars and fields (and rates) a density l holds, xi = S X at each point, X = (z, v) the whole vector and
its rates, and w the weights:

    M = S_v' w l_xixi S_v        f = S_z' w l_xi - S_v' w (l_xixi S_z v + l_xit)
    dR/dX = S_v' w (D_t l_xixi) S + [0, S_v' w l_xixi S_z] - S_z' w l_xixi S
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.discretisation.forms import Quadrature
from flexura.discretisation.program import over_points
from flexura.discretisation.tables import PointTable
from flexura.symbolic.engine import SPINE, TIME, ZERO, Basic, Symbol, partial
from flexura.symbolic.jets import Jet
from flexura.systems.nonlinear import InputSlot

Array = NDArray[np.float64]
Numbers = Mapping[Symbol, Any]


@dataclass(frozen=True, eq=False)
class PointTerm:
    """What of one spine is left for its Gauss points: L, R, the energy balance's change, and loads by target."""

    quadrature: Quadrature
    inside: Mapping[Symbol, Jet]
    left: Mapping[str, Basic]
    loads: Mapping[str, Basic]
    distributed: Mapping[Symbol, InputSlot]

    @cached_property
    def trees(self) -> list[Basic]:
        """All of them."""
        return [f for f in (*self.left.values(), *self.loads.values()) if f != 0]

    @cached_property
    def xi(self) -> list[Symbol]:
        """The scalars, their rates and the fields that appear, in a fixed order."""
        layout = self.quadrature.layout
        held = set().union(*(f.free_symbols for f in self.trees))
        fields = [s for s, jet in self.inside.items() if jet.name in layout.fields]
        return [s for s in (*layout.symbols(0), *layout.symbols(1), *fields) if s in held]

    @cached_property
    def inputs(self) -> list[Symbol]:
        """Inputs that are numbers at each instant."""
        found = {jet.symbol for f in self.trees for jet in self.quadrature.layout.inputs(f)}
        return sorted(found - set(self.distributed), key=str)

    @cached_property
    def S(self) -> Array:
        """(points x xi, 2 whole vector)."""
        layout, q = self.quadrature.layout, self.quadrature
        n, x = layout.size, q.points[0]
        found = np.zeros((len(x), len(self.xi), 2 * n))
        places = {s: i for t in (0, 1) for i, s in enumerate(layout.symbols(t), t * n)}
        for i, symbol in enumerate(self.xi):
            if symbol in places:
                found[:, i, places[symbol]] = 1.0
            else:
                jet = self.inside[symbol]
                found[:, i, q.columns + n * jet.t] = q.table(jet.name, jet.x)
        return found.reshape(-1, 2 * n)

    @cached_property
    def _halves(self) -> tuple[PointTable, PointTable]:
        """S of the whole vector and of its rates."""
        n, elements = self.quadrature.layout.size, self.quadrature.elements
        both = self.S[:, :n], self.S[:, n:]
        return PointTable(np.ascontiguousarray(both[0]), elements), PointTable(np.ascontiguousarray(both[1]), elements)

    @cached_property
    def _rated(self) -> bool:
        """Whether anything here holds a rate."""
        return bool(np.any(self._halves[1].dense))

    @cached_property
    def still(self) -> bool:
        """Whether the energy holds no rate, as that of strains: then it has no part in M."""
        layout = self.quadrature.layout
        rates = {*layout.symbols(1), *(symbol for symbol, jet in self.inside.items() if jet.t)}
        return not self.left["energy"].free_symbols & rates

    @property
    def timed(self) -> bool:
        """Whether time stands in it."""
        return any(TIME in f.free_symbols for f in self.trees)

    @property
    def strains(self) -> PointTable:
        """From the whole vector to fields at the points."""
        return self._halves[0]

    @cached_property
    def _given(self) -> Array:
        """x, a time that does not matter, and room for fields, at each point."""
        x = self.quadrature.points[0]
        return np.concatenate([x[:, None], np.zeros((len(x), 1 + len(self.xi)))], axis=1)

    def strained(self, z: Array) -> Array:
        """Fields at the points."""
        return self._halves[0].of(z)

    def _strained(self, xi: Array) -> Array:
        """Arguments of an energy of strains: (..., points, arguments)."""
        given = self._given
        at = np.empty((*xi.shape[:-1], *given.shape))
        at[..., :2] = given[:, :2]
        at[..., 2:] = xi.reshape(*at.shape[:-1], -1)
        return at

    def strain_forces(self, xi: Array) -> Array:
        """S' w l_xi of an energy of strains, from its fields at the points, of one state or a stack of them."""
        at = self._strained(xi)
        slopes = self._at(self._energy_slopes, at)
        slopes *= self.quadrature.points[1][:, None]
        return self._halves[0].onto(slopes.reshape(*at.shape[:-2], -1))

    def strain_stiffness(self, z: Array) -> Array:
        """S' w l_xixi S likewise."""
        return self._halves[0].form(self._second(self._at(self._seconds, self._strained(self.strained(z)))))

    @cached_property
    def targets(self) -> list[Array]:
        """What each load works on: (points, whole vector)."""
        layout, q = self.quadrature.layout, self.quadrature
        found = []
        for to in self._loaded:
            rows = np.zeros((len(q.points[0]), layout.size))
            if to in q.spine.fields:
                rows[:, q.columns] = q.table(to, 0)
            else:
                rows[:, layout.index[to]] = 1.0
            found.append(rows)
        return found

    @property
    def _loaded(self) -> list[str]:
        return [to for to, f in self.loads.items() if f != 0]

    def _compiled(self, trees: Sequence[Basic], rates: bool) -> Any:
        moved = [Symbol(f"$d{i}") for i in range(len(self.xi))] if rates else []
        return over_points([SPINE, TIME, *self.inputs, *self.distributed, *self.xi, *moved], trees)

    @cached_property
    def _slopes(self) -> list[Basic]:
        """l_xi."""
        return [partial(self.left["energy"], a) for a in self.xi]

    @cached_property
    def _energy(self) -> Any:
        """l, l_t, then l_xi."""
        l = self.left["energy"]
        return self._compiled([l, partial(l, TIME), *self._slopes], rates=False)

    @cached_property
    def _energy_slopes(self) -> Any:
        """l_xi alone."""
        return self._compiled(self._slopes, rates=False)

    @cached_property
    def _seconds(self) -> Any:
        """l_xixi (rows), l_xit."""
        seconds = [partial(one, b) for one in self._slopes for b in self.xi]
        return self._compiled([*seconds, *(partial(one, TIME) for one in self._slopes)], rates=False)

    @cached_property
    def _energy_rates(self) -> Any:
        """D_t l_xixi, with xi_t in hand."""
        l, xi = self.left["energy"], self.xi
        rate = partial(l, TIME) + sum((partial(l, a) * Symbol(f"$d{i}") for i, a in enumerate(xi)), ZERO)
        return self._compiled([partial(partial(rate, a), b) for a in xi for b in xi], rates=True)

    @cached_property
    def _loss(self) -> Any:
        """R_xi, R_xixi."""
        slopes = [partial(self.left["loss"], a) for a in self.xi]
        return self._compiled([*slopes, *(partial(one, b) for one in slopes for b in self.xi)], rates=False)

    @cached_property
    def _change(self) -> Any:
        """D_t of the energy balance's change."""
        f = self.left["change"]
        rate = partial(f, TIME) + sum((partial(f, a) * Symbol(f"$d{i}") for i, a in enumerate(self.xi)), ZERO)
        return self._compiled([rate], rates=True)

    @cached_property
    def _forces(self) -> Any:
        """Each load, then its slopes."""
        loads = [self.loads[to] for to in self._loaded]
        return self._compiled([*loads, *(partial(f, a) for f in loads for a in self.xi)], rates=False)

    def _at(self, program: Any, *parts: Array) -> Array:
        """A program at every state of a stack and every point: (..., points, trees)."""
        rows = np.concatenate(parts, axis=-1) if len(parts) > 1 else parts[0]
        return np.asarray(program(rows.reshape(-1, rows.shape[-1]))).reshape(*rows.shape[:-1], -1)

    def _xi(self, X: Array) -> Array:
        """The scalars and fields at the points: (..., points, xi)."""
        n, (Sz, Sv) = X.shape[-1] // 2, self._halves
        found = Sz.of(X[..., :n])
        if self._rated:
            found = found + Sv.of(X[..., n:])
        return found.reshape(*X.shape[:-1], -1, len(self.xi))

    def arguments(self, t: Any, X: Array, u: Array, numbers: Numbers) -> Array:
        """(..., points, arguments of the compiled functions)."""
        x, lead = self.quadrature.points[0], X.shape[:-1]
        given = np.empty((*lead, len(x), 2 + len(self.inputs) + len(self.distributed)))
        given[..., 0], given[..., 1] = x, np.asarray(t)[..., None]
        for i, symbol in enumerate(self.inputs, 2):
            given[..., i] = np.asarray(numbers[symbol])[..., None]
        for i, slot in enumerate(self.distributed.values(), 2 + len(self.inputs)):
            given[..., i] = u[..., slot.where]
        return np.concatenate([given, self._xi(X)], axis=-1)

    def _weighted(self, values: Array) -> Array:
        """Values of each xi at the points times the weights, as rows to multiply S with."""
        return np.asarray((values * self.quadrature.points[1][:, None]).reshape(*values.shape[:-2], -1))

    def _second(self, found: Array) -> Array:
        """(..., points, k, k), weighted."""
        k = len(self.xi)
        square = found[..., : k * k].reshape(*found.shape[:-1], k, k)
        return np.asarray(square * self.quadrature.points[1][:, None, None])

    def _form(self, left: Array, second: Array, right: Array) -> Array:
        """left' (second at each point) right."""
        k, lead = len(self.xi), second.shape[:-3]
        moved = second @ right.reshape(-1, k, right.shape[-1])
        return np.asarray(left.T @ moved.reshape(*lead, -1, right.shape[-1]))

    def add(self, M: Array, f: Array, t: Any, X: Array, u: Array, numbers: Numbers) -> None:
        """Add to M and f of the whole vector, of one state or a stack of them."""
        n, k, (Sz, Sv) = f.shape[-1], len(self.xi), self._halves
        at = self.arguments(t, X, u, numbers)
        if self.left["energy"] != 0:
            f += Sz.onto(self._weighted(self._at(self._energy, at)[..., 2:]))
            if not self.still:
                found = self._at(self._seconds, at)
                second, mixed = self._second(found), found[..., k * k :]
                M += Sv.form(second)
                moved = Sz.of(X[..., n:]).reshape(*at.shape[:-1], k)
                carried = np.einsum("...gij,...gj->...gi", second, moved)
                f -= Sv.onto(carried.reshape(*carried.shape[:-2], -1) + self._weighted(mixed))
        if self.left["loss"] != 0:
            f -= Sv.onto(self._weighted(self._at(self._loss, at)[..., :k]))
        if self._loaded:
            loads = self._at(self._forces, at)
            for i, rows in enumerate(self.targets):
                f += (self.quadrature.points[1] * loads[..., i]) @ rows

    def add_slopes(self, J: Array, t: Any, X: Array, a: Array, u: Array, numbers: Numbers) -> None:
        """Add to dR/dX, (whole vector, 2 whole vector), of one state or a stack of them."""
        n, k, w, (Sz, Sv) = a.shape[-1], len(self.xi), self.quadrature.points[1], self._halves
        at = self.arguments(t, X, u, numbers)
        if self.left["energy"] != 0:
            second = self._second(self._at(self._seconds, at))
            if self.still:
                J[..., :n] -= Sz.form(second)
            else:
                moved = self._xi(np.concatenate([X[..., n:], a], axis=-1))
                J += self._form(Sv.dense, self._second(self._at(self._energy_rates, at, moved)), self.S)
                J -= self._form(Sz.dense, second, self.S)
                J[..., n:] += self._form(Sv.dense, second, Sz.dense)
        if self.left["loss"] != 0:
            J += self._form(Sv.dense, self._second(self._at(self._loss, at)[..., k:]), self.S)
        if self._loaded:
            found, S = self._at(self._forces, at), self.S.reshape(len(w), k, -1)
            for i, rows in enumerate(self.targets):
                slopes = found[..., len(self.targets) + i * k : len(self.targets) + (i + 1) * k]
                J -= rows.T @ (w[:, None] * np.einsum("...gi,gib->...gb", slopes, S))

    def density(self, t: Any, X: Array, u: Array, numbers: Numbers) -> Any:
        """Its part of L."""
        if self.left["energy"] == 0:
            return 0.0
        return self._at(self._energy, self.arguments(t, X, u, numbers))[..., 0] @ self.quadrature.points[1]

    def powers(self, t: Any, X: Array, a: Array, u: Array, numbers: Numbers) -> tuple[Any, Any]:
        """(dissipated, supplied by loads, by explicit time and by the energy balance's change)."""
        n, k, w = a.shape[-1], len(self.xi), self.quadrature.points[1]
        at, v = self.arguments(t, X, u, numbers), X[..., n:]
        moved = self._xi(np.concatenate([v, a], axis=-1))
        lost, given = np.zeros(X.shape[:-1]), np.zeros(X.shape[:-1])
        if self.left["energy"] != 0 and (self.inputs or TIME in self.left["energy"].free_symbols):
            quiet = self._at(self._energy, self.arguments(t, X, u, dict.fromkeys(self.inputs, np.zeros(X.shape[:-1]))))
            acting = self._at(self._energy, at)[..., 2:] - quiet[..., 2:]
            given = given + np.einsum("g,...gi,...gi->...", w, acting, moved) - quiet[..., 1] @ w
        if self.left["change"] != 0:
            given = given + self._at(self._change, at, moved)[..., 0] @ w
        if self.left["loss"] != 0:
            rates = self._halves[1].of(v).reshape(moved.shape)
            lost = lost + np.einsum("g,...gi,...gi->...", w, self._at(self._loss, at)[..., :k], rates)
        if self._loaded:
            loads = self._at(self._forces, at)
            for i, rows in enumerate(self.targets):
                given = given + np.einsum("...g,...g->...", w * loads[..., i], v @ rows.T)
        return lost, given
