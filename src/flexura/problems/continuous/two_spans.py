"""A beam over three supports.

A beam runs over two equal spans. Find its first four frequencies. Why do every other of them not know of the middle?

Source: each span alone: pinned-pinned, lambda = n pi, in the odd modes, clamped-pinned, lambda = 3.92660231,
7.06858275, in the even ones; R. D. Blevins, Formulas for Natural Frequency and Mode Shape, 1979, Table 8-1.
"""

import numpy as np

import flexura as fx

left = fx.EulerBernoulliBeam("left", EI=1.0, rho=1.0, length=1.0)
right = fx.EulerBernoulliBeam("right", EI=1.0, rho=1.0, length=1.0)
model = fx.Model(
    fx.Pin(fx.ground, left.start),
    fx.Fixed(left.end, right.start),
    fx.Pin(fx.ground, left.end),
    fx.Pin(right.end, fx.ground),
)
answer = {"lambda": np.sqrt(fx.modes(model, 4).frequencies)}
known = {"lambda": ["3.14159265", "3.92660231", "6.28318531", "7.06858275"]}
