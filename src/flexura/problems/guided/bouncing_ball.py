"""A ball comes to rest after infinitely many bounces.

A ball is dropped from the height h; at each bounce it keeps the part e of its speed. When does it come to rest?

Source: closed form sqrt(2 h/g) (1 + e)/(1 - e), a geometric series; Galileo's problem in every textbook of dynamics.
"""

import numpy as np

import flexura as fx

h, e = 0.7, 0.6
ball = fx.Mass("ball", m=0.2)
floor = fx.Stop(fx.ground, ball, gap=0, along="-y", restitution=e, name="floor")
model = fx.Model(fx.Slide(fx.ground, ball, name="y"), fx.Gravity(), floor)
run = fx.simulate(model, [0, 2.0], initial={"y": h})
answer = {"at rest (s)": run.events["floor"][-1], "height then (m)": run["y"][-1]}
known = {"at rest (s)": np.sqrt(2 * h / 9.81) * (1 + e) / (1 - e), "height then (m)": 0}
within = 1e-5
