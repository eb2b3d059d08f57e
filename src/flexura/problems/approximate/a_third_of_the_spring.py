"""Count a third of the spring's mass.

A mass hangs on a heavy helical spring, taken as a rod. Which mass does Rayleigh's quotient add if the spring
stretches evenly, and how good is the rule for a spring as heavy as the mass?

Source: Lord Rayleigh, The Theory of Sound I, section 156: omega^2 = k/(M + m/3); the exact z of z tan(z) = 1 is
0.8603.
"""

import numpy as np

import flexura as fx

k, M, m, L = 200.0, 0.5, 0.5, 0.3
spring, mass = fx.Rod("spring", EA=k * L, rho=m / L, length=L, field="u"), fx.Mass("mass", m=M)
model = fx.Model(fx.Fixed(fx.ground, spring.start), fx.Fixed(spring.end, mass), names={spring.end: "q"})
answer = {
    "Rayleigh's (rad/s)": fx.rayleigh_quotient(model, {"u": "x/0.3", "q": 1.0}).frequency,
    "exact z": fx.modes(model, 1).frequencies[0] / np.sqrt(k / m),
}
known = {"Rayleigh's (rad/s)": np.sqrt(k / (M + m / 3)), "exact z": "0.8603"}
