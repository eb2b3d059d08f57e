"""Limit and branch points of a path: where a stiffness passes through zero between two states of it.

    >>> for point in crossings(follower, rest, state, after, seen, seen_after): point.kind, point.p

At a limit point the parameter turns back; at a branch point another path crosses: the motion that meets no stiffness is
not felt by the parameter there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.solve.statics.arc import Follower, PathState
from flexura.solve.statics.rest_system import RestSystem
from flexura.solve.statics.stability import Stability, null_vector, stability

Array = NDArray[np.float64]
_FELT = 1e-4  # by the parameter, of a motion that meets no stiffness: at branch points it is rounding


@dataclass(frozen=True, eq=False)
class SingularPoint:
    """A limit or a branch point: the state, the motion without stiffness, and the states on both sides."""

    kind: str
    y: Array
    p: float
    motion: Array
    around: tuple[PathState, PathState]


def crossings(
    follower: Follower, rest: RestSystem, ends: tuple[PathState, PathState], seen: tuple[Stability, Stability]
) -> Iterator[SingularPoint]:
    """What lies between two states of a path, in its order."""
    state, after = ends
    low, high = sorted(one.negative for one in seen)
    reference = seen[0].determinant[1]
    found = list[tuple[float, SingularPoint]]()
    for which in range(low, high):
        values = (seen[0].test(which, reference), seen[1].test(which, reference))
        if values[0] * values[1] > 0:
            continue

        def value(one: PathState, which: int = which) -> float:
            return stability(rest, one.y, one.p).test(which, reference)

        turned = high - low == 1 and state.rate * after.rate < 0  # the parameter itself tells where, and more sharply
        there = (
            follower.root(state, after, lambda one: one.rate, (state.rate, after.rate))
            if turned
            else follower.smooth_root(state, after, value, values)
        )
        if there is None:
            continue
        motion, felt = null_vector(rest, there.y, there.p)
        kind = "limit" if felt > _FELT else "branch"
        found.append((follower.step(state, there), SingularPoint(kind, there.y, there.p, motion, ends)))
    yield from (point for _, point in sorted(found, key=lambda one: one[0]))
