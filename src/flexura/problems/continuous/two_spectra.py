"""A stout beam has two spectra.

A short pinned Timoshenko beam is so stout that modes of thickness shear lie among its modes of bending. Find its
first eight frequencies, the one at which all sections only turn among them.

Source: closed form: for each n the two roots of (kGA b^2 - rho w^2)(EI b^2 + kGA - J w^2) = (kGA b)^2 with b = n
pi/L, and w^2 = kGA/J for n = 0; R. W. Traill-Nash, A. R. Collar, Quarterly Journal of Mechanics and Applied
Mathematics 6, 1953.
"""

import numpy as np

import flexura as fx

EI, kGA, rho, J, L = 1.0, 60.0, 1.0, 0.02, 1.0
beam = fx.TimoshenkoBeam("beam", EI=EI, kGA=kGA, rho=rho, rotary_inertia=J, length=L)
squares = [kGA / J]
for b in np.arange(1, 12) * np.pi / L:
    squares += list(np.roots([rho * J, -(rho * (EI * b**2 + kGA) + J * kGA * b**2), kGA * b**4 * EI]))
answer = {"omega": fx.modes(fx.Model(fx.Pin(fx.ground, beam.start), fx.Pin(fx.ground, beam.end)), 8).frequencies}
known = {"omega": np.sqrt(np.sort(squares)[:8])}
