"""A rail buckles on its ballast.

A long pinned beam lies on an elastic foundation and is pressed. At which load does it buckle?

Source: closed form, the least of EI b^2 + k/b^2 over b = n pi/L; F. Engesser, 1884; M. Hetenyi, Beams on Elastic
Foundation, 1946. Here n = 3 wins.
"""

import numpy as np

import flexura as fx

EI, k, L = 2.0, 180.0, 3.0
rail = fx.EulerBernoulliBeam("rail", EI=EI, rho=1.0, length=L, axial_force="-P", foundation=k)
model = fx.Model(fx.Pin(fx.ground, rail.start), fx.Pin(fx.ground, rail.end))
b = np.arange(1, 9) * np.pi / L
answer = {"P": float(fx.buckling(model, "P", between=(0, 60)))}
known = {"P": min(EI * b**2 + k / b**2)}
