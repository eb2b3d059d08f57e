"""A top sleeps.

A heavy top spins upright. Find the two rates at which it precesses and nods when it is disturbed.

Source: closed form: I1 w^2 - I3 n w + m g l = 0; H. Goldstein, Classical Mechanics, on the heavy symmetrical top; F.
Klein, A. Sommerfeld, Theorie des Kreisels.
"""

import numpy as np

import flexura as fx

m, l, I, I3, n = 0.3, 0.05, 2e-4, 1.5e-4, 250.0
gimbal, top = fx.RigidBody("gimbal", m=0, I=0), fx.RigidBody("top", m=m, I=(I, I, I3))
model = fx.Model(
    fx.Universal(fx.ground, gimbal, names=("alpha", "beta")),
    fx.Revolute(gimbal, top.at(0, 0, -l), about="z", motion=f"{n}*t"),
    fx.Gravity(9.81, along="-z"),
)
answer = {"rates (rad/s)": fx.modes(model, 2).frequencies}
known = {"rates (rad/s)": np.sort(np.roots([I + m * l**2, -I3 * n, m * 9.81 * l]))}
