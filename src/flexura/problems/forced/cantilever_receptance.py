"""A cantilever is shaken at its tip.

A harmonic force acts at the tip of a uniform cantilever. Find the tip's receptance below the first and between later
resonances, and the bending moment at the root.

Source: closed form w(L)/F = L^3/EI (sin z cosh z - cos z sinh z)/(z^3 (1 + cos z cosh z)), and M(0)/F = L (sin z +
sinh z)/(z (1 + cos z cosh z)), z^4 = omega^2 rho L^4/EI; R. E. D. Bishop, D. C. Johnson, The Mechanics of Vibration,
1960.
"""

import numpy as np

import flexura as fx

EI, rho, L = 12.0, 0.4, 0.8
beam = fx.EulerBernoulliBeam("beam", EI=EI, rho=rho, length=L)
model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
z = np.array([0.5, 3.0, 6.0, 15.0])
omega = z**2 * np.sqrt(EI / (rho * L**4))
found = fx.frequency_response(model, omega, "F", [beam.end, fx.Internal(beam, 0, "moment")])
below = 1 / np.cosh(z) + np.cos(z)
answer = {"tip (m/N)": found[:, 0], "moment at the root (m)": found[:, 1]}
known = {
    "tip (m/N)": L**3 / EI * (np.sin(z) - np.cos(z) * np.tanh(z)) / (z**3 * below),
    "moment at the root (m)": L * (np.sin(z) / np.cosh(z) + np.tanh(z)) / (z * below),
}
