"""Rotations by quaternions e = (e0, e1, e2, e3): they turn as far as they like, and interpolate without a chart.

    R(e) r = r + 2 (e0 v x r + v x (v x r))/n        v = (e1, e2, e3), n = e0^2 + v.v

The length of e does not matter: R, and what is made of it here, are the same for any multiple of it. A turn p in front
of e is a linear map of e, so polynomials in x that are turned as a whole remain polynomials of the same degree.

>>> turned_back((ONE, ZERO, ZERO, ZERO), EX) == EX
"""

from __future__ import annotations

import symengine

from flexura.symbolic.engine import ONE, Basic
from flexura.symbolic.kinematics.vectors import AXES, Matrix, Vector, add, cross, dot, scale, subtract, transpose

Quaternion = tuple[Basic, Basic, Basic, Basic]
_TWO = symengine.Integer(2)


def squared(e: Quaternion) -> Basic:
    """e0^2 + e1^2 + e2^2 + e3^2."""
    return e[0] ** 2 + dot(e[1:], e[1:])


def turned(e: Quaternion, r: Vector) -> Vector:
    """R(e) r: components in the turned axes to components in those that it is turned in."""
    across = cross(e[1:], r)
    return add(r, scale(_TWO / squared(e), add(scale(e[0], across), cross(e[1:], across))))


def turned_back(e: Quaternion, r: Vector) -> Vector:
    """R(e)' r: the other way round."""
    return turned((-e[0], *e[1:]), r)


def matrix(e: Quaternion) -> Matrix:
    """R(e)."""
    x, y, z = (turned(e, axis) for axis in AXES)
    return transpose((x, y, z))


def rate_in_turned_axes(e: Quaternion, change: Quaternion) -> Vector:
    """The axial vector of R' dR, `change` being de: curvature and twist, or spin, in the turned axes."""
    return _rate(e, change, -ONE)


def rate_in_still_axes(e: Quaternion, change: Quaternion) -> Vector:
    """The axial vector of dR R', in the axes that it is turned in."""
    return _rate(e, change, ONE)


def _rate(e: Quaternion, change: Quaternion, sense: Basic) -> Vector:
    v, moved = e[1:], change[1:]
    straight = subtract(scale(e[0], moved), scale(change[0], v))
    return scale(_TWO / squared(e), add(straight, scale(sense, cross(v, moved))))
