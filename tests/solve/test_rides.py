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


def test_what_is_not_covered_is_refused() -> None:
    beam, load = fx.EulerBernoulliBeam("beam", EI=EI, rho=RHO, length=L), fx.Mass("load", 1.0)
    with pytest.raises(fx.FlexuraError, match="give where it is"):
        fx.Ride(beam, load)
    with pytest.raises(fx.FlexuraError, match="stands still"):
        fx.Ride(beam, load, motion="1/2")
    with pytest.raises(fx.FlexuraError, match="give a Mass, or I=0"):
        fx.Ride(beam, fx.RigidBody("body", m=1.0, I=0.1), motion="t")
    hub = fx.RigidBody("hub", m=1.0, I=1.0)
    turning = [fx.Revolute(fx.ground, hub), fx.Fixed(hub, beam.start), fx.Ride(beam, load, motion="t")]
    with pytest.raises(fx.FlexuraError, match="put it on ground, along x"):
        fx.derive(fx.Model(*turning))
