"""The best gains for a mass in space.

A unit mass is to be brought to rest so that the integral of x^2 + u^2 is least. Find the gains, from the package's
matrices, and the damping ratio of the loop.

Source: closed form K = (1, sqrt(2)) and zeta = 1/sqrt(2); B. D. O. Anderson, J. B. Moore, Optimal Control, on the
double integrator.
"""

import numpy as np
from scipy.linalg import solve_continuous_are

import flexura as fx


def loop(push):
    """A unit mass and a force."""
    mass = fx.Mass("mass", m=1.0)
    return fx.Model(fx.Slide(fx.ground, mass, along="x", name="x"), fx.Force(mass, push, along="x"))


space = fx.state_space(loop("u"), ["u"], ["x"])
P = solve_continuous_are(space.A, space.B, space.C.T @ space.C, np.eye(1))
gains = (space.B.T @ P).ravel()
closed = fx.modes(loop(f"-{gains[0]}*x - {gains[1]}*x_t"), 1)
answer = {"gains": gains, "damping ratio": closed.damping_ratios[0]}
known = {"gains": [1, np.sqrt(2)], "damping ratio": np.sqrt(0.5)}
