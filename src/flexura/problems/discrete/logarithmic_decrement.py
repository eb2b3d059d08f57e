"""A damped oscillator dies away.

A mass on a spring with a light dashpot is let go. What is the ratio of one peak to the next, and what damping ratio
belongs to the roots?

Source: closed form: delta = 2 pi zeta / sqrt(1 - zeta^2), zeta = c / (2 sqrt(k m)); every textbook, e.g. S. S. Rao,
Mechanical Vibrations, 5th edition.
"""

import numpy as np

import flexura as fx

m, k, c = 2.0, 800.0, 6.0
mass = fx.Mass("mass", m=m)
model = fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=k), fx.Damper(fx.ground, mass, c=c))
zeta = c / (2 * np.sqrt(k * m))
period = 2 * np.pi / (np.sqrt(k / m) * np.sqrt(1 - zeta**2))
run = fx.simulate(model, [0, period, 2 * period], initial={"y": 0.01}, tolerance=1e-11)
answer = {"decrement": np.log(run["y"][1] / run["y"][2]), "damping ratio": fx.modes(model, 1).damping_ratios[0]}
known = {"decrement": 2 * np.pi * zeta / np.sqrt(1 - zeta**2), "damping ratio": zeta}
