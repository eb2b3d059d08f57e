"""What a simulation is asked for, checked before anything is built.

>>> question = ask(equations, t, initial, inputs, values, ...)
>>> question.times, question.known
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.errors import FlexuraError
from flexura.solve.runs.bare import Bare
from flexura.solve.runs.inputs import unknown
from flexura.solve.steppers.run import METHODS
from flexura.solve.values import numbers
from flexura.systems.deadline import Deadline

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Question:
    """Everything asked for, checked."""

    equations: Equations
    times: Array
    initial: Mapping[str, Any]
    inputs: Mapping[str, Any]
    values: Mapping[str, Any]
    known: Mapping[str, float]
    tolerance: float
    method: str | None
    inconsistent: str
    events: Mapping[str, Any]
    stop: tuple[str, ...]
    deadline: Deadline
    progress: bool | None
    breaks: tuple[float, ...] = ()
    longest_step: float = np.inf


def check_given(**given: Any) -> None:
    """Whatever is given by name comes as a dictionary."""
    for what, one in given.items():
        if one is not None and not isinstance(one, Mapping):
            raise FlexuraError(f"{what} is {one!r}", advice=f"give a dictionary of names, like {what}={{'q1': 0.1}}")


def ask(
    equations: Equations,
    t: Any,
    initial: Mapping[str, Any] | None,
    inputs: Mapping[str, Any] | None,
    values: Mapping[str, Any] | None,
    tolerance: float,
    method: str | None,
    inconsistent: str,
    events: Mapping[str, Any] | None,
    stop: Sequence[str] | str,
    max_seconds: float | None,
    progress: bool | None,
    breaks: Sequence[float] | None = None,
    longest_step: float | None = None,
) -> Question:
    """Check and gather; inputs among the values are taken as inputs."""
    if method not in (None, "exact", *METHODS):
        raise FlexuraError(
            f"method is {method!r}", advice=f"use {', '.join(map(repr, (*METHODS, 'exact')))}, or leave it out"
        )
    if not isinstance(tolerance, Real) or not 1e-13 <= tolerance <= 0.1:
        raise FlexuraError(f"tolerance is {tolerance!r}", advice="give a number from 1e-13 to 0.1")
    if max_seconds is not None and (not isinstance(max_seconds, Real) or not max_seconds > 0):
        raise FlexuraError(f"max_seconds is {max_seconds!r}", advice="give a number above 0, or leave it out")
    stops = (stop,) if isinstance(stop, str) else tuple(stop)
    for name in stops:
        if name not in (events or {}):
            raise unknown(f"The run shall stop at {name!r}, which is no event", name, events or {})
    given, loads = dict(values or {}), dict(inputs or {})
    for name in [one for one in given if one in equations.lagrangian.inputs]:
        loads.setdefault(name, given.pop(name))
    deadline = Deadline(np.inf if max_seconds is None else float(max_seconds))
    return Question(
        equations,
        _times(t),
        dict(initial or {}),
        loads,
        given,
        {} if isinstance(equations, Bare) else numbers(equations, given),
        tolerance,
        method,
        inconsistent,
        dict(events or {}),
        stops,
        deadline,
        progress,
        _breaks(breaks),
        _longest(longest_step),
    )


def _breaks(given: Sequence[float] | None) -> tuple[float, ...]:
    try:
        found = np.atleast_1d(np.asarray(() if given is None else given, dtype=np.float64))
    except (TypeError, ValueError):
        found = np.array([np.nan])
    if found.ndim != 1 or not np.all(np.isfinite(found)):
        raise FlexuraError(
            f"breaks is {given!r}", advice="give times at which inputs change suddenly, like [0.5, 0.503]"
        )
    return tuple(sorted(set(found.tolist())))


def _longest(given: float | None) -> float:
    if given is None:
        return np.inf
    if isinstance(given, bool) or not isinstance(given, Real) or not given > 0:
        raise FlexuraError(f"longest_step is {given!r}", advice="give a length of time above 0, or leave it out")
    return float(given)


def _times(t: Any) -> Array:
    try:
        times = np.asarray(t, dtype=np.float64)
    except (TypeError, ValueError):
        raise FlexuraError(
            "t is not a row of numbers", advice="give increasing times, like np.linspace(0, 1, 101)"
        ) from None
    if times.ndim != 1 or len(times) < 2:
        raise FlexuraError(
            "t needs at least two times in a row", advice="give increasing times, like np.linspace(0, 1, 101)"
        )
    if not np.all(np.isfinite(times)):
        raise FlexuraError(
            f"t is not finite at its point {int(np.argmin(np.isfinite(times)))}", advice="give finite times"
        )
    back = np.flatnonzero(np.diff(times) <= 0)
    if len(back):
        i = int(back[0]) + 1
        raise FlexuraError(
            f"t does not increase: its point {i} is {times[i]:.6g} after {times[i - 1]:.6g}",
            advice="sort the times and leave out those that repeat",
        )
    return times
