"""A pontoon floats on water.

A free beam lies on an elastic foundation, like a raft on water. How fast does it heave, pitch and bend?

Source: closed form omega^2 = (EI (lambda/L)^4 + k)/rho: every free-free beam's frequency is raised by the same k/rho,
also that of its two rigid motions; M. Hetenyi, Beams on Elastic Foundation, 1946; lambda from Blevins, Table 8-1.
"""

import numpy as np
from scipy.optimize import brentq

import flexura as fx

EI, rho, L, k = 4e7, 900.0, 30.0, 2.5e4
raft = fx.EulerBernoulliBeam("raft", EI=EI, rho=rho, length=L, foundation=k)
z = [0, 0, *(brentq(lambda z: np.cos(z) - 1 / np.cosh(z), *span, xtol=1e-14) for span in ((4, 5), (7, 8)))]
answer = {"omega (rad/s)": fx.modes(fx.Model(raft), 4).frequencies}
known = {"omega (rad/s)": np.sqrt((EI * (np.array(z) / L) ** 4 + k) / rho)}
