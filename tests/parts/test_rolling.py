"""Wheels, discs and spheres without slip: closed forms, and Newton's laws written by hand."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx
from flexura.model.files.reading import model_of_text
from hunt.chains import Chain, Chained


def test_a_wheel_rolls_down_an_incline():
    """x'' = g sin(a)/(1 + I/(m r^2)); a slide and a revolute, or free: then the surface holds it up."""
    m, r, I, tilt = 2.0, 0.3, 0.05, 0.4
    down = (np.sin(tilt), -np.cos(tilt), 0)
    expected = 9.81 * np.sin(tilt) / (1 + I / (m * r**2))
    wheel = fx.RigidBody("wheel", m=m, I=I)
    free = fx.derive(
        fx.Model(fx.Free(fx.ground, wheel, names=("x", "y", "th")), fx.Rolling(wheel, r), fx.Gravity(along=down))
    )
    assert fx.verify(free)
    found = fx.accelerations(free, {})
    assert found["x"] == pytest.approx(expected)
    assert found["th"] == pytest.approx(-expected / r)
    assert found["lambda_rolling_wheel_n"] == pytest.approx(m * 9.81 * np.cos(tilt))
    axle = fx.Mass("axle", m="0")
    held = fx.derive(
        fx.Model(
            fx.Slide(fx.ground, axle, along="x", name="x"),
            fx.Revolute(axle, wheel, name="th"),
            fx.Rolling(wheel, r, name="track"),
            fx.Gravity(along=down),
        )
    )
    assert list(held.lagrangian.constraints) == ["lambda_track_t"]
    assert fx.accelerations(held, {})["x"] == pytest.approx(expected)
    run = fx.simulate(held, [0, 1, 2.0])
    np.testing.assert_allclose(run["x"], expected * np.array([0, 0.5, 2.0]), atol=1e-8)


def test_a_wheel_rolls_on_a_plank_that_moves():
    """Against each other: m x1'' = F, (m + I/r^2) ... by the two equations of motion."""
    wheel, plank = fx.RigidBody("wheel", m=2.0, I=0.05), fx.Mass("plank", m=5.0)
    model = fx.Model(
        fx.Slide(fx.ground, plank, along="x", name="p"),
        fx.Free(fx.ground, wheel, names=("x", "y", "th")),
        fx.Rolling(wheel, 0.2, on=plank),
        fx.Force(plank, "F", along="x"),
    )
    equations = fx.derive(model)
    assert fx.verify(equations)
    found = fx.accelerations(equations, {}, inputs={"F": 3.0})
    # friction f on the wheel: 2 x'' = f, 0.05 th'' = 0.2 f, x'' + 0.2 th'' = p'', 5 p'' = 3 - f
    f = 3.0 / (1 + 5 * (1 / 2 + 0.04 / 0.05))
    assert found["x"] == pytest.approx(f / 2)
    assert found["p"] == pytest.approx((3 - f) / 5)


@pytest.mark.parametrize("axis", ["x", "z", None])
def test_discs_and_spheres_in_space_move_as_newton_says(axis):
    """Accelerations at random states, with the contact point written down in NumPy."""
    rng = np.random.default_rng(5)
    body = Chained("Free", "x", -1, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 2.0, (0.2, 0.3, 0.4), 0.0, 0)
    chain = Chain([body], (0.0, 0.0, -9.81))
    chain.ties = chain.rolls(0.5, axis)
    rigid = fx.RigidBody("b", m=2.0, I=(0.2, 0.3, 0.4))
    names = ("x", "y", "z", "psi", "theta", "phi")
    rolling = fx.Rolling(rigid, 0.5, normal="z", axis=axis)
    equations = fx.derive(fx.Model(fx.Free(fx.ground, rigid, names=names), rolling, fx.Gravity(along="-z")))
    assert fx.verify(equations)
    for _ in range(3):
        q, v = rng.uniform(-1, 1, 6), rng.uniform(-2, 2, 6)
        tied = chain.ties(q)
        v -= np.linalg.pinv(tied) @ tied @ v
        state = dict(zip(names, q, strict=True)) | {f"{name}_t": one for name, one in zip(names, v, strict=True)}
        found = fx.accelerations(equations, state)
        np.testing.assert_allclose([found[name] for name in names], chain.accelerations(q, v), rtol=1e-7, atol=1e-8)


def test_a_coin_rolls_on_and_keeps_its_energy():
    """Four seconds of a coin that leans and turns: the contact never slips, the energy stays."""
    coin = fx.RigidBody("coin", m=1.0, I=(0.02, 0.01, 0.01))
    names = ("x", "y", "z", "psi", "theta", "phi")
    equations = fx.derive(
        fx.Model(
            fx.Free(fx.ground, coin, names=names), fx.Rolling(coin, 0.2, normal="z", axis="x"), fx.Gravity(along="-z")
        )
    )
    start = {"theta": 0.2, "psi_t": 1.0, "phi_t": 8.0}
    run = fx.simulate(equations, np.linspace(0, 4, 41), initial=start, tolerance=1e-9)
    assert run.energy.error < 1e-7
    height = 0.2 * np.abs(np.cos(run["theta"]))
    np.testing.assert_allclose(run["z"] - run["z"][0], height - height[0], atol=1e-7)


def rolling_disc(m, r, polar, across):
    """A disc whose axis is x, on a plane; its angles are those of heading, lean and spin."""
    disc = fx.RigidBody("disc", m=m, I=(polar, across, across))
    free = fx.Free(fx.ground, disc, names=("x", "y", "z", "psi", "theta", "phi"))
    return fx.derive(fx.Model(free, fx.Rolling(disc, r, normal="z", axis="x"), fx.Gravity(along="-z")))


@pytest.mark.parametrize(("theta", "turning"), [(0.3, 1.7), (-0.9, 2.5), (1.2, -0.8)])
def test_a_disc_rolls_steadily_in_circles(theta, turning):
    """(C + m r^2) n W cos + A W^2 sin cos = m g r sin, n the spin about the axis (Routh 1905; Neimark, Fufaev 1972)."""
    m, r, C, A = 1.3, 0.25, 0.05, 0.028
    s, c = np.sin(theta), np.cos(theta)
    n = (m * 9.81 * r * s - A * turning**2 * s * c) / ((C + m * r**2) * turning * c)
    state = {"theta": theta, "psi_t": turning, "phi_t": n + turning * s}
    state |= {"z": r * c - r, "x_t": 0.0, "y_t": -n * r}
    found = fx.accelerations(rolling_disc(m, r, C, A), state)
    np.testing.assert_allclose([found[name] for name in ("psi", "theta", "phi", "z")], 0, atol=1e-9)
    np.testing.assert_allclose([found["x"], found["y"]], [n * r * turning, 0], atol=1e-9)


def test_an_upright_disc_is_stable_above_its_speed():
    """s^2 = (m g r - C (C + m r^2) n^2/A)/(A + m r^2): steady above n^2 = g/(3 r) if thin (Neimark, Fufaev 1972)."""
    m, r = 1.3, 0.25
    C, A = m * r**2 / 2, m * r**2 / 4
    equations = fx.linearise(rolling_disc(m, r, C, A), about={"phi_t": "n", "y_t": f"-{r}*n"})
    limit = np.sqrt(9.81 / (3 * r))
    for n in (0.5 * limit, 2 * limit):
        found = fx.modes(equations, 6, values={"n": n}).eigenvalues
        square = (m * 9.81 * r - C * (C + m * r**2) * n**2 / A) / (A + m * r**2)
        moving = found[np.abs(found) > 1e-6]
        np.testing.assert_allclose(moving**2, square, rtol=1e-9)
        assert len(moving)
        assert (moving.real.max() > 0.1) == (n < limit)


def test_a_ball_on_a_turntable_goes_round_in_circles():
    """The centre of a solid ball moves on a circle at 2/7 of the speed of the table (Earnshaw 1844)."""
    r, m, Omega = 0.1, 1.0, 3.0
    I = 0.4 * m * r**2
    ball, table = fx.RigidBody("ball", m=m, I=(I, I, I)), fx.RigidBody("table", m=1, I=(1, 1, 1))
    names = ("x", "y", "z", "psi", "theta", "phi")
    model = fx.Model(
        fx.Revolute(fx.ground, table, about="z", name="turn", motion="3*t"),
        fx.Free(fx.ground, ball, names=names),
        fx.Rolling(ball, r, on=table, normal="z", axis=None),
        fx.Gravity(along="-z"),
    )
    t = np.linspace(0, 2, 21)
    # at (1, 0) the table moves at 3 along y; the ball rests on it there, in ground's axes it rolls on the spot
    run = fx.simulate(fx.derive(model), t, initial={"x": 1.0, "phi_t": -Omega / r}, tolerance=1e-9)
    speed = 2 / 7 * Omega
    v = np.stack([run["x_t"], run["y_t"]], axis=1)
    expected = (v[0, 0] + 1j * v[0, 1]) * np.exp(1j * speed * t)
    np.testing.assert_allclose(v[:, 0] + 1j * v[:, 1], expected, atol=1e-6)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: fx.Rolling(fx.Mass("m", m=1), 1), "no body that turns; give a RigidBody"),
        (lambda: fx.Rolling(fx.RigidBody("b", m=1, I=1), -1), "must be positive"),
        (lambda: fx.Rolling(fx.RigidBody("b", m=1, I=1), 1, normal="w"), "The direction of Rolling"),
        (lambda: fx.Rolling(fx.ground, 1), "connects a place to itself"),
    ],
)
def test_what_is_wrong_is_said(make, said):
    with pytest.raises(fx.FlexuraError, match=said):
        make()


def test_rolling_in_a_file():
    text = """
    [parts.wheel]
    kind = "RigidBody"
    m = 2
    I = 0.5

    [[connections]]
    kind = "Free"
    between = ["ground", "wheel"]
    names = ["x", "y", "th"]

    [[connections]]
    kind = "Rolling"
    between = ["ground", "wheel"]
    radius = "0.5 m"

    [[loads]]
    kind = "Force"
    at = "wheel"
    value = "8*cos(t)"
    along = "x"
    """
    assert fx.accelerations(fx.derive(model_of_text(text)), {})["x"] == pytest.approx(8 / (2 + 0.5 / 0.25))


@pytest.mark.parametrize("tilt", [0.0, 0.4])
def test_the_surface_exerts_what_the_laws_of_newton_and_euler_ask_for(tilt):
    """A wheel on an incline: m x'' - m g sin, m g cos, and the moment of friction at its centre."""
    m, r, I, g = 2.0, 0.5, 0.3, 9.81
    along, normal = (np.cos(tilt), np.sin(tilt), 0), (-np.sin(tilt), np.cos(tilt), 0)
    wheel = fx.RigidBody("wheel", m=m, I=I)
    road = fx.Rolling(wheel, r, along=along, normal=normal)
    model = fx.Model(fx.Free(fx.ground, wheel), road, fx.Gravity(), fx.Torque(wheel, 0.7))
    run = fx.simulate(model, [0, 0.5, 1])
    a = (-m * g * np.sin(tilt) - 0.7 / r) / (m + I / r**2)  # along the road, and theta'' = -a / r
    friction = (m * a + m * g * np.sin(tilt)) * np.array(along)
    assert run["theta_wheel_tt"] == pytest.approx(-a / r)
    assert run[fx.Reaction(road)] == pytest.approx(np.tile(friction + m * g * np.cos(tilt) * np.array(normal), (3, 1)))
    assert run[fx.Reaction(road, about="z")] == pytest.approx(np.full(3, -I * a / r - 0.7))


def test_what_rolls_on_a_turning_table_is_pushed_by_it_alone():
    """All that accelerates a ball on a table, and turns it, is the contact; a disc in space is held up by it, too."""
    m, r = 2.0, 0.5
    ball, table = fx.RigidBody("ball", m=m, I=0.4 * m * r**2), fx.RigidBody("table", m=1, I=1)
    contact = fx.Rolling(ball, r, on=table, normal="z", axis=None)
    free = fx.Free(fx.ground, ball, names=("x", "y", "z", "a", "b", "c"))
    run = fx.simulate(
        fx.Model(fx.Revolute(fx.ground, table, motion="2*t"), free, contact),
        np.linspace(0, 3, 31),
        {"x": 1, "y_t": 0.1},
    )
    pushed = m * np.stack([run["x_tt"], run["y_tt"], run["z_tt"]], axis=1)
    assert np.abs(pushed).max() > 0.1
    assert run[fx.Reaction(contact)] == pytest.approx(pushed, abs=1e-8)
    moment = np.stack([run[fx.Reaction(contact, about=one)] for one in "xyz"], axis=1)
    assert moment == pytest.approx(np.cross([0, 0, -r], pushed), abs=1e-8)
    disc = fx.RigidBody("disc", m=m, I=(0.1, 0.1, 0.2))
    road = fx.Rolling(disc, r, normal="y", axis="z")
    free = fx.Free(fx.ground, disc, names=("x", "y", "z", "a", "b", "c"))
    start = {"a_t": -4, "b_t": 0.7, "c": 0.15}
    run = fx.simulate(fx.Model(free, road, fx.Gravity(g=9.81)), np.linspace(0, 0.5, 11), start)
    forces = m * np.stack([run["x_tt"], run["y_tt"] + 9.81, run["z_tt"]], axis=1)
    assert run[fx.Reaction(road)] == pytest.approx(forces, abs=1e-8)


def test_a_wheel_on_springs_passes_on_what_turns_it():
    """x = F/(k - (m + I/r^2) w^2); the road exerts I w^2 x/r^2 along, and what presses on the wheel across."""
    m, r, I, k = 2.0, 0.5, 0.3, 40.0
    wheel = fx.RigidBody("wheel", m=m, I=I)
    road, spring = fx.Rolling(wheel, r), fx.Spring(fx.ground, wheel, k=k, along="x")
    forces = fx.Force(wheel, "F", along="x"), fx.Force(wheel, "G", along="y")
    omega = np.array([1.0, 5.0])
    equations = fx.derive(fx.Model(fx.Free(fx.ground, wheel), road, spring, forces))
    found = fx.frequency_response(equations, omega, ["F", "G"], [fx.Reaction(road, along=one) for one in "xy"])
    x = 1 / (k - (m + I / r**2) * omega**2)
    assert found[:, 0, 0] == pytest.approx(I * omega**2 * x / r**2)
    assert found[:, 1, 1] == pytest.approx(-1)
    assert [found[:, 0, 1], found[:, 1, 0]] == pytest.approx(np.zeros((2, 2)))


@pytest.mark.parametrize("name", [None, "track"])
def test_dry_friction_at_what_rolls_knows_how_hard_it_presses(name):
    """Rolling resistance mu N against a wheel: (m + I/r^2) x'' = -mu (m g + P)."""
    m, r, I, g, mu, P = 2.0, 0.5, 0.3, 9.81, 0.05, 7.0
    wheel = fx.RigidBody("wheel", m=m, I=I)
    rubs = fx.Friction(fx.ground, wheel, f"mu*N_{name or 'rolling_wheel'}", along="x")
    presses = fx.Gravity(), fx.Force(wheel, -P, along="y")
    free = fx.Free(fx.ground, wheel, names=("x", "y", "th"))
    model = fx.Model(free, fx.Rolling(wheel, r, name=name), rubs, presses)
    t = np.linspace(0, 1, 5)
    run = fx.simulate(model, t, {"x_t": 3, "th_t": -6}, values={"mu": mu})
    assert run["x"] == pytest.approx(3 * t - mu * (m * g + P) / (m + I / r**2) * t**2 / 2)
