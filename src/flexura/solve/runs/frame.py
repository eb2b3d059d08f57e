"""The elastic motion of a frame on a moving body: rigid motion given, elastic response found ([E], theory.md 4).

>>> run = fx.simulate(frame, t, body=fx.MovingFrame.turning("z", "3*t**2"), loads={"v4": "10*sin(5*t)"})
>>> run["v4"], run["v4_t"], run.position(4), run.energy.error
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Numbers
from flexura.errors import FlexuraError
from flexura.solve.runs.frame_problem import FrameProblem, NodeHistories, start, through, trajectory
from flexura.solve.runs.matrices import simulate_system
from flexura.solve.steppers.trajectory import Trajectory, increasing_times
from flexura.solve.steppers.varying import varying_motion
from flexura.structures.moving.body import MovingFrame
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.loads import Loads
from flexura.systems.second_order import SecondOrderSystem

Array = NDArray[np.float64]

_EXACT_UP_TO = 400
"""So many unknowns are stepped by matrix exponentials where the frame moves steadily."""


def simulate_frame(
    frame: BeamFrame,
    t: Numbers,
    body: MovingFrame | None = None,
    loads: Loads = None,
    coefficients: str = "varying",
    initial: Mapping[str, Numbers] | str | Numbers = None,
    *,
    geometric: bool = True,
    step: float | None = None,
    tolerance: float = 1e-4,
    radius: float = 1.0,
) -> Trajectory:
    """The motion of the free dofs, seen from the moving frame, at the times t; by name "v4", "v4_t", "v4_tt".

    `loads`: {"v4": number, text in t, array on t or callable} or {4: {"v": ...}}, a FrameLoad or several, or a callable
    of t that gives all n. `coefficients="frozen"` keeps what the frame's motion does constant between two points of t,
    at its middle ([E]). `initial` {"v4": 0.1, "v4_t": 0.0} or (x, x_t); "static" starts from the deformation that holds
    at t[0].
    Steps are refined until displacements hold to `tolerance` of the largest, unless `step` is given; a frame of
    moderate size whose motion is steady is followed exactly, by matrix exponentials.
    """
    if coefficients not in ("varying", "frozen"):
        raise FlexuraError(f"coefficients is {coefficients!r}", advice="say 'varying' or 'frozen'")
    times, body = increasing_times(t), body or MovingFrame()
    _warn_if_inconsistent(body, times)
    problem = FrameProblem.of(frame, body, loads, times, geometric)
    x, v = start(problem, initial, float(times[0]))
    if body.steady and problem.n <= _EXACT_UP_TO and step is None and radius == 1:
        return _exactly(problem, times, x, v)
    kinds = np.argwhere(frame.free)[:, 1] // 3
    span = float(times[0]), float(times[-1])
    points, notes = through(problem.loads.features(*span), body.features(*span), times, coefficients == "frozen")
    motion = varying_motion(
        problem,
        times,
        x,
        v,
        frozen=coefficients == "frozen",
        step=step,
        tolerance=tolerance,
        radius=radius,
        groups=kinds,
        through=points,
    )
    return trajectory(frame, body, times, motion, tolerance if step is None else None, notes)


def _exactly(problem: FrameProblem, times: Array, x: Array, v: Array) -> Trajectory:
    """Steady motion of the frame: constant matrices, exact steps."""
    now, loads, frame = problem.matrices(float(times[0])), problem.loads, problem.constants.frame
    F: Any = np.column_stack([now.f + loads.constant, *loads.columns])
    names: Any = ("constant loads", *(f"{one.what} ({i})" for i, one in enumerate(loads.histories, start=1)))
    inputs: Any = dict(zip(names, [1.0, *(one.signal for one in loads.histories)], strict=True))
    if loads.general:
        F, inputs, names = None, lambda t: now.f + loads.at(t), None
    system = SecondOrderSystem(now.M, now.D, now.K, now.G, now.H, F, inputs=names, dofs=frame.dofs)
    run = simulate_system(system, times, (x, v), inputs)
    tables = np.column_stack([run[name] for name in frame.dofs])
    nodes = NodeHistories(frame, problem.body, run.t, tables)
    return replace(run, places=nodes.place, positions=nodes.position)


def _warn_if_inconsistent(body: MovingFrame, times: Array) -> None:
    found = body.mismatch(times)
    if found is not None:
        t, given, rate = found
        warnings.warn(
            f"At t = {t:g} the frame's epsilon is {given.tolist()}, but omega changes at {rate.round(6).tolist()};"
            " give epsilon as the rate of omega, or build the motion with MovingFrame.turning.",
            stacklevel=3,
        )
