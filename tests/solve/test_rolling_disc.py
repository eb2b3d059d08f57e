"""A disc that rolls on a plane, against Kane's equations by SymPy in other angles."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy
from sympy.physics import mechanics

import flexura as fx

M, R, G, ACROSS, AXIAL = 1.3, 0.4, 9.81, 0.06, 0.11


def kanes_disc() -> Any:
    """Rates of the angular velocity in lean axes, by KanesMethod: yaw, lean and spin, and no slip at the contact."""
    q, u = mechanics.dynamicsymbols("q1:4"), mechanics.dynamicsymbols("u1:4")
    ground = mechanics.ReferenceFrame("N")
    yaw = ground.orientnew("Y", "Axis", [q[0], ground.z])
    lean = yaw.orientnew("L", "Axis", [q[1], yaw.x])
    disc = lean.orientnew("D", "Axis", [q[2], lean.y])
    spin = disc.ang_vel_in(ground)
    known = [mechanics.dot(spin, axis) - rate for axis, rate in zip(lean, u, strict=True)]
    angles = sympy.solve(known, [one.diff() for one in q])
    disc.set_ang_vel(ground, u[0] * lean.x + u[1] * lean.y + u[2] * lean.z)
    contact = mechanics.Point("C")
    contact.set_vel(ground, 0)
    centre = contact.locatenew("O", R * lean.z)
    centre.v2pt_theory(contact, ground, disc)
    tensor = (mechanics.inertia(lean, ACROSS, AXIAL, ACROSS), centre)
    body = mechanics.RigidBody("disc", centre, disc, M, tensor)
    method = mechanics.KanesMethod(ground, q, u, [one.diff() - angles[one.diff()] for one in q])
    method.kanes_equations([body], [(centre, -M * G * ground.z)])
    return sympy.lambdify((q, u), [method.mass_matrix, method.forcing])


def turns(axis: int, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    i, j = [k for k in range(3) if k != axis]
    found = np.eye(3)
    found[i, i], found[j, j] = c, c
    found[i, j], found[j, i] = (s, -s) if axis == 1 else (-s, s)
    return found


def spins(psi: float, theta: float) -> np.ndarray:
    """Angular velocity in ground's axes over the rates of psi (z), theta (y), phi (x)."""
    first, second = turns(2, psi), turns(2, psi) @ turns(1, theta)
    return np.column_stack([[0, 0, 1], first @ [0, 1, 0], second @ [1, 0, 0]])


def test_a_rolling_disc_turns_as_kanes_equations_say() -> None:
    """Angular accelerations at random states: three angles about z, y, x of a body whose axis is its y."""
    body = fx.RigidBody("disc", M, (ACROSS, AXIAL, ACROSS))
    names = ("x", "y", "z", "psi", "theta", "phi")
    things = [fx.Free(fx.ground, body, names=names), fx.Gravity(G, along="-z")]
    equations = fx.derive(fx.Model(*things, fx.Rolling(body, R, normal="z", axis="y")))
    kane, random = kanes_disc(), np.random.default_rng(0)
    for _ in range(3):
        q, u = random.uniform(-0.5, 0.5, 3), random.uniform(-3, 3, 3)
        lean = turns(2, q[0]) @ turns(0, q[1])
        whole = lean @ turns(1, q[2])
        theta, psi, phi = -np.arcsin(whole[2, 0]), np.arctan2(whole[1, 0], whole[0, 0]), np.arctan2(*whole[2, [1, 2]])
        spin = lean @ u
        rates = np.linalg.solve(spins(psi, theta), spin)
        centre = np.cross(spin, R * lean[:, 2])
        state = {"psi": psi, "theta": theta, "phi": phi, "z": R * lean[2, 2]}
        moving = zip(names, [*centre, *rates], strict=True)
        found = fx.accelerations(equations, state | {f"{name}_t": float(rate) for name, rate in moving})
        h, after = 1e-5, [found["psi"], found["theta"], found["phi"]]
        ahead, behind = (spins(psi + s * rates[0], theta + s * rates[1]) @ rates for s in (h, -h))
        angular = spins(psi, theta) @ after + (ahead - behind) / (2 * h)
        mass, force = kane(q, u)
        yaw_and_lean = spin - u_spin(lean, q, u)
        true = lean @ np.linalg.solve(mass, force).ravel() + np.cross(yaw_and_lean, spin)
        np.testing.assert_allclose(angular, true, rtol=1e-7, atol=1e-7)


def u_spin(lean: np.ndarray, q: np.ndarray, u: np.ndarray) -> np.ndarray:
    """What the disc turns against its lean axes: u = (lean_t, spin_t + yaw_t sin(lean), yaw_t cos(lean))."""
    return np.asarray(lean[:, 1] * (u[1] - u[2] * np.tan(q[1])))
