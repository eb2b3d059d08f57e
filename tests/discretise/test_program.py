"""Compiled trees: the same numbers from both compilers, arrays in the shape they were given."""

import numpy as np
import pytest
import symengine

from flexura.discretise.program import Program, over_points
from flexura.symbols.engine import Symbol

X, Y = Symbol("x"), Symbol("y")


def test_blocks_keep_their_shape_and_the_second_compiler_agrees():
    block = [[symengine.sin(X * k) + Y**k for k in range(3)] for _ in range(2)]
    program = Program([X, Y], {"table": block, "one": [X * Y], "none": []})
    at = np.array([0.3, 1.7])
    first = [one.copy() for one in program(at)]
    assert [one.shape for one in first] == [(2, 3), (1,), (0,)]
    assert first[0][1] == pytest.approx([np.sin(0.3 * k) + 1.7**k for k in range(3)], rel=1e-15)
    for _ in range(20000):
        if program.fast:
            break
        program(at)
    assert program.fast
    assert program(at)[0] == pytest.approx(first[0], rel=1e-14)


def test_pieces_switch_where_they_should():
    f = symengine.Piecewise((X**2, X < 1), (2 * Y, True))
    program = Program([X, Y], {"f": [f]})
    assert [float(program(np.array([x, 5.0]))[0][0]) for x in (0.5, 1.0, 1.5)] == [0.25, 10.0, 10.0]


def test_over_points_takes_many_at_once():
    f = over_points([X, Y], [X + Y, X * Y])
    assert f(np.array([[1.0, 2.0], [3.0, 4.0]])) == pytest.approx(np.array([[3.0, 2.0], [7.0, 12.0]]))
