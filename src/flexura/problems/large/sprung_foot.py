"""A column on a foot that gives.

A column stands on a foot that turns elastically; its top is free. At which load does it fall?

Source: closed form u tan(u) = k L/EI, P = u^2 EI/L^2; S. Timoshenko, J. M. Gere, Theory of Elastic Stability, 1961,
chapter 2.
"""

import numpy as np
from scipy.optimize import brentq

import flexura as fx

EI, L, k = 3.0, 1.5, 4.0
column = fx.EulerBernoulliBeam("column", EI=EI, rho=1.0, length=L, axial_force="-P")
model = fx.Model(fx.Pin(fx.ground, column.start), fx.TorsionSpring(fx.ground, column.start, k=k))
u = brentq(lambda u: u * np.sin(u) - k * L / EI * np.cos(u), 0.1, np.pi / 2, xtol=1e-15)
answer = {"P": float(fx.buckling(model, "P", between=(0, 3)))}
known = {"P": u**2 * EI / L**2}
