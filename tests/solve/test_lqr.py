"""Controllers designed on fx.state_space and closed again: as loads, as inputs that see the motion, sampled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.integrate
import scipy.linalg

import flexura as fx

Q, R = np.diag([10.0, 10.0, 1.0, 1.0]), np.array([[0.1]])
PERIOD = 0.05


def cart(force: Any = "u", *more: Any) -> fx.Equations:
    body, pole = fx.Mass("cart", 2.0), fx.RigidBody("pole", 0.5, 0.04)
    return fx.derive(
        fx.Model(
            fx.Slide(fx.ground, body, along="x", name="x"),
            fx.Revolute(body, pole.at(0, -0.6), name="th"),
            fx.Gravity(),
            fx.Force(body, force, along="x"),
            *more,
        )
    )


def test_lqr_on_a_state_space_is_the_feedback_it_promises() -> None:
    """Eigenvalues of A - B K by fx.modes with K as a load; Riccati's cost x0' P x0 along a small motion."""
    space = fx.state_space(cart(), "u", None)
    assert space.states == ("x", "th", "x_t", "th_t")
    P = scipy.linalg.solve_continuous_are(space.A, space.B, Q, R)
    K = np.linalg.solve(R, space.B.T @ P)[0]
    promised = np.linalg.eigvals(space.A - space.B @ K[None])
    law = " ".join(f"- ({k!r})*{name}" for k, name in zip(K.tolist(), space.states, strict=True))
    found = fx.modes(cart(f"0 {law}"), 4).eigenvalues
    for s in found:
        assert np.abs(promised - s).min() < 1e-9 * abs(s)
    t, small = np.linspace(0, 12, 1201), 1e-3
    run = fx.simulate(
        cart(),
        t,
        {"th": small},
        inputs={"u": lambda t, seen: -sum(k * seen[x] for k, x in zip(K, space.states, strict=True))},
    )
    states = np.array([run[name] for name in space.states])
    cost = np.einsum("it,ij,jt->t", states, Q, states) + R[0, 0] * run["u"] ** 2
    assert scipy.integrate.trapezoid(cost, t) == pytest.approx(small**2 * P[1, 1], rel=2e-3)


def test_sampled_lqr_decays_as_its_own_equation_says() -> None:
    """x[k+1] = (Ad - Bd Kd) x[k], in small motion, at the times of the samples."""
    space = fx.state_space(cart(), "u", None)
    sampled = space.to_discrete(PERIOD)
    P = scipy.linalg.solve_discrete_are(sampled.A, sampled.B, Q, R)
    K = np.linalg.solve(R + sampled.B.T @ P @ sampled.B, sampled.B.T @ P @ sampled.A)[0]
    control = fx.Sampled(PERIOD, lambda t, seen: -sum(k * seen[x] for k, x in zip(K, space.states, strict=True)), "u")
    run = fx.simulate(cart("u", control), PERIOD * np.arange(41), {"th": 1e-4})
    x = np.array([0, 1e-4, 0, 0])
    expected = [x := (sampled.A - sampled.B @ K[None]) @ x for _ in range(40)]
    found = np.array([run[name] for name in space.states]).T[1:]
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_python_control_finds_the_same_gains() -> None:
    control = pytest.importorskip("control", reason="python-control is not installed")
    space = fx.state_space(cart(), "u", None)
    K = np.linalg.solve(R, space.B.T @ scipy.linalg.solve_continuous_are(space.A, space.B, Q, R))
    np.testing.assert_allclose(control.lqr(space.to_control(), Q, R)[0], K, rtol=1e-8)
