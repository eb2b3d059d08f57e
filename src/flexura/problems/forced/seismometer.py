"""What a seismometer writes.

A mass on a spring in a box that shakes; the pen writes its motion relative to the box. What does it write of ground
motion far above, at, and below its own frequency?

Source: closed form r^2/(1 - r^2 + 2 i zeta r) (it stays behind, so with a minus sign); W. T. Thomson, Theory of
Vibration with Applications, on vibration-measuring instruments.
"""

import numpy as np

import flexura as fx

m, omega, zeta = 0.4, 6.0, 0.7
box, mass = fx.RigidBody("box", m=1, I=0), fx.Mass("mass", m=m)
model = fx.Model(
    fx.Slide(fx.ground, box, motion="z(t)"),
    fx.Slide(box, mass, name="pen"),
    fx.Spring(box, mass, k=m * omega**2),
    fx.Damper(box, mass, c=2 * zeta * omega * m),
)
r = np.array([0.1, 1.0, 20.0])
answer = {"pen over ground": fx.frequency_response(model, r * omega, "z", "pen")}
known = {"pen over ground": r**2 / (1 - r**2 + 2j * zeta * r)}
