"""The curve through the states of a run, and the energy balance's quadrature along it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.solve.steppers.energy_balance import _partial_weights
from flexura.solve.steppers.history import History
from flexura.solve.steppers.mechanics import State

NONE = np.zeros(0)


def history(times, f, f_t, f_tt, starts=(0,)):
    states = [State(t, *(np.array([g(t)]) for g in (f, f_t, f_tt)), NONE) for t in times]
    return History(states, list(starts))


@settings(max_examples=20, deadline=None)
@given(st.lists(st.floats(0.05, 0.4), min_size=3, max_size=8), st.integers(0, 11))
def test_polynomials_up_to_degree_eleven_are_met_exactly(steps, degree):
    times = np.concatenate([[0.0], np.cumsum(steps)])
    coefficients = np.zeros(12)
    coefficients[degree] = 1.0
    p = np.polynomial.Polynomial(coefficients)
    at = np.linspace(0, times[-1], 17)
    q, v, a = history(times, p, p.deriv(), p.deriv(2)).curve().at(at)
    size = max(1.0, abs(p(times[-1])), abs(p.deriv(2)(times[-1])))
    for found, wanted in ((q, p), (v, p.deriv()), (a, p.deriv(2))):
        assert np.abs(found[:, 0] - wanted(at)).max() < 1e-7 * size


@settings(max_examples=30, deadline=None)
@given(st.floats(-14.0, -3.0), st.integers(-2, 3), st.sampled_from([0.0, 1.0, 1e3]), st.floats(0.1, 10.0))
def test_rates_within_short_steps_do_not_lose_the_digits_of_places_and_times(power, ratio, place, w):
    """Steps as short as those that come to a jump: quotients of differences would miss rates by 1e-16 of a step."""
    h = 10**power * (1 + 1e-5) / 3
    times = 0.9 + np.cumsum([0.0, 0.7 * h, h * 2.0**ratio, h, 0.5 * h])
    times = times[np.append(True, np.diff(times) > 0)]

    def q(t):
        return place + np.sin(w * t)

    def v(t):
        return w * np.cos(w * t)

    def a(t):
        return -w * w * np.sin(w * t)

    at = np.linspace(times[0], times[-1], 23)
    found = history(times, q, v, a).curve().at(at)
    assert np.abs(found[0][:, 0] - q(at)).max() < 1e-12 * (place + w)
    rounding = 2e-16 * (place + w)
    long = np.cbrt(12 * rounding) / w  # steps in which curvatures begin to tell: there quotients are needed
    assert np.abs(found[1][:, 0] - v(at)).max() < 1e3 * rounding / long


def test_short_histories_use_what_there_is():
    for count in (2, 3):
        times = np.linspace(0, 0.2, count)
        q, *_ = history(times, np.sin, np.cos, lambda t: -np.sin(t)).curve().at(np.array([0.07]))
        assert q[0, 0] == pytest.approx(np.sin(0.07), abs=1e-9)
    q, *_ = history([1.0], np.sin, np.cos, np.sin).curve().at(np.array([1.0, 1.0]))
    assert q.shape == (2, 1)


def test_a_break_is_not_smoothed():
    left, right = np.linspace(0, 1, 5), np.linspace(1, 2, 5)

    def bent(t, after):
        return (t - 1) ** 2 / 2 if after else 0.0

    states = [State(t, *(np.array([x]) for x in (0.0, 0.0, 0.0)), NONE) for t in left]
    states += [State(t, *(np.array([x]) for x in (bent(t, True), t - 1, 1.0)), NONE) for t in right]
    curve = History(states, [0, 5]).curve()
    at = np.array([0.9, 0.99, 1.0, 1.01, 1.5])
    q, _, a = curve.at(at)
    assert np.allclose(q[:, 0], np.where(at < 1, 0, (at - 1) ** 2 / 2), atol=1e-14)
    assert np.allclose(a[:, 0], np.where(at < 1, 0, 1), atol=1e-12)


def test_parts_of_a_step_are_integrated_like_whole_ones():
    nodes = (np.polynomial.legendre.leggauss(8)[0] + 1) / 2
    share = np.array([0.0, 0.3, 1.0])
    for k in range(8):
        assert np.allclose(_partial_weights(share) @ nodes**k, share ** (k + 1) / (k + 1), atol=1e-14)
