"""An instrument on rubber feet.

An instrument of mass m stands on springs k and dashpots c on a floor that shakes. How much of the floor's motion
reaches it below, at and above sqrt(2) times its own frequency?

Source: closed form |X/Y| = sqrt((1 + (2 zeta r)^2) / ((1 - r^2)^2 + (2 zeta r)^2)), equal to 1 at r = sqrt(2) for
every damping; J. P. Den Hartog, Mechanical Vibrations, 4th edition, chapter 2.
"""

import numpy as np

import flexura as fx

m, k, zeta = 8.0, 7200.0, 0.15
c = 2 * zeta * np.sqrt(k * m)
floor, box = fx.RigidBody("floor", m=1, I=0), fx.Mass("box", m=m)
model = fx.Model(
    fx.Slide(fx.ground, floor, motion="z(t)"),
    fx.Slide(fx.ground, box),
    fx.Spring(floor, box, k=k),
    fx.Damper(floor, box, c=c),
)
r = np.array([0.5, 1.0, np.sqrt(2), 3.0])
answer = {"transmissibility": abs(fx.transmissibility(model, r * np.sqrt(k / m), "z", box))}
known = {"transmissibility": np.sqrt((1 + (2 * zeta * r) ** 2) / ((1 - r**2) ** 2 + (2 * zeta * r) ** 2))}
