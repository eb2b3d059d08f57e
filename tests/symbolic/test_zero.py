"""Deciding that an expression vanishes."""

import symengine as se
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.symbolic.zero import RandomPoint, Verdict, last_column_depends, verdict

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


def _long_sum(correction: int) -> se.Basic:
    """|R v|^2 - |v|^2 for three turns, times many squares: thousands of terms, zero by sin^2 + cos^2 = 1."""
    v = list(se.symbols("v1 v2 v3"))
    for i, j, angle in ((0, 1, a), (1, 2, b), (0, 2, a + b)):
        s, c = se.sin(angle), se.cos(angle)
        v[i], v[j] = c * v[i] - s * v[j], s * v[i] + c * v[j]
    length = sum(one**2 for one in v) - sum(one**2 for one in se.symbols("v1 v2 v3"))
    return length * sum(one**2 for one in se.symbols("p:100")) + correction * v[0] * se.Symbol("p0")


def test_what_is_too_long_for_the_normal_form_is_evaluated_exactly() -> None:
    assert verdict(_long_sum(0)) == Verdict(True, "evaluation")
    assert verdict(_long_sum(1)) == Verdict(False, "evaluation")


def test_several_trees_are_put_at_one_point() -> None:
    point = RandomPoint(1)
    assert point.put(a + b) == point.put(a) + point.put(b)
    assert point.put(se.tan(a) * se.cos(a + b)) == point.put(se.sin(a)) * (
        point.put(se.cos(b)) - point.put(se.tan(a)) * point.put(se.sin(b))
    )
    assert point.put(se.sin(a) ** 2 + se.cos(a) ** 2 + b, kept={b}) == 1 + b
    assert RandomPoint(2).put(a) != point.put(a)


@given(st.data())
def test_a_column_depends_if_it_is_a_combination_and_not_if_it_is_none(data: st.DataObject) -> None:
    entries = [se.Integer(n) for n in (0, 0, 1, -2)]
    entries += [a, b / (a + 1), se.sin(a), se.cos(se.Rational(7, 10)), se.sqrt(3) * b]
    if data.draw(st.booleans()):
        entries.append(se.exp(-a))  # no whole numbers then
    drawn, columns = st.sampled_from(entries), data.draw(st.integers(1, 3))
    rows = data.draw(st.lists(st.lists(drawn, min_size=columns, max_size=columns), min_size=1, max_size=5))
    weights = data.draw(st.lists(drawn, min_size=columns, max_size=columns))
    made = [[*row, sum((w * one for w, one in zip(weights, row, strict=True)), se.Integer(0))] for row in rows]
    assert last_column_depends(made)
    only_in_the_last = [*[se.Integer(0)] * columns, se.Integer(1)]
    assert not last_column_depends([*made, only_in_the_last])


def test_identities_of_the_circle_are_seen_in_columns() -> None:
    sine, cosine, one = se.sin(a), se.cos(a), se.Integer(1)
    assert last_column_depends([[cosine, sine], [sine * cosine, sine**2], [1 - sine**2, sine * cosine]])
    assert not last_column_depends([[cosine, sine], [sine, cosine]])
    assert last_column_depends([[se.sqrt(3), 3 * one], [one, se.sqrt(3)]])
    assert not last_column_depends([[se.sqrt(3), 3 * one], [one, se.Rational(173205, 100000)]])
    assert last_column_depends([])


@settings(max_examples=10, deadline=None)
@given(st.integers(2, 60), st.integers(1, 6), st.integers(1, 30))
def test_multiples_and_parts_of_angles_are_told(many: int, part: int, digits: int) -> None:
    """cos(n a) is Chebyshev's T_n(cos a), sin(2 n a/m) = 2 sin(n a/m) cos(n a/m); with 10^-digits beside it neither."""
    chebyshev: list[se.Basic] = [se.Integer(1), se.cos(a)]
    for _ in range(many - 1):
        chebyshev.append((2 * se.cos(a) * chebyshev[-1] - chebyshev[-2]).expand())
    half = a * many / part
    double = se.sin(2 * half) - 2 * se.sin(half) * se.cos(half)
    for identity in (se.cos(many * a) - chebyshev[-1], double):
        assert verdict(identity)
        assert not verdict(identity + se.Rational(1, 10**digits))
    two = se.Integer(2)
    assert verdict(se.sin(two) - 2 * se.sin(two / 2) * se.cos(two / 2))
