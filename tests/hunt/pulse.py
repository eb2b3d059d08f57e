"""Motion after a short push, from the direct solution's matrices: slow modes are followed in time, fast ones give way.

    >>> values, largest, doubt = pushed(direct, force, rows, slow, Bell(centre, width), times)

The flexibility is found with many digits, so that slow modes keep theirs beside members that are 1e12 times as stiff.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import flint
import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from hunt.direct import Direct

Array = NDArray[np.float64]
_BITS = 300


@dataclass(frozen=True)
class Box:
    """A push of size one from centre - width to centre + width; what jumps moves fast modes, too."""

    centre: float
    width: float
    jumps, reach, steps, fast = True, 1.0, 2, 1e4

    @property
    def text(self) -> str:
        a, b = self.centre - self.width, self.centre + self.width
        return f"Piecewise((0, t < {a!r}), (1, t < {b!r}), (0, True))"

    def at(self, t: Array) -> Array:
        return np.ones_like(t)


@dataclass(frozen=True)
class Bell:
    """A smooth push; modes much faster than it is short only give way."""

    centre: float
    width: float
    jumps, reach, steps, fast = False, 8.0, 1000, 60.0

    @property
    def text(self) -> str:
        return f"exp(-((t - {self.centre!r})/{self.width!r})**2)"

    def at(self, t: Array) -> Array:
        return np.asarray(np.exp(-(((t - self.centre) / self.width) ** 2)))


def pushed(
    direct: Direct, force: Array, rows: Sequence[Array], slow: float, push: Box | Bell, times: Array
) -> tuple[Array, float, float]:
    """M x'' + D x' + K x = F push(t) from rest at t = 0: what the rows read at times after the push has begun.

    Also the largest of it since, and how much of it fast modes may add, which give way as if they had no mass.
    """
    modes = _Modes.of(direct, force, np.array(rows), slow, push.fast / push.width)
    begin, end = max(push.centre - push.reach * push.width, 0.0), push.centre + push.reach * push.width
    state, at, found, seen = np.zeros(len(modes.A)), begin, {}, [np.zeros(len(rows))]
    for mark in sorted({end, *times.tolist()}):
        if at < end:
            steps = math.ceil(push.steps * (mark - at) / (end - begin))
            states = modes.driven(state, np.linspace(at, mark, 1 + steps), push)
            seen += list(states[1:] @ modes.read.T)
            state = states[-1]
        else:
            state = scipy.linalg.expm(modes.A * (mark - at)) @ state
        at, found[mark] = mark, modes.read @ state
    values = np.array([found[one] for one in times.tolist()])
    given_way = float(np.abs(modes.given_way).max())
    return values, max(float(np.abs([*seen, *values]).max()), given_way), 2 * given_way * push.jumps


@dataclass(frozen=True)
class _Modes:
    """x' = A x + b f(t), read, of the slow modes, and what the others give way to f = 1."""

    A: Array
    b: Array
    read: Array
    given_way: Array

    @classmethod
    def of(cls, direct: Direct, force: Array, rows: Array, slow: float, fast: float) -> _Modes:
        square, shapes = _modes(direct, slow)
        kept, f = square < fast**2, shapes.T @ force
        X, n = shapes[:, kept], int(kept.sum())
        scale = np.maximum(np.sqrt(square[kept]), slow)  # coordinates as rates: A is nearly skew
        A = np.block([[np.zeros((n, n)), np.diag(scale)], [np.diag(-square[kept] / scale), -X.T @ direct.D @ X]])
        stiff = shapes[:, ~kept] @ (f[~kept] / square[~kept])
        read = np.hstack([rows @ X / scale, np.zeros((len(rows), n))])
        return cls(A, np.append(np.zeros(n), f[kept]), read, rows @ stiff)

    def driven(self, state: Array, times: Array, push: Box | Bell) -> Array:
        """States on equal steps in which the push is nearly a parabola."""
        h, n = float(times[1] - times[0]), len(self.b)
        whole = np.zeros((n + 3, n + 3))  # with the push and its two derivatives beside the state
        whole[:n, :n], whole[:n, n], whole[n, n + 1], whole[n + 1, n + 2] = self.A, self.b, 1.0, 1.0
        onward = scipy.linalg.expm(whole * h)[:n]
        found = [state]
        for t in times[:-1].tolist():
            first, middle, last = push.at(t + h * np.array([0.0, 0.5, 1.0]))
            slopes = first, (4 * middle - 3 * first - last) / h, 4 * (first - 2 * middle + last) / h**2
            found.append(onward @ np.append(found[-1], slopes))
        return np.array(found)


def _modes(direct: Direct, slow: float) -> tuple[Array, Array]:
    """Squares of all frequencies, and modes of unit mass: those of the flexibility, with slow^2 M added to K."""
    A, shift = direct.conditions, flint.arb(slow) ** 2
    n, m = direct.size, len(A)
    whole = np.zeros((n + m, n + m))
    whole[:n, :n], whole[:n, n:], whole[n:, :n] = direct.K, A.T, A
    flint.ctx.prec = _BITS
    left = flint.arb_mat(n + m, n + m, [flint.arb(one) for one in whole.ravel()])
    for i, j in np.argwhere(direct.M).tolist():  # in many digits, or K would swallow it
        left[i, j] += shift * flint.arb(float(direct.M[i, j]))
    solved = left.solve(flint.arb_mat(n + m, n, [int(i == j) for i in range(n + m) for j in range(n)]))
    G = np.array([[float(solved[i, j]) for j in range(n)] for i in range(n)])
    L = np.linalg.cholesky(direct.M)
    flexible, Y = (one[..., ::-1][..., : n - m] for one in np.linalg.eigh(L.T @ (G + G.T) @ L / 2))
    square = 1 / np.maximum(flexible, 1e-18 * flexible[0]) - slow**2
    return np.maximum(square, 0.0), scipy.linalg.solve_triangular(L.T, Y)
