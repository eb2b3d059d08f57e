"""A bar hangs from a cart that is free to roll.

A uniform bar of mass m and length L is pinned to a cart of mass M on a level track. Find the frequencies.

Source: C. M. Krousgrill, J. F. Rhoads, vibration notes, example I.1.3, linearised: the sum of momenta stays zero, so
omega^2 = 6 g (M + m) / (L (4 M + m)).
"""

import numpy as np

import flexura as fx

M, m, L = 3.0, 2.0, 0.9
cart, bar = fx.Mass("cart", m=M), fx.RigidBody("bar", m=m, I=m * L**2 / 12)
model = fx.Model(
    fx.Slide(fx.ground, cart, along="x", name="x"), fx.Revolute(cart, bar.at(0, L / 2), name="theta"), fx.Gravity()
)
answer = {"omega (rad/s)": fx.modes(model, 2).frequencies}
known = {"omega (rad/s)": [0, np.sqrt(6 * 9.81 * (M + m) / (L * (4 * M + m)))]}
