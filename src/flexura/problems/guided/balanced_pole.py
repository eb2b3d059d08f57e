"""A pole balanced on a cart.

A thin pole stands on a cart that is pushed by a force fed back from all four states. Where are the roots of the
closed loop?

Source: closed form: the characteristic polynomial of the linear equations with F = -(k1 x + k2 x' + k3 a + k4 a'); G.
F. Franklin, J. D. Powell, A. Emami-Naeini, Feedback Control of Dynamic Systems, on the inverted pendulum.
"""

import numpy as np

import flexura as fx

M, m, l, g = 1.0, 0.2, 0.5, 9.81
k1, k2, k3, k4 = -3.0, -5.0, -45.0, -12.0
cart, pole = fx.Mass("cart", m=M), fx.RigidBody("pole", m=m, I=m * (2 * l) ** 2 / 12)
model = fx.Model(
    fx.Slide(fx.ground, cart, along="x", name="x"),
    fx.Revolute(cart, pole.at(0, -l), name="a"),
    fx.Force(cart, f"-({k1}*x + {k2}*x_t - ({k3})*a - ({k4})*a_t)", along="x"),
    fx.Gravity(g),
)
mass = np.array([[M + m, m * l], [m * l, 4 / 3 * m * l**2]])  # in x and the angle to the right, -a
C, K = np.array([[k2, k4], [0, 0]]), np.array([[k1, k3], [0, -m * g * l]])
A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(mass, K), -np.linalg.solve(mass, C)]])
roots = np.linalg.eigvals(A)
roots = roots[roots.imag >= 0]
answer = {"s (1/s)": fx.modes(model, 4).eigenvalues}
known = {"s (1/s)": roots[np.argsort(abs(roots))]}
