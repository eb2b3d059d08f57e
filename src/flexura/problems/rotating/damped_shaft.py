"""Damping that drives.

A disc on a shaft is damped by the shaft's material (which turns with it) and by the air (which does not). Find the
roots at a speed beyond omega (1 + ca/ci), where the shaft begins to whirl by itself.

Source: seen from ground m s^2 + (ci + ca) s + k - i W ci = 0, from the shaft each root less i W; A. L. Kimball, 1924;
F. F. Ehrich, Handbook of Rotordynamics.
"""

import numpy as np

import flexura as fx

m, k, ci, ca, W = 3.0, 7500.0, 4.0, 2.0, 90.0
shaft, way, disc = fx.RigidBody("shaft", m=1, I=1), fx.RigidBody("way", m=0, I=0), fx.Mass("disc", m=m)
model = fx.Model(
    fx.Revolute(fx.ground, shaft, motion=f"{W}*t"),
    fx.Slide(shaft, way, along="x", name="x"),
    fx.Slide(way, disc, along="y", name="y"),
    fx.Spring(shaft, way, k=k, along="x"),
    fx.Spring(way, disc, k=k, along="y"),
    fx.Damper(shaft, way, c=ci, along="x"),
    fx.Damper(way, disc, c=ci, along="y"),
    fx.Damper(fx.ground, disc, c=ca, along="x"),
    fx.Damper(fx.ground, disc, c=ca, along="y"),
)
seen = np.roots([m, ci + ca, k - 1j * W * ci]) - 1j * W
upper = np.where(seen.imag < 0, seen.conj(), seen)
answer = {"s (1/s)": fx.modes(model, 2).eigenvalues}
known = {"s (1/s)": upper[np.argsort(abs(upper))]}
