"""A train crosses a bridge.

A constant force rolls over a beam on two pins. How far is the middle down when the force is there?

Source: closed form, a series over all modes: w = sum 2 F/(rho L) (sin(W t) - W/w sin(w t))/(w^2 - W^2) sin(n pi x/L),
W = n pi v/L; A. N. Krylov, 1905; L. Fryba, Vibration of Solids and Structures under Moving Loads, chapter 1.
"""

import numpy as np

import flexura as fx

EI, rho, L, v = 2e4, 8.0, 5.0, 12.0
beam = fx.EulerBernoulliBeam("bridge", EI=EI, rho=rho, length=L)
model = fx.Model(fx.Pin(fx.ground, beam.start), fx.Pin(fx.ground, beam.end), fx.Force(beam.at(f"{v}*t"), "-F"))
run = fx.simulate(model, [0, L / 2 / v], values={"F": 100.0}, order=30, tolerance=1e-8)
n = np.arange(1, 20001)
W, w, t = n * np.pi * v / L, (n * np.pi / L) ** 2 * np.sqrt(EI / rho), L / 2 / v
terms = 2 / (rho * L) * (np.sin(W * t) - W / w * np.sin(w * t)) / (w**2 - W**2) * np.sin(n * np.pi / 2)
answer = {"w/F in the middle (m/N)": run.place(beam, L / 2)[-1] / 100}
known = {"w/F in the middle (m/N)": -terms.sum()}
within = 1e-4
