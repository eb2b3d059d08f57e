"""Two pendulums hand a swing to each other.

Two equal pendulums are joined by a weak spring at their bobs; one is let go, the other hangs at rest. When does the
first stand still, having given all its motion away?

Source: closed form: the motion is the sum of two modes, at sqrt(g/L) and sqrt(g/L + 2 k/m), which are opposed in the
first pendulum after pi/(omega_2 - omega_1). J. P. Den Hartog, Mechanical Vibrations, 4th edition.
"""

import numpy as np

import flexura as fx

m, L = 1.0, 1.0
w1, w2 = 9.0, 10.0  # chosen so that both modes are at a turning point when the first stands still
x1, x2 = fx.Coordinate("x1"), fx.Coordinate("x2")
swings = fx.Lagrangian(
    kinetic=m * (x1.t**2 + x2.t**2) / 2,
    potential=m * w1**2 * (x1**2 + x2**2) / 2 + m * (w2**2 - w1**2) / 4 * (x1 - x2) ** 2,
)
run = fx.simulate(swings, [0, np.pi / (w2 - w1)], initial={"x1": 0.05})
answer = {"x1, x2 then (m)": [run["x1"][-1], run["x2"][-1]]}
known = {
    "x1, x2 then (m)": [
        0.025 * (np.cos(w1 * np.pi) + np.cos(w2 * np.pi)),
        0.025 * (np.cos(w1 * np.pi) - np.cos(w2 * np.pi)),
    ]
}
within = 1e-8
