"""A skate does not run down a slope.

A skate may move along its blade only. On a slope it is set turning at w and let go, blade pointing down. How far down
does it get, and where is it when it has turned half round?

Source: closed form: it sinks by g sin(a)/(2 w^2) sin(w t)^2 and drifts sideways, a cycloid; J. I. Neimark, N. A.
Fufaev, Dynamics of Nonholonomic Systems, 1972.
"""

import numpy as np

import flexura as fx

m, w, slope = 2.0, 1.5, np.radians(20)
pull = 9.81 * np.sin(slope)
skate = fx.RigidBody("skate", m=m, I=0.1)
model = fx.Model(
    fx.Free(fx.ground, skate, names=("x", "y", "a")),
    fx.Constraint("x_t*sin(a) - y_t*cos(a)"),
    fx.Gravity(pull),
)
t = np.array([0.0, 0.5, 1.0, np.pi / w])
run = fx.simulate(model, t, initial={"a": -np.pi / 2, "a_t": w}, tolerance=1e-10)
answer = {"y (m)": run["y"], "x (m)": run["x"]}
known = {
    "y (m)": -pull / (2 * w**2) * np.sin(w * t) ** 2,
    "x (m)": pull / (2 * w**2) * (w * t - np.sin(2 * w * t) / 2),
}
within = 1e-8
