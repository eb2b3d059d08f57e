"""A wagon runs into a buffer.

A wagon runs at v into a spring buffer and back. How deep does it press it, and how long are they in touch?

Source: closed form v sqrt(m/k) and pi sqrt(m/k), half a swing.
"""

import numpy as np

import flexura as fx

m, k, v = 800.0, 2e5, 1.5
wagon = fx.Mass("wagon", m=m)
buffer = fx.Stop(fx.ground, wagon, gap=0.5, along="x", k=k, c=0, name="buffer")
model = fx.Model(fx.Slide(fx.ground, wagon, along="x", name="x"), buffer)
touch, half = 0.5 / v, np.pi * np.sqrt(m / k)
run = fx.simulate(model, [0, touch + half / 2, touch + half + 0.1], initial={"x_t": v}, tolerance=1e-11)
first, last = run.events["buffer"]
answer = {"depth (m)": run["x"][1] - 0.5, "in touch (s)": last - first, "speed after (m/s)": run["x_t"][-1]}
known = {"depth (m)": v * np.sqrt(m / k), "in touch (s)": half, "speed after (m/s)": -v}
within = 1e-8
