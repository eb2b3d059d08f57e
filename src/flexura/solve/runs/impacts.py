"""What hits: rates after an impact, with impulses that go through the whole system.

    >>> hit = struck_by(base, contacts, t, q, v)
    >>> hit.v, hit.lost

M (v+ - v-) = A' P with P that only push; each contact leaves at restitution times the speed at which it came, and no
other that touches is entered (Newton's law of impact; theory, section 8). Conditions of the system stay met. Friction
that depends on the normal force of a stop has an impulse, too: it holds, or slides at its limit.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.runs.contacts import ContactLaw
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_FITS = 1e-9  # of the speeds, to which a combination of impulses must hold


@dataclass(frozen=True)
class Hit:
    """Rates after it, the energy that it took, the contacts that were pushed, and whether several were at once."""

    v: Array
    lost: float
    pushed: tuple[str, ...]
    several: bool


def struck_by(
    system: NonlinearSystem, stops: Sequence[ContactLaw], rubbing: Sequence[ContactLaw], t: float, q: Array, v: Array
) -> Hit:
    """The impact of the stops that touch, of which some are being entered."""
    M = np.array(system.evaluate(t, q, v, system.rest)[0])
    bound, right = np.zeros((0, len(q))), np.zeros(0)
    if system.m:
        A, b = system.velocity(t, q)
        bound, right = np.array(A).reshape(system.m, -1), -np.array(b).ravel()
    rows = [one.motion(t, q, v) for one in stops]
    N = np.array([row[1] for row in rows])
    b = np.array([row[2] for row in rows])
    before = N @ v + b
    wanted = np.array([-one.numbers["restitution"] * max(speed, 0.0)
                       for one, speed in zip(stops, before, strict=True)])  # fmt: skip
    size = max(float(np.abs(before).max()), 1e-300)
    for count in range(1, len(stops) + 1):
        for some in itertools.combinations(range(len(stops)), count):
            chosen = list(some)
            conditions = np.vstack([bound, N[chosen]])
            goals = np.concatenate([right, wanted[chosen] - b[chosen]])
            after, impulses = _impulses(M, v, conditions, goals)
            P = impulses[len(bound) :]  # along +along; a stop pushes back
            if np.all(_FITS * np.abs(P).max() >= P) and np.all(N @ after + b <= wanted + _FITS * size):
                after = _rubbed(system, M, bound, right, stops, chosen, wanted - b, rubbing, (t, q, v), after, P)
                gained = sum(system.energies(t, q, after)) - sum(system.energies(t, q, v))
                names = tuple(stops[k].name for k in chosen)
                return Hit(after, -float(gained), names, len(stops) > 1 and count > 1)
    raise FlexuraError(
        f"No impulses end the impact of {', '.join(one.name for one in stops)} at t = {t:.6g}",
        advice="give one of the contacts some compliance (k=)",
    )


def _impulses(M: Array, v: Array, A: Array, goals: Array) -> tuple[Array, Array]:
    """v+ and P of M (v+ - v) = A' P, A v+ = goals; least impulses where conditions repeat one another."""
    inverse = np.linalg.solve(M, A.T)
    P = np.asarray(np.linalg.lstsq(A @ inverse, goals - A @ v, rcond=1e-12)[0], dtype=np.float64)
    return np.asarray(v + inverse @ P), P


def _rubbed(
    system: NonlinearSystem,
    M: Array,
    bound: Array,
    right: Array,
    stops: Sequence[ContactLaw],
    chosen: list[int],
    goals: Array,
    rubbing: Sequence[ContactLaw],
    state: tuple[float, Array, Array],
    after: Array,
    P: Array,
) -> Array:
    """The rates with the impulses of friction that depends on those of the stops."""
    t, q, v = state
    hit = {f"N_{stops[k].name}": i for i, k in enumerate(chosen)}
    mine = [one for one in rubbing if any(name in hit for name in one.normals)]
    if not mine:
        return after
    N = np.array([stops[k].motion(t, q, v)[1] for k in chosen])
    ways = [one.motion(t, q, v) for one in mine]
    sticking = np.vstack([bound, N, *(way[1][None] for way in ways)])
    held, impulses = _impulses(M, v, sticking, np.concatenate([right, goals[chosen], [-way[2] for way in ways]]))
    pushes = impulses[len(bound) : len(bound) + len(N)]
    rubs = impulses[len(bound) + len(N) :]
    still = {name: 0.0 for one in mine for name in one.normals}
    limits = [one.limit(t, q, v, {**still, **{name: -pushes[i] for name, i in hit.items()}})[1] for one in mine]
    if np.all(np.abs(rubs) <= np.array(limits) * (1 + _FITS)) and np.all(pushes <= 0):
        return held
    if len(mine) > 1 or len(chosen) > 1:
        raise FlexuraError(
            f"Several rough contacts are hit at once at t = {t:.6g}", advice="give one of them some compliance (k=)"
        )
    sign = -np.sign(ways[0][1] @ v + ways[0][2] or 1.0)
    slope = mine[0].limit(t, q, v, {**still, next(iter(hit)): 1.0})[0]
    # the push and the rubbing that goes with it, along one way: P (n - sign mu t)
    way = N[0] - sign * slope * ways[0][1]
    inverse = np.linalg.solve(M, np.vstack([bound, way[None]]).T)
    rows = np.vstack([bound, N])
    found = np.linalg.solve(rows @ inverse, np.concatenate([right, goals[chosen]]) - rows @ v)
    if found[-1] > 0:
        raise FlexuraError(
            f"The impact of {stops[chosen[0]].name} at t = {t:.6g} has no solution with its friction, as with"
            " Painleve's rod",
            advice="give the contact some compliance (k=), or a smaller coefficient of friction",
        )
    return np.asarray(v + inverse @ found)


def told_of_hits(hits: Mapping[str, int], lost: float, several: bool, bending: bool) -> Iterator[str]:
    """What a run says of the stops that were hit, of several at once, and of members that were."""
    if hits:
        listed = ", ".join(f"{name} {count} time{'s' * (count > 1)}" for name, count in hits.items())
        yield f"Stops were hit: {listed}; the impacts took {lost:.6g} J."
    if several:
        yield (
            "Contacts that touch were hit at once: how such an impact goes on depends on its law, here Newton's with"
            " all of them at one instant."
        )
    if bending and hits:
        yield (
            "Members that are hit move in polynomials, and so does the mass that takes part in an impact: compare two"
            " orders."
        )
