"""A mast in turbulent wind.

A damped oscillator is pushed by a force of constant spectral density S (one-sided, per rad/s). Find the rms
displacement.

Source: closed form sigma^2 = pi S/(2 c k); S. H. Crandall, W. D. Mark, Random Vibration in Mechanical Systems, 1963.
Beyond the band taken here lies S/(3 m^2 Omega^3), which is 3e-11 of it.
"""

import numpy as np

import flexura as fx

m, k, c, S = 2.0, 800.0, 12.0, 0.3
mast = fx.Mass("mast", m=m)
model = fx.Model(
    fx.Slide(fx.ground, mast, name="y"),
    fx.Spring(fx.ground, mast, k=k),
    fx.Damper(fx.ground, mast, c=c),
    fx.Force(mast, "F"),
)
answer = {"rms (m)": fx.random_response(model, S, "F", "y", [0.0, 2e4]).rms}
known = {"rms (m)": np.sqrt(np.pi * S / (2 * c * k))}
