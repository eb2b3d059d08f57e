"""A floating satellite with one panel bent and let go: it shakes, turns, and keeps its energy.

Look at the hub: no load acts, so as the panels swing it moves back and forth about the path of the mass centre.
"""

import numpy as np

import flexura as fx

hub = fx.RigidBody("hub", m=20, I=2.0)
right, left = (fx.EulerBernoulliBeam(name, EI=30.0, rho=0.3, length=2.0) for name in ("right", "left"))
free = fx.Free(fx.ground, hub, names=("X", "Y", "theta"))
welds = fx.Fixed(hub.at(0.4), right.start), fx.Fixed(hub.at(-0.4), left.start, angle="pi")
equations = fx.derive(fx.Model(free, *welds))
print(equations)
print(str(fx.verify(equations)).splitlines()[0])

start = {"theta_t": 0.5, "w_right": "0.02*x**2*(6 - 2*x + x**2/4)"}
run = fx.simulate(equations, np.linspace(0, 2, 101), initial=start)
print(f"theta_t between {run['theta_t'].min():.5f} and {run['theta_t'].max():.5f} rad/s")
print(f"the hub moves by {np.ptp(run['Y']):.6f} m across, {np.ptp(run['X']):.6f} m along")
print(f"energy kept to {np.ptp(run.energy.total) / run.energy.scale:.0e}, nothing supplied, nothing lost")
