"""One phase of a run with contacts, followed to its end: what ends it, and the piece of motion that it leaves.

>>> piece, last, run = follow_phase(phase, inputs, start, stop, options, seen)

Where all that is held rides on members, the unknowns of riders are left out on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.solve.runs.contacts import ContactLaw
from flexura.solve.runs.phases import Phase
from flexura.solve.runs.ridden import Ridden
from flexura.solve.runs.seen import Seen
from flexura.solve.steppers.history import Curve
from flexura.solve.steppers.mechanics import Mechanics, State
from flexura.solve.steppers.run import Event, Options, Run, follow

Array = NDArray[np.float64]
Value = Callable[[float, Array, Array], float]
LEAVES = "$~"  # so begins the name of the event that what rides leaves its member
_ROOM = 4e-9  # of the forces: more than what counts as rounding where contacts are settled


@dataclass(frozen=True, eq=False)
class Piece:
    """A phase as it was followed: from `start` to `end`; where riders were left out, without their unknowns."""

    phase: Phase
    mechanics: Mechanics
    curve: Curve
    start: float
    end: float
    ridden: Ridden | None = None

    def states(self, times: Array) -> tuple[Array, Array]:
        """All unknowns and their rates at times."""
        q, v, _ = self.curve.at(times)
        return (q, v) if self.ridden is None else self.ridden.whole(times, q, v)

    def solved(self, t: float, q: Array, v: Array) -> tuple[Array, Array]:
        """Accelerations and multipliers of all unknowns."""
        if self.ridden is None:
            return self.mechanics.acceleration(t, q, v)
        return self.phase.solved(t, q, v, self.phase.loads(t, q, v, self.mechanics.inputs(t)))


def follow_phase(
    phase: Phase,
    inputs: Callable[[Any], Array],
    begin: tuple[float, Array, Array],
    stop: float,
    options: Options,
    seen: Seen,
) -> tuple[Piece, State, Run]:
    """The piece, which may have no length, the last state with all unknowns, and what happened.

    `options` hold what a whole run asks; its events are watched beside those that end the phase.
    """
    mechanics = Mechanics(phase.system, inputs)
    mechanics.within(*options.window)
    t, q, v = begin
    if phase.held:
        q, v = mechanics.projected(t, q, v)
    start = mechanics.state(t, q, v)
    rests = any(one.riding is None for one in phase.held)
    options = replace(
        options,
        breaks=(),
        broken=lambda state: None,
        events=(*options.events, *_ends(phase, mechanics, start, seen)),
        floor=options.floor if rests else 0.0,  # what loads would drive is held: it moves by rounding of them
    )
    ridden = Ridden.of(phase)
    if ridden is not None:
        mechanics = Mechanics(ridden.system, inputs)
        mechanics.within(*options.window)
        start, options = mechanics.state(t, *ridden.without(q, v)), _without_riders(options, ridden)
    run = follow(mechanics, start, stop, options)
    states = run.history.states if ridden is None else _with_riders(run.history.states, ridden)
    seen.see(states, phase.modes)
    seen.see_flights(run, phase.modes)
    last = states[-1]
    return Piece(phase, mechanics, run.history.curve(), t, last.t, ridden), last, run


def _ends(phase: Phase, mechanics: Mechanics, start: State, seen: Seen) -> Iterator[Event]:
    """What would end a phase."""
    soon = seen.soon(start.t)
    for one in phase.contacts:
        if one.riding is not None and one.riding.own is not None and phase.modes[one.name] != "left":
            yield Event(f"{LEAVES}{one.name}", one.riding.within, True, soon)
    for k, one in enumerate(phase.held):
        if not one.held:
            yield _limit(phase, mechanics, start, one, phase.base.m + k)
    for one in phase.contacts:
        mode = phase.modes[one.name]
        if mode in ("+", "-"):
            yield Event(f"${one.name}", one.speed, True, soon)
        elif mode == "touched":
            yield Event(f"${one.name}", one.beyond, True, start.t, room=seen.noise(one, start, mechanics.mass))
        elif mode in ("open", "pressed", "slack"):
            yield Event(f"${one.name}", one.beyond, True, seen.back(one, start))
            if mode in ("pressed", "slack") and one.pressing is not None and one.pressing.damped:
                yield Event(f"${one.name}", one.pushing, True, soon)


def _limit(phase: Phase, mechanics: Mechanics, start: State, one: ContactLaw, row: int) -> Event:
    """More is asked of a contact than it can hold: what is left of that changes its sign; of a stop, its reaction."""

    def value(t: float, q: Array, v: Array) -> float:
        at = float(mechanics.inside(t))
        return phase.left_to_hold(one, row, at, q, v, mechanics.inputs(at))

    loads = np.abs(phase.loads(start.t, start.q, start.v, mechanics.inputs(start.t))).max(initial=0.0)
    forces = max(float(loads), float(np.abs(start.multipliers).max(initial=0.0)))
    if not one.rubs:
        return Event(f"${one.name}", value, True, side=-1, room=_ROOM * forces)
    first = value(start.t, start.q, start.v)  # in squares
    return Event(f"${one.name}", value, True, side=1, room=_ROOM * max(forces, abs(first) ** 0.5) ** 2)


def _with_riders(states: Sequence[State], ridden: Ridden) -> list[State]:
    """States with all unknowns; nobody asks for their accelerations."""
    z, w = (np.array([one[k] for one in states]) for k in (1, 2))
    q, v = ridden.whole(np.array([one.t for one in states]), z, w)
    return [one._replace(q=x, v=y, a=np.zeros_like(x)) for one, x, y in zip(states, q, v, strict=True)]


def _without_riders(options: Options, ridden: Ridden) -> Options:
    """The options of a run, for one without the unknowns of riders."""

    def asked(event: Event) -> Event:
        def value(t: float, z: Array, w: Array) -> float:
            if event.name.startswith(LEAVES):  # asked in every step, and only where along the member
                return event.value(t, ridden.spread(z), ridden.spread(w))
            return event.value(t, *ridden.whole(t, z, w))

        return replace(event, value=value)

    return replace(
        options,
        events=tuple(map(asked, options.events)),
        diverged=lambda state: options.diverged(state._replace(q=ridden.spread(state.q))),
        stuck=lambda states: options.stuck(_with_riders(states, ridden)),
    )
