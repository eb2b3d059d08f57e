"""From one path onto another that crosses it: off a branch point along the motion that meets no stiffness there.

>>> path = onto(rest, branch, between)
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.statics.arc import Follower, PathState
from flexura.solve.statics.newton import settled
from flexura.solve.statics.path import BranchPoint
from flexura.solve.statics.resolution import moved_to
from flexura.solve.statics.rest_system import RestSystem
from flexura.solve.statics.singular import SingularPoint, crossings
from flexura.solve.statics.stability import stability

Array = NDArray[np.float64]
_OFF = 0.02  # the first step, in sizes of the structure


def onto(rest: RestSystem, branch: BranchPoint, between: tuple[float, float]) -> Follower:
    """What follows the path that leaves a branch point along its motion."""
    if branch.rest.parameter != rest.parameter:
        raise FlexuraError(
            f"The branch point belongs to a path along {branch.rest.parameter}",
            advice="follow both paths along the same parameter",
        )
    point = _located(rest, branch, between)
    low, high = sorted(between)
    motion = np.sign(branch.side) * point.motion * _towards(rest, branch, point)
    follower = Follower(rest, rest.metric, (high - low) or 1.0, PathState(point.y, point.p))
    along = motion / follower.length(motion, 0.0)
    return replace(follower, first=PathState(point.y, point.p, along, 0.0, _OFF))


def _located(rest: RestSystem, branch: BranchPoint, between: tuple[float, float]) -> SingularPoint:
    """The branch point in this discretisation, found again between the states on both sides of it."""
    old, point = branch.rest, branch.point
    if (old.layout.order, old.layout.elements) == (rest.layout.order, rest.layout.elements):
        return point
    ends = list[PathState]()
    for state in point.around:
        y = settled(rest, moved_to(rest, old, state.y, state.p), state.p)
        if y is None:
            raise _lost(branch)
        ends.append(PathState(y, state.p))
    rate = float(np.sign(ends[1].p - ends[0].p))
    follower = Follower.of(rest, rest, ends[0], between[1] - between[0], rate)
    last = replace(Follower.of(rest, rest, ends[1], between[1] - between[0], rate).first)
    seen = stability(rest, ends[0].y, ends[0].p), stability(rest, ends[1].y, ends[1].p)
    found = [one for one in crossings(follower, rest, (follower.first, last), seen) if one.kind == "branch"]
    if not found:
        raise _lost(branch)
    return min(found, key=lambda one: abs(one.p - point.p))


def _towards(rest: RestSystem, branch: BranchPoint, point: SingularPoint) -> float:
    """The sign that keeps a motion found again on the side of the first."""
    first = moved_to(rest, branch.rest, branch.point.motion, 0.0)[: rest.n] if rest is not branch.rest else point.motion
    return 1.0 if first[: rest.n] @ rest.metric @ point.motion[: rest.n] >= 0 else -1.0


def _lost(branch: BranchPoint) -> FlexuraError:
    return FlexuraError(
        f"The branch point at {branch.rest.parameter} = {branch.parameter:.6g} was not found again in others",
        advice=f"give order={branch.rest.layout.order}, which it was found with, or follow the first path with more",
    )
