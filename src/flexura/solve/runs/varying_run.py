"""Linear problems whose matrices change with time, frames on moving bodies and mechanisms, followed as equations are.

>>> run = follow_varying(problem, frame.dofs, times, (x, v), options, seen)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.solve.runs.matrices import as_equations
from flexura.solve.runs.matrix_inputs import MatrixInputs
from flexura.solve.runs.options import RunOptions
from flexura.solve.steppers.trajectory import Trajectory
from flexura.solve.steppers.varying import Varying
from flexura.systems.linear_motion import Coefficients, varying_motion_of
from flexura.systems.signals.features import Features
from flexura.systems.signals.signal import Signal

Array = NDArray[np.float64]


def follow_varying(
    problem: Varying,
    names: Sequence[str],
    times: Array,
    state: tuple[Array, Array],
    options: RunOptions,
    seen: Features,
    constant_mass: bool = True,
) -> Trajectory:
    """From state to state, by any stepper; `seen` is what steps must know of all that drives the problem."""
    breaks = tuple(sorted({*seen.breaks, *options.breaks}))
    edges = np.array([times[0], *(one for one in breaks if times[0] < one < times[-1]), times[-1]])

    def at(t: float) -> Coefficients:
        now = problem.matrices(t)
        return Coefficients.of(now.M, now.D, now.G, now.K, now.H, now.f + problem.external(t), now.skew)

    # loads stand in the problem itself; what they ask of the steps comes with a signal that drives nothing more
    drives = Signal("What drives the motion", _nothing, 0, seen=seen)
    given = MatrixInputs(np.zeros((problem.n, 0)), (drives,), ("what drives the motion",))
    system = varying_motion_of(names, at, given.B, given.slots, edges, constant_mass)
    return as_equations(system, times, state, given, replace(options, breaks=breaks))


def _nothing(t: Any) -> Array:
    return np.zeros((*np.shape(t), 0))
