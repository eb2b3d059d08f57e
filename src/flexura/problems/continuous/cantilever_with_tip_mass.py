"""A mast carries a mass at its top.

A uniform cantilever carries a particle as heavy as itself at its end. Find the first three frequencies.

Source: closed form 1 + cos(z) cosh(z) + mu z (cos(z) sinh(z) - sin(z) cosh(z)) = 0 with mu = m/(rho L); L.
Meirovitch, Analytical Methods in Vibrations, 1967.
"""

import numpy as np
from scipy.optimize import brentq

import flexura as fx

EI, rho, L = 50.0, 1.2, 1.3
beam, tip = fx.EulerBernoulliBeam("mast", EI=EI, rho=rho, length=L), fx.Mass("tip", m=rho * L)


def characteristic(z):
    """Zero at the frequencies."""
    return 1 / np.cosh(z) + np.cos(z) + z * (np.cos(z) * np.tanh(z) - np.sin(z))


roots = np.array([brentq(characteristic, *span, xtol=1e-14) for span in ((1, 2), (3.5, 4.5), (6.5, 7.5))])
answer = {"omega (rad/s)": fx.modes(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Fixed(beam.end, tip)), 3).frequencies}
known = {"omega (rad/s)": roots**2 * np.sqrt(EI / (rho * L**4))}
