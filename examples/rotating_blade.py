"""A blade in space on a hub that turns at constant speed (written in flexura/gallery/models.py).

Look at what Omega^2 adds: the same centrifugal stiffening to lag (v, in the plane of rotation) and flap (w, out of it),
but -rho v to lag alone; the section's own inertia stiffens torsion by Jz - Jy (the propeller moment). Terms in Omega
are gyroscopic: stretching couples with lag, torsion with flap.
"""

import sympy as sp

import flexura as fx
from flexura import gallery

model = gallery.rotating_blade()
equations = fx.derive(model)
print(equations)
print(str(fx.verify(equations)).splitlines()[0])

print("\nWhat the square of the speed adds to each field equation, per Omega^2:")
for name, row in equations.partial.items():
    print(f"  {name}: {sp.expand(row.lhs - row.rhs).coeff('Omega', 2)}")
