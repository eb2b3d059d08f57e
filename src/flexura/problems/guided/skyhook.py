"""A damper hung on the sky.

A car's body is damped against the sky instead of against the wheel (by an actuator). How much of the road's motion
does it pass at resonance and far above?

Source: closed form 1/(1 - r^2 + 2 i zeta r), with no term of the damper on top; D. Karnopp, M. J. Crosby, R. A.
Harwood, Journal of Engineering for Industry 96, 1974.
"""

import numpy as np

import flexura as fx

m, k, zeta = 250.0, 1.6e4, 0.6
c = 2 * zeta * np.sqrt(k * m)
road, body = fx.RigidBody("road", m=1, I=0), fx.Mass("body", m=m)
model = fx.Model(
    fx.Slide(fx.ground, road, motion="z(t)"),
    fx.Slide(fx.ground, body, name="x"),
    fx.Spring(road, body, k=k),
    fx.Force(body, f"-{c}*x_t"),
)
r = np.array([1.0, 5.0])
answer = {"body over road": fx.transmissibility(model, r * np.sqrt(k / m), "z", body)}
known = {"body over road": 1 / (1 - r**2 + 2j * zeta * r)}
