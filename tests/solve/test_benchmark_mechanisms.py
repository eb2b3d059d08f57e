"""Mechanisms of the IFToMM library of benchmarks: Andrews' squeezer (A03) and a fly-ball governor (A05)."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp
from sympy.physics import mechanics

import flexura as fx

START = {
    "beta": -0.0617138900142764496358948458001,
    "theta": 0.0,
    "gamma": 0.455279819163070380255912382449,
    "phi": 0.222668390165885884674473185609,
    "delta": 0.487364979543842550225598953530,
    "omega": -0.222668390165885884674473185609,
    "epsilon": 1.23054744454982119249735015568,
}
END = {  # Mazzia, Magherini: Test set for IVP solvers, Andrews' squeezing mechanism, reference solution at t = 0.03
    "beta": 0.1581077119629904e2,
    "theta": -0.1575637105984298e2,
    "gamma": 0.4082224013073101e-1,
    "phi": -0.5347301163226948,
    "delta": 0.5244099658805304,
    "omega": 0.5347301163226948,
    "epsilon": 0.1048080741042263e1,
}


def squeezer() -> fx.Model:
    """Seven bodies, driven by a motor at K1 against the spring at K3; lengths as the test set gives them."""
    m = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
    inertia = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
    d, da, e, ea, rr, ra = 28e-3, 115e-4, 2e-2, 1421e-5, 7e-3, 92e-5
    ss, sa, sb, sc, sd, ta, tb = 35e-3, 1874e-5, 1043e-5, 18e-3, 2e-2, 2308e-5, 916e-5
    u, ua, ub, zf, zt, fa = 4e-2, 1228e-5, 449e-5, 2e-2, 4e-2, 1421e-5
    k1, k2, k3, k4, k5, k6, k7 = (fx.RigidBody(f"K{i + 1}", m[i], inertia[i]) for i in range(7))
    a, b, c = fx.ground.at(-0.06934, -0.00227), fx.ground.at(-0.03635, 0.03273), fx.ground.at(0.014, 0.072)
    point = k2.at(da - d)
    return fx.Model(
        fx.Revolute(fx.ground, k1.at(-ra), name="beta"),
        fx.Revolute(k1.at(rr - ra), k2.at(da), name="theta"),
        fx.Revolute(b, k3.at(-sb, sa), name="gamma"),
        fx.Revolute(a, k5.at(-ta, -tb), name="delta"),
        fx.Revolute(k5.at(zt - ta, -tb), k4.at(0, e - ea), name="phi"),
        fx.Revolute(a, k7.at(ub, ua), name="epsilon"),
        fx.Revolute(k7.at(ub, ua - u), k6.at(fa - zf), name="omega"),
        fx.Pin(point, k3.at(-sb, sa - ss), name="c3"),
        fx.Pin(point, k4.at(0, -ea), name="c4"),
        fx.Pin(point, k6.at(fa), name="c6"),
        fx.Spring(c, k3.at(sd - sb, sa - sc), along="line", k=4530.0, free_length=7785e-5),
        fx.Torque(k1, 0.033),
    )


def test_andrews_squeezer_ends_where_the_test_set_says() -> None:
    equations = fx.derive(squeezer())
    assert int(equations.mobility) == 1
    run = fx.simulate(equations, [0.0, 0.03], initial=START, tolerance=1e-9)
    for name, value in END.items():
        assert run[name][-1] == pytest.approx(value, abs=1e-8), name
    assert run.energy.error < 1e-9


M, B, A, LINK, COLLAR, SHAFT, K, C = 5.0, 1.0, 0.5, 0.4, 1.0, 0.3, 800.0, 20.0  # governor, SI units


def governor() -> fx.Model:
    """Two arms with balls, hinged to a shaft that turns freely, and two links to a collar on it."""
    shaft, collar = fx.RigidBody("shaft", 1.0, (0, SHAFT, 0)), fx.RigidBody("collar", COLLAR, (0, 0.05, 0))
    things: list[object] = [
        fx.Revolute(fx.ground, shaft, about="y", name="turn"),
        fx.Slide(shaft, collar.at(0, 2 * A, 0), along="y", name="z"),
        fx.Spring(shaft, collar, k=K, along="y"),
        fx.Damper(shaft, collar, c=C, along="y"),
        fx.Gravity(9.81, along="-y"),
    ]
    for i in (1, 2):
        arm = fx.RigidBody(f"arm{i}", M, (0.02, 0.01, 0.02))
        link = fx.RigidBody(f"link{i}", LINK, (LINK * A**2 / 12, 0, LINK * A**2 / 12))
        things += [
            fx.Revolute(shaft, arm.at(0, B, 0), about="z", name=f"phi{i}"),
            fx.Revolute(arm.at(0, B - A, 0), link.at(0, A / 2, 0), about="z", name=f"psi{i}"),
            fx.Revolute(link.at(0, -A / 2, 0), collar, about="z", name=f"cut{i}"),
        ]
    return fx.Model(*things)


def kanes_governor():  # type: ignore[no-untyped-def]
    """Accelerations of shaft and arms by SymPy's KanesMethod: both loops solved by hand, z = 2 A (1 - cos phi)."""
    turn, phi = mechanics.dynamicsymbols("turn phi")
    w, p = mechanics.dynamicsymbols("w p")
    frame, origin = mechanics.ReferenceFrame("N"), mechanics.Point("O")
    origin.set_vel(frame, 0)
    plane = frame.orientnew("S", "Axis", (turn, frame.y))
    plane.set_ang_vel(frame, w * frame.y)
    bodies, loads = [], []

    def add(name, mass, tensor, axes, x, y):  # type: ignore[no-untyped-def]
        at = origin.locatenew(name, x * plane.x + y * plane.y)
        speed = at.pos_from(origin).dt(frame).subs({turn.diff(): w, phi.diff(): p})
        at.set_vel(frame, speed)
        inertia = (mechanics.inertia(axes, *tensor), at)
        bodies.append(mechanics.RigidBody(name, at, axes, mass, inertia))
        loads.append((at, -mass * 9.81 * frame.y))
        return at

    add("shaft", 1.0, (0, SHAFT, 0), plane, 0, 0)
    collar = add("collar", COLLAR, (0, 0.05, 0), plane, 0, -2 * A * sympy.cos(phi))
    rise = 2 * A * (1 - sympy.cos(phi))
    loads.append((collar, -(K * rise + C * 2 * A * sympy.sin(phi) * p) * plane.y))
    for i, side in ((1, 1), (2, -1)):
        arm, link = (plane.orientnew(f"{name}{i}", "Axis", (sign * side * phi, plane.z)) for name, sign in
                     (("a", 1), ("l", -1)))  # fmt: skip
        arm.set_ang_vel(plane, side * p * plane.z)
        link.set_ang_vel(plane, -side * p * plane.z)
        add(f"ball{i}", M, (0.02, 0.01, 0.02), arm, side * B * sympy.sin(phi), -B * sympy.cos(phi))
        slender = (LINK * A**2 / 12, 0, LINK * A**2 / 12)
        add(f"link{i}", LINK, slender, link, side * A * sympy.sin(phi) / 2, -3 * A * sympy.cos(phi) / 2)
    method = mechanics.KanesMethod(frame, [turn, phi], [w, p], [turn.diff() - w, phi.diff() - p])
    method.kanes_equations(bodies, loads)
    return sympy.lambdify((turn, phi, w, p), [method.mass_matrix, method.forcing])


def test_a_governor_turns_and_opens_as_kanes_equations_say() -> None:
    """Each loop closes by five conditions, three of which repeat others; shaft, arms and collar against two speeds."""
    equations = fx.derive(governor())
    assert int(equations.mobility) == 2
    kane, t = kanes_governor(), np.linspace(0, 1, 11)

    def rate(_: float, y: np.ndarray) -> np.ndarray:
        mass, force = kane(*y)
        return np.concatenate([y[2:], np.linalg.solve(mass, force.ravel())])

    true = solve_ivp(rate, (0, 1), [0, 0.5, 7, 0], "DOP853", t, rtol=1e-10, atol=1e-12).y
    angles = {"phi1": 0.5, "phi2": -0.5, "psi1": -1.0, "psi2": 1.0, "z": 2 * A * (1 - np.cos(0.5)), "turn_t": 7.0}
    run = fx.simulate(equations, t, initial=angles, tolerance=1e-8)
    np.testing.assert_allclose(run["turn"], true[0], atol=1e-6)
    np.testing.assert_allclose(run["phi1"], true[1], atol=1e-6)
    np.testing.assert_allclose(run["phi2"], -true[1], atol=1e-6)
    np.testing.assert_allclose(run["z"], 2 * A * (1 - np.cos(true[1])), atol=1e-6)
    assert run.energy.error < 1e-8
    assert any("least norm" in note for note in run.notes)
