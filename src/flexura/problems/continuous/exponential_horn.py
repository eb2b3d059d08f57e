"""A horn for ultrasonic drilling.

The section of a rod grows as exp(2 a x); both ends are held. Find its first three frequencies.

Source: closed form omega^2 = c^2 ((n pi/L)^2 + a^2), by u = exp(-a x) y; L. G. Merkulov, Soviet Physics Acoustics 3,
1957.
"""

import numpy as np

import flexura as fx

EA, rho, L, a = 2e6, 0.8, 0.4, 3.0
grows = fx.exp(2 * a * fx.x)
horn = fx.Rod("horn", EA=EA * grows, rho=rho * grows, length=L)
n = np.arange(1, 4)
answer = {
    "omega (rad/s)": fx.modes(fx.Model(fx.Fixed(fx.ground, horn.start), fx.Fixed(horn.end, fx.ground)), 3).frequencies
}
known = {"omega (rad/s)": np.sqrt(EA / rho * ((n * np.pi / L) ** 2 + a**2))}
