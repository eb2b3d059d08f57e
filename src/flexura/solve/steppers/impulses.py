"""Impulses: of loads, and of given motions whose speed jumps: the blow that goes through the system, and its work.

    >>> v, work = struck(mechanics, q, v, before, after, strike) if strikes(...) else (v, 0.0)

With p_t the rates of the given motions and Q the impulses of loads, momenta change by these and by the impulses of
constraints (theory, section 8):

    M (v+ - v-) + M_p (p_t+ - p_t-) = Q + A' P,      A v+ + b+ = 0

Constraints that nothing drives do no work in it, so that what the kinetic energy gains is supplied by the drives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.steppers.mechanics import Mechanics, bordered
from flexura.solve.steppers.trajectory import Energy
from flexura.systems.conditions import combinations
from flexura.systems.conditions import rank as conditions_that_count

Array = NDArray[np.float64]
_SAME = 1e-9  # positions and rates that differ by less, of their size, do not jump
_LINEAR = 1e-9  # of the forces
_SAMPLES = 33


class Blow(NamedTuple):
    """The work that was supplied at a time."""

    t: float
    work: float


class Side(NamedTuple):
    """Given motions on one side of a time: a time on that side, positions, rates, accelerations, b of A v + b = 0."""

    t: float
    p: Array
    p_t: Array
    p_tt: Array
    b: Array


def side(mechanics: Mechanics, t: float, q: Array) -> Side:
    """Given motions at a time, as seen from inside the stretch that the mechanics is in."""
    system, at = mechanics.system, mechanics.inside(t)
    p, p_t, p_tt = (np.array(one, dtype=np.float64) for one in system.motion(at))
    b = system.velocity(at, q)[1].copy() if system.multipliers else np.zeros(0)
    return Side(float(at), p, p_t, p_tt, b)


class GivenSpeeds(NamedTuple):
    """How fast given motions and constraints move in a run, beside which a jump is one."""

    motions: float
    constraints: float

    @classmethod
    def of(cls, mechanics: Mechanics, q: Array, start: float, end: float) -> GivenSpeeds:
        """As seen at some times."""
        if not (mechanics.system.prescribed or mechanics.constrained):
            return cls(0.0, 0.0)
        seen = [side(mechanics, float(t), q) for t in np.linspace(start, end, _SAMPLES)]
        return cls(*(max(float(np.abs(one[k]).max(initial=0.0)) for one in seen) for k in (2, 4)))

    def jump(self, before: Side, after: Side) -> bool:
        """Whether rates jump from one side of a time to the other, beyond what accelerations make of them."""
        grown = 2 * (np.abs(before.p_tt) + np.abs(after.p_tt)) * (after.t - before.t)
        changes = np.abs(after.p_t - before.p_t) - grown, np.abs(after.b - before.b)
        return any(one.max(initial=0.0) > _SAME * size for one, size in zip(changes, self, strict=True))


def blow_at(
    mechanics: Mechanics, speeds: GivenSpeeds, t: float, state: tuple[Array, Array], sides: tuple[Side, Side]
) -> tuple[Array, Blow] | None:
    """The rates after what strikes at a time, and its work; None where nothing does."""
    strike = mechanics.strike(t)
    if strike is None and not speeds.jump(*sides):
        return None
    v, work = struck(mechanics, *state, *sides, strike)
    return v, Blow(t, work)


def _impulse(mechanics: Mechanics, t: float, q: Array, v: Array, strike: Array) -> Array:
    """What impulses of the inputs give to the momenta; refused where they are no plain factors of forces."""
    u, system = mechanics.inputs(t), mechanics.system
    forces = [np.array(system.evaluate(t, q, v, u + share * strike)[1]) for share in (0.0, 1.0, 2.0)]
    moving = [np.array(system.evaluate(t, q, v + 1.0, u + share * strike)[1]) for share in (0.0, 1.0)]
    Q = forces[1] - forces[0]
    size = max(float(np.abs(one).max(initial=0.0)) for one in (*forces, *moving))
    if np.abs(forces[2] - forces[1] - Q).max(initial=0.0) > _LINEAR * size:
        raise FlexuraError(
            f"An impulse at t = {t:.6g} acts through an input that is no plain factor of a force",
            advice="let the force be proportional to that input",
        )
    if np.abs(moving[1] - moving[0] - Q).max(initial=0.0) > _LINEAR * size:
        raise FlexuraError(
            f"An impulse at t = {t:.6g} acts by a force that depends on rates, which jump with it",
            advice="let the factor of that input depend on places alone",
        )
    return Q


def struck(
    mechanics: Mechanics, q: Array, v: Array, before: Side, after: Side, strike: Array | None = None
) -> tuple[Array, float]:
    """Rates just after a strike, or after the rates of given motions have jumped, and the work that was supplied."""
    system, n = mechanics.system, len(q)
    u = mechanics.inputs(after.t)
    M = system.evaluate(after.t, q, v, u)[0].copy()
    none = np.zeros(system.m)
    rows = [system.reactions(after.t, q, v, a, u, none).copy() for a in (np.zeros(n), *np.eye(n))]
    M_p = np.array(rows[1:]).reshape(n, len(rows[0])) - rows[0]
    momentum = M @ v - M_p @ (after.p_t - before.p_t) if system.prescribed else M @ v
    if strike is not None:
        momentum = momentum + _impulse(mechanics, after.t, q, v, strike)
    if system.multipliers:
        A, b = system.velocity(after.t, q)[0], after.b
        rank = conditions_that_count(A, M)
        if rank < len(A):
            basis = combinations(A, M, rank)
            A, b = basis.T @ A, basis.T @ b
        rates = np.linalg.solve(bordered(M, A), np.concatenate([momentum, -b]))[:n]
    else:
        rates = np.linalg.solve(M, momentum) if n else v
    gained = sum(system.energies(after.t, q, rates)) - sum(system.energies(before.t, q, v))
    return np.asarray(rates), float(gained)


def booked(energy: Energy, times: Array, blows: Sequence[Blow]) -> Energy:
    """The energy balance with the work of blows; one at the very start comes after the first time."""
    supplied = energy.supplied.copy()
    for blow in blows:
        supplied += blow.work * ((times >= blow.t) if blow.t > times[0] else (times > times[0]))
    return replace(energy, supplied=supplied)


def beyond(times: Array, breaks: Sequence[float]) -> Array:
    """The times, those at a break just after it: where something jumps, histories show what follows."""
    marks = np.array([-np.inf, *sorted(breaks), np.inf])
    right = np.clip(np.searchsorted(marks, times), 1, len(marks) - 1)
    low, high = marks[right - 1], marks[right]
    near = np.where(times - low < high - times, low, high)
    slack = 16 * np.spacing(np.abs(times))
    at = (np.abs(times - near) <= slack) & (times > times[0]) & (times < times[-1])
    return np.where(at, times + 2 * slack, times)


def check_positions(mechanics: Mechanics, q: Array, breaks: Sequence[float], start: float, end: float) -> None:
    """Refuse given motions that jump from one place to another."""
    marks = [start, *(one for one in breaks if start < one < end)]
    sizes = np.abs(mechanics.system.motions(np.linspace(start, end, _SAMPLES))[0]).max(axis=0)
    for k, t in enumerate(marks):
        if k:
            mechanics.within(marks[k - 1], t)
        before = side(mechanics, t, q)
        mechanics.within(t, marks[k + 1] if k + 1 < len(marks) else end)
        after = side(mechanics, t, q)
        mechanics.within()
        for name, old, new, size in zip(mechanics.system.prescribed, before.p, after.p, sizes, strict=True):
            fastest = max(float(np.abs(one.p_t).max()) for one in (before, after))
            if abs(new - old) > _SAME * max(abs(old), abs(new), size) + 2 * fastest * (after.t - before.t):
                raise FlexuraError(
                    f"The motion of {name} jumps from {old:.6g} to {new:.6g} at t = {t:.6g}, which no force can do",
                    advice="let it go there in a short time",
                )
