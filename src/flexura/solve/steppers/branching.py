"""Positions in which conditions repeat one another by chance: what moves there goes on along the branch it is on.

>>> passing = Passing()
>>> if passing.near(M, A, rank): landing = passing.landing(mechanics, t, q, v)

A parallelogram laid flat may go on as one, or fold: at that position one condition more follows from the others, and
more motions can begin. Rates that belong to one branch say which; its accelerations are those of the positions beside
it along that branch, on both sides, extrapolated to it. Reactions may grow without bound towards such a position: what
is given is their finite part. Rates that belong to no branch are refused, with those that do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.steppers.undetermined import Singular
from flexura.systems.conditions import weighed
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_REACHES = (0.1, 1e-2, 1e-3)  # how far along the branch positions are looked at: of one, or of the size of coordinates
_HALVINGS = 5
_SAME = 1e-6  # of the rates: extrapolated back they are those that were given
_LOOSE = 1e-2  # the same where a run passes, in the middle of a step
_NEAR = 1e-3  # of the least singular value elsewhere: conditions are read beside
_WEAKER = 1e-2
_SETTLED = 1e-5  # of the accelerations: so little does the last extrapolation change
_NOTHING = 1e-9


class Moving(Protocol):
    """What is asked of the mechanics of a system."""

    @property
    def system(self) -> NonlinearSystem: ...  # noqa: D102

    def onto_positions(self, t: float, q: Array) -> Array: ...  # noqa: D102
    def onto_rates(self, t: float, q: Array, v: Array) -> Array: ...  # noqa: D102
    def acceleration(self, t: float, q: Array, v: Array) -> tuple[Array, Array]: ...  # noqa: D102


@dataclass(frozen=True, eq=False)
class Landing:
    """Where a motion stands on its branch."""

    q: Array
    v: Array
    a: Array
    multipliers: Array


@dataclass(eq=False)
class Passing:
    """Whether positions are so near to a singular one that conditions are better read on both sides of it."""

    best: float = 0.0  # the smallest of the singular values that count, over the largest, where it was largest
    pivots: float = 0.0  # the same of pivots: cheap, and near enough to ask further
    sizes: Array | float = 0.0  # of conditions, where they were largest
    looking: bool = False

    def may(self, factor: Array) -> bool:
        """Whether the pivots of a solved step say that it is worth to ask."""
        sizes = np.abs(np.diagonal(factor))
        ratio = float(sizes.min() / sizes.max())
        self.pivots = max(self.pivots, ratio)
        return not self.looking and ratio < _WEAKER * self.pivots

    def near(self, M: Array, A: Array, rank: int) -> bool:
        """Whether the conditions that count nearly repeat one another here."""
        if not rank:
            return False
        try:
            S = weighed(A, M)
        except np.linalg.LinAlgError:  # no state at all: told elsewhere
            return False
        self.sizes = np.maximum(self.sizes, np.linalg.norm(S, axis=1))
        values = np.linalg.svd(S / np.where(self.sizes > 0, self.sizes, 1.0)[:, None], compute_uv=False)
        ratio = float(values[rank - 1] / values[0]) if values[0] else 0.0
        self.best = max(self.best, ratio)
        return not self.looking and ratio < _NEAR * self.best

    def landing(self, mechanics: Moving, t: float, q: Array, v: Array) -> Landing | None:
        """The same state as its branch has it there; None where positions beside do not tell."""
        self.looking = True
        try:
            return _landing(mechanics, t, q, v, _LOOSE)
        finally:
            self.looking = False

    def refuse_undecided(self, mechanics: Moving, t: float, q: Array, v: Array) -> None:
        """Refuse rates that belong to no branch through a singular position."""
        self.looking = True
        try:
            found = _landing(mechanics, t, q, v, _SAME)
        finally:
            self.looking = False
        if found is None:
            raise _undecided(mechanics.system, t, q)


def _landing(mechanics: Moving, t: float, q: Array, v: Array, same: float) -> Landing | None:
    n, speed = len(q), float(np.abs(v).max(initial=0.0))
    for reach in _REACHES if speed else ():
        try:
            before, last = _extrapolated(mechanics, t, q, v, reach * max(1.0, float(np.abs(q).max())) / speed)
        except (FlexuraError, np.linalg.LinAlgError):
            continue
        place, rates, a, multipliers = np.split(last, [n, 2 * n, 3 * n])
        if np.abs(rates - v).max() > same * speed:
            continue
        size = max(float(np.abs(a).max()), speed**2)
        if np.abs(a - before[2 * n : 3 * n]).max() <= _SETTLED * size:
            return Landing(place, rates, a, multipliers)
    return None


def _extrapolated(mechanics: Moving, t: float, q: Array, v: Array, h: float) -> tuple[Array, Array]:
    """States beside with their accelerations, by Richardson's table for even functions: its last two rows."""
    table: list[Array] = []
    for k in range(_HALVINGS):
        step = h / 2**k
        row = [(_beside(mechanics, t, q, v, step) + _beside(mechanics, t, q, v, -step)) / 2]
        for order, above in enumerate(table[-1] if table else ()):
            row.append(row[-1] + (row[-1] - above) / (4.0 ** (order + 1) - 1))
        table.append(np.array(row))
    return table[-2][-1], table[-1][-1]


def _beside(mechanics: Moving, t: float, q: Array, v: Array, step: float) -> Array:
    x = mechanics.onto_positions(t + step, q + step * v)
    rates = mechanics.onto_rates(t + step, x, v)
    return np.concatenate([x, rates, *mechanics.acceleration(t + step, x, rates)])


def _undecided(system: NonlinearSystem, t: float, q: Array) -> Singular:
    """More than one motion can begin, and the rates are those of none."""
    names = ", ".join(f"{name}_t" for name in system.names)
    ways = [" : ".join(f"{rate:.4g}" for rate in way) for way in _branches(system, t, q)]
    listed = f" ({names} as {' or as '.join(ways)})" if ways else ""
    return Singular(
        f"More than one motion can begin at this position, in which the constraints of {', '.join(system.multipliers)}"
        f" repeat one another{listed}",
        advice="give the rates of one of them, or start away from this position",
    )


def _branches(system: NonlinearSystem, t: float, q: Array) -> list[Array]:
    """The two motions that can go on, where two can begin and one condition more than elsewhere repeats the others.

    w' d2g(v, v) = 0 for the combination w of conditions whose slopes cancel.
    """
    A = system.velocity(t, q)[0].copy()
    if not all(system.holonomic):
        return []
    U, s, V = np.linalg.svd(A)
    rank = int(np.sum(s > _NOTHING * s.max(initial=0.0)))
    free, spare = V[rank:], U[:, rank:]
    if len(free) != 2:
        return []
    h = 1e-5

    def bent(first: Array, second: Array) -> Array:
        slopes = (system.velocity(t, q + h * first)[0].copy() - system.velocity(t, q - h * first)[0]) / (2 * h)
        return np.asarray(spare.T @ (slopes @ second))

    forms = np.array([bent(free[0], free[0]), bent(free[0], free[1]), bent(free[1], free[1])]).T
    a, b, c = forms[int(np.abs(forms).max(axis=1).argmax())]
    root = b * b - a * c
    if root <= _NOTHING * (b * b + abs(a * c)):
        return []
    if abs(a) > abs(c):
        pairs = [(-b + sign * np.sqrt(root), a) for sign in (1, -1)]
    else:
        pairs = [(c, -b + sign * np.sqrt(root)) for sign in (1, -1)]
    return sorted((_readable(x * free[0] + y * free[1]) for x, y in pairs), key=lambda way: way.round(6).tolist())


def _readable(way: Array) -> Array:
    """The first that moves moves by one."""
    large = np.flatnonzero(np.abs(way) > 1e-3 * np.abs(way).max())[0]
    way = way / way[large]
    return np.where(np.abs(way) < 1e-6, 0.0, way)
