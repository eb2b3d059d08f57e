"""Dry friction and stops, against closed forms and codes written here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.integrate
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx

G = 9.81


def sledge(*more: Any, k: float = 50.0, m: float = 2.0) -> fx.Equations:
    mass = fx.Mass("b", m)
    spring = [fx.Spring(fx.ground, mass, k=k, along="x")] if k else []
    things = [one(mass) if callable(one) else one for one in more]
    return fx.derive(fx.Model(fx.Slide(fx.ground, mass, along="x", name="x"), *spring, *things))


def rub(force: Any, **options: Any) -> Callable[[Any], Any]:
    return lambda mass: fx.Friction(fx.ground, mass, force, along="x", name="rub", **options)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.floats(0.3, 5.0), st.floats(10, 200), st.floats(0.5, 5.0), st.floats(-1, 1))
def test_a_mass_on_a_spring_stops_where_half_cycles_say(force: float, k: float, m: float, start: float) -> None:
    """Each half cycle, of the time pi/w, takes 2 F/k from the amplitude; below F/k it sticks."""
    half, band = np.pi * np.sqrt(m / k), force / k
    turns = [start]
    while abs(turns[-1]) > band * (1 + 1e-9):
        turns.append(-(turns[-1] - 2 * band * np.sign(turns[-1])))
    t = np.linspace(0, (len(turns) + 1) * half, 41)
    run = fx.simulate(sledge(rub(force), k=k, m=m), t, initial={"x": start})
    assert run.complete
    assert run["x"][-1] == pytest.approx(turns[-1], abs=1e-9)
    np.testing.assert_allclose(run.events["rub"], half * np.arange(1, len(turns)), atol=1e-9)
    assert run["R_rub"][-1] == pytest.approx(k * turns[-1], abs=1e-8)  # what holds it against the spring
    assert run.energy.dissipated[-1] == pytest.approx(force * np.abs(np.diff(turns)).sum(), abs=1e-8)
    assert run.energy.error < 1e-8


def test_a_ramp_tears_it_loose_at_the_static_limit() -> None:
    equations = sledge(rub(3.0, static=4.0), lambda mass: fx.Force(mass, "P", along="x"), k=0)
    t = np.linspace(0, 5, 51)
    run = fx.simulate(equations, t, inputs={"P": "2*t"})
    assert run.events["rub"] == pytest.approx([2.0], abs=1e-10)
    late = np.maximum(t - 2, 0)
    np.testing.assert_allclose(run["x"], (late**3 / 3 + late**2 / 2) / 2, atol=1e-10)
    np.testing.assert_allclose(run["R_rub"][t < 2], -2 * t[t < 2], atol=1e-12)


def test_an_input_that_jumps_beyond_the_limit_tears_it_loose_at_once() -> None:
    equations = sledge(rub(3.0), lambda mass: fx.Force(mass, "P", along="x"), k=0)
    t = np.linspace(0, 2, 21)
    run = fx.simulate(equations, t, inputs={"P": "Piecewise((1, t < 1), (5, True))"})
    np.testing.assert_allclose(run["x"], np.maximum(t - 1, 0) ** 2 / 2, atol=1e-10)


def test_stick_slip_on_a_belt_repeats() -> None:
    """A belt drags a mass on a spring: sticking until the spring pulls with the static limit."""
    belt, mass = fx.RigidBody("belt", m=1.0, I=0), fx.Mass("b", 1.0)
    model = fx.Model(
        fx.Slide(fx.ground, belt, along="x", name="u", motion="0.2*t"),
        fx.Slide(fx.ground, mass, along="x", name="x"),
        fx.Spring(fx.ground, mass, k=4.0, along="x"),
        fx.Friction(belt, mass, 1.0, along="x", static=1.5, name="rub"),
    )
    run = fx.simulate(fx.derive(model), np.linspace(0, 14, 141), initial={"x_t": 0.2})
    times = run.events["rub"]
    # sticks from the start until 4*0.2 t = 1.5; slides about F/k = 0.25 with w = 2 until x_t = 0.2 again
    assert times[0] == pytest.approx(1.5 / 0.8, abs=1e-9)
    amplitude = np.hypot(0.125, 0.1)
    slide = np.pi / 2 + np.arctan2(0.1, 0.125)  # by symmetry x ends at 0.25 - 0.125
    assert times[1] - times[0] == pytest.approx(slide, abs=1e-8)
    assert run["x"].max() == pytest.approx(0.25 + amplitude, abs=1e-3)
    period = slide + 0.25 / 0.2
    assert times[2] - times[0] == pytest.approx(period, abs=1e-8)
    assert run.energy.error < 1e-8


def test_friction_that_falls_with_speed() -> None:
    """Stribeck's law: its limit holds the rate; against the same equation as a first-order system."""
    mass, (low, more, slow) = fx.Mass("m", 2.0), (2.0, 1.0, 0.1)
    law = fx.Friction(fx.ground, mass, f"{low} + {more}*exp(-(x_t/{slow})**2)", along="x", static=3.0, name="rub")
    equations = fx.derive(fx.Model(fx.Slide(fx.ground, mass, along="x", name="x"), law, fx.Force(mass, "F", along="x")))
    run = fx.simulate(equations, [0, 0.4, 0.8, 1.2], initial={"x_t": 1.0}, inputs={"F": 0}, tolerance=1e-9)
    true = scipy.integrate.solve_ivp(
        lambda _, y: [y[1], -(low + more * np.exp(-((y[1] / slow) ** 2))) / 2.0],
        (0, 0.8), [0.0, 1.0], t_eval=[0.4, 0.8], rtol=1e-11, atol=1e-12,
    )  # fmt: skip
    np.testing.assert_allclose(run["x"][1:3], true.y[0], atol=1e-8)
    assert run["x_t"][-1] == pytest.approx(0, abs=1e-12)
    assert fx.accelerations(equations, {}, inputs={"F": 2.9})["x"] == pytest.approx(0, abs=1e-12)
    assert fx.accelerations(equations, {"x_t": 0.05})["R_rub"] == pytest.approx(-(low + more * np.exp(-0.25)))


def test_friction_that_follows_the_load_of_its_bearing() -> None:
    """A block on rails under its weight and a slanting push, that presses it down as hard as it drives it."""
    mass = fx.Mass("b", 2.0)
    model = fx.Model(
        fx.Slide(fx.ground, mass, along="x", name="x"),
        fx.Gravity(),
        fx.Force(mass, "P", along=(1, -1, 0)),
        fx.Friction(fx.ground, mass, "mu*N_x", along="x", name="rub"),
    )
    t = np.linspace(0, 0.5, 6)
    run = fx.simulate(fx.derive(model), t, initial={"x_t": 3.0}, inputs={"P": "10*t"}, values={"mu": 0.3})
    impulse = 5 * t**2 / np.sqrt(2)
    speed = 3 + (impulse - 0.3 * (2 * G * t + impulse)) / 2
    np.testing.assert_allclose(run["x_t"], speed, atol=1e-9)


def test_a_brake_on_a_revolute_is_a_torque() -> None:
    wheel = fx.RigidBody("wheel", m=1.0, I=0.4)
    model = fx.Model(fx.Revolute(fx.ground, wheel, name="th"), fx.Friction(fx.ground, wheel, 0.2, name="brake"))
    run = fx.simulate(fx.derive(model), np.linspace(0, 10, 21), initial={"th_t": 3.0})
    assert run.events["brake"] == pytest.approx([6.0], abs=1e-10)
    assert run["th"][-1] == pytest.approx(9.0)
    assert fx.verify(fx.derive(model))


def ball(restitution: Any = 0.7, **options: Any) -> fx.Equations:
    mass = fx.Mass("ball", 0.3)
    stop = fx.Stop(fx.ground, mass, 0, along="-y", restitution=restitution, name="floor", **options)
    return fx.derive(fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Gravity(), stop))


@settings(max_examples=8, deadline=None, derandomize=True)
@given(st.floats(0.0, 0.85), st.floats(0.2, 5.0))
def test_a_bouncing_ball_comes_to_rest(e: float, height: float) -> None:
    fall = np.sqrt(2 * height / G)
    rest = fall * (1 + 2 * e / (1 - e))
    run = fx.simulate(ball(e), np.linspace(0, rest + 1, 61), initial={"y": height})
    bounces = fall * (1 + 2 * np.cumsum(np.append(0, e ** np.arange(1, 5))))
    count = min(5, len(run.events["floor"]))
    np.testing.assert_allclose(run.events["floor"][:count], bounces[:count], atol=1e-10 * (1 + rest))
    assert run.events["floor"][-1] == pytest.approx(rest, abs=1e-7 * (1 + rest))
    assert run["y"][-1] == pytest.approx(0, abs=1e-12)
    assert run["R_floor"][-1] == pytest.approx(-0.3 * G)  # along="-y": the floor pushes up
    assert run.energy.dissipated[-1] == pytest.approx(0.3 * G * height, rel=1e-8)
    assert run.energy.error < 1e-8
    if e > 0.1:
        assert any("comes to rest" in note for note in run.notes)


@pytest.mark.parametrize(("e", "gap", "speed"), [(0.8, 1.0, 0.0), (0.9, 0.0, 1.0)])
def test_a_ball_that_came_to_rest_stays_on_the_floor(e: float, gap: float, speed: float) -> None:
    """It is quiet before its bounces are as small as rounding, and does not fall through."""
    ball = fx.Mass("ball", 1.0)
    model = fx.Model(fx.Slide(fx.ground, ball, name="y"), fx.Gravity(9.81),
                     fx.Stop(fx.ground, ball, gap, along="-y", restitution=e))  # fmt: skip
    first = np.sqrt(2 * gap / 9.81) if gap else 2 * speed / 9.81
    after = (np.sqrt(2 * 9.81 * gap) if gap else speed) * 2 * e / (9.81 * (1 - e))
    run = fx.simulate(fx.derive(model), np.linspace(0, 1.5 * (first + after), 40), initial={"y_t": speed})
    assert run["y"].min() >= -gap - 1e-12
    assert abs(run["y"][run.t > first + after] + gap).max() < 1e-12
    assert any(f"t = {first + after:.4f}"[:9] in note for note in run.notes)


def test_a_ball_that_keeps_all_bounces_on() -> None:
    run = fx.simulate(ball(1.0), np.linspace(0, 5, 51), initial={"y": 1.0})
    fall = np.sqrt(2 / G)
    np.testing.assert_allclose(run.events["floor"], fall * np.arange(1, len(run.events["floor"]) * 2, 2), atol=1e-9)
    assert run.energy.dissipated[-1] == pytest.approx(0, abs=1e-9)


def test_a_rest_ends_where_the_floor_would_pull() -> None:
    mass = fx.Mass("ball", 0.3)
    stop = fx.Stop(fx.ground, mass, 0, along="-y", name="floor")
    model = fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Gravity(), stop, fx.Force(mass, "F"))
    t = np.linspace(0, 3, 31)
    run = fx.simulate(fx.derive(model), t, inputs={"F": "2*t"})
    lift = 0.3 * G / 2
    assert run.events["floor"] == pytest.approx([lift], abs=1e-9)
    np.testing.assert_allclose(run["y"], np.maximum(t - lift, 0) ** 3 / 3 / 0.3, atol=1e-8)


def test_newtons_cradle_with_gaps_passes_the_blow_on() -> None:
    balls = [fx.Mass(f"b{i}", 0.5) for i in range(4)]
    slides = [fx.Slide(fx.ground, one, along="x", name=f"x{i}") for i, one in enumerate(balls)]
    stops = [fx.Stop(balls[i + 1], balls[i], 0.1, along="x", restitution=1, name=f"c{i}") for i in range(3)]
    run = fx.simulate(fx.derive(fx.Model(*slides, *stops)), np.linspace(0, 1, 11), initial={"x0_t": 2.0})
    assert [len(run.events[f"c{i}"]) for i in range(3)] == [1, 1, 1]
    np.testing.assert_allclose([run[f"x{i}_t"][-1] for i in range(4)], [0, 0, 0, 2], atol=1e-9)
    np.testing.assert_allclose([run.events[f"c{i}"][0] for i in range(3)], [0.05, 0.1, 0.15], atol=1e-10)


@settings(max_examples=8, deadline=None, derandomize=True)
@given(st.lists(st.floats(0.2, 3), min_size=2, max_size=4), st.floats(0, 1), st.integers(0, 1000))
def test_impacts_in_a_row_are_those_of_a_plain_code(masses: list[float], e: float, seed: int) -> None:
    """Masses on one line: momentum and Newton's law at each impact, in the order of time."""
    draw = np.random.default_rng(seed)
    n = len(masses)
    v = np.sort(draw.uniform(-2, 2, n))[::-1].copy()
    gaps = draw.uniform(0.1, 0.5, n - 1)
    x = np.concatenate([[0], np.cumsum(gaps)])
    bodies = [fx.Mass(f"b{i}", masses[i]) for i in range(n)]
    slides = [fx.Slide(fx.ground, one, along="x", name=f"x{i}") for i, one in enumerate(bodies)]
    stops = [fx.Stop(bodies[i + 1], bodies[i], gaps[i], along="x", restitution=e, name=f"c{i}") for i in range(n - 1)]
    start = {f"x{i}_t": v[i] for i in range(n)}
    end, t, hits = 0.6, 0.0, 0
    while True:
        closing = v[:-1] - v[1:]
        room = np.diff(x)
        when = [r / c if c > 1e-12 else np.inf for r, c in zip(room, closing, strict=True)]
        k = int(np.argmin(when))
        if t + when[k] >= end or hits > 40:
            break
        x, t, hits = x + v * when[k], t + when[k], hits + 1
        a, b = masses[k], masses[k + 1]
        impulse = a * b / (a + b) * (1 + e) * closing[k]
        v[k], v[k + 1] = v[k] - impulse / a, v[k + 1] + impulse / b
        x[k + 1] = max(x[k + 1], x[k])
    if hits > 40 or e < 0.05:
        return  # touching ones are another matter
    run = fx.simulate(fx.derive(fx.Model(*slides, *stops)), [0, 0.3, end], initial=start)
    np.testing.assert_allclose([run[f"x{i}_t"][-1] for i in range(n)], v, atol=1e-7)


def test_a_flexible_arm_hits_a_stop() -> None:
    """Its energy balance closes with the loss that is told, and the tip does not pass the stop."""
    hub, tip = fx.RigidBody("hub", m=1.0, I=0.1), fx.Mass("tip", 0.3)
    arm = fx.EulerBernoulliBeam("arm", EI=20.0, rho=0.3, length=1.0)
    model = fx.Model(
        fx.Revolute(fx.ground, hub, name="th"),
        fx.Fixed(hub, arm.start),
        fx.Fixed(arm.end, tip),
        fx.Stop(fx.ground, tip, 0.05, along="y", restitution=0.4, name="stop"),
    )
    run = fx.simulate(fx.derive(model), np.linspace(0, 0.3, 61), initial={"th_t": 1.0}, order=5)
    assert run.complete
    assert run.energy.error < 1e-7
    assert len(run.events["stop"]) >= 1
    assert run.energy.dissipated[-1] > 0
    assert any(f"{run.energy.dissipated[-1]:.6g} J" in note for note in run.notes)
    assert run.position(arm.end)[:, 1].max() <= 0.05 + 1e-6


def test_a_compliant_stop_is_a_spring_and_damper_that_only_push() -> None:
    m, k, c, height = 0.3, 800.0, 3.0, 0.5
    mass = fx.Mass("ball", m)
    stop = fx.Stop(fx.ground, mass, 0.1, along="-y", k=k, c=c, name="floor")
    equations = fx.derive(fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Gravity(), stop))
    t = np.linspace(0, 1.5, 61)
    run = fx.simulate(equations, t, initial={"y": height})

    def rate(t: float, s: Any) -> Any:
        deep = -s[0] - 0.1
        push = max(k * deep - c * s[1], 0) if deep > 0 else 0
        return [s[1], -G + push / m]

    expected = scipy.integrate.solve_ivp(rate, (0, 1.5), [height, 0], "RK45", t, rtol=1e-10, atol=1e-12, max_step=2e-4)
    np.testing.assert_allclose(run["y"], expected.y[0], atol=2e-7)
    assert run.energy.error < 1e-8
    deep = np.maximum(-run["y"] - 0.1, 0)
    np.testing.assert_allclose(run.energy.potential, m * G * run["y"] + k * deep**2 / 2, atol=1e-9)


def test_a_block_on_a_rough_floor_slides_and_stops() -> None:
    """Friction by the normal force of a stop: thrown along a floor it stops after v^2/(2 mu g)."""
    mass = fx.Mass("b", 2.0)
    model = fx.Model(
        fx.Free(fx.ground, mass, names=("x", "y")),
        fx.Gravity(),
        fx.Stop(fx.ground, mass, 0, along="-y", name="floor"),
        fx.Friction(fx.ground, mass, "0.4*N_floor", along="x", name="rub"),
    )
    run = fx.simulate(fx.derive(model), np.linspace(0, 2, 21), initial={"x_t": 3.0})
    assert run["x"][-1] == pytest.approx(9 / (2 * 0.4 * G), abs=1e-8)
    assert run.events["rub"] == pytest.approx([3 / (0.4 * G)], abs=1e-9)
    thrown = fx.simulate(fx.derive(model), np.linspace(0, 2, 21), initial={"x_t": 3.0, "y": 0.5})
    fall = np.sqrt(2 * 0.5 / G)
    after = 3.0 - 0.4 * G * fall  # the impulse of the impact rubs too
    assert thrown["x"][-1] == pytest.approx(3 * fall + after**2 / (2 * 0.4 * G), abs=1e-8)


def painleve(mu: float) -> fx.Equations:
    """A rod on a rough floor, leaning: with a large coefficient of friction its equations have no solution."""
    rod = fx.RigidBody("rod", m=1.0, I=1 / 12)
    foot = rod.at(-0.5, 0)
    return fx.derive(
        fx.Model(
            fx.Free(fx.ground, rod, names=("x", "y", "th")),
            fx.Gravity(),
            fx.Stop(fx.ground, foot, 0, along="-y", name="floor"),
            fx.Friction(fx.ground, foot, f"{mu}*N_floor", along="x", name="rub"),
        )
    )


def test_painleves_rod_is_told() -> None:
    """Sliding into its lean at 60 degrees; the critical coefficient there is 4/3-odd (Painleve 1895)."""
    angle = np.pi / 3
    # s along -y of the foot, from rest (th = 0): y - sin(th)/2 = 0
    start = {"th": angle, "y": 0.5 * np.sin(angle), "x_t": -2.0}
    fine = fx.simulate(painleve(0.2), [0, 0.01, 0.02], initial=start)
    assert fine.complete
    with pytest.raises(fx.FlexuraError, match=r"as with Painleve's rod; give .* some compliance"):
        fx.simulate(painleve(2.5), [0, 0.01, 0.02], initial=start)


def test_states_and_samples_go_on_through_contacts() -> None:
    mass = fx.Mass("b", 1.0)
    model = fx.Model(
        fx.Slide(fx.ground, mass, along="x", name="x"),
        fx.Stop(fx.ground, mass, 0.5, along="x", restitution=0.5, name="wall"),
        fx.State("z", "x_t"),
        fx.Force(mass, "u", along="x"),
        fx.Sampled(0.1, lambda t, o: 1.0 - 0 * o["x"], "u"),
    )
    run = fx.simulate(fx.derive(model), np.linspace(0, 1.5, 16))
    hit = 1.0
    after = np.linspace(0, 0.5, 6)
    np.testing.assert_allclose(run["x"][10:], 0.5 - 0.5 * after + after**2 / 2, atol=1e-9)
    assert run.events["wall"][0] == pytest.approx(hit, abs=1e-10)
    np.testing.assert_allclose(run["z"], run["x"], atol=1e-9)


def test_linear_verbs_leave_contacts_open_and_say_so() -> None:
    with pytest.warns(UserWarning, match="The contact rub is left open here"):
        assert fx.modes(sledge(rub(3.0)), 1).frequencies[0] == pytest.approx(5.0)


def test_what_is_wrong_is_said() -> None:
    mass = fx.Mass("b", 1.0)
    for make, sentence in (
        (lambda: fx.Friction(fx.ground, mass, -1.0), "must be zero or more"),
        (lambda: fx.Friction(fx.ground, mass, 1.0, static=0.5), "static limit .* is 0.5, less than its force 1"),
        (lambda: fx.Stop(fx.ground, mass, 0, restitution=-0.1), "must be zero or more"),
        (lambda: fx.Stop(fx.ground, mass, 0, restitution=0.5, k=10.0), "has both restitution and k"),
        (lambda: fx.Stop(fx.ground, mass, 0, c=10.0), "has c and no k"),
        (lambda: fx.Friction(fx.ground, mass, 1.0, along="line"), "along the line between its places"),
        (lambda: fx.simulate(ball(), [0, 1], initial={"y": -0.1}), "The start violates the stop floor"),
        (lambda: fx.simulate(ball("e"), [0, 1], values={"e": 1.5}), "The restitution of floor is 1.5"),
        (lambda: fx.simulate(sledge(rub("F0")), [0, 1], values={"F0": -2.0}), "force of the friction rub is -2"),
        (lambda: fx.simulate(sledge(rub("mu*N_y")), [0, 1], values={"mu": 0.2}), "There is no normal force N_y"),
        (lambda: fx.simulate(sledge(rub(1.0)), [0, 1], inputs={"R_rub": 1.0}), "is given by a contact"),
        (lambda: fx.derive(fx.Model(sledge(rub(1.0)))), "is not a part"),
    ):
        with pytest.raises(fx.FlexuraError, match=sentence):
            make()


@pytest.mark.parametrize(("more", "moved"), [("3*t", 3 / 12), ("t**2", 1 / 24), ("0", 0.0), ("-t", 0.0)])
@pytest.mark.parametrize("kind", ["Friction", "Stop"])
def test_what_begins_at_its_limit_lets_go_when_more_is_asked(kind, more, moved):
    """Of 2 kg: friction loaded by just what it can hold, or a floor by nothing, from then on by more or by less."""
    block, t = fx.Mass("block", m=2.0), np.linspace(0, 1, 11)
    if kind == "Friction":
        contact, force = fx.Friction(fx.ground, block, force=1.0, along="x", name="held"), f"1 + {more}"
    else:
        contact, force = fx.Stop(fx.ground, block, gap=0, along="-x", name="held"), more
    model = fx.Model(fx.Slide(fx.ground, block, along="x", name="x"), contact, fx.Force(block, "F", along="x"))
    run = fx.simulate(model, t, inputs={"F": force})
    assert run["x"][-1] == pytest.approx(moved, abs=1e-9)
    assert np.all(run["R_held"] <= (0 if kind == "Stop" else 1) + 1e-9)
    assert np.all(run["R_held"] >= -1 - 1e-9)


@pytest.mark.parametrize("law", ["-3", "-3 - t", "-3*cos(4*t)"])
def test_a_beam_that_rests_on_a_stop_under_a_load_stays_and_leaves_as_the_load_says(law: str) -> None:
    """The load goes straight into the stop: nothing moves, and the stop holds what the load is, until it pulls."""
    beam = fx.EulerBernoulliBeam("beam", EI=5.0, rho=1.1, length=1.2)
    clamp, force = fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, law)
    stop = fx.Stop(fx.ground, beam.end, gap=0.0, along="-y", name="floor")
    t = np.linspace(0, 0.5, 11)
    run = fx.simulate(fx.Model(clamp, stop, force), t, order=4)
    load = np.array([float(sympy.sympify(law).subs("t", one)) for one in t])
    assert run.complete
    assert run.energy.error < 1e-8
    assert run["R_floor"] == pytest.approx(np.minimum(load, 0), abs=1e-9)
    rests = load <= 0
    assert np.abs(run.place(beam, 1.2)[rests]).max() < 1e-14
    if not rests.all():
        assert run.events["floor"] == pytest.approx([np.pi / 8], abs=1e-9)
        later = np.concatenate([[0.0], t[t > 0.4] - np.pi / 8])
        free = fx.simulate(fx.Model(clamp, fx.Force(beam.end, "-3*cos(4*(t + pi/8))")), later, order=4)
        assert run.place(beam, 1.2)[t > 0.4] == pytest.approx(free.place(beam, 1.2)[1:], rel=1e-6)
    assert not any("no equilibrium" in one for one in run.notes)
