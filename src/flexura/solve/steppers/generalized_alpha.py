"""Generalized-alpha (Chung & Hulbert 1993; Arnold & Bruels 2007 for constraints): order two, damped where it is coarse.

    >>> for state in generalized_alpha(mechanics, norm, start, end, tolerance, pace): ...

For quick looks at stiff systems and for constraints at any price: every step solves the equations together with the
constraints at the level of positions (index 3), then rates are put back onto theirs, so nothing drifts. Errors are
controlled by the jump of accelerations from step to step; energies balance to the second order of the step only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.solve.steppers.mechanics import Mechanics, State, bordered
from flexura.solve.steppers.norm import Norm
from flexura.solve.steppers.pace import Pace
from flexura.solve.steppers.undetermined import Singular

Array = NDArray[np.float64]
_ROUNDS = 10
_SMALLER, _LARGER, _SAFETY = 0.3, 2.0, 0.85


@dataclass(frozen=True)
class Parameters:
    """alpha_m, alpha_f, gamma and beta from the damping rho of infinitely fast vibrations (1: none, 0: all)."""

    alpha_m: float
    alpha_f: float
    gamma: float
    beta: float

    @classmethod
    def of(cls, rho: float) -> Parameters:
        """Second order, and the least damping of what is slow."""
        m, f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        return cls(m, f, 0.5 + f - m, 0.25 * (1 + f - m) ** 2)


USUAL = Parameters.of(0.8)
TRAPEZOIDAL = Parameters(0.0, 0.0, 0.5, 0.25)  # Newmark's of constant average acceleration


def generalized_alpha(
    mechanics: Mechanics,
    norm: Norm,
    start: State,
    end: float,
    tolerance: float,
    pace: Pace,
    method: Parameters = USUAL,
) -> Iterator[State]:
    """The accepted states after `start`, up to `end` exactly."""
    state, solver, inner = start, _NewtonSolver(mechanics, norm, method), start.a
    before, jerk = 0.0, np.zeros_like(start.a)
    while state.t < end:
        h = pace.step_to(state.t, end)
        pace.alive(state.t, h)
        # the inner acceleration belongs to t + (alpha_m - alpha_f) h, so it moves where h changes
        moved = inner + (method.alpha_m - method.alpha_f) * (h - before) * jerk
        try:
            found = solver.step(state, moved, h, end, tolerance)
        except Singular as trouble:
            pace.reject(0.4 * h, trouble)
            continue
        if found is None:
            pace.reject(0.4 * h)
            continue
        new, new_inner = found
        if mechanics.constrained:
            new, new_inner = solver.settled(state, new, new_inner, h)
        # what a step of order two leaves out: (beta - 1/6) h^3 q''' in q, from the change of acceleration
        error = norm.relative(np.zeros_like(new.q), (method.gamma - 1 / 3) * h * (new.a - state.a) / 2, h, new.v)
        factor = _SAFETY * np.sqrt(tolerance / error) if error > 0 else _LARGER
        if not error <= tolerance:
            pace.reject(h * max(_SMALLER, float(factor)) if np.isfinite(error) else _SMALLER * h)
            continue
        before, jerk = h, (new.a - state.a) / h
        state, inner = new, new_inner
        norm.see(state)
        factor = min(_LARGER, max(_SMALLER, float(factor)))
        pace.accept(h, h if 0.9 < factor < 1.3 else h * factor)
        yield state


class _NewtonSolver:
    """Newton's method with kept matrices."""

    def __init__(self, mechanics: Mechanics, norm: Norm, method: Parameters) -> None:
        self.mechanics, self.norm, self.method = mechanics, norm, method
        self.h = 0.0
        self.inverse: Array = np.zeros((0, 0))

    def step(self, state: State, inner: Array, h: float, end: float, tolerance: float) -> tuple[State, Array] | None:
        """The state after h and its inner acceleration, or None where Newton fails even with a fresh matrix."""
        for fresh in (False, True):
            if fresh or self.h != h:
                try:
                    self._factor(state, h)
                except np.linalg.LinAlgError:
                    return None
            found = self._newton(state, inner, h, end, tolerance)
            if found is not None:
                return found
        return None

    def _factor(self, state: State, h: float) -> None:
        """The matrix of the residual against the new coordinates, scaled by beta' so that its rows are masses."""
        M, C, K, A, _, _, L = self.mechanics.newton(state)
        beta, gamma = self._factors(h)
        self.inverse = np.asarray(np.linalg.inv(bordered(beta * M + gamma * C + K, A, L)), dtype=np.float64)
        self.h = h

    def _factors(self, h: float) -> tuple[float, float]:
        """da/dq and dv/dq."""
        p = self.method
        return (1 - p.alpha_m) / (p.beta * h * h * (1 - p.alpha_f)), p.gamma / (p.beta * h)

    def _newton(self, state: State, inner: Array, h: float, end: float, tolerance: float) -> tuple[State, Array] | None:
        p, n = self.method, len(state.q)
        t = state.t + h if state.t + h < end else end
        da, dv = self._factors(h)
        # predicted with the new inner acceleration at zero
        q = state.q + h * state.v + h * h * (0.5 - p.beta) * inner
        v = state.v + h * (1 - p.gamma) * inner
        new_inner = (p.alpha_f * state.a - p.alpha_m * inner) / (1 - p.alpha_m)
        q, v, a = q + h * h * p.beta * new_inner, v + h * p.gamma * new_inner, np.zeros(n)
        multipliers = state.multipliers
        before = np.inf
        for _ in range(_ROUNDS):
            try:
                residual = self._residual(t, q, v, a, multipliers)
            except (Singular, FloatingPointError):
                return None
            if not np.all(np.isfinite(residual)):
                return None
            move = self.inverse @ residual
            q, v, a = q - move[:n], v - dv * move[:n], a - da * move[:n]
            multipliers = multipliers - move[n:]
            size = self.norm.of_rates(move[:n]) / h
            scale = max(self.norm.largest, self.norm.speed(v), 1e-300)
            rate = size / before if np.isfinite(before) else 0.3
            left = size * min(1.0, rate / max(1 - rate, 0.05))
            if left <= 1e-4 * tolerance * scale or size < 1e-14 * scale:
                return self._landed(state, inner, t, q, v, a, multipliers)
            if rate > 0.9:
                return None
            before = size
        return None

    def _residual(self, t: float, q: Array, v: Array, a: Array, multipliers: Array) -> Array:
        """M a - f - A' lambda with g = 0 below; constraints on rates stand as they are, over their slope."""
        rows = self.mechanics.residual(t, q, v, a, multipliers)
        if not self.mechanics.constrained:
            return rows
        system, n = self.mechanics.system, len(q)
        held = np.array(system.holonomic, dtype=bool)
        A, b = system.velocity(t, q)
        below = (A @ v + b) / self._factors(self.h)[1]
        below[held] = system.position(t, q)
        return np.concatenate([rows[:n], self.mechanics.counted(below, multipliers)])

    def settled(self, state: State, new: State, inner: Array, h: float) -> tuple[State, Array]:
        """Accelerations that fit the constraints where a step has ended, across them also the inner ones.

        Those that the step was solved with hold what is left of its positions over h^2: the shorter a step, the more.
        """
        landed = self.mechanics.state(*new[:3])
        fits = landed.a + (self.method.alpha_m - self.method.alpha_f) * (landed.a - state.a)
        off = new.v + inner - fits  # the rates of the state are on their constraints: what moves back is across them
        return landed, inner + self.mechanics.onto_rates(self.mechanics.inside(new.t), new.q, off) - off

    def _landed(
        self, state: State, inner: Array, t: float, q: Array, v: Array, a: Array, multipliers: Array
    ) -> tuple[State, Array]:
        p = self.method
        new_inner = ((1 - p.alpha_f) * a + p.alpha_f * state.a - p.alpha_m * inner) / (1 - p.alpha_m)
        if self.mechanics.constrained:
            q, v = self.mechanics.projected(t, q, v)
        return State(t, q, v, a, multipliers), new_inner
