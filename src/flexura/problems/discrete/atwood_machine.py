"""Two weights over a heavy pulley.

A string without slip runs over a pulley of radius R and inertia I; weights m1 and m2 hang from it. How fast do they
accelerate?

Source: closed form (m1 - m2) g / (m1 + m2 + I/R^2), Newton's law for both weights and the pulley together.
"""

import flexura as fx

m1, m2, I, R = 5.0, 3.0, 0.08, 0.2
one, other, pulley = fx.Mass("one", m=m1), fx.Mass("other", m=m2), fx.RigidBody("pulley", m=1.0, I=I)
down, up = fx.Slide(fx.ground, one, name="y1"), fx.Slide(fx.ground, other, name="y2")
turn = fx.Revolute(fx.ground, pulley, name="theta")
model = fx.Model(down, up, turn, fx.Gear(down, turn, ratio=R), fx.Gear(up, turn, ratio=-R), fx.Gravity())
found = fx.accelerations(fx.derive(model), {"y1": 0, "y1_t": 0, "theta": 0, "theta_t": 0, "y2": 0, "y2_t": 0})
answer = {"acceleration of the lighter one (m/s^2)": found["y2"]}
known = {"acceleration of the lighter one (m/s^2)": (m1 - m2) * 9.81 / (m1 + m2 + I / R**2)}
