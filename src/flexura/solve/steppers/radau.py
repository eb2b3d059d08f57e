"""The implicit way: Radau IIA collocation with five stages (order 9, stiffly accurate; Hairer & Wanner), written for
second-order systems, so that Newton's matrices are of the size of q.

>>> for state in radau(mechanics, norm, start, end, tolerance, pace): ...

Unknown are the accelerations a_i at the stages t + c_i h: v_i = v + h sum A_ij a_j, q_i = q + c_i h v + h^2 sum
(A^2)_ij a_j. With A = T diag(mu) T^-1 Newton's system falls apart into one matrix M + h mu C + h^2 mu^2 K (bordered by
the constraints) for each eigenvalue mu; conjugate ones share theirs. The matrices are kept over many steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.solve.steppers.mechanics import Mechanics, Newton, State
from flexura.solve.steppers.norm import Norm
from flexura.solve.steppers.pace import Pace
from flexura.solve.steppers.tableau import RADAU, Tableau
from flexura.solve.steppers.undetermined import Singular
from flexura.solve.steppers.windows import windows

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
_ROUNDS = 12
_ENOUGH = 3  # rounds after which fresh matrices are cheaper
_SMALLER, _LARGER, _SAFETY = 0.2, 3.0, 0.85


def radau(
    mechanics: Mechanics,
    norm: Norm,
    start: State,
    end: float,
    tolerance: float,
    pace: Pace,
    method: Tableau = RADAU,
) -> Iterator[State]:
    """The accepted states after `start`, up to `end` exactly; many at once where nothing stands in the way."""
    if mechanics.together:
        yield from windows(mechanics, norm, start, end, tolerance, pace, method)
        return
    state, solver, before = start, _StageSolver(mechanics, norm, method), None
    # the estimate is of order s, the step of order 2 s - 1: what it may be follows from what the step shall be
    allowed = tolerance ** ((method.s + 1) / (2 * method.s))
    while state.t < end:
        h = pace.step_to(state.t, end)
        pace.alive(state.t, h)
        guess = _guess(state, before, h, method)
        stages = solver.solve(state, h, guess, 0.1 * tolerance)
        if stages is None:
            pace.reject(h * 0.4)
            continue
        error = solver.error(state, stages, h)
        factor = _SAFETY * (allowed / error) ** (1 / (method.s + 1)) if error > 0 else _LARGER
        if not error <= allowed:
            pace.reject(h * (max(_SMALLER, factor) if np.isfinite(error) else _SMALLER))
            continue
        try:
            landed = _landed(mechanics, stages, state.t + h if state.t + h < end else end)
        except Singular as trouble:
            pace.reject(_SMALLER * h, trouble)
            continue
        before, state = (state.t, h, stages.a, stages.multipliers), landed
        norm.see(state)
        factor = min(_LARGER, max(_SMALLER, factor))
        pace.accept(h, h if 0.9 < factor < 1.25 and not pace.failures else h * factor)  # a kept step keeps its matrices
        yield state


@dataclass
class _Stages:
    """What Newton found at the stages."""

    t: Array
    q: Array
    v: Array
    a: Array
    multipliers: Array
    start: State


class _StageSolver:
    """Simplified Newton iterations with matrices that are kept as long as they serve."""

    def __init__(self, mechanics: Mechanics, norm: Norm, method: Tableau) -> None:
        self.mechanics, self.norm, self.method = mechanics, norm, method
        self.newton: Newton | None = None
        self.h, self.stale = 0.0, False
        self.inverse: Complex = np.zeros((0, 0, 0), dtype=np.complex128)

    def solve(self, state: State, h: float, guess: tuple[Array, Array], tolerance: float) -> _Stages | None:
        """The stages, or None where Newton does not converge even with fresh matrices."""
        for fresh in (False, True):
            if fresh or self.newton is None or self.stale:
                self.stale = False
                self.newton, self.h = self.mechanics.newton(state), 0.0
            if not self._factor(h):
                return None
            found = self._iterate(state, h, guess, tolerance)
            if found is not None or fresh:
                return found
        return None

    def _factor(self, h: float) -> bool:
        if self.h == h or self.newton is None:
            return True
        M, C, K, A, A_v, A_q, L = self.newton
        mu = h * self.method.mu[:, None, None]
        n, m = M.shape[0], A.shape[0]
        whole = np.zeros((len(self.method.mu), n + m, n + m), dtype=np.complex128)
        whole[:, :n, :n] = M + mu * C + mu * mu * K
        whole[:, :n, n:] = -A.T
        whole[:, n:, :n] = A + mu * A_v + mu * mu * A_q
        whole[:, n:, n:] = L
        try:
            self.inverse, self.h = np.asarray(np.linalg.inv(whole), dtype=np.complex128), h
        except np.linalg.LinAlgError:
            self.h = 0.0
            return False
        return True

    def _iterate(self, state: State, h: float, guess: tuple[Array, Array], tolerance: float) -> _Stages | None:
        method, n = self.method, len(state.q)
        a, multipliers = guess
        t = state.t + method.c * h
        before, slow = np.inf, 0
        for done in range(_ROUNDS):
            v = state.v + h * (method.A @ a)
            q = state.q + np.outer(method.c * h, state.v) + h * h * (method.A2 @ a)
            try:
                residual = np.array(
                    [self.mechanics.residual(*one) for one in zip(t, q, v, a, multipliers, strict=True)]
                )
            except (Singular, FloatingPointError, OverflowError):
                return None
            if not np.all(np.isfinite(residual)):
                return None
            step = self._step(residual)
            a, multipliers = a - step[:, :n], multipliers - step[:, n:]
            size = h * self.norm.largest_rate(step[:, :n])
            scale = max(self.norm.largest, self.norm.speed(v[-1]), 1e-300)
            rate = size / before if np.isfinite(before) else 0.3
            if size == 0 or size * min(rate / max(1 - rate, 0.05), 1.0) <= tolerance * scale:
                self.stale = done > _ENOUGH
                return self._found(state, h, a, multipliers)
            if rate > 0.9 and size <= 1e-13 * scale:  # round-off
                return self._found(state, h, a, multipliers)
            slow += done > 1 and rate > 0.6  # the first guess may be better in a than in the multipliers
            if slow > 1:
                return None
            before = size
        return None

    def _found(self, state: State, h: float, a: Array, multipliers: Array) -> _Stages:
        method = self.method
        v = state.v + h * (method.A @ a)
        q = state.q + np.outer(method.c * h, state.v) + h * h * (method.A2 @ a)
        return _Stages(state.t + method.c * h, q, v, a, multipliers, state)

    def _step(self, residual: Array) -> Array:
        method = self.method
        parts = np.einsum("kij,kj->ki", self.inverse, method.T_inverse @ residual)
        own = np.outer(method.T[:, 0], parts[0]).real
        return np.asarray(own + 2 * (method.T[:, 1:] @ parts[1:]).real)

    def error(self, state: State, stages: _Stages, h: float) -> float:
        """Hairer's estimate gamma h f(y0) + sum e_i f(y_i), filtered by the real matrix so that it stays bounded."""
        assert self.newton is not None
        method, n = self.method, len(state.q)
        e_v = h * (method.gamma * state.a + method.e @ stages.a)
        e_q = h * (method.gamma * state.v + method.e @ stages.v)
        M, _, K, A, *_ = self.newton
        right = np.concatenate([M @ e_v - h * method.gamma * (K @ e_q), np.zeros(A.shape[0])])
        filtered = (self.inverse[0].real @ right)[:n]
        return self.norm.relative(e_q + h * method.gamma * filtered, filtered, h, stages.v[-1])


def _guess(
    state: State, before: tuple[float, float, Array, Array] | None, h: float, method: Tableau
) -> tuple[Array, Array]:
    """Accelerations at the stages: the last step's polynomial carried on, or the present ones."""
    if before is None or h > 3 * before[1]:
        a, multipliers = (np.repeat(one[None], method.s, axis=0) for one in (state.a, state.multipliers))
        return a, multipliers
    t, width, a, multipliers = before
    x = (state.t - t + method.c * h) / width
    basis = x[:, None] ** np.arange(method.s) @ method.to_powers
    return basis @ a, basis @ multipliers


def _landed(mechanics: Mechanics, stages: _Stages, t: float) -> State:
    q, v = stages.q[-1], stages.v[-1]
    if not mechanics.constrained:
        return State(t, q, v, stages.a[-1], stages.multipliers[-1])
    return mechanics.state(t, *mechanics.projected(t, q, v))
