"""Two equal bobs on two equal strings.

A double pendulum has equal masses and equal lengths. Find the frequencies and how the bobs move against each other.

Source: L. D. Landau, E. M. Lifshitz, Mechanics, section 23, problem 2 with m1 = m2, l1 = l2: omega^2 = (2 -+ sqrt(2))
g/l, and theta2/theta1 = +-sqrt(2).
"""

import numpy as np

import flexura as fx

L = 0.6
first, second = fx.RigidBody("first", m=0.5, I=0), fx.RigidBody("second", m=0.5, I=0)
model = fx.Model(
    fx.Revolute(fx.ground, first.at(0, L), name="theta1"),
    fx.Revolute(first, second.at(0, L), name="turn"),
    fx.Gravity(),
)
modes = fx.modes(model, 2)
ratios = [1 + modes.shape(k)["turn"] / modes.shape(k)["theta1"] for k in (0, 1)]
answer = {"omega (rad/s)": modes.frequencies, "theta2 / theta1": ratios}
known = {
    "omega (rad/s)": np.sqrt((2 + np.array([-1, 1]) * np.sqrt(2)) * 9.81 / L),
    "theta2 / theta1": [2**0.5, -(2**0.5)],
}
