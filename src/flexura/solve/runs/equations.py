"""Motion in time of equations, linear or not: discretised, followed, and proved by the energy balance.

    >>> run = fx.simulate(equations, np.linspace(0, 20, 2001), values={"EI": 50.0}, inputs={"tau": "sin(3*t)"})
    >>> run["theta"], run.place(beam, 0.5), run.energy.error, run.notes

With order=None quick looks at low accuracy come first: they tell how many shapes of each member are enough, because the
highest hardly move. Linear equations with constant coefficients are propagated exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Measured
from flexura.derivation.equations.equations import Equations
from flexura.errors import FlexuraError, warn
from flexura.solve.discretise import motion_system
from flexura.solve.runs.bare import Bare
from flexura.solve.runs.case import Case, exact_motion, first_state, make_case, run_options, told_small
from flexura.solve.runs.charts import Charts, Courses
from flexura.solve.runs.contact_run import run_with_contacts
from flexura.solve.runs.distributed import moving_loads, spread_inputs
from flexura.solve.runs.driving import with_given_motions
from flexura.solve.runs.given import read_times
from flexura.solve.runs.histories import RunMotion
from flexura.solve.runs.impulsive import Strike, taken_out, without_impulses
from flexura.solve.runs.inputs import check_input_names
from flexura.solve.runs.legs import balance_of_legs, error_of_legs
from flexura.solve.runs.momenta import NOTICED, Momenta, MomentumBalance, linear_balance, momentum_balance
from flexura.solve.runs.options import RunOptions, check_given, read_options
from flexura.solve.runs.pieces import energy_of_pieces
from flexura.solve.runs.progress import progress
from flexura.solve.runs.question import Question, ask
from flexura.solve.runs.refine import FLOOR, refined
from flexura.solve.runs.rubbing import rests_at_start, with_contacts
from flexura.solve.runs.rubbing import told as told_rubs
from flexura.solve.runs.run_error import exact_error, motion_error, thin_mass
from flexura.solve.runs.states import followed_states, taken_off, weighed, without_hidden
from flexura.solve.steppers.accuracy import MotionError
from flexura.solve.steppers.energy_balance import energy_balance, missed_energy
from flexura.solve.steppers.impulses import beyond, booked
from flexura.solve.steppers.mechanics import Mechanics
from flexura.solve.steppers.run import Run, expected_speed, follow
from flexura.solve.steppers.table import on_states
from flexura.solve.steppers.trajectory import Energy, Trajectory
from flexura.systems.conditions import repeated
from flexura.systems.deadline import Deadline, between_pieces, preparing
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_SHARE = 0.1  # the tolerance of a step, of what the energy balance may miss
_ATTEMPTS = 4
_WEIGHINGS = 3  # of first-order states beside the motion
_ONCE = (
    "Sampled controllers are asked once for each sample, so shapes of members were not searched for: they move in"
    " polynomials of degree 8; give order= and elements= to choose them."
)
_TIGHTER = 0.03  # at most, from one attempt to the next: once steps resolve a vibration, errors fall steeply


def simulate_equations(
    equations: Equations | NonlinearSystem,
    t: Measured,
    initial: Any = None,
    inputs: Mapping[str, Any] | None = None,
    values: Mapping[str, Any] | None = None,
    order: int | None = None,
    elements: int | None = None,
    *,
    tolerance: float | None = 1e-8,
    method: str | None = None,
    basis: Any = None,
    events: Mapping[str, Any] | None = None,
    stop: Sequence[str] | str = (),
    inconsistent: str = "correct",
    max_seconds: float | Deadline | None = None,
    progress: bool | None = None,
    breaks: Sequence[float] | None = None,
    longest_step: float | None = None,
) -> Trajectory:
    """The motion on the times t, as a Trajectory.

    `initial`: {"q1": 0.1, "q1_t": 0, "w": "expression in x"}, what is not given is zero, or arrays (q, q_t) of a
    discretised system; values that contradict constraints are corrected and reported in .notes, or refused with
    inconsistent="refuse". `inputs`: numbers, functions of t (distributed: of x and t), arrays on t (straight in
    between), text or expressions. `order` and `elements` as for fx.discretise; order=None takes shapes of the members
    until the highest hardly move.
    `tolerance`: the energy balance closes to this part of the largest energy. `method`: "explicit", "radau",
    "generalized_alpha", "symplectic" or "exact" (linear equations) where the choice is not left to the software.
    `events`: functions of (t, state) or text whose zeros are found, {"top": "theta - pi"}; the run ends at those named
    in `stop`.
    Steps follow what is short in an input: text is analysed, functions are looked at closely. What even that would not
    see is named by `breaks`, times at which inputs change suddenly, or met by `longest_step`.
    """
    check_given(inputs=inputs, values=values)
    rest = (inputs, values, order, elements)
    options = read_options(tolerance, method, events, stop, max_seconds, breaks, longest_step)
    if isinstance(equations, Equations) and equations.lagrangian.states:
        check_given(initial=initial)
        return _with_states(equations, t, initial, *rest, options, basis, inconsistent, progress)
    return _warned(_simulated(equations, t, initial, *rest, options, basis, inconsistent, progress))


def _with_states(equations: Equations, t: Any, initial: Any, *asked: Any) -> Trajectory:
    """First-order states followed as rates of hidden coordinates, again where their weights turn out wrong."""
    weights = dict.fromkeys(equations.lagrangian.states, 1.0)
    for _ in range(_WEIGHINGS):
        hidden, start = followed_states(equations, initial, weights)
        run = _simulated(hidden, t, start, *asked)
        run = replace(run, energy=taken_off(run.energy, run, weights), error=without_hidden(run.error))
        other = weighed(run.energy, run, weights)
        if other is None or equations.lagrangian.sampled:
            break
        weights = other
    return _warned(run)


def _simulated(
    equations: Equations | NonlinearSystem,
    t: Any,
    initial: Any,
    inputs: Mapping[str, Any] | None,
    values: Mapping[str, Any] | None,
    order: int | None,
    elements: int | None,
    options: RunOptions,
    basis: Any,
    inconsistent: str,
    progress: bool | None,
) -> Trajectory:
    if isinstance(equations, NonlinearSystem):
        if any(one is not None for one in (values, order, elements, basis)):
            raise FlexuraError(
                "values, order and elements are for equations", advice="this system already holds its numbers"
            )
        equations = equations.anew() if equations.anew else equations  # so that runs before it leave no trace in it
        source: Any = Bare(equations)  # it answers what a simulation asks of equations
        strikes: tuple[Strike, ...] = ()
        if not equations.prescribed:  # an impulse of a motion is none of a load
            inputs, strikes = taken_out(inputs or {}, read_times(t))
    else:
        check_given(initial=initial)
        equations, inputs = with_given_motions(equations, inputs, read_times(t))
        check_input_names(equations, inputs)
        equations, inputs, strikes = without_impulses(equations, inputs, values, read_times(t))
        equations, moving = moving_loads(spread_inputs(equations, {**(values or {}), **(inputs or {})}))
        source, inputs = equations, {**inputs, **moving}
    asked = (t, initial, inputs, values, options, inconsistent, progress, strikes)
    run = _discretised(ask(source, *asked), equations, order, elements, basis)
    done = run.complete or run.stopped
    if isinstance(equations, NonlinearSystem) or options.deadline.over or (done and not rests_at_start(equations, run)):
        return run
    equations, rubs = with_contacts(equations, values or {})  # what comes to rest under a sign is held by a contact
    if not rubs:
        return run
    run = _discretised(ask(equations, *asked), equations, order, elements, basis)
    return replace(run, notes=(*told_rubs(rubs), *run.notes))


def _discretised(
    question: Question, equations: Equations | NonlinearSystem, order: int | None, elements: int | None, basis: Any
) -> Trajectory:
    """The answer by shapes that are searched for, or by those that were given."""
    if not isinstance(equations, NonlinearSystem) and equations.lagrangian.contacts:
        return run_with_contacts(question, equations, order, elements, basis)
    sampled = not isinstance(equations, NonlinearSystem) and bool(equations.lagrangian.sampled)
    searched = not isinstance(equations, NonlinearSystem) and order is None and equations.fields and basis is None
    if searched and not sampled:
        return _answer(*refined(question, elements))
    with preparing(question.deadline):
        polynomials = not isinstance(equations, NonlinearSystem) and bool(equations.fields) and basis is None
        if not isinstance(equations, NonlinearSystem):
            equations = motion_system(equations, question.values, order, elements, basis)
        case = make_case(question, equations)
        case.chosen = polynomials and not case.system.multiplier_fields
        case.notes.extend([_ONCE] if searched else [])
    return _answer(case, None)


def _warned(run: Trajectory) -> Trajectory:
    """A run that ended early without being asked to says so."""
    if not run.complete and not run.stopped:
        warn(f"The run is not complete: {run.message}")
    return run


def _answer(case: Case, size: float | None) -> Trajectory:
    question = case.question
    with preparing(question.deadline):
        between_pieces()
        found = exact_motion(case)
        between_pieces()
    if found is not None:
        balance = linear_balance(case, question.times, found.q, found.v)
        error, told = exact_error(case, question.times, found.q, found.energy.error + found.doubt + found.late)
        case.notes.extend([*told_small(found), *missed_energy(found.energy, question.tolerance), *told])
        return _trajectory(case, question.times, found.q, found.v, found.energy, Run(), balance, error)
    if question.method is not None:
        on_states(question.method)  # refused where it only takes matrices
    return _followed(case, size or 0.0)


def _followed(case: Case, size: float) -> Trajectory:
    """Follow the motion; where the energy balance misses more than was asked, again with smaller steps."""
    question, charts = case.question, Charts.of(case)
    if charts is not None and charts.near(case.start.q):
        return _in_charts(case, charts)
    begin, end = float(question.times[0]), float(question.times[-1])
    sampled = case.sampling is not None  # whose controllers may remember what they were asked: they are asked once
    local = max(_SHARE * question.tolerance * (_TIGHTER if sampled else 1.0), 1e-15)
    with preparing(question.deadline):
        start = first_state(case)
        between_pieces()
    least = FLOOR * expected_speed(case.mechanics, start, end, case.scales, case.breaks)
    for attempt in range(_ATTEMPTS):
        floor = max(1e-3 * size, least)
        with progress(begin, end, question.progress) as reached:
            options = run_options(case, local, floor, reached=reached)
            watched = options if charts is None else replace(options, events=(*options.events, *charts.events()))
            run = follow(case.mechanics, start, end, watched)
        if charts is not None and charts.reached(run):
            return _in_charts(case, charts)
        size = run.largest
        last = run.history.states[-1].t
        times = question.times[question.times <= last]
        if run.stopped and last > times[-1]:
            times = np.append(times, last)
        curve = run.history.curve()
        moments = beyond(times, case.breaks)
        q, v, _ = curve.at(moments)
        v[0] = case.start.v  # as it was given, before anything strikes
        blows = [*case.blows, *run.blows]
        energy = booked(energy_balance(case.mechanics, curve, moments, q, v), moments, blows)
        if energy.error <= question.tolerance or not run.complete or local <= 1e-15 or attempt == _ATTEMPTS - 1:
            break
        if question.method == "generalized_alpha" or sampled:
            break
        local = max(1e-15, local * max(_TIGHTER, 0.3 * question.tolerance / energy.error))
    error, told = motion_error(case, curve)
    case.notes.extend([*missed_energy(energy, question.tolerance), *told, *thin_mass(case, curve)])
    return _trajectory(case, times, q, v, energy, run, momentum_balance(case, curve), error)


def _in_charts(case: Case, charts: Charts) -> Trajectory:
    """Follow bodies past where their angles are singular; again with smaller steps, as ever."""
    question = case.question
    begin, end = float(question.times[0]), float(question.times[-1])
    with preparing(question.deadline):
        turned, start = charts.begun
        mechanics = charts.case(turned).mechanics
        floor = FLOOR * expected_speed(mechanics, start, end, case.scales, case.breaks)
    local = max(_SHARE * question.tolerance, 1e-15)
    for attempt in range(_ATTEMPTS):
        with progress(begin, end, question.progress) as reached:
            legs, run = charts.followed(turned, start, end, local, floor, reached)
        courses, last = Courses(charts, legs), legs[-1].end
        times = question.times[question.times <= last]
        times = np.append(times, last) if run.stopped and last > times[-1] else times
        moments = beyond(times, case.breaks)
        energy = energy_of_pieces(legs, courses.owner(moments), moments, (), [*case.blows, *run.blows])
        if energy.error <= question.tolerance or not run.complete or local <= 1e-15 or attempt == _ATTEMPTS - 1:
            break
        local = max(1e-15, local * max(_TIGHTER, 0.3 * question.tolerance / energy.error))
        floor = max(1e-3 * run.largest, floor)
    error, told = error_of_legs(legs)
    case.notes.extend([*missed_energy(energy, question.tolerance), *told, charts.told(legs)])
    q, v = courses.states(moments)
    return _trajectory(case, times, q, v, energy, run, balance_of_legs(legs), error, courses)


def _trajectory(
    case: Case,
    times: Array,
    q: Array,
    v: Array,
    energy: Energy,
    run: Run,
    balance: MomentumBalance,
    error: MotionError,
    courses: Courses | None = None,
) -> Trajectory:
    question = case.question
    if balance.error > NOTICED * question.tolerance:
        case.notes.append(_unbalanced(balance))
    motion = RunMotion(
        question.equations,
        courses or case.mechanics,
        question.known,
        question.values,
        beyond(times, case.breaks),
        q,
        v,
        case.whole,
        case.T,
    )
    how = ", ".join(f"{count} {way.replace('_', '-')} steps" for way, count in run.steps.items())
    way = [f"Followed by {how}."] if how else ["Propagated exactly."] if run.complete else []
    notes = [*case.system.notes, *case.notes, *way, *([] if run.complete else [run.message])]
    notes += repeated_conditions(case.mechanics)
    return Trajectory(
        times,
        motion.histories,
        energy,
        motion.place,
        motion.position,
        run.complete,
        run.message,
        tuple(notes),
        {name: np.array(found) for name, found in run.events.items() if not name.startswith("$")},
        motion,
        Momenta(motion, balance).momentum,
        run.stopped,
        error,
    )


def _unbalanced(balance: MomentumBalance) -> str:
    """What a run with missing momenta says."""
    worst, (seen, steps) = max(balance.errors, key=balance.errors.__getitem__), balance.steps
    some = f", by {seen} of {steps} steps" if seen < steps else ""
    return (
        f"The momentum {worst} misses {balance.error:.1g} of the largest that the kinetic energy allows{some}: the"
        " motion as a whole does not follow the forces from outside; lower the tolerance, or give order= and elements=."
    )


def repeated_conditions(mechanics: Mechanics) -> list[str]:
    """What to say of conditions that follow from others: whose reactions are not determined."""
    system = mechanics.system
    return repeated(mechanics.redundant, system.n - system.m, system.multipliers)
