"""A column that also shears.

A pinned column of soft web (a lattice) shears as well as it bends. By how much does that lower its critical load,
where the pressing force stays along the line of the axis' slope?

Source: F. Engesser, 1889: Pe/(1 + Pe/kGA), Pe = pi^2 EI/L^2; S. Timoshenko, J. M. Gere, Theory of Elastic Stability,
1961, section 2.17.
"""

import numpy as np

import flexura as fx

EI, kGA, L = 5.0, 80.0, 1.0
column = fx.TimoshenkoBeam("column", EI=EI, kGA=kGA, rho=1.0, rotary_inertia=0.01, length=L, axial_force="-P")
model = fx.Model(fx.Pin(fx.ground, column.start), fx.Pin(fx.ground, column.end))
Pe = np.pi**2 * EI / L**2
answer = {"P": float(fx.buckling(model, "P", between=(0, 60)))}
known = {"P": Pe / (1 + Pe / kGA)}
