"""Runs with dry friction and stops: smooth phases, and what happens between them.

    >>> found = followed_with_contacts(case, contacts, local)
    >>> found.pieces, found.notes

Each phase has its own conditions and ends where one of its contacts changes: what slides comes to rest, what sticks is
torn loose, a gap closes, a contact would pull. There impulses act, the modes are settled anew, and the next begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.runs.case import Case, run_options
from flexura.solve.runs.contacts import ContactLaw
from flexura.solve.runs.followed import LEAVES, Piece, follow_phase
from flexura.solve.runs.impacts import struck_by, told_of_hits
from flexura.solve.runs.phases import Mode, Phase, Undetermined
from flexura.solve.runs.refine import FLOOR
from flexura.solve.runs.seen import Seen
from flexura.solve.runs.settling import settled
from flexura.solve.steppers.impulses import Blow, GivenSpeeds, blow_at, side
from flexura.solve.steppers.mechanics import Mechanics, State
from flexura.solve.steppers.run import Run
from flexura.solve.steppers.undetermined import Unanswered

Array = NDArray[np.float64]
_STILL = 1e-12  # of the largest speed seen: as slow as that is at rest
_GRAZES = 1e-6  # of the largest speed seen: what meets a stop that gives way as slowly as that may turn there
_ZENO = 1e-9  # of the time of a run: impacts that would all come within it are ended
_LOW = 1e-14  # of what a distance is made of: bounces that rise no higher are ended, since rounding would hide them
_ROUNDING = 2e-14  # of the speed that loads could give
_MOST = 100_000  # changes of contacts in a run


@dataclass
class HybridRun:
    """Pieces in the order of time, energies lost and supplied at instants, and what there is to tell."""

    pieces: list[Piece] = field(default_factory=list)
    losses: list[Blow] = field(default_factory=list)
    blows: list[Blow] = field(default_factory=list)
    changes: dict[str, list[float]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    run: Run = field(default_factory=Run)


def followed_with_contacts(case: Case, contacts: Sequence[ContactLaw], local: float, driven: float) -> HybridRun:
    """The motion from its start to the end of its times, or to where it cannot go on.

    `driven` is how fast loads could make it: on a stop, what rests under them is still to rounding of that.
    """
    return _Follower(case, contacts, local, driven).all()


class _Follower:
    """One run while it happens."""

    def __init__(self, case: Case, contacts: Sequence[ContactLaw], local: float, driven: float) -> None:
        self.case, self.contacts, self.base = case, contacts, case.mechanics.system
        self.begin, self.end = float(case.question.times[0]), float(case.question.times[-1])
        self.span = self.end - self.begin
        self.found = HybridRun(changes={one.name: [] for one in contacts})
        self.options = run_options(case, local, max(FLOOR, _ROUNDING / local) * driven)
        self.plain = Mechanics(self.base, case.mechanics.inputs, case.mechanics.strikes)
        self.seen = Seen.of(contacts, self.span, driven)
        self.hits: dict[str, int] = {}
        self.several = False

    def all(self) -> HybridRun:
        """Phase after phase."""
        q, v = self.case.start_after
        self._refuse_violated(q, v)
        breaks = sorted(one for one in set(self.case.breaks) if self.begin < one < self.end)
        t, modes = self.begin, dict[str, Mode]()
        try:
            for stop in (*breaks, self.end):
                q, v = self._jump(t, q, v, stop)
                q, v = self._on_members(t, q, v) if t == self.begin else (q, v)
                q, v, sure = self._entered(t, q, v, stop)
                modes = self._modes(t, q, v, stop, sure, before=modes)
                q, v, modes, finished = self._until(t, stop, q, v, modes)
                if not finished:
                    break
                t = stop
        except (Undetermined, Unanswered) as error:
            if not self.found.pieces or self.found.pieces[-1].end == self.begin:
                raise
            self.found.run.complete, self.found.run.message = False, str(error)
        self._tell()
        return self.found

    def _on_members(self, t: float, q: Array, v: Array) -> tuple[Array, Array]:
        """What is held to a member starts on it, whatever the member's shape."""
        q, v = q.copy(), v.copy()
        riding = [one for one in self.contacts if one.riding is not None and one.held and one.present(t, q, v)]
        for one in riding:
            q[one.across] += one.motion(t, q, v)[0]
        for one in riding:
            _, A, b, _ = one.motion(t, q, v)
            v[one.across] += float(A @ v + b)
        return q, v

    # -- smooth phases -------------------------------------------------------------------------------------------------

    def _until(
        self, t: float, stop: float, q: Array, v: Array, modes: dict[str, Mode]
    ) -> tuple[Array, Array, dict[str, Mode], bool]:
        """Phases up to a break, or the end."""
        window, changes = (t, stop), 0
        while t < stop:
            state, run = self._phase(t, stop, q, v, modes, window)
            t, q, v = state.t, state.q, state.v
            if run.complete:
                return q, v, modes, True
            hit = [name for name, when in run.events.items() if name.startswith("$") and when and when[-1] == t]
            if not run.stopped or not hit:
                self._ended(run.message, run.stopped)
                return q, v, modes, False
            changes += 1
            if changes > _MOST:
                raise Undetermined(f"Contacts change without end near t = {t:.6g}", advice="give one of them k=")
            if hit[0].startswith(LEAVES):
                modes = self._modes(t, q, v, stop, {}, before=modes)
            else:
                q, v, modes = self._changed(t, q, v, modes, hit[0][1:], stop)
        return q, v, modes, True

    def _phase(
        self, t: float, stop: float, q: Array, v: Array, modes: dict[str, Mode], window: tuple[float, float]
    ) -> tuple[State, Run]:
        phase, options = Phase(self.base, self.contacts, modes), replace(self.options, window=window)
        piece, last, run = follow_phase(phase, self.case.mechanics.inputs, (t, q, v), stop, options, self.seen)
        self._keep(piece)
        for way, count in run.steps.items():
            self.found.run.steps[way] = self.found.run.steps.get(way, 0) + count
        for name, when in run.events.items():
            if not name.startswith("$"):
                self.found.run.events.setdefault(name, []).extend(when)
        return last, run

    def _keep(self, piece: Piece) -> None:
        """Phases of no length are left out, but where nothing else tells of the start."""
        pieces = self.found.pieces
        if pieces and pieces[0].end == pieces[0].start:
            pieces.clear()
        if piece.end > piece.start or not pieces:
            pieces.append(piece)

    # -- changes -------------------------------------------------------------------------------------------------------

    def _changed(
        self, t: float, q: Array, v: Array, modes: dict[str, Mode], name: str, stop: float
    ) -> tuple[Array, Array, dict[str, Mode]]:
        """What follows when one contact changes: rates after it, and the modes of all."""
        one, mode = next(one for one in self.contacts if one.name == name), modes[name]
        self.found.changes[name].append(t)
        if one.compliant:
            return q, v, {**modes, name: self._compliant(one, mode, t, q, v)}
        sure: dict[str, Mode] = {}
        if mode == "stick":
            whole = self._inputs(t, stop)
            phase = Phase(self.base, self.contacts, modes)
            lam = phase.solved(t, q, v, phase.loads(t, q, v, whole))[1]
            sure[name] = "-" if lam[phase.base.m + [held.name for held in phase.held].index(name)] > 0 else "+"
        elif mode == "closed":
            sure[name] = "open"
        elif mode == "open" and one.speed(t, q, v) > _STILL * self.seen.fast[name]:
            q, v, sure = self._impact(t, q, v, modes, stop)
        else:
            v = self._brought_to_rest(one, t, q, v)
            return q, v, self._modes(t, q, v, stop, {}, resting={name}, before=modes)
        return q, v, self._modes(t, q, v, stop, sure, before=modes)

    def _compliant(self, one: ContactLaw, mode: Mode, t: float, q: Array, v: Array) -> Mode:
        s, speed, gap = one.motion(t, q, v)[0], one.speed(t, q, v), one.numbers["gap"]
        touches = self.seen.near(one, s - gap)
        if touches and abs(speed) <= _GRAZES * self.seen.fast[one.name]:
            return "touched"
        if mode == "open" or (mode == "touched" and speed > 0):
            return "pressed"
        if touches and speed < 0:
            return "open"
        return "slack" if mode == "pressed" else "pressed"

    def _brought_to_rest(self, one: ContactLaw, t: float, q: Array, v: Array) -> Array:
        """The rates with that of a contact, which is round-off, taken off."""
        _, A, b, _ = one.motion(t, q, v)
        M = self.base.evaluate(t, q, v, self.base.rest)[0]
        way = np.linalg.solve(M, A)
        return np.asarray(v - way * (A @ v + b) / (A @ way))

    def _impact(
        self, t: float, q: Array, v: Array, modes: dict[str, Mode], stop: float
    ) -> tuple[Array, Array, dict[str, Mode]]:
        """Impulses, and whether what was hit stays."""
        stops = self._stops((t + stop) / 2, q, v)
        touching = [one for one in stops if modes[one.name] == "closed" or self.seen.touches(one, t, q, v)]
        hit = struck_by(self.base, touching, [one for one in self.contacts if one.rubs], t, q, v)
        self.found.losses.append(Blow(t, hit.lost))
        self.several |= hit.several
        sure: dict[str, Mode] = {}
        for name in hit.pushed:
            self.hits[name] = self.hits.get(name, 0) + 1
        u = self._inputs(t, stop)
        free = Phase(self.base, self.contacts, {one.name: self._loose(one, t, q, hit.v) for one in self.contacts})
        a, _ = free.solved(t, q, hit.v, free.loads(t, q, hit.v, u))
        for one in touching:
            speed, e = one.speed(t, q, hit.v), one.numbers["restitution"]
            _, A, _, c = one.motion(t, q, hit.v)
            back = float(A @ a + c)
            remaining = 2 * abs(speed) / back / (1 - e) if back > 0 and e < 1 else np.inf
            rounded = _LOW * (abs(one.numbers["gap"]) + float(np.abs(A) @ np.abs(q)))
            low = back > 0 and e < 1 and speed * speed <= 2 * back * rounded
            if speed < 0 and e > 0 and remaining > _ZENO * self.span and not low:
                sure[one.name] = "open"
            elif speed < 0 and e > 0:
                self.found.notes.append(
                    f"{one.name} comes to rest at t = {t:.9g} after {self.hits[one.name]} impacts: those that would"
                    f" still follow, all within {remaining:.1g} s, are left out."
                )
                v_rest = self._brought_to_rest(one, t, q, hit.v)
                hit = replace(hit, v=v_rest)
            elif speed < -_STILL * self.seen.fast[one.name]:
                sure[one.name] = "open"
        return q, hit.v, sure

    def _entered(self, t: float, q: Array, v: Array, stop: float) -> tuple[Array, Array, dict[str, Mode]]:
        """The rates after what is entered at a break, or at the start, was hit."""
        rigid = self._stops((t + stop) / 2, q, v)
        near = [one for one in rigid if self.seen.touches(one, t, q, v)]
        hit = [one for one in near if one.speed(t, q, v) > _STILL * self.seen.fast[one.name]]
        if not hit:
            return q, v, {}
        for one in hit:
            self.found.changes[one.name].append(t)
        return self._impact(t, q, v, {one.name: "open" for one in rigid}, stop)

    def _stops(self, t: float, q: Array, v: Array) -> list[ContactLaw]:
        """Rigid contacts that may be hit at a time."""
        rigid = (one for one in self.contacts if not one.rubs and not one.compliant and not one.held)
        return [one for one in rigid if one.present(t, q, v)]

    def _loose(self, one: ContactLaw, t: float, q: Array, v: Array) -> Mode:
        """A mode that needs no condition, for a look at accelerations."""
        if one.rubs:
            return "+" if one.speed(t, q, v) >= 0 else "-"
        return "pressed" if one.compliant and one.motion(t, q, v)[0] > one.numbers["gap"] else "open"

    def _modes(
        self,
        t: float,
        q: Array,
        v: Array,
        stop: float,
        sure: dict[str, Mode],
        resting: set[str] | None = None,
        before: dict[str, Mode] | None = None,
    ) -> dict[str, Mode]:
        """The modes of all contacts at a state; `resting` ones are at rest whatever rounding says."""
        known, still = dict(sure), set(resting or ())
        for one in self.contacts:
            if one.name in known or one.name in still:
                continue
            was, speed = (before or {}).get(one.name, ""), one.speed(t, q, v)
            if not one.present((t + stop) / 2, q, v) or (was == "left" and one.riding and one.riding.own is not None):
                self._left_member(one, was, t)
                known[one.name] = "left"
                continue
            if one.held:
                known[one.name] = "closed"
                continue
            slow = abs(speed) <= _STILL * max(self.seen.fast[one.name], 1e-300)
            if one.compliant:
                known[one.name] = self._pressed(one, was, t, q, v)
            elif one.rubs and not slow:
                known[one.name] = "+" if speed > 0 else "-"
            elif not one.rubs:
                leaves = speed < -_STILL * max(self.seen.fast[one.name], 1e-300) and not slow
                if leaves or (was != "closed" and not self.seen.touches(one, t, q, v)):
                    known[one.name] = "open"
        return settled(self.base, self.contacts, (t, q, v, self._inputs(t, stop)), known)

    def _pressed(self, one: ContactLaw, was: Mode, t: float, q: Array, v: Array) -> Mode:
        """How a stop that gives way begins: what touches it goes where it moves, or later will."""
        s, A, b, _ = one.motion(t, q, v)
        speed, depth = float(A @ v + b), s - one.numbers["gap"]
        if self.seen.near(one, depth) and was in ("", "open", "touched"):
            if abs(speed) <= _STILL * max(self.seen.fast[one.name], float(np.abs(A) @ np.abs(v)) + abs(b)):
                return "touched"
            return "pressed" if speed > 0 else "open"
        return was or ("open" if depth <= 0 else "pressed" if one.pushing(t, q, v) > 0 else "slack")

    def _left_member(self, one: ContactLaw, was: Mode, t: float) -> None:
        """Say that what rides has left its member."""
        if was and was != "left":
            self.found.changes[one.name].append(t)
            if one.riding is not None and one.riding.couple:
                return
            self.found.notes.append(f"{one.name} leaves its member at t = {t:.9g}.")

    def _inputs(self, t: float, stop: float) -> Array:
        """Inputs just after a time."""
        self.plain.within(t, stop)
        return np.array(self.plain.inputs(self.plain.inside(t)), dtype=np.float64)

    def _jump(self, t: float, q: Array, v: Array, stop: float) -> tuple[Array, Array]:
        """What happens at a break: samples are taken, loads may strike, and the speed of given motions may jump."""
        if t == self.begin:
            return q, v
        self.options.broken(State(t, q, v, v, v[:0]))
        if not (self.base.prescribed or self.plain.strikes):
            return q, v
        self.plain.within(self.begin, t)
        before = side(self.plain, t, q)
        self.plain.within(t, stop)
        after = side(self.plain, t, q)
        found = blow_at(self.plain, GivenSpeeds.of(self.plain, q, self.begin, self.end), t, (q, v), (before, after))
        if found is None:
            return q, v
        self.found.blows.append(found[1])
        return q, found[0]

    # -- words ---------------------------------------------------------------------------------------------------------

    def _refuse_violated(self, q: Array, v: Array) -> None:
        for one in self.contacts:
            if one.rubs:
                continue
            s, gap = one.motion(self.begin, q, v)[0], one.numbers["gap"]
            self.seen.far[one.name] = max(abs(s - gap), abs(s), abs(gap))
            if one.held or not one.present(self.begin + 1e-9 * self.span, q, v):
                continue
            if s > gap and not self.seen.near(one, s - gap) and not one.compliant:
                raise FlexuraError(
                    f"The start violates the stop {one.name}: s = {s:.6g} is more than its gap, {gap:.6g}",
                    advice="start on the other side of it, or give it another gap",
                    part=one.name,
                    keyword="gap",
                )
        for one in self.contacts:
            self.seen.fast[one.name] = abs(one.speed(self.begin, q, v))

    def _ended(self, message: str, stopped: bool = False) -> None:
        self.found.run.complete, self.found.run.message, self.found.run.stopped = False, message, stopped

    def _tell(self) -> None:
        lost = sum(one.work for one in self.found.losses)
        self.found.notes += told_of_hits(self.hits, lost, self.several, bool(self.base.fields))
