"""A floor beam under a pulsating crowd.

A beam on two pins carries an evenly distributed load that pulsates. Find the receptance in the middle.

Source: closed form (1/cos(z) + 1/cosh(z) - 2)/(2 rho omega^2), z^4 = omega^2 rho L^4/(16 EI), from the particular
solution -f/(rho omega^2) and the even waves; L. Fryba, Vibration of Solids and Structures under Moving Loads, chapter
1.
"""

import numpy as np

import flexura as fx

EI, rho, L = 3e6, 120.0, 7.0
beam = fx.EulerBernoulliBeam("beam", EI=EI, rho=rho, length=L)
model = fx.Model(fx.Pin(fx.ground, beam.start), fx.Pin(fx.ground, beam.end), fx.DistributedForce(beam, "f"))
omega = np.array([5.0, 60.0, 700.0])
z = (omega**2 * rho / EI) ** 0.25 * L / 2
answer = {"middle (m per N/m)": fx.frequency_response(model, omega, "f", beam.at(L / 2))}
known = {"middle (m per N/m)": (1 / np.cos(z) + 1 / np.cosh(z) - 2) / (2 * rho * omega**2)}
