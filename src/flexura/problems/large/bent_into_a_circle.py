"""A strip is bent into a circle, and twice round.

The end of a straight cantilever is turned by a moment. Where is its end for a half, a full and two full turns?

Source: closed form: an arc of the curvature M/EI, L (sin(a)/a, (1 - cos(a))/a); J. C. Simo, L. Vu-Quoc, Computer
Methods in Applied Mechanics and Engineering 58, 1986, for the test.
"""

import numpy as np

import flexura as fx

EI, L = 2.0, 1.0
strip = fx.ExactBeam("strip", EI=EI, rho=1.0, length=L)
model = fx.Model(fx.Fixed(fx.ground, strip.start), fx.Torque(strip.end, "M"))
turns = np.array([np.pi, 2 * np.pi, 4 * np.pi])
places = [fx.equilibrium(model, {"M": a * EI / L}).position(strip.end)[:2] for a in turns]
answer = {"x, y of the end": np.array(places)}
known = {"x, y of the end": L * np.stack([np.sin(turns) / turns, (1 - np.cos(turns)) / turns], axis=1)}
within = 1e-8
