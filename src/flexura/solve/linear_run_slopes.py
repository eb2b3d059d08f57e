"""Motions of linear systems and their slopes by parameters together, propagated exactly: stiff members cost no steps.

    >>> states = linear_states(cases, matrices, slopes, drives, begun, times)    # (times, 1 + parameters, 2, n)

With M a + C v + K q = f(t) and s = dq/dp: M s'' + C s' + K s = f_p - M_p a - C_p v - K_p q. Between two times loads are
polynomials, so that (q, q', s, s') obey one linear equation with constant coefficients, whose exponential is the step.
Everything is written in modes, so that rounding of stiff ones does not reach slow ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import factorial

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm

from flexura.solve.runs.case import Case
from flexura.solve.steppers.driven import loads_at_rest
from flexura.solve.steppers.linear_exact import lengths
from flexura.solve.steppers.linear_inputs import Pieces, Signals, cut
from flexura.systems.graded import graded_modes
from flexura.systems.inertia import definite
from flexura.systems.second_order import SecondOrderSystem
from flexura.systems.signals.scales import Scales
from flexura.systems.signals.signal import SMOOTH

Array = NDArray[np.float64]
_LOOKS, _ROUNDED = 33, 1e-11  # at loads of a stretch, and what of them is rounding
_SAMPLES, _LINEAR = 9, 1e-12  # times at which loads are compared, and of forces what rounding may make
Matrices = tuple[Array, Array, Array]
"""M, C, K."""


def _matrices_of(case: Case) -> Matrices | None:
    """The matrices of a linear system with constant coefficients; None of any other."""
    system, t = case.system, float(case.question.times[0])
    if not system.steady or system.multipliers or not system.n:
        return None
    zero, u = np.zeros(system.n), case.mechanics.inputs(t)
    M = system.evaluate(t, zero, zero, u)[0].copy()
    K, C = (one.copy() for one in system.jacobians(t, zero, zero, zero, u, zero[:0]))
    return (M, C, K) if definite(M) else None


@dataclass(frozen=True)
class Drive:
    """Loads f = B u(t): numbers (times, k) that belong to the signals of time alone, and what they push (n, k)."""

    B: Array
    at: Callable[[Array], Array]

    @classmethod
    def of(cls, case: Case, plain: bool = False) -> Drive:
        """By the inputs, where forces are proportional to them; else by what acts at zero on each coordinate."""
        system, mechanics = case.system, case.mechanics

        def asked(times: Array) -> Array:
            return loads_at_rest(mechanics, times)

        whole = cls(np.eye(system.n), asked)
        if plain or system.prescribed or system.explicit_time or not mechanics.stacks:
            return whole
        zero, seen = np.zeros(system.n), np.linspace(case.question.times[0], case.question.times[-1], _SAMPLES)
        rest = system.evaluate(0.0, zero, zero, np.zeros_like(system.rest))[1].copy()
        columns = [system.evaluate(0.0, zero, zero, one)[1] - rest for one in np.eye(len(system.rest))]
        found = cls(
            np.array([rest, *columns]).T,
            lambda times: np.column_stack([np.ones(len(times)), mechanics.loads(times)]),
        )
        f, expected = found.at(seen) @ found.B.T, asked(seen)
        linear = np.abs(f - expected).max(initial=0.0) <= _LINEAR * np.abs(expected).max(initial=0.0)
        return found if linear else whole


@dataclass(frozen=True)
class Linear:
    """A linear system with constant coefficients, and what drives it."""

    matrices: Matrices
    drive: Drive


class Readings:
    """Cases as linear systems, each read once; None of what is no such system."""

    def __init__(self) -> None:
        self._known: list[tuple[Case, Linear | None]] = []

    def __call__(self, case: Case) -> Linear | None:
        """Of one case."""
        for one, found in self._known:
            if one is case:
                return found
        matrices = _matrices_of(case)
        self._known.append((case, None if matrices is None else Linear(matrices, Drive.of(case))))
        return self._known[-1][1]


@dataclass(frozen=True)
class Drives:
    """What drives the run, and its slopes by each parameter: f_p = B_p u + B u_p. `at` gives u and all u_p.

    `steps` are those by which parameters were moved: so much of u is rounding, and in u_p more.
    """

    B: Array
    slopes: Sequence[Array]
    at: Callable[[Array], Array]
    steps: Sequence[float]

    def signals(self, times: Array, scales: Scales) -> Signals:
        """As they are cut into polynomials."""
        seen = np.unique(np.concatenate([times, np.linspace(times[0], times[-1], _LOOKS)]))
        size, k = float(np.abs(self.at(seen)[:, : self.B.shape[1]]).max(initial=0.0)), self.B.shape[1]
        rounding = _ROUNDED * size * np.repeat([1.0, *(1 / h for h in self.steps)], k)
        return Signals(np.tile(self.B, 1 + len(self.slopes)), self.at, SMOOTH, scales=scales, rounding=rounding)


def linear_states(
    cases: Sequence[Case],
    matrices: Matrices,
    slopes: Sequence[Matrices],
    drives: Drives,
    begun: Array,
    times: Array,
) -> Array:
    """q, q' and their slopes at the times, (times, 1 + parameters, 2, n), from `begun` (1 + parameters, 2, n) on.

    `slopes` are those of the matrices by each parameter. The first of `cases` is the run itself; all of them are kept
    inside the stretch that is looked at.
    """
    modes = _Modes.of(*matrices)
    A = modes.matrix(*matrices)
    changes = [modes.change(matrices, by) for by in slopes]
    z = np.array([modes.put(*one) for one in begun])
    found = np.empty((len(times), *z.shape))
    found[0] = z
    stops = [times[0], *(one for one in cases[0].breaks if times[0] < one < times[-1]), times[-1]]
    for start, end in pairwise(stops):
        for one in cases:
            one.mechanics.within(start, end)
        inside = times[(times > start) & (times <= end)]
        grid = np.unique(np.concatenate([[start], inside, [end]]))
        pieces = cut(drives.signals(grid, cases[0].scales), grid)
        rows = _march(A, changes, pieces, modes.pushes(slopes, drives, pieces), z)[
            np.concatenate([[0], pieces.last + 1])
        ]
        found[np.isin(times, inside)] = rows[np.isin(grid, inside)]
        z = rows[-1]
    for one in cases:
        one.mechanics.within()
    return modes.back(found)


@dataclass(frozen=True)
class _Modes:
    """Modes of unit modal mass, and the frequencies that displacements are measured in: w = (scale y, y')."""

    X: Array
    squares: Array
    to_modes: Array
    scale: Array

    @classmethod
    def of(cls, M: Array, C: Array, K: Array) -> _Modes:
        found = graded_modes(SecondOrderSystem((M + M.T) / 2, None, (K + K.T) / 2))
        size = np.sqrt(np.abs(found.squares))
        scale = np.where(size > 0, size, max(float(size.max(initial=0.0)) * 1e-3, 1.0))
        return cls(found.shapes, found.squares, found.shapes.T @ M, scale)

    def put(self, q: Array, v: Array) -> Array:
        """A state in modes."""
        return np.concatenate([self.scale * (self.to_modes @ q), self.to_modes @ v])

    def back(self, w: Array) -> Array:
        """States (..., 2 n) as (..., 2, n)."""
        y, y_t = np.split(w, 2, axis=-1)
        return np.stack([(y / self.scale) @ self.X.T, y_t @ self.X.T], axis=-2)

    def matrix(self, M: Array, C: Array, K: Array) -> Array:
        """w' = A w."""
        turned = self.X.T @ ((K - K.T) / 2) @ self.X
        restoring = (np.diag(self.squares) + turned) / self.scale
        return np.block([[np.zeros_like(turned), np.diag(self.scale)], [-restoring, -self.X.T @ C @ self.X]])

    def change(self, matrices: Matrices, by: Matrices) -> Array:
        """How w pushes its slope: w_p' = A w_p + this w."""
        M, C, K = matrices
        M_p, C_p, K_p = (self.X.T @ one @ self.X for one in by)
        n = len(M)
        lower = self.matrix(M, C, K)[n:]
        pushed = -np.hstack([K_p / self.scale, C_p]) - M_p @ lower
        return np.vstack([np.zeros((n, 2 * n)), pushed])

    def pushes(self, slopes: Sequence[Matrices], drives: Drives, pieces: Pieces) -> Array:
        """X'f and X'(f_p - M_p M^-1 f) as polynomials on each piece, (pieces, degree + 1, 1 + parameters, n)."""
        u, *rates = np.split(pieces.coefficients, 1 + len(slopes), axis=2)
        B = self.X.T @ drives.B
        found = [u @ B.T]
        for (M_p, _, _), B_p, u_p in zip(slopes, drives.slopes, rates, strict=True):
            found.append(u @ (self.X.T @ (B_p - M_p @ self.X @ B)).T + u_p @ B.T)
        return np.stack(found, axis=2)


def _march(A: Array, changes: Sequence[Array], pieces: Pieces, pushes: Array, z: Array) -> Array:
    """w and its slopes before every piece and after the last, (pieces + 1, 1 + parameters, 2 n)."""
    degree = pushes.shape[1] - 1
    scale = np.array([factorial(i) for i in range(degree + 1)], dtype=np.float64)
    inputs = pushes * scale[:, None, None]
    group, sizes = lengths(pieces.end - pieces.start)
    steps = [_step(A, changes, float(h), degree) for h in sizes]
    found = np.empty((len(group) + 1, *z.shape))
    found[0] = z
    for i, which in enumerate(group.tolist()):
        (E, P), pairs = steps[which]
        u = inputs[i].transpose(1, 0, 2).reshape(1 + len(changes), -1)
        found[i + 1] = found[i] @ E.T + u @ P.T
        for k, (E_p, P_p) in enumerate(pairs, 1):
            found[i + 1, k] += E_p @ found[i, 0] + P_p @ u[0]
    return found


Step = tuple[Array, Array]


def _step(A: Array, changes: Sequence[Array], h: float, degree: int) -> tuple[Step, list[Step]]:
    """What a step makes of a state and of the inputs, and what it makes of these in each slope."""
    m, n = len(A), len(A) // 2
    count = n * (degree + 1)
    whole = np.zeros((2 * m + count, 2 * m + count))
    whole[:m, :m] = whole[m : 2 * m, m : 2 * m] = A * h
    whole[n:m, 2 * m : 2 * m + n] = np.eye(n) * h
    whole[2 * m : -n, 2 * m + n :] = np.eye(count - n)
    pairs = []
    for change in changes:
        whole[m : 2 * m, :m] = change * h
        found = expm(whole)
        pairs.append((found[m : 2 * m, :m], found[m : 2 * m, 2 * m :]))
    return (found[:m, :m], found[:m, 2 * m :]), pairs
