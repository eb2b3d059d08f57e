"""Masses that travel along members, against a modal code written here with the convective terms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.integrate

import flexura as fx

EI, RHO, L = 4.0, 0.7, 1.5


def bridge(*more: Any, **ride: Any) -> tuple[Any, fx.Equations]:
    beam = fx.EulerBernoulliBeam("beam", EI=EI, rho=RHO, length=L)
    load = fx.Mass("load", 0.6)
    things = [fx.Pin(fx.ground, beam.start), fx.Pin(fx.ground, beam.end), fx.Ride(beam, load, name="s", **ride)]
    return beam, fx.derive(fx.Model(*things, fx.Force(load, -0.6 * 9.81), *more))


def crossing(m: float, v: float, g: float, t: Any) -> tuple[Any, Any]:
    """A mass that crosses, in the polynomials of degree 4 that vanish at both ends: w at the middle and at the mass.

    rho w_tt + EI w_xxxx = -delta(x - v t) m (w_tt + 2 v w_xt + v^2 w_xx + g), written out and integrated here.
    """
    P = np.polynomial.Polynomial
    shapes = [P([0, L, -1]) * P([0, 1]) ** k for k in range(3)]

    def integral(f: Any) -> float:
        return float(f.integ()(L))

    M = np.array([[RHO * integral(a * b) for a in shapes] for b in shapes])
    K = np.array([[EI * integral(a.deriv(2) * b.deriv(2)) for a in shapes] for b in shapes])

    def rows(s: float) -> list[Any]:
        return [np.array([f.deriv(k)(s) if k else f(s) for f in shapes]) for k in range(3)]

    def rate(time: float, state: Any) -> Any:
        q, p = state[:3], state[3:]
        N, N1, N2 = rows(v * time)
        force = -K @ q - m * N * (g + 2 * v * (N1 @ p) + v**2 * (N2 @ q))
        return np.concatenate([p, np.linalg.solve(M + m * np.outer(N, N), force)])

    found = scipy.integrate.solve_ivp(rate, (0, t[-1]), np.zeros(6), "DOP853", t, rtol=1e-10, atol=1e-12).y[:3]
    return rows(L / 2)[0] @ found, np.array([rows(v * s)[0] @ found[:, i] for i, s in enumerate(t)])


def test_a_mass_that_crosses_a_beam_is_an_independent_code_with_the_convective_terms() -> None:
    beam, equations = bridge(motion="3*t")
    t = np.linspace(0, 0.48, 9)
    run = fx.simulate(equations, t, order=4, elements=1, tolerance=1e-7)
    middle, under = crossing(0.6, 3.0, 9.81, t)
    np.testing.assert_allclose(run.place(beam, L / 2), middle, atol=1e-6 * abs(middle).max())
    np.testing.assert_allclose(run["y_load"], under, atol=1e-6 * abs(middle).max())
    assert run.energy.error < 1e-7
    assert fx.verify(equations)


def test_it_leaves_the_member_and_falls() -> None:
    _, equations = bridge(motion="3*t")
    run = fx.simulate(equations, np.linspace(0, 0.7, 8), order=3, elements=1, tolerance=1e-6)
    assert run.events["s"] == pytest.approx([0.5], abs=1e-9)
    assert any("leaves its member at t = 0.5" in note for note in run.notes)
    late = run.t > 0.51
    np.testing.assert_allclose(run["y_load_tt"][late], -9.81)
    np.testing.assert_allclose(run["R_s"][late], 0)


def test_what_is_not_held_lifts_off() -> None:
    """On a beam that is thrown upwards: the load flies on, and is never pulled."""
    beam, equations = bridge(motion="1.5*t", held=False)
    t = np.linspace(0, 0.9, 31)
    start = {"w_beam_t": f"x*({L} - x)*6"}
    run = fx.simulate(equations, t, initial=start, order=3, elements=1, tolerance=1e-6)
    assert run.complete
    assert np.all(run["R_s"] <= 1e-7)
    gap = run["y_load"] - np.array([run.place(beam, min(1.5 * s, L))[i] for i, s in enumerate(t)])
    assert gap.min() > -1e-6
    assert gap.max() > 1e-3
    np.testing.assert_allclose(run["y_load_tt"][gap > 1e-4], -9.81)


def free_rider(m: float, inertia: float, g: float, start: tuple[float, float], t: Any) -> tuple[Any, Any]:
    """A body that slides on the beam by itself, and turns with its section: Lagrange's equations, written out.

    T = m (s'^2 + y'^2)/2 + I theta'^2/2 with y = w(s), theta = w_x(s); in the polynomials of `crossing`.
    """
    P = np.polynomial.Polynomial
    shapes = [P([0, L, -1]) * P([0, 1]) ** k for k in range(3)]

    def integral(f: Any) -> float:
        return float(f.integ()(L))

    M = np.array([[RHO * integral(a * b) for a in shapes] for b in shapes])
    K = np.array([[EI * integral(a.deriv(2) * b.deriv(2)) for a in shapes] for b in shapes])

    def rate(_: float, state: Any) -> Any:
        q, s, p, r = state[:3], state[3], state[4:7], state[7]
        N, N1, N2, N3 = (np.array([f.deriv(k)(s) if k else f(s) for f in shapes]) for k in range(4))
        up, turn = np.append(N, N1 @ q), np.append(N1, N2 @ q)  # y_t and theta_t over the rates
        whole = np.zeros((4, 4))
        whole[:3, :3], whole[3, 3] = M, m
        whole += m * np.outer(up, up) + inertia * np.outer(turn, turn)
        force = np.append(-K @ q, 0.0)
        force -= m * up * (g + 2 * r * (N1 @ p) + r**2 * (N2 @ q))
        force -= inertia * turn * (2 * r * (N2 @ p) + r**2 * (N3 @ q))
        return np.concatenate([p, [r], np.linalg.solve(whole, force)])

    first = np.zeros(8)
    first[3], first[7] = start
    found = scipy.integrate.solve_ivp(rate, (0, t[-1]), first, "DOP853", t, rtol=1e-10, atol=1e-12).y
    return found[3], np.array([[f(s) for f in shapes] @ q for q, s in zip(found[:3].T, found[3], strict=True)])


@pytest.mark.parametrize("inertia", [0.0, 0.05])
def test_what_finds_its_own_way_is_lagranges_equations_of_mass_and_beam(inertia: float) -> None:
    beam = fx.EulerBernoulliBeam("beam", EI=EI, rho=RHO, length=L)
    load = fx.RigidBody("load", 0.6, inertia)
    supports = [fx.Pin(fx.ground.at(2, 1), beam.start), fx.Pin(fx.ground.at(2 + L, 1), beam.end)]
    equations = fx.derive(fx.Model(*supports, fx.Ride(beam, load, name="s"), fx.Force(load, -0.6 * 9.81)))
    assert fx.verify(equations)
    t = np.linspace(0, 0.2, 9)
    run = fx.simulate(equations, t, initial={"s": 0.3, "s_t": 1.0}, order=4, elements=1, tolerance=1e-7)
    s, y = free_rider(0.6, inertia, 9.81, (0.3, 1.0), t)
    np.testing.assert_allclose(run["s"], s, atol=1e-6)
    np.testing.assert_allclose(run["y_load"], y, atol=1e-6 * abs(y).max())
    assert run.energy.error < 1e-7
    np.testing.assert_allclose(run.position(load)[:, 0], 2 + s, atol=1e-6)
    if inertia:
        assert np.abs(run["theta_load"]).max() > 1e-3


def test_it_leaves_at_either_end_and_flies_on() -> None:
    """Thrown along a stiff beam without weight: at constant speed to either end, then straight on."""
    beam = fx.EulerBernoulliBeam("beam", EI=1e4, rho=RHO, length=L)
    load = fx.Mass("load", 0.6)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Ride(beam, load, name="s")))
    for speed, when in ((2.0, 0.5), (-2.0, 0.25)):
        start = {"s": 0.5, "s_t": speed}
        run = fx.simulate(equations, np.linspace(0, 0.7, 8), initial=start, order=3, elements=1, tolerance=1e-6)
        assert run.events["s"] == pytest.approx([when], abs=1e-9)
        assert any(f"leaves its member at t = {when}" in note for note in run.notes)
        np.testing.assert_allclose(run["s"], 0.5 + speed * run.t, atol=1e-9)


def test_a_collar_on_an_arm_that_turns_is_a_particle_on_a_line() -> None:
    """Stiff and light, set off from the hub and turned by an angle: s'' = (r + s) Omega^2."""
    hub, load = fx.RigidBody("hub", 1.0, 0.5), fx.Mass("load", 0.6)
    arm = fx.EulerBernoulliBeam("arm", EI=1e5, rho=10.0, length=3.0)
    turn, offset = 0.4, (0.2, -0.1)
    equations = fx.derive(
        fx.Model(
            fx.Revolute(fx.ground, hub, motion="5*t", name="phi"),
            fx.Fixed(hub.at(*offset), arm.start, angle=turn),
            fx.Ride(arm, load, name="s"),
        )
    )
    assert fx.verify(equations)
    t = np.linspace(0, 0.3, 4)
    run = fx.simulate(equations, t, initial={"s": 0.5}, order=3, elements=1, tolerance=1e-6)
    along = offset[0] * np.cos(turn) + offset[1] * np.sin(turn)
    true = (0.5 + along) * np.cosh(5 * t) - along
    np.testing.assert_allclose(run["s"], true, atol=2e-3)
    at = np.array([offset[0] + true * np.cos(turn), offset[1] + true * np.sin(turn)])
    c, s = np.cos(5 * t), np.sin(5 * t)
    np.testing.assert_allclose(run.position(load)[:, 0], c * at[0] - s * at[1], atol=5e-3)
    np.testing.assert_allclose(run.position(load)[:, 1], s * at[0] + c * at[1], atol=5e-3)


def test_a_cart_with_a_bridge_keeps_its_momentum_and_energy() -> None:
    """A cart that rolls freely, with a beam upright on it, and a mass that slides along that beam under its weight."""
    cart, load = fx.RigidBody("cart", 1.0, 0), fx.Mass("load", 0.6)
    mast = fx.EulerBernoulliBeam("mast", EI=40.0, rho=RHO, length=L)
    equations = fx.derive(
        fx.Model(
            fx.Slide(fx.ground, cart, along="x", name="X"),
            fx.Fixed(cart, mast.start, angle="pi/2"),
            fx.Ride(mast, load, name="s"),
            fx.Gravity(9.81),
        )
    )
    t = np.linspace(0, 0.15, 6)
    start = {"s": 0.8, "w_mast": "-x**2/20", "X_t": 0.3}
    run = fx.simulate(equations, t, initial=start, order=3, elements=1, tolerance=1e-8)
    assert run.energy.error < 1e-8
    assert run["s"][-1] < 0.8 - 0.01
    nodes, weights = np.polynomial.legendre.leggauss(12)
    x = L * (nodes + 1) / 2
    moving = np.array([run.place(mast, float(s)) for s in x])
    masses = run["X"] * (1.0 + RHO * L + 0.6) - RHO * L / 2 * weights @ moving - 0.6 * run["y_load"]
    slope = np.diff(masses) / np.diff(t)
    np.testing.assert_allclose(slope, slope[0], atol=1e-6 * abs(slope[0]))


def test_what_carries_the_member_is_pushed_back_along_it() -> None:
    """A beam along a cart that rolls freely: no force from outside, so momentum stands in the cart's own equation."""
    cart, load = fx.RigidBody("cart", 2.0, 0), fx.Mass("load", 1.5)
    beam = fx.EulerBernoulliBeam("beam", EI=20.0, rho=1.0, length=1.0)
    held = [fx.Slide(fx.ground, cart, along="x", name="X"), fx.Fixed(cart.at(0, 0), beam.start)]
    equations = fx.derive(
        fx.Model(*held, fx.Fixed(cart.at(1.0, 0), beam.end), fx.Ride(beam, load, name="s"), fx.Gravity(9.81))
    )
    assert equations.ordinary["X"].rhs == 0
    assert fx.verify(equations)
    t = np.linspace(0, 0.4, 5)
    run = fx.simulate(equations, t, initial={"s": 0.3}, order=4, elements=1, tolerance=1e-8)
    assert run["X"][-1] < -1e-3
    np.testing.assert_allclose(3.0 * run["X_t"] + 1.5 * (run["X_t"] + run["s_t"]), 0, atol=1e-9)
    assert run.energy.error < 1e-8


def test_a_hub_beside_the_axis_of_its_arm_keeps_its_energy() -> None:
    hub, load = fx.RigidBody("hub", 1.0, 0.5), fx.RigidBody("load", m=0.5, I=0.05)
    arm = fx.EulerBernoulliBeam("arm", EI=50.0, rho=1.0, length=1.0)
    held = [fx.Revolute(fx.ground, hub, name="q"), fx.Fixed(hub.at(0.1, 0.3), arm.start, angle=0.4)]
    equations = fx.derive(fx.Model(*held, fx.Ride(arm, load, name="s"), foreshortening=False))
    start = {"s": 0.3, "q_t": 2.0}
    run = fx.simulate(equations, np.linspace(0, 0.2, 3), initial=start, order=3, elements=1, tolerance=1e-8)
    assert np.abs(run.energy.supplied).max() < 1e-12
    assert run.energy.error < 1e-8


def test_what_is_not_covered_is_refused() -> None:
    beam, load = fx.EulerBernoulliBeam("beam", EI=EI, rho=RHO, length=L), fx.Mass("load", 1.0)
    with pytest.raises(fx.FlexuraError, match="stands still"):
        fx.Ride(beam, load, motion="1/2")
    with pytest.raises(fx.FlexuraError, match="may lift off; give a Mass"):
        fx.Ride(beam, fx.RigidBody("body", m=1.0, I=0.1), motion="t", held=False)
    with pytest.raises(fx.FlexuraError, match="do not turn as its axis does"):
        fx.Ride(fx.String("wire", 1.0, 1.0, 1.0), fx.RigidBody("body", m=1.0, I=0.1), motion="t")
    hub = fx.RigidBody("hub", m=1.0, I=1.0)
    hung = [fx.Revolute(fx.ground, beam.start), fx.Fixed(beam.end, hub), fx.Ride(beam, load, motion="t")]
    with pytest.raises(fx.FlexuraError, match="not carried by one rigid body"):
        fx.derive(fx.Model(*hung))
    bent = fx.ExactBeam("bent", EI=1.0, rho=1.0, length=1.0)
    with pytest.raises(fx.FlexuraError, match="in whose axes it bends a little"):
        fx.derive(fx.Model(fx.Fixed(fx.ground, bent.start), fx.Ride(bent, load, motion="t")))
