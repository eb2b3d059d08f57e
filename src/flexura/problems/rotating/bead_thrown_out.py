"""A bead on a turning rod.

A bead slides without friction on a rod that turns evenly about a vertical axis, from rest relative to the rod. Where
is it after a while, and how hard does the rod push it?

Source: closed form r = r0 cosh(W t) and 2 m W^2 r0 sinh(W t); H. Goldstein, Classical Mechanics, section 1.6.
"""

import numpy as np

import flexura as fx

m, r0, W = 0.1, 0.2, 4.0
rod, bead = fx.RigidBody("rod", m=0, I=0), fx.Mass("bead", m=m)
slide = fx.Slide(rod, bead, along="x", name="r")
model = fx.Model(fx.Revolute(fx.ground, rod, motion=f"{W}*t", name="turn"), slide)
t = np.array([0.0, 0.2, 0.5])
run = fx.simulate(model, t, initial={"r": r0}, tolerance=1e-11)
push = np.hypot(*run[fx.Reaction(slide)][:, :2].T)
answer = {"r (m)": run["r"], "push (N)": push}
known = {"r (m)": r0 * np.cosh(W * t), "push (N)": 2 * m * W**2 * r0 * np.sinh(W * t)}
within = 1e-8
