"""Compound angles: every rewritten tree is the same function as before, and no longer."""

from __future__ import annotations

import random

import symengine
from hypothesis import given
from hypothesis import strategies as st

from flexura.symbolic.engine import Basic, Symbol
from flexura.symbolic.gathered import factored, gathered
from flexura.symbolic.multiplied import written_out
from flexura.symbolic.waves import TooLong, Waves, waves

A, B, C, M, N, P = (Symbol(name) for name in ("a", "b", "c", "m", "n", "p_tt"))
ANGLES = st.tuples(*[st.integers(-3, 3)] * 3).map(lambda k: k[0] * A + k[1] * B + k[2] * C)
CIRCULAR = st.tuples(st.sampled_from([symengine.sin, symengine.cos]), ANGLES).map(lambda pair: pair[0](pair[1]))
LEAVES = CIRCULAR | st.sampled_from([A, M, N, P, 1 / M, symengine.Rational(2, 3), symengine.sqrt(M + A)])


def compounds(inner: st.SearchStrategy[Basic]) -> st.SearchStrategy[Basic]:
    lists = st.lists(inner, min_size=2, max_size=3)
    powers = st.tuples(inner, st.integers(2, 3)).map(lambda pair: pair[0] ** pair[1])
    return lists.map(lambda parts: symengine.Add(*parts)) | lists.map(lambda parts: symengine.Mul(*parts)) | powers


TREES = st.recursive(LEAVES, compounds, max_leaves=10)


def order(one: Basic) -> int:
    return 2 if P in one.free_symbols else 0 if one.free_symbols & {A, B, C} else -2


def same(f: Basic, g: Basic) -> bool:
    """In 60 digits at random rational points."""
    symbols = sorted(f.free_symbols | g.free_symbols, key=str)
    for seed in range(3):
        numbers = random.Random(seed)
        point = {one: symengine.Rational(numbers.randint(1, 997), 998) for one in symbols}
        a, b = (symengine.Add(one.xreplace(point).n(300, real=False)) for one in (f, g))
        if abs(complex(a - b)) > 1e-50 * (1 + abs(complex(a))):
            return False
    return True


@given(TREES)
def test_waves_are_the_same_function(f: Basic) -> None:
    try:
        tree = Waves(f).tree()
    except TooLong:
        return
    assert same(f, tree)


@given(TREES)
def test_gathered_trees_are_the_same_function(f: Basic) -> None:
    found = gathered(f, order, 2000)
    if found is not None:
        assert same(f, found)
        assert written_out([found]) < written_out([f.expand()])


@given(TREES)
def test_waves_hold_no_products_of_sines_and_cosines(f: Basic) -> None:
    found = waves(f)
    for term in found.tree().expand().args if found is not None else ():
        parts = term.args if isinstance(term, symengine.Mul) else (term,)
        assert sum(isinstance(one, symengine.sin | symengine.cos) for one in parts) < 2
        squares = [one for one in parts if isinstance(one, symengine.Pow)]
        assert not any(isinstance(one.args[0], symengine.sin | symengine.cos) for one in squares)


@given(st.dictionaries(st.tuples(*[st.integers(0, 3)] * 3), st.integers(-9, 9).filter(bool), max_size=8))
def test_factors_multiply_to_the_polynomial(numbers: dict[tuple[int, ...], int]) -> None:
    plain = symengine.Add(*(n * A ** k[0] * B ** k[1] * C ** k[2] for k, n in numbers.items()))
    assert (factored(numbers, [A, B, C]) - plain).expand() == 0


def test_known_identities() -> None:
    sin, cos = symengine.sin, symengine.cos
    assert Waves(cos(A) * cos(B) - sin(A) * sin(B)).tree() == cos(A + B)
    assert Waves(M * sin(A) ** 2 + M * cos(A) ** 2).tree() == M
    assert Waves(sin(A) * cos(A) - sin(2 * A) / 2).tree() == 0
    assert Waves(sin(A - B) + sin(B - A)).tree() == 0


def test_decimals_and_what_is_too_long_stay() -> None:
    assert waves(symengine.RealDouble(0.5) * symengine.sin(A) * symengine.cos(B)) is None
    many = symengine.Mul(*(symengine.sin(Symbol(f"q{i}")) + Symbol(f"m{i}") for i in range(30)))
    assert waves(many) is None
