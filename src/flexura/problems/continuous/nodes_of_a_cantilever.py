"""Where a cantilever does not move.

A uniform cantilever vibrates in its second and third mode. At which parts of its length are the nodes?

Source: closed form: zeros of cosh(z x) - cos(z x) - sigma (sinh(z x) - sin(z x)); R. D. Blevins, Formulas for Natural
Frequency and Mode Shape, 1979, Table 8-1 for the shape, z = 4.69409113 and 7.85475744.
"""

import numpy as np
from scipy.optimize import brentq

import flexura as fx

beam = fx.EulerBernoulliBeam("beam", EI=20.0, rho=0.5, length=2.0)
modes = fx.modes(fx.Model(fx.Fixed(fx.ground, beam.start)), 3)
second, third = (modes.shape(k)["w_beam"] for k in (1, 2))


def closed(x, z):
    """The shape with the lambda z, L = 1."""
    sigma = (np.cosh(z) + np.cos(z)) / (np.sinh(z) + np.sin(z))
    return np.cosh(z * x) - np.cos(z * x) - sigma * (np.sinh(z * x) - np.sin(z * x))


SPANS = ((0.5, 0.95), (0.3, 0.65), (0.75, 0.95))
z2, z3 = 4.694091132974174, 7.854757438237612
answer = {
    "nodes": [brentq(shape, 2 * a, 2 * b) / 2 for shape, (a, b) in zip((second, third, third), SPANS, strict=True)]
}
known = {"nodes": [brentq(closed, a, b, args=(z,)) for z, (a, b) in zip((z2, z3, z3), SPANS, strict=True)]}
within = 1e-8
