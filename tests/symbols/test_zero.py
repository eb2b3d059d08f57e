"""Deciding that an expression vanishes."""

import symengine as se
from hypothesis import given
from hypothesis import strategies as st

from flexura.symbols.zero import verdict

a, b, c = se.symbols("a b c")


def test_identities_of_the_normal_form() -> None:
    for f in (
        se.sin(a) ** 2 + se.cos(a) ** 2 - 1,
        se.sin(a + b) - se.sin(a) * se.cos(b) - se.cos(a) * se.sin(b),
        se.cos(2 * a - b) - (2 * se.cos(a) ** 2 - 1) * se.cos(b) - 2 * se.sin(a) * se.cos(a) * se.sin(b),
        (a + b) / (a * b) - 1 / a - 1 / b,
        se.tan(a) * se.cos(a) - se.sin(a),
        (a + b) ** 5 - ((a + b) ** 5).expand(),
        se.sin(a) ** 4 - (1 - se.cos(a) ** 2) ** 2,
    ):
        assert verdict(f).zero, f
        assert verdict(f).how == "normal form", f


def test_what_only_evaluation_can_decide() -> None:
    f = se.sqrt(a**2 + 2 * a * b + b**2) - se.sqrt((a + b) ** 2)
    assert verdict(f).zero
    g = se.sinh(a) - (se.exp(a) - se.exp(-a)) / 2
    assert verdict(g).zero
    assert verdict(g).how == "evaluation"


def test_what_is_not_zero() -> None:
    for f in (a - b, se.sin(a) ** 2 - se.cos(a) ** 2, se.exp(a) - 1 - a - a**2 / 2, se.sqrt(a**2 + 1) - a):
        assert not verdict(f).zero, f


@given(st.integers(-3, 3), st.integers(-3, 3), st.integers(1, 4))
def test_angle_sums(m: int, n: int, power: int) -> None:
    f = se.cos(m * a + n * b) ** power
    assert verdict(f - se.cos(-m * a - n * b) ** power).zero
    assert not verdict(f - 2).zero
