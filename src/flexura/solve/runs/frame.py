"""The elastic motion of a frame on a moving body: rigid motion given, elastic response found ([E], theory.md 4).

>>> run = fx.simulate(frame, t, body=fx.MovingFrame.turning("z", "3*t**2"), loads={"v4": "10*sin(5*t)"})
>>> run["v4"], run["v4_t"], run.position(4), run.energy.error
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Measured, Numbers
from flexura.errors import FlexuraError, warn
from flexura.solve.runs.frame_problem import FrameProblem, NodeHistories, start, through, trajectory
from flexura.solve.runs.given import read_times
from flexura.solve.runs.matrices import simulate_system
from flexura.solve.runs.options import RunOptions, read_options, read_steps
from flexura.solve.runs.varying_run import follow_varying
from flexura.solve.steppers.table import STEPPERS
from flexura.solve.steppers.trajectory import Trajectory
from flexura.solve.steppers.varying import varying_motion
from flexura.structures.moving.body import MovingFrame
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.loads import Loads
from flexura.systems.deadline import Deadline, preparing
from flexura.systems.second_order import SecondOrderSystem
from flexura.systems.signals.signal import Signal

Array = NDArray[np.float64]

_EXACT_UP_TO = 400
"""So many unknowns are stepped by matrix exponentials where the frame moves steadily."""
_USUAL = 1e-4  # of the largest displacement, to which steps of two lengths agree


def simulate_frame(
    frame: BeamFrame,
    t: Measured,
    body: MovingFrame | None = None,
    loads: Loads = None,
    coefficients: str = "varying",
    initial: Mapping[str, Any] | str | Numbers = None,
    *,
    geometric: bool = True,
    step: float | None = None,
    tolerance: float | None = None,
    radius: float | None = None,
    method: str | None = None,
    events: Mapping[str, Any] | None = None,
    stop: Sequence[str] | str = (),
    max_seconds: float | Deadline | None = None,
    breaks: Sequence[float] | None = None,
    longest_step: float | None = None,
) -> Trajectory:
    """The motion of the free dofs, seen from the moving frame, at the times t; by name "v4", "v4_t", "v4_tt".

    `loads`: {"v4": number, text or expression in t, array on t or callable} or {4: {"v": ...}}, a FrameLoad or several,
    or a callable of t that gives all n. `coefficients="frozen"` keeps what the frame's motion does constant between two
    points of t, at its middle ([E]). `initial` {"v4": 0.1, "v4_t": 0.0} or (x, x_t); "static" starts from the
    deformation that holds at t[0].
    Steps are refined until displacements hold to `tolerance` of the largest (1e-4), unless `step` is given; a frame of
    moderate size whose motion is steady is followed exactly, by matrix exponentials. With `method` "explicit" or
    "radau", or with `events`, the energies balance to `tolerance` (1e-8), as those of equations do; `stop`,
    `max_seconds`, `breaks` and `longest_step` are as for equations, too.
    """
    if coefficients not in ("varying", "frozen"):
        raise FlexuraError(f"coefficients is {coefficients!r}", advice="say 'varying' or 'frozen'")
    options = read_options(tolerance, method, events, stop, max_seconds, breaks, longest_step)
    step, damped = read_steps(options, step, radius, 1.0)
    times, body = read_times(t), body or MovingFrame()
    _warn_if_inconsistent(body, times)
    problem = FrameProblem.of(frame, body, loads, times, geometric)
    state = start(problem, initial, float(times[0]))
    return _followed(problem, times, state, options, coefficients == "frozen", step, damped)


def _followed(
    problem: FrameProblem,
    times: Array,
    state: tuple[Array, Array],
    options: RunOptions,
    frozen: bool,
    step: float | None,
    radius: float,
) -> Trajectory:
    """By matrix exponentials where the body moves steadily, from state to state where that is asked for, else by
    generalized-alpha with matrices of every time."""
    body, method, freely = problem.body, options.method, options.from_state_to_state
    if frozen and freely:
        raise FlexuraError(
            "coefficients='frozen' is stepped by generalized-alpha, without events",
            advice="leave events and the method out, or ask for coefficients='varying'",
        )
    matrices_only = method is not None and STEPPERS[method].on_states is None
    if body.steady and (freely or matrices_only or _exact(problem, options, step, radius)):
        return _with_nodes(problem, _steadily(problem, times, state, options, step))
    if matrices_only:
        raise FlexuraError(
            f"method={method!r} is for matrices that do not change, and the motion of this frame's body does",
            advice="leave the method out",
        )
    frame, moved = problem.constants.frame, body.features(float(times[0]), float(times[-1]))
    if freely:
        run = follow_varying(problem, frame.dofs, times, state, options, problem.loads.seen + moved)
        return _with_nodes(problem, run)
    points, notes = through(problem.loads.seen, moved, times, frozen, options)
    tolerance = _USUAL if options.tolerance is None else options.tolerance
    with preparing(options.deadline):
        motion = varying_motion(
            problem, times, *state, frozen=frozen, step=step, tolerance=tolerance, radius=radius,
            groups=np.argwhere(frame.free)[:, 1] // 3, through=points,
        )  # fmt: skip
    return trajectory(frame, body, times, motion, tolerance if step is None else None, notes)


def _exact(problem: FrameProblem, options: RunOptions, step: float | None, radius: float) -> bool:
    """Whether a frame on a body that moves steadily is followed by matrix exponentials."""
    return options.method is None and problem.n <= _EXACT_UP_TO and step is None and radius == 1


def _steadily(
    problem: FrameProblem, times: Array, state: tuple[Array, Array], options: RunOptions, step: float | None
) -> Trajectory:
    """Steady motion of the frame: constant matrices."""
    now, loads, frame = problem.matrices(float(times[0])), problem.loads, problem.constants.frame
    B, signals, names = _driving(problem, now.f + loads.constant)
    system = SecondOrderSystem(now.M, now.D, now.K, now.G, now.H, B, inputs=names, dofs=frame.dofs)
    if loads.general:  # one signal for all loads, which are the columns of B together
        whole = Signal("The load", lambda t: np.hstack([one.at(_many(t)) for one in signals]), B.shape[1],
                       seen=loads.seen)  # fmt: skip
        return simulate_system(system, times, state, whole, step=step, **options.as_given())
    inputs: Any = dict(zip(names, signals, strict=True))
    return simulate_system(system, times, state, inputs, step=step, **options.as_given())


def _many(t: Any) -> Array:
    return np.atleast_1d(np.asarray(t, dtype=np.float64))


def _driving(problem: FrameProblem, constant: Array) -> tuple[Array, tuple[Signal, ...], tuple[str, ...]]:
    """The columns of loads, what drives them, and their names, one for each column; first what is constant."""
    loads, n = problem.loads, problem.n
    one = Signal("The constant loads", lambda t: np.ones((len(t), 1)) if np.ndim(t) else 1.0, 1, 0, constant=True)
    B = np.column_stack([constant, *loads.columns, *(np.eye(n) for _ in loads.general)])
    names = ["constant loads", *(f"{one.what} ({i})" for i, one in enumerate(loads.histories, start=1))]
    names += [f"load {i} ({k})" for k, _ in enumerate(loads.general) for i in range(n)]
    return B, (one, *loads.histories, *loads.general), tuple(names)


def _with_nodes(problem: FrameProblem, run: Trajectory) -> Trajectory:
    """The same run with motions and positions of nodes."""
    frame = problem.constants.frame
    nodes = NodeHistories(frame, problem.body, run.t, np.column_stack([run[name] for name in frame.dofs]))
    return replace(run, places=nodes.place, positions=nodes.position)


def _warn_if_inconsistent(body: MovingFrame, times: Array) -> None:
    found = body.mismatch(times)
    if found is not None:
        t, given, rate = found
        warn(
            f"At t = {t:g} the frame's epsilon is {given.tolist()}, but omega changes at {rate.round(6).tolist()};"
            " give epsilon as the rate of omega, or build the motion with MovingFrame.turning."
        )
