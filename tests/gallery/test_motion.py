"""Every example of the gallery moves: from a modest start, over some periods, with its energy balance closed."""

import numpy as np
import pytest

import flexura as fx
from flexura.gallery import EXAMPLES, example
from flexura.gallery.values import values

# for each: the last time, the start, the loads; bent beams start in a shape that loads could give them
STARTS = {
    "example-one": (1.0, {"q1": 0.01}, {"f": "10*sin(20*t)"}),
    "appendix-b": (0.05, {"r1": 1e-3}, {}),
    "appendix-b-moving": (0.05, {"q3": 1e-3}, {}),
    "cantilever": (1.0, {"w": "0.01*x**2*(6 - 4*x + x**2)"}, {"F": "sin(10*t)"}),
    "timoshenko-tip-body": (1.0, {"eta_t": "x**2"}, {}),
    "rotating-arm": (0.5, {"theta_t": 2.0}, {"tau": "3*sin(2*pi*t)"}),
    "von-karman": (0.05, {"w": "0.05*x**2*(1 - x)**2"}, {}),
    "double-pendulum": (3.0, {"theta1": 1.0, "theta2": 2.0}, {}),
    "knife-edge": (3.0, {"theta": 0.3, "theta_t": 1.0, "X_t": 1.0}, {}),
    "base-excitation": (1.0, {"w": "0.002*x**2*(3 - x)"}, {}),
    "stepped-shaft": (0.2, {"theta1_t": 1.0}, {}),
    "string-mid-mass": (0.2, {"w_mid": 0.01}, {}),
    "three-span-beam": (0.2, {"alpha1_t": 1.0}, {}),
    "hinged-beams": (0.2, {"y_t": 0.3}, {}),
    "portal-frame": (0.2, {"y_left_end": 0.005}, {}),
    "two-link-arm": (0.5, {"theta1_t": 1.0, "theta2_t": -2.0}, {"tau1": "5*sin(3*t)", "tau2": "-2*sin(3*t)"}),
    "slider-crank": (0.1, {"theta": 0.5, "theta_t": 10.0}, {"tau": 0.2}),
    "satellite": (1.0, {"theta_t": 0.5, "w1": "0.002*x**2*(24 - 8*x + x**2)"}, {}),
    "rotating-blade": (0.1, {"w": "0.002*x**2*(3 - x/1.2)"}, {}),
}


def test_none_is_left_out():
    assert set(STARTS) == set(EXAMPLES)


def moved(name, tolerance):
    end, start, loads = STARTS[name]
    t, given = np.linspace(0, end, 41), values(name)
    run = fx.simulate(example(name), t, initial=start, inputs=loads, values=given, tolerance=tolerance)
    assert run.complete, run.message
    assert run.energy.scale > 0
    return run


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_moves_and_its_ledger_closes(name):
    assert moved(name, 1e-8).energy.error < 1e-8


@pytest.mark.parametrize("name", ["rotating-arm", "two-link-arm", "satellite", "knife-edge", "base-excitation"])
def test_a_ledger_closes_as_far_as_is_asked(name):
    assert moved(name, 1e-10).energy.error < 1e-10


@pytest.mark.parametrize("name", EXAMPLES)
def test_values_are_those_of_the_equations(name):
    equations = fx.derive(example(name))
    assert set(values(name)) == set(equations.lagrangian.parameters)


@pytest.mark.parametrize("torque", [0.5, 5.0])
def test_motors_carry_the_arm_under_small_and_large_torques(torque):
    """Without the rotors a joint's angle and the bending beside it share one inertia, and runs end early."""
    loads = {"tau1": f"{torque}*sin(4*t)", "tau2": f"-{0.4 * torque}*sin(4*t)"}
    run = fx.simulate(example("two-link-arm"), np.linspace(0, 0.4, 21), inputs=loads, values=values("two-link-arm"))
    assert run.complete, run.message
    assert run.energy.error < 1e-8


@pytest.mark.parametrize(
    ("name", "start"), [("rotating-arm", "theta_t"), ("two-link-arm", "theta1_t"), ("satellite", "theta_t")]
)
def test_members_that_move_as_if_rigid_need_no_refinement(name, start):
    run = fx.simulate(example(name), np.linspace(0, 0.5, 11), initial={start: 1.0}, values=values(name))
    assert run.energy.error < 1e-8
    assert not any("to refine" in note for note in run.notes)
