"""A controller that does not sit where it measures.

Two masses are joined by a spring. A force on the first damps with the speed of the second. Does the loop stay stable?

Source: closed form m^2 s^4 + ... with c at the crossed place: Routh's criterion says never without other damping; A.
Preumont, Vibration Control of Active Structures, on non-collocated control.
"""

import numpy as np

import flexura as fx

m, k, c = 1.0, 100.0, 3.0
first, second = fx.Mass("first", m=m), fx.Mass("second", m=m)
model = fx.Model(
    fx.Slide(fx.ground, first, along="x", name="x1"),
    fx.Slide(fx.ground, second, along="x", name="x2"),
    fx.Spring(first, second, k=k, along="x"),
    fx.Force(first, f"-{c}*x2_t", along="x"),
)
roots = np.roots([m * m, 0, 2 * k * m, c * k, 0])  # (m s^2 + k)^2 - k (k - c s) = 0
found = fx.modes(model, 4).eigenvalues
answer = {"growth (1/s)": found.real.max()}
known = {"growth (1/s)": roots.real.max()}
