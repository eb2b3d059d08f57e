"""A rope whirled round.

A rope without stiffness turns evenly about one end; only its own mass makes it taut. Find its first three frequencies
out of the plane of rotation.

Source: closed form omega = Omega sqrt(n (2 n - 1)), Legendre's polynomials of odd degree as shapes; H. Lamb, R. V.
Southwell, Proceedings of the Royal Society A 99, 1921, for the disc.
"""

import numpy as np

import flexura as fx

Omega, rho, L = 12.0, 0.2, 1.5
rope = fx.String("rope", tension=rho * Omega**2 * (L**2 - fx.x**2) / 2, rho=rho, length=L)
n = np.array([1, 2, 3])
answer = {"omega/Omega": fx.modes(fx.Model(fx.Fixed(fx.ground, rope.start)), 3, method="ritz").frequencies / Omega}
known = {"omega/Omega": np.sqrt(n * (2 * n - 1))}
