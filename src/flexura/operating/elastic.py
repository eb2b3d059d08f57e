"""The lowest elastic modes of K x = omega^2 M x by Lanczos on K+ M: rigid motions are not in its range.

>>> squares, shapes = elastic_modes(mass_metric_inverse(system), 10)
"""

from __future__ import annotations

import numpy as np
import scipy.linalg
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator, eigsh

from flexura.operating.inverse import MassMetricInverse
from flexura.systems.second_order import as_dense

Array = NDArray[np.float64]
_DENSE = 700


def elastic_modes(inverse: MassMetricInverse, count: int) -> tuple[Array, Array]:
    """omega^2 ascending and mass-normalised shapes; fewer if the system has fewer."""
    system = inverse.system
    n, r = system.n, inverse.rigid.count
    count = min(count, n - r)
    if count <= 0:
        return np.zeros(0), np.zeros((n, 0))
    if n <= _DENSE or count > n // 4:
        return _dense(inverse, count)
    start = inverse(system.M @ np.random.default_rng(3).standard_normal(n))
    operator = LinearOperator((n, n), matvec=inverse, dtype=np.float64)
    width = min(n, max(2 * count + 1, 20))
    squares, X = eigsh(system.K, count, system.M, sigma=0.0, OPinv=operator, v0=start, ncv=width, tol=1e-13)
    order = np.argsort(squares)
    return squares[order], _polished(inverse, squares[order], X[:, order])


def _polished(inverse: MassMetricInverse, squares: Array, X: Array) -> Array:
    """Rigid parts and the scale of the mass set right."""
    X = inverse.deformation(X)
    return np.asarray(X / np.sqrt(np.einsum("ij,ij->j", X, inverse.system.M @ X)))


def _dense(inverse: MassMetricInverse, count: int) -> tuple[Array, Array]:
    """All modes through 1/omega^2, whose largest, the lowest modes, come out to full precision."""
    system = inverse.system
    M = as_dense(system.M)
    values, vectors = np.linalg.eigh(M)
    solid = values > 1e-14 * values.max()
    root = vectors[:, solid] * np.sqrt(values[solid])
    flexibility = inverse(root)
    mu, Y = scipy.linalg.eigh(_half(root.T @ flexibility))
    found = mu > 1e-14 * mu.max(initial=0.0)
    mu, Y = mu[found][::-1][:count], Y[:, found][:, ::-1][:, :count]
    return 1 / mu, _polished(inverse, 1 / mu, (flexibility @ Y) / mu)


def _half(A: Array) -> Array:
    return np.asarray((A + A.T) / 2)
