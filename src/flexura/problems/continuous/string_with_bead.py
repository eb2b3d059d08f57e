"""A bead in the middle of a string.

A taut string carries a bead in its middle. Find its first four frequencies, of the modes in which the bead rests too.

Source: closed form z tan(z) = rho L / m with z = omega L / (2 c) where the bead moves, z = pi, 2 pi, ... where it
does not; P. M. Morse, Vibration and Sound.
"""

import numpy as np
from scipy.optimize import brentq

import flexura as fx

P, rho, L, m = 80.0, 0.01, 0.6, 0.004
string, bead = fx.String("string", tension=P, rho=rho, length=L), fx.Mass("bead", m=m)
model = fx.Model(fx.Fixed(fx.ground, string.start), fx.Fixed(string.end, fx.ground), fx.Fixed(string.at(L / 2), bead))


def moving(z):
    """Zero where the bead moves."""
    return z * np.sin(z) - rho * L / m * np.cos(z)


z = [brentq(moving, *span, xtol=1e-14) for span in ((0, 1.5), (3.2, 4.6))]
answer = {"omega (rad/s)": fx.modes(model, 4).frequencies}
known = {"omega (rad/s)": np.array([z[0], np.pi, z[1], 2 * np.pi]) * 2 * np.sqrt(P / rho) / L}
