"""A discretised Lagrangian evaluated: scalars from compiled programs, amplitudes from forms, points where need be.

With G_k = H_k X + d_k the slope of a moment (halves z and v), G_k' = H_k X' its rate and c_k' = D_t c_k, the rows of
what moves a spine are

    R = sum_k c_k' G_k,v + c_k (G_k',v - G_k,z) + r_k G_k,v - loads

and the scalars' rows hold mu_k and mu_k' = G_k . X' through the programs. Vectors are over the whole: prescribed
coordinates first, then the unknowns. Everything takes symbols too, and is traced with them (`program.py`), and stacks
of states, (states, entries) with as many times, which it evaluates at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.discretisation.driving import Driving
from flexura.discretisation.gather import Gathered
from flexura.discretisation.idle import idle_inputs
from flexura.discretisation.program import Program, symbolic
from flexura.discretisation.scalars import Scalars
from flexura.discretisation.spines import SpineMotion, SpineNumbers, add, dot, on_subspace, turned
from flexura.symbolic.engine import TIME, Symbol, partial

Array = NDArray[Any]
State = tuple[Array, Array, Array, list[SpineMotion]]
NONE = np.zeros(0)


class RitzSystem:
    """Evaluates one discretised Lagrangian, or (see `within`) one on a subspace of its unknowns."""

    def __init__(self, gathered: Gathered, T: Array | None = None, scalars: Scalars | None = None) -> None:
        self.gathered, self.layout = gathered, gathered.layout
        self.scalars = scalars or Scalars(gathered)
        self.T = T
        self.ns, self.np = len(self.layout.scalars), self.layout.prescribed
        self.N = self.layout.size if T is None else T.shape[1]
        self.top = slice(self.ns) if T is None else slice(None)  # the rows that scalars' equations belong to
        self._S = None if T is None else (T[: self.ns], symbolic(T[: self.ns]))
        self.spines = self._spines()
        self.K = sum(spine.K for spine in self.spines)
        self._mass = np.zeros((self.N, self.N))
        for spine in self.spines:
            add(self._mass, spine.columns, spine.columns, spine.constant_mass)
        self._inputs = [self._input_slot(symbol) for symbol in self.scalars.inputs]
        self._averages = [(row, slot) for _, row, slot in gathered.averages]
        gathered.keep_idle(idle_inputs(gathered.energies, gathered.slots.values()))
        self.slots = tuple(gathered.slots.values())

    def __reduce__(self) -> tuple[Any, ...]:
        return RitzSystem, (self.gathered, self.T, self.scalars)

    def _spines(self) -> list[SpineNumbers]:
        found, first, load = list[SpineNumbers](), 0, 0
        spread = sum(len(one.loads) for one in self.gathered.spines)
        for forms in self.gathered.spines:
            forms = forms if self.T is None else on_subspace(forms, self.T)
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

    def within(self, T: Array) -> RitzSystem:
        """The same with unknowns z, q = T z; prescribed coordinates stay, and what is compiled is shared."""
        p = self.np
        whole = np.zeros((self.N, p + T.shape[1]))
        whole[:p, :p], whole[p:, p:] = np.eye(p), T
        return RitzSystem(self.gathered, whole, self.scalars)

    # ---- scalars, which are the first unknowns, or combinations S of all of them

    def _scalars(self, z: Array) -> Array:
        return z[..., : self.ns] if self._S is None else z @ self._S[z.dtype.hasobject].T

    def _down(self, block: Array) -> Array:
        """Rows of scalars as rows of `top`."""
        return block if self._S is None else self._S[block.dtype.hasobject].T @ block

    def _right(self, block: Array) -> Array:
        """Columns of scalars as columns of `top`."""
        return block if self._S is None else block @ self._S[block.dtype.hasobject]

    # ---- the state

    @cached_property
    def driving(self) -> Driving:
        """What drives prescribed coordinates from outside."""
        return Driving(self.layout)

    @cached_property
    def _motion(self) -> Program:
        jets, rows = self.layout.energies.jets, []
        for f in self.layout.energies.prescribed.values():
            f = self.layout.numbers.tree(f)
            first = jets.D_t(f)
            rows.append([f, first, jets.D_t(first)])
        return Program([TIME, *self.driving.symbols], {"motion": rows})

    def motion(self, t: Any) -> tuple[Array, Array, Array]:
        """Prescribed coordinates, rates, accelerations."""
        if not self.np:
            return NONE, NONE, NONE
        (found,) = self._motion(_joined(_column(t), self.driving(t)) if self.driving.symbols else _column(t))
        p = found.copy()
        return p[..., 0], p[..., 1], p[..., 2]

    def _state(self, t: Any, q: Array, v: Array) -> State:
        """The whole vector, its rates, the prescribed accelerations, and the spines."""
        p_tt = NONE
        if self.np:
            p, p_t, p_tt = self.motion(t)
            q, v = _joined(p, q), _joined(p_t, v)
        return q, v, p_tt, [SpineMotion(spine, q, v) for spine in self.spines]

    def _arguments(self, t: Any, z: Array, w: Array, u: Array, spines: list[SpineMotion]) -> Array:
        ns, given = self.ns, len(self._inputs)
        found = np.empty((*z.shape[:-1], 1 + 2 * ns + given + len(self._averages) + self.K), dtype=z.dtype)
        found[..., 0] = t
        found[..., 1 : 1 + ns], found[..., 1 + ns : 1 + 2 * ns] = self._scalars(z), self._scalars(w)
        at = 1 + 2 * ns
        if given:
            found[..., at : at + given] = u[..., self._inputs]
        for i, (row, slot) in enumerate(self._averages, at + given):
            found[..., i] = u[..., slot.where] @ row
        at += given + len(self._averages)
        for one in spines:
            found[..., at : at + one.spine.K] = one.mu
            at += one.spine.K
        return found

    def _further(self, b: Array, spines: list[SpineMotion], lam: Array) -> tuple[Array, ...]:
        """Accelerations of scalars, rates of moments, multipliers."""
        rates = [dot(one.G, _joined(one.X[..., one.spine.m :], b[..., one.spine.columns])) for one in spines]
        return self._scalars(b), *rates, lam

    def _numbers(self, u: Array) -> dict[Symbol, Array]:
        return {symbol: u[..., i] for symbol, i in zip(self.scalars.inputs, self._inputs, strict=True)}

    # ---- M a = f

    def whole(self, t: Any, z: Array, w: Array, u: Array, spines: list[SpineMotion]) -> tuple[Array, Array]:
        """M and f over the whole vector."""
        run = self.scalars.run(self._arguments(t, z, w, u, spines))
        M, f = self._masses(run, z, spines), self._forces(run, z, u, spines)
        for term in self.gathered.points:
            term.add(M, f, t, _joined(z, w), u, self._numbers(u))
        return M, f

    def _masses(self, run: list[Array], z: Array, spines: list[SpineMotion]) -> Array:
        """M but for what is taken at points."""
        top, (mass, _, _, energy, slopes, _, _), lead = self.top, run, z.shape[:-1]
        M = symbolic(self._mass) if z.dtype.hasobject else np.tile(self._mass, (*lead, 1, 1))
        add(M, top, top, self._down(self._right(mass)))
        for one in spines:
            spine = one.spine
            k, at = spine.moments, spine.columns
            if spine.varying:
                add(M, at, at, one.mixed(energy[..., k][..., spine.varying], spine.varying_mass))
            if spine.sloped:
                cross = self._down(turned(slopes[..., k, :]) @ one.G[..., spine.m :])
                add(M, top, at, cross)
                add(M, at, top, turned(cross))
        return M

    def _forces(self, run: list[Array], z: Array, u: Array, spines: list[SpineMotion]) -> Array:
        """f but for what is taken at points."""
        top, (_, forces, weights, energy, slopes, _, loads), lead = self.top, run, z.shape[:-1]
        f = np.zeros((*lead, self.N), dtype=z.dtype)
        f[..., top] = self._right(forces)
        for one in spines:
            spine = one.spine
            m, k, at = spine.m, spine.moments, spine.columns
            row = dot(turned(one.G.reshape(*lead, 2 * spine.K, m)), weights[..., k, :].reshape(*lead, 2 * spine.K))
            if spine.turns:
                row = row - dot(one.mixed(energy[..., k], spine.turning), one.X[..., m:])
            for l, load in self._line_loads(one, loads, u):
                row = row + l * load
            f[..., at] = f[..., at] + row
            if spine.sloped:
                by_rates = turned(slopes[..., k, :])
                f[..., top] = f[..., top] - self._right(dot(by_rates, dot(one.G[..., :m], one.X[..., m:])))
        return f

    def forces(self, t: Any, q: Array, v: Array, u: Array) -> Array:
        """f of the unknowns, where M never changes: without making M again."""
        z, w, p_tt, spines = self._state(t, q, v)
        f = self._forces(self.scalars.run(self._arguments(t, z, w, u, spines)), z, u, spines)
        X, numbers = _joined(z, w), self._numbers(u)
        for term in self.gathered.points:
            term.add(NONE, f, t, X, u, numbers)
        if not self.np:
            return f
        return np.asarray(f[..., self.np :] - p_tt @ self._driven_mass.T)

    @cached_property
    def _driven_mass(self) -> Array:
        """The part of a mass matrix that never changes which meets the prescribed accelerations."""
        z = np.zeros(self.N)
        u = np.zeros(sum(slot.size for slot in self.slots))
        return self.whole(0.0, z, z, u, [SpineMotion(spine, z, z) for spine in self.spines])[0][self.np :, : self.np]

    @staticmethod
    def _line_loads(one: SpineMotion, loads: Array, u: Array) -> Iterator[tuple[Array, Array]]:
        """(coefficient, load) of what acts along a spine."""
        spine = one.spine
        for i, D, d in zip(range(spine.loads.start, spine.loads.stop), spine.D, spine.load_d, strict=True):
            yield loads[..., i, None], one.X @ D.T + d
        for i, (E, slot) in zip(range(spine.spread.start, spine.spread.stop), spine.E, strict=True):
            yield loads[..., i, None], u[..., slot.where] @ E.T

    def evaluate(self, t: Any, q: Array, v: Array, u: Array) -> tuple[Array, Array]:
        """M and f of the unknowns."""
        z, w, p_tt, spines = self._state(t, q, v)
        M, f = self.whole(t, z, w, u, spines)
        if not self.np:
            return M, f
        free = slice(self.np, None)
        return M[..., free, free], f[..., free] - dot(M[..., free, : self.np], p_tt)

    def residual(self, t: Any, q: Array, v: Array, a: Array, u: Array) -> Array:
        """R = M a - f row by row, without M: in time proportional to the trees, however many unknowns there are."""
        z, w, p_tt, spines = self._state(t, q, v)
        b = _joined(p_tt, a) if self.np else a
        none = np.zeros((*q.shape[:-1], len(self.scalars.multipliers)))
        arguments = _joined(self._arguments(t, z, w, u, spines), *self._further(b, spines, none))
        rows, c, c_t, r, loads = self.scalars.rows(arguments)
        R = np.zeros(z.shape)
        R[..., self.top] = self._right(rows)
        for one in spines:
            m, k, at = one.spine.m, one.spine.moments, one.spine.columns
            rates = one.spine.sloping(_joined(w[..., at], b[..., at])).reshape(one.G.shape)
            row = dot(turned(one.G[..., m:]), c_t[..., k] + r[..., k])
            row = row + dot(turned(rates[..., m:] - one.G[..., :m]), c[..., k])
            for l, load in self._line_loads(one, loads, u):
                row = row - l * load
            R[..., at] = R[..., at] + row
        return R[..., self.np :]

    def jacobians(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Array, Array]:
        """dR/dq and dR/dv of R = M a - f - A' lambda."""
        z, w, p_tt, spines = self._state(t, q, v)
        b, n = _joined(p_tt, a) if self.np else a, self.N
        arguments = _joined(self._arguments(t, z, w, u, spines), *self._further(b, spines, self._of_scalars(lam)))
        R_s0, R_s1, R_mu, *coefficients = self.scalars.slopes(arguments)
        J = np.zeros((*z.shape[:-1], n, 2 * n), dtype=z.dtype)
        J_z, J_v = J[..., :n], J[..., n:]
        J_z[..., self.top, self.top] = self._down(self._right(R_s0))
        J_v[..., self.top, self.top] = self._down(self._right(R_s1))
        for one in spines:
            self._spine_slopes(J_z, J_v, one, w, b, u, R_mu, coefficients)
        for term in self.gathered.points:
            term.add_slopes(J, t, _joined(z, w), b, u, self._numbers(u))
        first = len(self.scalars.multipliers)
        for condition in self.gathered.along:
            J_z -= condition.bent(t, z, lam[..., first : first + condition.count])
            first += condition.count
        free = slice(self.np, None)
        return J_z[..., free, free], J_v[..., free, free]

    def _spine_slopes(
        self,
        J_z: Array,
        J_v: Array,
        one: SpineMotion,
        w: Array,
        b: Array,
        u: Array,
        R_mu: Array,
        coefficients: list[Array],
    ) -> None:
        """What one spine adds to dR/dz and dR/dv."""
        spine, top, k = one.spine, self.top, one.spine.moments
        c, c_t, r, loads = (found[..., k] if i < 3 else found for i, found in enumerate(coefficients[:4]))
        c_0, c_1, c_t0, c_t1, r_0, r_1 = (found[..., k, :] for found in coefficients[4:10])
        loads_0, loads_1 = coefficients[10:]
        m, at = spine.m, spine.columns
        rates = spine.sloping(_joined(w[..., at], b[..., at])).reshape(one.G.shape)
        G_z, G_v, Gt_z, Gt_v = one.G[..., :m], one.G[..., m:], rates[..., :m], rates[..., m:]
        local = one.mixed(c_t + r, spine.rows_v) - one.mixed(c, spine.rows_z)
        by_0 = turned(G_v) @ (c_t0 + r_0) + turned(Gt_v - G_z) @ c_0
        by_1 = turned(G_v) @ (c_t1 + r_1) + turned(Gt_v - G_z) @ c_1
        for i, D in zip(range(spine.loads.start, spine.loads.stop), spine.D, strict=True):
            local = local - loads[..., i, None, None] * D
        acting = [*range(spine.loads.start, spine.loads.stop), *range(spine.spread.start, spine.spread.stop)]
        for i, (_, load) in zip(acting, self._line_loads(one, loads, u), strict=True):
            by_0 = by_0 - load[..., :, None] * loads_0[..., i, None, :]
            by_1 = by_1 - load[..., :, None] * loads_1[..., i, None, :]
        add(J_z, at, at, local[..., :m])
        add(J_v, at, at, local[..., m:] + one.mixed(c, spine.turning))
        add(J_z, at, top, self._right(by_0))
        add(J_v, at, top, self._right(by_1))
        add(J_z, top, at, self._down(R_mu[..., k] @ G_z + turned(c_1) @ Gt_z))
        add(J_v, top, at, self._down(R_mu[..., k] @ G_v + turned(c_1) @ (G_z + Gt_v)))

    # ---- constraints

    def held(self, t: Any, q: Array, v: Array, u: Array) -> tuple[Array, Array, Array, Array]:
        """g of the holonomic constraints; A, b of A v + b = 0; c of A a + c = 0, for the unknowns."""
        g, A, b, c = self._held(t, q, v, u)
        if not self.np:
            return g, A, b, c
        _, p_t, p_tt = self.motion(t)
        given = A[..., : self.np]
        return g, A[..., self.np :], b + dot(given, p_t), c + dot(given, p_tt)

    def _held(self, t: Any, q: Array, v: Array, u: Array) -> tuple[Array, Array, Array, Array]:
        """The same over the whole vector: conditions on scalars, then those along spines."""
        if self.np:
            p, p_t, _ = self.motion(t)
            q, v = _joined(p, q), _joined(p_t, v)
        arguments = _joined(_column(t), self._scalars(q), self._scalars(v), u[..., self._inputs])
        g, own, b, c = (one.copy() for one in self.scalars.held(arguments))
        A = np.zeros((*b.shape, self.N), dtype=own.dtype)
        A[..., self.top] = self._right(own)
        if not self.gathered.along:
            return g, A, b, c
        along = [one.held(t, q, v) for one in self.gathered.together]
        g, b, c = (_joined(first, *(one[i] for one in along)) for i, first in ((0, g), (2, b), (3, c)))
        return g, np.concatenate([A, *(one[1] for one in along)], axis=-2), b, c

    def _of_scalars(self, lam: Array) -> Array:
        """The multipliers of the conditions on scalars."""
        return lam[..., : len(self.scalars.multipliers)]

    # ---- the energy balance

    def energies(self, t: Any, q: Array, v: Array) -> tuple[Array]:
        """[kinetic, potential]; of a density, what holds no rate is potential."""
        z, w, _, spines = self._state(t, q, v)
        kinetic, potential, density = self._energies(t, z, w, spines)
        still = np.zeros_like(w)
        *_, rest = self._energies(t, z, still, [SpineMotion(spine, z, still) for spine in self.spines])
        return (np.stack([kinetic + (density - rest), potential - rest], axis=-1),)

    def _energies(self, t: Any, z: Array, w: Array, spines: list[SpineMotion]) -> tuple[Any, Any, Any]:
        u = np.zeros((*z.shape[:-1], sum(slot.size for slot in self.slots)), dtype=z.dtype)
        (found,) = self.scalars.energies(self._arguments(t, z, w, u, spines))
        kinetic, potential, density = (found[..., i].copy() for i in range(3))
        for term in self.gathered.points:
            density += term.density(t, _joined(z, w), u, self._numbers(u))
        return kinetic, potential, density

    def powers(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Array]:
        """[dissipated, supplied]."""
        z, w, p_tt, spines = self._state(t, q, v)
        b, plain = _joined(p_tt, a) if self.np else a, self._arguments(t, z, w, u, spines)
        (found,) = self.scalars.powers(_joined(plain, *self._further(b, spines, self._of_scalars(lam))))
        powers = found.copy()
        *_, loss, loads = self.scalars.run(plain)
        for one in spines:
            spine, rate = one.spine, one.X[..., one.spine.m :]
            powers[..., 0] += (loss[..., spine.moments] * dot(one.G[..., spine.m :], rate)).sum(axis=-1)
            for l, load in self._line_loads(one, loads, u):
                powers[..., 1] += (l * load * rate).sum(axis=-1)
        for term in self.gathered.points:
            lost, given = term.powers(t, _joined(z, w), b, u, self._numbers(u))
            powers[..., 0] += lost
            powers[..., 1] += given
        if self.np:
            powers[..., 1] += (self.reactions(t, q, v, a, u, lam)[0] * w[..., : self.np]).sum(axis=-1)
        if lam.shape[-1]:
            powers[..., 1] -= (lam * self._held(t, q, v, u)[2]).sum(axis=-1)
        return (powers,)

    def reactions(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Array]:
        """The loads that drive the prescribed coordinates."""
        z, w, p_tt, spines = self._state(t, q, v)
        M, f = self.whole(t, z, w, u, spines)
        found = dot(M[..., : self.np, :], _joined(p_tt, a)) - f[..., : self.np]
        if lam.shape[-1]:
            found = found - dot(turned(self._held(t, q, v, u)[1][..., : self.np]), lam)
        return (found,)


def _joined(*parts: Array) -> Array:
    """One after the other, of stacks too."""
    return np.concatenate(parts, axis=-1)


def _column(t: Any) -> Array:
    """A time as a vector of one, times as a stack of such."""
    return np.asarray(t)[..., None]
