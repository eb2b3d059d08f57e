"""A chain slips off a smooth table.

A chain of length L lies straight on a smooth table and begins to slip over the edge. How fast does a small overhang
grow?

Source: closed form: x'' = (g/L) x, so s = +-sqrt(g/L); L. Meirovitch, or any text on variable overhang: all of the
chain moves at one speed and only the overhang is pulled.
"""

import numpy as np

import flexura as fx

L, rho = 1.5, 0.8
x = fx.Coordinate("x")
chain = fx.Lagrangian(kinetic=rho * L * x.t**2 / 2, potential=-rho * 9.81 * x**2 / 2)
run = fx.simulate(chain, [0, 0.5, 1.0], initial={"x": 0.05}, tolerance=1e-11)
answer = {"roots (1/s)": sorted(fx.modes(chain, 2).eigenvalues.real), "overhang (m)": run["x"]}
s = np.sqrt(9.81 / L)
known = {"roots (1/s)": [-s, s], "overhang (m)": 0.05 * np.cosh(s * np.array([0, 0.5, 1.0]))}
