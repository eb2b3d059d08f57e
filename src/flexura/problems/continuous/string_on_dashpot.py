"""A string ends in a dashpot.

A string is held at one end; at the other it is guided across and damped by a dashpot weaker than its own impedance.
Find the roots.

Source: closed form tanh(s L/c) = -Z/d with Z = sqrt(P rho), so all roots have the same real part (c/(2 L)) ln((Z -
d)/(Z + d)); A. J. Hull, Journal of Sound and Vibration 169, 1994, treats the rod.
"""

import numpy as np

import flexura as fx

P, rho, L, d = 50.0, 0.02, 1.1, 0.4
string = fx.String("string", tension=P, rho=rho, length=L)
model = fx.Model(fx.Fixed(fx.ground, string.start), fx.Damper(fx.ground, string.end, c=d))
c, Z = np.sqrt(P / rho), np.sqrt(P * rho)
answer = {"s (1/s)": fx.modes(model, 3).eigenvalues}
known = {"s (1/s)": c / L * (np.log((Z - d) / (Z + d)) / 2 + 1j * np.pi * np.array([0.5, 1.5, 2.5]))}
