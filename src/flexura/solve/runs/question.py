"""What a simulation is asked for, checked before anything is built.

>>> question = ask(equations, t, initial, inputs, values, options, "correct", None)
>>> question.times, question.known
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.solve.runs.bare import Bare
from flexura.solve.runs.given import read_times
from flexura.solve.runs.impulsive import Strike
from flexura.solve.runs.options import RunOptions
from flexura.solve.values import numbers
from flexura.systems.deadline import Deadline

Array = NDArray[np.float64]
_USUAL = 1e-8  # the part of the largest energy that the energy balance may miss


@dataclass(frozen=True)
class Question:
    """Everything asked for, checked."""

    equations: Equations
    times: Array
    initial: Any
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
    strikes: tuple[Strike, ...] = ()


def ask(
    equations: Equations,
    t: Any,
    initial: Any,
    inputs: Mapping[str, Any] | None,
    values: Mapping[str, Any] | None,
    options: RunOptions,
    inconsistent: str,
    progress: bool | None,
    strikes: tuple[Strike, ...] = (),
) -> Question:
    """Check and gather; inputs among the values are taken as inputs."""
    given, loads = dict(values or {}), dict(inputs or {})
    for name in [one for one in given if one in equations.lagrangian.inputs]:
        loads.setdefault(name, given.pop(name))
    return Question(
        equations,
        read_times(t),
        dict(initial) if isinstance(initial, Mapping) else initial,
        loads,
        given,
        {} if isinstance(equations, Bare) else numbers(equations, given),
        _USUAL if options.tolerance is None else options.tolerance,
        options.method,
        inconsistent,
        options.events,
        options.stop,
        options.deadline,
        progress,
        options.breaks,
        options.longest_step,
        strikes,
    )
