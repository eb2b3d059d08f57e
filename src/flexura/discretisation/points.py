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
from flexura.symbolic.engine import SPINE, TIME, ZERO, Basic, Symbol, partial
from flexura.symbolic.jets import Jet
from flexura.systems.nonlinear import InputSlot

Array = NDArray[np.float64]


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
        """(points, xi, 2 whole vector)."""
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
        return found

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
    def _energy(self) -> Any:
        """l, l_t, then l_xi, l_xixi (rows), l_xit."""
        l, xi = self.left["energy"], self.xi
        slopes = [partial(l, a) for a in xi]
        seconds = [partial(one, b) for one in slopes for b in xi]
        return self._compiled(
            [l, partial(l, TIME), *slopes, *seconds, *(partial(one, TIME) for one in slopes)], rates=False
        )

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

    def arguments(self, t: float, X: Array, u: Array, numbers: Mapping[Symbol, float]) -> Array:
        """(points, arguments of the compiled functions)."""
        x = self.quadrature.points[0]
        given = [np.full(len(x), t), *(np.full(len(x), numbers[s]) for s in self.inputs)]
        spread = [u[slot.where] for slot in self.distributed.values()]
        return np.column_stack([x, *given, *spread, self.S @ X])

    def add(self, M: Array, f: Array, t: float, X: Array, u: Array, numbers: Mapping[Symbol, float]) -> None:
        """Add to M and f of the whole vector."""
        n, k, w = len(f), len(self.xi), self.quadrature.points[1]
        at = self.arguments(t, X, u, numbers)
        Sz, Sv = self.S[:, :, :n], self.S[:, :, n:]
        if self.left["energy"] != 0:
            found = self._energy(at)
            slope, second = found[:, 2 : 2 + k], found[:, 2 + k : 2 + k + k * k].reshape(-1, k, k)
            mixed = found[:, 2 + k + k * k :]
            M += np.einsum("g,gia,gij,gjb->ab", w, Sv, second, Sv, optimize=True)
            carried = np.einsum("gij,gj->gi", second, Sz @ X[n:]) + mixed
            f += np.einsum("g,gi,gia->a", w, slope, Sz) - np.einsum("g,gi,gia->a", w, carried, Sv)
        if self.left["loss"] != 0:
            f -= np.einsum("g,gi,gia->a", w, self._loss(at)[:, :k], Sv)
        if self._loaded:
            loads = self._forces(at)
            for i, rows in enumerate(self.targets):
                f += (w * loads[:, i]) @ rows

    def add_slopes(self, J: Array, t: float, X: Array, a: Array, u: Array, numbers: Mapping[Symbol, float]) -> None:
        """Add to dR/dX, (whole vector, 2 whole vector)."""
        n, k, w = len(a), len(self.xi), self.quadrature.points[1]
        at = self.arguments(t, X, u, numbers)
        S, Sz, Sv = self.S, self.S[:, :, :n], self.S[:, :, n:]
        if self.left["energy"] != 0:
            second = self._energy(at)[:, 2 + k : 2 + k + k * k].reshape(-1, k, k)
            rates = self._energy_rates(np.hstack([at, S @ np.concatenate([X[n:], a])])).reshape(-1, k, k)
            J += np.einsum("g,gia,gij,gjb->ab", w, Sv, rates, S, optimize=True)
            J -= np.einsum("g,gia,gij,gjb->ab", w, Sz, second, S, optimize=True)
            J[:, n:] += np.einsum("g,gia,gij,gjb->ab", w, Sv, second, Sz, optimize=True)
        if self.left["loss"] != 0:
            second = self._loss(at)[:, k:].reshape(-1, k, k)
            J += np.einsum("g,gia,gij,gjb->ab", w, Sv, second, S, optimize=True)
        if self._loaded:
            found = self._forces(at)
            for i, rows in enumerate(self.targets):
                slopes = found[:, len(self.targets) + i * k : len(self.targets) + (i + 1) * k]
                J -= np.einsum("g,ga,gi,gib->ab", w, rows, slopes, S, optimize=True)

    def density(self, t: float, X: Array, u: Array, numbers: Mapping[Symbol, float]) -> float:
        """Its part of L."""
        if self.left["energy"] == 0:
            return 0.0
        return float(self.quadrature.points[1] @ self._energy(self.arguments(t, X, u, numbers))[:, 0])

    def powers(self, t: float, X: Array, a: Array, u: Array, numbers: Mapping[Symbol, float]) -> tuple[float, float]:
        """(dissipated, supplied by loads, by explicit time and by the energy balance's change)."""
        n, k, w = len(a), len(self.xi), self.quadrature.points[1]
        at, v = self.arguments(t, X, u, numbers), X[n:]
        lost, given = 0.0, 0.0
        if self.left["energy"] != 0:
            quiet = self._energy(self.arguments(t, X, u, dict.fromkeys(self.inputs, 0.0)))
            acting = self._energy(at)[:, 2 : 2 + k] - quiet[:, 2 : 2 + k]
            given += float(np.einsum("g,gi,gi->", w, acting, self.S @ np.concatenate([v, a])) - w @ quiet[:, 1])
        if self.left["change"] != 0:
            moved = np.hstack([at, self.S @ np.concatenate([v, a])])
            given += float(w @ self._change(moved)[:, 0])
        if self.left["loss"] != 0:
            lost += float(np.einsum("g,gi,gi->", w, self._loss(at)[:, :k], self.S[:, :, n:] @ v))
        if self._loaded:
            loads = self._forces(at)
            given += sum(float((w * loads[:, i]) @ (rows @ v)) for i, rows in enumerate(self.targets))
        return lost, given
