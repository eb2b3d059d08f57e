"""The explicit way: Dormand and Prince's method of order 8 with errors of orders 5 and 3 (Hairer, Norsett & Wanner).

>>> for state in explicit(mechanics, norm, start, end, tolerance, pace): ...

Accelerations carry their multipliers, so constraints cost nothing but a step back onto them after each step.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import DOP853

from flexura.solve.steppers.mechanics import Mechanics, State
from flexura.solve.steppers.norm import Norm
from flexura.solve.steppers.pace import Pace
from flexura.solve.steppers.undetermined import Singular

Array = NDArray[np.float64]
_A, _B, _C, _E3, _E5 = DOP853.A, DOP853.B, DOP853.C, DOP853.E3, DOP853.E5
_STAGES = len(_B)
_SMALLER, _LARGER, _SAFETY = 0.2, 4.0, 0.9


def explicit(
    mechanics: Mechanics, norm: Norm, start: State, end: float, tolerance: float, pace: Pace
) -> Iterator[State]:
    """The accepted states after `start`, up to `end` exactly."""
    state, n = start, len(start.q)
    k = np.empty((_STAGES + 1, 2 * n))
    while state.t < end:
        h = pace.step_to(state.t, end)
        pace.alive(state.t, h)
        k[0, :n], k[0, n:] = state.v, state.a
        try:
            y = _stages(mechanics, state, h, k)
        except Singular as trouble:
            pace.reject(_SMALLER * h, trouble)
            continue
        error = _error(norm, k, y, h, n)
        factor = _SAFETY * (tolerance / error) ** 0.125 if error > 0 else _LARGER
        if not error <= tolerance:
            pace.reject(h * (max(_SMALLER, factor) if np.isfinite(error) else _SMALLER))
            continue
        try:
            state = _landed(mechanics, state.t + h if state.t + h < end else end, y, k, n)
        except Singular as trouble:
            pace.reject(_SMALLER * h, trouble)
            continue
        norm.see(state)
        pace.accept(h, h * min(_LARGER, max(_SMALLER, factor)))
        yield state


def _stages(mechanics: Mechanics, state: State, h: float, k: Array) -> Array:
    """Fill the stages and give the state at the end, with its multipliers."""
    n = len(state.q)
    y = np.concatenate([state.q, state.v])
    for i in range(1, _STAGES):
        at = y + h * (_A[i, :i] @ k[:i])
        k[i, :n] = at[n:]
        k[i, n:] = mechanics.acceleration(state.t + _C[i] * h, at[:n], at[n:])[0]
    new = np.asarray(y + h * (_B @ k[:_STAGES]))
    k[_STAGES, :n] = new[n:]
    k[_STAGES, n:], multipliers = mechanics.acceleration(state.t + h, new[:n], new[n:])
    return np.concatenate([new, multipliers])


def _error(norm: Norm, k: Array, y: Array, h: float, n: int) -> float:
    """Hairer's combination of the two estimates; not a number if the step left the finite."""
    e5, e3 = h * (_E5 @ k), h * (_E3 @ k)
    v = y[n : 2 * n]
    fifth, third = norm.relative(e5[:n], e5[n:], h, v), norm.relative(e3[:n], e3[n:], h, v)
    both = np.hypot(fifth, 0.1 * third)
    return float(fifth * (fifth / both)) if both else 0.0


def _landed(mechanics: Mechanics, t: float, y: Array, k: Array, n: int) -> State:
    q, v, multipliers = y[:n], y[n : 2 * n], y[2 * n :]
    if not mechanics.constrained:
        return State(t, q, v, k[_STAGES, n:].copy(), multipliers)
    return mechanics.state(t, *mechanics.projected(t, q, v))
