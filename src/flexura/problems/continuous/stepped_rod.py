"""A rod with a step.

A rod is fixed at one end and free at the other; its outer half has a quarter of the section of its inner half, of the
same material. Find the first two frequencies.

Source: closed form tan(w l/c)^2 = A1/A2 with l half the length, so w = (c/l) arctan(2) and (c/l) (pi - arctan(2)); S.
S. Rao, Vibration of Continuous Systems, chapter 9.
"""

import numpy as np

import flexura as fx

EA, rho, l = 1.2e6, 4.0, 0.7
inner = fx.Rod("inner", EA=EA, rho=rho, length=l)
outer = fx.Rod("outer", EA=EA / 4, rho=rho / 4, length=l)
model = fx.Model(fx.Fixed(fx.ground, inner.start), fx.Fixed(inner.end, outer.start))
answer = {"omega (rad/s)": fx.modes(model, 2).frequencies}
known = {"omega (rad/s)": np.sqrt(EA / rho) / l * np.array([np.arctan(2), np.pi - np.arctan(2)])}
