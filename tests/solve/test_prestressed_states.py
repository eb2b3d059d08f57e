"""States of rest that hold forces: what is linearised about them is what hand computations on the same springs give."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import symengine
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.derivation.decimals import in_decimals

A = symengine.Symbol("a")
TENTHS = st.integers(-9, 9).map(lambda n: n / 10)
SPRINGS = st.lists(
    st.tuples(TENTHS, TENTHS, st.floats(0, 6.2), st.integers(5, 15).map(lambda n: n / 10)), min_size=3, max_size=4
)


def held_body(springs: list[tuple[float, float, float, float]]) -> fx.Model:
    """A free body in the plane on springs of free length 1 that leave its points at an angle, some long, some short."""
    body = fx.RigidBody("body", m=2, I=0.3)
    things: list[object] = [fx.Free(fx.ground, body), fx.Gravity(9.81)]
    for i, (x, y, angle, length) in enumerate(springs):
        anchor = fx.ground.at(round(x + length * math.cos(angle), 3), round(y + length * math.sin(angle), 3))
        things.append(fx.Spring(anchor, body.at(x, y), k=100, along="line", free_length=1, name=f"s{i}"))
    return fx.Model(*things)


def stiffness(springs: list[tuple[float, float, float, float]], at: np.ndarray) -> np.ndarray:
    """By hand: each spring adds k n n' + (F/L)(1 - n n') on its point, and its force works on the point's turn."""
    total, (x0, y0, turned) = np.zeros((3, 3)), at
    c, s = math.cos(turned), math.sin(turned)
    for x, y, angle, length in springs:
        arm = np.array([c * x - s * y, s * x + c * y])
        anchor = np.round([x + length * math.cos(angle), y + length * math.sin(angle)], 3)
        line = np.array([x0, y0]) + arm - anchor
        long = float(np.hypot(*line))
        n, pull = line / long, 100 * (long - 1)
        moves = np.array([[1, 0, -arm[1]], [0, 1, arm[0]]])
        across = np.eye(2) - np.outer(n, n)
        total += moves.T @ (100 * np.outer(n, n) + pull / long * across) @ moves
        total[2, 2] -= pull * n @ arm
    return total


@settings(max_examples=25, deadline=None, derandomize=True)
@given(SPRINGS)
def test_the_stiffness_about_rest_is_that_of_stretched_springs_by_hand(springs) -> None:
    equations = fx.derive(held_body(springs))
    try:
        rest = fx.equilibrium(equations)
    except fx.FlexuraError:
        return  # springs that cannot hold it
    at = np.array([float(rest[name]) for name in equations.coordinates])
    found = fx.modes(equations, 6, about=rest)
    squares = np.unique(np.round(np.real(np.square(found.eigenvalues)), 6))
    expected = np.unique(
        np.round(-np.linalg.eigvals(np.diag([1 / 2, 1 / 2, 1 / 0.3]) @ stiffness(springs, at)).real, 6)
    )
    assert np.allclose(squares, expected, rtol=1e-6, atol=1e-5)


@pytest.mark.parametrize("last", [0.7, 1.0, 1.2])
def test_an_exact_beam_on_stretched_springs_vibrates_as_a_slender_one(last: float) -> None:
    """About the straight state both are the same beam, whatever the springs at its tip hold."""
    roots = []
    for kind in (fx.EulerBernoulliBeam, fx.ExactBeam):
        beam, body = kind("beam", EI=2.0, rho=0.3, length=1.0), fx.RigidBody("body", m=0.7, I=0.02)
        things: list[object] = [fx.Fixed(fx.ground, beam.start), fx.Fixed(beam.end, body.at(-0.1, 0))]
        for i, (x, y, far, off, free) in enumerate(
            [(0.2, 0.3, 1.5, 1, 0.4), (0.2, -0.3, 1.5, -1, 0.4), (0.4, 0, 2.5, 0, last)]
        ):
            ends = fx.ground.at(far, off), body.at(x, y)
            things.append(fx.Spring(*ends, k=10, along="line", free_length=free, name=f"s{i}"))
        equations = fx.derive(fx.Model(*things))
        roots.append(fx.modes(equations, 4, about=fx.equilibrium(equations)).frequencies)
    assert np.allclose(*roots, rtol=1e-8)


def test_terms_in_decimals_are_dropped_by_their_size_not_by_that_of_a_factor() -> None:
    """The engine writes the root of a fraction as a tiny fraction times the root of a huge number."""
    angle = symengine.Rational(3602879701896397, 36028797018963968)
    tiny = symengine.sqrt(symengine.Rational(10**150 + 7, 10**150)) * A
    found = in_decimals(symengine.sin(angle) * A**2 + tiny)
    assert abs(float(found.xreplace({A: symengine.Integer(1)})) - math.sin(0.1) - 1) < 1e-12
    left = in_decimals(symengine.sin(angle) * A - symengine.sin(angle) * (A + 1) + tiny)
    assert float(left.xreplace({A: symengine.Integer(0)})) == pytest.approx(-math.sin(0.1), rel=1e-12)
    gone = in_decimals(A**2 * symengine.sin(angle) + (symengine.sin(angle) ** 2 + symengine.cos(angle) ** 2 - 1) * A)
    assert gone == A**2 * gone.coeff(A, 2)
    assert Fraction(str(gone.coeff(A, 2))) > 0
