"""Far beyond Euler's load.

A pinned strut is pressed beyond its critical load, until its ends have turned by 60 degrees. Which load is needed,
and how far have the ends come together?

Source: closed form P/Pe = (2 K/pi)^2, distance 2 E/K - 1, with the complete elliptic integrals of the modulus sin(30
degrees); L. Euler, 1744; S. Timoshenko, J. M. Gere, Theory of Elastic Stability, 1961, section 2.7, prints 1.152 and
0.741.
"""

import numpy as np
from scipy.special import ellipe, ellipk

import flexura as fx

strut = fx.ExactBeam("strut", EI=1.0, rho=1.0, length=1.0)
model = fx.Model(
    fx.Pin(fx.ground, strut.start), fx.Roller(fx.ground, strut.end, along="x"), fx.Force(strut.end, "-P", along="x")
)
p = np.sin(np.radians(30)) ** 2
P = 4 * ellipk(p) ** 2
straight = fx.equilibrium_path(model, "P", (9.0, 10.5))
bent = fx.equilibrium_path(model, "P", (9.0, P), branch=straight.branches[0])
last = bent.point(len(bent.parameter) - 1)
distance = last.position(strut.end)[0]
answer = {
    "angle (degrees)": abs(np.degrees(last.place(strut, 0.0)[2])),
    "distance of the ends": distance,
    "as printed": [P / np.pi**2, distance],
}
known = {
    "angle (degrees)": 60.0,
    "distance of the ends": 2 * ellipe(p) / ellipk(p) - 1,
    "as printed": ["1.152", "0.741"],
}
within = 1e-7
