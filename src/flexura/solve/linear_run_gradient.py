"""Slopes of linear runs: what is asked for at values beside a parameter, and what that changes of matrices and loads.

>>> cases = cases_beside(case_of, read)                   # by steps: two on each side, or four
>>> linear_gradient(case, {"k": cases}, known, begun, times, read)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from flexura.solve.differences import NEAR, STEPS, slope_of, slopes_of, step_of, straight
from flexura.solve.linear_run_slopes import Drive, Drives, Readings, linear_states
from flexura.solve.runs.case import Case

Array = NDArray[np.float64]
_LOOKS = 4**5  # at inputs
_ROUNDED = 1e-14  # of loads
_DIGIT = 10 * float(np.finfo(np.float64).eps)


def cases_beside(case_of: Callable[[int], Case], read: Readings) -> dict[int, Case]:
    """The question at values beside: as many as it takes, of what is straight or a parabola two on each side."""
    cases = {k: case_of(k) for k in NEAR}
    seen = {k: _numbers(one, read) for k, one in cases.items()}
    plain = {k: one for k, one in seen.items() if one is not None}
    same = len({tuple(one.shape for one in rows) for rows in plain.values()}) == 1
    if len(plain) == len(NEAR) and same and straight(plain):
        return cases
    return cases | {k: case_of(k) for k in STEPS if k not in cases}


def _numbers(case: Case, read: Readings) -> list[Array] | None:
    """All that the run of a linear system is made of; None of any other."""
    linear, times = read(case), case.question.times
    if linear is None:
        return None
    seen = np.unique(np.concatenate([times, np.linspace(times[0], times[-1], _LOOKS), case.scales.moments]))
    driven = linear.drive.at(np.clip(seen, times[0], times[-1]))
    return [*linear.matrices, case.start.q, case.start.v, linear.drive.B, driven]


def linear_gradient(
    case: Case,
    beside: Mapping[str, Mapping[int, Case]],
    known: Mapping[str, float],
    begun: Array,
    times: Array,
    read: Readings,
) -> tuple[Array, float] | None:
    """The same by exponentials, where the system is linear with constant coefficients; None where it is not."""
    every = [case, *(one for cases in beside.values() for one in cases.values())]
    linear = [read(one) for one in every]
    mine, kinds = linear[0], {None if one is None else one.drive.B.shape for one in linear}
    if mine is None or None in kinds or not beside:
        return None
    slopes, error, drives = [], 0.0, dict[str, dict[int, Drive]]()
    for name, cases in beside.items():
        found = {k: one for k, case_k in cases.items() if (one := read(case_k)) is not None}
        by, off = slopes_of({k: one.matrices for k, one in found.items()}, step_of(known[name]), name)
        slopes.append((by[0], by[1], by[2]))
        error = max(error, off)
        drives[name] = {k: one.drive if len(kinds) == 1 else Drive.of(cases[k], plain=True) for k, one in found.items()}
    drive = mine.drive if len(kinds) == 1 else Drive.of(case, plain=True)
    pushed = _drives(drive, drives, known)
    states = linear_states(every, mine.matrices, slopes, pushed, begun, times)
    return states.reshape(len(times), -1), max(error, _turned(mine.matrices, times[-1] - times[0]))


def _turned(matrices: tuple[Array, Array, Array], duration: float) -> float:
    """What rounding makes of exponentials: some of the last digit for each radian of the highest frequency."""
    M, _, K = matrices
    highest = float(np.sqrt(np.abs(np.linalg.eigvals(np.linalg.solve(M, K))).max(initial=0.0)))
    return _DIGIT * (1.0 + highest * duration)


def _drives(mine: Drive, others: Mapping[str, Mapping[int, Drive]], known: Mapping[str, float]) -> Drives:
    """What drives the run and its slopes; what is the same at every value has no slope, not one of rounding."""
    steps = {name: step_of(known[name]) for name in others}

    def at(times: Array) -> Array:
        rows = [slope_of({k: one.at(times) for k, one in of.items()}, steps[name]) for name, of in others.items()]
        return np.hstack([mine.at(times), *rows])

    size, slopes = float(np.abs(mine.B).max(initial=0.0)), []
    for name, of in others.items():
        slope = slope_of({k: one.B for k, one in of.items()}, steps[name])
        slopes.append(np.where(np.abs(slope) > _ROUNDED * size / steps[name], slope, 0.0))
    return Drives(mine.B, slopes, at, tuple(steps.values()))
