"""A ladder slides down a wall and leaves it.

A uniform ladder slides without friction, one end on the wall, the other on the floor, from rest at 70 degrees. At
which height does its upper end leave the wall?

Source: closed form: at two thirds of the height it started from; the wall's push is there zero; J. L. Synge, B. A.
Griffith, Principles of Mechanics; E. J. Routh.
"""

import numpy as np

import flexura as fx

m, L, g, start = 12.0, 4.0, 9.81, np.radians(70)
x, y, a = fx.Coordinate("x"), fx.Coordinate("y"), fx.Coordinate("a")
ladder = fx.Lagrangian(
    kinetic=m * (x.t**2 + y.t**2) / 2 + m * L**2 / 12 * a.t**2 / 2,
    potential=m * g * y,
    constraints=[x - L / 2 * fx.cos(a), y - L / 2 * fx.sin(a)],
)
leaves = np.arcsin(2 / 3 * np.sin(start))
rate = -np.sqrt(3 * g / L * (np.sin(start) - np.sin(leaves)))
state = {"x": L / 2 * np.cos(leaves), "y": L / 2 * np.sin(leaves), "a": leaves, "a_t": rate}
state |= {"x_t": -L / 2 * np.sin(leaves) * rate, "y_t": L / 2 * np.cos(leaves) * rate}
found = fx.accelerations(fx.derive(ladder), state)
answer = {"wall's push there (N)": found["lambda_1"], "floor's push there (N)": abs(found["lambda_2"])}
known = {"wall's push there (N)": 0.0, "floor's push there (N)": m * g / 4}
within = 1e-8
