"""A crate is dropped: a half-sine shock.

A mass on a spring is pushed by half a sine wave. With what amplitude does it go on swinging?

Source: closed form 2 b cos(pi/(2 b))/(1 - b^2) times F/k, with b = (pi/duration)/omega_n; R. D. Mindlin, Dynamics of
Package Cushioning, Bell System Technical Journal 24, 1945.
"""

import numpy as np

import flexura as fx

m, k, tau = 2.0, 800.0, 0.09
mass = fx.Mass("mass", m=m)
model = fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=k), fx.Force(mass, "F"))
shock = f"Piecewise((sin(pi*t/{tau}), t < {tau}), (0, True))"
run = fx.simulate(model, [0, 0.2], inputs={"F": shock}, tolerance=1e-11)
omega, b = np.sqrt(k / m), np.pi / tau / np.sqrt(k / m)
answer = {"k/F times the amplitude": k * np.hypot(run["y"][-1], run["y_t"][-1] / omega)}
known = {"k/F times the amplitude": abs(2 * b * np.cos(np.pi / (2 * b)) / (1 - b**2))}
within = 1e-8
