"""A discretised Lagrangian evaluated: scalars from compiled programs, amplitudes from forms, points where need be.

With G_k = H_k X + d_k the slope of a moment (halves z and v), G_k' = H_k X' its rate and c_k' = D_t c_k, the rows of
what moves a spine are

    R = sum_k c_k' G_k,v + c_k (G_k',v - G_k,z) + r_k G_k,v - loads

and the scalars' rows hold mu_k and mu_k' = G_k . X' through the programs. Vectors are over the whole: prescribed
coordinates first, then the unknowns. Everything takes symbols too, and is traced with them (`program.py`).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.discretise.gather import Gathered
from flexura.discretise.program import Program, symbolic
from flexura.discretise.scalars import Scalars
from flexura.discretise.spines import Motion, SpineNumbers, add
from flexura.errors import FlexuraError
from flexura.symbols.engine import TIME, Symbol, partial

Array = NDArray[Any]
State = tuple[Array, Array, Array, list[Motion]]
NONE = np.zeros(0)


class RitzSystem:
    """Evaluates one discretised Lagrangian."""

    def __init__(self, gathered: Gathered) -> None:
        self.gathered, self.layout = gathered, gathered.layout
        self.scalars = Scalars(gathered)
        self.N, self.ns, self.np = self.layout.size, len(self.layout.scalars), self.layout.prescribed
        self.spines = self._spines()
        self.K = sum(spine.K for spine in self.spines)
        self._mass = np.zeros((self.N, self.N))
        for spine in self.spines:
            add(self._mass, spine.columns, spine.columns, spine.constant_mass)
        self._inputs = [self._input_slot(symbol) for symbol in self.scalars.inputs]
        self._averages = [(row, slot) for _, row, slot in gathered.averages]
        self.slots = tuple(gathered.slots.values())

    def _spines(self) -> list[SpineNumbers]:
        found, first, load = list[SpineNumbers](), 0, 0
        spread = sum(len(one.loads) for one in self.gathered.spines)
        for forms in self.gathered.spines:
            sloped = any(partial(c, s) != 0 for c in forms.energy for s in self.scalars.s1)
            found.append(SpineNumbers(forms, first, load, spread, sloped))
            first, load, spread = first + len(forms.symbols), load + len(forms.loads), spread + len(forms.spread)
        return found

    def _input_slot(self, symbol: Symbol) -> int:
        jet = next(iter(self.layout.inputs(symbol)))
        points = None
        if jet.end:  # a distributed load's value at an end, "f@b_w"
            end, _, spine = jet.end.partition("_")
            mesh = self.layout.meshes[spine]
            points = np.array([mesh.start if end == "a" else mesh.end])
        return self.gathered.slot(jet.name, jet.t, jet.end, points).start

    # ---- the state

    @cached_property
    def _motion(self) -> Program:
        jets, rows = self.layout.energies.jets, []
        for name, f in self.layout.energies.prescribed.items():
            f = self.layout.numbers.tree(f)
            if self.layout.inputs(f):
                raise FlexuraError(
                    f"The prescribed motion of {name} holds an input; write it as a function of t, or drive {name} by a"
                    " load."
                )
            first = jets.D_t(f)
            rows.append([f, first, jets.D_t(first)])
        return Program([TIME], {"motion": rows})

    def motion(self, t: Any) -> tuple[Array, Array, Array]:
        """Prescribed coordinates, rates, accelerations."""
        if not self.np:
            return NONE, NONE, NONE
        (found,) = self._motion(np.array([t]))
        p = found.T.copy()
        return p[0], p[1], p[2]

    def _state(self, t: Any, q: Array, v: Array) -> State:
        """The whole vector, its rates, the prescribed accelerations, and the spines."""
        p_tt = NONE
        if self.np:
            p, p_t, p_tt = self.motion(t)
            q, v = np.concatenate((p, q)), np.concatenate((p_t, v))
        return q, v, p_tt, [Motion(spine, q, v) for spine in self.spines]

    def _arguments(self, t: Any, z: Array, w: Array, u: Array, spines: list[Motion]) -> Array:
        ns, given = self.ns, len(self._inputs)
        found = np.empty(1 + 2 * ns + given + len(self._averages) + self.K, dtype=z.dtype)
        found[0], found[1 : 1 + ns], found[1 + ns : 1 + 2 * ns] = t, z[:ns], w[:ns]
        at = 1 + 2 * ns
        if given:
            found[at : at + given] = u[self._inputs]
        for i, (row, slot) in enumerate(self._averages, at + given):
            found[i] = row @ u[slot.where]
        at += given + len(self._averages)
        for one in spines:
            found[at : at + len(one.mu)] = one.mu
            at += len(one.mu)
        return found

    def _further(self, b: Array, spines: list[Motion], lam: Array) -> tuple[Array, ...]:
        """Accelerations of scalars, rates of moments, multipliers."""
        rates = [one.G @ np.concatenate((one.X[one.spine.m :], b[one.spine.columns])) for one in spines]
        return b[: self.ns], *rates, lam

    def _numbers(self, u: Array) -> dict[Symbol, float]:
        return dict(zip(self.scalars.inputs, u[self._inputs].tolist(), strict=True))

    # ---- M a = f

    def whole(self, t: Any, z: Array, w: Array, u: Array, spines: list[Motion]) -> tuple[Array, Array]:
        """M and f over the whole vector."""
        top = slice(self.ns)
        mass, forces, weights, energy, slopes, _, loads = self.scalars.run(self._arguments(t, z, w, u, spines))
        M = symbolic(self._mass) if z.dtype.hasobject else self._mass.copy()
        f = np.zeros(self.N, dtype=z.dtype)
        add(M, top, top, mass)
        f[top] = forces
        for one in spines:
            spine = one.spine
            m, k, at = spine.m, spine.moments, spine.columns
            row = weights[k].ravel() @ one.G.reshape(2 * spine.K, m)
            if spine.turns:
                row = row - (energy[k] @ spine.turning).reshape(m, m) @ one.X[m:]
            for l, D, d in zip(loads[spine.loads], spine.D, spine.load_d, strict=True):
                row = row + l * (D @ one.X + d)
            for l, (E, slot) in zip(loads[spine.spread], spine.E, strict=True):
                row = row + l * (E @ u[slot.where])
            f[at] = f[at] + row
            if spine.varying:
                add(M, at, at, (energy[k][spine.varying] @ spine.varying_mass).reshape(m, m))
            if spine.sloped:
                cross = slopes[k].T @ one.G[:, m:]
                add(M, top, at, cross)
                add(M, at, top, cross.T)
                f[top] = f[top] - slopes[k].T @ (one.G[:, :m] @ one.X[m:])
        if self.gathered.points:
            X, numbers = np.concatenate((z, w)), self._numbers(u)
            for term in self.gathered.points:
                term.add(M, f, t, X, u, numbers)
        return M, f

    def evaluate(self, t: Any, q: Array, v: Array, u: Array) -> tuple[Array, Array]:
        """M and f of the unknowns."""
        z, w, p_tt, spines = self._state(t, q, v)
        M, f = self.whole(t, z, w, u, spines)
        if not self.np:
            return M, f
        free = slice(self.np, None)
        return M[free, free], f[free] - M[free, : self.np] @ p_tt

    def jacobians(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Array, Array]:
        """dR/dq and dR/dv of R = M a - f - A' lambda."""
        z, w, p_tt, spines = self._state(t, q, v)
        b, n, ns = np.concatenate((p_tt, a)), self.N, self.ns
        arguments = np.concatenate((self._arguments(t, z, w, u, spines), *self._further(b, spines, lam)))
        R_s0, R_s1, R_mu, *coefficients = self.scalars.slopes(arguments)
        J_z, J_v = np.zeros((n, n), dtype=z.dtype), np.zeros((n, n), dtype=z.dtype)
        J_z[:ns, :ns], J_v[:ns, :ns] = R_s0, R_s1
        for one in spines:
            self._spine_slopes(J_z, J_v, one, w, b, u, R_mu, coefficients)
        if self.gathered.points:
            J, X, numbers = np.hstack([J_z, J_v]), np.concatenate((z, w)), self._numbers(u)
            for term in self.gathered.points:
                term.add_slopes(J, t, X, b, u, numbers)
            J_z, J_v = J[:, :n], J[:, n:]
        free = slice(self.np, None)
        return J_z[free, free], J_v[free, free]

    def _spine_slopes(
        self, J_z: Array, J_v: Array, one: Motion, w: Array, b: Array, u: Array, R_mu: Array, coefficients: list[Array]
    ) -> None:
        """What one spine adds to dR/dz and dR/dv."""
        c, c_t, r, loads, c_0, c_1, c_t0, c_t1, r_0, r_1, loads_0, loads_1 = coefficients
        spine, top = one.spine, slice(self.ns)
        m, k, at = spine.m, spine.moments, spine.columns
        rates = spine.H @ np.concatenate((w[at], b[at]))
        G_z, G_v, Gt_z, Gt_v = one.G[:, :m], one.G[:, m:], rates[:, :m], rates[:, m:]
        local = ((c_t[k] + r[k]) @ spine.rows_v - c[k] @ spine.rows_z).reshape(m, 2 * m)
        by_0 = G_v.T @ (c_t0[k] + r_0[k]) + (Gt_v - G_z).T @ c_0[k]
        by_1 = G_v.T @ (c_t1[k] + r_1[k]) + (Gt_v - G_z).T @ c_1[k]
        for i, (D, d) in enumerate(zip(spine.D, spine.load_d, strict=True), spine.loads.start):
            local, load = local - loads[i] * D, D @ one.X + d
            by_0, by_1 = by_0 - np.outer(load, loads_0[i]), by_1 - np.outer(load, loads_1[i])
        for i, (E, slot) in enumerate(spine.E, spine.spread.start):
            load = E @ u[slot.where]
            by_0, by_1 = by_0 - np.outer(load, loads_0[i]), by_1 - np.outer(load, loads_1[i])
        add(J_z, at, at, local[:, :m])
        add(J_v, at, at, local[:, m:] + (c[k] @ spine.turning).reshape(m, m))
        add(J_z, at, top, by_0)
        add(J_v, at, top, by_1)
        add(J_z, top, at, R_mu[:, k] @ G_z + c_1[k].T @ Gt_z)
        add(J_v, top, at, R_mu[:, k] @ G_v + c_1[k].T @ (G_z + Gt_v))

    # ---- constraints

    def held(self, t: Any, q: Array, v: Array, u: Array) -> tuple[Array, Array, Array, Array]:
        """g of the holonomic constraints; A, b of A v + b = 0; c of A a + c = 0, for the unknowns."""
        g, whole, b, c = self._held(t, q, v, u)
        A = np.zeros((len(b), self.N - self.np), dtype=whole.dtype)
        A[:, : self.ns - self.np] = whole[:, self.np :]
        _, p_t, p_tt = self.motion(t)
        return g.copy(), A, b + whole[:, : self.np] @ p_t, c + whole[:, : self.np] @ p_tt

    def _held(self, t: Any, q: Array, v: Array, u: Array) -> list[Array]:
        """The same over the whole vector, A of the scalars."""
        p, p_t, _ = self.motion(t)
        s, rate = np.concatenate((p, q))[: self.ns], np.concatenate((p_t, v))[: self.ns]
        return self.scalars.held(np.concatenate(((t,), s, rate, u[self._inputs])))

    # ---- the ledger

    def energies(self, t: Any, q: Array, v: Array) -> tuple[Array]:
        """[kinetic, potential]; of a density, what holds no rate is potential."""
        z, w, _, spines = self._state(t, q, v)
        kinetic, potential, density = self._energies(t, z, w, spines)
        still = np.zeros_like(w)
        *_, rest = self._energies(t, z, still, [Motion(spine, z, still) for spine in self.spines])
        return (np.array([kinetic + density - rest, potential - rest]),)

    def _energies(self, t: Any, z: Array, w: Array, spines: list[Motion]) -> tuple[Any, Any, Any]:
        u = np.zeros(sum(slot.size for slot in self.slots), dtype=z.dtype)
        (found,) = self.scalars.energies(self._arguments(t, z, w, u, spines))
        kinetic, potential, density = found.tolist()
        if self.gathered.points:
            numbers, X = dict.fromkeys(self.scalars.inputs, 0.0), np.concatenate((z, w))
            density += sum(term.density(t, X, u, numbers) for term in self.gathered.points)
        return kinetic, potential, density

    def powers(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Array]:
        """[dissipated, supplied]."""
        z, w, p_tt, spines = self._state(t, q, v)
        b, plain = np.concatenate((p_tt, a)), self._arguments(t, z, w, u, spines)
        (found,) = self.scalars.powers(np.concatenate((plain, *self._further(b, spines, lam))))
        lost, given = found.tolist()
        *_, loss, loads = self.scalars.run(plain)
        for one in spines:
            spine, rate = one.spine, one.X[one.spine.m :]
            lost = lost + loss[spine.moments] @ (one.G[:, spine.m :] @ rate)
            for l, D, d in zip(loads[spine.loads], spine.D, spine.load_d, strict=True):
                given = given + l * ((D @ one.X + d) @ rate)
            for l, (E, slot) in zip(loads[spine.spread], spine.E, strict=True):
                given = given + l * ((E @ u[slot.where]) @ rate)
        if self.gathered.points:
            X, numbers = np.concatenate((z, w)), self._numbers(u)
            for term in self.gathered.points:
                more = term.powers(t, X, b, u, numbers)
                lost, given = lost + more[0], given + more[1]
        if self.np:
            given = given + self.reactions(t, q, v, a, u, lam)[0] @ w[: self.np]
        if len(lam):
            given = given - lam @ self._held(t, q, v, u)[2]
        return (np.array([lost, given]),)

    def reactions(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Array]:
        """The loads that drive the prescribed coordinates."""
        z, w, p_tt, spines = self._state(t, q, v)
        M, f = self.whole(t, z, w, u, spines)
        found = M[: self.np] @ np.concatenate((p_tt, a)) - f[: self.np]
        if len(lam):
            found = found - self._held(t, q, v, u)[1][:, : self.np].T @ lam
        return (found,)
