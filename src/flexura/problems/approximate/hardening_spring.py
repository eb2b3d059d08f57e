"""A spring that hardens.

An oscillator has the restoring force x + x^3. How long is the period of a free swing of amplitude 1.5, far beyond
what perturbation reaches?

Source: closed form 4 K(p)/sqrt(1 + A^2), p = A^2/(2 (1 + A^2)), with the complete elliptic integral K; J. J. Stoker,
Nonlinear Vibrations, 1950.
"""

import numpy as np
from scipy.special import ellipk

import flexura as fx

A = 1.5
mass = fx.Mass("mass", m=1.0)
model = fx.Model(fx.Slide(fx.ground, mass, name="x"), fx.Spring(fx.ground, mass, law="s + s**3"))
run = fx.simulate(model, [0, 6.0], initial={"x": A}, events={"middle": "x"}, tolerance=1e-11)
passes = run.events["middle"]
answer = {"period": 2 * (passes[1] - passes[0])}
known = {"period": 4 * ellipk(A**2 / (2 * (1 + A**2))) / np.sqrt(1 + A**2)}
within = 1e-8
