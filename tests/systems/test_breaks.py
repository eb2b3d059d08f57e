"""Where trees change over: every zero of every condition, however close two of them lie."""

from itertools import pairwise

import numpy as np
import pytest
import symengine
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.symbolic.engine import SPINE, TIME
from flexura.symbolic.parser import parse
from flexura.systems.signals.breaks import breaks_along, picked, rounded_ends, switches, told_apart, zeros
from flexura.systems.signals.intervals import Bounded, bounds, values

PLACES = st.floats(0.01, 0.99).map(lambda x: round(x, 5))


def tree(text):
    return parse(text, spine=True).engine


@settings(max_examples=40, deadline=None)
@given(st.lists(PLACES, min_size=1, max_size=5, unique=True))
def test_all_zeros_of_a_product_are_found(roots):
    g = symengine.Integer(1)
    for root in roots:
        g *= SPINE - symengine.Rational(round(root * 100_000), 100_000)
    assert zeros(g.expand(), SPINE, 0.0, 1.0) == pytest.approx(sorted(roots), abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(PLACES, st.floats(1e-5, 0.05).map(lambda x: round(x, 6) + 1e-6))
def test_one_interval_written_in_many_ways(middle, half):
    low, high = middle - half, middle + half
    wanted = [x for x in (low, high) if 1e-9 < x < 1 - 1e-9]
    for text in (
        f"Piecewise((0, x < {low}), (1, x < {high}), (0, True))",
        f"Piecewise((1, abs(x - {middle}) < {half}), (0, True))",
        f"Piecewise((1, (x - {middle})**2 < {half}**2), (0, True))",
        f"(sign(x - {low}) - sign(x - {high}))/2",
        f"Piecewise((1, exp(-((x - {middle})/{half})**2) > exp(-1)), (0, True))",
    ):
        found = breaks_along([tree(text)], 0.0, 1.0)
        assert all(min(abs(x - one) for one in found) < 1e-8 for x in wanted), text
        assert all(min(abs(x - one) for one in (low, middle, high)) < 1e-8 for x in found), text


def test_times_at_which_conditions_absolute_values_and_signs_change_over():
    text = "Piecewise((sin(t), t < 0.3), (abs(cos(t)) + sign(t - 2.5), True))"
    assert switches([tree(text)], 0.0, 5.0) == pytest.approx([0.3, np.pi / 2, 2.5, 3 * np.pi / 2])
    assert len(switches([tree("sign(sin(1000*t))")], 0.0, 10.0)) == 3183  # 10000/pi


def test_branches_that_hold_at_a_place_are_picked():
    text = "Piecewise((x, abs(x - 0.3) < 0.05), (abs(x - 1)*sign(x - 2), True))"
    for at in (0.1, 0.31, 0.9, 1.5, 2.5):
        smooth = picked(tree(text), {SPINE: at})
        assert not smooth.atoms(symengine.Piecewise, symengine.Abs, symengine.sign)
        assert float(smooth.subs({SPINE: at})) == pytest.approx(float(values(tree(text), {SPINE: at})))


TEXTS = (
    "sin(3*t)*exp(-t**2) + x*t",
    "tanh((t - 0.4)/0.01)/(1 + x**2)",
    "sqrt(abs(t - 0.5)) + cos(20*t - x)**3",
    "Piecewise((t**2, t < x), (atan(t*5), t < 0.8), (log(1 + t), True))",
    "abs(t - x)*sign(t - 0.25) + cosh(t)/sinh(1 + x) - atan2(t, 1 + x)",
    "(t - 0.3)**(-2) + tan(t) + asin(t/2) + acos(x/2)",
)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(TEXTS), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_values_lie_within_bounds(text, a, b, share, x, width):
    f, low, high = tree(text), min(a, b), max(a, b)
    least, most = bounds(f, {TIME: (low, high), SPINE: (x, x + width)})
    for t, at in ((low, x), (high, x + width), (low + share * (high - low), x + share * width)):
        value = float(values(f, {TIME: t, SPINE: at}))
        slack = 1e-12 * (1 + abs(value))
        assert least - slack <= value <= most + slack


def test_trees_bounded_together_have_the_bounds_they_have_alone():
    where = {SPINE: (np.array([-1.0, 0.1]), np.array([0.5, 2.0])), TIME: (0.0, 3.0)}
    texts = ("sin(3*x)*exp(-t)", "-2*x**2*sin(3*x)", "Piecewise((x, t < 1), (3, True))", "7", "t")
    trees = [tree(text) for text in texts]
    for f, together in zip(trees, Bounded(*trees)(where), strict=True):
        assert np.array_equal(together, bounds(f, where))


@given(st.lists(st.floats(0.0, 2.0), min_size=1, max_size=8), st.data())
def test_breaks_that_rounding_parts_are_one(times, data):
    """What is left lies apart, hides what was dropped, and holds what must be kept."""
    near = [t + data.draw(st.integers(-3, 3)) * np.spacing(t) for t in times]
    kept = set(near[:1])
    found = told_apart([*times, *near], 2.5, kept)
    assert kept <= set(found)
    for one in (*times, *near):
        closest = min(found, key=lambda other: abs(other - one))
        assert abs(closest - one) <= rounded_ends(closest, 2.5)
    assert all(b > a for a, b in pairwise(found))
    assert told_apart([], 1.0) == ()
    assert told_apart([0.5, 0.75], 1.0) == (0.5, 0.75)
    assert told_apart([0.023, np.nextafter(0.023, 1), 0.03], 0.05) == (0.023, 0.03)
    assert told_apart([0.023, np.nextafter(0.023, 1)], 0.05, {np.nextafter(0.023, 1)}) == (np.nextafter(0.023, 1),)
