"""Runs that end early say so, with the state they ended in; events are found even where they hardly happen."""

import math
import time
import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.solve.steppers import error
from flexura.solve.steppers.zeros import zeros_between

MASS = fx.Mass("mass", m=2.0)
SLIDE = fx.Slide(fx.ground, MASS, name="q")
SPRING = fx.Spring(fx.ground, MASS, k=8.0)
FREE = fx.derive(fx.Model(SLIDE, SPRING))
W = 2.0


def slides(t, start, level):
    """A mass on a spring that dry friction of k*level brakes, from rest at `start`; and when it sticks."""
    half, x, n = math.pi / W, start, 0
    while abs(x) > level:
        if t is not None and t < (n + 1) * half:
            middle = math.copysign(level, x)
            return middle + (x - middle) * math.cos(W * (t - n * half))
        x, n = 2 * math.copysign(level, x) - x, n + 1
    return x if t is not None else n * half


@settings(max_examples=6, deadline=None)
@given(st.floats(0.6, 2.0), st.floats(0.06, 0.2))
def test_friction_that_sticks_is_followed(start, level):
    left = (start - level) % (2 * level)
    if min(left, 2 * level - left) < 0.02 * level:
        return  # it stops just at the edge of sticking
    equations = fx.derive(fx.Model(SLIDE, SPRING, fx.Force(MASS, "-8*level*sign(q_t)")))
    t = np.linspace(0, 40, 81)
    run = fx.simulate(equations, t, initial={"q": start}, values={"level": level})
    assert run.complete
    assert run.notes[0].startswith("sign(q_t) is dry friction, followed as the contact sign_1")
    assert run.events["sign_1"][-1] == pytest.approx(slides(None, start, level), abs=1e-6)
    assert run["q"] == pytest.approx([slides(one, start, level) for one in t], abs=1e-7)
    assert run.energy.error < 1e-8


def test_friction_that_changes_is_named_where_it_sticks():
    """A limit that moves with the motion is no number; what then comes to rest is told, also from rest on."""
    equations = fx.derive(fx.Model(SLIDE, SPRING, fx.Force(MASS, "-(1.5 + q**2)*sign(q_t)"), fx.Force(MASS, "F")))
    for start, load, at in ((1.0, 0.0, None), (0.0, 1.0, 0.0)):
        with pytest.warns(UserWarning, match=r"not complete: The friction sign\(q_t\) sticks at t = .* fx.Friction"):
            run = fx.simulate(equations, [0, 40], initial={"q": start}, inputs={"F": load})
        assert not run.complete
        assert run.message in run.notes
        when = float(run.message.partition("t = ")[2].partition(":")[0])
        assert abs(run.t[-1] - when) < 40
        assert at is None or when == pytest.approx(at, abs=1e-6)


def test_the_advice_on_friction_helps():
    t = np.linspace(0, 8, 17)
    smooth = fx.derive(fx.Model(SLIDE, SPRING, fx.Force(MASS, "-1.5*tanh((q_t)/0.001)")))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = fx.simulate(smooth, t, initial={"q": 1.0})
    assert run.complete
    assert run["q"] == pytest.approx([slides(one, 1.0, 1.5 / 8) for one in t], abs=0.02)
    rubbed = fx.derive(fx.Model(SLIDE, SPRING, fx.Friction(fx.ground, MASS, 1.5)))
    held = fx.simulate(rubbed, t, initial={"q": 1.0})
    assert held["q"] == pytest.approx([slides(one, 1.0, 1.5 / 8) for one in t], abs=1e-7)
    dry = fx.derive(fx.Model(SLIDE, SPRING, fx.Force(MASS, "-1.5*sign(q_t)")))
    ended = fx.simulate(dry, t, initial={"q": 1.0}, events={"rest": "t - 4.712"}, stop="rest")
    assert ended.stopped
    assert ended["q"][-1] == pytest.approx(0.125, abs=1e-4)


def test_the_state_at_a_stopping_event_is_the_last():
    t = np.linspace(0, 20, 5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a run that ends as asked does not warn
        run = fx.simulate(FREE, t, initial={"q": 1.0}, events={"low": "q + 0.5"}, stop="low")
    at = math.acos(-0.5) / W
    assert run.stopped
    assert not run.complete
    assert run.t == pytest.approx([0.0, at])
    assert run["q"][-1] == pytest.approx(-0.5)
    assert run["q_t"][-1] == pytest.approx(-W * math.sin(W * at))
    assert run.events["low"] == pytest.approx([at])
    assert len(run.energy.kinetic) == len(run.t)
    assert run.message in run.notes


@pytest.mark.parametrize("method", ["explicit", "radau"])
@pytest.mark.parametrize("below", [1e-2, 1e-4, 1e-6])
def test_events_that_graze_come_in_pairs(method, below):
    t, level = np.linspace(0, 50, 3), 1 - below
    run = fx.simulate(FREE, t, initial={"q": 1.0}, events={"high": f"q - {level!r}"}, method=method, tolerance=1e-10)
    away = math.acos(level) / W
    wanted = [away] + [k * math.pi + side * away for k in range(1, 16) for side in (-1, 1)]
    assert len(run.events["high"]) == len(wanted)
    assert run.events["high"] == pytest.approx(wanted, abs=1e-7 / math.sqrt(below))


def test_events_that_only_touch_are_found_once():
    run = fx.simulate(FREE, [0, 50.0], initial={"q_t": 1.0}, events={"top": "q - 0.5"}, tolerance=1e-12)
    assert run.events["top"] == pytest.approx(
        [(k + 0.25) * math.pi for k in range(16) if (k + 0.25) * math.pi < 50], abs=1e-4
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0.02, 0.98), min_size=0, max_size=5, unique=True), st.floats(0.5, 2))
def test_all_zeros_of_a_function_in_a_step(roots, size):
    roots = sorted(roots)
    if any(b - a < 1e-4 for a, b in pairwise(roots)):
        return

    def values(t):
        return size * np.exp(t) * np.prod([t - root for root in roots], axis=0) * np.ones_like(t)

    first, last = (float(values(np.array([end]))[0]) for end in (0.0, 1.0))
    assert zeros_between(values, 0.0, 1.0, first, last, 0.0) == pytest.approx(roots, abs=1e-8)


def test_a_limit_of_time_holds_for_everything_a_run_takes(monkeypatch):
    """The clock is turned by hand: a millisecond for each look at it."""
    beam = fx.EulerBernoulliBeam("beam", EI=20.0, rho=1.0, length=1.0)
    hub = fx.RigidBody("hub", m=0.5, I=0.05)
    model = fx.Model(fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub, beam.start), fx.Gravity())
    equations = fx.derive(model)
    now = [0.0]

    def clock():
        now[0] += 0.001
        return now[0]

    monkeypatch.setattr(time, "monotonic", clock)
    with pytest.warns(UserWarning, match="The run reached its limit of 0.5 s"):
        run = fx.simulate(equations, np.linspace(0, 50, 11), max_seconds=0.5)
    assert now[0] < 0.56
    assert not run.complete
    assert "raise max_seconds" in run.message


def pendulums(count):
    parts, place = [], fx.ground
    for i in range(count):
        link = fx.RigidBody(f"link{i}", m=1.0, I=0.01)
        parts.append(fx.Revolute(place, link.at(0, 0.15), name=f"q{i}"))
        place = link.at(0, -0.15)
    return fx.derive(fx.Model(*parts, fx.Gravity()))


@pytest.mark.parametrize("cost", [1e-6, 1e-3, 1e-2])
@pytest.mark.parametrize("count", [1, 3])
def test_the_estimate_of_errors_keeps_to_the_limit(monkeypatch, count, cost):
    """The clock goes on by what each look at a step is said to take; the estimate then rests on fewer steps."""
    now, across = [0.0], error._across

    def clock():
        now[0] += 5e-4
        return now[0]

    def slow(h, *others):
        now[0] += cost * len(h)
        return across(h, *others)

    monkeypatch.setattr(time, "monotonic", clock)
    monkeypatch.setattr(error, "_across", slow)
    with pytest.warns(UserWarning, match="The run reached its limit of 1 s"):
        run = fx.simulate(pendulums(count), np.linspace(0, 1e4, 11), initial={"q0": 0.5}, max_seconds=1)
    assert now[0] < 1.1
    assert cost == 1e-6 or any("There was time to estimate" in note for note in run.notes)
    assert run.error.time["q0"] > 0


def test_time_that_is_up_before_the_first_step_is_said(monkeypatch):
    """Equations are made ready piece by piece, and between the pieces the clock is looked at."""
    equations, now = pendulums(12), [0.0]

    def clock():
        now[0] += 0.001
        return now[0]

    monkeypatch.setattr(time, "monotonic", clock)
    with pytest.raises(fx.FlexuraError, match=r"The limit of 0.002 s was reached before the first step.*max_seconds"):
        fx.simulate(equations, [0, 0.01], max_seconds=0.002)
    assert fx.simulate(equations, [0, 0.01], max_seconds=2).complete


RUBBED = fx.Friction(fx.ground, MASS, 0.5, name="rub")
CUSHIONED = fx.Stop(fx.ground, MASS, 0.1, k=100.0)
STOPPED = fx.Stop(fx.ground, MASS, 0.1)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # numbers beyond all numbers
@pytest.mark.parametrize("contacts", [[], [RUBBED], [CUSHIONED], [STOPPED], [RUBBED, STOPPED]])
@pytest.mark.parametrize("load", ["1e300*t", "-1e200", "-1e308*(1 + t)"])
def test_a_run_lost_at_its_start_is_told_with_the_start(contacts, load):
    """No step is taken, whatever there is to touch: there is no phase, and yet a state."""
    model = fx.Model(SLIDE, contacts, fx.Force(MASS, "F"))
    with pytest.warns(UserWarning, match="The run is not complete: The run stalled at t = 0"):
        run = fx.simulate(model, [0, 0.1, 0.2], {"q": 0.05}, {"F": load})
    assert not run.complete
    assert run["q"] == pytest.approx([0.05])
    assert run["q_t"] == pytest.approx([0.0])
    assert not any("Followed by" in note or "Propagated" in note for note in run.notes)


@pytest.mark.parametrize("contacts", [[RUBBED], [CUSHIONED], [STOPPED]])
def test_a_run_with_contacts_out_of_time_at_its_start_is_told_with_the_start(contacts):
    model = fx.Model(SLIDE, contacts, fx.Force(MASS, "F"))
    with pytest.warns(UserWarning, match="reached its limit of 1e-09 s at t = 0; raise max_seconds"):
        run = fx.simulate(model, [0, 0.1, 0.2], {"q_t": 0.3}, {"F": 1.0}, max_seconds=1e-9)
    assert run["q_t"] == pytest.approx([0.3])
