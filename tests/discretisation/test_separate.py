"""Separation of variables: what is taken apart comes together again."""

import symengine
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.discretisation.separate import degree, normed, separate
from flexura.symbolic.engine import SPINE, Symbol

W, W_T, U, Q, Q_T = (Symbol(name) for name in ("w", "w_t", "u", "q", "q_t"))
INSIDE = [W, W_T, U]
ATOMS = st.sampled_from([
    W, W_T, U, Q, Q_T, SPINE, SPINE**2, symengine.sin(Q), symengine.exp(-SPINE), symengine.Integer(2),
    symengine.Rational(1, 3), symengine.sin(W), symengine.cos(SPINE * Q),
])  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(ATOMS, min_size=1, max_size=4), min_size=1, max_size=5), st.integers(1, 2))
def test_terms_and_rest_are_the_whole(products, power):
    f = symengine.Add(*(symengine.Mul(*one) for one in products)) ** power
    terms, rest = separate(f, INSIDE)
    whole = rest + symengine.Add(*(symengine.Mul(one.scalar, one.along, *one.inside) for one in terms))
    assert (whole - f).expand() == 0
    for term in terms:
        assert not term.scalar.free_symbols & {SPINE, *INSIDE}
        assert term.along.free_symbols <= {SPINE}
        assert len(term.inside) <= 2


def test_a_quadratic_density_leaves_no_rest():
    f = (W_T + (SPINE + 1) * Q_T) ** 2 / 2 - symengine.exp(-SPINE) * U**2 * symengine.cos(Q)
    terms, rest = separate(f, INSIDE)
    assert rest == 0
    assert {term.inside for term in terms} == {(), (W_T,), (W_T, W_T), (U, U)}


def test_cubes_and_mixtures_are_left():
    terms, rest = separate(U**2 + U * W**2 + W * symengine.sin(SPINE * Q), INSIDE)
    assert [term.inside for term in terms] == [(U, U)]
    assert (rest - U * W**2 - W * symengine.sin(SPINE * Q)).expand() == 0


def test_degree_counts_products_and_gives_up_on_functions():
    assert degree(U * W**2 + Q, INSIDE) == 3
    assert degree(symengine.sin(W), INSIDE) is None
    assert degree(symengine.sin(Q), INSIDE) == 0


def test_proportional_coefficients_are_found_equal():
    half, twice = normed(Q_T**2 / 2), normed(symengine.RealDouble(2.5) * Q_T**2)
    assert half[0] == twice[0] == Q_T**2
    assert (half[1], twice[1]) == (0.5, 2.5)
    assert normed(symengine.Integer(3)) == (1, 3.0)
