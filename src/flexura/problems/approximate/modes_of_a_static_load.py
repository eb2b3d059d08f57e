"""How many modes make a static deflection?

The static deflection of a cantilever under a tip force is a sum over its modes. Which part does the first one hold?

Source: closed form: w(L)^2 = 4/(rho L) in every mode, so mode n holds 12/lambda_n^4 of L^3/(3 EI): 97.1 percent the
first; S. S. Rao, Vibration of Continuous Systems, on modal expansion.
"""

import numpy as np

import flexura as fx

EI, rho, L = 20.0, 0.5, 3.0
beam = fx.EulerBernoulliBeam("beam", EI=EI, rho=rho, length=L)
modes = fx.modes(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F")), 3)
parts = (fx.participation(modes, "F").factors / modes.frequencies) ** 2
z = np.array([1.875104068711961, 4.694091132974174, 7.854757438237612])
answer = {"parts of the deflection": parts / (L**3 / (3 * EI)), "the first": parts[0] / (L**3 / (3 * EI))}
known = {"parts of the deflection": 12 / z**4, "the first": "0.971"}
within = 1e-8
