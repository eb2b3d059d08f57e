"""A wedge that tapers to an edge.

A cantilever of constant width tapers from its clamped end to a sharp edge, its height as the distance from the edge.
Find the first three frequencies, times sqrt(rho L^4/EI) with the values at the clamp.

Source: G. Kirchhoff, 1879: J1(z) I2(z) + I1(z) J2(z) = 0, omega = z^2/4; S. Naguleswaran, Journal of Sound and
Vibration 172, 1994.
"""

import numpy as np
from scipy.optimize import brentq
from scipy.special import iv, jv

import flexura as fx

wedge = fx.EulerBernoulliBeam("wedge", EI=fx.x**3, rho=fx.x, length=1.0)  # x counts from the edge


def characteristic(z):
    """Zero at the frequencies."""
    return (jv(1, z) * iv(2, z) + iv(1, z) * jv(2, z)) / iv(1, z)


z = [brentq(characteristic, *span, xtol=1e-14) for span in ((4, 5), (7, 8.5), (10, 11.5))]
answer = {"omega": fx.modes(fx.Model(fx.Fixed(wedge.end, fx.ground)), 3, method="ritz").frequencies}
known = {"omega": np.array(z) ** 2 / 4}
