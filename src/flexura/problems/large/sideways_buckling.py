"""A thin strip on edge tips over sideways.

A thin cantilever strip on edge carries a load at its end, in its stiff plane. At which load does it bend sideways and
twist?

Source: L. Prandtl, A. G. M. Michell, 1899: 4.0126 sqrt(B C)/L^2, from J(-1/4)(u) = 0 with P = 2 u sqrt(B C)/L^2, B
the bending stiffness sideways and C that of torsion; S. Timoshenko, J. M. Gere, Theory of Elastic Stability, 1961,
section 6.3.
"""

from scipy.optimize import brentq
from scipy.special import jv

import flexura as fx

B, C, L = 3.0, 2.0, 1.4
w = fx.Field("w", length=L)
twist = fx.Field("phi", spine=w)
P = fx.Parameter("P")
strip = fx.Lagrangian(
    density={
        w: w.t**2 / 2 + 0.01 * twist.t**2 / 2 - B * w.xx**2 / 2 - C * twist.x**2 / 2 + P * (L - fx.x) * w.xx * twist
    },
    boundary={w.at(0): 0, w.slope(0): 0, twist.at(0): 0},
)
u = brentq(lambda u: jv(-1 / 4, u), 1.5, 2.5, xtol=1e-15)
found = float(fx.buckling(strip, "P", between=(0, 10)))
answer = {"P": found, "P L^2/sqrt(B C)": found * L**2 / (B * C) ** 0.5}
known = {"P": 2 * u * (B * C) ** 0.5 / L**2, "P L^2/sqrt(B C)": "4.0126"}
