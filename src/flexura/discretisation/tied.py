"""A system without the axial displacements that bending gives: what an integrator sees has no conditions left of them.

>>> system = TiedFunctions(full, ties).system()
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.discretisation.ties import Ties
from flexura.systems.nonlinear import FieldMap, NonlinearSystem

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class _State:
    """The whole vector at a state of the kept unknowns and its rates, their slopes by what is kept, and 1/A_d."""

    whole: Array
    rates: Array
    slopes: Array
    inverse: Array
    p: int

    @property
    def y(self) -> Array:
        """All unknowns."""
        return self.whole[..., self.p :]

    @property
    def w(self) -> Array:
        """Their rates."""
        return self.rates[..., self.p :]

    @property
    def J(self) -> Array:
        """Slopes of all unknowns by those that are kept."""
        return self.slopes[..., self.p :, self.p :]


class TiedFunctions:
    """The functions of a system in the unknowns that are kept; `full` is the one in all of them, without conditions."""

    def __init__(self, full: NonlinearSystem, ties: Ties) -> None:
        """Prescribed coordinates stand before the unknowns in the whole vector."""
        self.full, self.ties = full, ties
        self.p = len(full.prescribed)
        self.kept = ties.kept[ties.kept >= self.p] - self.p  # among the unknowns
        self.given = ties.given - self.p

    def __reduce__(self) -> tuple[Any, ...]:
        return TiedFunctions, (self.full, self.ties)

    def system(self) -> NonlinearSystem:
        """The system."""
        full, fields, hidden = self.full, dict[str, FieldMap](), dict[str, FieldMap]()
        for name, one in full.fields.items():
            made = _map(one, self)
            (hidden if self._is_given(one) else fields)[name] = made
        return replace(
            full,
            names=tuple(full.names[i] for i in self.kept),
            constant_mass=False,
            linear=False,
            steady=False,
            evaluate=self.evaluate,
            jacobians=self.jacobians,
            position=self.position,
            velocity=self.velocity,
            acceleration=self.acceleration,
            energies=self.energies,
            powers=self.powers,
            reactions=self.reactions,
            residual=None,
            within=self._within if full.within is not None and not self.ties.leans else None,
            fields=fields,
            hidden=hidden,
            anew=self._anew if full.anew else None,
        )

    def _anew(self) -> NonlinearSystem:
        assert self.full.anew is not None
        return TiedFunctions(self.full.anew(), self.ties).system()

    def _within(self, T: Array, names: tuple[str, ...]) -> NonlinearSystem:
        """On a subspace of what is kept: as small as that, and what it can give."""
        p, k = self.p, len(names)
        whole = np.zeros((p + len(self.kept), p + k))
        whole[:p, :p], whole[p:, p:] = np.eye(p), T
        assert self.full.within is not None
        found = self.ties.within(whole)
        assert found is not None
        W, ties = found
        across = np.zeros((self.full.n, k + W.shape[1]))
        across[self.kept, :k], across[self.given, k:] = T, W
        full = self.full.within(across, (*names, *(f"$tied[{i}]" for i in range(W.shape[1]))))
        return TiedFunctions(full, ties).system()

    def _is_given(self, one: FieldMap) -> bool:
        """Whether a field is an axial displacement: its amplitudes are given."""
        table = one.matrix(one.points, 0)[:, : len(self.full.names)]
        return bool(np.any(table[:, self.given])) and not np.any(table[:, self.kept])

    # ---- states

    def _driven(self, t: Any) -> tuple[Array, ...]:
        return tuple(np.asarray(one) for one in self.full.motion(t)) if self.p else ()

    def _joined(self, p: Array | None, kept: Array) -> Array:
        """The whole vector with nothing for what is given."""
        found = np.zeros((*kept.shape[:-1], self.p + self.full.n))
        if p is not None:
            found[..., : self.p] = p
        found[..., self.p + self.kept] = kept
        return found

    def at(self, t: Any, q: Array, v: Array) -> _State:
        """All unknowns and rates."""
        p, p_t = self._driven(t)[:2] if self.p else (None, None)
        whole = self.ties.whole(self._joined(p, q))
        inverse = self.ties.inverse(whole)
        slopes = self.ties.slopes(whole, inverse)
        rates = (slopes @ self._joined(p_t, v)[..., self.ties.kept, None])[..., 0]
        return _State(whole, rates, slopes, inverse, self.p)

    def _accelerations(self, t: Any, state: _State, a: Array) -> Array:
        """Of the whole vector."""
        kept = self._joined(self._driven(t)[2] if self.p else None, a)[..., self.ties.kept]
        found = (state.slopes @ kept[..., None])[..., 0]
        found[..., self.ties.given] += self.ties.convective(state.rates, state.inverse)
        return np.asarray(found)

    # ---- what an integrator asks for

    def evaluate(self, t: Any, q: Array, v: Array, u: Array) -> tuple[Array, Array]:
        """M and f."""
        state = self.at(t, q, v)
        M, f = self.full.evaluate(t, state.y, state.w, u)
        back = np.swapaxes(state.J, -1, -2)
        still = self._accelerations(t, state, np.zeros_like(q))
        force = f - (M @ still[..., self.p :, None])[..., 0]
        found = back @ M @ state.J
        return (found + np.swapaxes(found, -1, -2)) / 2, (back @ force[..., None])[..., 0]

    def _forces(self, t: Any, state: _State, b: Array, u: Array, lam: Array) -> tuple[Array, Array]:
        """M, and R = M b - f - A' lambda of all unknowns."""
        M, f = self.full.evaluate(t, state.y, state.w, u)
        R = (M @ b[..., None])[..., 0] - f
        if self.full.m:
            A = self.full.velocity(t, state.y)[0]
            R = R - (np.swapaxes(A, -1, -2) @ lam[..., None])[..., 0]
        return M, R

    def jacobians(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Array, Array]:
        """dR/dq and dR/dv of R = J' (M b - f - A' lambda)."""
        state, ties, p = self.at(t, q, v), self.ties, self.p
        whole = self._accelerations(t, state, a)
        b = whole[..., p:]
        M, R = self._forces(t, state, b, u, lam)
        K, C = self.full.jacobians(t, state.y, state.w, b, u, lam)
        J = state.slopes[..., p:]
        by_rates = ties.turned(state.rates, state.inverse, J)
        by_accelerations = ties.turned(whole, state.inverse, J) + ties.leaned(state.rates, state.inverse, by_rates)
        turned = K @ state.J + C[..., self.given] @ by_rates + M[..., self.given] @ by_accelerations
        moved = C @ state.J + 2 * M[..., self.given] @ by_rates
        back = np.swapaxes(state.J, -1, -2)
        return back @ turned + ties.pushed(R[..., self.given], state.inverse, J), back @ moved

    def position(self, t: Any, q: Array) -> Array:
        """g of the conditions that are left."""
        return self.full.position(t, self.at(t, q, np.zeros_like(q)).y)

    def velocity(self, t: Any, q: Array) -> tuple[Array, Array]:
        """A and b of A v + b = 0."""
        state = self.at(t, q, np.zeros_like(q))
        A, b = self.full.velocity(t, state.y)
        return A @ state.J, b + (A @ state.w[..., None])[..., 0]

    def acceleration(self, t: Any, q: Array, v: Array) -> Array:
        """c of A a + c = 0."""
        state = self.at(t, q, v)
        A = self.full.velocity(t, state.y)[0]
        found = self.full.acceleration(t, state.y, state.w)
        still = self._accelerations(t, state, np.zeros_like(q))[..., self.p :]
        return np.asarray(found + (A @ still[..., None])[..., 0])

    def energies(self, t: Any, q: Array, v: Array) -> tuple[Any, Any]:
        """T and V."""
        state = self.at(t, q, v)
        return self.full.energies(t, state.y, state.w)

    def powers(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Any, Any]:
        """Dissipated and supplied; what ties members to their bending does no work but on given motions."""
        state = self.at(t, q, v)
        b = self._accelerations(t, state, a)[..., self.p :]
        lost, given = self.full.powers(t, state.y, state.w, b, u, lam)
        if self.p:
            given = given + (self._passed_on(t, state, b, u, lam) * state.rates[..., : self.p]).sum(axis=-1)
        return lost, given

    def reactions(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> Array:
        """The loads that drive prescribed coordinates."""
        state = self.at(t, q, v)
        b = self._accelerations(t, state, a)[..., self.p :]
        found = self.full.reactions(t, state.y, state.w, b, u, lam)
        return found + self._passed_on(t, state, b, u, lam) if self.p else found

    def _passed_on(self, t: Any, state: _State, b: Array, u: Array, lam: Array) -> Array:
        """What the forces on what is given ask of given motions."""
        R = self._forces(t, state, b, u, lam)[1][..., self.given]
        slopes = state.slopes[..., self.ties.given, : self.p]
        return np.asarray((np.swapaxes(slopes, -1, -2) @ R[..., None])[..., 0])


def _map(one: FieldMap, functions: TiedFunctions) -> FieldMap:
    """A field over what is kept, or as that gives it."""
    table = one.matrix(one.points, 0)
    given = _Given(one, functions) if np.any(table[:, functions.given]) else None
    lift = None if one.lift is None else _Lift(one.lift, functions)
    return replace(one, matrix=_Table(one, functions), lift=lift, given=given)


@dataclass(frozen=True, eq=False)
class _Table:
    one: FieldMap
    functions: TiedFunctions

    def __call__(self, x: Array, derivative: int) -> Array:
        whole, n = self.one.matrix(x, derivative), self.functions.full.n
        return np.hstack([whole[:, self.functions.kept], whole[:, n:]])


@dataclass(frozen=True, eq=False)
class _Given:
    """A field that holds what is given."""

    one: FieldMap
    functions: TiedFunctions

    def values(self, x: Array, derivative: int, t: Array, q: Array, v: Array | None) -> Array:
        """Of the field, or of its rate."""
        state = self.functions.at(t, q, np.zeros_like(q) if v is None else v)
        p = self.functions.p
        moved = state.whole if v is None else state.rates
        table = self.one.matrix(x, derivative)
        n = table.shape[1] - p
        return np.asarray(moved[..., p:] @ table[:, :n].T + moved[..., :p] @ table[:, n:].T)

    def slopes(self, x: Array, derivative: int, t: Array, q: Array) -> Array:
        """By the unknowns."""
        state = self.functions.at(t, q, np.zeros_like(q))
        return np.asarray(self.one.matrix(x, derivative)[:, : self.functions.full.n] @ state.J)


@dataclass(frozen=True, eq=False)
class _Lift:
    """What given end values add to a field, or to its rate."""

    lift: Callable[[Array, int, float, Array, Array, int], Array]
    functions: TiedFunctions

    def __call__(self, x: Array, derivative: int, t: float, q: Array, v: Array, rate: int) -> Array:
        state = self.functions.at(t, np.asarray(q, dtype=np.float64), np.asarray(v, dtype=np.float64))
        return self.lift(x, derivative, t, state.y, state.w, rate)


def tied_system(full: NonlinearSystem, ties: Ties | None) -> NonlinearSystem:
    """The system without what its ties give."""
    return full if ties is None else TiedFunctions(full, ties).system()
