"""Machines that exports are tried on, with their numbers."""

from __future__ import annotations

from typing import Any

import flexura as fx


def arm() -> Any:
    """Two rigid links with gravity, a motor and a damper."""
    a, b = fx.RigidBody("a", m=2.0, I=0.1), fx.RigidBody("b", m=1.5, I=0.05)
    return fx.Model(
        fx.Revolute(fx.ground, a.at(-0.4), name="th1"),
        fx.Revolute(a.at(0.4), b.at(-0.3), name="th2"),
        fx.Gravity(),
        fx.Torque(b, "tau", reaction=a),
        fx.TorsionDamper(a, b, c=0.3),
        fx.TorsionSpring(fx.ground, a, k="kt"),
    )


def flexible_arm() -> Any:
    """A hub that turns far, a beam on it, a mass at its end."""
    hub, tip = fx.RigidBody("hub", m=1.0, I=0.3), fx.Mass("tip", 0.2)
    beam = fx.EulerBernoulliBeam("beam", EI=60.0, rho=1.1, length=1.2, internal_damping=1e-3)
    return fx.Model(
        fx.Revolute(fx.ground, hub, name="th"),
        fx.Fixed(hub, beam.start),
        fx.Fixed(beam.end, tip),
        fx.Torque(hub, "T"),
        fx.DistributedForce(beam, "f"),
        fx.Gravity(),
    )


def slider_crank() -> Any:
    """A closed loop: its cut has multipliers."""
    crank, rod, slider = (
        fx.RigidBody("crank", m=0.5, I=0.01),
        fx.RigidBody("rod", m=0.8, I=0.03),
        fx.Mass("slider", 1.2),
    )
    return fx.Model(
        fx.Revolute(fx.ground, crank.at(-0.1), name="phi"),
        fx.Revolute(crank.at(0.1), rod.at(-0.25), name="psi"),
        fx.Slide(fx.ground.at(0.7), slider, along="x", name="s"),
        fx.Revolute(rod.at(0.25), slider, name="cut"),
        fx.Torque(crank, "T"),
        fx.Gravity(),
    )


def shaken() -> Any:
    """A pendulum whose pivot is moved."""
    cart, bob = fx.RigidBody("cart", m=1.0, I=0), fx.RigidBody("bob", m=0.7, I=0.02)
    return fx.Model(
        fx.Slide(fx.ground, cart, along="x", name="x", motion="A*sin(Om*t)"),
        fx.Revolute(cart, bob.at(0, 0.5), name="th"),
        fx.Gravity(),
        fx.Torque(bob, "T"),
    )


def controlled() -> Any:
    """A pendulum held by a motor with a filter: a first-order state."""
    bob = fx.RigidBody("bob", m=0.7, I=0.02)
    return fx.Model(
        fx.Revolute(fx.ground, bob.at(0, 0.5), name="th"),
        fx.Gravity(),
        fx.Torque(bob, "-3*z"),
        fx.Torque(bob, "T"),
        fx.State("z", "5*(th - z) + 0.2*th_t", initial=0.1),
    )


VALUES: dict[str, dict[str, Any]] = {
    "arm": {"kt": 4.0},
    "flexible_arm": {},
    "slider_crank": {},
    "shaken": {"A": 0.1, "Om": 3.0},
    "controlled": {},
}
MACHINES = {
    "arm": arm,
    "flexible_arm": flexible_arm,
    "slider_crank": slider_crank,
    "shaken": shaken,
    "controlled": controlled,
}
