"""A phase in which all that is held rides on members, without its conditions: each rider is where its member is.

    >>> ridden = Ridden.of(phase)                      # None where something else holds, or pushes
    >>> z, w = ridden.without(q, v); q, v = ridden.whole(t, z, w)

What rides is at y = w(p, t) exactly, so its unknown is no unknown: y_t = w_t + p_t w_x, and y_tt = w_tt + c. With the
rates v = J z_t + b the equations are J' (M (J z_tt + c) - f) = 0, of one state or of many at once, so that steps are
taken together and stiff members are followed as they are without riders. A given place supplies the power of what
holds the rider, times p_t w_x.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.solve.runs.phases import Phase
from flexura.solve.runs.riding import Riding
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_STACKED = 32  # states that are evaluated together in the time of one: all of it is NumPy on small arrays


@dataclass(frozen=True, eq=False)
class _Rider:
    """The shapes where one rides, and their slopes, at many states; where it goes."""

    across: int
    own: int | None
    value: Array
    slope: Array
    bend: Array
    rate: Array
    more: Array
    steep: Array


@dataclass(frozen=True, eq=False)
class _States:
    """All unknowns at many states, and how their rates and accelerations follow from those that are kept."""

    t: Any
    q: Array
    v: Array
    J: Array
    b: Array
    c: Array
    riders: tuple[_Rider, ...]


@dataclass(frozen=True, eq=False)
class Ridden:
    """The system of a phase over the unknowns that stay."""

    base: NonlinearSystem
    riding: tuple[tuple[int, Riding], ...]

    @classmethod
    def of(cls, phase: Phase) -> Ridden | None:
        """Of a phase in which nothing but riders is held, and nothing else pushes."""
        riding = tuple((one.across, one.riding) for one in phase.held if one.riding is not None)
        if not riding or len(riding) < len(phase.held) or phase.forced or phase.base.m or not phase.base.stacks:
            return None
        return cls(phase.base, riding)

    # -- unknowns ------------------------------------------------------------------------------------------------------

    @cached_property
    def kept(self) -> NDArray[np.int64]:
        """The unknowns that stay."""
        gone = {across for across, _ in self.riding}
        return np.array([i for i in range(self.base.n) if i not in gone], dtype=np.int64)

    def without(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Those that stay."""
        return q[..., self.kept], v[..., self.kept]

    def whole(self, t: Any, z: Array, w: Array) -> tuple[Array, Array]:
        """All, from those that stay; of one state or of many."""
        if z.ndim > 1:
            found = self._states(t, z, w)
            return found.q, found.v
        q, v = self.spread(z), self.spread(w)
        for across, riding in self.riding:
            q[across], v[across] = riding.followed(t, q, v)
        return q, v

    def spread(self, z: Array) -> Array:
        """In their places among all, riders left at zero: enough for deflections, and for places along members."""
        found = np.zeros(self.base.n)
        found[self.kept] = z
        return found

    def _states(self, t: Any, z: Array, w: Array) -> _States:
        many, k, n = np.ndim(t) > 0, len(np.atleast_2d(z)), self.base.n
        times = t if many else np.full(k, float(t))
        q, v, c = np.zeros((k, n)), np.zeros((k, n)), np.zeros((k, n))
        q[:, self.kept], v[:, self.kept] = z, w
        J, b = np.zeros((k, n, len(self.kept))), np.zeros((k, n))
        J[:, self.kept, np.arange(len(self.kept))] = 1.0
        riders = []
        for across, riding in self.riding:
            p, rate, more = riding.path(times, q, v)
            tables = riding.tables(np.clip(p, *riding.reach))
            value, slope, bend = (tables[:, riding.couple + i] for i in range(3))
            steep = np.einsum("kn,kn->k", slope, q)
            turned = np.einsum("kn,kn->k", slope, v)
            q[:, across] = np.einsum("kn,kn->k", value, q)
            b[:, across] = 0.0 if riding.own is not None else rate * steep
            v[:, across] = np.einsum("kn,kn->k", value, v) + rate * steep
            c[:, across] = 2 * rate * turned + rate**2 * np.einsum("kn,kn->k", bend, q) + more * steep
            J[:, across] = value[:, self.kept]
            if riding.own is not None:
                J[:, across, self._place(riding.own)] += steep
            riders.append(_Rider(across, riding.own, value, slope, bend, rate, more, steep))
        return _States(times, q, v, J, b, c, tuple(riders))

    def _place(self, own: int) -> int:
        return int(np.flatnonzero(self.kept == own)[0])

    # -- equations -----------------------------------------------------------------------------------------------------

    def _evaluate(self, t: Any, z: Array, w: Array, u: Array) -> tuple[Array, Array]:
        one = self._states(t, z, w)
        M, f = self._own(one, z.ndim > 1, t, u)
        back = np.swapaxes(one.J, 1, 2)
        mass = back @ M @ one.J
        force = (back @ (f - (M @ one.c[..., None])[..., 0])[..., None])[..., 0]
        return (mass, force) if z.ndim > 1 else (mass[0], force[0])

    def _own(self, one: _States, many: bool, t: Any, u: Array) -> tuple[Array, Array]:
        """M and f of the system itself, as of many states."""
        if many:
            M, f = self.base.evaluate(one.t, one.q, one.v, u)
            return np.asarray(M), np.asarray(f)
        M, f = self.base.evaluate(float(t), one.q[0], one.v[0], u)
        return M[None], f[None]

    def _residual(self, one: _States, a: Array, M: Array, f: Array) -> tuple[Array, Array]:
        """All accelerations, and M a - f: what holds the riders, in their rows."""
        whole = (one.J @ a[..., None])[..., 0] + one.c
        return whole, (M @ whole[..., None])[..., 0] - f

    def _jacobians(self, t: Any, z: Array, w: Array, a: Array, u: Array, lam: Array) -> tuple[Array, Array]:
        """dR/dz and dR/dz_t, but for third derivatives of shapes: Newton's method needs them roughly."""
        many, one = z.ndim > 1, self._states(t, z, w)
        M, f = (np.array(each) for each in self._own(one, many, t, u))
        rows = np.atleast_2d(a)
        whole, rest = self._residual(one, rows, M, f)
        if many:
            K, C = self.base.jacobians(one.t, one.q, one.v, whole, u, np.zeros((len(rows), 0)))
        else:
            K, C = (x[None] for x in self.base.jacobians(float(t), one.q[0], one.v[0], whole[0], u, lam))
        B, V, D, more = self._slopes(one, whole, rest)
        back = np.swapaxes(one.J, 1, 2)
        found = back @ (K @ one.J + C @ B + M @ D) + more, back @ (C @ one.J + M @ V)
        return found if many else (found[0][0], found[1][0])

    def _slopes(self, one: _States, a: Array, rest: Array) -> tuple[Array, Array, Array, Array]:
        """By z: rates, and accelerations; by z_t: accelerations; by z what J changes of what holds the riders."""
        k, n, m = one.J.shape
        B, V, D, turned = np.zeros((k, n, m)), np.zeros((k, n, m)), np.zeros((k, n, m)), np.zeros((k, m, m))

        def dot(x: Array, y: Array) -> Array:
            return np.asarray(np.einsum("kn,kn->k", x, y))

        for x in one.riders:
            slope, bend, rate, row = x.slope[:, self.kept], x.bend[:, self.kept], x.rate[:, None], x.across
            own = None if x.own is None else self._place(x.own)
            more = x.more[:, None] if x.own is None else a[:, x.own, None]
            B[:, row] = rate * slope
            V[:, row] = 2 * rate * slope
            D[:, row] = rate**2 * bend + more * slope
            if own is None:
                continue
            curved = dot(x.bend, one.q)
            B[:, row, own] += dot(x.slope, one.v) + x.rate * curved
            V[:, row, own] += 2 * (dot(x.slope, one.v) + x.rate * curved)
            D[:, row, own] += dot(x.slope, a) + 2 * x.rate * dot(x.bend, one.v) + more[:, 0] * curved
            held = rest[:, row]
            turned[:, :, own] += held[:, None] * slope
            turned[:, own, :] += held[:, None] * slope
            turned[:, own, own] += held * curved
        return B, V, D, turned

    def _powers(self, t: Any, z: Array, w: Array, a: Array, u: Array, lam: Array) -> tuple[Any, Any]:
        many, one = z.ndim > 1, self._states(t, z, w)
        M, f = (np.array(each) for each in self._own(one, many, t, u))
        whole, rest = self._residual(one, np.atleast_2d(a), M, f)
        given = np.einsum("kn,kn->k", rest, one.b)
        if many:
            lost, supplied = self.base.powers(one.t, one.q, one.v, whole, u, np.zeros((len(given), 0)))
            return lost, supplied + given
        lost, supplied = self.base.powers(float(t), one.q[0], one.v[0], whole[0], u, lam)
        return lost, supplied + float(given[0])

    def _energies(self, t: Any, z: Array, w: Array) -> tuple[Any, Any]:
        return self.base.energies(t, *self.whole(t, z, w))

    @cached_property
    def system(self) -> NonlinearSystem:
        """The equations of the unknowns that stay; reactions are those of the phase."""
        nothing = np.zeros(0)
        timed = all(riding.own is None for _, riding in self.riding)
        return replace(
            self.base,
            names=tuple(self.base.names[i] for i in self.kept),
            constant_mass=False,
            linear=self.base.linear and timed,
            steady=False,
            stacked=_STACKED,
            explicit_time=True,
            evaluate=self._evaluate,
            jacobians=self._jacobians,
            powers=self._powers,
            energies=self._energies,
            position=lambda t, z: nothing,
            velocity=lambda t, z: (np.zeros((0, len(self.kept))), nothing),
            acceleration=lambda t, z, w: nothing,
            fields={},
            hidden={},
            residual=None,
            forces=None,
            rate_free=False,
            within=None,
            anew=None,
            fed=None,
        )
