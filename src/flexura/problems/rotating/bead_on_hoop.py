"""A bead on a hoop that turns.

A bead slides without friction on a vertical hoop that turns about its vertical diameter, faster than sqrt(g/R). Where
does the bead rest, and how fast does it oscillate about that place?

Source: closed form cos(theta) = g/(R Omega^2), omega = Omega sin(theta); L. D. Landau, E. M. Lifshitz, Mechanics, and
H. Goldstein, Classical Mechanics, on the bead on a rotating hoop.
"""

import numpy as np

import flexura as fx

R, Omega = 0.4, 7.0
hoop, bead = fx.RigidBody("hoop", m=0, I=0), fx.Mass("bead", m=0.05)
model = fx.Model(
    fx.Revolute(fx.ground, hoop, about="y", motion=f"{Omega}*t"),
    fx.Revolute(hoop, bead.at(0, R), about="z", name="theta"),
    fx.Gravity(),
)
rest = fx.equilibrium(model, guess={"theta": 1.0})
theta = np.arccos(9.81 / (R * Omega**2))
answer = {"theta (rad)": rest["theta"], "omega (rad/s)": fx.modes(model, 1, about=rest).frequencies[0]}
known = {"theta (rad)": theta, "omega (rad/s)": Omega * np.sin(theta)}
