"""Times at which functions are not smooth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.integrate.breaks import jumps, kinks


@settings(max_examples=25, deadline=None)
@given(st.floats(0.03, 0.96), st.floats(0.1, 5.0))
def test_a_jump_is_found_wherever_it_is(at, height):
    found = jumps(lambda t: np.sin(7 * t) + height * (t >= at), 0.0, 1.0)
    assert found == pytest.approx([at], abs=1e-9)


def test_smooth_functions_do_not_jump():
    assert jumps(lambda t: np.sin(200 * t), 0.0, 1.0) == []
    assert jumps(lambda t: 3.0, 0.0, 1.0) == []
    assert jumps(lambda t: np.array([t, t**3]), 0.0, 1.0) == []


def test_straight_pieces_turn_at_kinks_only():
    t = np.linspace(0, 1, 11)
    assert kinks(t, np.abs(t - 0.5)) == pytest.approx([0.5])
    assert kinks(t, 3 * t) == []
