"""A bound from below.

Estimate the lowest frequency of a cantilever from below, by Dunkerley's sum of all 1/omega^2.

Source: closed form: the sum is the trace of Green's function, int x^3/3 dx rho/EI = rho L^4/(12 EI), so the bound is
sqrt(12) = 3.464 beside 3.516; S. Dunkerley, Philosophical Transactions A 185, 1894.
"""

import numpy as np

import flexura as fx

EI, rho, L = 7.0, 0.6, 1.9
beam = fx.EulerBernoulliBeam("beam", EI=EI, rho=rho, length=L)
answer = {"bound (rad/s)": fx.dunkerley(fx.Model(fx.Fixed(fx.ground, beam.start)))}
known = {"bound (rad/s)": np.sqrt(12 * EI / (rho * L**4))}
within = 1e-6  # the sum over all modes is extrapolated, and its doubt is told by .error
