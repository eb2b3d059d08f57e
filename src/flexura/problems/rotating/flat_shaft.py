"""A shaft with two flats.

A disc sits on a shaft that is stiffer in one direction than in the other. Between its two critical speeds it runs
away: how fast?

Source: closed form s^4 + (w1^2 + w2^2 + 2 W^2) s^2 + (w1^2 - W^2)(w2^2 - W^2) = 0 in the turning frame; J. P. Den
Hartog, Mechanical Vibrations, 4th edition, chapter 6; L. Prandtl, 1918.
"""

import numpy as np

import flexura as fx

m, k1, k2, W = 2.0, 5e3, 8e3, 56.0
shaft, way, disc = fx.RigidBody("shaft", m=1, I=1), fx.RigidBody("way", m=0, I=0), fx.Mass("disc", m=m)
model = fx.Model(
    fx.Revolute(fx.ground, shaft, motion=f"{W}*t"),
    fx.Slide(shaft, way, along="x", name="x"),
    fx.Slide(way, disc, along="y", name="y"),
    fx.Spring(shaft, way, k=k1, along="x"),
    fx.Spring(way, disc, k=k2, along="y"),
)
w1, w2 = k1 / m, k2 / m
squares = np.sort(np.roots([1, w1 + w2 + 2 * W**2, (w1 - W**2) * (w2 - W**2)]))
answer = {
    "growth (1/s)": fx.modes(model, 3).eigenvalues.real.max(),
    "whirl (rad/s)": fx.modes(model, 3).frequencies[-1],
}
known = {"growth (1/s)": np.sqrt(squares[1]), "whirl (rad/s)": np.sqrt(-squares[0])}
