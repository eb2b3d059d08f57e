"""What a motion in few shapes leaves out: the forces it cannot balance, as the deflections they would cause.

    >>> missing = left_out(whole, case, states, groups, weights)
    >>> missing.shares                                    # {"w": 2e-4}, of the motion of each group
    >>> missing.slight                                    # {"phi": 0.3}, of fields that hardly move, of their own

A motion found on a subspace balances its own forces and no others. Here those of all unknowns are put in: what is left,
r = f - M a + A' lambda, would move the whole system by (K + 2 M / T^2)^-1 r within the time T of the run. That catches
rigid motions that are missing, and members that turn so far that the shapes they had at rest do not fit any more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.solve.runs.case import Case
from flexura.solve.runs.field_weights import Weights
from flexura.solve.steppers.mechanics import State
from flexura.solve.steppers.subspace import MemberGroup

Array = NDArray[np.float64]
_STATES = 6
MISSING = 0.01  # the share of a motion that forces outside the shapes may ask for


@dataclass(frozen=True)
class Missing:
    """By groups, the largest share of a motion that is missing; by fields, that of their own motion where it counts
    for little beside their group's; and that of all together, which falls as shapes are added."""

    shares: Mapping[str, float]
    slight: Mapping[str, float]
    together: float


def left_out(
    whole: Case, case: Case, states: Sequence[State], groups: Sequence[MemberGroup], weights: Weights
) -> Missing:
    """What the forces that are not balanced would move, beside what moved."""
    smooth = [state for state in states if state.t not in case.breaks] or states  # forces of one side, not of both
    chosen = [smooth[i] for i in np.unique(np.linspace(0, len(smooth) - 1, _STATES).astype(int))]
    span = float(case.question.times[-1] - case.question.times[0])
    missing = np.array([_missing(whole, case, state, span) for state in chosen])
    moved = case.all(np.array([state.q for state in states]))
    size = motion_size(whole, moved)
    shares: dict[str, float] = {}
    slight: dict[str, float] = {}
    for group in groups:
        lost, sizes = (weights.largest(group, q) for q in (missing, moved))
        counted = weights.counted(group, lost, sizes, size)
        shares[group.name] = max(counted.values())
        own = {name: lost[name] / max(sizes[name], lost[name], 1e-300) for name in group.fields}
        slight |= {name: own[name] for name, share in counted.items() if 0 < share <= MISSING < own[name]}
    return Missing(shares, slight, motion_size(whole, missing) / max(size, 1e-300))


def motion_size(whole: Case, q: Array) -> float:
    """The largest of all unknowns among states in rows, in the metric of the masses at the start."""
    masses = np.abs(np.diag(start_mass(whole)))
    return float(np.sqrt(((q * q) @ masses).max(initial=0.0)))


def start_mass(case: Case) -> Array:
    """The mass matrix where a case starts."""
    system, start = case.system, case.start
    return np.asarray(system.evaluate(float(case.question.times[0]), start.q, start.v, system.rest)[0]).copy()


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
