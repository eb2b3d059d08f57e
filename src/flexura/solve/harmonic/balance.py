"""A periodic motion as a few harmonics: the residual of the equations on them, and its slopes.

>>> balance = Balance(system, loads, harmonics=7)
>>> x = balance.settled(balance.nothing, omega)          # rows: mean, cos, sin, cos 2, sin 2, ... of every unknown
>>> balance.error(x, omega)                              # what harmonics that are left out would add

The residual M a - f is taken at equal steps over the period and projected on the same harmonics (alternating between
frequency and time: Cameron & Griffin 1989); its slopes are exact. Stiff unknowns cost nothing, since no step is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
Loads = Callable[[Array, float], Array]
"""u at times, (times, size), under loads whose first harmonic has omega."""
_ROUNDS, _STAYS, _REACHED = 30, 1e-12, 1e-9
_FEWEST = 32


class NotSettled(ArithmeticError):
    """Newton's method found no periodic motion near where it was asked."""


class States(NamedTuple):
    """A motion at times."""

    t: Array
    q: Array
    v: Array
    a: Array


@dataclass(frozen=True, eq=False)
class Balance:
    """One system under its loads, in so many harmonics."""

    system: NonlinearSystem
    loads: Loads
    harmonics: int

    @property
    def rows(self) -> int:
        """Of coefficients: the mean, cosines and sines."""
        return 2 * self.harmonics + 1

    @property
    def nothing(self) -> Array:
        """No motion."""
        return np.zeros((self.rows, self.system.n))

    @cached_property
    def angles(self) -> Array:
        """Equal steps over a period, enough for products of four and for the harmonics beyond."""
        count = max(_FEWEST, 1 << int(np.ceil(np.log2(8 * (self.harmonics + 1)))))
        return 2 * np.pi * np.arange(count) / count

    @cached_property
    def _bases(self) -> tuple[Array, Array, Array]:
        return bases(self.angles, self.harmonics)

    @cached_property
    def _projection(self) -> Array:
        """Coefficients from samples."""
        whole = self._bases[0].T * 2 / len(self.angles)
        whole[0] /= 2
        return whole

    def states(self, x: Array, omega: float, angles: Array | None = None) -> States:
        """The motion at angles of its period."""
        at = self.angles if angles is None else angles
        basis, rate, gain = self._bases if angles is None else bases(at, self.harmonics)
        return States(at / omega, basis @ x, omega * (rate @ x), omega**2 * (gain @ x))

    def missing(self, x: Array, omega: float) -> Array:
        """M a - f at the steps, (steps, n)."""
        t, q, v, a = self.states(x, omega)
        u = self.loads(t, omega)
        if self.system.stacks:
            M, f = self.system.evaluate(t, q, v, u)
            return np.asarray(np.einsum("...ij,...j->...i", M, a) - f)
        found = []
        for one in zip(t.tolist(), q, v, a, u, strict=True):
            M, f = self.system.evaluate(one[0], one[1], one[2], one[4])
            found.append(M @ one[3] - f)
        return np.array(found)

    def residual(self, x: Array, omega: float) -> Array:
        """What is missed of each harmonic: (rows, n)."""
        return np.asarray(self._projection @ self.missing(x, omega))

    def slopes(self, x: Array, omega: float) -> Array:
        """Of the residual by the coefficients: (rows n, rows n)."""
        M, C, K = self.matrices(x, omega)
        n, rows = self.system.n, self.rows
        found = np.zeros((rows * rows, n * n))
        scaled = zip((K, C, M), self._bases, (1.0, omega, omega**2), strict=True)
        for matrix, basis, factor in scaled:
            pairs = self._projection[:, None, :] * (factor * basis.T[None, :, :])
            found += pairs.reshape(rows * rows, -1) @ matrix.reshape(len(matrix), -1)
        return found.reshape(rows, rows, n, n).transpose(0, 2, 1, 3).reshape(rows * n, rows * n)

    def matrices(self, x: Array, omega: float, angles: Array | None = None) -> tuple[Array, Array, Array]:
        """M, dR/dv and dR/dq along the motion: (steps, n, n)."""
        t, q, v, a = self.states(x, omega, angles)
        u, none = self.loads(t, omega), np.zeros((len(t), 0))
        if self.system.stacks:
            M, _ = self.system.evaluate(t, q, v, u)
            M = np.broadcast_to(M, (len(t), *M.shape[-2:])).copy()
            K, C = (np.broadcast_to(one, M.shape) for one in self.system.jacobians(t, q, v, a, u, none))
            return M, C, K
        found = []
        for now, y, rate, gain, load in zip(t.tolist(), q, v, a, u, strict=True):
            M = self.system.evaluate(now, y, rate, load)[0].copy()
            K, C = (part.copy() for part in self.system.jacobians(now, y, rate, gain, load, none[0]))
            found.append((M, C, K))
        M, C, K = (np.array(part) for part in zip(*found, strict=True))
        return M, C, K

    def slope_by_omega(self, x: Array, omega: float) -> Array:
        """Of the residual by the frequency at the same coefficients, (rows n,), by differences of fourth order."""
        step = 1e-3 * omega
        near = self.residual(x, omega + step) - self.residual(x, omega - step)
        far = self.residual(x, omega + 2 * step) - self.residual(x, omega - 2 * step)
        return np.asarray((8 * near - far).ravel() / (12 * step))

    def settled(self, x: Array, omega: float) -> Array:
        """The motion at one frequency, by Newton's method from there."""
        missed = self.residual(x, omega)
        moved = np.inf
        for _ in range(_ROUNDS):
            step = solved(self.slopes(x, omega), -missed.ravel()).reshape(x.shape)
            share = 1.0
            while True:
                after = x + share * step
                left = self.residual(after, omega)
                lower = np.abs(left).max() < np.abs(missed).max()
                if lower or share < 1e-3 or np.abs(step).max() <= _REACHED * np.abs(after).max(initial=1e-300):
                    break
                share /= 2
            moved, x, missed = float(np.abs(step).max(initial=0.0)), after, left
            if share == 1.0 and moved <= _STAYS * np.abs(x).max(initial=1e-300):
                return x
        if moved <= _REACHED * np.abs(x).max(initial=1e-300):
            return x
        raise NotSettled

    def error(self, x: Array, omega: float) -> float:
        """What harmonics up to twice as high would add to first order, as a part of the motion."""
        size = np.abs(self.states(x, omega).q).max(initial=0.0)
        if not size:
            return 0.0
        M, C, K = (one.mean(axis=0) for one in self.matrices(x, omega))
        waves = np.fft.rfft(self.missing(x, omega), axis=0) * 2 / len(self.angles)
        k = np.arange(self.harmonics + 1, min(2 * self.harmonics + 2, len(waves)))[:, None, None] * omega
        added = np.linalg.solve(
            K + 1j * k * C - k**2 * M, waves[self.harmonics + 1 : self.harmonics + 1 + len(k), :, None]
        )
        return float(np.abs(added).max(initial=0.0) / size)

    def finer(self, harmonics: int) -> Balance:
        """The same in other harmonics."""
        return Balance(self.system, self.loads, harmonics)

    def extended(self, x: Array) -> Array:
        """Coefficients of fewer harmonics among these."""
        found = self.nothing
        found[: len(x)] = x[: self.rows]
        return found


def bases(angles: Array, harmonics: int) -> tuple[Array, Array, Array]:
    """1, cos, sin, cos 2, ... at angles, and two derivatives by the angle."""
    values, rates, gains = (np.zeros((len(angles), 2 * harmonics + 1)) for _ in range(3))
    values[:, 0] = 1.0
    for k in range(1, harmonics + 1):
        c, s = np.cos(k * angles), np.sin(k * angles)
        values[:, 2 * k - 1], values[:, 2 * k] = c, s
        rates[:, 2 * k - 1], rates[:, 2 * k] = -k * s, k * c
    gains[:, 1:] = -values[:, 1:] * np.repeat(np.arange(1, harmonics + 1), 2) ** 2
    return values, rates, gains


def solved(A: Array, b: Array) -> Array:
    """A^-1 b; a singular A has no motion."""
    try:
        found = np.linalg.solve(A, b)
    except np.linalg.LinAlgError:
        raise NotSettled from None
    if not np.all(np.isfinite(found)):
        raise NotSettled
    return np.asarray(found)
