"""How far a scale shoots over.

A weight is put on a spring scale with a dashpot, suddenly. Find the first three extremes of the reading.

Source: closed form 1 + exp(-zeta pi/sqrt(1 - zeta^2)), then 1 - its square, 1 + its cube; K. Ogata, Modern Control
Engineering, on second-order systems.
"""

import numpy as np

import flexura as fx

m, k, zeta = 1.5, 600.0, 0.2
pan = fx.Mass("pan", m=m)
model = fx.Model(
    fx.Slide(fx.ground, pan, name="y"),
    fx.Spring(fx.ground, pan, k=k),
    fx.Damper(fx.ground, pan, c=2 * zeta * np.sqrt(k * m)),
    fx.Force(pan, "W"),
)
half = np.pi / (np.sqrt(k / m) * np.sqrt(1 - zeta**2))
p = np.exp(-zeta * np.pi / np.sqrt(1 - zeta**2))
answer = {"k y/W": k * fx.step_response(model, half * np.arange(4), "W", "y")}
known = {"k y/W": [0, 1 + p, 1 - p**2, 1 + p**3]}
