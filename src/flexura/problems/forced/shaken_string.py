"""A string is shaken at one end.

One end of a taut string is held, the other is moved across. By how much is the motion of the middle larger?

Source: closed form 1/(2 cos(omega L/(2 c))); Lord Rayleigh, The Theory of Sound I, chapter 6.
"""

import numpy as np

import flexura as fx

P, rho, L = 60.0, 0.02, 1.5
hand, string = fx.RigidBody("hand", m=1, I=0), fx.String("string", tension=P, rho=rho, length=L)
model = fx.Model(
    fx.Slide(fx.ground, hand, motion="z(t)"), fx.Fixed(hand, string.start), fx.Fixed(string.end, fx.ground)
)
omega = np.array([20.0, 90.0, 400.0])
answer = {"middle over end": fx.transmissibility(model, omega, "z", fx.Motion(string.at(L / 2)))}
known = {"middle over end": 1 / (2 * np.cos(omega * L / 2 * np.sqrt(rho / P)))}
