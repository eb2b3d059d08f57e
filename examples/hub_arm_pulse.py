"""A hub with a clamped arm, pushed by one period of a torque: it turns, stops, and the arm goes on vibrating.

Look at the energy balance: the pulse supplies work and takes most of it back; what is left shakes the arm, and nothing
is lost.
"""

import numpy as np

import flexura as fx

hub = fx.RigidBody("hub", m=1, I=0.3)
arm = fx.EulerBernoulliBeam("arm", EI=20.0, rho=0.5, length=1.0, field="w")
parts = (fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub.at(0.1), arm.start), fx.Torque(hub, "tau"))
equations = fx.derive(fx.Model(*parts))
print(equations)
print(str(fx.verify(equations)).splitlines()[0])

times = np.linspace(0, 1, 201)
run = fx.simulate(equations, times, inputs={"tau": "Piecewise((5*sin(4*pi*t), t < 0.5), (0, True))"})
tip = run.place(arm, 1.0)
print(f"theta ends at {run['theta'][-1]:.5f} rad; the tip moved between {tip.min():.5f} and {tip.max():.5f} m")
print(f"supplied {run.energy.supplied.max():.5f} J at most, {run.energy.supplied[-1]:.2e} J in the end")
print(f"energy balance closed to {run.energy.error:.0e}; {run.notes[-1]}")
