"""A state of rest under all loads, from one that is known without them: the loads grow in steps that find their size.

    >>> y, told = loaded(rest, start)        # told.reached, told.limits: factors of the loads

All loads grow with one factor s, dead and following ones alike; what else keeps the start from balance (gravity,
stretched springs, a turning frame) is held by forces that fade as 1 - s:  R(y, s) = (1 - s) R(start, 0). Where steps in
s no longer succeed the path is followed by its arc, through limit points, to s = 1 or until it leads nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.statics.arc import Follower, PathState
from flexura.solve.statics.newton import balanced, settled, sizes, solved
from flexura.solve.statics.relaxation import relaxed
from flexura.solve.statics.rest_system import RestSystem
from flexura.solve.statics.stability import neutral, stability

Array = NDArray[np.float64]
_SHORTEST = 0.05  # of a step in the factor of the loads
_ARCS = 250  # steps along the arc
_OPEN = 1e-6  # of the structure's size, by which conditions that no state meets stay open
_ROUNDING = 1e-12  # of conditions of length one
_NEARBY = 3.0  # sizes of a structure, that one which moves freely may settle away from its start


@dataclass(frozen=True, eq=False)
class Growing:
    """The equations with loads that grow with s, and what is out of balance at the start fading."""

    rest: RestSystem
    start: Array

    @property
    def n(self) -> int:
        """As of the equations themselves."""
        return self.rest.n

    @property
    def metric(self) -> Array:
        """As of the equations themselves."""
        return self.rest.metric

    @property
    def floor(self) -> float:
        """As of the equations themselves."""
        return self.rest.floor

    @cached_property
    def _out(self) -> Array:
        """What is out of balance at the start without loads."""
        return self.rest.residual(self.start, 0.0)

    def residual(self, y: Array, p: float) -> Array:
        """R(y, s) - (1 - s) R(start, 0)."""
        return self.rest.residual(y, p) - (1 - p) * self._out

    def slopes(self, y: Array, p: float) -> tuple[Array, Array]:
        """By y and by s."""
        B, c = self.rest.slopes(y, p)
        return B, c + self._out


@dataclass(frozen=True)
class LoadHistory:
    """How the loads grew: steps taken, and the factors at which the path turned back on its way."""

    steps: int
    limits: tuple[float, ...] = ()


def loaded(rest: RestSystem, start: Array) -> tuple[Array, LoadHistory]:
    """The state under all loads, by steps from `start`."""
    problem = Growing(rest, start)
    if neutral(rest, start, 0.0):
        return _held_by_loads(rest, start), LoadHistory(1)
    standing = balanced(rest, start, 1.0)
    if standing is not None:
        return standing, LoadHistory(0)
    y, s, width, steps = start, 0.0, 1.0, 0
    negative = stability(rest, start, 0.0).negative
    while s < 1.0 and width > _SHORTEST:
        width = min(width, 1.0 - s)
        tried = _stepped(problem, y, s, width)
        if tried is None or stability(rest, tried, s + width).negative != negative:
            width /= 2  # another number of negative stiffnesses belongs to another path, or to one that turned back
            continue
        y, s, steps = tried, min(1.0, s + width), steps + 1
        width *= 2
    if s >= 1.0:
        return y, LoadHistory(steps)
    return _by_arc(problem, y, s, steps)


def _held_by_loads(rest: RestSystem, start: Array) -> Array:
    """A state of what moves freely without its loads: accepted where they hold it, and it has not gone far away."""
    opened = 0.0
    for sinks in (False, True):
        y, opened = relaxed(rest, start) if sinks else (settled(rest, start, 1.0), 0.0)
        if y is not None and not neutral(rest, y, 1.0) and stability(rest, y, 1.0).stable:
            moved = y[: rest.n] - start[: rest.n]
            if float(np.sqrt(max(0.0, float(moved @ rest.metric @ moved)))) <= _NEARBY:
                return y
    names = ", ".join(dict.fromkeys(name.partition("[")[0] for name in rest.system.multipliers))
    if opened > _OPEN and _met(rest, start) and _repeated(rest, start):
        raise NotHeld(
            f"The conditions of {names} repeat one another at the start, where members that turn far in space and do"
            " not stretch are straight, so that loads along such a member leave its forces undetermined",
            advice="give the member a stiffness along its axis, EA=, far above the loads and EI/length**2",
        )
    if opened > _OPEN:
        raise NotHeld(
            f"No state of rest meets the conditions of {names}: they stay open by {opened:.2g} of the size",
            advice="bring the ends nearer to one another, make the member longer, or give it a stiffness along its axis"
            " in place of the condition",
        )
    raise NotHeld(
        "The system at rest is not determined: without its loads something can move without strain",
        advice="hold it with a support or a spring, or give guess={...} for coordinates near where the loads hold it",
    )


def _met(rest: RestSystem, y: Array) -> bool:
    """Whether a state meets the conditions; where it does not, they may repeat one another and contradict besides."""
    return float(np.abs(rest.residual(y, 1.0)[rest.n :]).max(initial=0.0)) <= _OPEN


def _repeated(rest: RestSystem, y: Array) -> bool:
    """Whether conditions that are independent elsewhere are not at a state."""
    rows = rest.slopes(y, 1.0)[0][rest.n :, : rest.n]
    lengths = np.linalg.norm(rows, axis=1)
    return bool(np.linalg.matrix_rank(rows / np.where(lengths > 0, lengths, 1.0)[:, None], tol=_ROUNDING) < len(rows))


def _stepped(problem: Growing, y: Array, s: float, width: float) -> Array | None:
    """One step of the factor: along the tangent, then Newton's method; None where either goes astray."""
    B, c = problem.slopes(y, s)
    if not (np.isfinite(B).all() and np.isfinite(c).all()):
        return None
    tangent = solved(B, -c, sizes(B, problem.n))
    return None if tangent is None else settled(problem, y + width * tangent, s + width)


def _by_arc(problem: Growing, y: Array, s: float, steps: int) -> tuple[Array, LoadHistory]:
    """On along the arc, until the loads are there; refused where the path never gets there."""
    follower = Follower.of(problem, problem.rest, PathState(y, s), 1.0)
    state, limits = follower.first, list[float]()
    for count in range(_ARCS):
        after = follower.after(state)
        if after is None:
            break
        if after.rate * state.rate < 0:
            limits.append(follower.turning(state, after))
        if (after.p - 1.0) * (state.p - 1.0) <= 0:
            there = follower.at(state, after, 1.0)
            if there is not None:
                return there.y, LoadHistory(steps + count + 1, tuple(limits))
        state = after
        if abs(state.p) > 20:
            break
    raise _none(s, limits)


class NotHeld(FlexuraError):
    """Loads that no state of rest was found under; `reached` and `limits` are factors of them."""

    reached: float = 0.0
    limits: tuple[float, ...] = ()


def _none(reached: float, limits: list[float]) -> NotHeld:
    """What is said where no equilibrium was found under all loads."""
    error = _said(reached, limits)
    error.reached, error.limits = reached, tuple(limits)
    return error


def _said(reached: float, limits: list[float]) -> NotHeld:
    if limits:
        top = limits[0]
        return NotHeld(
            f"No equilibrium was found under these loads: grown from nothing, they are held up to {top:.9g} of their"
            f" values, a limit point, beyond which the state of rest that is reached from the start turns back",
            advice=f"lower the loads to less than {top:.6g} of these, follow them with fx.equilibrium_path, or give"
            " guess={...}",
        )
    return NotHeld(
        f"No equilibrium was found under these loads: grown from nothing in steps, they were held up to {reached:.6g}"
        " of their values, where Newton's method does not go on",
        advice="lower the loads, leave out stiffnesses beyond all others (a member without EA is inextensible), or give"
        " guess={...}",
    )
