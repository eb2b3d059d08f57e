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
