"""One step of coupled linear equations on one state, without its matrix: for lengths that hardly any step shares.

>>> Action(blocks, degree).step(h, z, inputs)          # the state after it, and the energies lost and gained on it

The matrix of a step costs the cube of its size, and those of the energies many times that. Beside it the Taylor series
of one state is cheap. The step is divided into parts so short that the series is exact to rounding; the powers of loss
and supply are polynomials on each, which Gauss's nodes integrate exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, comb, factorial

import numpy as np
from numpy.typing import NDArray

from flexura.solve.steppers.linear_step import LARGEST, Blocks, unstable

Array = NDArray[np.float64]
_TERMS = 18  # of the series of a part over which the fastest motion goes on by 1: 1/19! is less than rounding
_NODES, _WEIGHTS = (np.polynomial.legendre.leggauss(14)[0] + 1) / 2, np.polynomial.legendre.leggauss(14)[1] / 2
_POWERS = np.vander(_NODES, _TERMS + 1, increasing=True)
_PRODUCTS = 300.0  # of whole matrices, that the matrices of a step and of its energies take, about
_CALLS = 1e6  # operations in the time that the calls of a part take, about; those of matrices are more
_MORE = 6.0
_SLOW = 5.0  # times that an operation takes with one state, of what it takes with a matrix


@dataclass(frozen=True)
class Action:
    """Steps of one block whose inputs are polynomials of a degree; -1: without inputs."""

    blocks: Blocks
    degree: int

    def parts(self, h: float) -> int:
        """Into how many parts a step is divided."""
        return max(1, ceil(h * self._rate))

    def is_cheap(self, h: float, count: int) -> bool:
        """Whether so many steps of this length cost less than its matrices, by their operations."""
        m = self.blocks.L.shape[1]
        size = 2 * m + self.blocks.E.shape[2] * (self.degree + 1)
        part = _CALLS + _SLOW * 4 * m * m * (_TERMS + len(_NODES))
        return bool(m > 1 and count * max(1.0, h * self._rate) * part < _MORE * _CALLS + _PRODUCTS * size**3)

    def step(self, h: float, z: Array, inputs: Array) -> tuple[Array, float, float]:
        """From z = (y, y') with inputs (f, f' h, f'' h^2, ...): z after the step, the energies lost and gained."""
        given = inputs.reshape(self.degree + 1, self.blocks.E.shape[2]) / self._factorials
        parts, lost, gained = self.parts(h), 0.0, 0.0
        for i in range(parts):
            z, less, more = self._part(h / parts, z, _moved(given, i / parts, 1 / parts))
            lost, gained = lost + less, gained + more
        if not np.abs(z).max() < LARGEST:
            raise unstable(h)
        return z, lost, gained

    def _part(self, h: float, z: Array, given: Array) -> tuple[Array, float, float]:
        """The same of one part, with the coefficients of 1, s, s^2, ... of its inputs."""
        m = len(z) // 2
        pushes = np.zeros((_TERMS, m))
        pushes[: len(given)] = given @ self.blocks.E[0].T
        terms = np.empty((_TERMS + 1, 2 * m))
        terms[0] = z
        for k in range(_TERMS):
            now, then = terms[k], terms[k + 1]
            then[:m] = now[m:]
            np.subtract(pushes[k], self._back @ now, out=then[m:])
            then *= h / (k + 1)
        y, v = np.split(_POWERS @ terms, 2, axis=1)
        f = _POWERS[:, : len(given)] @ given
        loss = ((v @ self.blocks.power_loss[0]) * v).sum(axis=1)
        gain = -((v @ self.blocks.power_circulating[0]) * y).sum(axis=1)
        if len(given):
            gain += ((v @ self.blocks.power_in[0]) * f).sum(axis=1)
        return terms[::-1].sum(axis=0), h * float(_WEIGHTS @ loss), h * float(_WEIGHTS @ gain)

    @cached_property
    def _back(self) -> Array:
        return np.hstack([self.blocks.L[0], self.blocks.C[0]])

    @cached_property
    def _rate(self) -> float:
        """No motion goes on faster."""
        squares, rates = (np.abs(one[0]).sum(axis=1).max() for one in (self.blocks.L, self.blocks.C))
        return float(np.sqrt(squares) + rates)

    @cached_property
    def _factorials(self) -> Array:
        return np.array([[factorial(i)] for i in range(self.degree + 1)], dtype=np.float64).reshape(-1, 1)


def _moved(given: Array, start: float, width: float) -> Array:
    """Coefficients of the same polynomials in (s - start)/width."""
    count = len(given)
    change = np.zeros((count, count))
    for k in range(count):
        for j in range(k, count):
            change[k, j] = comb(j, k) * start ** (j - k) * width**k
    return np.asarray(change @ given)
