"""One discretisation of what a simulation is asked for: its mechanics, its start, and how to run it.

>>> case = make_case(question, system)
>>> follow(case.mechanics, first_state(case), end, run_options(case, 1e-9))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.exact.kernels import settle
from flexura.solve.exact.reading import read_linear
from flexura.solve.runs.contacts import contact_inputs
from flexura.solve.runs.driving import finite_motion, seen_in, steady_ends
from flexura.solve.runs.feedback import Sampling, asked_at, closed_loop, sampling_of
from flexura.solve.runs.foreseen import foreseen
from flexura.solve.runs.initial import Start, read_initial
from flexura.solve.runs.inputs import read_inputs, unknown
from flexura.solve.runs.question import Question
from flexura.solve.runs.starting import starts_moving
from flexura.solve.runs.sticking import stuck
from flexura.solve.runs.time_trees import time_edges, time_trees
from flexura.solve.steppers.between_strikes import between_strikes
from flexura.solve.steppers.impulses import Blow, GivenSpeeds, blow_at, check_positions, side
from flexura.solve.steppers.mechanics import Mechanics, State
from flexura.solve.steppers.propagate import Propagated, small_motion
from flexura.solve.steppers.run import Event, Options
from flexura.solve.steppers.subspace import on_subspace
from flexura.symbolic.engine import TIME, Symbol, exact
from flexura.symbolic.machine import machine_function
from flexura.symbolic.quantities import text_or_expression
from flexura.systems.nonlinear import NonlinearSystem
from flexura.systems.signals.breaks import switches, told_apart
from flexura.systems.signals.scales import Scales

Array = NDArray[np.float64]
LOOKS = 0.4  # of the time that is allowed, which quick looks may take
# What is off by the part d of a motion, in modes that it does not hold, holds d*d of its energy. So sqrt(tolerance) is
# what energies that balance to the tolerance could miss of any motion. Where shapes of members are searched for, which
# leave out more than that, small motions are held to a tenth of it; elsewhere to the tolerance itself, as steps are.
_HELD = 0.1
_BETTER = 0.1  # of what rounding of forces could do to a motion: what lacks less is better than steps
_LATE = 1e-3  # of a motion: what rounding of frequencies does to it is told
_FALLS = 0.5  # of what the energy balance missed before: finer times help
_FAR = 100.0  # deflections, in lengths of the member, at which a run has lost its meaning


@dataclass(frozen=True, eq=False)
class Coarser:
    """The same motion by polynomials of a lower order, at low accuracy, up to `end`; `groups`: the fields by member."""

    order: int
    system: NonlinearSystem
    at: Callable[[Array], Array]  # the unknowns, in rows
    end: float
    groups: Mapping[str, tuple[str, ...]]


@dataclass
class Case:
    """One discretisation of the question: mechanics, start, breaks. `T` leads from its unknowns to all of them."""

    question: Question
    mechanics: Mechanics
    start: Start
    breaks: tuple[float, ...]
    notes: list[str]
    whole: NonlinearSystem
    T: Array | None = None
    scales: Scales = field(default_factory=Scales)
    left_out: Mapping[str, float] = field(default_factory=dict)  # by the shapes of members, of their motion
    coarser: Coarser | None = None  # what the shapes are compared with where nothing else tells what they leave out
    searched: bool = False  # whether shapes of members are searched for, and not given
    unshaped: bool = False  # whether members move in polynomials, because no shapes fit
    chosen: bool = False  # whether they move in polynomials of an order that was given
    sampling: Sampling | None = None

    @property
    def system(self) -> NonlinearSystem:
        """The system that is followed."""
        return self.mechanics.system

    @property
    def start_after(self) -> tuple[Array, Array]:
        """Coordinates and rates just after the start, at which the speed of given motions may jump already."""
        return self.start.q, self._begun[0]

    @cached_property
    def exact(self) -> Propagated | None:
        """The exact motion of linear equations; None where they are not linear."""
        question, best, zeros = self.question, None, self._zeros
        for finer in (1, 8, 64):
            times = _finer(question.times, finer)
            found = between_strikes(self.mechanics, times, self.start.q, self.start.v, self.breaks, self.scales, zeros)
            if found is None or not (np.all(np.isfinite(found.q)) and np.all(np.isfinite(found.v))):
                return best
            shown, before = found.every(finer), np.inf if best is None else best.energy.error
            shown = replace(shown, energy=replace(shown.energy, largest=found.energy.scale))
            best = shown if shown.energy.error < before else best
            if found.energy.error <= question.tolerance or found.energy.error > _FALLS * before:
                break  # rounding, which finer times do not cure
        return best

    @property
    def _zeros(self) -> int | None:
        """How many motions have no stiffness, by the rank of strains; None where that does not tell."""
        question = self.question
        if not (self.system.linear and self.system.fields and self.T is None) or self.system.prescribed:
            return None
        try:
            kernel = settle(read_linear(question.equations, question.known)).kernel
        except FlexuraError:  # what only steps can take; its inertia will tell
            return None
        return kernel.motions.shape[1] if kernel.definite and not kernel.idle.shape[1] else None

    @cached_property
    def small(self) -> Propagated | None:
        """The motion of the linearised equations, with its doubt; None where it is not small, or struck."""
        if self.mechanics.strikes:
            return None
        times, start = self.question.times, self.start
        return small_motion(self.mechanics, times, start.q, start.v, self.breaks, self.scales)

    @property
    def blows(self) -> tuple[Blow, ...]:
        """The work supplied at the start, if something jumps there."""
        return self._begun[1]

    @cached_property
    def _begun(self) -> tuple[Array, tuple[Blow, ...]]:
        mechanics, t, (q, v) = self.mechanics, float(self.question.times[0]), (self.start.q, self.start.v)
        if not self.system.prescribed and mechanics.strike(t) is None:
            return v, ()
        before = side(mechanics, t, q)
        mechanics.within(t, float(self.question.times[-1]))
        after = side(mechanics, t, q)
        speeds = GivenSpeeds.of(mechanics, q, t, float(self.question.times[-1]))
        found = blow_at(mechanics, speeds, t, (q, v), (before, after))
        mechanics.within()
        return (v, ()) if found is None else (found[0], (found[1],))

    def all(self, rows: Array) -> Array:
        """All unknowns from those that are followed, row by row."""
        return rows if self.T is None else np.asarray(rows @ self.T.T)

    def within(self, T: Array, names: tuple[str, ...]) -> Case:
        """The same on a subspace that holds the start."""
        M = self.system.evaluate(float(self.question.times[0]), self.start.q, self.start.v, self.system.rest)[0]
        metric = T.T @ M
        q, v = (np.asarray(np.linalg.solve(metric @ T, metric @ one)) for one in (self.start.q, self.start.v))
        for i, name in enumerate(names):
            if name in self.system.names and "[" not in name:  # joints are themselves
                row = self.system.names.index(name)
                q[i], v[i] = self.start.q[row], self.start.v[row]
        small = Mechanics(on_subspace(self.system, T, names), self.mechanics.inputs, self.mechanics.strikes)
        return Case(self.question, small, Start(q, v), self.breaks, list(self.notes), self.whole, T, self.scales)


def make_case(question: Question, system: NonlinearSystem) -> Case:
    """Inputs, start and breaks for one discretisation."""
    equations = question.equations
    controllers = getattr(equations.lagrangian, "sampled", ())
    held = {one.name: "a sampled controller" for one in controllers}
    held |= contact_inputs(equations.lagrangian)
    loads = read_inputs(equations, system, question.inputs, question.known, question.times, held)
    outputs = _outputs(question, Mechanics(system, loads.at))
    begin, end, bare = float(question.times[0]), float(question.times[-1]), system
    system = closed_loop(system, loads.seeing, outputs)
    sampling = sampling_of(system, controllers, begin, outputs)
    strikes = {
        one.t: read_inputs(equations, system, one.inputs, question.known, question.times, held).at(one.t)
        for one in question.strikes
    }
    mechanics = Mechanics(system, loads.at if sampling is None else lambda t: sampling.add(t, loads.at(t)), strikes)
    start = read_initial(equations, mechanics, question.initial, question.known, begin, question.inconsistent)
    finite_motion(system, question.times)
    trees, instants = time_trees(equations, question.known), () if sampling is None else sampling.instants(end)
    curves = seen_in(getattr(equations.lagrangian, "driving", None), begin, end)
    if loads.seeing:
        curves += foreseen(bare, loads.seeing, (begin, end), (start.q, start.v), outputs)
    struck = {t for t in strikes if t > begin}
    seen = {*loads.breaks, *switches(trees, begin, end), *question.breaks, *instants, *curves.breaks, *struck}
    seen = {t for t in seen if t in struck or mechanics.strike(t) is None}  # or a break beside would be struck again
    breaks = told_apart(seen, end, {*instants, *struck})
    scales = Scales.of([*loads.edges, *time_edges(trees, begin, end), *curves.edges], question.longest_step)
    notes = [*loads.notes, *curves.notes, *start.notes]
    notes += starts_moving(question, system, start)
    if system.prescribed:
        check_positions(mechanics, start.q, breaks, begin, end)
    steady_ends(question, breaks)
    return Case(question, mechanics, start, breaks, notes, system, scales=scales, sampling=sampling)


def _outputs(question: Question, mechanics: Mechanics) -> Callable[[Any, float, Array, Array], Any]:
    """What an output, or a place, is at one state: for inputs and controllers that see the motion."""

    def seen(output: Any, t: float, q: Array, v: Array) -> Any:
        from flexura.solve.runs.histories import RunMotion  # which knows phases, that are made of cases

        asked = question.equations, mechanics, question.known, question.values
        return RunMotion(*asked, np.array([t]), q[None], v[None], mechanics.system).output(output)[0]

    return seen


def first_state(case: Case) -> State:
    """The start, with the accelerations just after it."""
    mechanics, t = case.mechanics, float(case.question.times[0])
    if case.sampling is not None:
        case.sampling.restart(*case.start_after)
    mechanics.within(t, float(case.question.times[-1]) if case.blows else np.inf)
    state = mechanics.state(t, *case.start_after)
    mechanics.refuse_idle()
    mechanics.within()
    return state


def run_options(case: Case, local: float, floor: float = 0.0, quick: bool = False, reached: Any = None) -> Options:
    """How to run: a quick look leaves events out."""
    question = case.question
    method = question.method
    if quick and method == "generalized_alpha":
        method = None
    return Options(
        local=local,
        method=method,
        breaks=case.breaks,
        broken=asked_at(case.sampling, float(question.times[-1])),
        events=() if quick else _events(case),
        diverged=_far(case),
        deadline=question.deadline.share(LOOKS) if quick else question.deadline,
        stuck=stuck(question, case.whole.names, case.all),
        progress=reached or (lambda t: None),
        floor=floor,
        scales=case.scales,
        least=Options.least if case.sampling is None else 1,
    )


def exact_motion(case: Case) -> Propagated | None:
    """The exact motion, where there is one and nothing else was asked for."""
    question = case.question
    jumps = bool(case.blows) and case.mechanics.strike(float(question.times[0])) is None
    if question.method not in (None, "exact") or question.events or jumps or case.sampling is not None:
        return None
    found = case.exact
    if found is not None and case.system.prescribed and found.energy.error > question.tolerance:
        return None  # what drives it changes too fast for this; steps in time follow it
    return _small(case) if found is None and question.method is None else found


def _small(case: Case) -> Propagated | None:
    """The motion of the linearised equations, where all products of it are less than what was asked for."""
    found, tolerance = case.small, case.question.tolerance
    if found is None:
        return None
    allowed = (1.0 if case.unshaped else _HELD) * np.sqrt(tolerance) if case.searched else tolerance
    return found if found.doubt + found.energy.error <= max(allowed, _BETTER * found.rounded) else None


def told_small(found: Propagated) -> list[str]:
    """What to say of a motion that was taken for small, or whose frequencies are rounded."""
    if found.late > _LATE:
        return [
            f"Stiffnesses differ so much that rounding of the frequencies could change the motion by {found.late:.1g}"
            " of itself; put rigid bodies in place of the stiffest members to know it better."
        ]
    if not found.doubt:
        return []
    rounded = f"; rounding of the forces could by {found.rounded:.1g}" if found.rounded > found.doubt else ""
    return [
        f"The motion is so small that it follows the linearised equations: products of it, and rounding of their"
        f" frequencies, could change it by {found.doubt:.1g} of itself{rounded}."
    ]


def _finer(times: Array, by: int) -> Array:
    parts = np.linspace(0, 1, by, endpoint=False)
    return np.append((times[:-1, None] + np.diff(times)[:, None] * parts).ravel(), times[-1])


def _far(case: Case) -> Callable[[State], FlexuraError | None]:
    """What tells that deflections passed every meaning, or took an inertia away."""
    system, mechanics = case.system, case.mechanics
    maps = [(one.name, one.end - one.start, one.matrix(np.linspace(one.start, one.end, 3), 0)[:, : system.n])
            for one in system.fields.values()]  # fmt: skip
    if not maps:
        return lambda state: _massless(state, mechanics)
    rows = np.vstack([matrix / max(length, 1.0) for _, length, matrix in maps])

    def diverged(state: State) -> FlexuraError | None:
        if np.abs(rows @ state.q).max() < _FAR:
            return _massless(state, mechanics)
        far = [name for name, length, matrix in maps if np.abs(matrix @ state.q).max() >= _FAR * max(length, 1.0)]
        return FlexuraError(
            f"The run diverged: at t = {state.t:.6g} the deflection {far[0]} is more than {_FAR:g} times as large as"
            " its member is long",
            advice="look for an instability, or a member that turns without foreshortening",
        )

    return diverged


def _massless(state: State, mechanics: Mechanics) -> FlexuraError | None:
    lost = mechanics.lost_mass()
    return lost and lost.with_(problem=f"The run stopped at t = {state.t:.6g}. {lost.problem}")


def _events(case: Case) -> tuple[Event, ...]:
    question = case.question
    return tuple(Event(name, _event(case, name, one), name in question.stop) for name, one in question.events.items())


def _event(case: Case, name: str, given: Any) -> Callable[[float, Array, Array], float]:
    system = case.whole
    places = {one: i for i, one in enumerate(system.names)}
    states = [one[1:] for one in system.names if one.startswith("$")]
    if callable(given) and not hasattr(given, "engine"):

        def called(t: float, q: Array, v: Array) -> float:
            q, v = case.all(q), case.all(v)
            state = {one: float(q[i]) for one, i in places.items()}
            state |= {f"{one}_t": float(v[i]) for one, i in places.items()}
            return float(given(t, state | {one: state[f"${one}_t"] for one in states}))

        return _finite_event(name, called)
    tree = text_or_expression(given, what=f"the event {name}").engine
    tree = tree.xreplace({Symbol(one): exact(number) for one, number in case.question.known.items()})
    tree = tree.xreplace({Symbol(one): Symbol(f"${one}_t") for one in states})
    arguments = [TIME, *(Symbol(one) for one in system.names), *(Symbol(f"{one}_t") for one in system.names)]
    stray = sorted(one.name for one in tree.free_symbols if one not in arguments)
    if stray:
        raise unknown(f"The event {name} holds {stray[0]!r}, which is not known", stray[0], system.names)
    made = machine_function(arguments, [tree])

    def read(t: float, q: Array, v: Array) -> float:
        return float(np.asarray(made(np.concatenate([[t], case.all(q), case.all(v)]))).ravel()[0])

    return _finite_event(name, read)


def _finite_event(name: str, value: Callable[[float, Array, Array], float]) -> Callable[[float, Array, Array], float]:
    def checked(t: float, q: Array, v: Array) -> float:
        found = value(t, q, v)
        if not np.isfinite(found):
            raise FlexuraError(
                f"The event {name} is not finite at t = {t:.6g}", advice="write it so that it has a value there"
            )
        return found

    return checked
