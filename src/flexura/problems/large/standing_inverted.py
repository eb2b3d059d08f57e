"""Springs that keep a pendulum upside down.

A rod stands on a hinge, held at the height a by two springs. How strong must they be, and how fast does it oscillate?

Source: closed form omega^2 = (2 k a^2 - m g l/2)/(m l^2/3); W. T. Thomson, Theory of Vibration with Applications,
problem on the inverted pendulum.
"""

import numpy as np

import flexura as fx

m, l, a, k = 3.0, 1.2, 0.5, 120.0
rod = fx.RigidBody("rod", m=m, I=m * l**2 / 12)
model = fx.Model(
    fx.Revolute(fx.ground, rod.at(0, -l / 2), name="theta"),
    fx.Spring(fx.ground, rod.at(0, a - l / 2), k=("k", k), along="x", name="left"),
    fx.Spring(fx.ground, rod.at(0, a - l / 2), k=("k", k), along="x", name="right"),
    fx.Gravity(),
)
answer = {
    "omega (rad/s)": fx.modes(model, 1).frequencies[0],
    "least k (N/m)": float(fx.buckling(model, "k", between=(1, 200))),
}
known = {
    "omega (rad/s)": np.sqrt((2 * k * a**2 - m * 9.81 * l / 2) / (m * l**2 / 3)),
    "least k (N/m)": m * 9.81 * l / (4 * a**2),
}
