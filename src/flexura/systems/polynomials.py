"""Functions on a stretch of a line: Hermite ends and integrated Legendre polynomials inside, in the variable -1..1.

The inner functions are orthonormal in the highest derivative, so the stiffness of a uniform stretch is diagonal and low
roots keep all their digits.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.polynomial.legendre import Legendre, leggauss, legvander
from numpy.typing import NDArray

Array = NDArray[np.float64]


@lru_cache(maxsize=64)
def functions(order: int, inner: int) -> tuple[tuple[Legendre, ...], ...]:
    """For a field of that order: its end functions at a, at b, and `inner` functions that vanish at the ends.

    End slopes are per unit of 2 dw/dxi, that is of the length times the slope.
    """
    if order == 0:
        return (), (), tuple(_scaled(n, np.sqrt((2 * n + 1) / 2)) for n in range(inner))
    if order == 1:
        return (Legendre([0.5, -0.5]),), (Legendre([0.5, 0.5]),), tuple(_once(n) for n in range(1, inner + 1))
    a = Legendre([0.5, -0.6, 0, 0.1]), Legendre([1 / 12, -1 / 20, -1 / 12, 1 / 20])
    b = Legendre([0.5, 0.6, 0, -0.1]), Legendre([-1 / 12, -1 / 20, 1 / 12, 1 / 20])
    return a, b, tuple(_twice(n) for n in range(2, inner + 2))


def _scaled(n: int, factor: float) -> Legendre:
    return Legendre([0.0] * n + [factor])


def _once(n: int) -> Legendre:
    """(P_(n+1) - P_(n-1)) / sqrt(2 (2n+1)): its derivative is P_n, normed."""
    c = np.zeros(n + 2)
    c[n + 1], c[n - 1] = 1.0, -1.0
    return Legendre(c / np.sqrt(2 * (2 * n + 1)))


def _twice(n: int) -> Legendre:
    """Its second derivative is P_n, normed."""
    c = np.zeros(n + 3)
    c[n + 2] += 1 / (2 * n + 3)
    c[n] -= 1 / (2 * n + 3) + 1 / (2 * n - 1)
    c[n - 2] += 1 / (2 * n - 1)
    return Legendre(c / (2 * n + 1) * np.sqrt((2 * n + 1) / 2))


@lru_cache(maxsize=64)
def gauss(points: int) -> tuple[Array, Array]:
    """Nodes and weights on -1..1."""
    nodes, weights = leggauss(points)
    return nodes, weights


@lru_cache(maxsize=256)
def _coefficients(order: int, inner: int, derivative: int) -> tuple[Array, ...]:
    """Legendre coefficients of a derivative of the functions at a, at b and inside: (functions, degree) each."""
    degree = inner + 4
    found = []
    for group in functions(order, inner):
        c = np.zeros((len(group), degree))
        for i, f in enumerate(group):
            one = f.deriv(derivative).coef if derivative else f.coef
            c[i, : len(one)] = one
        found.append(c)
    return tuple(found)


def table(order: int, inner: int, derivative: int, xi: Array) -> tuple[Array, ...]:
    """Values of a derivative (in xi) of the functions at a, at b and inside: (functions, points) each."""
    P = legvander(xi, inner + 3).T
    return tuple(c @ P for c in _coefficients(order, inner, derivative))


@lru_cache(maxsize=256)
def gauss_table(order: int, inner: int, derivative: int, points: int) -> tuple[Array, ...]:
    """The same at Gauss points."""
    return table(order, inner, derivative, gauss(points)[0])
