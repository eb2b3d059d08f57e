"""A run: from one state to an end time, with the way to step chosen, breaks met, events found and reasons given.

    >>> run = follow(mechanics, start, end, Options(tolerance=1e-8))
    >>> run.history.curve().at(times), run.message

The explicit way is tried first. Where its steps may be held up by stability rather than accuracy (fast vibrations that
hardly move) the implicit way is tried for some steps, and the one that gains more time per evaluation goes on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.steppers.history import Curve, History
from flexura.solve.steppers.impulses import Blow, GivenSpeeds, Side, blow_at, side
from flexura.solve.steppers.mechanics import Mechanics, State
from flexura.solve.steppers.norm import Norm
from flexura.solve.steppers.pace import Pace, Stalled, stalled
from flexura.solve.steppers.stiffness import fastest
from flexura.solve.steppers.table import on_states
from flexura.solve.steppers.undetermined import Singular, Unanswered
from flexura.solve.steppers.zeros import away_from_zero, quintic, zeros_between
from flexura.systems.deadline import Deadline, OutOfTime
from flexura.systems.signals.scales import Scales

Array = NDArray[np.float64]
_LIMIT = 0.8  # h times the fastest frequency, above which the explicit way may be held up by stability
_TOO_MANY = 20_000  # explicit steps that are not even begun
_PATIENCE = 25  # steps after which the way is reconsidered
_TRIAL = 12  # steps the other way is tried for
_MANY = 3200.0  # radians of the fastest vibration in a run above which implicit steps come first if taken together,
# over how many states are evaluated together in the time of one
_WAVES = 1e5  # radians up to which waves in soft members are followed as they run
_LEDGER, _LEDGER_ALONE = 2.0, 16.0  # evaluations a step costs in the energy balance, together or each alone
_AFTERWARDS = 0.1  # of the time that is allowed, kept for what is worked out of a run
_RESTART = 8.0  # by which implicit steps are smaller after a break
_MOMENTS = 400  # times at which loads are looked at
_BETWEEN = np.array([1e-6, 0.5, 1 - 1e-6])  # places between two breaks, at which loads are looked at
_BEFORE = np.linspace(0.05, 0.95, 10)  # places before a zero, at which its function was seen away from zero
_GRAZES = 1e-9  # of the largest value an event's function had: as near to zero as that is a zero
_LONGER = 1e-6  # of the time of a run: what some steps are at least, if it is to come to an end
_EXPLICIT = 0.5  # radians of the fastest vibration an explicit evaluation gains at most


@dataclass(frozen=True)
class Event:
    """A function of t, q, v whose zeros are to be found; the run ends at the first one if it is `terminal`.

    An event is a change of sign. What is meant to keep a `side`, the sign +1 or -1, may begin at zero, or beyond it by
    rounding: within `room` of zero it has that room, and as much as it begins beyond, before it has an event. What may
    go to either side, and begins within its `room`, has an event when it comes back from farther away.
    """

    name: str
    value: Callable[[float, Array, Array], float]
    terminal: bool = False
    after: float = -np.inf  # zeros up to this time are none: what begins at zero leaves it
    side: int = 0
    room: float = 0.0

    def begun(self, start: State) -> Event:
        """The event of a run from a state, with the room that it has there."""
        first = self.side * self.value(start.t, start.q, start.v) if self.side else np.inf
        room = max(-2 * first, 0.0) + self.room
        if first > room:
            return self
        value, shift = self.value, self.side * room
        return replace(self, value=lambda t, q, v: value(t, q, v) + shift, side=0, room=0.0)


@dataclass(frozen=True)
class Options:
    """How to run. `local` is the tolerance of one step; `least` steps are taken between two breaks."""

    local: float = 1e-11
    method: str | None = None
    breaks: Sequence[float] = ()
    broken: Callable[[State], None] = lambda state: None  # what is to be done at a break, before the motion goes on
    events: Sequence[Event] = ()
    diverged: Callable[[State], FlexuraError | None] = lambda state: None
    deadline: Deadline = field(default_factory=Deadline)
    stuck: Callable[[Sequence[State]], FlexuraError | None] = lambda states: None
    progress: Callable[[float], None] = lambda t: None
    least: int = 4
    floor: float = 0.0  # speeds that small count as large
    scales: Scales = field(default_factory=Scales)
    window: tuple[float, float] = (-np.inf, np.inf)  # a smooth stretch that the whole run lies in


@dataclass
class Run:
    """What happened: the states, the events, whether the end was reached, and why not; `stopped` by an event."""

    history: History = field(default_factory=History)
    events: dict[str, list[float]] = field(default_factory=dict)
    complete: bool = True
    message: str = ""
    stopped: bool = False
    blows: list[Blow] = field(default_factory=list)
    steps: dict[str, int] = field(default_factory=dict)
    rejected: int = 0
    largest: float = 0.0
    sizes: dict[str, float] = field(default_factory=dict)  # of the functions of events, as seen


def expected_speed(
    mechanics: Mechanics, start: State, end: float, scales: Scales, breaks: Sequence[float] = ()
) -> float:
    """What the loads on the resting system could drive it to from start to end: the upper end of any motion's size."""
    moments = scales.moments
    moments = moments[:: 1 + len(moments) // _MOMENTS]
    edges = np.array([start.t, *sorted(one for one in breaks if start.t < one < end), end])
    edges = edges[:: 1 + len(edges) // _MOMENTS]
    between = (edges[:-1, None] + np.diff(edges)[:, None] * _BETWEEN).ravel()  # what jumps is seen from both sides
    moments = np.concatenate([np.linspace(start.t, end, 13), moments, between])
    times = np.unique(moments[(moments >= start.t) & (moments <= end)])
    try:
        a, _ = mechanics.accelerations(times, *(np.tile(one, (len(times), 1)) for one in (start.q, start.v)))
    except Unanswered:  # told where the run comes to it
        return 0.0
    rates = np.sqrt(np.abs(np.einsum("ki,ij,kj->k", a, mechanics.mass, a)))
    return float(np.maximum(rates[1:], rates[:-1]) @ np.diff(times))


class _Asked(FlexuraError):
    """An event ends the run, as was asked for."""


class _Diverged(FlexuraError):
    """The motion has lost its meaning."""


def follow(mechanics: Mechanics, start: State, end: float, options: Options) -> Run:
    """Run from a state to the end; what goes wrong on the way ends the run and is told, it does not raise."""
    options = replace(options, events=tuple(one.begun(start) for one in options.events))
    run = Run(events={one.name: [] for one in options.events})
    run.history.begin(start)
    runner = _Runner(mechanics, options, run, end)
    breaks = sorted(one for one in set(options.breaks) if start.t < one < end)
    try:
        for stop in (*breaks, end):
            runner.stretch(stop, last=stop == end)
    except _Asked as error:
        run.complete, run.stopped, run.message = False, True, str(error)
    except (Stalled, Singular) as error:
        run.complete, run.message = False, str(options.stuck(run.history.states) or error)
    except (_Diverged, OutOfTime) as error:
        run.complete, run.message = False, str(error)
    except Unanswered as error:
        if len(run.history.states) == 1:  # nothing was followed that could be lost
            raise
        run.complete, run.message = False, str(error)
    finally:
        mechanics.within()
    run.largest = runner.norm.largest
    return run


class _Runner:
    """One run while it happens."""

    def __init__(self, mechanics: Mechanics, options: Options, run: Run, end: float) -> None:
        start = run.history.states[0]
        self.mechanics, self.options, self.run = mechanics, options, run
        newton = mechanics.newton(start)
        self.norm = Norm.of(mechanics, start, newton)
        self.norm.largest = max(self.norm.largest, options.floor)
        self.fastest = fastest(newton)
        self.began = options.deadline.spent, mechanics.work
        self.speeds = GivenSpeeds.of(mechanics, start.q, start.t, end)
        self.span, self.small, self.longest = end - start.t, 0, 0.0
        first = min(self.span / 50, 0.3 / self.fastest if self.fastest else np.inf)
        self.pace = Pace(first, self.span, scales=options.scales, deadline=options.deadline)
        self.way = options.method or self._first_way()
        self.other: float | None = None  # time gained per evaluation on the other way, while the two are compared
        self.trust = 4 * _PATIENCE
        self.begun = {
            id(event) for event in options.events if event.room and not event.side
        }  # what has not been seen away from zero yet
        self._wait(start, _PATIENCE)

    def _first_way(self) -> str:
        if self.mechanics.system.rate_free and self.fastest * self.span <= _WAVES:
            return "symplectic"
        many = _MANY / self.mechanics.system.stacked if self.mechanics.together else 3 * _TOO_MANY
        return "radau" if self.fastest * self.span > many else "explicit"

    def stretch(self, end: float, last: bool) -> None:
        """Follow a smooth stretch of the motion to its end."""
        state = self.run.history.states[-1]
        first = len(self.run.history.states) == 1
        driven = self.mechanics.system.prescribed or self.mechanics.constrained or self.mechanics.strikes
        before = side(self.mechanics, state.t, state.q) if driven and not first else None
        low, high = self.options.window
        self.mechanics.within(low if first else state.t, high if last else end)
        if not first:
            self.options.broken(state)
            v = state.v if before is None else self._struck(state, before)
            state = self.mechanics.state(state.t, state.q, v)  # inputs may jump at a break
            self.run.history.begin(state)
        self.pace.largest = (end - state.t) / self.options.least
        if self.fastest:
            slow = self.pace.h / _RESTART if self.way == "radau" and not first else 0.0
            self.pace.h = max(slow, min(self.pace.h, 3.0 / self.fastest))
        while state.t < end:
            state = self._until_other_way(state, end)

    def _struck(self, state: State, before: Side) -> Array:
        """The rates after a break, at which loads may strike and the speed of given motions may jump."""
        after = side(self.mechanics, state.t, state.q)
        found = blow_at(self.mechanics, self.speeds, state.t, (state.q, state.v), (before, after))
        if found is None:
            return state.v
        self.run.blows.append(found[1])
        return found[0]

    def _until_other_way(self, state: State, end: float) -> State:
        steps = on_states(self.way)(self.mechanics, self.norm, state, end, self.options.local, self.pace)
        rejected = self.pace.rejected
        for new in steps:
            self.run.rejected += self.pace.rejected - rejected
            rejected = self.pace.rejected
            self.run.steps[self.way] = self.run.steps.get(self.way, 0) + 1
            self._check(new, new.t - state.t)
            new = self._events(state, new)
            self.run.history.append(new)
            self.options.progress(new.t)
            state = new
            if self.options.method is None and self._reconsider(new, end - new.t):
                break
        return state

    def _check(self, state: State, h: float) -> None:
        self.longest = max(self.longest, h)
        longest = max(self.longest, _LONGER * self.span)  # none may have been long
        usual = min(longest, self.options.scales.reach(state.t))  # steps across a short pulse are short
        self.small = self.small + 1 if h < 1e-6 * usual else 0
        if self.small > 200:
            raise stalled(state.t, self.mechanics.vanishing(state))
        if not math.isfinite(state.q @ state.q + state.v @ state.v):
            raise _Diverged(f"The motion grew beyond all numbers at t = {state.t:.6g}.")
        reason = self.options.diverged(state)
        if reason:
            self.run.history.append(state)
            raise _Diverged(reason.problem, advice=reason.advice)
        self.options.deadline.check(state.t, self._afterwards())

    def _afterwards(self) -> float:
        """Seconds that the energy balance of the steps so far, and the estimate of their error, will take."""
        kept = _AFTERWARDS * min(self.options.deadline.seconds, 1e9)
        if not self.mechanics.powered:
            return kept
        each = (self.options.deadline.spent - self.began[0]) / max(self.mechanics.work - self.began[1], 1)
        steps = len(self.run.history.states) * (_LEDGER if self.mechanics.together else _LEDGER_ALONE)
        return each * steps + kept

    def _reconsider(self, state: State, left: float) -> bool:
        """Whether to go on the other way: where vibrations are faster than steps, both are tried and compared."""
        self.patience -= 1
        if self.way == "symplectic" or self.patience > 0:
            return False
        pace = (state.t - self.since[0]) / max(self.mechanics.work - self.since[1], 1)
        if self.other is None:  # else the other way was tried already, and its pace decides
            h = state.t - self.run.history.states[-2].t
            unstable = self.way == "radau" and _EXPLICIT / self.fastest < pace  # however accurate
            if unstable or (self.way == "explicit" and (h * self.fastest < _LIMIT or left < 40 * h)):
                self._wait(state, _PATIENCE)
                return False
        if self.other is not None and pace >= self.other:  # the present way is the better one: ask again, later
            self.other, self.trust = None, 2 * self.trust
            self._wait(state, self.trust)
            return False
        way = "radau" if self.way == "explicit" else "explicit"
        if self.other is not None:
            self.trust = 2 * self.trust
        first_time = self.other is None
        self.other = pace if first_time else None
        self.way = way
        self.pace.h = min(self.pace.h, 3.0 / self.fastest) if way == "explicit" else self.pace.h
        self._wait(state, _TRIAL if first_time else self.trust)
        return True

    def _wait(self, state: State, steps: int) -> None:
        self.patience, self.since = steps, (state.t, self.mechanics.work)

    def _events(self, old: State, new: State) -> State:
        """Record zeros between two states, grazing ones too; a terminal one ends the run there."""
        if not self.options.events:
            return new
        inside = quintic(old, new)
        near = [event for event in self.options.events if not self._clear(event, inside, old, new)]
        self.begun &= {id(event) for event in near}
        curve = self._local(old, new) if near else None
        found = [(t, event) for event in near if curve for t in self._zeros(event, curve, old, new)]
        for t, event in sorted(found, key=lambda one: one[0]):
            self.run.events[event.name].append(t)
            if event.terminal:
                if t > old.t:  # else the last state is where it ends
                    self.run.history.append(self._between(old, new, t))
                raise _Asked(f"The event {event.name} ended the run at t = {t:.9g}.")
        return new

    def _clear(self, event: Event, inside: Sequence[tuple[float, Array, Array]], old: State, new: State) -> bool:
        """Whether the function of an event is surely not zero in a step."""
        ends = event.value(old.t, old.q, old.v), event.value(new.t, new.q, new.v)
        values = np.array([event.value(*one) for one in inside])
        seen = self.run.sizes
        seen[event.name] = max(seen.get(event.name, 0.0), float(np.abs(values).max()), *map(abs, ends))
        return away_from_zero(values) and min(ends) * max(ends) > 0

    def _zeros(self, event: Event, curve: Curve, old: State, new: State) -> list[float]:
        def values(t: Array) -> Array:
            q, v, _ = curve.at(t)
            return np.array([event.value(*one) for one in zip(t.tolist(), q, v, strict=True)])

        first, last = event.value(old.t, old.q, old.v), event.value(new.t, new.q, new.v)
        near = _GRAZES * self.run.sizes[event.name]
        found = [t for t in zeros_between(values, old.t, new.t, first, last, near) if t > event.after]
        room = max(near, event.room)
        if id(event) not in self.begun or abs(first) > room:
            self.begun.discard(id(event))
            return found

        def left(until: float) -> bool:
            return bool(np.abs(values(old.t + (until - old.t) * _BEFORE)).max() > room)

        found = [t for t in found if left(t)]
        if left(new.t) or abs(last) > room:
            self.begun.discard(id(event))
        return found

    def _local(self, old: State, new: State) -> Curve:
        recent = self.run.history
        start = max(recent.starts[-1], len(recent.states) - 3)
        return History([*recent.states[start:], new], [0]).curve()

    def _between(self, old: State, new: State, t: float) -> State:
        q, v, _ = self._local(old, new).at(np.array([t]))
        return self.mechanics.state(t, *self.mechanics.projected(t, q[0], v[0]))
