"""A fly on a tuning fork.

A tiny mass is put on the tip of a cantilever. By how much does each frequency fall, per mass?

Source: closed form d omega/dm = -omega w(L)^2/2 with w(L)^2 = 4/(rho L) for every mode of unit modal mass; Lord
Rayleigh, The Theory of Sound I, section 90.
"""

import numpy as np

import flexura as fx

EI, rho, L = 3.0, 0.2, 0.4
beam, fly = fx.EulerBernoulliBeam("prong", EI=EI, rho=rho, length=L), fx.Mass("fly", m=("m", 0.0))
model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Fixed(beam.end, fly))
found = fx.sensitivity(model, ["m"], 3)
z = np.array([1.875104068711961, 4.694091132974174, 7.854757438237612])
answer = {"d omega/dm": found.slopes["m"]}
known = {"d omega/dm": -2 * z**2 * np.sqrt(EI / (rho * L**4)) / (rho * L)}
