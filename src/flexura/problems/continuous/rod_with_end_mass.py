"""A heavy spring.

A rod is fixed at one end and carries a mass at the other. Find its first three frequencies, with its own mass
counted.

Source: closed form z tan(z) = rho L / m, z = omega L / c; S. Timoshenko, D. H. Young, W. Weaver, Vibration Problems
in Engineering, 4th edition.
"""

import numpy as np
from scipy.optimize import brentq

import flexura as fx

EA, rho, L, m = 3e5, 2.0, 0.8, 1.0
rod, mass = fx.Rod("rod", EA=EA, rho=rho, length=L), fx.Mass("mass", m=m)
z = [
    brentq(lambda z: z * np.sin(z) - rho * L / m * np.cos(z), n * np.pi, (n + 0.5) * np.pi, xtol=1e-14)
    for n in range(3)
]
answer = {"omega (rad/s)": fx.modes(fx.Model(fx.Fixed(fx.ground, rod.start), fx.Fixed(rod.end, mass)), 3).frequencies}
known = {"omega (rad/s)": np.array(z) * np.sqrt(EA / rho) / L}
