"""A machine stands in the middle of a beam on two supports.

A beam on two pins carries a particle of half its own mass in the middle. Find the first three frequencies; which of
them does the machine not change?

Source: closed form: z (tan(z) - tanh(z)) = 2 rho L / m with z = lambda/2 for the symmetric modes, 2 pi for the other;
W. T. Thomson, Theory of Vibration with Applications, chapter on continuous systems.
"""

import numpy as np
from scipy.optimize import brentq

import flexura as fx

EI, rho, L = 8e4, 12.0, 3.0
m = rho * L / 2
beam, machine = fx.EulerBernoulliBeam("beam", EI=EI, rho=rho, length=L), fx.Mass("machine", m=m)
model = fx.Model(fx.Pin(fx.ground, beam.start), fx.Pin(fx.ground, beam.end), fx.Fixed(beam.at(L / 2), machine))


def symmetric(z):
    """Zero at half of each lambda of the symmetric modes."""
    return z * (np.tan(z) - np.tanh(z)) - 2 * rho * L / m


z = [brentq(symmetric, *span, xtol=1e-14) for span in ((1.0, 1.5), (4.0, 4.7))]
answer = {"omega (rad/s)": fx.modes(model, 3).frequencies}
known = {"omega (rad/s)": np.array([2 * z[0], 2 * np.pi, 2 * z[1]]) ** 2 * np.sqrt(EI / (rho * L**4))}
