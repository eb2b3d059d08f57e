"""Vectors and rotations: the identities of the textbooks, on numbers and to a symbolic zero."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import symengine
from hypothesis import given
from hypothesis import strategies as st

from flexura.symbolic.engine import exact
from flexura.symbolic.kinematics.vectors import (
    AXES,
    EX,
    EY,
    EZ,
    IDENTITY,
    NULL,
    Matrix,
    Vector,
    add,
    change,
    cosine,
    cross,
    dot,
    product,
    rotation,
    scale,
    sine,
    subtract,
    tame,
    transpose,
    turn,
    turn_back,
    unit,
)
from flexura.symbolic.zero import verdict

small = st.integers(-9, 9)
vectors = st.tuples(small, small, small).map(lambda v: (exact(v[0]), exact(v[1]), exact(v[2])))
directions = vectors.filter(lambda v: v != NULL).map(unit)
q = symengine.Symbol("q")


def numbers(thing: Vector | Matrix) -> np.ndarray:
    return np.array(thing, dtype=float)


def vanishes(v: Vector) -> bool:
    return all(bool(verdict(one)) for one in v)


def same(m: Matrix, n: Matrix) -> bool:
    return all(vanishes(subtract(a, b)) for a, b in zip(m, n, strict=True))


def test_axes_are_right_handed() -> None:
    assert cross(EX, EY) == EZ
    assert cross(EY, EZ) == EX
    assert cross(EZ, EX) == EY
    assert AXES == (EX, EY, EZ) == IDENTITY


@given(vectors, vectors, vectors)
def test_products_agree_with_numpy_and_with_one_another(a: Vector, b: Vector, c: Vector) -> None:
    np.testing.assert_array_equal(numbers(cross(a, b)), np.cross(numbers(a), numbers(b)))
    assert float(dot(a, b)) == numbers(a) @ numbers(b)
    assert dot(a, cross(b, c)) == dot(b, cross(c, a)) == dot(c, cross(a, b))
    assert cross(a, cross(b, c)) == subtract(scale(dot(a, c), b), scale(dot(a, b), c))
    assert subtract(add(a, b, c), add(b, c)) == a
    assert change(a, lambda f: -f) == scale(exact(-1), a)


@given(directions)
def test_a_rotation_is_orthogonal_keeps_its_axis_and_is_right_handed(axis: Vector) -> None:
    """Symbolic in the angle, for any axis: R'R = 1, R e = e, det R = 1, and dR/dq at 0 is e x."""
    R = rotation(axis, q)
    assert same(product(transpose(R), R), IDENTITY)
    assert vanishes(subtract(turn(R, axis), axis))
    assert verdict(dot(R[0], cross(R[1], R[2])) - 1)
    rate = [[entry.diff(q).subs({q: 0}) for entry in row] for row in R]
    for i, e in enumerate(AXES):
        column = (rate[0][i], rate[1][i], rate[2][i])
        assert vanishes(subtract(column, cross(axis, e)))


@given(directions, st.floats(-7, 7))
def test_a_rotation_agrees_with_the_exponential_map(axis: Vector, angle: float) -> None:
    from scipy.spatial.transform import Rotation

    expected = Rotation.from_rotvec(angle * numbers(axis)).as_matrix()
    np.testing.assert_allclose(numbers(rotation(axis, exact(angle))), expected, atol=1e-12)


@given(directions, vectors)
def test_turning_back_undoes_turning(axis: Vector, v: Vector) -> None:
    R = rotation(axis, q)
    assert vanishes(subtract(turn_back(R, turn(R, v)), v))
    assert turn_back(R, v) == turn(transpose(R), v)
    assert transpose(transpose(R)) == R


def test_rotations_about_one_axis_add_up() -> None:
    p = symengine.Symbol("p")
    assert same(product(rotation(EZ, p), rotation(EZ, q)), rotation(EZ, p + q))
    assert not same(product(rotation(EX, p), rotation(EZ, q)), product(rotation(EZ, q), rotation(EX, p)))


@given(vectors.filter(lambda v: v != NULL))
def test_a_unit_vector_has_the_length_one_and_the_direction(v: Vector) -> None:
    assert symengine.expand(dot(unit(v), unit(v))) == 1
    assert vanishes(cross(unit(v), v))
    assert float(dot(unit(v), v)) > 0


@given(st.integers(-720, 720), st.sampled_from([1, 2, 3, 4, 5, 6, 8, 12, 180, 360]))
def test_parts_of_pi_in_floating_point_become_exact(count: int, parts: int) -> None:
    share = Fraction(count, parts)
    tamed = tame(exact(float(share) * math.pi))
    assert tamed == symengine.pi * exact(share)


@pytest.mark.parametrize("angle", [0.3, 1.0, 3.14, 1e-3, 2.5])
def test_other_numbers_and_names_stay(angle: float) -> None:
    assert tame(exact(angle)) == exact(angle)
    assert tame(q) == q
    assert float(cosine(exact(angle))) == pytest.approx(math.cos(angle))


def test_right_angles_leave_no_rounding() -> None:
    assert cosine(exact(math.pi / 2)) == 0
    assert sine(exact(math.pi)) == 0
    assert cosine(exact(math.pi / 3)) == exact(0.5)
    assert rotation(EZ, exact(math.pi / 2)) == ((0, -1, 0), (1, 0, 0), (0, 0, 1))
