"""Pulses far shorter than the points of t, on frames and mechanisms: none is stepped over."""

from __future__ import annotations

import warnings
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexura as fx

AT, END = 5.123, 10.0
TURNING = "0.01*t**2"
T = np.linspace(0, END, 21)


def arm() -> fx.BeamFrame:
    """One soft element: its fastest motion takes about a second."""
    section = fx.Section(E=40.0, G=20.0, rho=1.2, A=1.0, Iy=0.05, Iz=0.04)
    return fx.BeamFrame([[0, 0, 0], [10, 0, 0]], [[0, 1]], section, supports={0: "all"})


def jump(width: float) -> tuple[str, object]:
    text = f"Piecewise((0, t < {AT!r}), ({3 / width!r}, t < {AT + width!r}), (0, True))"
    return text, lambda t: 3 / width if AT <= t < AT + width else 0.0


def bell(width: float) -> tuple[str, object]:
    return f"{3 / width!r}*exp(-((t - {AT!r})/{width!r})**2)", lambda t: 3 / width * np.exp(-(((t - AT) / width) ** 2))


def followed(frame: fx.BeamFrame, body: fx.MovingFrame, load: object, width: float) -> np.ndarray:
    """v1 at the last three points of t, by the equations at every instant and steps that end around the pulse."""
    n, which = len(frame.dofs), frame.dofs.index("v1")

    def rates(t, z, push):
        now = fx.moving_system(frame, body, t=t)
        force = np.asarray(now.F).ravel() + push * load(t) * np.eye(n)[which]
        x, v = z[:n], z[n:]
        parts = [(now.K, x), (now.H, x), (now.D, v), (now.G, v)]
        for matrix, by in parts:
            if matrix is not None:
                force = force - np.asarray(matrix @ by).ravel()
        M = now.M.toarray() if hasattr(now.M, "toarray") else now.M
        return np.concatenate([v, np.linalg.solve(M, force)])

    z, found = np.zeros(2 * n), []
    ends = [0.0, AT - 7 * width, AT, AT + width, AT + 7 * width, *T[-3:]]
    for a, b in pairwise(ends):
        run = solve_ivp(rates, (a, b - 1e-12), z, args=(1.0,), rtol=1e-8, atol=1e-9, method="DOP853")
        z = run.y[:, -1]
        found.append(z[which])
    return np.array(found[-3:])


@pytest.mark.parametrize("shape", [jump, bell])
@pytest.mark.parametrize("width", [3e-3, 0.02])
def test_a_short_load_on_a_frame(shape, width):
    frame = arm()
    for body in (fx.MovingFrame(), fx.MovingFrame.turning("z", TURNING)):
        expected = followed(frame, body, shape(width)[1], width)
        for load in shape(width):
            run = fx.simulate(frame, T, body=body, loads={"v1": load})
            assert np.abs(run["v1"][-3:] - expected).max() <= 1e-3 * np.abs(run["v1"]).max()
            assert any("looked at every" in note for note in run.notes) == callable(load)
    every = fx.simulate(frame, T, body=body, loads=lambda t: shape(width)[1](t) * np.eye(6)[frame.dofs.index("v1")])
    assert np.abs(every["v1"][-3:] - expected).max() <= 1e-3 * np.abs(run["v1"]).max()


@pytest.mark.parametrize("shape", [jump, bell])
def test_a_short_load_on_a_mechanism(shape):
    frame = arm()
    expected = followed(frame, fx.MovingFrame.turning("z", TURNING), shape(3e-3)[1], 3e-3)
    for load in shape(3e-3):
        run = fx.simulate(fx.Mechanism(fx.rotating_arm(TURNING), {"arm": frame}), T, loads={"arm": {"v1": load}})
        assert np.abs(run["arm"]["v1"][-3:] - expected).max() <= 1e-3 * np.abs(run["arm"]["v1"]).max()


@pytest.mark.parametrize("steady", [True, False])
def test_text_is_bounded_however_short_it_is(steady):
    """What a pulse of 10 microseconds leaves is its impulse, as of one that is a hundred times as long."""
    body = fx.MovingFrame() if steady else fx.MovingFrame.turning("z", TURNING)
    runs = [fx.simulate(arm(), T, body=body, loads={"v1": jump(width)[0]})["v1"] for width in (1e-5, 1e-3)]
    assert np.abs(runs[0] - runs[1]).max() <= 2e-3 * np.abs(runs[1]).max()


def swing(width: float) -> tuple[str, fx.MovingFrame]:
    """A hub that is turned by a small angle within a short time: as text, and as functions."""

    def turned(t, k):
        u = (t - AT) / width
        return 0.02 / width**k * (np.exp(-(u**2)) * (1 if k == 0 else -2 * u if k == 1 else 4 * u**2 - 2))

    z = np.array([0.0, 0.0, 1.0])
    functions = fx.MovingFrame(omega=lambda t: turned(t, 1) * z, epsilon=lambda t: turned(t, 2) * z)
    return f"0.02*exp(-((t - {AT!r})/{width!r})**2)", functions


@pytest.mark.parametrize("width", [0.01, 0.05])
def test_a_short_motion_of_the_body(width):
    """Points of t around it do not change what is found."""
    text, functions = swing(width)
    around = np.union1d(T, np.linspace(AT - 6 * width, AT + 6 * width, 201))
    closely = fx.simulate(arm(), around, body=functions)["v1"]
    expected, size = closely[np.searchsorted(around, T)], np.abs(closely).max()
    assert np.abs(expected).max() > 0.01 * size
    for body in (fx.MovingFrame.turning("z", text), functions):
        assert np.abs(fx.simulate(arm(), T, body=body)["v1"] - expected).max() <= 1e-3 * size
    moved = fx.simulate(fx.Mechanism(fx.rotating_arm(text), {"arm": arm()}), T)["arm"]["v1"]
    assert np.abs(moved - expected).max() <= 1e-3 * size
    frozen = fx.simulate(arm(), T, body=functions, coefficients="frozen")
    assert any("coefficients='frozen'" in note and "give more points of t" in note for note in frozen.notes)


@pytest.mark.parametrize("width", [3e-3, 0.02])
@pytest.mark.parametrize("shape", [jump, bell])
def test_a_short_torque_gives_its_impulse(shape, width):
    text, function = shape(width)
    impulse = 3.0 if shape is jump else 3 * np.sqrt(np.pi)
    inertia = 1.2 * 10**3 / 3 + 1.2 / 1.0 * 10 * 0.04
    for torque in (text, lambda t, angle, rate: function(t)):
        moved = fx.Mechanism(fx.rotating_arm(0), {"arm": arm()}).driven((0, END), torque=torque)
        assert moved.motions.drive(END)[1] == pytest.approx(impulse / inertia, rel=1e-6)


def test_a_torque_that_waits_for_an_angle_is_met():
    """It acts for 3 ms, when the arm has come to 0.5; nothing of that is seen where the arm starts."""

    def torque(t, angle, rate):
        return 1000.0 if 0.5 <= angle < 0.5003 else 0.0

    moved = fx.Mechanism(fx.rotating_arm(0), {"arm": arm()}).driven((0, END), torque=torque, rate=0.1)
    inertia = 1.2 * 10**3 / 3 + 1.2 * 10 * 0.04
    assert moved.motions.drive(END)[1] == pytest.approx(np.sqrt(0.01 + 2 * 1000 * 0.0003 / inertia), rel=1e-3)


@pytest.mark.parametrize(
    "text",
    [
        "Piecewise((0, t < 5), (t - 5, True))",
        "t + Piecewise((0, t < 3), (2*t - 6, True))",
        "abs(t - 3)",
        "t + abs(sin(t))",
    ],
)
def test_a_speed_that_jumps_is_refused_and_the_advice_holds(text):
    body = fx.MovingFrame.turning("z", text)
    with pytest.raises(fx.FlexuraError, match=r"omega jumps at t = \d.*over a short time"):
        fx.simulate(arm(), T, body=body)
    with pytest.raises(fx.FlexuraError, match=r"jumps at t = \d.*over a short time"):
        fx.simulate(fx.Mechanism(fx.rotating_arm(text), {"arm": arm()}), T)
    smooth = "Piecewise((0, t < 5), (5*(t - 5)**2, t < 5.1), (t - 5.05, True))"
    assert fx.simulate(arm(), T, body=fx.MovingFrame.turning("z", smooth)).complete
    assert fx.simulate(fx.Mechanism(fx.rotating_arm(smooth), {"arm": arm()}), T).complete


@pytest.mark.parametrize("text", ["sign(t - 2)", "t*sign(t - 3)", "Piecewise((0, t < 5), (0.1, True))"])
def test_an_angle_that_jumps_is_refused(text):
    """Between its jumps its rates are known, so that nothing but the angle tells."""
    with pytest.raises(fx.FlexuraError, match=r"angle jumps at t = \d.*over a short time"):
        fx.simulate(arm(), T, body=fx.MovingFrame.turning("z", text))
    with pytest.raises(fx.FlexuraError, match=r"angle jumps at t = \d.*over a short time"):
        fx.simulate(fx.Mechanism(fx.rotating_arm(text), {"arm": arm()}), T)


@pytest.mark.parametrize(
    ("kinked", "pieces"),
    [
        ("0.01*(t - 5)*abs(t - 5)", "Piecewise((-0.01*(t - 5)**2, t < 5), (0.01*(t - 5)**2, True))"),
        ("0.02*sign(t - 4)*(t - 4)**2", "Piecewise((-0.02*(t - 4)**2, t < 4), (0.02*(t - 4)**2, True))"),
    ],
)
def test_a_kink_of_the_speed_is_followed_however_it_is_written(kinked, pieces):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one, two = (fx.simulate(arm(), T, body=fx.MovingFrame.turning("z", text))["v1"] for text in (kinked, pieces))
    assert np.abs(one - two).max() < 1e-9 * np.abs(two).max()
    frame = fx.MovingFrame.turning("z", kinked)
    for t in (1.0, 4.5, 8.0):
        assert frame._value("omega", t)[2] == pytest.approx(
            (frame_angle(kinked, t + 1e-6) - frame_angle(kinked, t - 1e-6)) / 2e-6, rel=1e-5
        )


def frame_angle(text: str, t: float) -> float:
    R = fx.MovingFrame.turning("z", text).axes(t)
    return float(np.arctan2(R[1, 0], R[0, 0]))
