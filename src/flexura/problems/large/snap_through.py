"""A shallow truss snaps through.

Two springy bars form a shallow roof; its ridge is pressed down. At which load does it snap through?

Source: closed form: with bars that store k s^2/2, the load 2 k h (l0/sqrt(a^2 + h^2) - 1) is largest where h^2 = (a^2
l0)^(2/3) - a^2; R. von Mises, Zeitschrift fuer angewandte Mathematik und Mechanik 3, 1923.
"""

import numpy as np

import flexura as fx

a, rise, k = 1.0, 0.25, 400.0
l0 = np.hypot(a, rise)
ridge = fx.Mass("ridge", m=1.0)
model = fx.Model(
    fx.Slide(fx.ground.at(0, rise), ridge, along="y", name="y"),
    fx.Spring(fx.ground.at(-a), ridge, k=k, along="line", name="left"),
    fx.Spring(fx.ground.at(a), ridge, k=k, along="line", name="right"),
    fx.Force(ridge, "-P"),
)
h = np.sqrt((a**2 * l0) ** (2 / 3) - a**2)
limit = 2 * k * h * (l0 / np.hypot(a, h) - 1)
path = fx.equilibrium_path(model, "P", (0.0, 1.2 * limit))
answer = {"limit load": path.limit_points}
known = {"limit load": [limit]}
within = 1e-7
