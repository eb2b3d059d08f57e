"""What a motion in few shapes leaves out: the forces it cannot balance, as the deflections they would cause.

    >>> shares = left_out(whole, case, states, groups)        # {"w": 2e-4}, of each member's motion

A motion found on a subspace balances its own forces and no others. Here those of all unknowns are put in: what is left,
r = f - M a + A' lambda, would move the whole system by (K + 2 M / T^2)^-1 r within the time T of the run. That catches
rigid motions that are missing, and members that turn so far that the shapes they had at rest do not fit any more.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.analyse.case import Case
from flexura.integrate.mechanics import State
from flexura.integrate.subspace import Group

Array = NDArray[np.float64]
_STATES = 6
_STILL = 1e-9  # deflections that are round-off beside the largest coordinate


def left_out(whole: Case, case: Case, states: Sequence[State], groups: Sequence[Group]) -> dict[str, float]:
    """For each group the largest deflection that is missing, as a share of the largest there is."""
    chosen = [states[i] for i in np.unique(np.linspace(0, len(states) - 1, _STATES).astype(int))]
    span = float(case.question.times[-1] - case.question.times[0])
    missing = np.array([_missing(whole, case, state, span) for state in chosen])
    moved = case.all(np.array([state.q for state in states]))
    return {group.name: _share(whole, group, missing, moved) for group in groups}


def _missing(whole: Case, case: Case, state: State, span: float) -> Array:
    """The displacement of all unknowns by the forces that are not balanced."""
    system, t = whole.system, state.t
    q, v, a = (case.all(one[None])[0] for one in (state.q, state.v, state.a))
    u = whole.mechanics.inputs(t)
    M, f = (one.copy() for one in system.evaluate(t, q, v, u))
    left, free = f - M @ a, np.eye(system.n)
    if system.m:
        A = system.velocity(t, q)[0]
        left, free = left + A.T @ state.multipliers, scipy.linalg.null_space(A)
    K = system.jacobians(t, q, v, a, u, state.multipliers)[0]
    M, K = (free.T @ (one + one.T) @ free / 2 for one in (M, K))
    try:
        squares, modes = scipy.linalg.eigh(K, M)
    except np.linalg.LinAlgError:  # the run will say which motion has no inertia
        return np.zeros(system.n)
    return np.asarray(free @ modes @ ((modes.T @ (free.T @ left)) / (np.abs(squares) + 2 / span**2)))


def _share(whole: Case, group: Group, missing: Array, moved: Array) -> float:
    worst = 0.0
    for name in group.fields:
        one = whole.system.fields[name]
        matrix = one.matrix(np.linspace(one.start, one.end, 21), 0)[:, : whole.system.n]
        size = np.abs(moved @ matrix.T).max(initial=0.0)
        lost = np.abs(missing @ matrix.T).max(initial=0.0)
        if max(size, lost) > _STILL * np.abs(moved).max(initial=0.0):
            worst = max(worst, float(lost / max(size, lost)))
    return worst
