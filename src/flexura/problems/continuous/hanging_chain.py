"""A chain hangs from one end and swings.

A uniform flexible chain hangs from its upper end; only its own weight makes it taut, and nothing does at the lower
end. Find the first three frequencies.

Source: D. Bernoulli, 1732: omega = (j/2) sqrt(g/L) with the zeros j = 2.404826, 5.520078, 8.653728 of J0; H. Lamb,
Higher Mechanics.
"""

import numpy as np
from scipy.special import jn_zeros

import flexura as fx

L, rho = 2.5, 0.3
chain = fx.String("chain", tension=rho * 9.81 * fx.x, rho=rho, length=L)  # x counts from the lower end
answer = {"omega (rad/s)": fx.modes(fx.Model(fx.Fixed(chain.end, fx.ground)), 3, method="ritz").frequencies}
known = {"omega (rad/s)": jn_zeros(0, 3) / 2 * np.sqrt(9.81 / L)}
