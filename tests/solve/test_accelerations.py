"""Accelerations at a state: against closed forms, a direct solve, and the balance of energy."""

import math
from typing import Any

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura import gallery
from flexura.solve.accelerations import accelerations

t = sp.Symbol("t")
DOUBLE = {"m1": 1.3, "m2": 0.4, "l1": 0.9, "l2": 1.7, "g": 9.81}


def direct(equations: fx.Equations, state: dict[str, float], values: dict[str, float]) -> np.ndarray:
    """M^-1 F from the SymPy forms, all at once."""
    functions = {name: sp.Function(name)(t) for name in equations.coordinates}
    where: dict[Any, float] = {f.diff(t): state.get(f"{name}_t", 0.0) for name, f in functions.items()}
    still = {f: state.get(name, 0.0) for name, f in functions.items()} | {sp.Symbol(n): v for n, v in values.items()}
    M, F = (one.subs(where).subs(still) for one in (equations.mass_matrix, equations.forcing))
    return np.linalg.solve(np.array(M, dtype=float), np.array(F, dtype=float).ravel())


numbers = st.floats(-3, 3, allow_subnormal=False)


@given(numbers, numbers, numbers, numbers)
@settings(max_examples=20)
def test_the_double_pendulum_agrees_with_a_direct_solve_and_keeps_its_energy(
    a: float, b: float, u: float, v: float
) -> None:
    state = {"theta1": a, "theta2": b, "theta1_t": u, "theta2_t": v}
    equations = fx.derive(gallery.pendulum(2))
    found = accelerations(equations, state, values=DOUBLE)
    expected = direct(equations, state, DOUBLE)
    assert np.allclose([found["theta1"], found["theta2"]], expected, rtol=1e-9, atol=1e-9)

    m1, m2, l1, l2, g = (DOUBLE[name] for name in ("m1", "m2", "l1", "l2", "g"))
    alpha, beta = found["theta1"], found["theta2"]
    kinetic_rate = (m1 + m2) * l1**2 * u * alpha + m2 * l2**2 * v * beta
    kinetic_rate += m2 * l1 * l2 * ((alpha * v + u * beta) * math.cos(a - b) - u * v * math.sin(a - b) * (u - v))
    potential_rate = (m1 + m2) * g * l1 * math.sin(a) * u + m2 * g * l2 * math.sin(b) * v
    assert kinetic_rate + potential_rate == pytest.approx(0, abs=1e-8 * (1 + abs(kinetic_rate)))


def pendulum_in_places() -> fx.Equations:
    x, y, l = fx.Coordinate("x"), fx.Coordinate("y"), fx.Parameter("l")
    return fx.derive(
        fx.Lagrangian(kinetic="m*(x_t**2 + y_t**2)/2", potential="m*g*y", constraints=[x**2 + y**2 - l**2])
    )


def test_the_pendulum_in_x_and_y_and_the_pull_of_its_rod() -> None:
    m, g, l, angle, rate = 2.0, 9.81, 1.3, 0.4, 1.9
    s, c = math.sin(angle), math.cos(angle)
    state = {"x": l * s, "y": -l * c, "x_t": l * c * rate, "y_t": l * s * rate}
    found = accelerations(pendulum_in_places(), state, values={"m": m, "g": g, "l": l})
    alpha = -g / l * s
    assert found["x"] == pytest.approx(l * (c * alpha - s * rate**2))
    assert found["y"] == pytest.approx(l * (s * alpha + c * rate**2))
    tension = m * (g * c + l * rate**2)  # the constraint pulls with lambda (2x, 2y)
    assert found["lambda_1"] == pytest.approx(-tension / (2 * l))


def test_the_knife_edge_turns_with_its_speed() -> None:
    """A sled at speed v along its edge, turning at w: it accelerates by v w across, pushed by m v w."""
    v, w, angle, m = 2.0, 3.0, 0.4, 1.7
    state = {"theta": angle, "X_t": v * math.cos(angle), "Y_t": v * math.sin(angle), "theta_t": w}
    found = accelerations(fx.derive(gallery.example("knife-edge")), state, values={"m": m, "I": 0.3})
    assert found["X"] == pytest.approx(-v * w * math.sin(angle))
    assert found["Y"] == pytest.approx(v * w * math.cos(angle))
    assert found["theta"] == pytest.approx(0, abs=1e-12)
    assert found["lambda_1"] == pytest.approx(-m * v * w)


def shaken() -> fx.Equations:
    q, b = fx.Coordinate("q"), fx.Coordinate("b")
    return fx.derive(
        fx.Lagrangian(
            kinetic="m*q_t**2/2 + M*b_t**2/2", potential="k*(q - b)**2/2", dissipation="c*(q_t - b_t)**2/2",
            work={q: fx.Input("F")}, prescribed={b: "y0*sin(Omega*t)"},
        )
    )  # fmt: skip


SHAKEN = {"m": 1.5, "M": 3.0, "k": 10.0, "c": 0.7, "y0": 0.1, "Omega": 2.0}


def test_a_shaken_base_and_the_load_that_shakes_it() -> None:
    time, state = 0.7, {"q": 0.2, "q_t": -0.3}
    b, b_t = 0.1 * math.sin(1.4), 0.2 * math.cos(1.4)
    pull = 10.0 * (0.2 - b) + 0.7 * (-0.3 - b_t)
    expected = {"q": (math.sin(2.1) - pull) / 1.5, "Q_b": 3.0 * (-4 * b) - pull}
    for load in ("sin(3*t)", lambda instant: math.sin(3 * instant), math.sin(2.1), sp.sin(3 * t)):
        found = accelerations(shaken(), state, t=time, inputs={"F": load}, values=SHAKEN)
        assert found == pytest.approx(expected)
    without = accelerations(shaken(), state, t=time, values=SHAKEN)
    assert without["q"] == pytest.approx(-pull / 1.5)


def test_an_input_that_moves_a_base_is_differentiated() -> None:
    q, b = fx.Coordinate("q"), fx.Coordinate("b")
    based = fx.derive(
        fx.Lagrangian(kinetic="m*(q_t + b_t)**2/2", potential="k*q**2/2", prescribed={b: fx.Input("y")}, work={q: 0})
    )
    found = accelerations(based, {"q": 0.1}, t=0.5, inputs={"y": "t**3"}, values={"m": 2, "k": 8})
    assert found["q"] == pytest.approx(-8 * 0.1 / 2 - 3)
    assert found["Q_b"] == pytest.approx(2 * (found["q"] + 3))
    with pytest.raises(fx.FlexuraError, match=r"need the rate of y; give that input as text in t"):
        accelerations(based, {}, inputs={"y": lambda instant: instant**3}, values={"m": 2, "k": 8})


def refused(equations: fx.Equations, state: dict[str, Any], **given: Any) -> str:
    with pytest.raises(fx.FlexuraError) as caught:
        accelerations(equations, state, **given)
    return str(caught.value)


def test_impossible_states() -> None:
    values = {"m": 1, "g": 9.81, "l": 1}
    message = refused(pendulum_in_places(), {"x": 0.3, "y": -0.4}, values=values)
    assert message.startswith("The state is impossible: the constraint of lambda_1 is -0.75 there and must be 0")
    message = refused(pendulum_in_places(), {"y": -1, "y_t": 1}, values=values)
    assert message.startswith("The state is impossible: the rate of the constraint of lambda_1 is -2 there")
    message = refused(fx.derive(gallery.example("knife-edge")), {"Y_t": 1}, values={"m": 1, "I": 1})
    assert "the constraint of lambda_1 is -1 there" in message


def test_what_the_state_and_the_inputs_may_name() -> None:
    assert "which it cannot: it takes q, q_t." in refused(shaken(), {"p": 1}, values=SHAKEN)
    assert "b moves as prescribed" in refused(shaken(), {"b_t": 1}, values=SHAKEN)
    assert "finite number" in refused(shaken(), {"q": "one"}, values=SHAKEN)
    assert "their inputs are: F" in refused(shaken(), {}, inputs={"P": 1}, values=SHAKEN)
    assert "still holds z" in refused(shaken(), {}, inputs={"F": "z*t"}, values=SHAKEN)
    assert "No value is known for M, Omega, c, k, y0" in refused(shaken(), {}, values={"m": 1})
    assert "is for systems without fields" in refused(fx.derive(gallery.example("cantilever")), {})


def test_a_coordinate_without_inertia_is_named() -> None:
    a, b = fx.Coordinate("a"), fx.Coordinate("b")
    light = fx.derive(fx.Lagrangian(kinetic="m*a_t**2/2", potential="k*(a - b)**2/2 + k*b**2/2", work={a: 0, b: 0}))
    assert refused(light, {}, values={"m": 1, "k": 1}).startswith(
        "The mass matrix is singular: b can move without inertia"
    )
    both = fx.derive(fx.Lagrangian(kinetic="m*(a_t + b_t)**2/2", work={a: 0, b: 0}))
    assert "a and b can move without inertia" in refused(both, {}, values={"m": 1})


def test_reactions_that_conditions_share_are_the_least() -> None:
    """m a'' = F + lambda_1 + 2 lambda_2 and m b'' = -(lambda_1 + 2 lambda_2): their sum -F/2 is shared as 1 to 2."""
    a, b = fx.Coordinate("a"), fx.Coordinate("b")
    twice = fx.derive(
        fx.Lagrangian(kinetic="m*(a_t**2 + b_t**2)/2", constraints=[a - b, 2 * a - 2 * b], work={a: fx.Input("F")})
    )
    found = accelerations(twice, {}, inputs={"F": 3.0}, values={"m": 1.5})
    assert found == pytest.approx({"a": 1.0, "b": 1.0, "lambda_1": -0.3, "lambda_2": -0.6})
    assert "1 condition repeats the others wherever they hold (mobility 1)" in found.notes[0]


def test_a_position_that_is_singular_by_itself_is_refused() -> None:
    """A parallelogram laid flat may fold two ways, so its conditions do not say how it goes on."""
    p, q, r = (fx.Coordinate(name) for name in "pqr")
    loop = [fx.cos(p) + 2 * fx.cos(p + q) - fx.cos(r) - 2, fx.sin(p) + 2 * fx.sin(p + q) - fx.sin(r)]
    flat = fx.derive(fx.Lagrangian(kinetic="(p_t**2 + q_t**2 + r_t**2)/2", constraints=loop))
    assert "More than one motion can begin" in refused(flat, {})
    found = accelerations(flat, {"p": 0.4, "p_t": 1.0})
    assert [found["q"], found["r"]] == pytest.approx([-found["p"], found["p"]], abs=1e-9)


def test_what_is_not_given_follows_from_the_conditions() -> None:
    values = {"m": 2.0, "g": 9.81, "l": 1.3}
    some = accelerations(pendulum_in_places(), {"x": 0.5, "y": -1.2, "x_t": 0.6}, values=values)
    whole = accelerations(pendulum_in_places(), {"x": 0.5, "y": -1.2, "x_t": 0.6, "y_t": 0.25}, values=values)
    assert some == pytest.approx(whole)


def test_contacts_exert_what_they_do_at_the_state() -> None:
    """A mass of 2 kg on a rough floor: it sticks up to 5 N, and slides against 3 N; one on a floor, or above."""
    mass = fx.Mass("m", 2.0)
    rough = fx.derive(fx.Model(fx.Slide(fx.ground, mass, along="x", name="x"), fx.Force(mass, "F", along="x"),
                               fx.Friction(fx.ground, mass, 3.0, along="x", static=5.0, name="rub")))  # fmt: skip
    for push, speed, expected in (
        (4.0, 0.0, 0.0),
        (6.0, 0.0, 1.5),
        (-6.0, 0.0, -1.5),
        (1.0, 0.2, -1.0),
        (1.0, -0.2, 2.0),
    ):
        found = accelerations(rough, {"x_t": speed}, inputs={"F": push})
        assert found["x"] == pytest.approx(expected, abs=1e-12)
        assert found["R_rub"] == pytest.approx(2.0 * expected - push)
    ball = fx.derive(fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Gravity(),
                              fx.Stop(fx.ground, mass, 1.0, along="-y", restitution=0.5, name="floor")))  # fmt: skip
    assert accelerations(ball, {"y": -0.5})["y"] == pytest.approx(-9.81)
    assert accelerations(ball, {"y": -1.0})["R_floor"] == pytest.approx(-2 * 9.81)
    assert "hits the stop floor at 1" in refused(ball, {"y": -1.0, "y_t": -1.0})
    assert "violates the stop floor" in refused(ball, {"y": -2.0})


def test_masses_of_very_different_size_are_no_singularity() -> None:
    a, b = fx.Coordinate("a"), fx.Coordinate("b")
    uneven = fx.derive(fx.Lagrangian(kinetic="m*a_t**2/2 + M*b_t**2/2", potential="k*(a - b)**2/2", work={a: 0, b: 0}))
    found = accelerations(uneven, {"a": 1}, values={"m": 1e-9, "M": 1e9, "k": 1})
    assert found == pytest.approx({"a": -1e9, "b": 1e-9})
