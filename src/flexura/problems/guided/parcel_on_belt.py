"""A parcel is put on a conveyor belt.

A parcel is laid at rest on a belt that runs at v. How long does it slip, and how far does it go meanwhile?

Source: closed form v/(mu g) and v^2/(2 mu g); J. L. Meriam, L. G. Kraige, Engineering Mechanics: Dynamics.
"""

import flexura as fx

m, mu, v = 3.0, 0.4, 1.8
belt, parcel = fx.RigidBody("belt", m=1, I=0), fx.Mass("parcel", m=m)
model = fx.Model(
    fx.Slide(fx.ground, belt, along="x", name="belt", motion=f"{v}*t"),
    fx.Slide(fx.ground, parcel, along="x", name="x"),
    fx.Friction(belt, parcel, force=mu * m * 9.81, along="x", name="rub"),
)
run = fx.simulate(model, [0, 0.3, 0.8], tolerance=1e-10)
slips = run.events["rub"][-1]
answer = {"slips for (s)": slips, "then its speed (m/s)": run["x_t"][-1], "lost way (m)": v * 0.8 - run["x"][-1]}
known = {"slips for (s)": v / (mu * 9.81), "then its speed (m/s)": v, "lost way (m)": v**2 / (2 * mu * 9.81)}
within = 1e-7
