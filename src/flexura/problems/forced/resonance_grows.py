"""Resonance takes time.

An undamped oscillator at rest is pushed at its own frequency from t = 0. How far does it swing after ten periods?

Source: closed form x = F t sin(omega t)/(2 m omega); L. Meirovitch, Fundamentals of Vibrations, 2001, on harmonic
excitation.
"""

import numpy as np

import flexura as fx

m, omega, F = 0.5, 12.0, 3.0
mass = fx.Mass("mass", m=m)
model = fx.Model(fx.Slide(fx.ground, mass, name="x"), fx.Spring(fx.ground, mass, k=m * omega**2), fx.Force(mass, "F"))
t = (np.arange(1, 11) + 0.25) * 2 * np.pi / omega
run = fx.simulate(model, [0, *t], inputs={"F": f"{F}*cos({omega}*t)"}, tolerance=1e-11)
answer = {"x (m)": run["x"][1:]}
known = {"x (m)": F * t * np.sin(omega * t) / (2 * m * omega)}
within = 1e-8
