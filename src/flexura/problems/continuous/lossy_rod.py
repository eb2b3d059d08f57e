"""A rod of lossy plastic.

A rod, fixed at one end, of a Kelvin-Voigt material: stress is E (strain + eta rate of strain). Find the damping
ratios of its first three modes.

Source: closed form zeta = eta omega / 2 with the undamped omega = (n - 1/2) pi c/L, so that high modes die first; R.
W. Clough, J. Penzien, Dynamics of Structures, on stiffness-proportional damping.
"""

import numpy as np

import flexura as fx

EA, rho, L, eta = 4e4, 0.3, 0.9, 2e-5
rod = fx.Rod("rod", EA=EA, rho=rho, length=L, internal_damping=eta)
modes = fx.modes(fx.Model(fx.Fixed(fx.ground, rod.start)), 3)
omega = np.array([0.5, 1.5, 2.5]) * np.pi / L * np.sqrt(EA / rho)
answer = {"damping ratios": modes.damping_ratios, "|s| (rad/s)": modes.frequencies}
known = {"damping ratios": eta * omega / 2, "|s| (rad/s)": omega}
