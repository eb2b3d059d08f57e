"""Shorter forms of the same expression."""

import symengine as se
from hypothesis import given
from hypothesis import strategies as st

from flexura.symbolic.shorten import paired, shorter
from flexura.symbolic.zero import verdict

a, b, p, q = se.symbols("a b p q")


def test_squares_of_sine_and_cosine_are_one() -> None:
    f = (p * se.sin(a) ** 2 * se.cos(b) + p * se.cos(a) ** 2 * se.cos(b) + q * se.sin(a + b) ** 2).expand()
    assert paired(f) == p * se.cos(b) + q * se.sin(a + b) ** 2
    assert shorter(p * se.sin(a) ** 2 + p * se.cos(a) ** 2) == p


def test_nested_squares_are_paired_one_after_the_other() -> None:
    s, c = se.sin(a), se.cos(a)
    length = (se.cos(b) * s) ** 2 + (se.cos(b) * c) ** 2 + se.sin(b) ** 2
    assert paired(length.expand()) == 1


def test_what_two_terms_share_adds_up_with_what_is_there() -> None:
    assert paired(1 + se.sin(a) ** 2 + se.cos(a) ** 2) == 2
    assert paired(2 * p + p + se.sin(a) ** 2 * p + se.cos(a) ** 2 * p + q) == 4 * p + q


def test_what_has_no_partner_stays_as_it_is_written() -> None:
    for f in (2 * p * se.sin(a) ** 2 + p * se.cos(a) ** 2, se.sin(a + b) * p, p + q, se.sin(a) ** 3):
        assert paired(f) == f


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 4), st.integers(0, 4)), max_size=8))
def test_nothing_changes_but_the_form(drawn: list[tuple[int, int, int]]) -> None:
    f = sum((k * se.sin(a) ** i * se.cos(a) ** j for k, i, j in drawn), se.Integer(0)).expand()
    for short in (paired(f), shorter(f)):
        assert verdict(short - f)
        assert len(short.args) <= max(len(f.args), 1) or not isinstance(f, se.Add)
