"""Runs of bodies that turn freely, past where three angles are singular: there they are followed by other angles.

    >>> charts = Charts.of(case)
    >>> legs, run = charts.followed(*charts.begun, end, local, floor, reached)
    >>> q, v = Courses(charts, legs).states(times)            # in the angles that users know, all the way

Where the second angle of a ball comes near a quarter turn (theory, section 8), the run goes on in angles of another
order of turns, by equations of their own, until these come near theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.routes import derive
from flexura.solve.discretise import motion_system
from flexura.solve.runs.angles import angle_between, angles_of, continued, other_rates, rotation
from flexura.solve.runs.case import Case, first_state, make_case, run_options
from flexura.solve.steppers.history import Curve
from flexura.solve.steppers.mechanics import Mechanics, State
from flexura.solve.steppers.run import Event, Run, follow
from flexura.symbolic.kinematics.motion import ORDER, OTHER_ORDER

Array = NDArray[np.float64]
_NEAR = 0.3  # the cosine of the second angle, below which other angles are taken
_PART = 0.3  # of the way to a singular position that is turned from look to look
_LEAST = 1e-9  # radians to a singular position, nearer than which the turn goes straight through it


@dataclass(frozen=True, eq=False)
class Leg:
    """A part of a run, in which the balls of some numbers have angles of the other order."""

    turned: frozenset[int]
    case: Case
    curve: Curve
    start: float
    end: float

    @property
    def mechanics(self) -> Mechanics:
        """That of its angles."""
        return self.case.mechanics


@dataclass(eq=False)
class Charts:
    """A case, and the same with other angles, made when they are needed."""

    first: Case
    rows: tuple[list[int], ...]
    cases: dict[frozenset[int], Case] = field(default_factory=dict)

    @classmethod
    def of(cls, case: Case) -> Charts | None:
        """Of what has balls whose angles nobody names; None where there are none, or something looks at angles."""
        system, question = case.system, case.question
        reordered = getattr(question.equations.lagrangian, "reordered", None)
        if reordered is None or case.T is not None or system.fields or system.fed is not None or case.sampling:
            return None
        named = {name for one in question.events.values() for name in _named(one)}
        angles = {f"{name}{rate}" for ball in reordered.balls for name in ball for rate in ("", "_t")}
        if "" in named or named & angles or not all({*ball} <= {*system.names} for ball in reordered.balls):
            return None
        rows = tuple([system.names.index(name) for name in ball] for ball in reordered.balls)
        return cls(case, rows, {frozenset(): case})

    def case(self, turned: frozenset[int]) -> Case:
        """With the angles of some balls in the other order."""
        if turned not in self.cases:
            question = self.first.question
            equations = derive(question.equations.lagrangian.reordered(turned))
            begun = tuple(self.other(frozenset(), turned, *self.first.start_after, self.first.start.v)[:2])
            asked = replace(question, equations=equations, initial=begun, inconsistent="correct")
            self.cases[turned] = make_case(asked, motion_system(equations, question.values))
        return self.cases[turned]

    def other(self, of: frozenset[int], to: frozenset[int], q: Array, v: Array, a: Array) -> list[Array]:
        """A state in other angles."""
        found = [q.copy(), v.copy(), a.copy()]
        for i in sorted(of ^ to):
            at, orders = self.rows[i], (OTHER_ORDER if i in of else ORDER, OTHER_ORDER if i in to else ORDER)
            found[0][at] = angles_of(orders[1], rotation(orders[0], q[at]))
            found[1][at], found[2][at] = other_rates(orders[0], q[at], orders[1], found[0][at], (v[at], a[at]))
        return found

    def events(self) -> tuple[Event, ...]:
        """Where the second angle of a ball comes near a quarter turn."""
        return tuple(Event(f"$ball{i}", self._apart(rows[1]), True) for i, rows in enumerate(self.rows))

    def _apart(self, row: int) -> Callable[[float, Array, Array], float]:
        return lambda t, q, v: float(np.cos(q[row]) ** 2 - _NEAR**2)

    def reached(self, run: Run) -> frozenset[int]:
        """The balls near whose singular position a run ended."""
        return frozenset(i for i in range(len(self.rows)) if run.stopped and run.events[f"$ball{i}"])

    def near(self, q: Array) -> frozenset[int]:
        """The balls whose second angle is near a quarter turn."""
        return frozenset(i for i, rows in enumerate(self.rows) if abs(np.cos(q[rows[1]])) <= _NEAR)

    @property
    def begun(self) -> tuple[frozenset[int], State]:
        """The balls that start in other angles, and the state in these."""
        q = self.first.start.q
        turned = self._better(frozenset(), q, self.near(q))
        return turned, first_state(self.case(turned))

    def followed(
        self,
        turned: frozenset[int],
        state: State,
        end: float,
        local: float,
        floor: float,
        reached: Callable[[float], None],
    ) -> tuple[list[Leg], Run]:
        """Leg after leg from a state to the end, or to where it cannot go on."""
        legs, whole = list[Leg](), Run()
        while True:
            case = self.case(turned)
            options = run_options(case, local, floor, reached=reached)
            run = follow(case.mechanics, state, end, replace(options, events=(*options.events, *self.events())))
            last = run.history.states[-1]
            if last.t > state.t:
                legs.append(Leg(turned, case, run.history.curve(), state.t, last.t))
            _add(whole, run)
            other = self._better(turned, last.q, self.reached(run))
            if other == turned or last.t <= state.t:
                return legs, whole
            turned, state = other, self._entered(legs, turned, other, last)

    def _entered(self, legs: list[Leg], turned: frozenset[int], other: frozenset[int], last: State) -> State:
        """The last state of a leg as the first of the next."""
        q, v, _ = self.other(turned, other, last.q, last.v, last.a)
        for i in turned - other:  # as far as they have turned
            q[self.rows[i]] = Courses(self, legs).last(i)
            v[self.rows[i]] = self.rates(i, last, q[self.rows[i]])[0]
        mechanics = self.case(other).mechanics
        return mechanics.state(last.t, *mechanics.projected(last.t, q, v))

    def rates(self, i: int, at: State, angles: Array) -> tuple[Array, Array]:
        """Those of the angles that users know, at a state in the others."""
        rows = self.rows[i]
        return other_rates(OTHER_ORDER, at.q[rows], ORDER, angles, (at.v[rows], at.a[rows]))

    def told(self, legs: Sequence[Leg]) -> str:
        """What to say of a run in several legs."""
        names = self.first.system.names
        balls = sorted({i for leg in legs for i in leg.turned})
        seconds = " and ".join(names[self.rows[i][1]] for i in balls)
        when = ", ".join(f"{leg.start:.6g}" for leg in legs[1:])
        changed = f", with changes at t = {when}" if when else ""
        return (
            f"Near singular positions, where {seconds} is a quarter turn, the run follows other angles{changed}; what"
            " it gives are those asked for, whose rates are large there."
        )

    def _better(self, turned: frozenset[int], q: Array, near: frozenset[int]) -> frozenset[int]:
        """The other order for the balls that are near, where it is farther from its singular position."""
        found = set(turned)
        for i in near:
            rows, order = self.rows[i], OTHER_ORDER if i in turned else ORDER
            other = angles_of(ORDER if i in turned else OTHER_ORDER, rotation(order, q[rows]))
            if abs(np.cos(other[1])) > abs(np.cos(q[rows[1]])):
                found ^= {i}
        return frozenset(found)


@dataclass(eq=False)
class Courses:
    """A run in several legs, in the angles that users know: as they would have gone on without a change."""

    charts: Charts
    legs: list[Leg]

    @property
    def inputs(self) -> Callable[[Any], Array]:
        """Of time only, the same in all legs."""
        return self.charts.first.mechanics.inputs

    def owner(self, times: Array) -> NDArray[np.int64]:
        """Which leg each time belongs to; where one follows another, to the later."""
        starts = np.array([one.start for one in self.legs])
        return np.clip(np.searchsorted(starts, times, side="right") - 1, 0, len(self.legs) - 1)

    def states(self, times: Array) -> tuple[Array, Array]:
        """q and v at times."""
        return self._at(times)[:2]

    def accelerations(self, times: Array, q: Array, v: Array) -> tuple[Array, Array]:
        """Accelerations and multipliers at times of the run, by the angles in which it was followed there."""
        return self._at(times)[2:]

    def _at(self, times: Array) -> tuple[Array, Array, Array, Array]:
        first, owner = self.charts.first.system, self.owner(times)
        rows = [np.empty((len(times), size)) for size in (first.n, first.n, first.n, first.m)]
        for k in np.unique(owner):
            leg, mine = self.legs[k], np.flatnonzero(owner == k)
            at = np.clip(times[mine], leg.start, leg.end)
            q, v, _ = leg.curve.at(at)
            a, multipliers = leg.mechanics.accelerations(at, q, v)
            tracks = {i: self._tracks[k][i].at(at) for i in leg.turned}
            for j, row in enumerate(mine):
                known = self.charts.other(leg.turned, frozenset(), q[j], v[j], a[j])
                for i, track in tracks.items():
                    mine_of = self.charts.rows[i]
                    known[0][mine_of] = track[j]
                    seen = State(float(at[j]), q[j], v[j], a[j], multipliers[j])
                    known[1][mine_of], known[2][mine_of] = self.charts.rates(i, seen, track[j])
                rows[0][row], rows[1][row], rows[2][row], rows[3][row] = *known, multipliers[j]
        return rows[0], rows[1], rows[2], rows[3]

    @cached_property
    def _tracks(self) -> list[dict[int, _Track]]:
        found = list[dict[int, _Track]]()
        for k, leg in enumerate(self.legs):
            begun = {i: self._before(found, k, i) for i in leg.turned}
            found.append({i: _Track.along(leg.curve, self.charts.rows[i], one) for i, one in begun.items()})
        return found

    def _before(self, found: list[dict[int, _Track]], k: int, i: int) -> Array:
        """The angles of a ball where a leg begins."""
        rows = self.charts.rows[i]
        if not k:
            return np.asarray(self.charts.first.start.q[rows])
        last = self.legs[k - 1]
        return found[k - 1][i].angles[-1] if i in last.turned else np.asarray(last.curve.q[-1][rows])

    def last(self, i: int) -> Array:
        """The angles of a ball at the end of a leg in which it had others."""
        return np.asarray(self._tracks[-1][i].angles[-1])


@dataclass(frozen=True, eq=False)
class _Track:
    """Angles of a ball at close times, of which each is nearest to the one before."""

    curve: Curve
    rows: list[int]
    t: Array
    angles: Array

    @classmethod
    def along(cls, curve: Curve, rows: list[int], begun: Array) -> _Track:
        """Through a leg, looked at so closely that no turn about a singular position is missed."""
        R = rotation(OTHER_ORDER, curve.q[0][rows])
        found = [(float(curve.t[0]), R, continued(R, begun))]
        made = cls(curve, rows, curve.t, np.empty((0, 3)))
        for end in curve.t[1:].tolist():
            found += made._between(found[-1], end)
        return replace(made, t=np.array([one[0] for one in found]), angles=np.array([one[2] for one in found]))

    def at(self, times: Array) -> Array:
        """At some times of the leg."""
        rows = []
        for t in times.tolist():
            k = max(int(np.searchsorted(self.t, t, side="right")) - 1, 0)
            begun = float(self.t[k]), self._rotation(float(self.t[k])), self.angles[k]
            rows.append(self.angles[k] if t == begun[0] else list(self._between(begun, t))[-1][2])
        return np.array(rows).reshape(-1, 3)

    def _rotation(self, t: float) -> Array:
        return rotation(OTHER_ORDER, self.curve.at(np.array([t]))[0][0][self.rows])

    def _between(self, begun: tuple[float, Array, Array], end: float) -> Iterator[tuple[float, Array, Array]]:
        """Looks from one to another time, closer where a singular position is near."""
        ends = [end]
        while ends:
            t, R, angles = begun
            there = self._rotation(ends[-1])
            found = angles_of(ORDER, there)
            apart = max(min(abs(float(np.cos(one[1]))) for one in (angles, found)), _LEAST)
            middle = (t + ends[-1]) / 2
            if angle_between(R, there) > _PART * apart and t < middle < ends[-1]:
                ends.append(middle)
                continue
            begun = ends.pop(), there, continued(there, angles)
            yield begun


def _add(whole: Run, run: Run) -> None:
    """What happened in a leg, to what happened before."""
    for way, count in run.steps.items():
        whole.steps[way] = whole.steps.get(way, 0) + count
    for name, when in run.events.items():
        if not name.startswith("$"):
            whole.events.setdefault(name, []).extend(when)
    whole.blows.extend(run.blows)
    whole.largest = max(whole.largest, run.largest)
    whole.complete, whole.message, whole.stopped = run.complete, run.message, run.stopped


def _named(event: Any) -> set[str]:
    """The names that an event holds; "" where a function may look at anything."""
    if callable(event) and not hasattr(event, "engine"):
        return {""}
    from flexura.symbolic.quantities import text_or_expression

    return {one.name for one in text_or_expression(event, what="an event").engine.free_symbols}
