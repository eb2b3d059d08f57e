"""A whole path, in polynomials that become finer on the way: from the last state that the coarser ones hold.

    >>> rest, path = traced(systems, first, between)

In the end every state is told in the finest, so that a path has one set of unknowns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from flexura.solve.statics.arc import Follower, PathState
from flexura.solve.statics.follow import FollowedPath, followed
from flexura.solve.statics.newton import Plane, settled, settled_on
from flexura.solve.statics.resolution import moved_to, tail
from flexura.solve.statics.rest_system import RestSystem
from flexura.solve.statics.singular import SingularPoint

Array = NDArray[np.float64]


def traced(
    systems: Iterator[RestSystem], first: Callable[[RestSystem], Follower], between: tuple[float, float]
) -> tuple[RestSystem, FollowedPath]:
    """Follow a path in the first of some systems, and on in the next where that is too coarse; the last holds all."""
    rest = next(systems)
    follower, found = first(rest), None
    while True:
        finer = next(systems, None)
        path = followed(follower, rest, between, _held(rest, finer is None))
        found = path if found is None else _joined(found, path)
        if path.ended != "coarse" or finer is None:
            return rest, found
        follower = _onwards(finer, rest, follower, path.states[-1]) if len(path.states) > 1 else first(finer)
        found = _in_finer(found, finer, rest) if len(path.states) > 1 or found is not path else None
        rest = finer


def _held(rest: RestSystem, last: bool) -> Callable[[Array, float, float], bool]:
    """Whether polynomials hold a shape; the last of all have to."""
    if last or not rest.layout.fields:
        return lambda y, p, share: True
    return lambda y, p, share: tail(rest, y, p) <= share


def _onwards(finer: RestSystem, rest: RestSystem, follower: Follower, state: PathState) -> Follower:
    """What follows the path on from a state, in finer polynomials, in the same direction."""
    y, along = moved_to(finer, rest, state.y, state.p), moved_to(finer, rest, state.tangent, state.rate)
    fresh = replace(follower, statics=finer, metric=_like(finer, rest, follower))
    weights, weight = fresh.weighted(along), state.rate / follower.reach**2
    plane = Plane(y, state.p, weights, weight, 0.0)
    there = settled_on(finer, y, state.p, plane)
    p = state.p if there is None else there[1]
    if there is None:
        held = settled(finer, y, state.p)
        y = y if held is None else held
    else:
        y = there[0]
    tangent, rate = fresh.tangent(y, p, along, state.rate)
    return replace(fresh, first=PathState(y, p, tangent, rate, state.width))


def _like(finer: RestSystem, rest: RestSystem, follower: Follower) -> Array:
    """The metric of a follower, which may be scaled, in other unknowns."""
    scale = float(np.trace(follower.metric) / (np.trace(rest.metric) or 1.0))
    return finer.metric * scale


def _in_finer(path: FollowedPath, finer: RestSystem, rest: RestSystem) -> FollowedPath:
    """The same path in finer polynomials."""

    def state(one: PathState) -> PathState:
        y, along = moved_to(finer, rest, one.y, one.p), one.tangent
        along = moved_to(finer, rest, along, one.rate) if len(along) else along
        return PathState(y, one.p, along, one.rate, one.width)

    def point(one: SingularPoint) -> SingularPoint:
        y, motion = moved_to(finer, rest, one.y, one.p), moved_to(finer, rest, one.motion, 0.0)
        return replace(one, y=y, motion=motion, around=(state(one.around[0]), state(one.around[1])))

    return replace(path, states=[state(one) for one in path.states], points=[point(one) for one in path.points])


def _joined(before: FollowedPath, after: FollowedPath) -> FollowedPath:
    """Two pieces of a path, the second of which begins where the first ends."""
    return FollowedPath(
        [*before.states, *after.states[1:]],
        [*before.stable, *after.stable[1:]],
        [*before.points, *after.points],
        after.ended,
        before.symmetric and after.symmetric,
    )
