"""Two trucks collide.

A truck runs into one at rest; the restitution is e. How fast do they run on?

Source: closed form v1 (m1 - e m2)/(m1 + m2) and v1 m1 (1 + e)/(m1 + m2); I. Newton, Principia, on the laws of motion.
"""

import flexura as fx

m1, m2, v, e = 30.0, 18.0, 2.0, 0.55
first, second = fx.Mass("first", m=m1), fx.Mass("second", m=m2)
model = fx.Model(
    fx.Slide(fx.ground, first, along="x", name="x1"),
    fx.Slide(fx.ground, second, along="x", name="x2"),
    fx.Stop(second, first, gap=0, along="x", restitution=e),
)
run = fx.simulate(model, [0, 1.0], initial={"x1": -1.0, "x1_t": v})
answer = {"x1_t, x2_t (m/s)": [run["x1_t"][-1], run["x2_t"][-1]]}
known = {"x1_t, x2_t (m/s)": [v * (m1 - e * m2) / (m1 + m2), v * m1 * (1 + e) / (m1 + m2)]}
