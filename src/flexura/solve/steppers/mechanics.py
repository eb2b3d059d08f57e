"""A system and its inputs as the ways to step see them: accelerations, Newton's matrices, the way back to constraints.

>>> mechanics = Mechanics(system, lambda t: np.array([np.sin(t)]))
>>> a, multipliers = mechanics.acceleration(0.0, q, v)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dgesv, dposv, dpotrf

from flexura.solve.steppers.branching import Landing, Passing
from flexura.solve.steppers.constraint_slopes import many_slopes, plain_slopes, stacked_slopes
from flexura.solve.steppers.mass import MassFactor
from flexura.solve.steppers.redundancy import Redundancy
from flexura.solve.steppers.undetermined import Singular, repeated, vanishing, why_singular
from flexura.systems.conditions import combinations, shortest
from flexura.systems.inertia import definite
from flexura.systems.nonlinear import NonlinearSystem
from flexura.systems.signals.breaks import rounded_ends

Array = NDArray[np.float64]
_NEWTON_WORK = 8  # Newton's matrices and their factors, in evaluations
_ROUNDED = 1e-9  # of the size of coordinates: steps back onto the constraints that do not shrink are rounding
SAME_TIME = 1e-12  # of a time: impulses that lie no farther apart are one


class State(NamedTuple):
    """Coordinates, rates, accelerations and multipliers at one time."""

    t: float
    q: Array
    v: Array
    a: Array
    multipliers: Array


class Newton(NamedTuple):
    """What Newton's method needs at a state: mass M, rates C = dR/dv, displacements K = dR/dq, constraints A.

    `A_v` and `A_q` are the slopes of the constraints on accelerations, A a + c, by rates and coordinates. `L` holds
    the multipliers of constraints that repeat others at those of least norm; zero where none does.
    """

    M: Array
    C: Array
    K: Array
    A: Array
    A_v: Array
    A_q: Array
    L: Array


@dataclass(frozen=True, eq=False)
class Mechanics:
    """M a = f + A' lambda with A a + c = 0, the inputs already functions of time."""

    system: NonlinearSystem
    inputs: Callable[[Any], Array]
    strikes: Mapping[float, Array] = field(default_factory=dict, repr=False)  # impulses of the inputs, by their times
    _mass: list[Array] = field(default_factory=list, repr=False)  # the last M seen, for norms
    _work: list[int] = field(default_factory=lambda: [0], repr=False)
    _newton: list[tuple[State, Newton]] = field(default_factory=list, repr=False)
    _window: list[float] = field(default_factory=lambda: [-np.inf, np.inf], repr=False)
    _redundancy: list[Redundancy] = field(default_factory=list, repr=False)
    _passing: Passing = field(default_factory=Passing, repr=False)

    @cached_property
    def constrained(self) -> bool:
        """Whether there are multipliers."""
        return bool(self.system.multipliers)

    @property
    def redundant(self) -> int:
        """How many conditions repeat others, wherever they hold; decided where accelerations are first asked for."""
        return self.system.m - self._redundancy[0].rank if self._redundancy else 0

    def _independent(self, t: float, q: Array, v: Array) -> Array | None:
        """The combinations of conditions that count; None where all do."""
        if not self._redundancy:
            found = Redundancy.at(self.system, self.inputs, t, q)
            self._redundancy.append(replace(found, singular=False))
            if found.singular:
                self._passing.refuse_undecided(self, t, q, v)
        return self._redundancy[0].basis if self.redundant else None

    def _renew(self, M: Array, A: Array) -> None:
        """Choose the combinations anew, where the constraints are met."""
        if self.redundant:
            old = self._redundancy[0]
            self._redundancy[:] = [replace(old, basis=combinations(A, M, old.rank))]

    def strike(self, t: float) -> Array | None:
        """The impulses of the inputs at a time, if there are any."""
        near = [one for at, one in self.strikes.items() if abs(at - t) <= SAME_TIME * max(abs(t), 1e-3)]
        return near[0] if near else None

    @property
    def work(self) -> int:
        """How much was done so far, in evaluations of the right-hand side."""
        return self._work[0]

    def within(self, start: float = -np.inf, end: float = np.inf) -> None:
        """Evaluate only inside a smooth stretch: at its ends, inputs and motions have their values from within."""
        slack = rounded_ends(start, end)
        self._window[:] = [start + slack, end - slack]

    def inside(self, t: Any) -> Any:
        """The time, or the nearest one inside the stretch; of many times too."""
        low, high = self._window
        if isinstance(t, np.ndarray):
            return np.clip(t, low, high)
        return low if t < low else high if t > high else t

    @property
    def together(self) -> bool:
        """Whether many steps can be taken at once: states may be stacked, and no constraint is to be met in between."""
        return self.stacks and not self.constrained

    @property
    def stacks(self) -> bool:
        """Whether many states may be evaluated at once."""
        return self.system.stacks

    def worked(self, states: int) -> None:
        """Count states that were evaluated together."""
        self._work[0] += max(1, states // self.system.stacked)

    def saw(self, M: Array) -> None:
        """Take M for the mass matrix where it was last evaluated."""
        self._mass[:] = [M]

    def loads(self, t: Array) -> Array:
        """u at many times inside the stretch."""
        return np.asarray(self.inputs(self.inside(t)))

    @cached_property
    def powered(self) -> bool:
        """Whether energy comes in or is lost: there are inputs or given motions, or some speed is resisted."""
        one = self.system
        if one.inputs or one.prescribed or one.explicit_time:
            return True
        q, v, a, multipliers = (np.linspace(0.1, 0.2, k) for k in (one.n, one.n, one.n, one.m))
        return any(one.powers(0.0, q, v, a, self.inputs(0.0), multipliers))

    @property
    def mass(self) -> Array:
        """The mass matrix where it was last evaluated."""
        return self._mass[-1]

    @cached_property
    def _factor(self) -> MassFactor | None:
        """The Cholesky factor of a mass matrix that never changes."""
        if self.constrained or not self.system.constant_mass or not self._mass or not self.system.n:
            return None
        return MassFactor.of(self.mass)

    def solved(self, M: Array, f: Array) -> Array:
        """M^-1 f at many states."""
        if self._factor is not None:
            return self._factor.solve(f.reshape(-1, f.shape[-1])).reshape(f.shape)
        return np.asarray(np.linalg.solve(M, f[..., None])[..., 0], dtype=np.float64)

    def state(self, t: float, q: Array, v: Array) -> State:
        """The state with its accelerations and multipliers."""
        return State(t, q, v, *self.acceleration(t, q, v))

    def acceleration(self, t: float, q: Array, v: Array) -> tuple[Array, Array]:
        """Accelerations and multipliers."""
        self._work[0] += 1
        t = self.inside(t)
        if self._mass and self.system.forces is not None and self._factor is not None:
            return self._factor.solve(self.system.forces(t, q, v, self.inputs(t))), q[:0]
        basis = self._independent(t, q, v) if self.constrained else None  # first: a system may reuse its arrays
        M, f = self.system.evaluate(t, q, v, self.inputs(t))
        self._mass[:] = [M]
        if self.constrained:
            return self._constrained(t, q, v, M, f, basis)
        if not len(f):  # everything moves as given; only what drives it is asked for
            return f, f
        if self._factor is not None:
            return self._factor.solve(f), f[:0]
        _, a, info = dposv(M, f)
        if info:
            raise self._why_singular(M)
        return np.asarray(a), f[:0]

    def _constrained(
        self, t: float, q: Array, v: Array, M: Array, f: Array, basis: Array | None
    ) -> tuple[Array, Array]:
        c = self.system.acceleration(t, q, v)  # first: what it finds on the way need not be found again
        A, _ = self.system.velocity(t, q)
        n = len(q)
        if basis is not None:
            A, c = basis.T @ A, basis.T @ c
        factor, _, found, info = dgesv(bordered(M, A), np.concatenate([f, -c]))
        if self._passing.may(factor) or info or self._passing.looking:
            landing = self._landing(t, q, v, M.copy(), self.system.velocity(t, q)[0].copy())
            if landing is not None:
                return landing.a, landing.multipliers
        if info or not np.all(np.isfinite(found)):
            raise self._why_singular(M, A)
        return found[:n], found[n:] if basis is None else basis @ found[n:]

    def _landing(self, t: float, q: Array, v: Array, M: Array, A: Array) -> Landing | None:
        """The state on its branch, where conditions nearly repeat one another though they do not beside it."""
        rank = self._redundancy[0].rank if self._redundancy else len(A)
        return self._passing.landing(self, t, q, v) if self._passing.near(M, A, rank) else None

    def residual(self, t: float, q: Array, v: Array, a: Array, multipliers: Array) -> Array:
        """R = M a - f - A' lambda, and below it A a + c."""
        self._work[0] += 1
        t = self.inside(t)
        M, f = self.system.evaluate(t, q, v, self.inputs(t))
        self._mass[:] = [M]
        if not self.constrained:
            return np.asarray(M @ a - f)
        c = self.system.acceleration(t, q, v)  # first: what it finds on the way need not be found again
        A, _ = self.system.velocity(t, q)
        return np.concatenate([M @ a - f - A.T @ multipliers, self.counted(A @ a + c, multipliers)])

    def counted(self, below: Array, multipliers: Array) -> Array:
        """Rows of constraints, of those that count; in place of the others, that multipliers are of least norm."""
        if not self.redundant:
            return below
        basis = self._redundancy[0].basis
        return np.asarray(basis @ (basis.T @ (below - multipliers)) + multipliers)

    def last_newton(self, state: State) -> Newton | None:
        """Those matrices, if they were the last asked for at this very state."""
        return next((found for at, found in self._newton if at is state), None)

    def newton(self, state: State) -> Newton:
        """The matrices of Newton's method at a state."""
        self._newton[:] = [(state, self._newton_at(state))]
        return self._newton[0][1]

    def _newton_at(self, state: State) -> Newton:
        self._work[0] += _NEWTON_WORK
        _, q, v, a, multipliers = state
        t = self.inside(state.t)
        u = self.inputs(t)
        M, _ = self.system.evaluate(t, q, v, u)
        K, C = self.system.jacobians(t, q, v, a, u, multipliers)
        M, K, C = M.copy(), K.copy(), C.copy()  # kept over many steps; a system may reuse its arrays
        self._mass[:] = [M]
        if not self.constrained:
            none = np.zeros((0, len(q)))
            return Newton(M, C, K, none, none, none, np.zeros((0, 0)))
        A, (A_v, A_q), every = (
            self.system.velocity(t, q)[0].copy(),
            self._constraint_slopes(state),
            np.eye(self.system.m),
        )
        if not self.redundant:
            return Newton(M, C, K, A, A_v, A_q, 0 * every)
        kept = self._redundancy[0].basis @ self._redundancy[0].basis.T
        return Newton(M, C, K, kept @ A, kept @ A_v, kept @ A_q, every - kept)

    def _constraint_slopes(self, state: State) -> tuple[Array, Array]:
        """d(A a + c)/dv and d(A a + c)/dq."""
        slopes = stacked_slopes if self.stacks else plain_slopes
        return slopes(self.system, self.inside(state.t), state.q, state.v, state.a)

    def projected(self, t: float, q: Array, v: Array, tolerance: float = 1e-13) -> tuple[Array, Array]:
        """The nearest coordinates (in the metric of the masses) that satisfy the constraints, and rates likewise."""
        if not self.constrained:
            return q, v
        t = self.inside(t)
        if self._redundancy:
            M, A = self.system.evaluate(t, q, v, self.inputs(t))[0].copy(), self.system.velocity(t, q)[0].copy()
            landing = self._landing(t, q, v, M, A)
            if landing is not None:
                return landing.q, landing.v
        q = self.onto_positions(t, q, tolerance)
        if self.redundant:
            self._renew(self.system.evaluate(t, q, v, self.inputs(t))[0].copy(), self.system.velocity(t, q)[0].copy())
        return q, self.onto_rates(t, q, v)

    def onto_positions(self, t: float, q: Array, tolerance: float = 1e-13, rounds: int = 30) -> Array:
        """Newton's method on g(t, q) = 0, steps shortest in the metric of the masses."""
        held = np.array(self.system.holonomic, dtype=bool)
        if not held.any():
            return q
        M, before = self.system.evaluate(t, q, np.zeros_like(q), self.inputs(t))[0], np.inf
        for _ in range(rounds):
            g = self.system.position(t, q)
            A = self.system.velocity(t, q)[0][held]
            step = self._shortest(M, A, -g, self._redundancy[0].holonomic if self.redundant else None)
            q = q + step
            size = float(np.abs(step).max(initial=0.0)) / max(1.0, float(np.abs(q).max()))
            if size <= tolerance or before / 2 < size <= _ROUNDED:  # rounding, larger beside singular positions
                return q
            before = size
        raise Singular(
            f"No coordinates near the given ones satisfy the constraints at t = {t:.6g}",
            advice="give initial values that nearly do",
        )

    def onto_rates(self, t: float, q: Array, v: Array) -> Array:
        """The nearest rates with A v + b = 0."""
        M = self.system.evaluate(t, q, v, self.inputs(t))[0]
        A, b = self.system.velocity(t, q)
        rank = self._redundancy[0].rank if self.redundant else None
        return np.asarray(v + self._shortest(M, A, -(A @ v + b), rank))

    def _shortest(self, M: Array, A: Array, right: Array, rank: int | None = None) -> Array:
        """x of A x = right, smallest in the metric of M."""
        n = M.shape[0]
        if self.redundant or not self._redundancy:
            try:
                return shortest(A, M, right, rank)
            except np.linalg.LinAlgError:
                raise self._why_singular(M, A) from None
        _, _, found, info = dgesv(bordered(M, A), np.concatenate([np.zeros(n), right]))
        if info or not np.all(np.isfinite(found)):
            raise self._why_singular(M, A)
        return np.asarray(found[:n])

    def accelerations(self, t: Array, q: Array, v: Array) -> tuple[Array, Array]:
        """Accelerations and multipliers at many times."""
        if self.together:
            self.worked(len(t))
            times, none = self.inside(t), np.zeros((len(t), 0))
            if self._mass and self.system.forces is not None and self._factor is not None:
                return self._factor.solve(self.system.forces(times, q, v, self.inputs(times))), none
            M, f = self.system.evaluate(times, q, v, self.inputs(times))
            return self.solved(M, f), none
        if self.stacks and len(t):
            return self._many_constrained(t, q, v)
        found = [self.acceleration(*one) for one in zip(t.tolist(), q, v, strict=True)]
        return np.array([a for a, _ in found]).reshape(q.shape), np.array([lam for _, lam in found]).reshape(len(t), -1)

    def _many_constrained(self, t: Array, q: Array, v: Array) -> tuple[Array, Array]:
        """The same for constrained states, all at once; what is singular is left to be told for one of them."""
        basis = self._independent(float(t[0]), q[0], v[0])
        if basis is not None:
            return self._one_by_one(t, q, v)
        self.worked(len(t))
        times, n = self.inside(t), q.shape[1]
        M, f = (one.copy() for one in self.system.evaluate(times, q, v, self.inputs(times)))
        A = self.system.velocity(times, q)[0].copy()
        square = np.zeros((len(t), n + self.system.m, n + self.system.m))
        square[:, :n, :n], square[:, :n, n:], square[:, n:, :n] = M, -np.swapaxes(A, 1, 2), A
        right = np.concatenate([f, -self.system.acceleration(times, q, v)], axis=1)
        self._mass[:] = [M[-1]]
        try:
            found = np.linalg.solve(square, right[..., None])[..., 0]
        except np.linalg.LinAlgError:
            return self._one_by_one(t, q, v)
        return found[:, :n], found[:, n:]

    def _one_by_one(self, t: Array, q: Array, v: Array) -> tuple[Array, Array]:
        """State by state, each with its own combinations: multipliers of least norm."""
        a, multipliers = np.zeros_like(q), np.zeros((len(t), self.system.m))
        for i, (now, x, rate) in enumerate(zip(self.inside(t).tolist(), q, v, strict=True)):
            M = self.system.evaluate(now, x, rate, self.inputs(now))[0].copy()
            self._renew(M, self.system.velocity(now, x)[0].copy())
            a[i], multipliers[i] = self.acceleration(now, x, rate)
        return a, multipliers

    def counting(self, M: Array, slopes: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
        """The slopes of constraints at many states, of the combinations that count there."""
        if not self.redundant:
            return slopes
        rank = self._redundancy[0].rank
        across = np.stack([combinations(A, mass, rank).T for mass, A in zip(M, slopes[0], strict=True)])
        return across @ slopes[0], across @ slopes[1], across @ slopes[2]

    def constraint_slopes(self, t: Array, q: Array, v: Array, a: Array) -> tuple[Array, Array, Array]:
        """A, and the slopes of A a + c by rates and coordinates, at many states."""
        return many_slopes(self.system, self.inside(t), q, v, a)

    def energies(self, t: Array, q: Array, v: Array) -> Array:
        """Kinetic and potential at many times: (times, 2)."""
        if self.stacks:
            return np.column_stack(self.system.energies(t, q, v))
        rows = zip(t.tolist(), q, v, strict=True)
        return np.array([self.system.energies(*one) for one in rows], dtype=np.float64).reshape(-1, 2)

    def powers(self, t: Array, q: Array, v: Array, a: Array, multipliers: Array) -> Array:
        """Dissipated and supplied at many times: (times, 2)."""
        if self.stacks:
            return np.column_stack(self.system.powers(t, q, v, a, self.inputs(t), multipliers))
        rows = zip(t.tolist(), q, v, a, multipliers, strict=True)
        found = [self.system.powers(s, x, y, z, self.inputs(s), lam) for s, x, y, z, lam in rows]
        return np.array(found, dtype=np.float64).reshape(-1, 2)

    def lost_mass(self) -> Singular | None:
        """What to say where the mass matrix last seen is not positive, whichever way steps are taken; else None."""
        if self.constrained or self.system.constant_mass or not self._mass or not self.system.n:
            return None
        return self._why_singular(self.mass) if dpotrf(self.mass, lower=1)[1] else None

    def refuse_idle(self) -> None:
        """Refuse a start at which motions together have no inertia: pivots of Cholesky may be rounding."""
        if self.constrained or not self.system.n:
            return
        if not definite(self.mass):
            raise self._why_singular(self.mass)

    def vanishing(self, state: State) -> Singular:
        """What makes steps at a state too small: an inertia that is about to vanish, or something else."""
        M = self.system.evaluate(self.inside(state.t), state.q, state.v, self.inputs(state.t))[0]
        return vanishing(M, self.system.names, self.constrained)

    def _why_singular(self, M: Array, A: Array | None = None) -> Singular:
        if A is not None and len(A) and np.linalg.matrix_rank(A) < len(A):
            return repeated(self.system.multipliers)
        return why_singular(M, self.system.names, A)


def bordered(M: Array, A: Array, L: Array | float = 0.0) -> Array:
    """[[M, -A'], [A, L]]."""
    n, m = M.shape[0], A.shape[0]
    whole = np.zeros((n + m, n + m))
    whole[:n, :n], whole[:n, n:], whole[n:, :n], whole[n:, n:] = M, -A.T, A, L
    return whole
