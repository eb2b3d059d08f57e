"""A pole balanced on a cart: LQR from fx.state_space, closed as a feedback of the state, and sampled.

Look at the eigenvalues of A - B K and those of fx.modes with the feedback written as a load, and at how far the cart
goes when the controller is sampled. With python-control, control.lqr(space.to_control(), Q, R) gives the same K.
"""

import numpy as np
import scipy.linalg

import flexura as fx


def machine(*load):
    cart, pole = fx.Mass("cart", 2.0), fx.RigidBody("pole", 0.5, 0.04)
    slide = fx.Slide(fx.ground, cart, along="x", name="x")
    hinge = fx.Revolute(cart, pole.at(0, -0.6), name="th")
    return fx.derive(fx.Model(slide, hinge, fx.Gravity(), *(made(cart) for made in load)))


def push(value):
    return lambda cart: fx.Force(cart, value, along="x")


equations = machine(push("u"))
print(equations, str(fx.verify(equations)).splitlines()[0], sep="\n")
space = fx.state_space(equations, "u", ["x", "th"])
Q, R = np.diag([10.0, 10.0, 1.0, 1.0]), np.array([[0.1]])
K = np.linalg.solve(R, space.B.T @ scipy.linalg.solve_continuous_are(space.A, space.B, Q, R))[0]
print("\nK on", ", ".join(space.states), "=", K.round(3))
print("A - B K ", np.sort_complex(np.linalg.eigvals(space.A - space.B @ K[None])).round(4))

closed = machine(push(" - ".join(["0", *(f"({float(k)!r})*{name}" for k, name in zip(K, space.states, strict=True))])))
print("fx.modes", np.sort_complex(fx.modes(closed, 4).eigenvalues).round(4))

t = np.linspace(0, 8, 81)
run = fx.simulate(closed, t, initial={"th": 0.3})
digital = fx.Sampled(0.02, lambda t, seen: -sum(k * seen[name] for k, name in zip(K, space.states, strict=True)), "u")
held = fx.simulate(machine(push("u"), lambda cart: digital), t, initial={"th": 0.3})
print("farthest cart:", np.abs(run["x"]).max().round(4), "m, sampled", np.abs(held["x"]).max().round(4), "m")
