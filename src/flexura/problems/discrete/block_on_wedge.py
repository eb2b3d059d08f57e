"""A block slides down a wedge that slides away.

A wedge of mass M and angle alpha lies on a smooth table; a block of mass m slides down its smooth face. How fast does
the wedge accelerate?

Source: closed form m g sin(alpha) cos(alpha) / (M + m sin(alpha)^2), Newton's laws for both; J. L. Meriam, L. G.
Kraige, Engineering Mechanics: Dynamics, chapter 3.
"""

import numpy as np

import flexura as fx

M, m, alpha = 5.0, 2.0, np.radians(35)
wedge, block = fx.Mass("wedge", m=M), fx.Mass("block", m=m)
model = fx.Model(
    fx.Slide(fx.ground, wedge, along="x", name="X"),
    fx.Slide(wedge, block, along=(np.cos(alpha), -np.sin(alpha), 0), name="s"),
    fx.Gravity(),
)
found = fx.accelerations(fx.derive(model), {"X": 0, "X_t": 0, "s": 0, "s_t": 0})
answer = {"acceleration of the wedge (m/s^2)": found["X"]}
known = {"acceleration of the wedge (m/s^2)": -m * 9.81 * np.sin(alpha) * np.cos(alpha) / (M + m * np.sin(alpha) ** 2)}
