"""Dry friction stops a swing for good.

A block on a rough table is held by a spring and let go from a distance. Where does it turn round, and where does it
stay?

Source: closed form: each half swing ends 2 mu m g/k nearer, until the spring cannot overcome friction; H. Lorenz,
1924; J. P. Den Hartog, Mechanical Vibrations, 4th edition, chapter 8.
"""

import numpy as np

import flexura as fx

m, k, mu, start = 2.0, 300.0, 0.25, 0.1
block = fx.Mass("block", m=m)
model = fx.Model(
    fx.Slide(fx.ground, block, along="x", name="x"),
    fx.Spring(fx.ground, block, k=k, along="x"),
    fx.Friction(fx.ground, block, force=mu * m * 9.81, along="x", name="table"),
)
half = np.pi * np.sqrt(m / k)
run = fx.simulate(model, [0, half, 2 * half, 2.0], initial={"x": start}, tolerance=1e-10)
slip = mu * m * 9.81 / k
answer = {"x at the turns and at the end (m)": run["x"]}
known = {"x at the turns and at the end (m)": [start, -(start - 2 * slip), start - 4 * slip, -(start - 6 * slip)]}
within = 1e-7
