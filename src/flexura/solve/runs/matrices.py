"""Motion of systems of matrices, M x'' + (D + G) x' + (K + H) x = F u(t), with its energy balance.

>>> run = simulate_system(system, t, initial={"x0": 0.1}, inputs={"F": "sin(3*t)"})
>>> run["x0"], run["x0_t"], run.energy.error
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Measured, Numbers
from flexura.errors import warn
from flexura.solve.runs.equations import simulate_equations
from flexura.solve.runs.given import read_state, read_times
from flexura.solve.runs.matrix_blows import Blows, between_blows
from flexura.solve.runs.matrix_inputs import MatrixInputs, read_matrix_inputs
from flexura.solve.runs.options import RunOptions, read_options, read_steps
from flexura.solve.steppers.accuracy import MotionError
from flexura.solve.steppers.energy_balance import missed_energy
from flexura.solve.steppers.linear_exact import LinearMotion
from flexura.solve.steppers.linear_inputs import Signals
from flexura.solve.steppers.table import STEPPERS, Stepper, on_states
from flexura.solve.steppers.trajectory import Energy, Trajectory
from flexura.systems.deadline import Deadline, preparing
from flexura.systems.linear_motion import motion_of
from flexura.systems.nonlinear import NonlinearSystem
from flexura.systems.second_order import SecondOrderSystem, real_stiffness

Array = NDArray[np.float64]
_SMALL = 400
_RADIUS = 0.9  # of generalized-alpha: what is too fast for the steps loses energy
_ATTEMPTS = 4  # runs with shorter steps, where a tolerance is asked for
_SHORTER = 1e-3  # at most, from one attempt to the next
_MOST = 200_000  # steps of order two to which a tolerance leads; what needs more is for another method


def simulate_system(
    system: SecondOrderSystem,
    t: Measured,
    initial: Mapping[str, Any] | Numbers = None,
    inputs: Any = None,
    *,
    method: str | None = None,
    step: float | None = None,
    radius: float | None = None,
    tolerance: float | None = None,
    events: Mapping[str, Any] | None = None,
    stop: Sequence[str] | str = (),
    max_seconds: float | Deadline | None = None,
    breaks: Sequence[float] | None = None,
    longest_step: float | None = None,
) -> Trajectory:
    """The motion at the points of t; histories by the names of the dofs, and "name_t", "name_tt".

    `initial`: {"x0": 0.1, "x0_t": 0.0}, or (x, x_t) as arrays; what is not given is zero. `inputs`: by the names of
    inputs (columns of F) or of dofs, each a number, a function of t, an array on t (straight between its points), text
    like "sin(3*t)" or "2*impulse(t - 1)", or an expression in fx.time; or, not named, one such value for all columns.
    `method`: "exact" (the default of small systems), "trapezoidal" (of large ones; `step` is its longest step, by
    default the spacing of t), "generalized_alpha" (`radius`, 0.9), "explicit" or "radau". `tolerance`, `events`,
    `stop`, `max_seconds`, `breaks` and `longest_step` as for equations.
    """
    real_stiffness(system, "a simulation")
    options = read_options(tolerance, method, events, stop, max_seconds, breaks, longest_step)
    length, damped = read_steps(options, step, radius, _RADIUS)
    times = read_times(t)
    state = read_state(initial, system.names)
    given = read_matrix_inputs(system, inputs, times)
    if options.from_state_to_state:
        return as_equations(motion_of(system, given.B, given.slots), times, state, given, options)
    run, exactly = _on_matrices(system, times, state, given, options, length, damped)
    if exactly and (step is not None or radius is not None):
        run = replace(run, notes=(*run.notes, "Steps are exact, so step= and radius= change nothing."))
    return run


def as_equations(
    motion: NonlinearSystem, times: Array, state: tuple[Array, Array], given: MatrixInputs, options: RunOptions
) -> Trajectory:
    """A linear system through the program of equations: any stepper, events, the time that is allowed."""
    if options.method in STEPPERS:
        on_states(str(options.method))
    run = simulate_equations(motion, times, state, given.by_name, **options.as_given())
    histories = _Only(run.histories, motion.names)
    notes = (*given.notes, *run.notes)
    return replace(run, histories=histories, notes=notes, places=None, positions=None, momenta=None, motion=None)


def _on_matrices(
    system: SecondOrderSystem,
    times: Array,
    state: tuple[Array, Array],
    given: MatrixInputs,
    options: RunOptions,
    step: float | None,
    radius: float,
) -> tuple[Trajectory, bool]:
    """By the special steppers, and whether they were exact: exact ones, or implicit ones that keep their factors."""
    stepper = STEPPERS[options.method or ("exact" if system.n <= _SMALL else "trapezoidal")]
    signals = given.together(options.breaks, options.longest_step)
    longest = min(options.longest_step, np.inf if step is None else step)
    with preparing(options.deadline):
        run = _refined(stepper, system, times, state, signals, given.blows, radius, longest, options)
    told = list(missed_energy(run.energy, options.tolerance)) if options.tolerance is not None else []
    if not run.complete:
        warn(f"The run is not complete: {run.message}")
    return replace(run, notes=(*run.notes, *told)), stepper.order is None


def _refined(
    stepper: Stepper,
    system: SecondOrderSystem,
    times: Array,
    state: tuple[Array, Array],
    signals: Signals,
    blows: Blows,
    radius: float,
    longest: float,
    options: RunOptions,
) -> Trajectory:
    """Steps of one length, shortened until their error is within the tolerance, if there is one."""
    assert stepper.on_matrices is not None
    least = float(times[-1] - times[0]) / _MOST
    for attempt in range(_ATTEMPTS):
        step = None if np.isinf(longest) else longest
        motion = between_blows(stepper.on_matrices, system, times, *state, signals, blows, step, radius)
        run = _trajectory(system, times, motion, signals.notes)
        share = 0.0 if run.error is None else run.error.share
        if options.tolerance is None or share <= options.tolerance or not run.complete or stepper.order is None:
            return run
        if attempt == _ATTEMPTS - 1 or longest <= least:
            break
        spacing = float(np.diff(times).max())
        shorter = max(_SHORTER, 0.8 * float((options.tolerance / share) ** (1 / stepper.order)))
        longest = max(min(longest, spacing) * shorter, least)
    note = (
        f"The tolerance {options.tolerance:g} was not reached: displacements hold to about {share:.1g} of the motion."
    )
    return replace(run, notes=(*run.notes, note))


@dataclass(frozen=True, eq=False)
class _Only(Mapping[str, Array]):
    """Those histories that every run of matrices has: of dofs, their rates and accelerations."""

    all: Mapping[str, Array]
    names: tuple[str, ...]

    __eq__, __hash__ = object.__eq__, object.__hash__  # never of the arrays that it holds

    def __getitem__(self, name: str) -> Array:
        if name not in self:
            raise KeyError(name)
        return self.all[name]

    def __contains__(self, name: object) -> bool:
        return name in set(self)

    def __iter__(self) -> Iterator[str]:
        return (name + ending for ending in ("", "_t", "_tt") for name in self.names)

    def __len__(self) -> int:
        return 3 * len(self.names)


@dataclass(frozen=True, eq=False)
class ColumnHistories(Mapping[str, Array]):
    """Columns by name: x of every dof, its rate name_t, its acceleration name_tt."""

    names: tuple[str, ...]
    motion: LinearMotion

    __eq__, __hash__ = object.__eq__, object.__hash__  # never of the arrays that it holds

    def __getitem__(self, name: str) -> Array:
        for ending, table in (("_tt", self.motion.a), ("_t", self.motion.v), ("", self.motion.x)):
            base = name.removesuffix(ending) if ending else name
            if name.endswith(ending) and base in self._rows:
                return table[:, self._rows[base]]
        raise KeyError(name)

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and any(
            name.endswith(ending) and name[: len(name) - len(ending)] in self._rows for ending in ("", "_t", "_tt")
        )

    def __iter__(self) -> Iterator[str]:
        return (name + ending for ending in ("", "_t", "_tt") for name in self.names)

    def __len__(self) -> int:
        return 3 * len(self.names)


def _trajectory(system: SecondOrderSystem, times: Array, motion: LinearMotion, notes: tuple[str, ...]) -> Trajectory:
    t = times[: len(motion.x)]
    kinetic = np.einsum("ti,ti->t", motion.v, (system.M @ motion.v.T).T) / 2
    potential = np.einsum("ti,ti->t", motion.x, (system.K @ motion.x.T).T) / 2
    largest = float(np.abs(motion.booked).max(initial=0.0))
    energy = Energy(kinetic, potential, motion.dissipated, motion.supplied, largest=largest)
    return Trajectory(
        t,
        ColumnHistories(system.names, motion),
        energy,
        complete=not motion.message,
        message=motion.message,
        notes=(*notes, *motion.notes),
        error=_error(system, motion, energy.error),
    )


def _error(system: SecondOrderSystem, motion: LinearMotion, missed: float) -> MotionError | None:
    """What the steps may be wrong by and what the energies miss: of each dof, and of all in the metric of masses."""
    if motion.errors is None:
        return None
    moved = motion.x - motion.x[0]
    errors = motion.errors + missed * np.abs(moved).max(axis=0)
    size = np.sqrt(np.einsum("ti,ti->t", moved, (system.M @ moved.T).T).max(initial=0.0))
    share = float(np.sqrt(max(errors @ (system.M @ errors), 0.0)) / size) if size else 0.0
    time = dict(zip(system.names, errors.tolist(), strict=True))
    return MotionError(time, min(1.0, share), basis=motion.basis, members=False)
