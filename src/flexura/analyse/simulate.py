"""Motion in time of equations, linear or not: discretised, followed, and proved by the ledger of energies.

    >>> run = fx.simulate(equations, np.linspace(0, 20, 2001), values={"EI": 50.0}, inputs={"tau": "sin(3*t)"})
    >>> run["theta"], run.place(beam, 0.5), run.energy.error, run.notes

With order=None quick looks at low accuracy come first: they tell how many shapes of each member are enough, because the
highest hardly move. Linear equations with constant coefficients are propagated exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.analyse.bare import Bare
from flexura.analyse.discretise import motion_system
from flexura.analyse.histories import Motion
from flexura.analyse.initial import Start, read_initial
from flexura.analyse.inputs import read_inputs, spread_inputs, unknown
from flexura.analyse.progress import progress
from flexura.analyse.values import numbers
from flexura.equations.equations import Equations
from flexura.errors import FlexuraError
from flexura.integrate.breaks import switches
from flexura.integrate.ledger import ledger
from flexura.integrate.mechanics import Mechanics, State
from flexura.integrate.propagate import Propagated, propagated
from flexura.integrate.run import METHODS, Event, Options, Run, expected_speed, follow
from flexura.integrate.subspace import Group, Shapes, on_subspace
from flexura.integrate.trajectory import Energy, Trajectory
from flexura.symbols.engine import TIME, Basic, Symbol, exact
from flexura.symbols.quantities import text_or_expression
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_ORDER = 12  # of the functions that shapes of members are made of, where no order is given
_FEW = 2  # modes a member begins with
_TAIL = 1e-3  # the share of a motion that the highest shapes may carry
_LOOK = 1e-5  # the tolerance of a step in a quick look
_SHARE = 0.2  # the tolerance of a step, of what the ledger may miss
_FLOOR = 1e-6  # of what loads could drive the system to: slower motions count as rest
_FAR = 100.0  # deflections, in lengths of the member, at which a run has lost its meaning


@dataclass(frozen=True)
class _Question:
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
    max_seconds: float
    progress: bool | None


@dataclass
class _Case:
    """One discretisation of the question: mechanics, start, breaks. `T` leads from its unknowns to all of them."""

    question: _Question
    mechanics: Mechanics
    start: Start
    breaks: tuple[float, ...]
    notes: list[str]
    whole: NonlinearSystem
    T: Array | None = None

    @property
    def system(self) -> NonlinearSystem:
        """The system that is followed."""
        return self.mechanics.system

    def all(self, rows: Array) -> Array:
        """All unknowns from those that are followed, row by row."""
        return rows if self.T is None else np.asarray(rows @ self.T.T)

    def within(self, T: Array, names: tuple[str, ...]) -> _Case:
        """The same on a subspace that holds the start."""
        M = self.system.evaluate(float(self.question.times[0]), self.start.q, self.start.v, self.system.rest)[0]
        metric = T.T @ M
        q, v = (np.asarray(np.linalg.solve(metric @ T, metric @ one)) for one in (self.start.q, self.start.v))
        for i, name in enumerate(names):
            if name in self.system.names and "[" not in name:  # joints are themselves
                row = self.system.names.index(name)
                q[i], v[i] = self.start.q[row], self.start.v[row]
        small = Mechanics(on_subspace(self.system, T, names), self.mechanics.inputs)
        return _Case(self.question, small, Start(q, v), self.breaks, list(self.notes), self.whole, T)


def simulate(
    equations: Equations | NonlinearSystem,
    t: Any,
    initial: Mapping[str, Any] | None = None,
    inputs: Mapping[str, Any] | None = None,
    values: Mapping[str, Any] | None = None,
    order: int | None = None,
    elements: int | None = None,
    *,
    tolerance: float = 1e-8,
    method: str | None = None,
    basis: Any = None,
    events: Mapping[str, Any] | None = None,
    stop: Sequence[str] | str = (),
    inconsistent: str = "correct",
    max_seconds: float | None = None,
    progress: bool | None = None,
) -> Trajectory:
    """The motion on the times t, as a Trajectory.

    `initial`: {"q1": 0.1, "q1_t": 0, "w": "expression in x"}, what is not given is zero; values that contradict
    constraints are corrected and reported in .notes, or refused with inconsistent="refuse". `inputs`: numbers,
    functions of t (distributed: of x and t), arrays on t (straight in between), or text. `order` and `elements` as for
    fx.discretise; order=None takes shapes of the members until the highest hardly move.
    `tolerance`: the ledger of energies closes to this part of the largest energy. `method`: "explicit", "radau",
    "generalized_alpha" or "exact" (linear equations) where the choice is not left to the software. `events`: functions
    of (t, state) or text whose zeros are found, {"top": "theta - pi"}; the run ends at those named in `stop`.
    """
    if isinstance(equations, NonlinearSystem):
        if any(one is not None for one in (values, order, elements, basis)):
            raise FlexuraError("values, order and elements are for equations; this system already holds its numbers.")
        source: Any = Bare(equations)  # it answers what a simulation asks of equations
    else:
        source = equations = spread_inputs(equations, {**(values or {}), **(inputs or {})})
    question = _question(
        source, t, initial, inputs, values, tolerance, method, inconsistent, events, stop, max_seconds, progress
    )
    if isinstance(equations, NonlinearSystem):
        return _answer(_case(question, equations), None)
    if order is None and equations.fields and basis is None:
        return _answer(*_refined(question, elements))
    return _answer(_case(question, motion_system(equations, question.values, order, elements, basis)), None)


def _question(
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
) -> _Question:
    if method not in (None, "exact", *METHODS):
        raise FlexuraError(f"method is {method!r}; use {', '.join(map(repr, (*METHODS, 'exact')))}, or leave it out.")
    if not 1e-13 <= tolerance <= 0.1:
        raise FlexuraError(f"tolerance is {tolerance!r}; give a number from 1e-13 to 0.1.")
    stops = (stop,) if isinstance(stop, str) else tuple(stop)
    for name in stops:
        if name not in (events or {}):
            raise FlexuraError(unknown(f"The run shall stop at {name!r}, which is no event", name, events or {}))
    given, loads = dict(values or {}), dict(inputs or {})
    for name in [one for one in given if one in equations.lagrangian.inputs]:
        loads.setdefault(name, given.pop(name))
    limit = np.inf if max_seconds is None else float(max_seconds)
    return _Question(
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
        limit,
        progress,
    )


def _times(t: Any) -> Array:
    try:
        times = np.asarray(t, dtype=np.float64)
    except (TypeError, ValueError):
        raise FlexuraError("t is not a row of numbers; give increasing times, like np.linspace(0, 1, 101).") from None
    if times.ndim != 1 or len(times) < 2:
        raise FlexuraError("t needs at least two times in a row; give increasing times, like np.linspace(0, 1, 101).")
    if not np.all(np.isfinite(times)):
        raise FlexuraError(f"t is not finite at its point {int(np.argmin(np.isfinite(times)))}; give finite times.")
    back = np.flatnonzero(np.diff(times) <= 0)
    if len(back):
        i = int(back[0]) + 1
        raise FlexuraError(
            f"t does not increase: its point {i} is {times[i]:.6g} after {times[i - 1]:.6g}; sort the times and leave"
            " out those that repeat."
        )
    return times


def _case(question: _Question, system: NonlinearSystem) -> _Case:
    equations = question.equations
    loads = read_inputs(equations, system, question.inputs, question.known, question.times)
    mechanics = Mechanics(system, loads.at)
    begin, end = float(question.times[0]), float(question.times[-1])
    start = read_initial(equations, mechanics, question.initial, question.known, begin, question.inconsistent)
    breaks = {*loads.breaks, *switches(_of_time(question), begin, end)}
    return _Case(question, mechanics, start, tuple(sorted(breaks)), [*loads.notes, *start.notes], system)


def _of_time(question: _Question) -> list[Basic]:
    """Whatever in the energies depends on time by itself, with numbers in."""
    energies = question.equations.lagrangian
    if isinstance(energies, Bare):
        return []
    known = {Symbol(name): exact(value) for name, value in question.known.items()}
    loads = [f for rows in energies.work_density.values() for f in rows.values()]
    trees = [*energies.prescribed.values(), energies.kinetic, energies.potential, *energies.density.values()]
    trees += [*energies.work.values(), *loads, *energies.boundary.values(), *energies.constraints.values()]
    return [f.xreplace(known) for f in trees if TIME in f.free_symbols]


# -- the order -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Look:
    """What a quick look saw: states at some times, the largest speed, and whether it came to the end."""

    q: Array
    largest: float


def _refined(question: _Question, elements: int | None) -> tuple[_Case, float]:
    """Members in few shapes of their own, more for those whose highest shapes still move."""
    whole = _case(question, motion_system(question.equations, question.values, _ORDER, elements))
    groups = _groups(question.equations, whole.system)
    if _exact(whole) is not None:
        return whole, 0.0
    shapes = Shapes.of(whole.system, groups, question.times, (whole.start.q, whole.start.v))
    if shapes is None:  # the run will say which motion has no inertia
        return whole, _look(whole).largest
    counts = {group.name: _FEW for group in groups}
    while True:
        case = whole.within(*shapes.matrix(counts))
        look = _look(case)
        shares = {group.name: _tail(case.system, group, look.q) for group in groups}
        wanting = [one for one, share in shares.items() if share > _TAIL and counts[one] < shapes.most(one)]
        if not wanting:
            break
        counts |= {one: counts[one] + 1 for one in wanting}
    case.notes.append(_told(counts, shares))
    return case, look.largest


def _groups(equations: Equations, system: NonlinearSystem) -> list[Group]:
    """Members that share coordinates of their ends, and the unknowns that deflect them."""
    energies = equations.lagrangian
    found: list[tuple[set[str], set[str]]] = []
    for spine in energies.spines:
        fields, unknowns = set(spine.fields), set[str]()
        for label, value in energies.settled_boundary.items():
            if label.partition("@")[0].removesuffix("_x") in fields:
                unknowns |= {jet.label for jet in energies.jets.unknowns(value)}
        starts = tuple(f"{name}{mark}" for name in fields for mark in ("[", "@", "_x@"))
        unknowns |= {name for name in system.names if name.startswith(starts)}
        unknowns &= set(system.names)
        for one in [one for one in found if one[1] & unknowns]:
            found.remove(one)
            fields, unknowns = fields | one[0], unknowns | one[1]
        found.append((fields, unknowns))
    order, names = energies.fields, system.names
    groups = [Group(tuple(f for f in order if f in one), tuple(n for n in names if n in two)) for one, two in found]
    return [group for group in groups if group.unknowns]


def _told(counts: Mapping[str, int], shares: Mapping[str, float]) -> str:
    listed = ", ".join(f"{name} by {counts[name]} (the last two hold {share:.0e})" for name, share in shares.items())
    rough = [name for name, share in shares.items() if share > _TAIL]
    advice = f"; give order= and elements= to refine {', '.join(rough)}" if rough else ""
    return f"Members move in steady shapes and modes: {listed} of the motion{advice}."


def _tail(system: NonlinearSystem, group: Group, q: Array) -> float:
    """The largest share of a field's motion that the last two shapes of its group carry."""
    last = [i for i, name in enumerate(system.names) if name.startswith(f"{group.name}[")][-2:]
    worst = 0.0
    for name in group.fields:
        one = system.fields[name]
        matrix = one.matrix(np.linspace(one.start, one.end, 21), 0)[:, : system.n]
        moved = np.abs(q @ matrix.T).max(initial=0.0)
        carried = max((np.abs(matrix[:, i]).max() * np.abs(q[:, i]).max() for i in last), default=0.0)
        worst = max(worst, float(carried / moved)) if moved else worst
    return worst


def _look(case: _Case) -> _Look:
    """The motion at low accuracy."""
    question, mechanics = case.question, case.mechanics
    end = float(question.times[-1])
    start = _first(case)
    floor = _FLOOR * expected_speed(mechanics, start, end)
    run = follow(mechanics, start, end, _options(case, _LOOK, floor, quick=True))
    return _Look(np.array([state.q for state in run.history.states]), run.largest)


# -- the run ---------------------------------------------------------------------------------------------------------


def _first(case: _Case) -> State:
    mechanics, t = case.mechanics, float(case.question.times[0])
    mechanics.within(t)
    state = mechanics.state(t, case.start.q, case.start.v)
    mechanics.within()
    return state


def _options(case: _Case, local: float, floor: float = 0.0, quick: bool = False, reached: Any = None) -> Options:
    question = case.question
    method = question.method
    if quick and method == "generalized_alpha":
        method = None
    return Options(
        local=local,
        method=method,
        breaks=case.breaks,
        events=() if quick else _events(case),
        diverged=_far(case),
        max_seconds=question.max_seconds,
        progress=reached or (lambda t: None),
        floor=floor,
    )


def _answer(case: _Case, size: float | None) -> Trajectory:
    question = case.question
    exact_motion = _exact(case)
    if exact_motion is not None:
        return _trajectory(case, question.times, exact_motion.q, exact_motion.v, exact_motion.energy, Run())
    if question.method == "exact":
        raise FlexuraError(
            "method='exact' is for linear equations with constant coefficients and without constraints or events; leave"
            " the method out."
        )
    return _followed(case, size or 0.0)


def _exact(case: _Case) -> Propagated | None:
    """The exact motion, where there is one and nothing else was asked for."""
    question = case.question
    if question.method not in (None, "exact") or question.events:
        return None
    for finer in (1, 8, 64):
        times = _finer(question.times, finer)
        found = propagated(case.mechanics, times, case.start.q, case.start.v, case.breaks)
        if found is None or found.energy.error <= question.tolerance:
            break
    return found and found.every(finer)


def _finer(times: Array, by: int) -> Array:
    parts = np.linspace(0, 1, by, endpoint=False)
    return np.append((times[:-1, None] + np.diff(times)[:, None] * parts).ravel(), times[-1])


def _followed(case: _Case, size: float) -> Trajectory:
    """Follow the motion; where the ledger misses more than was asked, once or twice more with smaller steps."""
    question = case.question
    begin, end = float(question.times[0]), float(question.times[-1])
    local, start = max(_SHARE * question.tolerance, 1e-15), _first(case)
    least = _FLOOR * expected_speed(case.mechanics, start, end)
    for attempt in range(3):
        floor = max(1e-3 * size, least)
        with progress(begin, end, question.progress) as reached:
            run = follow(case.mechanics, start, end, _options(case, local, floor, reached=reached))
        size = run.largest
        last = run.history.states[-1].t
        times = question.times[question.times <= last]
        curve = run.history.curve()
        q, v, _ = curve.at(times)
        energy = ledger(case.mechanics, curve, times)
        if energy.error <= question.tolerance or not run.complete or local <= 1e-15 or attempt == 2:
            break
        if question.method == "generalized_alpha":
            break
        local = max(1e-15, local * 0.3 * question.tolerance / energy.error)
    if energy.error > question.tolerance:
        case.notes.append(
            f"The ledger misses {energy.error:.1g} of the largest energy, more than the {question.tolerance:.1g} asked"
            " for."
        )
    return _trajectory(case, times, q, v, energy, run)


def _trajectory(case: _Case, times: Array, q: Array, v: Array, energy: Energy, run: Run) -> Trajectory:
    question = case.question
    motion = Motion(
        question.equations, case.mechanics, question.known, question.values, times, q, v, case.whole, case.T
    )
    how = ", ".join(f"{count} {way.replace('_', '-')} steps" for way, count in run.steps.items())
    notes = [*case.system.notes, *case.notes, *([f"Followed by {how}."] if how else ["Propagated exactly."])]
    return Trajectory(
        times,
        motion.histories,
        energy,
        motion.place,
        motion.position,
        run.complete,
        run.message,
        tuple(notes),
        {name: np.array(found) for name, found in run.events.items()},
        motion,
    )


def _far(case: _Case) -> Callable[[State], str | None]:
    """What tells that deflections passed every meaning."""
    system = case.system
    maps = [(one.name, one.end - one.start, one.matrix(np.linspace(one.start, one.end, 3), 0)[:, : system.n])
            for one in system.fields.values()]  # fmt: skip
    if not maps:
        return lambda state: None
    rows = np.vstack([matrix / max(length, 1.0) for _, length, matrix in maps])

    def diverged(state: State) -> str | None:
        if np.abs(rows @ state.q).max() < _FAR:
            return None
        far = [name for name, length, matrix in maps if np.abs(matrix @ state.q).max() >= _FAR * max(length, 1.0)]
        return (
            f"The run diverged: at t = {state.t:.6g} the deflection {far[0]} is more than {_FAR:g} times as large as"
            " its member is long; look for an instability, or a member that turns without foreshortening."
        )

    return diverged


def _events(case: _Case) -> tuple[Event, ...]:
    question = case.question
    return tuple(Event(name, _event(case, name, one), name in question.stop) for name, one in question.events.items())


def _event(case: _Case, name: str, given: Any) -> Callable[[float, Array, Array], float]:
    import symengine

    system = case.whole
    places = {one: i for i, one in enumerate(system.names)}
    if callable(given) and not hasattr(given, "engine"):

        def called(t: float, q: Array, v: Array) -> float:
            q, v = case.all(q), case.all(v)
            state = {one: float(q[i]) for one, i in places.items()}
            return float(given(t, state | {f"{one}_t": float(v[i]) for one, i in places.items()}))

        return called
    tree = text_or_expression(given, what=f"the event {name}").engine
    tree = tree.xreplace({Symbol(one): exact(number) for one, number in case.question.known.items()})
    arguments = [TIME, *(Symbol(one) for one in system.names), *(Symbol(f"{one}_t") for one in system.names)]
    stray = sorted(one.name for one in tree.free_symbols if one not in arguments)
    if stray:
        raise FlexuraError(unknown(f"The event {name} holds {stray[0]!r}, which is not known", stray[0], system.names))
    made = symengine.Lambdify(arguments, [tree])
    return lambda t, q, v: float(np.asarray(made(np.concatenate([[t], case.all(q), case.all(v)]))).ravel()[0])
