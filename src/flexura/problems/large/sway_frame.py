"""A portal sways.

A portal of two columns on pins and a rigid beam carries equal loads on both columns. At which load does it sway away?

Source: closed form P = pi^2 EI/(4 h^2) for each column, pinned below and guided above; S. Timoshenko, J. M. Gere,
Theory of Elastic Stability, 1961, section 2.4.
"""

import numpy as np

import flexura as fx

EI, h, span = 6.0, 1.5, 2.0
posts = [fx.EulerBernoulliBeam(name, EI=EI, rho=1.0, length=h, axial_force="-P") for name in ("left", "right")]
beam = fx.RigidBody("beam", m=4.0, I=1.0)
model = fx.Model(
    fx.Pin(fx.ground, posts[0].start, angle="pi/2"),
    fx.Fixed(posts[0].end, beam.at(-span / 2), angle="-pi/2"),
    fx.Pin(fx.ground.at(span), posts[1].start, angle="pi/2"),
    fx.Fixed(posts[1].end, beam.at(span / 2), angle="-pi/2"),
)
answer = {"P": float(fx.buckling(model, "P", between=(0, 15)))}
known = {"P": np.pi**2 * EI / (4 * h**2)}
