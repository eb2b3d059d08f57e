"""Velocities and accelerations of places: along runs against kinematics written here, in linear answers by i omega."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx

T = np.linspace(0, 1.0, 21)


@given(a=st.floats(0.2, 1.5), b=st.floats(0.2, 1.5), start=st.floats(-3, 3), speed=st.floats(-3, 3))
@settings(max_examples=8, deadline=None)
def test_a_double_pendulum_on_a_shaken_pivot(a, b, start, speed):
    pivot = fx.RigidBody("pivot", m=1.0, I=0)
    first, second = fx.RigidBody("first", m=2.0, I=0.1), fx.RigidBody("second", m=1.0, I=0.05)
    run = fx.simulate(
        fx.Model(
            fx.Slide(fx.ground, pivot, along="x", name="x", motion="0.2*sin(4*t)"),
            fx.Revolute(pivot, first.at(0, a), name="p"),
            fx.Revolute(first.at(0, -a), second.at(0, b), name="q"),
            fx.Gravity(),
        ),
        T,
        initial={"p": start, "q_t": speed},
    )
    p, p_t, p_tt = (run[f"p{rate}"] for rate in ("", "_t", "_tt"))
    r, r_t, r_tt = (run[f"p{rate}"] + run[f"q{rate}"] for rate in ("", "_t", "_tt"))
    down = [2 * a * np.array([np.sin(p), -np.cos(p)]), b * np.array([np.sin(r), -np.cos(r)])]
    across = [2 * a * np.array([np.cos(p), np.sin(p)]), b * np.array([np.cos(r), np.sin(r)])]
    base = np.array([0.8 * np.cos(4 * T), 0 * T]), np.array([-3.2 * np.sin(4 * T), 0 * T])
    v = base[0] + across[0] * p_t + across[1] * r_t
    w = base[1] + across[0] * p_tt - down[0] * p_t**2 + across[1] * r_tt - down[1] * r_t**2
    for i, axis in enumerate("xy"):
        motion = fx.Motion(second, along=axis)
        assert np.abs(run[motion.t] - v[i]).max() <= 1e-10 * (1 + np.abs(v).max())
        assert np.abs(run[motion.tt] - w[i]).max() <= 1e-10 * (1 + np.abs(w).max())
    q, q_t, q_tt = (run[f"q{rate}"] for rate in ("", "_t", "_tt"))  # as it is seen from the first link
    seen = fx.Motion(second, along="x", relative_to=first)
    assert run[seen.t] == pytest.approx(b * np.cos(q) * q_t, abs=1e-9 * (1 + np.abs(q_t).max()))
    assert run[seen.tt] == pytest.approx(
        b * (np.cos(q) * q_tt - np.sin(q) * q_t**2), abs=1e-9 * (1 + np.abs(w).max() + np.abs(q_tt).max())
    )
    assert run[fx.Motion(second, about="z", rate=2)] == pytest.approx(r_tt, rel=1e-12)


def test_a_flexible_arm_its_drawn_in_tip_and_what_its_section_sees():
    hub, tip = fx.RigidBody("hub", m=1.0, I=0.1), fx.RigidBody("tip", m=0.2, I=0.01)
    beam = fx.EulerBernoulliBeam("beam", EI=10.0, rho=1.0, length=1.0)
    t = np.linspace(0, 0.2, 2001)
    run = fx.simulate(
        fx.Model(
            fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub, beam.start), fx.Fixed(beam.end, tip), fx.Gravity()
        ),
        t,
        order=4,
        initial={"theta_t": 3.0},
    )
    places = [fx.Motion(tip, along="x"), fx.Motion(beam.at(0.4)), fx.Motion(hub.at(0.1), relative_to=beam.end)]
    for motion in places:
        speed = run[motion.t]
        assert np.abs(_slope(run[motion], t) - speed[4:-4]).max() < 1e-7 * np.abs(speed).max()
        assert np.abs(_slope(speed, t) - run[motion.tt][4:-4]).max() < 1e-5 * np.abs(run[motion.tt]).max()


def _slope(y, t):
    """Central differences of the eighth order."""
    c = [4 / 5, -1 / 5, 4 / 105, -1 / 280]
    h, n = t[1] - t[0], len(y)
    return sum(c[k - 1] * (y[4 + k : n - 4 + k] - y[4 - k : n - 4 - k]) for k in range(1, 5)) / h


def machine():
    tip = fx.Mass("tip", m=0.5)
    beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.0, internal_damping=1e-3)
    model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Fixed(beam.end, tip), fx.Force(tip, "F"))
    return fx.derive(model), tip, beam


def test_linear_answers_differentiate_by_i_omega():
    equations, tip, _ = machine()
    omega, motion = np.array([2.0, 30.0]), fx.Motion(tip)
    asked = [motion, motion.t, motion.tt, "y_beam_end_t", "y_beam_end_tt", tip]
    found = fx.frequency_response(equations, omega, "F", asked)
    for column, rate in enumerate([0, 1, 2, 1, 2, 0]):
        assert np.allclose(found[:, column], (1j * omega) ** rate * found[:, 0], rtol=1e-12)
    space = fx.state_space(equations, "F", [motion.tt, motion.t, tip])
    assert space.units["outputs"] == ("m/s**2", "m/s", "m")
    wanted = fx.frequency_response(equations, omega, "F", [motion.tt, motion.t, tip])
    assert np.allclose(space.frequency_response(omega)[:, :, 0], wanted, rtol=1e-6)
    rms = fx.random_response(equations, 1.0, "F", [motion.t, "y_beam_end_t"], [0, 100.0]).rms
    assert rms[0] == pytest.approx(rms[1], rel=1e-12)


def test_a_body_that_moves_along_one_axis_is_an_output():
    equations, tip, _ = machine()
    run = fx.simulate(equations, T[:5], inputs={"F": 1.0})
    assert run[tip] == pytest.approx(run[fx.Motion(tip)], abs=0)
    link = fx.RigidBody("link", m=2.0, I=0.1)
    model = fx.Model(fx.Revolute(fx.ground, link.at(0, 0.4), name="theta"), fx.Gravity())
    with pytest.raises(fx.FlexuraError, match="moves along x and y"):
        fx.simulate(model, T, initial={"theta": 1.0})[link]


def test_rates_that_mean_nothing_are_refused():
    _, tip, _ = machine()
    with pytest.raises(fx.FlexuraError, match="use 0 for the motion"):
        fx.Motion(tip, rate=3)
    with pytest.raises(fx.FlexuraError, match="use 0 for the motion"):
        _ = fx.Motion(tip).tt.t


def test_steps_and_impulses_of_matrices():
    M, K = np.diag([2.0, 1.0]), np.array([[30.0, -10], [-10, 10]])
    system = fx.SecondOrderSystem(M, 0.1 * M, K)
    one, two = [1.0, 0], np.eye(2)
    assert fx.step_response(system, [500.0], one, two)[0] == pytest.approx(np.linalg.solve(K, one), rel=1e-9)
    assert fx.impulse_response(system, [0.0, 0.1], two, two).shape == (2, 2, 2)
    assert fx.step_response(system, [0.0, 0.1], "x0", [0.0, 1.0]).shape == (2,)
    response = fx.frequency_response(system, [1.0, 2.0], one, [0.0, 1.0])
    assert list(response.omega) == [1.0, 2.0]
