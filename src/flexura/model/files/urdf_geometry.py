"""Rotations and vectors in numbers, as far as reading a URDF needs them."""

from __future__ import annotations

import math

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]
ZERO: Triple = (0.0, 0.0, 0.0)
UNIT: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
_ROUND = 1e-12  # of the largest component: what products of sines and cosines leave of a zero


def of_angles(roll: float, pitch: float, yaw: float) -> Matrix:
    """Rz(yaw) Ry(pitch) Rx(roll), as URDF means them."""
    (a, b), (c, d), (e, f) = ((math.cos(one), math.sin(one)) for one in (yaw, pitch, roll))
    return (
        (a * c, a * d * f - b * e, a * d * e + b * f),
        (b * c, b * d * f + a * e, b * d * e - a * f),
        (-d, c * f, c * e),
    )


def product(A: Matrix, B: Matrix) -> Matrix:
    """A B."""
    a, b, c = (apply(A, column) for column in transposed(B))
    return transposed((a, b, c))


def apply(A: Matrix, v: Triple) -> Triple:
    """A v."""
    x, y, z = (row[0] * v[0] + row[1] * v[1] + row[2] * v[2] for row in A)
    return x, y, z


def transposed(A: Matrix) -> Matrix:
    """A'."""
    a, b, c = ((A[0][j], A[1][j], A[2][j]) for j in range(3))
    return a, b, c


def similar(R: Matrix, A: Matrix) -> Matrix:
    """R A R'."""
    found = product(product(R, A), transposed(R))
    a, b, c = (_mean(row, column) for row, column in zip(found, transposed(found), strict=True))
    return a, b, c


def _mean(a: Triple, b: Triple) -> Triple:
    x, y, z = ((one + other) / 2 for one, other in zip(a, b, strict=True))
    return x, y, z


def plus(a: Triple, b: Triple) -> Triple:
    """a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def minus(a: Triple, b: Triple) -> Triple:
    """a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def length_of(v: Triple) -> float:
    """|v|."""
    return math.hypot(*v)


def clean(v: Triple) -> Triple:
    """Without what rounding leaves of zeros and ones."""
    size = max(map(abs, v))
    kept = [one if abs(one) > _ROUND * max(size, 1e-300) else 0.0 for one in v]
    x, y, z = (float(round(one)) if abs(one - round(one)) <= _ROUND else one for one in kept)
    return x, y, z


def towards(along: Triple) -> tuple[float, Triple]:
    """The shortest turn that brings the x axis along a vector: angle and axis."""
    x, y, z = (one / length_of(along) for one in along)
    sine = math.hypot(y, z)
    if sine <= _ROUND:
        return (0.0 if x > 0 else math.pi), (0.0, 0.0, 1.0)
    return math.atan2(sine, x), (0.0, -z / sine + 0.0, y / sine)
