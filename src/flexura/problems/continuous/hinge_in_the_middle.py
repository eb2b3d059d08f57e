"""A bridge with a hinge in its middle.

A beam is clamped at both ends and has a hinge in its middle. Find the first four frequencies.

Source: halves alone: where both move alike no shear crosses the hinge and each is a cantilever, where they move
against each other the hinge rests and each is clamped-pinned; lambda of the halves from R. D. Blevins, 1979, Table
8-1.
"""

import numpy as np

import flexura as fx

left = fx.EulerBernoulliBeam("left", EI=1.0, rho=1.0, length=1.0)
right = fx.EulerBernoulliBeam("right", EI=1.0, rho=1.0, length=1.0)
model = fx.Model(fx.Fixed(fx.ground, left.start), fx.Pin(left.end, right.start), fx.Fixed(right.end, fx.ground))
answer = {"lambda of a half": np.sqrt(fx.modes(model, 4).frequencies)}
known = {"lambda of a half": ["1.87510407", "3.92660231", "4.69409113", "7.06858275"]}
