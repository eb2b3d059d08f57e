"""Three angles in two orders of turns, as numbers: rotations, rates, and one from the other.

    >>> R = rotation("zyx", (0.3, 1.5, -0.2))
    >>> x = angles_of("zxy", R)
    >>> x_t, x_tt = other_rates("zyx", y, "zxy", x, (y_t, y_tt))         # of the same rotation

Angles about z, then y, then x are singular where the second is a quarter turn, those about z, x, y at other rotations;
between the two none is lost.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_SINGULAR = 1e-9  # radians
_LOST = 1e-13  # of what angles can turn, below which a rate is none: exactly at a singular position


def rotation(order: str, angles: Array) -> Array:
    """The matrix of turns about these axes, each turned by those before."""
    turned = np.eye(3)
    for letter, angle in zip(order, np.asarray(angles, dtype=np.float64).tolist(), strict=True):
        turned = turned @ _turn("xyz".index(letter), angle)
    return turned


def angles_of(order: str, R: Array) -> Array:
    """The angles of a rotation; the second lies between minus and plus a quarter turn."""
    if order == "zyx":
        found = np.arctan2(R[1, 0], R[0, 0]), np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0])), (R[2, 1], R[2, 2])
    else:
        found = np.arctan2(-R[0, 1], R[1, 1]), np.arctan2(R[2, 1], np.hypot(R[0, 1], R[1, 1])), (-R[2, 0], R[2, 2])
    return np.array([found[0], found[1], np.arctan2(*found[2])])


def continued(R: Array, to: Array) -> Array:
    """Of all angles about z, y and x of a rotation those nearest to some; where it is singular, with their first."""
    psi, theta, phi = angles_of("zyx", R)
    if np.cos(theta) < _SINGULAR:  # only phi - psi, or phi + psi, is known there
        side = 1.0 if theta > 0 else -1.0
        psi, phi = to[0], side * to[0] + np.arctan2(side * R[0, 1], R[1, 1])
    both = [np.array(one) for one in ((psi, theta, phi), (psi + np.pi, np.pi - theta, phi + np.pi))]
    shifted = [one + 2 * np.pi * np.round((to - one) / (2 * np.pi)) for one in both]
    return min(shifted, key=lambda one: float(np.abs(one - to).max()))


def other_rates(order: str, y: Array, to: str, x: Array, rates: tuple[Array, Array]) -> tuple[Array, Array]:
    """First and second rates of the angles x in another order, from those of y: both turn as fast."""
    y_t, y_tt = rates
    E, E_t = _axes(order, y, y_t)
    spin, change = E @ y_t, E @ y_tt + E_t @ y_t
    F = _axes(to, x, y_t)[0]
    x_t = _solved(F, spin)
    return x_t, _solved(F, change - _axes(to, x, x_t)[1] @ x_t)


def angle_between(R: Array, S: Array) -> float:
    """By how much one rotation is turned against another."""
    return float(2 * np.arcsin(min(np.linalg.norm(R - S) / np.sqrt(8), 1.0)))


def _turn(axis: int, angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    found = np.eye(3)
    found[i, i] = found[j, j] = c
    found[i, j], found[j, i] = -s, s
    return found


def _axes(order: str, angles: Array, rates: Array) -> tuple[Array, Array]:
    """The axes that the angles turn about, as columns: spin = E rates; and the rate of E."""
    E, E_t, turned, spin = np.zeros((3, 3)), np.zeros((3, 3)), np.eye(3), np.zeros(3)
    for k, letter in enumerate(order):
        axis = "xyz".index(letter)
        E[:, k] = turned[:, axis]
        E_t[:, k] = np.cross(spin, E[:, k])
        spin = spin + E[:, k] * rates[k]
        turned = turned @ _turn(axis, float(angles[k]))
    return E, E_t


def _solved(E: Array, spin: Array) -> Array:
    """Rates of angles; exactly at a singular position, where some spins need none or none will do, the least."""
    return np.asarray(np.linalg.lstsq(E, spin, rcond=_LOST)[0], dtype=np.float64)
