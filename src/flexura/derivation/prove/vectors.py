"""Vectors and rotations in many digits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from flexura.derivation.prove.program import Number, mp

Vector: TypeAlias = Sequence[Number]
Matrix: TypeAlias = Sequence[Sequence[Number]]

ZERO = mp.mpf(0)
NULL: Vector = (ZERO, ZERO, ZERO)
AXES: Matrix = tuple(tuple(mp.mpf(i == j) for j in range(3)) for i in range(3))
TINY = mp.mpf(10) ** -40
"""Below this a coefficient is zero."""


def add(*vectors: Vector) -> Vector:
    """The sum."""
    return tuple(sum(parts, ZERO) for parts in zip(*vectors, strict=True))


def scale(factor: Number, v: Vector) -> Vector:
    """A multiple."""
    return tuple(factor * one for one in v)


def subtract(a: Vector, b: Vector) -> Vector:
    """a - b."""
    return tuple(x - y for x, y in zip(a, b, strict=True))


def dot(a: Vector, b: Vector) -> Number:
    """The inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """The vector product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def turn(m: Matrix, v: Vector) -> Vector:
    """m v."""
    return tuple(dot(row, v) for row in m)


def transpose(m: Matrix) -> Matrix:
    """Rows become columns."""
    return tuple(zip(*m, strict=True))


def product(a: Matrix, b: Matrix) -> Matrix:
    """a b."""
    columns = transpose(b)
    return tuple(tuple(dot(row, column) for column in columns) for row in a)


def turned_by(vector: Vector) -> Matrix:
    """The rotation by a rotation vector (Rodrigues); its length is the angle."""
    angle = mp.sqrt(dot(vector, vector))
    if angle == 0:
        return AXES
    axis = scale(1 / angle, vector)
    c, s = mp.cos(angle), mp.sin(angle)
    across = [cross(axis, e) for e in AXES]
    return tuple(
        tuple(c * AXES[i][j] + (1 - c) * axis[i] * axis[j] + s * across[j][i] for j in range(3)) for i in range(3)
    )


def rotation_vector(quaternion: Sequence[Number]) -> Vector:
    """That of a quaternion of any length but zero; its own length is the angle, up to a full turn."""
    real, *vector = quaternion
    size = mp.sqrt(dot(vector, vector))
    return NULL if size == 0 else scale(2 * mp.atan2(size, real) / size, tuple(vector))


def axial(before: Matrix, after: Matrix, steps: Number) -> Vector:
    """The rate of turning between two rotations `steps` apart, in space."""
    rate = [[(b - a) / steps for a, b in zip(x, y, strict=True)] for x, y in zip(before, after, strict=True)]
    mean = [[(b + a) / 2 for a, b in zip(x, y, strict=True)] for x, y in zip(before, after, strict=True)]
    skew = product(rate, transpose(mean))
    return ((skew[2][1] - skew[1][2]) / 2, (skew[0][2] - skew[2][0]) / 2, (skew[1][0] - skew[0][1]) / 2)
