"""Functions that the engine compiles take long integers for what they are, wherever trees become numbers."""

from __future__ import annotations

import numpy as np
import pytest
import symengine

import flexura as fx
from flexura.solve.runs.driving import FormulaInTime
from flexura.symbolic.engine import SPINE, TIME
from flexura.symbolic.machine import machine_function
from flexura.systems.signals.sampled import sampled
from flexura.systems.signals.signal import read_signal

LONG = 10**320
FRACTION = symengine.Rational(3 * LONG + 1, LONG)  # 3, in integers of 320 digits
TIMES = np.array([0.0, 0.5, 2.0])


@pytest.mark.parametrize("backend", [None, "lambda"])
@pytest.mark.parametrize("cse", [False, True])
def test_numbers_of_long_integers_are_what_they_come_to(backend, cse):
    long = symengine.Integer(LONG)
    trees = [
        FRACTION * TIME,
        1 / symengine.log(long),
        TIME + symengine.log(1 / long),
        symengine.sqrt(symengine.Rational(LONG, 3)) / 10**160,
        symengine.atan(long) * TIME,
        symengine.exp(-symengine.log(long) / 100),
    ]
    digits = 320 * np.log(10)
    wanted = [1.5, 1 / digits, 0.5 - digits, 3**-0.5, np.pi / 4, np.exp(-digits / 100)]
    got = machine_function([TIME], trees, backend, cse)(np.array([0.5]))
    assert np.ravel(got) == pytest.approx(wanted, rel=1e-14, abs=0)


def test_signals_hold_long_fractions():
    signal = read_signal(FRACTION * TIME, "the input F", TIMES)
    assert [signal.at(float(t)) for t in TIMES] == pytest.approx(3 * TIMES, rel=1e-15)


def test_shapes_along_members_hold_long_fractions():
    assert sampled(FRACTION * SPINE, "the density of w")(TIMES) == pytest.approx(3 * TIMES, rel=1e-15)


def test_given_motions_hold_long_fractions():
    assert FormulaInTime(FRACTION * TIME**2)(2.0) == pytest.approx([12, 12, 6], rel=1e-15)


def test_frames_turn_by_long_fractions():
    frame = fx.MovingFrame.turning("z", FRACTION * TIME**2)
    assert frame.omega(2.0) == pytest.approx([0, 0, 12], rel=1e-15)
