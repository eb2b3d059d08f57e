"""How tall a flagpole may be.

A uniform mast stands under its own weight. At which q L^3/EI, q its weight per length, does it bend over?

Source: A. G. Greenhill, Proceedings of the Cambridge Philosophical Society 4, 1881: 7.837, from the first zero of
J(-1/3); S. Timoshenko, J. M. Gere, Theory of Elastic Stability, 1961, section 2.12.
"""

from scipy.optimize import brentq
from scipy.special import jv

import flexura as fx

mast = fx.EulerBernoulliBeam("mast", EI=1.0, rho=1.0, length=1.0)
model = fx.Model(fx.Fixed(fx.ground, mast.start, angle="pi/2"), fx.Gravity("q"))
root = brentq(lambda z: jv(-1 / 3, z), 1, 2.5, xtol=1e-15)
found = float(fx.buckling(model, "q", between=(0, 12)))
answer = {"q L^3/EI": found, "as printed": found}
known = {"q L^3/EI": 9 / 4 * root**2, "as printed": "7.837"}
