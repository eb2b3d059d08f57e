"""Three carts in relative coordinates.

Three carts in a row are pushed by f1, f2, f3. The coordinates are the motion of the first and the motions of each of
the others against the one before. What are the generalized forces?

Source: C. M. Krousgrill, J. F. Rhoads, vibration notes, example I.3.1: Q1 = f1 + f2 + f3, Q2 = f2 + f3, Q3 = f3.
"""

import flexura as fx

a, b, c = (fx.Mass(name, m=1.0) for name in "abc")
model = fx.Model(
    fx.Slide(fx.ground, a, along="x", name="q1"),
    fx.Slide(a, b, along="x", name="q2"),
    fx.Slide(b, c, along="x", name="q3"),
    fx.Force(a, "f1", along="x"),
    fx.Force(b, "f2", along="x"),
    fx.Force(c, "f3", along="x"),
)
forces = fx.derive(model).forcing.subs({"f1": 7, "f2": 11, "f3": 13})
answer = {"Q1, Q2, Q3 for f = 7, 11, 13": [float(one) for one in forces]}
known = {"Q1, Q2, Q3 for f = 7, 11, 13": [7 + 11 + 13, 11 + 13, 13]}
