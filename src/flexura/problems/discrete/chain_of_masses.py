"""Five equal masses between walls.

Five equal masses are joined to each other and to two walls by six equal springs. Find all frequencies.

Source: closed form 2 sqrt(k/m) sin(j pi / (2 (n + 1))); L. Meirovitch, Analytical Methods in Vibrations, 1967, or
Lord Rayleigh, Theory of Sound I, section 120.
"""

from itertools import pairwise

import numpy as np

import flexura as fx

n, m, k = 5, 0.3, 120.0
row = [fx.ground, *(fx.Mass(f"m{i}", m=m) for i in range(1, n + 1)), fx.ground]
springs = [fx.Spring(p, q, k=k, along="x", name=f"s{i}") for i, (p, q) in enumerate(pairwise(row))]
model = fx.Model([fx.Slide(fx.ground, mass, along="x") for mass in row[1:-1]], springs)
answer = {"omega (rad/s)": fx.modes(model, n).frequencies}
known = {"omega (rad/s)": 2 * np.sqrt(k / m) * np.sin(np.arange(1, n + 1) * np.pi / (2 * (n + 1)))}
