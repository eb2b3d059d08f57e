"""A flexible rod on a hinge, let go from the horizontal: it falls, bends, and swings.

Look at the tip's path: it leaves the circle only by the deflection. The equations hold large angles and foreshortening.
"""

import numpy as np

import flexura as fx

hinge = fx.RigidBody("hinge", m=0, I=0.02)
rod = fx.EulerBernoulliBeam("rod", EI=40.0, rho=0.5, length=1.0, field="w")
joint = fx.Revolute(fx.ground, hinge, name="theta")
equations = fx.derive(fx.Model(joint, fx.Fixed(hinge, rod.start), fx.Gravity(9.81)))
print(equations)
print(str(fx.verify(equations)).splitlines()[0])

times = np.linspace(0, 0.8, 81)
run = fx.simulate(equations, times, events={"down": "theta + pi/2"})
tip = run.position(rod.end)
print(f"the rod hangs down at t = {run.events['down'][0]:.5f} s; its tip is then at {tip[:, 1].min():.4f} m")
print(f"largest deflection {np.abs(run.place(rod, 1.0)).max():.5f} m, energy balance closed to {run.energy.error:.0e}")
