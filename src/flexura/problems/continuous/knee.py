"""A knee of two beams.

Two equal inextensible beams meet at a right angle, welded; their other ends are clamped. The corner can only turn.
Find the first four frequencies.

Source: where the corner turns no moment is left in it and each leg is clamped-pinned; where it rests each leg is
clamped-clamped; lambda from R. D. Blevins, 1979, Table 8-1.
"""

import numpy as np

import flexura as fx

post, top = (fx.EulerBernoulliBeam(name, EI=1.0, rho=1.0, length=1.0) for name in ("post", "top"))
model = fx.Model(
    fx.Fixed(fx.ground, post.start, angle="pi/2"),
    fx.Fixed(post.end, top.start, angle="-pi/2"),
    fx.Fixed(top.end, fx.ground),
)
answer = {"lambda of a leg": np.sqrt(fx.modes(model, 4).frequencies)}
known = {"lambda of a leg": ["3.92660231", "4.73004074", "7.06858275", "7.85320462"]}
