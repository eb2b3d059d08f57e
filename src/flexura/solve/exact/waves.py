"""Waves of a uniform line at each s: lambda^2 and vectors, and the stiffness they give a line of any length.

Matrices are (row, column, point): the points of a response are taken together, the matrices are 1 x 1 or 2 x 2 for the
elements of the table and any size for others. `closed.py` tells what X, Y, phi and psi are.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.solve.exact.lines import Array

Matrices = NDArray[Any]  # (row, column, point)
Flags = NDArray[np.bool_]
_MEET = 1e-3  # how independent solutions must be
_TINY = 1e-290


class Solutions:
    """lambda^2 and the vectors of a block at each point, and the stiffness they give a line of any length."""

    def __init__(self, X: Matrices, Y: Matrices, y: Matrices, even: Flags) -> None:
        """`y`: what the coordinates along the line add to od_x."""
        self.X, self.Y, self.y, self.even = X, Y, y, even

    @cached_property
    def _eigen(self) -> tuple[Matrices, Matrices, Matrices]:
        return _eigen(self.X, self.Y)

    @property
    def squares(self) -> Matrices:
        """lambda^2, (solution, point)."""
        return self._eigen[0]

    @cached_property
    def independent(self) -> Flags:
        """Where the solutions, and the steady answer to the coordinates along the line, are well defined."""
        good = _apart(self._eigen[1]) & _apart(self._eigen[2])
        if self.y.shape[1]:
            good &= _apart(self.Y)
        return good

    def stiffness(self, length: float) -> tuple[Matrices, Matrices, Matrices]:
        """Loads at the end b against q there for even and for odd motion, and half of int ev dx for the even one."""
        squares, phi, psi = self._eigen
        c, s = _waves(squares, length / 2)
        even = self._close(phi * c, product(self.Y, phi) * s)
        odd = self._close(product(self.X, psi) * s, psi * c)
        found = even[0], odd[0], product(phi * s, even[1])
        return found if np.iscomplexobj(self.Y) else (found[0].real, found[1].real, found[2].real)

    def _close(self, ev: Matrices, od: Matrices) -> tuple[Matrices, Matrices]:
        rows = self.even[:, None, None]
        q, loads = np.where(rows, ev, od), np.where(rows, od, ev)
        inverse = inverse_of(q)
        return product(loads, inverse), inverse

    def __call__(self, length: float) -> tuple[Matrices, Matrices, Matrices]:
        """D over (q at a, q at b), its columns for the coordinates along the line, and their own square."""
        even, odd, half = self.stiffness(length)
        R = np.where(self.even, 1.0, -1.0)
        same, other = (even + odd) / 2, (even - odd) / 2
        turned = same * R[:, None, None] * R[None, :, None]
        ends = np.concatenate(
            [
                np.concatenate([turned, other * R[:, None, None]], axis=1),
                np.concatenate([other * R[None, :, None], same], axis=1),
            ]
        )
        if not self.y.shape[1]:
            return ends, ends[:, :0], ends[:0, :0]
        steady = -product(inverse_of(self.Y), self.y)  # ev of the motion that does not change along the line
        mask = self.even[:, None, None]
        q, loads = np.where(mask, steady, 0.0), np.where(mask, 0.0, steady)
        column = loads - product(even, q)
        weight = np.swapaxes(np.where(mask, self.y, 0.0), 0, 1)
        own = length * product(weight, steady) - 2 * product(weight, product(half, q))
        return ends, np.concatenate([column * R[:, None, None], column]), own

    def passed(self, lengths: Array) -> NDArray[np.int64]:
        """(length, point): negative pivots of the joint in the middle of a line of twice this length, ends held."""
        squares, phi, psi = self._eigen
        n, points = len(lengths), squares.shape[1]
        X, Y, phi, psi = (np.tile(one, (1, 1, n)) for one in (self.X, self.Y, phi, psi))
        c, s = _waves(np.tile(squares, (1, n)), np.repeat(lengths / 2, points))
        even = self._close(phi * c, product(Y, phi) * s)[0]
        odd = self._close(product(X, psi) * s, psi * c)[0]
        both = (even + odd).real
        found = sum((_negative(both[np.ix_(one, one)]) for one in (self.even, ~self.even)), np.zeros(1, np.int64))
        return np.asarray(found).reshape(n, points)


def polynomial(forms: Array, s: Matrices | None, s2: Matrices) -> Matrices:
    """forms[0] + s forms[1] + s^2 forms[2] at each point."""
    found = forms[0][:, :, None] + forms[2][:, :, None] * s2
    return np.asarray(found if s is None or not np.any(forms[1]) else found + forms[1][:, :, None] * s)


def product(a: Matrices, b: Matrices) -> Matrices:
    """The matrix product at each point."""
    if a.shape[1] == 1:
        return np.asarray(a * b)
    return np.asarray(np.einsum("ijp,jkp->ikp", a, b))


def inverse_of(a: Matrices) -> Matrices:
    """Of each point's matrix; beside a pole of D as large as numbers get."""
    if len(a) == 1:
        return 1 / np.where(np.abs(a) < _TINY, _TINY, a)
    if len(a) == 2:
        det = a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0]
        det = np.where(np.abs(det) < _TINY, _TINY, det)
        return np.array([[a[1, 1], -a[0, 1]], [-a[1, 0], a[0, 0]]]) / det
    by_point = np.moveaxis(a, 2, 0)
    try:
        return np.moveaxis(np.linalg.inv(by_point), 0, 2)
    except np.linalg.LinAlgError:
        shaken = 1 + 1e-15 * np.cos(np.arange(by_point[0].size)).reshape(by_point[0].shape)
        return np.moveaxis(np.linalg.inv(by_point * shaken), 0, 2)


def _eigen(X: Matrices, Y: Matrices) -> tuple[Matrices, Matrices, Matrices]:
    """lambda^2 of XY (and YX), with the vectors of both."""
    XY, YX = product(X, Y), product(Y, X)
    if len(XY) == 1:
        return XY[0], np.ones_like(XY), np.ones_like(XY)
    if len(XY) == 2:
        det = _det(X) * _det(Y)
        squares, phi = _eigen_two(XY, det)
        _, psi = _eigen_two(YX, det)
        return squares, phi, psi
    squares, phi = np.linalg.eig(np.moveaxis(XY, 2, 0))
    phi = np.moveaxis(phi, 0, 2)
    return np.moveaxis(squares, 0, 1), phi, product(Y + 0 * phi[:1, :1], phi)


def _det(a: Matrices) -> Matrices:
    return np.asarray(a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0])


def _eigen_two(a: Matrices, det: Matrices) -> tuple[Matrices, Matrices]:
    """Both eigenvalues and vectors of 2 x 2 matrices, without cancellation; `det` is their determinant."""
    difference, middle, mixed = (a[0, 0] - a[1, 1]) / 2, (a[0, 0] + a[1, 1]) / 2, a[0, 1] * a[1, 0]
    under = difference**2 + mixed
    if not np.iscomplexobj(under) and np.any(under < 0):
        under = under + 0j
    root = np.sqrt(under)
    root = np.where((difference * np.conj(root)).real < 0, -root, root)
    large = np.where((middle * np.conj(root)).real < 0, middle - root, middle + root)
    small = det / np.where(np.abs(large) < _TINY, _TINY, large)
    first = (middle * np.conj(root)).real >= 0
    squares = np.array([np.where(first, large, small), np.where(first, small, large)])
    diagonal = difference + root
    loose = np.abs(diagonal) < _TINY
    diagonal = np.where(loose, _TINY, diagonal)
    vectors = np.empty((2, 2, len(diagonal)), diagonal.dtype)
    vectors[0, 0], vectors[0, 1], vectors[1, 0], vectors[1, 1] = diagonal, a[0, 1], a[1, 0], -diagonal
    return squares, vectors


def _waves(squares: Matrices, half: float | Array) -> tuple[Matrices, Matrices]:
    """cosh(lambda half) and sinh(lambda half)/lambda, both times e^(-|Re lambda half|)."""
    if np.iscomplexobj(squares):
        root = np.sqrt(squares)
        shrunk = np.expm1(-2 * root * half)
        sinh = np.where(np.abs(root) * half < 1e-8, half, -shrunk / np.where(root == 0, 1, 2 * root))
        return 1 + shrunk / 2, sinh
    root = np.sqrt(np.abs(squares))
    wave, z = squares < 0, root * half
    shrunk = np.expm1(-2 * np.where(wave, 0, z))
    c = np.where(wave, np.cos(z), 1 + shrunk / 2)
    safe = np.where(z < 1e-8, 1, root)
    return c, np.where(z < 1e-8, half, np.where(wave, np.sin(z), -shrunk / 2) / safe)


def _apart(vectors: Matrices) -> Flags:
    """Whether columns are independent, rows and columns scaled to the same size."""
    if len(vectors) == 1:
        return np.asarray(np.abs(vectors[0, 0]) > 0)
    scaled = vectors / np.maximum(np.abs(vectors).max(axis=1, keepdims=True), _TINY)
    scaled = scaled / np.maximum(np.sqrt((np.abs(scaled) ** 2).sum(axis=0, keepdims=True)), _TINY)
    if len(vectors) == 2:
        return np.asarray(np.abs(_det(scaled)) > _MEET)
    return np.asarray(np.linalg.cond(np.moveaxis(scaled, 2, 0)) < 1 / _MEET)


def _negative(a: Matrices) -> NDArray[np.int64]:
    """How many negative eigenvalues."""
    if len(a) == 0:
        return np.zeros(1, np.int64)
    if len(a) == 1:
        return np.asarray(a[0, 0] < 0, dtype=np.int64)
    return np.asarray((np.linalg.eigvalsh(np.moveaxis(a, 2, 0)) < 0).sum(axis=1))
