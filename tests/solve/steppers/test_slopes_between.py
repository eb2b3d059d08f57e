"""Slopes of a run between those that were evaluated: straight lines where they fit, and nowhere else."""

from dataclasses import replace

import numpy as np
import pytest

import flexura as fx
from flexura.solve.steppers import error as room
from flexura.solve.steppers import looked


def pendulums():
    """Two rigid arms that swing far, one on the other."""
    a, b = fx.RigidBody("a", m=1.0, I=0.1), fx.RigidBody("b", m=0.7, I=0.05)
    hinges = [fx.Revolute(fx.ground, a.at(-0.5, 0), name="p"), fx.Revolute(a.at(0.5, 0), b.at(-0.4, 0), name="q")]
    return fx.derive(fx.Model(*hinges, fx.Gravity(9.81))), {"p": 0.4, "q": 1.1}


def bouncing():
    """A mass between stops that it feels for moments only."""
    a, b = fx.Mass("a", m=0.9), fx.Mass("b", m=1.7)
    slides = [fx.Slide(fx.ground, one, along="x", name=name) for one, name in ((a, "x"), (b, "y"))]
    stop = fx.Force(a, "4e5*(abs(-0.05 - x) - 0.05 - x)/2", along="x")
    return fx.derive(fx.Model(*slides, fx.Spring(a, b, k=300.0, along="x"), stop)), {"x_t": -1.5, "y_t": 0.2}


@pytest.mark.parametrize("together", [8, 16], ids=["lines past four steps", "lines past eight"])
@pytest.mark.parametrize("machine", [pendulums, bouncing])
def test_errors_are_those_of_slopes_taken_everywhere(machine, together, monkeypatch):
    equations, start = machine()
    t, asked = np.linspace(0, 2, 21), []
    monkeypatch.setattr(room, "_TOGETHER", 0)  # a few steps at a time, as of large systems
    monkeypatch.setattr(room, "_LEAST_TOGETHER", together)
    between = room._between
    monkeypatch.setattr(room, "_between", lambda *given: asked.append(1) or between(*given))
    runs = []
    for large in (np.inf, 0):
        monkeypatch.setattr(room, "_LARGE", large)
        runs.append(fx.simulate(equations, t, start, tolerance=1e-9))
    every, some = (run.error for run in runs)
    assert asked
    assert some.growth == pytest.approx(every.growth, rel=0.05)
    for name, size in every.time.items():
        assert some.time[name] == pytest.approx(size, rel=0.1)


def test_a_contact_that_few_steps_feel_is_not_passed_over(monkeypatch):
    """Where a stop is felt between two that were evaluated, slopes on straight lines do not explain the forces."""
    equations, start = bouncing()
    verdicts = []
    fits = room._fits
    monkeypatch.setattr(room, "_TOGETHER", 0)
    monkeypatch.setattr(room, "_LARGE", 0)
    monkeypatch.setattr(room, "_straight", lambda *given: True)
    monkeypatch.setattr(room, "_fits", lambda *given: verdicts.append(fits(*given)) or verdicts[-1])
    fx.simulate(equations, np.linspace(0, 2, 21), start, tolerance=1e-9)
    assert verdicts
    assert not all(verdicts)


def test_a_step_is_looked_at_once_however_it_is_asked_for(monkeypatch):
    """What was seen in parts is the same as of all steps together; what was not seen is not known."""
    equations, start = pendulums()
    curve, seen = [], room.time_errors
    monkeypatch.setattr("flexura.solve.runs.run_error.time_errors", lambda *given: curve.append(given) or seen(*given))
    fx.simulate(equations, np.linspace(0, 1, 5), start, tolerance=1e-6)
    mechanics, line = curve[0][:2]
    steps = np.arange(20)
    alone = looked.look_at(mechanics, replace(line), steps)
    monkeypatch.setattr(looked, "_KEPT", 0)
    parts = replace(line)
    looked.look_at(mechanics, parts, np.arange(10, 20))
    assert looked.seen_at(mechanics, parts, steps) is None
    looked.look_at(mechanics, parts, np.arange(10))
    found, before = looked.seen_at(mechanics, parts, steps[::3]), len(parts.kept)
    assert looked.look_at(mechanics, parts, steps) is not None
    assert len(parts.kept) == before
    for one, all_of_it in zip(found, alone, strict=True):
        np.testing.assert_allclose(one, all_of_it[::3], rtol=1e-12, atol=1e-12)
