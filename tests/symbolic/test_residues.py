"""Zero or not, by values modulo a prime: what is zero, what is not, and what is left to others."""

from __future__ import annotations

import pytest
import symengine
from hypothesis import given, settings
from hypothesis import strategies as st
from symengine import cos, pi, sin, sqrt, tan

from flexura.symbolic.residues import vanishes_modulo

a, b, c, x = symengine.symbols("a b c x")

ZEROS = [
    sin(a) ** 2 + cos(a) ** 2 - 1,
    sin(a + b) - sin(a) * cos(b) - cos(a) * sin(b),
    cos(a - 3 * b) - cos(a) * cos(3 * b) - sin(a) * sin(3 * b),
    sin(7 * a) - sin(3 * a) * cos(4 * a) - cos(3 * a) * sin(4 * a),
    tan(a) * cos(a) - sin(a),
    (x**2 - 1) / (x - 1) - x - 1,
    (a + b) ** 5 - ((a + b) ** 5).expand(),
    x / 3 + x / 6 - x / 2,
    pi * x - x * pi,
    sin(a * b + c) - sin(a * b) * cos(c) - cos(a * b) * sin(c),
]


@pytest.mark.parametrize("f", ZEROS, ids=[str(one)[:30] for one in ZEROS])
def test_identities(f: symengine.Basic) -> None:
    assert vanishes_modulo(f, 2) is True
    assert vanishes_modulo(f + symengine.Rational(1, 10**9) * cos(a + b), 2) is False


OTHERS = [sqrt(x) ** 3, sin(a / 2), symengine.RealDouble(0.5) * x, abs(x), sin(a + pi / 5), x**a]


@pytest.mark.parametrize("f", OTHERS, ids=[str(one) for one in OTHERS])
def test_what_has_no_value_in_whole_numbers_is_left_to_others(f: symengine.Basic) -> None:
    assert vanishes_modulo(f, 2) is None


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=5))
def test_products_of_waves_are_sums_of_waves(shares: list[tuple[int, int, int]]) -> None:
    """cos u cos v is half of cos(u - v) + cos(u + v), however often; one sign turned around is no identity."""
    u = symengine.Add(*(n * cos(k * a + m * b) for n, k, m in shares))
    other = symengine.Add(*(n * (cos(k * a + m * b - c) + cos(k * a + m * b + c)) / 2 for n, k, m in shares))
    assert vanishes_modulo(u * cos(c) - other, 2) is True
    assert vanishes_modulo(u * cos(c) + other, 2) is bool(u.expand() == 0 or vanishes_modulo(u, 2))
