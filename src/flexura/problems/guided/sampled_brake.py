"""A computer stops a cart.

Every T seconds a computer sets the force on a cart to -k1 x - k2 x_t and holds it in between. Where is the cart after
five samples?

Source: closed form: x and v are multiplied by [1, T; 0, 1] - [T^2/2; T] [k1 k2]/m at each sample; K. J. Astrom, B.
Wittenmark, Computer-Controlled Systems, on the double integrator.
"""

import numpy as np

import flexura as fx

m, T, k1, k2 = 2.0, 0.2, 3.0, 5.0
cart = fx.Mass("cart", m=m)
model = fx.Model(
    fx.Slide(fx.ground, cart, along="x", name="x"),
    fx.Force(cart, "u", along="x"),
    fx.Sampled(T, lambda t, seen: -k1 * seen["x"] - k2 * seen["x_t"], "u"),
)
t = T * np.arange(6)
run = fx.simulate(model, t, initial={"x": 1.0}, tolerance=1e-11)
step = np.array([[1, T], [0, 1]]) - np.outer([T**2 / 2, T], [k1, k2]) / m
answer = {"x (m)": run["x"]}
known = {"x (m)": [(np.linalg.matrix_power(step, n) @ [1.0, 0.0])[0] for n in range(6)]}
within = 1e-8
