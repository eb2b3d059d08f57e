"""A swing seen from a carousel.

A mass is held to the middle of a turntable by equal springs in two directions; the table turns evenly. Which two
frequencies does somebody on the table see?

Source: closed form omega_0 - Omega and omega_0 + Omega: seen from ground nothing has changed, as in Foucault's
pendulum; A. Sommerfeld, Mechanics.
"""

import numpy as np

import flexura as fx

m, k, Omega = 0.5, 80.0, 3.0
table, way, mass = fx.RigidBody("table", m=1, I=1), fx.RigidBody("way", m=0, I=0), fx.Mass("mass", m=m)
model = fx.Model(
    fx.Revolute(fx.ground, table, motion=f"{Omega}*t"),
    fx.Slide(table, way, along="x", name="x"),
    fx.Slide(way, mass, along="y", name="y"),
    fx.Spring(table, way, k=k, along="x"),
    fx.Spring(way, mass, k=k, along="y"),
)
omega = np.sqrt(k / m)
answer = {"frequencies (rad/s)": fx.modes(model, 2).frequencies}
known = {"frequencies (rad/s)": [omega - Omega, omega + Omega]}
