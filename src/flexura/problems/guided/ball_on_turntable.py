"""A ball on a turntable.

A solid ball rolls without slip on a level table that turns at W. It runs in circles: with what period?

Source: closed form: the centre turns at 2 W/7; R. H. Weltner, American Journal of Physics 47, 1979; S. Earnshaw,
1844.
"""

import numpy as np

import flexura as fx

m, R, W, v = 0.3, 0.05, 4.0, 0.2
table, ball = fx.RigidBody("table", m=1, I=1.0), fx.RigidBody("ball", m=m, I=0.4 * m * R**2)
model = fx.Model(
    fx.Revolute(fx.ground, table, about="y", motion=f"{W}*t"),
    fx.Free(fx.ground.at(0, R), ball, names=("x", "y", "z", "p1", "p2", "p3")),
    fx.Rolling(ball, R, on=table, normal="y", axis=None),
)
period = 2 * np.pi / (2 * W / 7)
run = fx.simulate(model, [0, period / 2, period], initial={"x_t": v}, tolerance=1e-8)
answer = {
    "x, z after a period (m)": [run["x"][-1], run["z"][-1]],
    "width of the circle (m)": np.hypot(run["x"][1], run["z"][1]),
}
known = {"x, z after a period (m)": [0, 0], "width of the circle (m)": 2 * v / (2 * W / 7)}
within = 1e-6
