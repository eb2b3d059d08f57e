"""One path of states of rest, followed from end to end of a range of the parameter, with what it passes.

>>> path = followed(rest, PathState(y, p), (0.0, 20.0))
>>> [state.p for state in path.states], [point.p for point in path.points if point.kind == "limit"]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.solve.statics.arc import Follower, PathState
from flexura.solve.statics.rest_system import RestSystem
from flexura.solve.statics.singular import SingularPoint, crossings
from flexura.solve.statics.stability import Stability, stability

Array = NDArray[np.float64]
_MOST = 1000  # states
_CLOSED = 1e-6  # of the length of a step: the path has come back to where it began


@dataclass(frozen=True, eq=False)
class FollowedPath:
    """The states of a path, whether each is stable, and its limit and branch points."""

    states: Sequence[PathState]
    stable: Sequence[bool]
    points: Sequence[SingularPoint]
    ended: str
    """Why it ends: "left" the range, "closed", "stuck" or "long"."""
    symmetric: bool


def followed(
    rest: RestSystem, start: PathState, between: tuple[float, float], first: Follower | None = None
) -> FollowedPath:
    """From a state on, until the parameter leaves the range."""
    low, high = sorted(between)
    follower = first or Follower.of(rest, rest, start, high - low, np.sign(between[1] - between[0]))
    state = follower.first
    seen = stability(rest, state.y, state.p)
    states, stable, points = [state], [seen.stable], list[SingularPoint]()
    symmetric, ended = seen.symmetric, "long"
    while len(states) < _MOST:
        after = follower.after(state)
        if after is None:
            ended = "stuck"
            break
        bound = low if after.p < low else high
        left = not low <= after.p <= high
        if left:
            edge = follower.at(state, after, bound) if state.p != bound else None
            if edge is None:
                ended = "left"
                break
            after = edge
        after_seen = stability(rest, after.y, after.p)
        points += _passed(follower, rest, (state, after), (seen, after_seen))
        states.append(after)
        stable.append(after_seen.stable)
        symmetric = symmetric and after_seen.symmetric
        if left or _back(follower, states):
            ended = "left" if left else "closed"
            break
        state, seen = after, after_seen
    return FollowedPath(states, stable, points, ended, symmetric)


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
