"""Compiled trees: the same numbers from both compilers, arrays in the shape they were given."""

import numpy as np
import pytest
import symengine

from flexura.discretisation.program import Program, Traced, over_points
from flexura.symbolic.engine import Symbol

X, Y = Symbol("x"), Symbol("y")


def test_blocks_keep_their_shape_and_the_second_compiler_agrees():
    block = [[symengine.sin(X * k) + Y**k for k in range(3)] for _ in range(2)]
    program = Program([X, Y], {"table": block, "one": [X * Y], "none": []})
    at = np.array([0.3, 1.7])
    first = [one.copy() for one in program(at)]
    assert [one.shape for one in first] == [(2, 3), (1,), (0,)]
    assert first[0][1] == pytest.approx([np.sin(0.3 * k) + 1.7**k for k in range(3)], rel=1e-15)
    for backend in ("lambda", "llvm") if symengine.have_llvm else ("lambda",):
        assert program.compiled(backend)(at)[0] == pytest.approx(first[0], rel=1e-14)


def test_the_compiler_is_chosen_by_length_alone():
    short = Program([X, Y], {"f": [X * Y]})
    long = Program([X, Y], {"f": [symengine.sin(X * k) + Y**k for k in range(2, 40)]})
    for _ in range(3000):
        short(np.array([2.0, 3.0]))
    assert short.backend == "lambda"
    assert long.backend == ("llvm" if symengine.have_llvm else "lambda")


def test_what_a_call_returns_is_not_filled_again():
    program = Program([X, Y], {"f": [X * Y, X + Y]})
    (first,) = program(np.array([2.0, 3.0]))
    program(np.array([5.0, 7.0]))
    assert first.tolist() == [6.0, 5.0]


def test_pieces_switch_where_they_should():
    f = symengine.Piecewise((X**2, X < 1), (2 * Y, True))
    program = Program([X, Y], {"f": [f]})
    assert [float(program(np.array([x, 5.0]))[0][0]) for x in (0.5, 1.0, 1.5)] == [0.25, 10.0, 10.0]


def test_over_points_takes_many_at_once():
    f = over_points([X, Y], [X + Y, X * Y])
    assert f(np.array([[1.0, 2.0], [3.0, 4.0]])) == pytest.approx(np.array([[3.0, 2.0], [7.0, 12.0]]))


def test_symbols_give_trees_and_what_is_alike_stays_alike():
    program = Program([X, Y], {"f": [[X * Y], [symengine.sin(X) + 2]], "none": np.zeros((0, 2))})
    f, none = program(np.array([Y, X + 1], dtype=object))
    assert f.tolist() == [[(X + 1) * Y], [symengine.sin(Y) + 2]]
    assert none.shape == (0, 2)


def test_a_stack_of_arguments_gives_stacks_before_and_after_the_fast_form():
    program = Program([X, Y], {"f": [[X, Y], [X * Y, 1]], "none": []})
    stack = np.random.default_rng(0).normal(size=(5, 2))
    slow, none = program(stack)
    assert none.shape == (5, 0)
    (fast, _) = program.compiled("llvm" if symengine.have_llvm else "lambda")(stack)
    for found in (slow, fast):
        assert found.shape == (5, 2, 2)
        assert np.array_equal(found[:, 1, 0], stack[:, 0] * stack[:, 1])
        assert np.array_equal(found[3], program(stack[3])[0])


def moved(t, q, v):
    """A function as a system has them: of t and vectors."""
    return np.array([q[..., 0] * v[..., 1] + t, q[..., 1] * 2.0]).T, q * v


def test_a_function_is_compiled_when_its_calls_have_paid_for_it_and_gives_what_it_gave():
    arguments = [np.array([Symbol(f"{name}{i}") for i in range(n)]) for name, n in (("t", 1), ("q", 2), ("v", 2))]
    t, q, v = 0.5, np.array([1.0, 2.0]), np.array([3.0, -1.0])
    for have, build, fast in ((True, 0.0, True), (True, np.inf, False), (False, 0.0, False)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(symengine, "have_llvm", have and symengine.have_llvm)
            traced = Traced(moved, arguments, build)
            for _ in range(1000):
                plain = traced(t, q, v)
            patch.setattr(traced, "_function", None if fast and symengine.have_llvm else moved)  # it is not run again
            for found, one in zip(traced(t, q, v), plain, strict=True):
                assert np.array_equal(found, one)
            for found, one in zip(traced(np.full(3, t), *(np.tile(a, (3, 1)) for a in (q, v))), plain, strict=True):
                assert np.array_equal(found, np.tile(one, (3, 1)))


def test_without_llvm_the_first_compiler_does_all():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(symengine, "have_llvm", False)
        program = Program([X, Y], {"f": [X * Y]})
        for _ in range(3000):
            (found,) = program(np.array([2.0, 3.0]))
        assert found == [6.0]
