"""A pendulum without its angle.

A pendulum is described by x and y of its bob, with the condition that the string keeps its length. It is let go
level. How hard does the string pull as the bob passes the lowest point, and how fast is it there?

Source: closed form 3 m g and sqrt(2 g L), by energy; C. M. Krousgrill, J. F. Rhoads, vibration notes, on redundant
coordinates.
"""

import numpy as np

import flexura as fx

m, L, g = 0.7, 1.1, 9.81
x, y = fx.Coordinate("x"), fx.Coordinate("y")
bob = fx.Lagrangian(
    kinetic=m * (x.t**2 + y.t**2) / 2, potential=m * g * y, constraints=[(x**2 + y**2 - L**2) / (2 * L)]
)
state = {"x": 0.0, "y": -L, "x_t": np.sqrt(2 * g * L), "y_t": 0.0}
run = fx.simulate(bob, [0, 3.0], initial={"x": L, "y": 0.0}, events={"lowest": "x"}, stop="lowest", tolerance=1e-10)
(pull,) = (one for name, one in fx.accelerations(fx.derive(bob), state).items() if name.startswith("lambda"))
answer = {"pull (N)": abs(pull), "speed (m/s)": abs(run["x_t"][-1])}
known = {"pull (N)": 3 * m * g, "speed (m/s)": np.sqrt(2 * g * L)}
within = 1e-8
