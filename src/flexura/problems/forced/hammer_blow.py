"""A two-storey frame is struck.

Two equal masses on two equal springs, one above the other; the upper one is struck by a unit impulse. How do both
move?

Source: closed form: modes at omega^2 = (3 -+ sqrt(5))/2 k/m with the golden ratio as shape, each answering with
sin(omega t)/omega; A. K. Chopra, Dynamics of Structures, chapter on free vibration.
"""

import numpy as np

import flexura as fx

m, k = 1.0, 400.0
lower, upper = fx.Mass("lower", m=m), fx.Mass("upper", m=m)
model = fx.Model(
    fx.Slide(fx.ground, lower),
    fx.Slide(fx.ground, upper),
    fx.Spring(fx.ground, lower, k=k),
    fx.Spring(lower, upper, k=k),
    fx.Force(upper, "J"),
)
t = np.array([0.05, 0.3, 1.0])
golden = (1 + np.sqrt(5)) / 2
omega = np.sqrt(k / m) * np.array([1 / golden, golden])
shapes = np.array([[1, golden], [golden, -1]]) / np.sqrt(m * (1 + golden**2))
swings = np.sin(np.outer(t, omega)) / omega
found = fx.impulse_response(model, t, "J", [fx.Motion(lower), fx.Motion(upper)])
answer = {"lower (m)": found[:, 0], "upper (m)": found[:, 1]}
known = {"lower (m)": swings @ (shapes[:, 0] * shapes[:, 1]), "upper (m)": swings @ (shapes[:, 1] ** 2)}
