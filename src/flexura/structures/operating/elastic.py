"""The lowest elastic modes of K x = omega^2 M x by Lanczos on K+ M: rigid motions are not in its range.

>>> squares, shapes = elastic_modes(mass_metric_inverse(system), 10)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator, eigsh

from flexura.structures.operating.inverse import MassMetricInverse
from flexura.systems.second_order import as_dense

Array = NDArray[np.float64]
_DENSE = 700


def elastic_modes(inverse: MassMetricInverse, count: int) -> tuple[Array, Array]:
    """omega^2 ascending and mass-normalised shapes; fewer if the system has fewer.

    Modes on soft mounts come first and are then taken out: they are so much slower that 1/omega^2 of all others would
    drown in their rounding.
    """
    slow = 0 if inverse.rigid.mounted is None else inverse.rigid.mounted.q.shape[1]
    none = np.zeros((inverse.system.n, 0))
    squares, X = _lowest(_Without(inverse, none, none), min(count, slow) if slow else count)
    if not 0 < slow < count:
        return squares, X
    more, Y = _lowest(_Without(inverse, X, inverse.system.M @ X), count - len(squares))
    squares = np.concatenate([squares, more])
    order = np.argsort(squares, kind="stable")
    return squares[order], np.column_stack([X, Y])[:, order]


@dataclass(frozen=True)
class _Without:
    """K+ without some modes X, and without rigid motions."""

    inverse: MassMetricInverse
    X: Array
    MX: Array

    def __call__(self, F: Array) -> Array:
        return self.deformation(self.inverse(F - self.MX @ (self.X.T @ F)))

    def deformation(self, x: Array) -> Array:
        """x without these modes and rigid motions."""
        x = self.inverse.deformation(x)
        for _ in range(2):
            x = x - self.X @ (self.MX.T @ x)
        return np.asarray(x)


def _lowest(solve: _Without, count: int) -> tuple[Array, Array]:
    system = solve.inverse.system
    n = system.n
    count = min(count, n - solve.inverse.rigid.count - solve.X.shape[1])
    if count <= 0:
        return np.zeros(0), np.zeros((n, 0))
    if n <= _DENSE or count > n // 4:
        return _dense(solve, count)
    start = solve(system.M @ np.random.default_rng(3).standard_normal(n))
    operator = LinearOperator((n, n), matvec=solve, dtype=np.float64)
    width = min(n, max(2 * count + 1, 20))
    squares, X = eigsh(system.K, count, system.M, sigma=0.0, OPinv=operator, v0=start, ncv=width, tol=1e-13)
    order = np.argsort(squares)
    return squares[order], _polished(solve, X[:, order])


def _polished(solve: _Without, X: Array) -> Array:
    """Rigid parts and the scale of the mass set right."""
    X = solve.deformation(X)
    return np.asarray(X / np.sqrt(np.einsum("ij,ij->j", X, solve.inverse.system.M @ X)))


def _dense(solve: _Without, count: int) -> tuple[Array, Array]:
    """All modes through 1/omega^2, whose largest, the lowest modes, come out to full precision."""
    M = as_dense(solve.inverse.system.M)
    values, vectors = np.linalg.eigh(M)
    solid = values > 1e-14 * values.max()
    root = vectors[:, solid] * np.sqrt(values[solid])
    flexibility = solve(root)
    mu, Y = scipy.linalg.eigh(_half(root.T @ flexibility))
    found = mu > 1e-14 * mu.max(initial=0.0)
    mu, Y = mu[found][::-1][:count], Y[:, found][:, ::-1][:, :count]
    return 1 / mu, _polished(solve, (flexibility @ Y) / mu)


def _half(A: Array) -> Array:
    return np.asarray((A + A.T) / 2)
