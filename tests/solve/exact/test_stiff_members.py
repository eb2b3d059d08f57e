"""Frequency responses of members that are stiff beside what they hang on, against sixty digits and the rigid limit."""

from __future__ import annotations

import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from exact_lines import product, uniform

g = fx.ground


def powers(low, high):
    return st.floats(low, high).map(lambda p: float(f"{10**p:.6g}"))


CART = {
    "EI": powers(0, 14),
    "rho": powers(-4, 0),
    "length": powers(-0.5, 0.5),
    "m": powers(-1, 1),
    "tip": powers(-3, 0),
    "k": powers(-1, 2),
    "c": st.sampled_from([0.0, 0.3]),
    "turn": st.sampled_from([0.0, 2.0, 1e3]),
    "omega": powers(-2, 1),
}


def cart(EI, rho, length, m, tip, k, c, turn):
    """A cart on a spring and a damper; a beam pinned to it, which a torsion spring may hold, with a mass at its end."""
    body, end = fx.Mass("m", m=m), fx.Mass("tip", m=tip)
    beam = fx.EulerBernoulliBeam("b", EI=EI, rho=rho, length=length)
    parts = [fx.Slide(g, body, name="y"), fx.Spring(g, body, k=k), fx.Force(body, "F"), fx.Pin(body, beam.start)]
    parts += [fx.Damper(g, body, c=c)] if c else []
    parts += [fx.TorsionSpring(g, beam.start, k=turn)] if turn else []
    return fx.derive(fx.Model(*parts, fx.Fixed(beam.end, end), foreshortening=False)), beam


def cart_truth(EI, rho, length, m, tip, k, c, turn, omega):
    """w and its slope at the start from the balance of forces and moments at both ends."""
    mp.mp.dps = 60
    m, tip, k, c, turn, omega = (mp.mpf(one) for one in (m, tip, k, c, turn, omega))
    s = 1j * omega
    P = uniform(EI, rho, length, -(omega**2))
    free = -tip * omega**2
    A = mp.matrix(4, 4)
    A[0, 0], A[0, 3] = -m * omega**2 + s * c + k, 1  # V = M_x at the start pushes the cart down
    A[1, 1], A[1, 2] = turn, -1
    for j in range(4):
        A[2, j] = P[2, j]
        A[3, j] = P[3, j] - free * P[0, j]
    state = mp.lu_solve(A, mp.matrix([1, 0, 0, 0]))
    return complex(state[0]), complex((P * state)[0])


@settings(max_examples=25, deadline=None, derandomize=True)
@given(**CART)
def test_a_stiff_beam_pinned_to_a_cart(omega, **given):
    equations, beam = cart(**given)
    exact = cart_truth(**given, omega=omega)
    size = max(map(abs, exact))
    y, w = (fx.frequency_response(equations, [omega], "F", output)[0] for output in ("y", beam.end))
    assert abs(y - exact[0]) <= 1e-9 * size
    assert abs(y + w - exact[1]) <= 1e-9 * size  # the deflection is measured from the cart


@pytest.mark.parametrize("EI", [1e6, 1e8, 1e10, 1e12, 1e16])
def test_the_end_of_a_stiff_pendulum_goes_against_the_cart(EI):
    """A rigid bar pinned to the cart turns about the point at two thirds of it: -1/2 at its end, -3/2 from there."""
    beam, body = fx.EulerBernoulliBeam("b", EI=EI, rho=1e-3, length=1.0), fx.Mass("m", m=1.0)
    equations = fx.derive(fx.Model(fx.Slide(g, body, name="y"), fx.Pin(body, beam.start), fx.Force(body, "F")))
    omega = [0.1, 1.0, 3.0]
    cart_, end = (fx.frequency_response(equations, omega, "F", one) for one in ("y", beam.end))
    np.testing.assert_allclose(np.asarray(end / cart_), -1.5, rtol=3e-3 / EI**0.5 + 1e-11)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(EI=powers(2, 14), rho=powers(-3, 0), I=powers(-2, 0), k=powers(-1, 2), omega=powers(-1, 1))
def test_a_stiff_arm_on_a_revolute(EI, rho, I, k, omega):
    """A hub that turns on a torsion spring, an arm clamped to it: the angle for a torque, and the end of the arm."""
    hub, arm = fx.RigidBody("hub", m=1.0, I=I), fx.EulerBernoulliBeam("arm", EI=EI, rho=rho, length=1.3, field="w")
    joint = fx.Revolute(g, hub, name="theta")
    parts = (joint, fx.Fixed(hub, arm.start), fx.TorsionSpring(g, hub, k=k), fx.Torque(hub, "T"))
    equations = fx.linearise(fx.derive(fx.Model(*parts)))
    mp.mp.dps = 60
    P = uniform(EI, rho, 1.3, -(mp.mpf(omega) ** 2))
    # unknowns: angle, M, V at the start; M, V vanish at the end; the torque turns hub, spring and arm
    A = mp.matrix(
        [[k - mp.mpf(I) * mp.mpf(omega) ** 2, -1, 0], [P[2, 1], P[2, 2], P[2, 3]], [P[3, 1], P[3, 2], P[3, 3]]]
    )
    theta, M, V = mp.lu_solve(A, mp.matrix([1, 0, 0]))
    end = P[0, 1] * theta + P[0, 2] * M + P[0, 3] * V
    angle = fx.frequency_response(equations, [omega], "T", "theta")[0]
    bent = fx.frequency_response(equations, [omega], "T", arm.end)[0]
    assert abs(angle - complex(theta)) <= 1e-9 * abs(complex(theta))
    assert abs(bent + 1.3 * angle - complex(end)) <= 1e-9 * abs(complex(theta))


@settings(max_examples=12, deadline=None, derandomize=True)
@given(ratio=powers(2, 12), omega=powers(-1, 0.7), place=st.floats(0.2, 0.8), load=st.sampled_from(["F", "f"]))
def test_a_stiff_stepped_arm_on_a_soft_one(ratio, omega, place, load):
    """A soft beam that carries a stiff one, read inside the stiff one, pushed at its end or all along it."""
    soft = fx.EulerBernoulliBeam("soft", EI=2.0, rho=0.7, length=1.0, damping=0.01)
    stiff = fx.EulerBernoulliBeam("stiff", EI=2.0 * ratio, rho=0.4, length=0.8)
    push = fx.Force(stiff.end, "F") if load == "F" else fx.DistributedForce(stiff, "f")
    parts = (fx.Fixed(g, soft.start), fx.Fixed(soft.end, stiff.start), push)
    equations = fx.derive(fx.Model(*parts, foreshortening=False))
    found = fx.frequency_response(equations, [omega], load, stiff.at(0.8 * place))[0]
    mp.mp.dps = 60
    s = 1j * mp.mpf(omega)
    first = uniform(2.0, 1.0, 1.0, s * s * mp.mpf(0.7) + s * mp.mpf(0.01))  # damping is a heavier beam
    rest = [uniform(2.0 * ratio, 0.4, part, s * s) for part in (0.8 * place, 0.8 * (1 - place))]
    whole = product([first, *rest])
    steady = mp.matrix([1 / (s * s * mp.mpf(0.4)) if load == "f" else 0, 0, 0, 0])  # w = f/(rho s^2), nothing else
    pushed = mp.matrix([0, 0, 0, -1 if load == "F" else 0])
    # state at the joint = first (0, 0, M, V); beyond it deviations from the steady motion follow the matrix
    A = mp.matrix([[whole[2, 2], whole[2, 3]], [whole[3, 2], whole[3, 3]]])
    carried = (rest[1] * rest[0]) * steady
    M, V = mp.lu_solve(A, mp.matrix([pushed[2] + carried[2], pushed[3] + carried[3]]))
    state = rest[0] * (first * mp.matrix([0, 0, M, V]) - steady) + steady
    exact = complex(state[0])
    assert abs(found - exact) <= 1e-9 * abs(exact), (found, exact)
    assert math.isfinite(abs(found))
