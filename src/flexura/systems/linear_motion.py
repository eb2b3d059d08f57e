"""Linear systems as equations of motion: M x'' + (D + G) x' + (K + H) x = f + B u, the matrices constant or given by t.

    >>> system = motion_of(matrices, B, slots)        # a NonlinearSystem: any stepper follows it, events are found
    >>> system.evaluate(t, x, v, u), system.energies(t, x, v)

Everything is dense here; beyond `LARGEST` unknowns that is refused, and special steppers for sparse matrices are left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.systems.nonlinear import InputSlot, NonlinearSystem
from flexura.systems.second_order import SecondOrderSystem, as_dense

Array = NDArray[np.float64]
LARGEST = 600  # unknowns: a step by dense matrices, with all that is checked of it, then takes about 0.7 s
_NODES = np.arange(-2.0, 3.0)  # of the polynomial whose slope is the rate of a matrix


class Coefficients(NamedTuple):
    """The matrices and the load at one time, dense. `C` is D + G, `R` is K + H; `W` holds what works without being
    energy: the part of C beyond D that is not skew."""

    M: Array
    C: Array
    R: Array
    f: Array
    D: Array
    K: Array
    H: Array
    W: Array

    @classmethod
    def of(cls, M: Any, D: Any, G: Any, K: Any, H: Any, f: Array, skew: bool = True) -> Coefficients:
        """From matrices of any kind, None where there is none."""
        n = M.shape[0]
        given = [np.zeros((n, n)) if one is None else np.asarray(as_dense(one)) for one in (M, D, G, K, H)]
        M, D, G, K, H = given
        return cls(M, D + G, K + H, f, D, K, H, np.zeros((n, n)) if skew else G)


def motion_of(system: SecondOrderSystem, B: Any, slots: Sequence[InputSlot]) -> NonlinearSystem:
    """A system of matrices as equations of motion, B u(t) its loads, the entries of u in `slots`."""
    _refuse_large(system.n)
    kept = Coefficients.of(system.M, system.D, system.G, system.K, system.H, np.zeros(system.n))
    return _system(system.names, _Constant(kept, np.asarray(as_dense(B))), slots, True)


def varying_motion_of(
    names: Sequence[str],
    at: Callable[[float], Coefficients],
    B: Any,
    slots: Sequence[InputSlot],
    edges: Array,
    constant_mass: bool = True,
) -> NonlinearSystem:
    """The same with matrices that depend on t; they are smooth between `edges`, the first and last time among them."""
    _refuse_large(len(names))
    return _system(names, _Varying(at, np.asarray(as_dense(B)), edges, constant_mass), slots, constant_mass)


def matrices_at_zero(system: NonlinearSystem, verb: str) -> SecondOrderSystem:
    """The converse: equations of motion linearised about rest at zero, as matrices, columns of loads by their slots."""
    if system.multipliers or system.prescribed or (system.explicit_time and not system.steady):
        raise FlexuraError(
            f"{verb} needs matrices that do not change, and this system has constraints, given motions or"
            " coefficients that depend on t",
            advice="ask for it of the equations",
        )
    zero, rest = np.zeros(system.n), system.rest
    M, f = (one.copy() for one in system.evaluate(0.0, zero, zero, rest))
    K, C = (one.copy() for one in system.jacobians(0.0, zero, zero, zero, rest, rest[:0]))
    if np.abs(f).max(initial=0.0) > 1e-12 * np.abs(K).sum(axis=1).max(initial=0.0):
        raise FlexuraError(
            f"{verb} linearises about zero, where this system is not at rest", advice="ask it of the equations"
        )
    units = np.eye(len(rest))
    B = np.array([system.evaluate(0.0, zero, zero, one)[1] - f for one in units]).reshape(len(rest), system.n).T
    names = [slot.name if slot.size == 1 else f"{slot.name}[{i}]" for slot in system.slots for i in range(slot.size)]
    F, inputs = (B, tuple(names)) if names and len(set(names)) == len(names) else (None, None)
    D, K, G, H = _even(C), _even(K), _odd(C), _odd(K)
    return SecondOrderSystem(_even(M), D if D.any() else None, K, G, H, F, inputs=inputs, dofs=system.names)


def _even(A: Array) -> Array:
    return np.asarray((A + A.T) / 2)


def _odd(A: Array) -> Array | None:
    """The skew part, None where it is rounding."""
    skew = (A - A.T) / 2
    return skew if np.abs(skew).max(initial=0.0) > 1e-13 * np.abs(A).max(initial=0.0) else None


def _refuse_large(n: int) -> None:
    if n > LARGEST:
        raise FlexuraError(
            f"The system has {n} unknowns, and events and the methods 'explicit' and 'radau' take dense matrices of"
            f" up to {LARGEST}",
            advice="reduce it with fx.reduce(...), or leave method and events out",
        )


@dataclass(frozen=True, eq=False)
class _Constant:
    """Functions of a system with constant matrices, of one state or of a stack of them."""

    kept: Coefficients
    B: Array

    def evaluate(self, t: Any, q: Array, v: Array, u: Array) -> tuple[Array, Array]:
        """M and what is left of the forces."""
        one = self.kept
        return _for_each(one.M, t), one.f + _times(self.B, u) - _times(one.C, v) - _times(one.R, q)

    def jacobians(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Array, Array]:
        """By displacements and by rates."""
        return _for_each(self.kept.R, t), _for_each(self.kept.C, t)

    def energies(self, t: Any, q: Array, v: Array) -> tuple[Any, Any]:
        """Kinetic and potential."""
        return _form(v, self.kept.M, v) / 2, _form(q, self.kept.K, q) / 2

    def powers(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Any, Any]:
        """What D takes, and what loads and H give."""
        one = self.kept
        given = _dot(v, one.f + _times(self.B, u) - _times(one.H, q) - _times(one.W, v))
        return _form(v, one.D, v), given


@dataclass(frozen=True, eq=False)
class _Varying:
    """The same of matrices that depend on t; of many states one by one, so that no more is held than is asked for."""

    at: Callable[[float], Coefficients]
    B: Array
    edges: Array
    constant_mass: bool

    def __getstate__(self) -> dict[str, Any]:
        """Without the functions of the user's that the matrices are made of: they are not pickled."""
        return {**self.__dict__, "at": _not_kept}

    def _each(self, function: Callable[..., Any], t: Array, *rows: Array) -> list[Any]:
        return [function(*one) for one in zip(t.tolist(), *rows, strict=True)]

    def evaluate(self, t: Any, q: Array, v: Array, u: Array) -> tuple[Array, Array]:
        """M and what is left of the forces."""
        if np.ndim(t):
            found = self._each(self.evaluate, t, q, v, u)
            M = _for_each(found[0][0], t) if self.constant_mass and found else np.array([one[0] for one in found])
            return M, np.array([one[1] for one in found])
        one = self.at(t)
        return one.M, np.asarray(one.f + self.B @ u - one.C @ v - one.R @ q)

    def jacobians(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Array, Array]:
        """By displacements and by rates."""
        if not np.ndim(t):
            one = self.at(t)
            return one.R, one.C
        found = [self.at(s) for s in t.tolist()]
        return np.array([one.R for one in found]), np.array([one.C for one in found])

    def energies(self, t: Any, q: Array, v: Array) -> tuple[Any, Any]:
        """Kinetic and potential."""
        if np.ndim(t):
            kinetic, potential = np.array(self._each(self.energies, t, q, v)).T
            return kinetic, potential
        one = self.at(t)
        return float(v @ one.M @ v) / 2, float(q @ one.K @ q) / 2

    def powers(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Any, Any]:
        """What D takes, and what loads, H and the change of the matrices with time give."""
        if np.ndim(t):
            lost, given = np.array(self._each(self.powers, t, q, v, a, u, lam)).T
            return lost, given
        one, (M_t, K_t) = self.at(t), self._rates(float(t))
        given = v @ (one.f + self.B @ u - one.H @ q - one.W @ v) + q @ K_t @ q / 2 + v @ M_t @ v / 2
        return float(v @ one.D @ v), float(given)

    def _rates(self, t: float) -> tuple[Array, Array]:
        """M_t and K_t, by polynomials through five times that lie between two edges."""
        k = int(np.clip(np.searchsorted(self.edges, t, side="right") - 1, 0, len(self.edges) - 2))
        low, high = self.edges[k], self.edges[k + 1]
        h = min(1e-5 * (self.edges[-1] - self.edges[0]), (high - low) / 5)
        middle = min(max(t, low + 2 * h), high - 2 * h)
        powers = np.vander((middle - t) / h + _NODES, increasing=True).T
        weights = np.linalg.solve(powers, np.eye(1, len(_NODES), 1)[0]) / h
        seen = [self.at(float(middle + one * h)) for one in _NODES]
        M_t: Any = sum(w * one.M for w, one in zip(weights, seen, strict=True))
        K_t: Any = sum(w * one.K for w, one in zip(weights, seen, strict=True))
        return (np.zeros_like(M_t) if self.constant_mass else M_t), K_t


def _not_kept(t: float) -> Coefficients:
    raise FlexuraError("The motion of the body was not kept with this run", advice="simulate it again")


@dataclass(frozen=True)
class _NoConstraints:
    """Empty answers, for many times a row each."""

    n: int

    def nothing(self, t: Any, *state: Array) -> Array:
        """None of them."""
        return np.zeros((*np.shape(t), 0))

    def velocity(self, t: Any, q: Array) -> tuple[Array, Array]:
        """No rows."""
        return np.zeros((*np.shape(t), 0, self.n)), self.nothing(t)

    def motion(self, t: Any) -> tuple[Array, Array, Array]:
        """No given motions."""
        return self.nothing(t), self.nothing(t), self.nothing(t)


def _system(
    names: Sequence[str], linear: _Constant | _Varying, slots: Sequence[InputSlot], constant_mass: bool
) -> NonlinearSystem:
    free, constant = _NoConstraints(len(names)), isinstance(linear, _Constant)
    return NonlinearSystem(
        names=tuple(names),
        multipliers=(),
        inputs=tuple(dict.fromkeys(slot.name for slot in slots)),
        slots=tuple(slots),
        prescribed=(),
        holonomic=(),
        constant_mass=constant_mass,
        linear=True,
        explicit_time=not constant,
        evaluate=linear.evaluate,
        jacobians=linear.jacobians,
        position=free.nothing,
        velocity=free.velocity,
        acceleration=free.nothing,
        motion=free.motion,
        energies=linear.energies,
        powers=linear.powers,
        reactions=free.nothing,
        steady=constant,
        stacks=True,
    )


def _for_each(matrix: Array, t: Any) -> Array:
    return np.broadcast_to(matrix, (len(t), *matrix.shape)) if np.ndim(t) else matrix


def _times(matrix: Array, x: Array) -> Array:
    """matrix x, of one vector or of one a row."""
    return np.asarray(matrix @ x if x.ndim == 1 else x @ matrix.T)


def _dot(x: Array, y: Array) -> Any:
    return np.einsum("...i,...i->...", x, y)


def _form(x: Array, matrix: Array, y: Array) -> Any:
    return _dot(x, _times(matrix, y))
