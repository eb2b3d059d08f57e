"""Ziegler's double pendulum.

Two rods with masses 2 m and m at their ends stand on equal torsion springs; a force follows the upper one. At which
load does it flutter, and at which if both joints are damped a little?

Source: H. Ziegler, Ingenieur-Archiv 20, 1952; V. V. Bolotin, Nonconservative Problems: 7/2 - sqrt(2) without damping,
41/28 with equal small damping, over k/l.
"""

import numpy as np

import flexura as fx


def flutter(c):
    """The load over k/l at which the motion grows."""
    lower, upper = fx.RigidBody("lower", m=2.0, I=0), fx.RigidBody("upper", m=1.0, I=0)
    model = fx.Model(
        fx.Revolute(fx.ground, lower.at(-1), name="a"),
        fx.Revolute(lower, upper.at(-1), name="b"),
        fx.TorsionSpring(fx.ground, lower, k=1.0),
        fx.TorsionSpring(lower, upper, k=1.0),
        fx.TorsionDamper(fx.ground, lower, c=c),
        fx.TorsionDamper(lower, upper, c=c),
        fx.Force(upper, "-P", along="x", axes=upper),
    )
    return float(fx.flutter(model, "P", between=(0, 4)))


answer = {"undamped": flutter(0), "hardly damped": flutter(1e-4)}
known = {"undamped": 3.5 - np.sqrt(2), "hardly damped": 41 / 28}
within = 1e-6
