"""One path of states of rest, followed from end to end of a range of the parameter, with what it passes.

>>> path = followed(rest, PathState(y, p), (0.0, 20.0))
>>> [state.p for state in path.states], [point.p for point in path.points if point.kind == "limit"]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.solve.statics.arc import Follower, PathState
from flexura.solve.statics.rest_system import RestSystem
from flexura.solve.statics.singular import SingularPoint, crossings
from flexura.solve.statics.stability import Stability, stability

Array = NDArray[np.float64]
_MOST = 1000  # states
FINE, SHAPED = 1e-9, 1e-5  # what the highest powers of states, and of motions without stiffness, may hold


@dataclass(frozen=True, eq=False)
class FollowedPath:
    """The states of a path, whether each is stable, and its limit and branch points."""

    states: Sequence[PathState]
    stable: Sequence[bool]
    points: Sequence[SingularPoint]
    ended: str
    """Why it ends: it "left" the range, is "closed", "stuck", "long", or "coarse": it needs finer polynomials."""
    symmetric: bool


def followed(
    follower: Follower, rest: RestSystem, between: tuple[float, float], holds: Callable[[Array, float, float], bool]
) -> FollowedPath:
    """From the follower's first state on, until the parameter leaves the range.

    `holds(y, p, share)` says whether the highest powers of a shape hold less than a share of it; where they do not, the
    path ends with the last state before.
    """
    low, high = sorted(between)
    state = follower.first
    seen = stability(rest, state.y, state.p)
    states, stable, points = [state], [seen.stable], list[SingularPoint]()
    symmetric, ended = seen.symmetric, "long"
    while len(states) < _MOST:
        after, left = _next(follower, state, low, high)
        if after is None:
            ended = "left" if left else "stuck"
            break
        after_seen = stability(rest, after.y, after.p)
        passed = _passed(follower, rest, (state, after), (seen, after_seen))
        if not (holds(after.y, after.p, FINE) and all(holds(one.motion, 0.0, SHAPED) for one in passed)):
            ended = "coarse"
            break
        points += passed
        states.append(after)
        stable.append(after_seen.stable)
        symmetric = symmetric and after_seen.symmetric
        if left or _back(follower, states):
            ended = "left" if left else "closed"
            break
        state, seen = after, after_seen
    return FollowedPath(states, stable, points, ended, symmetric)


def _next(follower: Follower, state: PathState, low: float, high: float) -> tuple[PathState | None, bool]:
    """The next state, at the edge of the range where the path leaves it, and whether it does."""
    after = follower.after(state)
    if after is None or low <= after.p <= high:
        return after, False
    bound = low if after.p < low else high
    return (None if state.p == bound else follower.at(state, after, bound)), True


def _passed(
    follower: Follower, rest: RestSystem, ends: tuple[PathState, PathState], seen: tuple[Stability, Stability]
) -> list[SingularPoint]:
    return list(crossings(follower, rest, ends, seen)) if seen[0].negative != seen[1].negative else []


def _back(follower: Follower, states: Sequence[PathState]) -> bool:
    """Whether the path has come back to its start, going the same way."""
    if len(states) < 10:
        return False
    first, (before, last) = states[0], states[-2:]
    step = follower.length(last.y - before.y, last.p - before.p)
    to = follower.length(first.y - before.y, first.p - before.p)
    return (
        to <= step
        and follower.cosine(first, last) > 0.9
        and follower.length(first.y - last.y, first.p - last.p) <= step
    )
