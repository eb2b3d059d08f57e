"""An oscillator that keeps itself going.

Van der Pol's oscillator x'' - mu (1 - x^2) x' + x = 0 settles to a limit cycle. Find its period for mu = 0.2.

Source: perturbation series 2 pi (1 + mu^2/16 - 5 mu^4/3072 + ...); C. M. Andersen, J. F. Geer, SIAM Journal on
Applied Mathematics 42, 1982. The next term is some 1e-8 of it here.
"""

import numpy as np

import flexura as fx

mu = 0.2
x = fx.Coordinate("x")
oscillator = fx.Lagrangian(kinetic=x.t**2 / 2, potential=x**2 / 2, work={x: mu * (1 - x**2) * x.t})
run = fx.simulate(oscillator, [0, 150.0], initial={"x": 2.0}, events={"pass": "x"}, tolerance=1e-9)
passes = run.events["pass"]
answer = {"period": passes[-1] - passes[-3]}
known = {"period": 2 * np.pi * (1 + mu**2 / 16 - 5 * mu**4 / 3072)}
within = 1e-6
