"""A bar swings from a pin at its end.

A uniform bar of length L hangs from one end. Find the frequency of its small swings, and the length of the simple
pendulum that keeps time with it.

Source: C. M. Krousgrill, J. F. Rhoads, vibration notes, example I.2.1: (1/3) M L^2 theta'' + (1/2) M g L sin(theta) =
0.
"""

import numpy as np

import flexura as fx

L = 1.4
bar = fx.RigidBody("bar", m=2.0, I=2.0 * L**2 / 12)
model = fx.Model(fx.Revolute(fx.ground, bar.at(0, L / 2), name="theta"), fx.Gravity())
omega = fx.modes(model, 1).frequencies[0]
answer = {"omega (rad/s)": omega, "length of the simple pendulum (m)": 9.81 / omega**2}
known = {"omega (rad/s)": np.sqrt(3 * 9.81 / (2 * L)), "length of the simple pendulum (m)": 2 * L / 3}
