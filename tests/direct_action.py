"""Ways to check a discretised system that share nothing with how it is built."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import symengine

import flexura as fx
from flexura.symbolic.engine import SPINE, TIME, ZERO, Symbol
from flexura.systems.nonlinear import NonlinearSystem


def numbers_for(equations: fx.Equations, seed: int = 0) -> dict[str, float]:
    """Some number for every parameter."""
    rng = np.random.default_rng(seed)
    return {name: 0.5 + rng.random() for name in equations.lagrangian.parameters}


def some_state(system: NonlinearSystem, seed: int = 1, size: float = 0.3) -> tuple[Any, ...]:
    """t, q, v, a, u, lam at random."""
    rng = np.random.default_rng(seed)
    lengths = (system.n, system.n, system.n, system.load_size, system.m)
    return 0.37, *(rng.uniform(-size, size, k) for k in lengths)


def residual(system: NonlinearSystem, t: float, q: Any, v: Any, a: Any, u: Any, lam: Any) -> Any:
    """R = M a - f - A' lambda."""
    M, f = system.evaluate(t, q, v, u)
    return M @ a - f - system.velocity(t, q)[0].T @ lam


def slope(of: Any, at: Any, step: float = 1e-4) -> Any:
    """Central differences to fourth order, one column for each entry."""
    columns = []
    for e in np.eye(len(at)):
        near, far = of(at + step * e) - of(at - step * e), of(at + 2 * step * e) - of(at - 2 * step * e)
        columns.append((8 * near - far) / (12 * step))
    return np.array(columns).T


def ledger_gap(system: NonlinearSystem, seed: int = 1) -> tuple[float, float]:
    """d(T + V)/dt + dissipated - supplied less what the residual does, and the size of the terms.

    With any a and lambda, the residual's power R.v and a broken constraint's lambda (A v + b) are what the balance
    misses, so the identity holds away from solutions too.
    """
    t, q, v, a, u, lam = some_state(system, seed)

    def energy(h: float) -> float:
        return sum(system.energies(t + h, q + h * v + h * h / 2 * a, v + h * a))

    h = 1e-3
    change = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h)
    lost, given = system.powers(t, q, v, a, u, lam)
    A, b = system.velocity(t, q)
    extra = residual(system, t, q, v, a, u, lam) @ v + lam @ (A @ v + b)
    return change + lost - given - extra, max(1.0, *map(abs, (change, lost, given, extra)))


class Action:
    """L of a discretised system by direct quadrature of the energies as they were written, and Lagrange by differences.

    Nothing is separated, integrated beforehand or compiled: trees are evaluated at many Gauss points.
    """

    def __init__(self, equations: fx.Equations, values: dict[str, float], system: NonlinearSystem) -> None:
        self.energies, self.system = equations.lagrangian, system
        self.functions: dict[Any, Any] = {}
        self.known = {Symbol(name): symengine.RealDouble(value) for name, value in values.items()}

    def lagrangian(self, t: float, q: Any, v: Any) -> float:
        """T - V with prescribed coordinates put in."""
        return self._sum(t, q, v, self.energies.rigid, self.energies.density)

    def loss(self, t: float, q: Any, v: Any) -> float:
        """The dissipation function."""
        return self._sum(t, q, v, self.energies.dissipation, self.energies.dissipation_density)

    def residual(self, t: float, q: Any, v: Any, a: Any) -> Any:
        """d/dt(dL/dv) - dL/dq + dR/dv, without loads."""

        def momentum(h: float) -> Any:
            at = q + h * v + h * h / 2 * a
            return slope(lambda w: np.array([self.lagrangian(t + h, at, w)]), v + h * a, 1e-3)[0]

        h = 2e-3
        rate = (8 * (momentum(h) - momentum(-h)) - (momentum(2 * h) - momentum(-2 * h))) / (12 * h)
        force = slope(lambda z: np.array([self.lagrangian(t, z, v)]), q, 1e-3)[0]
        return rate - force + slope(lambda w: np.array([self.loss(t, q, w)]), v, 1e-3)[0]

    def _sum(self, t: float, q: Any, v: Any, rigid: Any, densities: Any) -> float:
        scalars = self._scalars(t, q, v)
        total = self._value(rigid, scalars)
        xi, w = np.polynomial.legendre.leggauss(30)
        for spine in self.energies.spines:
            f = densities.get(spine.name, ZERO)
            if f == 0:
                continue
            start, end = (float(place.xreplace(self.known)) for place in (spine.start, spine.end))
            for a, b in pairwise(np.linspace(start, end, 5)):
                x = (a + b) / 2 + (b - a) / 2 * xi
                total += float((b - a) / 2 * w @ self._along(f, spine, x, t, q, v, scalars))
        return total

    def _scalars(self, t: float, q: Any, v: Any) -> dict[Any, Any]:
        found: dict[Any, Any] = {TIME: t}
        p, p_t, _ = self.system.motion(t)
        for jet in self.energies.generalized:
            rate = replace(jet, t=1)
            if jet.name in self.system.prescribed and not jet.end:
                i = self.system.prescribed.index(jet.name)
                found |= {jet.symbol: p[i], rate.symbol: p_t[i]}
            elif jet.name in self.energies.ties:
                place = self.energies.spine_of(jet.name).place(jet.end).xreplace(self.known)
                at = [self.system.values(jet.name, float(place), t, q, one)[0] for one in (None, v)]
                found |= {jet.symbol: at[0], rate.symbol: at[1]}
            else:
                i = self.system.names.index(jet.label)
                found |= {jet.symbol: q[i], rate.symbol: v[i]}
        return found

    def _value(self, f: Any, where: dict[Any, Any]) -> float:
        return float(self.energies.settled(f).xreplace(self.known).xreplace(where).n(53, real=True))

    def _along(self, f: Any, spine: Any, x: Any, t: float, q: Any, v: Any, scalars: dict[Any, Any]) -> Any:
        if f not in self.functions:
            settled = self.energies.settled(f).xreplace(self.known)
            jets = [one for one in self.energies.jets.unknowns(settled) if one.name in spine.fields and not one.end]
            arguments = [SPINE, *scalars, *(jet.symbol for jet in jets)]
            self.functions[f] = jets, symengine.Lambdify(arguments, [settled])
        jets, function = self.functions[f]
        held = self.energies.ties.values()  # what they hold vanishes
        columns = [
            np.zeros(len(x)) if jet.name in held else self.system.values(jet.name, x, t, q, v if jet.t else None, jet.x)
            for jet in jets
        ]
        given = [np.full(len(x), value) for value in scalars.values()]
        return np.asarray(function(np.column_stack([x, *given, *columns]))).ravel()
