"""A rod whose end stands still under a force.

A rod is held at one end and pushed harmonically at the other. Find the receptance there, and at its antiresonance,
where the end stands still though it is pushed.

Source: closed form u/F = tan(z)/(EA z/L), z = omega L/c: zero at z = pi; R. E. D. Bishop, D. C. Johnson, The
Mechanics of Vibration, 1960.
"""

import numpy as np

import flexura as fx

EA, rho, L = 5e5, 3.0, 1.2
rod = fx.Rod("rod", EA=EA, rho=rho, length=L)
model = fx.Model(fx.Fixed(fx.ground, rod.start), fx.Force(rod.end, "F", along="x"))
z = np.array([0.4, 1.0, 2.0, np.pi, 4.0])
answer = {"EA/L times u/F": EA / L * fx.frequency_response(model, z / L * np.sqrt(EA / rho), "F", rod.end)}
known = {"EA/L times u/F": np.tan(z) / z}
