"""A helicopter blade flaps about its hinge.

A rigid uniform blade of length l is hinged at a distance e from the axis of a rotor and may flap. Find its frequency
over the speed of rotation.

Source: closed form sqrt(1 + 3 e/(2 l)); W. Johnson, Helicopter Theory, 1980.
"""

import numpy as np

import flexura as fx

e, l, m, Omega = 0.3, 5.0, 40.0, 35.0
hub, blade = fx.RigidBody("hub", m=0, I=0), fx.RigidBody("blade", m=m, I=(0, m * l**2 / 12, m * l**2 / 12))
model = fx.Model(
    fx.Revolute(fx.ground, hub, about="z", motion=f"{Omega}*t"),
    fx.Revolute(hub.at(e), blade.at(-l / 2), about="y", name="beta"),
)
answer = {"omega/Omega": fx.modes(model, 1).frequencies[0] / Omega}
known = {"omega/Omega": np.sqrt(1 + 3 * e / (2 * l))}
