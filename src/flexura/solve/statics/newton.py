"""Newton's method for equations at rest, in unknowns scaled to the root of an energy; steps must contract, or it stops.

>>> y = settled(problem, y, p)                       # at a given value of the parameter; None where it goes astray
>>> y, p = settled_on(problem, y, p, plane)          # on a plane across the path, the parameter being unknown too
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_MOST = 20  # steps
_STRAYS = 3.0  # what a step may be of the first
_CONTRACTS = 0.7  # what a step may be of the one two before: stiff members first throw what they stretch by off again
_SMALL = 1e-7  # a step beside the state, from which on the search ends where steps do not get shorter: rounding
_SHORTER = 0.3
_LOUD = 10.0  # how far steps that are rounding scatter
_TINY = 1e-11  # a step in sizes of a structure, from which on the same holds, however small the state
_FLOOR = 1e-14  # rounding of a state
_NOISE = 1e-13  # a stiffness beside the largest that is rounding


class Problem(Protocol):
    """Equations R(y, p) = 0 with n unknowns before the multipliers in y."""

    @property
    def n(self) -> int:
        """How many unknowns there are before the multipliers."""
        ...

    @property
    def metric(self) -> Array:
        """What lengths of displacements are measured by: (n, n)."""
        ...

    @property
    def floor(self) -> float:
        """A length of displacements that is rounding of the places of what moves."""
        ...

    def residual(self, y: Array, p: float) -> Array:
        """R."""
        ...

    def slopes(self, y: Array, p: float) -> tuple[Array, Array]:
        """dR/dy and dR/dp."""
        ...


@dataclass(frozen=True, eq=False)
class Plane:
    """A plane across a path: weights . (y - y0) + weight (p - p0) = distance."""

    y: Array
    p: float
    weights: Array
    weight: float
    distance: float

    def off(self, y: Array, p: float) -> float:
        """How far a point is from it."""
        return float(self.weights @ (y - self.y) + self.weight * (p - self.p) - self.distance)


def sizes(B: Array, n: int) -> Array:
    """What makes unknowns roots of energies: by the diagonal for what has stiffness, by the rows for multipliers."""
    diagonal = np.abs(np.diagonal(B)[:n])
    rows = np.abs(B[:n, :n]).max(axis=1, initial=0.0)
    stiff = np.where(diagonal > 1e-12 * rows, diagonal, rows)
    largest = float(stiff.max(initial=0.0)) or 1.0
    d = np.sqrt(np.where(stiff > _NOISE * largest, stiff, largest))
    held = np.linalg.norm(B[n:, :n] / d, axis=1)
    return np.concatenate([d, np.where(held > 0, held, 1.0)])


def solved(B: Array, right: Array, d: Array) -> Array | None:
    """The solution of B x = right in scaled unknowns; None where there is none."""
    try:
        with np.errstate(all="ignore"):
            x = np.linalg.solve(B / np.outer(d, d), right / d) / d
    except np.linalg.LinAlgError:
        return None
    return x if np.isfinite(x).all() else None


@dataclass
class _Steps:
    """Judges the steps of one search by their lengths."""

    metric: Array
    floor: float
    lengths: list[float] = field(default_factory=list)

    def done(self, step: Array, y: Array) -> bool | None:
        """True where the search has come to its end, None where it goes astray."""
        size, state = self._length(step), self._length(y)
        self.lengths.append(size)
        if size <= max(_FLOOR * state, self.floor):
            return True
        rounding = (
            _TINY if self.floor else 0.0
        )  # strains of order one, rounded, times the stiffest of their stiffnesses
        if len(self.lengths) > 1 and size <= max(_SMALL * state, rounding):
            return size > _SHORTER * self.lengths[-2]
        if size > _STRAYS * self.lengths[0] or not math.isfinite(size):
            return None
        return None if len(self.lengths) > 3 and size > _CONTRACTS * self.lengths[-3] else False

    def _length(self, y: Array) -> float:
        n = len(self.metric)
        largest = float(np.abs(y[:n]).max(initial=0.0)) or 1.0  # squares of very small motions have no place
        unit = y[:n] / largest
        return largest * math.sqrt(max(0.0, float(unit @ self.metric @ unit)))


def settled(problem: Problem, y: Array, p: float) -> Array | None:
    """The state at p that Newton's method finds from y, if its steps contract."""
    steps = _Steps(problem.metric, problem.floor)
    for _ in range(_MOST):
        r, (B, _) = problem.residual(y, p), problem.slopes(y, p)
        if not (np.isfinite(r).all() and np.isfinite(B).all()):
            return None
        step = solved(B, -r, sizes(B, problem.n))
        if step is None:
            return None
        y = y + step
        done = steps.done(step, y)
        if done is not False:
            return y if done else None
    return None


def balanced(problem: Problem, y: Array, p: float) -> Array | None:
    """A state of rest as it stands, with the multipliers that hold it: steps from it are rounding, and stay so.

    Conditions may carry loads of any size without a motion, as a straight column that does not stretch does.
    """
    steps, at = _Steps(problem.metric, problem.floor), y
    for _ in range(2 if problem.floor else 0):
        step = solved(problem.slopes(at, p)[0], -problem.residual(at, p), sizes(problem.slopes(at, p)[0], problem.n))
        if step is None or not np.isfinite(step).all():
            return None
        at = at + step
        steps.done(step, at)
    stands = bool(steps.lengths) and steps.lengths[0] <= min(_TINY, _LOUD * steps.lengths[-1])
    return np.concatenate([y[: problem.n], at[problem.n :]]) if stands else None


def settled_on(problem: Problem, y: Array, p: float, plane: Plane) -> tuple[Array, float, int] | None:
    """The point of a path on a plane across it, and how many steps it took."""
    steps = _Steps(problem.metric, problem.floor)
    for count in range(1, _MOST + 1):
        r, (B, c) = problem.residual(y, p), problem.slopes(y, p)
        if not (np.isfinite(r).all() and np.isfinite(B).all() and np.isfinite(c).all()):
            return None
        right = np.append(-r, -plane.off(y, p))
        step = bordered(B, c, plane.weights, plane.weight, right, sizes(B, problem.n))
        if step is None:
            return None
        y, p = y + step[:-1], p + float(step[-1])
        done = steps.done(step[:-1], y)
        if done is not False:
            return (y, p, count) if done else None
    return None


def bordered(B: Array, c: Array, weights: Array, weight: float, right: Array, d: Array) -> Array | None:
    """The solution of [B, c; weights, weight] x = right."""
    n = len(B)
    whole = np.zeros((n + 1, n + 1))
    whole[:n, :n], whole[:n, n], whole[n, :n], whole[n, n] = B / np.outer(d, d), c / d, weights / d, weight
    across = float(np.linalg.norm(whole[:n, n])) or 1.0
    along = float(np.linalg.norm(whole[n])) or 1.0
    whole[:n, n] /= across
    whole[n, n] /= across
    whole[n] /= along
    scaled = np.append(right[:n] / d, right[n] / along)
    try:
        x = np.linalg.solve(whole, scaled)
    except np.linalg.LinAlgError:
        return None
    x[:n] /= d
    x[n] /= across
    return x if np.isfinite(x).all() else None
