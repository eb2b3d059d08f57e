"""A gyroscope finds north.

A wheel spins about a horizontal axis that may turn about the vertical, on an Earth that turns (much too fast here).
With what frequency does the axis swing about north?

Source: closed form omega^2 = (Is (n + N) N - It N^2)/It with N = W cos(latitude): the textbooks' Is n N/It and what
they leave out; A. Sommerfeld, Mechanics; M. Schuler, 1923.
"""

import numpy as np

import flexura as fx

Is, It, n, W, latitude = 0.02, 0.012, 300.0, 0.5, np.radians(50)
axis = (np.cos(latitude), np.sin(latitude), 0)  # x north, y up
earth, ring = fx.RigidBody("earth", m=0, I=0), fx.RigidBody("ring", m=0, I=0)
wheel = fx.RigidBody("wheel", m=1.0, I=(Is, It, It))
model = fx.Model(
    fx.Revolute(fx.ground, earth, about=axis, motion=f"{W}*t"),
    fx.Revolute(earth, ring, about="y", name="psi"),
    fx.Revolute(ring, wheel, about="x", motion=f"{n}*t"),
)
N = W * np.cos(latitude)
answer = {"omega (rad/s)": fx.modes(model, 1).frequencies[0]}
known = {"omega (rad/s)": np.sqrt((Is * (n + N) * N - It * N**2) / It)}
