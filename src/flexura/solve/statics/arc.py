"""Paths of states of rest over a parameter, followed by the length of their arc, so that they may turn back.

    >>> follower = Follower.of(problem, rest, PathState(y, p), reach)
    >>> after = follower.after(follower.first)           # the next state; None where the path cannot be followed on

Lengths count displacements by the inertia they move, beside the size of the structure, and the parameter beside the
range that is asked for. Steps are as long as Newton's method contracts on and the path keeps its direction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.polynomial.chebyshev import chebfit, chebroots, chebvander
from numpy.typing import NDArray
from scipy.optimize import brentq

from flexura.solve.statics.newton import Plane, Problem, bordered, settled, settled_on, sizes
from flexura.solve.statics.rest_system import RestSystem

Array = NDArray[np.float64]
_FIRST, _LONGEST, _SHORTEST = 0.02, 0.08, 1e-9
_STRAIGHT = 0.97  # cosine between tangents one step apart
_GENTLE = 0.993
_QUICK = 5  # steps of Newton's method
_NEAR = 1e-3  # of a step, how close a stiffness is followed to where it vanishes
_NODES, _SMOOTH = 8, 1e-8  # places around it that it is interpolated from, and what the highest powers may hold


@dataclass(frozen=True, eq=False)
class PathState:
    """One state of rest, the tangent of the path there (towards where it goes), and the length of the next step."""

    y: Array
    p: float
    tangent: Array = field(default_factory=lambda: np.zeros(0))
    rate: float = 1.0
    width: float = _FIRST
    came: tuple[Array, float, Array, float, float] | None = None
    """The state before, its tangent, and how far away it is."""

    def ahead(self, width: float) -> tuple[Array, float]:
        """Where the path is expected at that distance: on the cubic through this state and the one before.

        A tangent alone stretches what turns by the square of the step, and stiff members answer with large forces.
        """
        if self.came is None:
            return self.y + width * self.tangent, self.p + width * self.rate
        y, p, along, rate, h = self.came
        x = 1 + width / h
        values = 1 - 3 * x**2 + 2 * x**3, 3 * x**2 - 2 * x**3
        slopes = h * (x - 2 * x**2 + x**3), h * (x**3 - x**2)
        return (
            values[0] * y + values[1] * self.y + slopes[0] * along + slopes[1] * self.tangent,
            values[0] * p + values[1] * self.p + slopes[0] * rate + slopes[1] * self.rate,
        )


@dataclass(frozen=True, eq=False)
class Follower:
    """Steps along one path."""

    statics: Problem
    metric: Array
    """Of displacements: (n, n)."""
    reach: float
    first: PathState

    @classmethod
    def of(cls, problem: Problem, rest: RestSystem, state: PathState, reach: float, rate: float = 1.0) -> Follower:
        """From a state, where the parameter is to change in the direction of `rate` first."""
        metric, reach = rest.metric, abs(reach) or 1.0
        follower = cls(problem, metric, reach, state)
        if len(state.tangent):
            return follower
        y, p = follower.tangent(state.y, state.p, np.zeros(len(state.y)), rate)
        moved = float(np.sqrt(y[: rest.n] @ metric @ y[: rest.n])) / max(abs(p), 1e-300) * reach
        if moved > 1.0:  # structures without members have no size of their own: what they move by is one
            follower = replace(follower, metric=metric / moved**2)
            y, p = follower.tangent(state.y, state.p, np.zeros(len(state.y)), rate)
        return replace(follower, first=replace(state, tangent=y, rate=p))

    def tangent(self, y: Array, p: float, along: Array, rate: float) -> tuple[Array, float]:
        """The unit tangent at a point, on the side of the direction given."""
        B, c = self.statics.slopes(y, p)
        weights, weight = self.weighted(along), rate / self.reach**2
        right = np.zeros(len(y) + 1)
        right[-1] = 1.0
        x = bordered(B, c, weights, weight, right, sizes(B, self.statics.n))
        if x is None:
            return along, rate
        length = self.length(x[:-1], float(x[-1]))
        return x[:-1] / length, float(x[-1]) / length

    def weighted(self, y: Array) -> Array:
        """What lengths along a direction are measured by."""
        found = np.zeros(len(y))
        n = self.statics.n
        found[:n] = self.metric @ y[:n]
        return found

    def length(self, y: Array, p: float) -> float:
        """Of a piece of the path."""
        n = self.statics.n
        return float(np.sqrt(y[:n] @ self.metric @ y[:n] + (p / self.reach) ** 2))

    def cosine(self, one: PathState, other: PathState) -> float:
        """Between two tangents."""
        n = self.statics.n
        return float(one.tangent[:n] @ self.metric @ other.tangent[:n] + one.rate * other.rate / self.reach**2)

    def moved(self, state: PathState, width: float) -> tuple[PathState, int] | None:
        """The state at that distance along the tangent, and how many steps it took to get there."""
        plane = Plane(state.y, state.p, self.weighted(state.tangent), state.rate / self.reach**2, width)
        found = settled_on(self.statics, *state.ahead(width), plane)
        if found is None:
            return None
        y, p, count = found
        along, rate = self.tangent(y, p, state.tangent, state.rate)
        came = state.y, state.p, state.tangent, state.rate, self.length(y - state.y, p - state.p)
        return PathState(y, p, along, rate, width, came), count

    def after(self, state: PathState) -> PathState | None:
        """The next state; shorter steps are taken where the path bends."""
        width = state.width
        while width > _SHORTEST:
            tried = self.moved(state, width)
            if tried is not None:
                found, count = tried
                cosine = self.cosine(state, found)
                if cosine >= _STRAIGHT:
                    longer = 1.6 if cosine >= _GENTLE and count <= _QUICK else 1.0
                    shorter = 0.7 if count > _QUICK + 2 else 1.0
                    return replace(found, width=min(_LONGEST, width * longer * shorter))
            width /= 2
        return None

    def between(self, state: PathState, width: float) -> PathState | None:
        """The state at a part of a step that was taken."""
        if width <= 0:
            return state
        found = self.moved(state, width)
        return None if found is None else found[0]

    def step(self, state: PathState, after: PathState) -> float:
        """How long the step from one state to the next was, along the first one's tangent."""
        along = self.weighted(state.tangent) @ (after.y - state.y)
        return float(along + state.rate / self.reach**2 * (after.p - state.p))

    def root(
        self,
        state: PathState,
        after: PathState,
        value: Callable[[PathState], float],
        ends: tuple[float, float],
        share: float = 1e-12,
    ) -> PathState | None:
        """The state within a step at which a quantity, with values at both ends, is zero, to a share of the step."""
        seen = dict[float, PathState]()
        width = self.step(state, after)

        def at(part: float) -> float:
            if part <= 0.0 or part >= 1.0:
                return ends[0] if part <= 0.0 else ends[1]
            found = self.between(state, part * width)
            if found is None:
                raise ArithmeticError
            seen[part] = found
            return value(found)

        try:
            part = brentq(at, 0.0, 1.0, xtol=share, rtol=1e-12, maxiter=60)
        except ArithmeticError:
            return min(seen.values(), key=lambda one: abs(value(one)), default=None)
        return seen.get(part) or self.between(state, part * width)

    def smooth_root(
        self, state: PathState, after: PathState, value: Callable[[PathState], float], ends: tuple[float, float]
    ) -> PathState | None:
        """The same for a stiffness: where it vanishes states are not determined, so it is interpolated from around."""
        near = self.root(state, after, value, ends, _NEAR)
        if near is None:
            return None
        width = self.step(state, after)
        middle, best = self.step(state, near), near
        for reach in (width / 4, width / 8, width / 16):
            parts = middle + reach * np.cos((2 * np.arange(_NODES) + 1) * np.pi / (2 * _NODES))
            seen = [(part, found[0]) for part in parts if (found := self.moved(state, float(part))) is not None]
            if len(seen) < _NODES:
                continue
            x = (np.array([part for part, _ in seen]) - middle) / reach
            values = np.array([value(one) for _, one in seen])
            fitted = chebfit(x, values, _NODES - 1)
            roots = chebroots(fitted)
            real = roots.real[(np.abs(roots.imag) < 1e-9) & (np.abs(roots.real) < 1)]
            if not len(real):
                continue
            at = float(real[np.argmin(np.abs(real))])
            whole = np.array([[*one.y, one.p] for _, one in seen])
            there: Array = np.ravel(chebvander(at, _NODES - 1) @ chebfit(x, whole, _NODES - 1)).astype(np.float64)
            best = replace(near, y=there[:-1], p=float(there[-1]))
            if np.abs(fitted[-2:]).max() <= _SMOOTH * np.abs(fitted).max():
                break
        return best

    def turning(self, state: PathState, after: PathState) -> float:
        """The value of the parameter at which the path turns back within a step."""
        found = self.root(state, after, lambda one: one.rate, (state.rate, after.rate))
        return (found or after).p

    def at(self, state: PathState, after: PathState, p: float) -> PathState | None:
        """The state within a step at which the parameter has a value."""
        near = self.root(state, after, lambda one: one.p - p, (state.p - p, after.p - p))
        if near is None:
            return None
        y = settled(self.statics, near.y, p)
        return None if y is None else replace(near, y=y, p=p)
