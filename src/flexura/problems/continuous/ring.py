"""A ring rings.

A thin circular ring that does not stretch vibrates in its plane. Find its first two frequencies of bending. By
symmetry half of it is enough, guided at both ends.

Source: closed form omega^2 = EI n^2 (n^2 - 1)^2 / (rho R^4 (n^2 + 1)), n = 2, 3; R. Hoppe, 1871; S. Timoshenko, D. H.
Young, W. Weaver, Vibration Problems in Engineering, 4th edition.
"""

import numpy as np

import flexura as fx

R, EI, rho = 0.5, 3.0, 0.2
half = fx.ExactBeam("half", EI=EI, rho=rho, length=np.pi * R, curvature=1 / R)
model = fx.Model(fx.Slide(fx.ground, half.start), fx.Slide(fx.ground, half.end))
n = np.array([2, 3])
answer = {"omega (rad/s)": fx.modes(model, 3, method="ritz", order=14).frequencies}
known = {"omega (rad/s)": [0, *np.sqrt(EI / (rho * R**4)) * n * (n**2 - 1) / np.sqrt(n**2 + 1)]}
within = 1e-8
