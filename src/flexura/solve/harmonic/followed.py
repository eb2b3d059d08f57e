"""Periodic motions over the frequency by the length of their arc, through limit points.

>>> path = followed(balance, (0.5, 2.0), metric)
>>> [point.omega for point in path.points], path.limits

Lengths count a change of the motion beside its own size, by the inertia it moves, and the frequency beside the range.
Harmonics are added where those left out would count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from flexura.solve.harmonic.balance import Balance, NotSettled, solved

Array = NDArray[np.float64]
_FIRST, _LONGEST, _SHORTEST = 0.02, 0.12, 1e-7
_PART = 4  # of the range of frequencies, that counts as much as the motion itself
_STRAIGHT, _GENTLE = 0.97, 0.99  # cosine between tangents one step apart
_ROUNDS, _QUICK, _STAYS = 7, 3, 1e-10
_SMALL = 1e-3  # of the largest motion so far, beside which changes are counted where it is smaller
_MOST = 6000
_WEAKEST = 1e-3


@dataclass(frozen=True, eq=False)
class Point:
    """One periodic motion, the direction of the path there, and what harmonics left out may add."""

    balance: Balance
    x: Array
    omega: float
    error: float = 0.0
    along: Array | None = None
    """The unit tangent: coefficients, then the frequency, in the units of `scale`."""


@dataclass(frozen=True, eq=False)
class Path:
    """Points in their order, and the frequencies at which the path turns back."""

    points: tuple[Point, ...]
    limits: tuple[float, ...]
    complete: bool


@dataclass(eq=False)
class Follower:
    """Steps along one path from between[0] to between[1]."""

    between: tuple[float, float]
    metric: Array
    tolerance: float
    most: int
    largest: float = 0.0

    def size(self, x: Array) -> float:
        """Of a motion: the root of its inertia times squares."""
        return float(np.sqrt(np.einsum("ki,ij,kj->", x, self.metric, x)))

    def scales(self, x: Array) -> tuple[float, float]:
        """Of motions and of frequencies."""
        self.largest = max(self.largest, self.size(x))
        return max(self.size(x), _SMALL * self.largest) or 1.0, abs(self.between[1] - self.between[0]) / _PART

    def product(self, a: Array, b: Array, point: Point) -> float:
        """Of two directions at a point."""
        motion, frequency = self.scales(point.x)
        one, other = (d[:-1].reshape(point.x.shape) for d in (a, b))
        by_motion = np.einsum("ki,ij,kj->", one, self.metric, other) / motion**2
        return float(by_motion + a[-1] * b[-1] / frequency**2)

    def row(self, along: Array, point: Point) -> Array:
        """The product with a direction, as a row."""
        motion, frequency = self.scales(point.x)
        part = (along[:-1].reshape(point.x.shape) @ self.metric).ravel() / motion**2
        return np.append(part, along[-1] / frequency**2)

    def directed(self, point: Point, before: Array | None) -> Point:
        """With the tangent, which goes on as before; first towards the end of the range."""
        balance, size = point.balance, point.x.size
        J = np.column_stack([balance.slopes(point.x, point.omega), balance.slope_by_omega(point.x, point.omega)])
        start = np.append(np.zeros(size), np.sign(self.between[1] - self.between[0])) if before is None else before
        along = solved(np.vstack([J, self.row(start, point)]), np.append(np.zeros(size), 1.0))
        return replace(point, along=along / np.sqrt(self.product(along, along, point)))

    def resolved(self, point: Point) -> Point:
        """In as many harmonics as it takes."""
        error = point.balance.error(point.x, point.omega)
        while error > self.tolerance and point.balance.harmonics < self.most:
            balance = point.balance.finer(min(self.most, 2 * point.balance.harmonics + 1))
            x = balance.settled(balance.extended(point.x), point.omega)
            along = None if point.along is None else _extended(point, balance)
            point = Point(balance, x, point.omega, along=along)
            error = balance.error(x, point.omega)
        return replace(point, error=error)

    def ahead(self, point: Point, width: float) -> tuple[Point, int]:
        """The motion at that length along the path, with its tangent, and how many rounds it took."""
        assert point.along is not None
        balance, shape = point.balance, point.x.shape
        x, omega = point.x + width * point.along[:-1].reshape(shape), float(point.omega + width * point.along[-1])
        row = self.row(point.along, point)
        for count in range(1, _ROUNDS + 1):
            if omega <= 0:
                raise NotSettled
            J = np.column_stack([balance.slopes(x, omega), balance.slope_by_omega(x, omega)])
            away = np.append((x - point.x).ravel(), omega - point.omega)
            missed = np.append(balance.residual(x, omega).ravel(), row @ away - width)
            step = solved(np.vstack([J, row]), -missed)
            x, omega = x + step[:-1].reshape(shape), float(omega + step[-1])
            if self.product(step, step, point) <= _STAYS**2:
                return self.directed(Point(balance, x, omega, point.error), point.along), count
        raise NotSettled

    def path(self, first: Point) -> Path:
        """All points, up to the first one beyond the range, and where the path turns back between them."""
        points, limits, width = [first], list[float](), _FIRST
        while len(points) < _MOST and width >= _SHORTEST and self.holds(points[-1]):
            try:
                after, rounds = self.ahead(points[-1], width)
                straight = self.straight(points[-1], after)
                if straight < _STRAIGHT:
                    raise NotSettled
                refined = self.resolved(after)
                if refined.balance is not after.balance:
                    refined = self.directed(refined, refined.along)
            except NotSettled:
                width /= 2
                continue
            if _rate(after) * _rate(points[-1]) < 0:
                limits.append(self.limit(points[-1], after))
            points.append(refined)
            if rounds <= _QUICK and straight > _GENTLE:
                width = min(1.5 * width, _LONGEST)
        return Path(tuple(points), tuple(limits), not self.holds(points[-1]))

    def holds(self, point: Point) -> bool:
        """Whether it lies in the range."""
        return min(self.between) <= point.omega <= max(self.between)

    def straight(self, before: Point, after: Point) -> float:
        """The cosine between tangents."""
        assert before.along is not None
        assert after.along is not None
        size = self.product(after.along, after.along, before)
        return self.product(after.along, before.along, before) / float(np.sqrt(size))

    def limit(self, before: Point, after: Point) -> float:
        """The frequency at which the path turns back between two points."""
        assert before.along is not None
        away = np.append((after.x - before.x).ravel(), after.omega - before.omega)
        width = float(self.row(before.along, before) @ away)

        def turn(w: float) -> float:
            return _rate(self.ahead(before, w)[0]) if w else _rate(before)

        return self.ahead(before, float(brentq(turn, 0.0, width, xtol=1e-9 * width)))[0].omega


def _rate(point: Point) -> float:
    """Of the frequency along the path."""
    assert point.along is not None
    return float(point.along[-1])


def followed(balance: Balance, between: tuple[float, float], metric: Array, tolerance: float, most: int) -> Path:
    """From between[0] until the path leaves the range, where it ends at its edge."""
    follower = Follower(between, metric, tolerance, most)
    first = Point(balance, started(balance, between[0]), between[0])
    path = follower.path(follower.directed(follower.resolved(first), None))
    if not path.complete or len(path.points) < 2:
        return path
    before, after = path.points[-2:]
    end = max(between) if after.omega > max(between) else min(between)
    return replace(path, points=(*path.points[:-1], _at(before, after, end)))


def started(balance: Balance, omega: float) -> Array:
    """A motion at one frequency: at once, or under loads that grow."""
    try:
        return balance.settled(balance.nothing, omega)
    except NotSettled:
        pass
    x, reached, step = balance.nothing, 0.0, 0.25
    while reached < 1:
        share = min(1.0, reached + step)
        try:
            weaker = Balance(balance.system, _Scaled(balance, share), balance.harmonics)
            x, reached, step = weaker.settled(x, omega), share, 1.5 * step
        except NotSettled:
            step /= 2
            if step < _WEAKEST:
                raise
    return x


def motion_at(balance: Balance, omega: float, metric: Array, tolerance: float, most: int) -> Point:
    """The motion at one frequency: at once, or where the path from a lower one first comes there."""
    follower = Follower((omega / 2, omega), metric, tolerance, most)
    try:
        return follower.resolved(Point(balance, balance.settled(balance.nothing, omega), omega))
    except NotSettled:
        pass
    path = followed(balance, (omega / 2, omega), metric, tolerance, most)
    if not path.complete or path.points[-1].omega != omega:
        raise NotSettled
    return follower.resolved(path.points[-1])


@dataclass(frozen=True, eq=False)
class _Scaled:
    balance: Balance
    share: float

    def __call__(self, t: Array, omega: float) -> Array:
        return self.share * self.balance.loads(t, omega)


def _at(before: Point, after: Point, omega: float) -> Point:
    """The motion at a frequency between two points."""
    share = (omega - before.omega) / (after.omega - before.omega)
    balance = after.balance
    near = balance.extended(before.x)
    x = balance.settled(near + share * (after.x - near), omega)
    return Point(balance, x, omega, after.error, after.along)


def _extended(point: Point, balance: Balance) -> Array:
    assert point.along is not None
    x = balance.extended(point.along[:-1].reshape(point.x.shape))
    return np.append(x.ravel(), point.along[-1])
