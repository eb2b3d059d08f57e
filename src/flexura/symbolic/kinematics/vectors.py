"""Vectors and rotations with symbolic components: small tuples, nothing more.

>>> cross(EZ, EX) == EY
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

import symengine

from flexura.symbolic.engine import ONE, ZERO, Basic, Symbol, exact, partial

Vector: TypeAlias = tuple[Basic, Basic, Basic]
Matrix: TypeAlias = tuple[Vector, Vector, Vector]
"""Rows."""

NULL: Vector = (ZERO, ZERO, ZERO)
EX: Vector = (ONE, ZERO, ZERO)
EY: Vector = (ZERO, ONE, ZERO)
EZ: Vector = (ZERO, ZERO, ONE)
IDENTITY: Matrix = (EX, EY, EZ)
AXES = (EX, EY, EZ)


def add(*vectors: Vector) -> Vector:
    """The sum."""
    x, y, z = (symengine.Add(*parts) for parts in zip(*vectors, strict=True))
    return (x, y, z)


def scale(factor: Basic, v: Vector) -> Vector:
    """A multiple."""
    return (factor * v[0], factor * v[1], factor * v[2])


def subtract(a: Vector, b: Vector) -> Vector:
    """a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def dot(a: Vector, b: Vector) -> Basic:
    """The inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """The vector product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def change(v: Vector, by: Callable[[Basic], Basic]) -> Vector:
    """Apply a function to each component."""
    return (by(v[0]), by(v[1]), by(v[2]))


def slope(v: Vector, symbol: Symbol) -> Vector:
    """The partial derivative of each component."""
    return change(v, lambda f: partial(f, symbol))


def turn(m: Matrix, v: Vector) -> Vector:
    """m v: components in the turned frame to components in the frame it is turned in."""
    return (dot(m[0], v), dot(m[1], v), dot(m[2], v))


def turn_back(m: Matrix, v: Vector) -> Vector:
    """m' v: the other way round."""
    return turn(transpose(m), v)


def transpose(m: Matrix) -> Matrix:
    """Rows become columns."""
    a, b, c = zip(*m, strict=True)
    return (a, b, c)


def product(a: Matrix, b: Matrix) -> Matrix:
    """a b."""
    columns = transpose(b)
    x, y, z = ((dot(row, columns[0]), dot(row, columns[1]), dot(row, columns[2])) for row in a)
    return (x, y, z)


def rotation(axis: Vector, angle: Basic) -> Matrix:
    """The right-handed rotation about a unit axis: v' = rotation v."""
    c, s = cosine(angle), sine(angle)
    x, y, z = (_column(axis, e, c, s) for e in AXES)
    return transpose((x, y, z))


def _column(axis: Vector, e: Vector, c: Basic, s: Basic) -> Vector:
    along = scale(dot(axis, e), axis)
    across = subtract(e, along)
    return add(along, scale(c, across), scale(s, cross(axis, e)))


def tame(angle: Basic) -> Basic:
    """A number that is a simple part of pi, as floating point has it, becomes that part exactly."""
    if not angle.is_Number:
        return angle
    share = Fraction(float(angle) / math.pi).limit_denominator(360)
    if abs(float(angle) - float(share) * math.pi) < 1e-12 * max(1.0, abs(float(angle))):
        return symengine.pi * exact(share)
    return angle


def cosine(angle: Basic) -> Basic:
    """The cosine, exact for simple parts of pi."""
    return symengine.cos(tame(angle))


def sine(angle: Basic) -> Basic:
    """The sine, exact for simple parts of pi."""
    return symengine.sin(tame(angle))


def unit(v: Vector) -> Vector:
    """The vector of length one along `v`."""
    length = symengine.sqrt(dot(v, v))
    return v if length == 1 else scale(1 / length, v)
