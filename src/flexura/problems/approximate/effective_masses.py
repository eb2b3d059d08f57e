"""How much of a tower shakes with each mode.

The base of a cantilever tower is shaken. Which part of its mass takes part in its first four modes?

Source: closed form 4 sigma^2/lambda^2 with sigma = (cosh + cos)/(sinh + sin) at lambda; R. W. Clough, J. Penzien,
Dynamics of Structures, print 0.613 for the first.
"""

import numpy as np
from scipy.optimize import brentq

import flexura as fx

rho, L = 0.5, 3.0
tower = fx.EulerBernoulliBeam("tower", EI=20.0, rho=rho, length=L)
modes = fx.modes(fx.Model(fx.Fixed(fx.ground, tower.start)), 4)
spans = ((1, 2), (4, 5), (7, 8.5), (10, 11.5))
z = np.array([brentq(lambda z: np.cos(z) + 1 / np.cosh(z), *span, xtol=1e-15) for span in spans])
sigma = (np.sinh(z) - np.sin(z)) / (np.cosh(z) + np.cos(z))
answer = {"part of the mass": fx.participation(modes, "y").effective_masses / (rho * L)}
known = {"part of the mass": 4 * sigma**2 / z**2}
within = 1e-8
