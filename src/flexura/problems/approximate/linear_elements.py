"""A rod of four linear elements.

Cut a rod, held at one end, into four elements in which the displacement is linear. How much too high are the
frequencies?

Source: closed form omega h/c = sqrt(6 (1 - cos a)/(2 + cos a)), a = (2 j - 1) pi/8: the mesh is a crystal with its
own dispersion; T. J. R. Hughes, The Finite Element Method, 1987, chapter 7.
"""

import numpy as np

import flexura as fx

EA, rho, L, n = 9e4, 1.5, 2.0, 4
rod = fx.Rod("rod", EA=EA, rho=rho, length=L)
modes = fx.modes(fx.Model(fx.Fixed(fx.ground, rod.start)), n, method="ritz", order=1, elements=n)
a = (2 * np.arange(1, n + 1) - 1) * np.pi / (2 * n)
answer = {"omega (rad/s)": modes.frequencies}
known = {"omega (rad/s)": n / L * np.sqrt(EA / rho) * np.sqrt(6 * (1 - np.cos(a)) / (2 + np.cos(a)))}
