"""Functions looked at closely, and how far a step may reach."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.symbolic.engine import TIME
from flexura.symbolic.parser import parse
from flexura.systems.signals.resolution import resolved
from flexura.systems.signals.scales import Scales, look, many


def seen(function, samples=4**6):
    return look(many(function, function), 0.0, 1.0, samples)


@settings(max_examples=25, deadline=None)
@given(st.floats(0.03, 0.96), st.floats(0.1, 5.0))
def test_a_jump_is_found_wherever_it_is(at, height):
    found = seen(lambda t: np.sin(7 * t) + height * (t >= at))
    assert np.abs(np.array(found.jumps) - at).max() < 1e-9
    assert len(found.jumps) == 1


def test_smooth_functions_do_not_jump():
    for function in (lambda t: np.sin(200 * t), lambda t: 3.0, lambda t: np.array([t, t**3])):
        assert seen(function).jumps == ()


@settings(max_examples=25, deadline=None)
@given(st.floats(0.05, 0.95), st.floats(-4, -1).map(lambda e: 10.0**e))
def test_no_step_reaches_across_a_bell(middle, width):
    text, _ = resolved(parse(f"exp(-((t - {middle})/{width})**2)").engine, TIME, 0.0, 1.0)
    edges = [text]
    if width > 1e-3:
        edges.append(seen(lambda t: np.exp(-(((t - middle) / width) ** 2))).edges)
    for one in edges:
        scales, t, longest = Scales.of([one]), 0.0, 0.0
        while t < 1.0:
            h = min(scales.reach(t), 1.0 - t)
            if t < middle + width and t + h > middle - width:
                longest = max(longest, h)
            t += h
        assert longest < 8 * width


def test_functions_are_asked_for_many_times_at_once_only_if_they_answer_so():
    calls = []

    def counted(t):
        calls.append(np.size(t))
        return t * t

    assert np.array_equal(many(counted, counted)(np.arange(100.0))[:, 0], np.arange(100.0) ** 2)
    assert max(calls) == 100
    for odd in (lambda t: 1.0 if t < 3 else 2.0, lambda t: np.mean(t), lambda t: 5.0):
        found = many(odd, odd)(np.arange(100.0))
        assert np.array_equal(found[:, 0], [odd(t) for t in np.arange(100.0)])


def test_a_smooth_function_is_hardly_called_between_samples():
    """Half of it at rest, so that every change of the other half is large beside the usual one."""
    calls = []

    def half(t):
        calls.append(t)
        return 5 * np.sin(4 * np.pi * t) if t < 0.5 else 0

    found = seen(half)
    assert found.jumps == ()
    assert len(calls) < 2 * 4**6


@settings(max_examples=25, deadline=None)
@given(st.floats(0.03, 0.96), st.floats(0.06, 2.0))
def test_a_jump_is_found_beside_a_steep_slope(at, share):
    """As small as a step of the samples there."""
    slope = 50.0
    found = seen(lambda t: slope * min(max(t, 0.9 * at), at + 0.03) + share * slope / 4**6 * (t >= at))
    assert any(abs(one - at) < 1e-9 for one in found.jumps)
