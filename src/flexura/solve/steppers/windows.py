"""The implicit way, many steps at once: Radau IIA collocation on a window of steps, by one Newton iteration for all of
them.

    >>> for state in windows(mechanics, norm, start, end, tolerance, pace): ...

Unknown are the accelerations a_ki at the stages of all steps k. Their residuals are evaluated as one stack, so that
the overhead of a call is shared. Newton's linear system is lower triangular in the steps (`stages.py`).

A first guess is what the system, linearised at the start, would do: for linear systems with constant coefficients it
is the answer. The matrices are those of the start as long as the iteration converges well with them, and fresh ones
otherwise; a window that still does not converge is taken again with fewer steps. Steps of a window may grow from one
to the next, and those behind one with too large an error are taken again.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from flexura.solve.steppers.mechanics import Mechanics, State
from flexura.solve.steppers.norm import Norm
from flexura.solve.steppers.pace import Pace
from flexura.solve.steppers.stages import apart, coupled
from flexura.solve.steppers.tableau import RADAU, Tableau
from flexura.systems.deadline import Deadline

Array = NDArray[np.float64]
Slopes = tuple[Array, Array, Array]  # M, dR/dv, dR/dq of some steps
_ROUNDS = 14
_ROUNDING = 1e-14  # of the speed: Newton's steps do not become smaller
_ENOUGH = 4  # rounds after which the next window begins with fresh matrices
_SLOW, _HOPELESS = 0.15, 0.7  # contraction above which matrices are refreshed, or the window is given up
_MOST = 32  # steps of a window
# growth from step to step, and steps of such a window
_STEEP, _GENTLE, _SHORT, _LEVEL = (2.0, 8), (1.2, 20), (1.0, 8), (1.0, _MOST)
_FEW = 8  # steps left that are not worth growing
_NUMBERS = 4e6  # numbers the mass matrices of a window may take
_MANY = 12  # unknowns from which on the residual is quicker than the mass matrix
_SMALL = 12  # unknowns up to which refreshed matrices are those of each stage
_LARGE = 40  # unknowns from which on refreshed matrices are those of one step, in the middle
_MARGIN = 1.5  # errors by this larger than aimed at are let pass: all that follows would be lost
_RECENT = 4  # steps whose errors tell the next one
_SMALLER, _LARGER, _SAFETY = 0.2, 6.0, 0.85
_TRIES = 3  # refreshed matrices of a window


def windows(
    mechanics: Mechanics,
    norm: Norm,
    start: State,
    end: float,
    tolerance: float,
    pace: Pace,
    method: Tableau = RADAU,
) -> Iterator[State]:
    """The accepted states after `start`, up to `end` exactly."""
    state, count, n, s, slopes = start, _MOST, len(start.q), method.s, None
    ramp = _GENTLE if pace.accepted else _STEEP
    most = int(max(1, min(_MOST, _NUMBERS / (s * n * n + 1))))
    allowed = tolerance ** ((s + 1) / (2 * s))  # the estimate is of order s, the step of order 2 s - 1
    while state.t < end:
        steps = _steps(pace, state.t, end - state.t, min(count, most, ramp[1]), ramp[0], even=n > _LARGE)
        pace.alive(state.t, float(steps[0]))
        window = StepWindow(mechanics, norm, method, state, steps, pace.deadline)
        solved = window.solve(0.1 * tolerance, slopes)
        slopes = None
        if not solved:
            if len(steps) <= 2:
                pace.reject(0.3 * float(steps[0]))
            count = max(1, len(steps) // 4)
            continue
        errors = window.errors()
        bad = np.flatnonzero(~(errors <= _MARGIN * allowed))
        good = int(bad[0]) if len(bad) else len(steps)
        advice = _advice(steps[: good + 1], errors[: good + 1], allowed, 1 / (s + 1))
        if not good:
            pace.reject(advice)
            continue
        slopes = window.slopes_after(good) if window.rounds <= _ENOUGH else None
        pace.accepted += good - 1
        pace.accept(float(steps[good - 1]), advice)
        ramp = _ramp(ramp, advice / float(steps[good - 1]), good, len(steps))
        if window.ends[good - 1] + _FEW * advice > end:
            ramp = _LEVEL
        for state in window.states(good, end):
            yield state
        count = 2 * count if window.rounds <= 6 else max(1, count // 2) if window.rounds > 10 else count


def _ramp(now: tuple[float, int], growth: float, good: int, count: int) -> tuple[float, int]:
    """How the steps of the next window grow. Steps that turn out too large cost little; a window more costs much."""
    if good < count:
        return _GENTLE if now == _STEEP or good > count // 4 else _SHORT
    return _STEEP if growth > 2 else _GENTLE if growth > 1.15 else _LEVEL


def _advice(steps: Array, errors: Array, allowed: float, power: float) -> float:
    """The next step, from the worst error among steps as large as the last."""
    worst = float(errors[steps > 0.7 * steps[-1]][-_RECENT:].max())
    factor = _SAFETY * (allowed / worst) ** power if worst > 0 else _LARGER
    return float(steps[-1]) * (min(_LARGER, max(_SMALLER, factor)) if np.isfinite(factor) else _SMALLER)


def _steps(pace: Pace, t: float, left: float, count: int, ramp: float, even: bool) -> Array:
    """The steps that come next, growing by a ratio; the end is met without a splinter. Equal ones share factors."""
    h = min(pace.h, left)
    steps = np.minimum(h * (1.0 if even else ramp) ** np.arange(count), pace.largest)
    free = steps.copy()
    for i in range(count if pace.scales.edges or np.isfinite(pace.scales.longest) else 0):
        steps[i] = min(steps[i], pace.scales.reach(t))
        t += steps[i]
    ends = np.cumsum(steps)
    if ends[-1] < left * (1 - 1e-9):
        return np.asarray(steps)
    needed = int(np.searchsorted(ends, left * (1 - 1e-9))) + 1
    if np.any(steps[:needed] < free[:needed]):  # each is as long as the inputs allow where it is, and stays there
        steps = np.append(steps[: needed - 1], left - (ends[needed - 2] if needed > 1 else 0.0))
        steps[-2:] = steps[-2:].mean()
        return np.asarray(steps)
    steps = steps[:needed] * (left / ends[needed - 1])
    # the curve through states is less accurate where it ends: there steps are short
    return np.asarray(steps) if even else np.append(steps[:-1], [steps[-1] / 2] * 2)


class StepWindow:
    """Steps from a state, all at once."""

    def __init__(
        self,
        mechanics: Mechanics,
        norm: Norm,
        method: Tableau,
        start: State,
        steps: Array,
        deadline: Deadline | None = None,
    ) -> None:
        self.mechanics, self.norm, self.method, self.deadline = mechanics, norm, method, deadline or Deadline()
        self.start, self.count = start, len(steps)
        self.h = steps[:, None]  # as a column, beside vectors
        self.n, self.rounds = len(start.q), 0
        self.ends = start.t + np.cumsum(steps)
        self.t = ((self.ends - steps)[:, None] + self.h * method.c).ravel()
        self.inside = mechanics.inside(self.t)
        self.u = np.asarray(mechanics.inputs(self.inside))
        self.a = np.zeros((self.count, method.s, self.n))

    # ---- Newton

    def solve(self, tolerance: float, slopes: Slopes | None = None) -> bool:
        """Find the accelerations; whether that succeeded. `slopes` are matrices that served before."""
        with np.errstate(all="ignore"):
            try:
                self.slopes = slopes or self._slopes_at_start()
                return self._solve(tolerance)
            except np.linalg.LinAlgError:
                return False

    def _solve(self, tolerance: float) -> bool:
        M, _, K = self.slopes
        self.matrices = apart(self.method, self.h, *self.slopes)
        drift = _drift(M[0], K[0], self.start.v, self.ends[-1] - self.start.t)
        self._place(self.start.q, drift)
        change = np.concatenate([np.zeros(self.n), self.start.v - drift])
        before, fresh, hopeless = np.inf, 0, 0
        span, one = float(self.ends[-1] - self.start.t), self.start
        scale = max(self.norm.largest, self.norm.speed(one.v) + span * self.norm.speed(one.a), 1e-300)
        linear = self.mechanics.system.linear
        if linear and not self.mechanics.system.steady:
            self._refresh()  # matrices of t alone: each stage has its own from the beginning
        for self.rounds in range(1, _ROUNDS + 1):
            self.deadline.check(self.start.t)
            step, rates = self._step(change)
            self.a += step
            self._place(self.start.q, self.start.v)
            change = np.zeros(2 * self.n)
            gained = np.concatenate(self.h[:, None] * step)  # stage by stage; all may be prescribed, and n be zero
            size = self.norm.largest_rate(np.concatenate([gained, rates]))
            if not np.isfinite(size):
                return False
            if linear and self.n <= _SMALL:
                return True
            known = np.isfinite(before)  # with new matrices the rate is not known yet
            rate = size / before if known else 1.0
            enough = max(max(tolerance, 1e-13) * scale, _ROUNDING * self.norm.speed(self.v[-1, -1]))
            if size * min(rate / max(1 - rate, 0.05), 1.0) <= enough:
                return True
            hopeless += known and rate > _HOPELESS
            if hopeless > 1:
                return False
            before = size
            if known and rate > _SLOW and fresh < _TRIES:
                fresh, before = fresh + 1, np.inf
                self._refresh()
        return False

    def _place(self, q: Array, v: Array) -> None:
        """Coordinates and rates at the stages, and at the starts of steps, from the accelerations."""
        h, s = self.h[:, None], self.method.s
        sums = self.method.both @ self.a
        gained, moved = h * sums[:, :s], h * h * sums[:, s:]
        v_start = np.cumsum(np.concatenate([v[None], gained[:-1, -1]]), axis=0)
        q_start = np.cumsum(np.concatenate([q[None], self.h[:-1] * v_start[:-1] + moved[:-1, -1]]), axis=0)
        self.v_start = v_start
        self.v = v_start[:, None] + gained
        self.q = q_start[:, None] + (h * self.method.c[:, None]) * v_start[:, None] + moved

    def _step(self, change: Array) -> tuple[Array, Array]:
        """Newton's step of the accelerations, and that of the rates at the starts of steps."""
        flat = (self.count * self.method.s, self.n)
        self.mechanics.worked(flat[0])
        system, q, v, a = self.mechanics.system, *(one.reshape(flat) for one in (self.q, self.v, self.a))
        if system.residual is not None and self.n >= _MANY:
            residual = system.residual(self.inside, q, v, a, self.u)
            self.mass = self.matrices.M
        elif system.forces is not None:
            residual = a @ self.matrices.M[0] - system.forces(self.inside, q, v, self.u)
            self.mass = self.matrices.M
        else:
            M, f = system.evaluate(self.inside, q, v, self.u)
            residual = (M @ a[..., None])[..., 0] - f
            self.mass = M.reshape(self.count, self.method.s, self.n, self.n)[:, -1]
        return self.matrices.newton(residual.reshape(self.a.shape), change)

    # ---- matrices

    def _slopes_at_start(self) -> Slopes:
        last = self.mechanics.last_newton(self.start)
        if last is not None:
            return last.M[None], last.C[None], last.K[None]
        _, q, v, a, _ = self.start
        return self._slopes(np.array([self.start.t]), q[None], v[None], a[None], self.u[:1])

    def _refresh(self) -> None:
        """Newton's matrices at each stage of each step, of larger systems at one of them, of large ones of one step."""
        s = self.method.s
        steps = slice(self.count // 2, self.count // 2 + 1) if self.n > _LARGE else slice(None)
        stages = slice(None) if self.n <= _SMALL else slice(s // 2, s // 2 + 1)
        t, u = self.t.reshape(self.count, s)[steps, stages], self.u.reshape(self.count, s, -1)[steps, stages]
        q, v, a = (one[steps, stages].reshape(t.size, -1) for one in (self.q, self.v, self.a))
        found = self._slopes(t.ravel(), q, v, a, u.reshape(t.size, -1))
        M, C, K = (one.reshape(*t.shape, self.n, self.n) for one in found)
        self.slopes = M[:, -1], C[:, -1], K[:, -1]
        if self.n <= _SMALL:
            self.matrices = coupled(self.method, self.h, M, C, K)
        else:
            self.matrices = apart(self.method, self.h, M[:, 0], C[:, 0], K[:, 0])

    def slopes_after(self, good: int) -> Slopes:
        """The matrices of the last good step, for what comes next."""
        M, C, K = self.slopes
        k = min(good, len(M)) - 1
        return M[k : k + 1], C[k : k + 1], K[k : k + 1]

    def _slopes(self, t: Array, q: Array, v: Array, a: Array, u: Array) -> Slopes:
        self.mechanics.worked(8 * len(t))
        system, t = self.mechanics.system, self.mechanics.inside(t)
        M, _ = system.evaluate(t, q, v, u)
        K, C = system.jacobians(t, q, v, a, u, np.zeros((len(t), 0)))
        return M, C, K

    # ---- what came out

    def errors(self) -> Array:
        """The error of each step, as in `radau.py`: Hairer's estimate, filtered by the real matrix."""
        method, h, norm, one = self.method, self.h, self.norm, self.matrices
        a_start = np.concatenate([self.start.a[None], self.a[:-1, -1]])
        e_v = h * (method.gamma * a_start + method.e @ self.a)
        e_q = h * (method.gamma * self.v_start + method.e @ self.v)
        once = one.filtered(e_q, e_v)
        twice = one.filtered(*once)
        e_q, e_v = (np.concatenate([second[:1], first[1:]]) for first, second in zip(once, twice, strict=True))
        masses = np.abs(np.diagonal(self.mass, axis1=-2, axis2=-1))
        size = np.sqrt((masses * (e_v**2 + e_q**2 / (h * h))).sum(axis=-1))
        ends = self.v[:, -1]
        self.speeds = np.sqrt(np.abs((ends * (self.mass @ ends[..., None])[..., 0]).sum(axis=-1)))
        at_start = np.append(norm.speed(self.start.v), self.speeds[:-1])
        gain = (h[:, 0] ** 2 * np.abs((a_start * (self.mass @ a_start[..., None])[..., 0]).sum(axis=-1))) ** 0.5
        # as fast as it may be after the step; Newton's method may have found an answer that is none
        scale = np.maximum(np.maximum.accumulate(np.minimum(self.speeds, 4 * (at_start + gain))), norm.largest)
        return np.asarray(np.where(size == 0, 0.0, size / np.maximum(scale, 1e-300)))

    def states(self, good: int, end: float) -> Iterator[State]:
        """The ends of the steps that were good, which the norm has seen."""
        last = self.ends[:good]
        if abs(last[-1] - end) <= 1e-9 * self.h[good - 1, 0]:
            last[-1] = end
        none = np.zeros(0)
        self.mechanics.saw(self.mass[min(good, len(self.mass)) - 1])
        self.norm.see_many(self.speeds[:good], self.q[:good, -1])
        for k, t in enumerate(last.tolist()):
            yield State(t, self.q[k, -1], self.v[k, -1], self.a[k, -1], none)


def _drift(M: Array, K: Array, v: Array, span: float) -> Array:
    """The part of the rates that carries on over a span: what vibrates meanwhile does not."""
    K = span * span * (K + K.T) / 2
    return np.asarray(np.linalg.solve(M + K @ np.linalg.solve(M, K), M @ v))  # the mode w by 1 / (1 + (w span)^4)
