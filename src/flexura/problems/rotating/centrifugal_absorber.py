"""A pendulum that is always in tune.

A crankshaft carries a pendulum of length l at a distance R from its axis. Find the pendulum's frequency over the
speed: the order of vibration that it absorbs at any speed.

Source: closed form sqrt(R/l); J. P. Den Hartog, Mechanical Vibrations, 4th edition, chapter 5; B. Salomon, 1933.
"""

import numpy as np

import flexura as fx

R, l, Omega = 0.12, 0.03, 200.0
shaft, bob = fx.RigidBody("shaft", m=0, I=0), fx.Mass("bob", m=0.4)
model = fx.Model(fx.Revolute(fx.ground, shaft, motion=f"{Omega}*t"), fx.Revolute(shaft.at(R), bob.at(-l), name="phi"))
answer = {"order": fx.modes(model, 1).frequencies[0] / Omega}
known = {"order": np.sqrt(R / l)}
