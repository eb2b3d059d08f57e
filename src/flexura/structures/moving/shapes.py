"""Shape functions along an element, exact for end loads: sections may vary and shear is part of the solution.

Under loads at its ends alone an element carries a constant axial force, torque and shear, and a moment linear in x.
Integrating what these do to the section (1/EA, 1/GJ, 1/EI, 1/kGA) gives displacement and rotation along the element
for any section, and for a uniform one the usual polynomials with Phi = 12 EI/(kGA L^2). Nothing can lock, because
shear is not a penalty here but the solution itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Rule:
    """Gauss points and weights on 0..1, and the matrix that integrates from 0 to each point."""

    points: Array
    weights: Array
    upto: Array

    def rest(self, values: Array) -> Array:
        """The integral from each point to 1, of values (..., points)."""
        return np.asarray((values @ self.weights)[..., None] - values @ self.upto.T)


@lru_cache(maxsize=8)
def gauss(count: int) -> Rule:
    """The rule with `count` points: exact to degree 2 count - 1, and `upto` to degree count - 1."""
    roots, weights = np.polynomial.legendre.leggauss(count)
    values = np.polynomial.legendre.legvander(roots, count - 1)
    degree = np.arange(count)
    coefficients = (degree[:, None] + 0.5) * values.T * weights  # discrete Legendre transform
    integrals = np.polynomial.legendre.legint(np.eye(count), lbnd=-1)  # of each Legendre polynomial, from -1
    upto = np.polynomial.legendre.legval(roots, integrals).T @ coefficients
    return Rule((roots + 1) / 2, weights / 2, upto / 2)


@dataclass(frozen=True)
class Plane:
    """One plane of bending: deflection, rotation and slope (elements, points, 4) for (v1, slope1, v2, slope2)."""

    deflection: Array
    rotation: Array
    slope: Array


def bending_flexibility(bending: Array, shear: Array, lengths: Array, rule: Rule) -> Array:
    """F (elements, 2, 2): what a moment a + b (x - L/2) does to (slope2 - slope1, v1 - v2 + L (slope1 + slope2)/2).

    `bending` is 1/EI and `shear` 1/kGA at the rule's points.
    """
    xi = rule.points - 0.5
    first = (bending * xi) @ rule.weights * lengths**2
    F = np.empty((len(lengths), 2, 2))
    F[:, 0, 0] = bending @ rule.weights * lengths
    F[:, 0, 1] = F[:, 1, 0] = first
    F[:, 1, 1] = (bending * xi**2) @ rule.weights * lengths**3 + shear @ rule.weights * lengths
    return F


def inverse(F: Array) -> Array:
    """The inverses of 2 x 2 matrices (n, 2, 2); for a uniform section they are diagonal."""
    determinant = F[:, 0, 0] * F[:, 1, 1] - F[:, 0, 1] * F[:, 1, 0]
    result = np.empty_like(F)
    result[:, 0, 0], result[:, 1, 1] = F[:, 1, 1] / determinant, F[:, 0, 0] / determinant
    result[:, 0, 1] = result[:, 1, 0] = -F[:, 0, 1] / determinant
    return result


def plane(bending: Array, shear: Array, lengths: Array, rule: Rule) -> Plane:
    """Deflection, rotation and slope along the elements; `bending` is 1/EI, `shear` 1/kGA at the rule's points."""
    L = lengths[:, None]
    one, zero = np.ones_like(lengths), np.zeros_like(lengths)
    ends = np.stack([np.stack([zero, -one, zero, one], 1), np.stack([one, lengths / 2, -one, lengths / 2], 1)], 1)
    moment = inverse(bending_flexibility(bending, shear, lengths, rule)) @ ends  # (a, b) from the four end values
    upto = rule.upto.T
    f0, f1 = bending @ upto * L, (bending * (rule.points - 0.5)) @ upto * L**2
    g0, g1 = f0 @ upto * L, f1 @ upto * L - shear @ upto * L
    a, b = moment[:, None, 0], moment[:, None, 1]
    rotation = f0[..., None] * a + f1[..., None] * b
    deflection = g0[..., None] * a + g1[..., None] * b
    rotation[..., 1] += 1
    deflection[..., 0] += 1
    deflection[..., 1] += L * rule.points
    return Plane(deflection, rotation, rotation - shear[..., None] * b)


def stretch(flexibility: Array, rule: Rule) -> Array:
    """The two shapes (elements, points, 2) of axial motion or torsion; `flexibility` is 1/EA or 1/GJ."""
    second = flexibility @ rule.upto.T / (flexibility @ rule.weights)[:, None]
    return np.stack([1 - second, second], axis=-1)
