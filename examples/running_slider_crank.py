"""A slider-crank with a flexible rod, running: a loop closed by constraints, with the force in its pin.

Look at what is solved for: only the crank's angle and speed are given; the rest follows from the closed loop.
"""

import numpy as np

import flexura as fx

crank, slider = fx.RigidBody("crank", m=1, I=0.02), fx.Mass("slider", m=0.5)
rod = fx.EulerBernoulliBeam("rod", EI=200.0, rho=0.8, length=0.6, field="w")
model = fx.Model(
    fx.Revolute(fx.ground, crank.at(-0.1), name="theta"),
    fx.Revolute(crank.at(0.1), rod.start, name="phi"),
    fx.Slide(fx.ground, slider, along="x", name="s"),
    fx.Revolute(rod.end, slider, name="pin"),
    names={rod.end: ("y", "alpha")},
)
equations = fx.derive(model)
print(equations)
print(str(fx.verify(equations)).splitlines()[0])

run = fx.simulate(equations, np.linspace(0, 0.1, 51), initial={"theta": 0.3, "theta_t": 10.0})
print(f"the slider starts at {run['s'][0]:.5f} m with {run['s_t'][0]:.5f} m/s")
print(f"largest force in the pin along x: {np.abs(run['lambda_pin_x']).max():.3f} N")
print(f"the rod bends by {np.abs(run.place(rod, 0.3)).max():.2e} m; energy balance closed to {run.energy.error:.0e}")
