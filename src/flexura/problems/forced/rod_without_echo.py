"""A rod that sends nothing back.

A free rod is pushed at one end; at the other it ends in a dashpot of its own impedance. What is its mobility where it
is pushed, at any frequency?

Source: closed form 1/sqrt(EA rho), real: to whoever pushes it the rod is itself a dashpot; K. F. Graff, Wave Motion
in Elastic Solids, 1975, chapter 2.
"""

import numpy as np

import flexura as fx

EA, rho = 2e6, 5.0
Z = np.sqrt(EA * rho)
rod = fx.Rod("rod", EA=EA, rho=rho, length=2.0)
model = fx.Model(rod, fx.Damper(fx.ground, rod.end, c=Z, along="x"), fx.Force(rod.start, "F", along="x"))
answer = {"Z v/F": Z * fx.frequency_response(model, [1.0, 300.0, 5e4], "F", rod.start, kind="mobility")}
known = {"Z v/F": [1, 1, 1]}
