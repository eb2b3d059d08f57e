"""Inputs that see the motion, and controllers that sample it, against integrators written here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.integrate
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx

M, K = 0.5, 3.0
T = np.linspace(0, 3, 31)


def cart(*more: Any) -> fx.Equations:
    mass = fx.Mass("c", M)
    return fx.derive(
        fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=K), fx.Force(mass, "F"), *more, mass)
    )


def held_exactly(period: float, law: Callable[[float, Any], float], start: tuple[float, float]) -> Any:
    """y at 0, period, 2 period, ...: the exact solution under a force that is held."""
    step = scipy.linalg.expm(period * np.array([[0, 1, 0], [-K / M, 0, 1 / M], [0, 0, 0]]))
    state, found = np.array([*start, 0.0]), [start[0]]
    for k in range(round(T[-1] / period)):
        state[2] = law(k * period, state)
        state = step @ state
        found.append(state[0])
    return np.array(found)


def test_an_input_of_t_and_run_closes_a_loop() -> None:
    run = fx.simulate(
        cart(), T, initial={"y": 0.2}, inputs={"F": lambda t, run: -0.7 * run["y_t"] - run["y"] ** 3 + np.sin(2 * t)}
    )

    def rate(t: float, s: Any) -> Any:
        return [s[1], (-K * s[0] - 0.7 * s[1] - s[0] ** 3 + np.sin(2 * t)) / M]

    expected = scipy.integrate.solve_ivp(rate, (0, T[-1]), [0.2, 0], "DOP853", T, rtol=1e-12, atol=1e-13).y
    np.testing.assert_allclose(run["y"], expected[0], atol=1e-9)
    np.testing.assert_allclose(run["F"], -0.7 * expected[1] - expected[0] ** 3 + np.sin(2 * T), atol=1e-8)
    assert run.energy.error < 1e-8


def test_a_stiff_loop_is_followed_by_implicit_steps() -> None:
    """y'' = -(k/m) y - 4000 (y' - y): the fast root must not hold the steps up, and Newton sees the loop."""
    inputs = {"F": lambda t, run: -4000 * M * (run["y_t"] - run["y"])}
    run = fx.simulate(cart(), T, initial={"y": 0.2}, inputs=inputs, method="radau")
    A = np.array([[0, 1], [-K / M + 4000, -4000]])
    expected = [(scipy.linalg.expm(A * t) @ [0.2, 0])[0] for t in T]
    np.testing.assert_allclose(run["y"], expected, rtol=1e-7)


def test_an_input_sees_states_and_prescribed_motions() -> None:
    mass, base = fx.Mass("c", M), fx.RigidBody("base", m=1.0, I=0)
    equations = fx.derive(
        fx.Model(
            fx.Slide(fx.ground, base, name="b", motion="sin(t)"),
            fx.Slide(base, mass, name="y"),
            fx.State("z", "y"),
            fx.Force(mass, "F"),
        )
    )
    seen: list[list[str]] = []

    def force(t: float, run: Any) -> float:
        seen.append(sorted(run))
        return -run["z"] - 2 * run["y"] - run["y_t"] + 0.1 * run["b"] - 0.2 * run["b_t"]

    run = fx.simulate(equations, T, inputs={"F": force}, initial={"z": 0.3})

    def rate(t: float, s: Any) -> Any:
        y, v, z = s
        return [v, (-z - 2 * y - v + 0.1 * np.sin(t) - 0.2 * np.cos(t)) / M + np.sin(t), y]

    expected = scipy.integrate.solve_ivp(rate, (0, T[-1]), [0, 0, 0.3], "DOP853", T, rtol=1e-12, atol=1e-13).y
    np.testing.assert_allclose(run["y"], expected[0], atol=1e-8)
    np.testing.assert_allclose(run["z"], expected[2], atol=1e-8)
    assert seen[0] == ["b", "b_t", "y", "y_t", "z"]


def test_a_distributed_input_may_see_the_motion_too() -> None:
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=1.0, length=1.0)
    model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.DistributedForce(beam, "f"), names={beam.end: ("tip", "turn")})
    t = np.linspace(0, 0.5, 6)
    run = fx.simulate(fx.derive(model), t, inputs={"f": lambda x, t, run: np.sin(t) * x - 3 * run["tip"] * x}, order=7)
    same = fx.Model(
        fx.Fixed(fx.ground, beam.start),
        fx.DistributedForce(beam, "sin(t)*x - 3*tip*x"),
        names={beam.end: ("tip", "turn")},
    )
    np.testing.assert_allclose(run["tip"], fx.simulate(fx.derive(same), t, order=7)["tip"], atol=1e-9)


def test_an_input_sees_outputs_too() -> None:
    """Feedback of where a place is in space, and of a place on a member, equals that of its coordinates."""
    arm = fx.RigidBody("arm", m=1.0, I=0.2)
    tip, t = arm.at(0.4), np.linspace(0, 1, 11)
    parts = (fx.Revolute(fx.ground, arm.at(-0.3), name="th"), fx.Torque(arm, "tau"))
    equations, height = fx.derive(fx.Model(*parts)), fx.Motion(tip, along="y")
    run = fx.simulate(equations, t, initial={"th": 0.5}, inputs={"tau": lambda t, run: -9 * run[height]})
    same = {"tau": lambda t, run: -9 * 0.7 * np.sin(run["th"])}
    np.testing.assert_allclose(run["th"], fx.simulate(equations, t, initial={"th": 0.5}, inputs=same)["th"], atol=1e-9)
    sampled = [
        fx.Model(*parts, fx.Sampled(0.1, law, "tau"))
        for law in (lambda t, o: -9 * o[height], lambda t, o: -9 * 0.7 * np.sin(o["th"]))
    ]
    found = [fx.simulate(fx.derive(one), t, initial={"th": 0.5})["th"] for one in sampled]
    np.testing.assert_allclose(*found, atol=1e-9)


def test_what_cannot_be_seen_is_said() -> None:
    with pytest.raises(fx.FlexuraError, match="There is no 'x' to be seen; there are y, y_t"):
        fx.simulate(cart(), T, inputs={"F": lambda t, run: run["x"]})
    with pytest.raises(fx.FlexuraError, match="The input F is nan at t = "):
        fx.simulate(cart(), T, inputs={"F": lambda t, run: float("nan")})
    with pytest.raises(fx.FlexuraError, match="one number at each time"):
        fx.simulate(cart(), T, inputs={"F": lambda x, t, run: 0.0})


@pytest.mark.parametrize("sampled", [True, False])
@pytest.mark.parametrize("with_stop", [True, False])
def test_what_a_controller_loses_on_the_way_keeps_the_motion_up_to_there(sampled: bool, with_stop: bool) -> None:
    """Not a number at a time: the run ends there with a sentence, and what was followed stays."""
    mass, t = fx.Mass("m", 1.0), np.linspace(0, 2, 21)
    things = [fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=4.0), fx.Force(mass, "u")]
    things += [fx.Stop(fx.ground, mass, 2.0)] if with_stop else []

    def lost(time: float, _: Any) -> float:
        return float("nan") if time > 0.95 else 0.0

    things += [fx.Sampled(0.1, lost, "u")] if sampled else []
    with pytest.warns(UserWarning, match="not complete: The .* u is nan at t = "):
        run = fx.simulate(fx.Model(*things), t, initial={"y": 1.0}, inputs=None if sampled else {"u": lost})
    assert not run.complete
    assert len(run.t) >= 2
    np.testing.assert_allclose(run["y"], np.cos(2 * run.t), atol=1e-6)


@settings(max_examples=10, deadline=None, derandomize=True)
@given(st.floats(0.02, 0.5), st.floats(-2, 2), st.floats(0, 1.5))
def test_a_sampled_controller_is_asked_at_its_times_and_held(period: float, kp: float, kd: float) -> None:
    asked: list[float] = []
    count = int(T[-1] / period)
    period = T[-1] / count  # so that the last time is one of its own

    def law(t: float, outputs: Any) -> float:
        asked.append(t)
        return -kp * outputs["y"] - kd * outputs["y_t"]

    run = fx.simulate(cart(fx.Sampled(period, law, "F")), np.linspace(0, T[-1], count + 1), initial={"y": 0.2})
    np.testing.assert_allclose(asked, period * np.arange(count), atol=1e-12)
    expected = held_exactly(period, lambda t, s: -kp * s[0] - kd * s[1], (0.2, 0.0))
    np.testing.assert_allclose(run["y"], expected, atol=1e-9 * max(1, abs(expected).max()))
    assert run.energy.error < 1e-8
    middle = fx.simulate(cart(fx.Sampled(period, law, "F")), [0, period / 2, 0.9 * period], initial={"y": 0.2})
    assert len(set(middle["F"])) == 1  # held between samples


def test_a_controller_with_a_memory_is_asked_once_for_each_sample() -> None:
    """An integral kept by the user, and a delay of one sample: the discrete loop written out."""
    period, memory = 0.05, {"sum": 0.0, "late": 0.0}

    def law(t: float, outputs: Any) -> float:
        late, memory["late"] = memory["late"], -2 * outputs["y"] - memory["sum"]
        memory["sum"] += period * outputs["y"]
        return late

    run = fx.simulate(cart(fx.Sampled(period, law, "F")), T, initial={"y": 0.2})
    memory["sum"] = memory["late"] = 0.0
    expected = held_exactly(period, lambda t, s: law(t, {"y": s[0]}), (0.2, 0.0))
    np.testing.assert_allclose(run["y"], expected[:: round(0.1 / period)], atol=1e-9)


def test_sampled_control_of_a_flexible_arm_converges_to_the_continuous_one() -> None:
    hub, tip = fx.RigidBody("hub", m=1.0, I=0.3), fx.Mass("tip", 0.1)
    beam = fx.EulerBernoulliBeam("beam", EI=5.0, rho=0.4, length=1.2)
    parts = (fx.Revolute(fx.ground, hub, name="th"), fx.Fixed(hub, beam.start), fx.Fixed(beam.end, tip))
    t = np.linspace(0, 1, 11)
    state = fx.State("z", "0.1 - th")
    smooth = fx.derive(fx.Model(*parts, state, fx.Torque(hub, "20*(0.1 - th) - 3*th_t + 8*z")))
    expected = fx.simulate(smooth, t, order=5)["th"]
    errors = []
    for period in (0.02, 0.01, 0.005):

        def law(t: float, o: Any) -> float:
            return 20 * (0.1 - o["th"]) - 3 * o["th_t"] + 8 * o["z"]

        sampled = fx.derive(fx.Model(*parts, state, fx.Torque(hub, "tau"), fx.Sampled(period, law, "tau")))
        errors.append(abs(fx.simulate(sampled, t, order=5)["th"] - expected).max())
    rates = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(rates, 1.0, atol=0.15)  # a hold is a delay of half a period: first order


def test_linear_verbs_hold_a_sampled_controller_at_zero_and_say_so() -> None:
    equations = cart(fx.Sampled(0.1, lambda t, outputs: -outputs["y"], "F"))
    with pytest.warns(UserWarning, match="The sampled controller of F is held at zero"):
        assert fx.modes(equations, 1).frequencies[0] == pytest.approx(np.sqrt(K / M))
    with pytest.warns(UserWarning, match="held at zero"):
        fx.frequency_response(equations, [1.0], "F", "y")
    assert "sampled every 0.1 s" in equations.steps[1].text


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: fx.Sampled(0, lambda t, o: 0, "F"), "The period of the sampled controller of F is 0"),
        (lambda: fx.Sampled(0.1, 3, "F"), "The function of the sampled controller of F is 3"),
        (lambda: cart(fx.Sampled(0.1, lambda t, o: 0, "G")), "No load and no state holds G"),
        (lambda: cart(*(fx.Sampled(0.1, lambda t, o: 0, "F") for _ in "ab")), "Two sampled controllers give"),
        (
            lambda: fx.simulate(cart(fx.Sampled(0.1, lambda t, o: float("nan"), "F")), T),
            "The sampled controller of F is nan at t = 0",
        ),
        (
            lambda: fx.simulate(cart(fx.Sampled(0.1, lambda t, o: 0.0, "F")), T, inputs={"F": 1.0}),
            "The input F is given by a sampled controller and as 'F'",
        ),
    ],
)
def test_what_is_wrong_is_said(make: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(fx.FlexuraError, match=sentence):
        make()


class Remembering:
    """Controllers as their loops are written elsewhere: what they give depends on what they were asked before."""

    def __init__(self) -> None:
        self.t, self.sum, self.last, self.on = 0.0, 0.0, 0.0, False

    def integral(self, t: float, run: Any) -> float:
        self.sum, self.t = self.sum + run["y"] * (t - self.t), t
        return -4 * self.sum

    def slope(self, t: float, run: Any) -> float:
        before, self.last = self.last, run["y"]
        return before - self.last

    def relay(self, t: float, run: Any) -> float:
        self.on = run["y"] > 0.05 or (self.on and run["y"] > -0.05)
        return -1.0 if self.on else 1.0

    def counter(self, t: float, run: Any) -> float:
        self.sum += 1
        return self.sum

    def clock(self, t: float, run: Any) -> float:
        self.t = max(t, self.t)
        return self.t


@pytest.mark.parametrize("kind", ["integral", "slope", "relay", "counter", "clock"])
def test_an_input_that_remembers_is_refused(kind: str) -> None:
    with pytest.raises(fx.FlexuraError, match="it has a memory") as told:
        fx.simulate(cart(), T, initial={"y": 0.2}, inputs={"F": getattr(Remembering(), kind)})
    assert "fx.State" in told.value.advice
    assert "fx.Sampled" in told.value.advice


def test_what_is_summed_up_is_a_state_or_sampled() -> None:
    """The advice: both follow y_tt = (-3 y - 4 integral of y)/m, one as finely as it samples."""
    summed = cart(fx.State("z", "y"))
    run = fx.simulate(summed, T, initial={"y": 0.2}, inputs={"F": lambda t, run: -4 * run["z"]})
    A = np.array([[0, 1, 0], [-K / M, 0, -4 / M], [1, 0, 0]])
    expected = np.array([(scipy.linalg.expm(A * t) @ [0.2, 0, 0])[0] for t in T])
    np.testing.assert_allclose(run["y"], expected, atol=1e-8)
    period = 1e-3
    sampled = fx.simulate(cart(fx.Sampled(period, Remembering().integral, "F")), T, initial={"y": 0.2})
    assert np.abs(sampled["y"] - expected).max() < 20 * period * np.abs(expected).max()


def test_a_function_of_time_that_remembers_is_refused() -> None:
    noise = np.random.default_rng(1)
    with pytest.raises(fx.FlexuraError, match="when it is asked again at the same time"):
        fx.simulate(cart(), T, inputs={"F": lambda t: noise.normal()})
    table = noise.normal(size=len(T))
    assert fx.simulate(cart(), T, inputs={"F": table}).complete
