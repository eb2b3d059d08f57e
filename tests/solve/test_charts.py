"""Bodies that turn freely, past where their three angles are singular, against quaternions and closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import flexura as fx

ANGLES = ("psi", "theta", "phi")


def body(I: Any = (0.3, 0.2, 0.1), name: str = "top") -> fx.RigidBody:
    return fx.RigidBody(name, m=1.0, I=I)


def turned(run: Any, names: tuple[str, ...] = ANGLES) -> Rotation:
    return Rotation.from_euler("ZYX", np.column_stack([run[name] for name in names]))


def by_quaternions(I: Any, start: Rotation, spin: Any, times: Any) -> tuple[Rotation, Any]:
    """Euler's equations in body axes, and a quaternion: rotations and spins in body axes."""
    I = np.array(I)

    def rate(t: float, y: Any) -> Any:
        return [*0.5 * quaternion_product(y[:4], [*y[4:], 0.0]), *np.cross(I * y[4:], y[4:]) / I]

    found = solve_ivp(rate, (0, times[-1]), [*start.as_quat(), *spin], "DOP853", times, rtol=1e-12, atol=1e-13)
    return Rotation.from_quat(found.y[:4].T), found.y[4:].T


def quaternion_product(p: Any, q: Any) -> Any:
    (a, b, c, d), (e, f, g, h) = p, q
    return np.array([
        d * e + a * h + b * g - c * f, d * f - a * g + b * h + c * e, d * g + a * f - b * e + c * h,
        d * h - a * e - b * f - c * g,
    ])  # fmt: skip


def rates(psi: float, theta: float, phi: float, spin: Any) -> Any:
    """The rates of the angles from a spin in body axes."""
    s, c, u, w = np.sin(theta), np.cos(theta), np.sin(phi), np.cos(phi)
    return np.linalg.solve([[-s, 0, 1], [c * u, w, 0], [c * w, -u, 0]], spin)


@settings(max_examples=5, deadline=None, derandomize=True)
@given(st.tuples(*[st.floats(-1.2, 1.2)] * 3), st.tuples(*[st.floats(-2, 2)] * 3), st.floats(0.12, 0.28))
def test_a_body_that_tumbles_is_eulers_equations_with_a_quaternion(start: Any, spin: Any, inertia: float) -> None:
    I = (0.3, inertia, 0.1)
    equations = fx.derive(fx.Model(fx.Spherical(fx.ground, body(I), names=ANGLES)))
    t = np.linspace(0, 8, 33)
    initial = dict(zip(ANGLES, start, strict=True)) | dict(
        zip((f"{one}_t" for one in ANGLES), rates(*start, spin), strict=True)
    )
    run = fx.simulate(equations, t, initial=initial)
    expected, spins = by_quaternions(I, Rotation.from_euler("ZYX", start), spin, t)
    assert run.complete
    assert (turned(run) * expected.inv()).magnitude().max() < 1e-6
    assert run.energy.error < 1e-8
    for k, seen in enumerate(spins):
        angles = [run[one][k] for one in ANGLES]
        if abs(np.cos(angles[1])) > 0.05:
            np.testing.assert_allclose(
                [run[f"{one}_t"][k] for one in ANGLES], rates(*angles, seen), rtol=1e-4, atol=1e-5
            )


def near_miss(by: float, times: Any) -> Any:
    """x swings through the vertical and misses it by an angle: the body is a ball, so that it turns about one axis."""
    equations = fx.derive(fx.Model(fx.Spherical(fx.ground, body(0.2), names=ANGLES)))
    about = np.array([np.sin(by), np.cos(by), 0.0])  # x, which lies at `by` from the plane of the swing, turns about it
    start = {f"{one}_t": rate for one, rate in zip(ANGLES, rates(0, 0, 0, about), strict=True)}
    return fx.simulate(equations, times, initial=start), about


@pytest.mark.parametrize("by", [1e-2, 1e-5, -1e-8])
def test_angles_go_round_a_singular_position_as_they_would_by_themselves(by: float) -> None:
    """However near: theta turns back, psi and phi change by half a turn, to the side on which it was missed."""
    t = np.linspace(0, 3, 13)
    run, about = near_miss(by, t)
    assert run.complete
    assert (turned(run) * Rotation.from_rotvec(t[:, None] * about).inv()).magnitude().max() < 1e-7
    assert np.abs(run["theta"]).max() < np.pi / 2
    fine = np.concatenate([np.linspace(0, 1.5, 50), np.pi / 2 + np.sinh(np.linspace(-22, 22, 4001)) * 1e-10 / 3, [3.0]])
    fine = np.unique(np.clip(fine, 0, 3))
    x = Rotation.from_rotvec(fine[:, None] * about).as_matrix()
    for name, seen in (("psi", np.arctan2(x[:, 1, 0], x[:, 0, 0])), ("phi", np.arctan2(x[:, 2, 1], x[:, 2, 2]))):
        assert run[name][-1] == pytest.approx(np.unwrap(seen)[-1], abs=1e-6)
        assert abs(run[name][-1] - run[name][0]) > 2


def test_angles_go_straight_through_a_singular_position() -> None:
    t = np.linspace(0, 10, 11)
    run, _ = near_miss(0.0, t)
    np.testing.assert_allclose(run["theta"], t, atol=1e-8)
    np.testing.assert_allclose([run["psi"], run["phi"], run["theta_tt"]], 0, atol=1e-8)
    np.testing.assert_allclose(run["theta_t"], 1, atol=1e-8)


def test_a_pendulum_may_hang_along_any_of_its_axes() -> None:
    """The same pendulum, its rod along z or along x, which then hangs and starts where theta is a quarter turn."""
    paths = []
    t = np.linspace(0, 3, 13)
    for along, I, start in (
        ((0, 0, -1), (0.2, 0.25, 0.1), {"phi": 0.4, "theta_t": 1.0, "psi_t": 0.5}),
        ((1, 0, 0), (0.1, 0.25, 0.2), None),
    ):
        bob = body(I, "bob")
        pivot = bob.at(*(-one for one in along))
        model = fx.Model(fx.Spherical(fx.ground, pivot, names=ANGLES), fx.Gravity(along="-z"))
        if start is None:  # the axes of the first pendulum turned, so that its -z is x
            first = Rotation.from_euler("ZYX", [0, 0, 0.4])
            axes = Rotation.from_matrix(np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]], float))
            angles = (first * axes).as_euler("ZYX")
            spin = (first * axes).inv().apply(np.array([0, 0, 0.5]) + np.array([0, 1.0, 0]))
            start = dict(zip(ANGLES, angles, strict=True)) | {
                f"{one}_t": rate for one, rate in zip(ANGLES, rates(*angles, spin), strict=True)
            }
        run = fx.simulate(fx.derive(model), t, initial=start)
        assert run.complete
        assert run.energy.error < 1e-8
        paths.append(run.position(bob))
    np.testing.assert_allclose(paths[1], paths[0], atol=1e-6)


def test_a_body_on_two_balls_turns_about_the_line_between_them() -> None:
    """A loop in other angles, with its conditions: it turns evenly about the line, through all positions."""
    line = np.array([0.36, 0.48, 0.8])
    door = body((0.2, 0.2, 0.2), "door")
    hinges = [(fx.ground.at(*(side * line)), door.at(*(side * line))) for side in (-1, 1)]
    model = fx.Model(fx.Spherical(*hinges[0], names=ANGLES), fx.Spherical(*hinges[1]))
    spin = 1.5 * line
    start = {f"{one}_t": rate for one, rate in zip(ANGLES, rates(0, 0, 0, spin), strict=True)}
    t = np.linspace(0, 6, 13)
    run = fx.simulate(fx.derive(model), t, initial=start)
    assert run.complete
    assert (turned(run) * Rotation.from_rotvec(t[:, None] * spin).inv()).magnitude().max() < 1e-6


def test_two_bodies_on_a_pin_keep_their_momentum() -> None:
    a, b = body((0.3, 0.2, 0.1), "a"), body((0.1, 0.3, 0.25), "b")
    model = fx.Model(
        fx.Free(fx.ground, a, names=("x", "y", "z", "psi_a", "theta_a", "phi_a")),
        fx.Pin(a.at(0.5, 0, 0.2), b.at(-0.5, 0.1, 0)),
    )
    start = {"theta_a_t": 2.0, "psi_a_t": 0.3, "phi_b_t": -1.0, "theta_b_t": 1.5}
    run = fx.simulate(fx.derive(model), np.linspace(0, 5, 21), initial=start)
    assert run.complete
    assert any("the run follows other angles" in note for note in run.notes)
    assert run.energy.error < 1e-8
    for momentum in (run.momentum.linear, run.momentum.angular):
        np.testing.assert_allclose(momentum, np.broadcast_to(momentum[0], momentum.shape), atol=1e-6)
    assert max(run.momentum.errors.values()) < 1e-7


def test_what_names_the_angles_keeps_them() -> None:
    """A torque by the angle itself, or an event: the run stays in the angles it names, however short its steps."""
    top = body()
    motor = fx.Torque(top, "-0.1*theta", about="y")
    equations = fx.derive(fx.Model(fx.Spherical(fx.ground, top, names=ANGLES), motor))
    assert equations.lagrangian.reordered is None
    free = fx.derive(fx.Model(fx.Spherical(fx.ground, body(), names=ANGLES)))
    start = {"theta_t": 1.0, "phi_t": 0.05}
    run = fx.simulate(free, [0, 1, 3], initial=start, events={"up": "theta - 1"})
    assert not any("other angles" in note for note in run.notes)
    other = fx.simulate(free, [0, 1, 3], initial=start, events={"late": "t - 2"})
    assert any("other angles" in note for note in other.notes)
    assert list(other.events) == ["late"]
    assert other.events["late"] == pytest.approx([2.0])
    np.testing.assert_allclose(other["theta"], run["theta"], atol=1e-6)
