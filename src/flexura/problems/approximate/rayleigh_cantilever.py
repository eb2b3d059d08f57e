"""Two guesses of a cantilever's shape.

Estimate the lowest frequency of a cantilever by Rayleigh's quotient, once with a parabola, once with the shape in
which it bends under its own weight. How much too high are they?

Source: closed form sqrt(20) = 4.472 and sqrt(162/13) = 3.530 times sqrt(EI/(rho L^4)), where 3.516 is exact; S.
Timoshenko, D. H. Young, W. Weaver, Vibration Problems in Engineering.
"""

import numpy as np

import flexura as fx

beam = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=1.0, field="w")
model = fx.Model(fx.Fixed(fx.ground, beam.start))
answer = {
    "parabola": fx.rayleigh_quotient(model, "x**2").frequency,
    "own weight": fx.rayleigh_quotient(model, "x**2*(6 - 4*x + x**2)").frequency,
    "exact": fx.modes(model, 1).frequencies[0],
}
known = {"parabola": np.sqrt(20), "own weight": np.sqrt(162 / 13), "exact": "3.5160"}
