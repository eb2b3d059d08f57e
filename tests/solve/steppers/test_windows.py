"""Many implicit steps at once, against one at a time and against the explicit way."""

from dataclasses import replace

import numpy as np
import pytest

import flexura as fx
from flexura.solve.discretise import motion_system
from flexura.solve.steppers.energy_balance import energy_balance
from flexura.solve.steppers.mechanics import Mechanics
from flexura.solve.steppers.norm import Norm
from flexura.solve.steppers.run import Options, follow
from flexura.solve.steppers.tableau import RADAU
from flexura.solve.steppers.windows import StepWindow

PULSE = "Piecewise((5*sin(4*pi*t), t < 0.5), (0, True))"


def arm(EI=20.0, gravity=False):
    hub = fx.RigidBody("hub", m=0, I=0.3)
    beam = fx.EulerBernoulliBeam("arm", EI=EI, rho=0.5, length=1.0, field="w")
    parts = (fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub, beam.start), fx.Torque(hub, "tau"))
    return fx.derive(fx.Model(*parts, *([fx.Gravity(9.81)] if gravity else [])))


def torque(t):
    return np.asarray(5 * np.sin(4 * np.pi * np.asarray(t)))[..., None]


def idle(t):
    return np.zeros((*np.shape(t), 1))


def begin(system, inputs=torque, theta=0.0):
    mechanics = Mechanics(system, inputs)
    q = np.zeros(system.n)
    q[0] = theta
    return mechanics, mechanics.state(0.0, q, np.zeros(system.n))


def window(mechanics, start, steps):
    return StepWindow(mechanics, Norm.of(mechanics, start, mechanics.newton(start)), RADAU, start, np.asarray(steps))


@pytest.mark.parametrize("steps", [[0.01] * 12, list(0.002 * 1.4 ** np.arange(10))])
def test_its_steps_are_those_taken_one_at_a_time(steps):
    system = motion_system(arm(), None, 5)
    mechanics, start = begin(system)
    together = window(mechanics, start, steps)
    assert together.solve(1e-12)
    states = list(together.states(len(steps), np.inf)) if together.errors() is not None else []
    state = start
    for h, expected in zip(steps, states, strict=True):
        single = window(mechanics, state, [h])
        assert single.solve(1e-12)
        single.errors()
        (state,) = single.states(1, np.inf)
        assert state.t == pytest.approx(expected.t, rel=1e-14)
        assert state.q == pytest.approx(expected.q, abs=1e-10 * np.abs(expected.q).max())
        assert state.v == pytest.approx(expected.v, abs=1e-9 * np.abs(expected.v).max())


def test_a_linear_system_needs_one_round():
    beam = fx.EulerBernoulliBeam("beam", EI=20.0, rho=0.5, length=1.0, field="w")
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F")))
    mechanics, start = begin(motion_system(equations, None, 6), lambda t: np.ones((*np.shape(t), 1)))
    one = window(mechanics, start, [0.05] * 20)
    assert one.solve(1e-10)
    assert one.rounds == 1
    M, f = mechanics.system.evaluate(one.t, *(x.reshape(-1, one.n) for x in (one.q, one.v)), one.u)
    force = np.abs(f).max()
    assert (M @ one.a.reshape(-1, one.n, 1))[..., 0] == pytest.approx(f, abs=1e-10 * force)


def test_matrices_are_refreshed_where_the_motion_is_large():
    """More than half a turn within one window: those of the start no longer serve."""
    mechanics, start = begin(motion_system(arm(EI=2e3, gravity=True), None, 4), idle, theta=0.5)
    one = window(mechanics, start, [0.05] * 30)
    assert one.solve(1e-10)
    assert len(one.matrices.M) == 30
    assert one.q[-1, -1, 0] < -3


def test_a_window_that_does_not_converge_is_cut():
    """A pendulum over many turns in one window: the run goes on with fewer steps at a time, and closes its ledger."""
    mechanics, start = begin(motion_system(arm(EI=2e3, gravity=True), None, 4), idle, theta=1.0)
    assert not window(mechanics, start, [0.3] * 32).solve(1e-10)
    run = follow(mechanics, start, 4.0, Options(local=1e-10, method="radau"))
    assert run.complete
    times = np.linspace(0, 4, 101)
    curve = run.history.curve()
    q, v, _ = curve.at(times)
    assert energy_balance(mechanics, curve, times, q, v).error < 1e-7


def test_together_and_singly_the_motion_is_one():
    system = motion_system(arm(gravity=True), None, 4)
    found = {}
    for name, one in (("together", system), ("singly", replace(system, stacks=False))):
        mechanics, start = begin(one, torque if name == "together" else lambda t: torque(t))
        run = follow(mechanics, start, 0.4, Options(local=1e-11, method="radau"))
        found[name] = run.history.curve().at(np.linspace(0, 0.4, 41))[0]
    assert found["together"] == pytest.approx(found["singly"], abs=1e-8 * np.abs(found["singly"]).max())


@pytest.mark.parametrize("tolerance", [1e-5, 1e-8, 1e-10])
def test_the_software_takes_them_together_and_the_ledger_closes(tolerance):
    run = fx.simulate(arm(), np.linspace(0, 1, 101), inputs={"tau": PULSE}, tolerance=tolerance)
    assert "radau" in run.notes[-1]
    assert run.energy.error < tolerance
    explicit = fx.simulate(arm(), np.linspace(0, 1, 101), inputs={"tau": PULSE}, tolerance=1e-9, method="explicit")
    assert np.abs(run["theta"] - explicit["theta"]).max() < 200 * tolerance * np.abs(explicit["theta"]).max()


def test_a_motion_that_ends_is_told_with_what_there_is():
    """Without foreshortening a fast turning arm bends beyond all bounds."""
    beam = fx.EulerBernoulliBeam("arm", EI=20.0, rho=0.5, length=1.0, field="w")
    hub = fx.RigidBody("hub", m=0, I=1)
    spun = fx.Revolute(fx.ground, hub, name="theta", motion="200*t**2")
    model = fx.Model(spun, fx.Fixed(hub, beam.start), foreshortening=False)
    run = fx.simulate(fx.derive(model), np.linspace(0, 5, 101), method="radau")
    assert not run.complete
    assert "diverged" in run.message
    assert run.t[-1] < 5


@pytest.mark.parametrize("start", [1.0, 2.0, 2.8, -0.5])
@pytest.mark.parametrize("tolerance", [1e-2, 1e-4, 1e-6])
def test_answers_that_are_none_are_not_taken(start, tolerance):
    """Collocation of a = c v^2 has a second answer, v near 1 / (c h); large steps of a tumbling pendulum meet it."""
    a, c = fx.RigidBody("a", m=1.0, I=0.1), fx.RigidBody("c", m=1.0, I=0.1)
    joints = fx.Revolute(fx.ground, a, name="q1"), fx.Revolute(a.at(1, 0, 0), c.at(-0.5, 0, 0), name="q2")
    equations = fx.derive(fx.Model(*joints, fx.Gravity(9.81)))
    run = fx.simulate(equations, np.linspace(0, 6, 121), {"q1": start}, tolerance=tolerance, method="radau")
    assert run.complete
    assert run.energy.error < tolerance
    assert np.abs(run["q1_t"]).max() < 30
