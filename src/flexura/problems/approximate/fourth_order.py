"""How fast cubic elements converge.

Compute the second frequency of a pinned beam with 8 and with 16 cubic elements. By how much does the error fall, and
is its size as predicted?

Source: leading term of the error, omega_h/omega = 1 + (n pi h/L)^4/1440; G. Strang, G. J. Fix, An Analysis of the
Finite Element Method, 1973, chapter 6.
"""

import numpy as np

import flexura as fx

beam = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=1.0)
model = fx.Model(fx.Pin(fx.ground, beam.start), fx.Pin(fx.ground, beam.end))
exact = 4 * np.pi**2
error = [fx.modes(model, 2, method="ritz", order=3, elements=n).frequencies[1] / exact - 1 for n in (8, 16)]
answer = {"fall of the error": error[0] / error[1], "error over prediction": error[1] / ((2 * np.pi / 16) ** 4 / 1440)}
known = {"fall of the error": 16, "error over prediction": 1}
within = 0.02
