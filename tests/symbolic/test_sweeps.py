"""Walks and sweeps over trees that share branches: as one derivative at a time, and no larger than the trees."""

import numpy as np
import pytest
import symengine
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.symbolic.engine import FUNCTIONS, ONE, ZERO, Symbol, partial
from flexura.symbolic.sweeps import Sweeps
from flexura.symbolic.walk import Replacing, atoms, branches, flattened

A, B, C, D, E, F = (Symbol(name) for name in "abcdef")
ONE_ARGUMENT = [name for name in FUNCTIONS if name != "atan2"]


def _function(name, f):
    """Any function, where it is smooth for arguments between 0 and 1 and beyond."""
    inside = {"asin": f / (1 + f**2), "acos": f / (1 + f**2), "log": 1 + f**2, "sqrt": 1 + f**2, "tan": f / (2 + f**2)}
    return FUNCTIONS[name](inside.get(name, symengine.sin(f)))


_TREES = st.recursive(
    st.sampled_from([A, B, C, symengine.Integer(2), symengine.Rational(-1, 3)]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda some: symengine.Add(*some)),
        st.lists(inner, min_size=2, max_size=3).map(lambda some: symengine.Mul(*some)),
        inner.map(lambda f: f**2),
        inner.map(lambda f: 1 / (2 + f**2)),
        st.tuples(inner, inner).map(lambda two: (1 + two[0] ** 2) ** symengine.cos(two[1])),
        st.tuples(inner, inner).map(lambda two: symengine.atan2(two[0], 2 + two[1] ** 2)),
        st.tuples(inner, inner).map(lambda two: symengine.Piecewise((two[0], A < C), (two[1], True))),
        st.tuples(st.sampled_from(ONE_ARGUMENT), inner).map(lambda two: _function(*two)),
    ),
    max_leaves=8,
)


@st.composite
def trees(draw):
    return draw(_TREES)


def _value(f):
    where = {A: 0.3, B: -0.7, C: 1.1, D: 0.4, E: -1.3, F: 0.9}
    return float(symengine.Lambdify(list(where), [f], backend="lambda")(list(where.values()))[0])


def _close(f, g):
    return _value(f) == pytest.approx(_value(g), rel=1e-10, abs=1e-10)


@settings(max_examples=60)
@given(st.lists(trees(), min_size=1, max_size=3))
def test_sweeps_are_the_derivatives_one_by_one(some):
    for f in some:
        for found, one in zip(Sweeps().adjoints(f, [A, B, C]), (A, B, C), strict=True):
            assert _close(found, partial(f, one))
    for found, f in zip(Sweeps().tangents(some, {A: D, B: E * A, C: F}), some, strict=True):
        assert _close(found, partial(f, A) * D + partial(f, B) * E * A + partial(f, C) * F)


@settings(max_examples=30)
@given(trees())
def test_a_sweep_after_a_sweep_is_a_second_derivative(f):
    sweeps = Sweeps()
    moved = sweeps.tangents(sweeps.adjoints(f, [A, B]), {A: D, C: E})
    for found, one in zip(moved, (A, B), strict=True):
        assert _close(found, partial(partial(f, one), A) * D + partial(partial(f, one), C) * E)


@settings(max_examples=60)
@given(trees())
def test_walks_find_what_the_engine_finds(f):
    kinds = (symengine.sin, symengine.Pow, symengine.Add, symengine.Symbol)
    assert atoms(f, *kinds) == f.atoms(*kinds)
    put = {A: B + D, B: symengine.sin(C)}
    plain = f.xreplace(put)
    assert Replacing(lambda symbol: put.get(symbol, symbol))(f) == plain


def test_the_slope_of_an_absolute_value_of_a_root_is_found():
    f = symengine.Abs(symengine.sqrt(-A) * B)  # a sign of this would never come back
    (by_b,) = Sweeps().adjoints(f, [B])
    assert float(by_b.xreplace({A: ONE * -4, B: ONE * 3})) == pytest.approx(2.0)


def test_sums_in_sums_are_opened():
    slope = (A * B * C - (D - A) * (B * C + E * F) + A * E * F).diff(A)  # the engine leaves a sum in it
    (flat,) = flattened([slope])
    assert not any(isinstance(part, symengine.Add) for part in flat.args)
    assert flat == 2 * B * C + 2 * E * F
    assert flattened([A + symengine.sin(slope)]) == [A + symengine.sin(flat)]


@pytest.mark.parametrize("power", [1, -1, 150, 310, 400, 600])
def test_numbers_that_are_long_in_full_are_evaluated(power):
    """Beside 1, a length that small cannot be seen; the engine alone divides infinity by infinity."""
    small = symengine.Rational(1, 10**power) if power > 0 else symengine.Integer(10)
    fraction = ONE + small
    trees = [A * fraction, A + symengine.sqrt(fraction), symengine.sqrt(fraction) / fraction, small, -A / fraction]
    got = np.asarray(symengine.Lambdify([A], flattened(trees))(np.array([3.0]))).ravel()
    size = 1 + 10.0**-power
    wanted = [3 * size, 3 + np.sqrt(size), 1 / np.sqrt(size), 10.0**-power, -3 / size]
    assert got == pytest.approx(wanted, rel=1e-14, abs=0)


def nest(links):
    """A velocity that is turned at every hinge: a tree of 2^links leaves, with a few branches for each link."""
    x, y = A, B
    for i in range(links):
        q, w = Symbol(f"q{i}"), Symbol(f"w{i}")
        c, s = symengine.cos(q), symengine.sin(q)
        x, y = c * (x + w) + s * y, c * y - s * (x + w)
    return x**2 + y**2


def test_what_is_nested_grows_by_the_same_for_every_link():
    sizes = []
    for links in (10, 20, 40):
        f, symbols = nest(links), [Symbol(f"{name}{i}") for i in range(links) for name in "qw"]
        sweeps = Sweeps()
        slopes = sweeps.adjoints(f, symbols)
        moved = sweeps.tangents(slopes, {one: Symbol(f"d{one.name}") for one in symbols})
        again = sweeps.tangents(slopes, {one: Symbol(f"d{one.name}") for one in symbols})
        sizes.append([len(branches(some)) for some in ([f], slopes, moved, [*moved, *again])])
        assert len(atoms(f, symengine.sin)) == links
    sizes = np.array(sizes)
    assert sizes[:, 3] == pytest.approx(sizes[:, 2])  # done twice, it is the same branches
    assert (sizes[2] - sizes[1]) / 20 == pytest.approx((sizes[1] - sizes[0]) / 10, rel=0.05)


def test_what_is_not_changed_is_not_made_again():
    f = nest(40)
    still = Replacing(lambda symbol: ZERO if symbol == A else symbol)
    assert len(branches([f, still(f), still(f + B)])) < 3 * len(branches([f]))
    assert still(B + symengine.cos(B)) == B + symengine.cos(B)
