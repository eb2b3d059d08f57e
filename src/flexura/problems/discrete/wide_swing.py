"""A pendulum swings as far as 120 degrees.

A simple pendulum is let go from rest at 120 degrees. How long is its period?

Source: closed form 4 sqrt(L/g) K(sin^2(theta_0/2)) with the complete elliptic integral K; L. D. Landau, E. M.
Lifshitz, Mechanics, section 11, problem 1.
"""

import numpy as np
from scipy.special import ellipk

import flexura as fx

L, start = 0.8, np.radians(120)
bob = fx.Mass("bob", m=1.0)
model = fx.Model(fx.Revolute(fx.ground, bob.at(0, L), name="theta"), fx.Gravity())
run = fx.simulate(model, [0, 4.0], initial={"theta": start}, events={"down": "theta"}, tolerance=1e-10)
passes = run.events["down"]
answer = {"period (s)": 2 * (passes[1] - passes[0])}
known = {"period (s)": 4 * np.sqrt(L / 9.81) * ellipk(np.sin(start / 2) ** 2)}
within = 1e-8
