"""Stops that give way by a law, such as Hunt's and Crossley's (1975)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import flexura as fx

G = 9.81
HUNT_CROSSLEY = "k*s**1.5*(1 + 1.5*a*v)"


def against_a_floor(stop: Callable[[fx.Mass], Any], m: float = 0.5, weight: bool = False) -> fx.Equations:
    ball = fx.Mass("ball", m)
    parts = [fx.Slide(fx.ground, ball, name="y"), stop(ball)]
    return fx.derive(fx.Model(*parts, *([fx.Gravity()] if weight else [])))


def floor(ball: fx.Mass, **given: Any) -> fx.Stop:
    return fx.Stop(fx.ground, ball, 0.1, along="-y", name="floor", **given)


@settings(max_examples=4, deadline=None, derandomize=True)
@given(st.floats(2.5, 6.5), st.floats(0.05, 1.0), st.floats(0.1, 2.0), st.floats(0.1, 5.0))
def test_a_blow_by_hunt_and_crossley_is_its_closed_form(power: float, a: float, speed: float, m: float) -> None:
    """Along v dv/ds = -k s^1.5 (1 + u v)/m, with u = 1.5 a, F(v) = v/u - ln(1 + u v)/u^2 changes by k s^2.5/2.5 m."""
    k, u = 10**power, 1.5 * a
    equations = against_a_floor(lambda ball: floor(ball, law=HUNT_CROSSLEY), m)

    def rest(v: float) -> float:
        return v / u - np.log1p(u * v) / u**2

    back = brentq(lambda v: rest(-v) - rest(speed), 0.0, min(speed, (1 - 1e-14) / u), xtol=1e-15)
    deepest = (2.5 * m * rest(speed) / k) ** 0.4
    t = np.linspace(0, 0.1 / speed + 8 * deepest / speed + 0.1, 401)
    run = fx.simulate(equations, t, initial={"y_t": -speed}, values={"k": k, "a": a}, events={"deepest": "y_t"})
    assert run.complete
    assert run["y_t"][-1] == pytest.approx(back, rel=1e-7)
    assert run.events["floor"][0] == pytest.approx(0.1 / speed, rel=1e-10)
    assert run.energy.dissipated[-1] == pytest.approx(m * (speed**2 - back**2) / 2, rel=1e-7)
    assert run.energy.error < 1e-8
    depth = np.maximum(-run["y"] - 0.1, 0)
    np.testing.assert_allclose(run.energy.potential, k * depth**2.5 / 2.5, atol=1e-9 * m * speed**2)
    assert depth.max() <= deepest * (1 + 1e-7)


def test_a_law_that_says_k_and_c_is_k_and_c() -> None:
    """The same motion, forces and energies, slack moments in which it would pull among them."""
    t = np.linspace(0, 1.5, 61)
    runs = [
        fx.simulate(against_a_floor(stop, weight=True), t, initial={"y": 0.4})
        for stop in (
            lambda ball: floor(ball, k=800.0, c=12.0),
            lambda ball: floor(ball, law="800*s + 12*v"),
        )
    ]
    for what in ("y", "y_t", "R_floor"):
        np.testing.assert_allclose(runs[1][what], runs[0][what], rtol=1e-9, atol=1e-9)
    assert runs[0].events["floor"] == pytest.approx(runs[1].events["floor"], abs=1e-10)
    for part in ("potential", "dissipated"):
        np.testing.assert_allclose(getattr(runs[1].energy, part), getattr(runs[0].energy, part), atol=1e-9)


def test_what_bounces_with_losses_comes_to_rest_where_the_law_carries_it() -> None:
    k, m = 2e4, 0.5
    law = {"law": "k*s**1.5*(1 + 3*v) + 40*s*v"}
    run = fx.simulate(
        against_a_floor(lambda ball: floor(ball, **law), m, weight=True),
        [0, 1, 20],
        initial={"y": 0.1},
        values={"k": k},
    )
    assert run.complete
    assert -run["y"][-1] - 0.1 == pytest.approx((m * G / k) ** (2 / 3), rel=1e-3)
    assert run["R_floor"][-1] == pytest.approx(-m * G, rel=1e-2)


def test_a_beam_that_strikes_a_soft_stop_keeps_its_balance() -> None:
    tip = fx.Mass("tip", 0.3)
    arm = fx.EulerBernoulliBeam("arm", EI=20.0, rho=0.3, length=1.0)
    stop = fx.Stop(fx.ground, tip, 0.01, along="y", law="2e5*s**1.5*(1 + 0.5*v)", name="stop")
    model = fx.Model(fx.Fixed(fx.ground, arm.start), fx.Fixed(arm.end, tip), stop)
    run = fx.simulate(fx.derive(model), np.linspace(0, 0.25, 11), {"w_arm": "-0.05*x**2"}, order=3)
    assert run.complete
    assert len(run.events["stop"]) >= 2
    assert run.energy.dissipated[-1] > 0
    assert run.energy.error < 1e-8


def test_it_is_kept_in_files_and_documents() -> None:
    equations = against_a_floor(lambda ball: floor(ball, law=HUNT_CROSSLEY))
    again = fx.Equations.from_json(equations.to_json())
    values, start = {"k": 1e4, "a": 0.1}, {"y": -0.12, "y_t": 0.3}
    found = [fx.accelerations(one, start, values=values)["R_floor"] for one in (equations, again)]
    assert found[0] == found[1] == pytest.approx(-1e4 * 0.02**1.5 * (1 - 0.15 * 0.3))
    with pytest.raises(fx.FlexuraError, match="The contact floor holds a, which has no value"):
        fx.simulate(again, [0, 1], values={"k": 1e4})


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"law": "k*s", "k": 10.0}, "has both law and k"),
        ({"law": "k*s", "restitution": 0.5}, "has both law and restitution"),
        ({"law": "c*v"}, "is no function of the depth s"),
        ({"law": "k*s*t"}, "holds t"),
        ({"law": "k*exp(sin(s**3)**2)"}, "whose integral over s at v = 0 is not known"),
    ],
)
def test_what_is_no_law_is_said(words: dict[str, Any], sentence: str) -> None:
    with pytest.raises(fx.FlexuraError, match=sentence):
        floor(fx.Mass("ball", 1.0), **words)


def test_a_law_without_a_value_where_it_begins_is_said() -> None:
    equations = against_a_floor(lambda ball: floor(ball, law="k*s*log(s)"))
    with pytest.raises(fx.FlexuraError, match=r"The law of the stop floor is not finite at the depth"):
        fx.simulate(equations, [0, 1], initial={"y_t": -1.0}, values={"k": -1e3})


def followed_by_hand(push: Callable[[float, float], float], force: Callable[[float], float], start: Any, t: Any) -> Any:
    """y of 2 kg under a force and what a floor at y = 0 pushes with, in steps far shorter than any bounce."""

    def slopes(time: float, y: Any) -> list[float]:
        return [y[1], (force(time) + push(-y[0], -y[1])) / 2]

    breaks, found, y = [0.0, 0.5, float(t[-1])], [np.zeros(0)], start
    for begin, end in pairwise(breaks):
        inside = t[(t > begin) & (t <= end)]
        run = solve_ivp(
            slopes, (begin, end), y, "DOP853", np.union1d(inside, [end]), rtol=1e-10, atol=1e-13, max_step=1e-3
        )
        found.append(run.y[0, : len(inside)])
        y = run.y[:, -1]
    return np.concatenate([start[:1], *found])


LOADS: dict[str, Callable[[float], float]] = {
    "-20": lambda t: -20.0,
    "-20*t": lambda t: -20 * t,
    "-20*t**3": lambda t: -20 * t**3,
    "20*t*(t - 0.3)": lambda t: 20 * t * (t - 0.3),
    "20*(0.3 - t)": lambda t: 20 * (0.3 - t),
    "Piecewise((0, t < 0.5), (-20, True))": lambda t: -20.0 * (t >= 0.5),
    "Piecewise((0, t < 0.5), (20, True))": lambda t: 20.0 * (t >= 0.5),
}


@pytest.mark.parametrize("load", LOADS)
@pytest.mark.parametrize("speed", [0.0, -1.0, 1.0])
@pytest.mark.parametrize("c", [0.0, 3.0])
def test_what_touches_a_soft_stop_at_first_is_pushed_as_soon_as_it_presses(load: str, speed: float, c: float) -> None:
    body = fx.Mass("body", 2.0)
    stop = fx.Stop(fx.ground, body, 0, along="-y", k=200.0, c=c)
    model = fx.Model(fx.Slide(fx.ground, body, name="y"), stop, fx.Force(body, "F"))
    t = np.linspace(0, 1, 21)
    run = fx.simulate(model, t, {"y_t": speed}, {"F": load})
    wanted = followed_by_hand(
        lambda s, v: max(200 * s + c * v, 0.0) if s > 0 else 0.0, LOADS[load], np.array([0.0, speed]), t
    )
    assert run["y"] == pytest.approx(wanted, abs=1e-7)


@settings(max_examples=15, deadline=None)
@given(st.floats(0.1, 1.0), st.floats(1.0, 50.0), st.sampled_from([0.0, 0.1, 5.0]), st.floats(0.0, 10.0))
def test_what_left_a_soft_stop_is_back_at_the_speed_it_has(t0: float, force: float, gap: float, c: float) -> None:
    """Under F(t0 - t) it leaves, and is back at 3 t0, whatever short steps come to that moment."""
    body = fx.Mass("body", 2.0)
    stop = fx.Stop(fx.ground, body, gap, along="-y", k=200.0, c=c, name="stop")
    model = fx.Model(fx.Slide(fx.ground, body, name="y"), stop, fx.Force(body, "F"))
    run = fx.simulate(model, [0, 3 * t0, 3.3 * t0], {"y": -gap}, {"F": f"{force!r}*({t0!r} - t)"})
    speed = 0.75 * force * t0**2
    assert run["y_t"][1] == pytest.approx(-speed, rel=1e-8)
    assert run.events["stop"][0] == pytest.approx(3 * t0, rel=1e-10)
    assert run.energy.error < 1e-8


def test_balls_that_touch_pass_on_a_blow() -> None:
    """Three in a row, the last two touching at rest: the second stop is met by what the first one pushes."""
    balls = [fx.Mass(f"ball{i}", 1.0) for i in range(3)]
    slides = [fx.Slide(fx.ground, ball, along="x", name=f"x{i}") for i, ball in enumerate(balls)]
    stops = [fx.Stop(balls[i + 1], balls[i], gap, along="x", k=200.0, name=f"s{i}") for i, gap in enumerate((0.1, 0))]
    t = np.linspace(0, 1, 21)
    run = fx.simulate(fx.Model(slides, stops), t, {"x0_t": 1.0})

    def slopes(time: float, y: Any) -> list[float]:
        first, second = 200 * max(y[0] - y[1] - 0.1, 0), 200 * max(y[1] - y[2], 0)
        return [*y[3:], -first, first - second, second]

    wanted = solve_ivp(slopes, (0, 1), [0, 0, 0, 1, 0, 0], "DOP853", t, rtol=1e-10, atol=1e-13, max_step=1e-3).y
    for i in range(3):
        assert run[f"x{i}"] == pytest.approx(wanted[i], abs=1e-7)
    assert wanted[2][-1] > 0.2  # it was passed on


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_phase_that_ends_where_a_step_ended_is_followed_without_a_step_of_no_length() -> None:
    body = fx.Mass("body", 2.0)
    stop = fx.Stop(fx.ground, body, 0, along="-y", k=200.0)
    model = fx.Model(fx.Slide(fx.ground, body, name="y"), stop, fx.Force(body, "F"))
    t = np.linspace(0, 1, 11)  # it is back at 0.8, where a step ends
    run = fx.simulate(model, t, {"y_t": 1.0}, {"F": "-5"})
    assert run["y"][:9] == pytest.approx(t[:9] - 1.25 * t[:9] ** 2, abs=1e-9)
    assert all(np.isfinite(run[name]).all() for name in ("y", "y_t", "y_tt"))


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8])
def test_a_soft_stop_that_is_pressed_slowly_at_first_holds_at_any_tolerance(tolerance: float) -> None:
    """Errors of the first steps are larger than the depth, s = t^5 / 2 at first: they say nothing of where it goes."""
    body = fx.Mass("body", 2.0)
    stop = fx.Stop(fx.ground, body, 0, along="-y", k=200.0)
    model = fx.Model(fx.Slide(fx.ground, body, name="y"), stop, fx.Force(body, "-20*t**3"))
    t = np.linspace(0, 1, 21)
    run = fx.simulate(model, t, tolerance=tolerance)
    w = 10.0  # y'' + w^2 y = -10 t^3 from rest
    y = -10 * (t**3 / w**2 - 6 * t / w**4 + 6 * np.sin(w * t) / w**5)
    assert run["y"] == pytest.approx(y, abs=1e-8)
