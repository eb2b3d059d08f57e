"""A slender shaft whirls.

A uniform shaft turns in two short bearings. At which speed does it lose its straight form? Seen from the turning
frame the loss is static, so that one plane of bending is enough.

Source: closed form (pi/L)^2 sqrt(EI/rho): the critical speed is the frequency of the same shaft at rest; W. J. M.
Rankine 1869, S. Dunkerley, 1894.
"""

import numpy as np

import flexura as fx

EI, rho, L = 900.0, 3.0, 1.2
chuck = fx.RigidBody("chuck", m=0, I=0)
shaft = fx.EulerBernoulliBeam("shaft", EI=EI, rho=rho, length=L)
model = fx.Model(
    fx.Revolute(fx.ground, chuck, about="x", motion="Omega*t"),
    fx.Pin(chuck, shaft.start),
    fx.Pin(chuck.at(L), shaft.end),
)
answer = {"critical speed (rad/s)": float(fx.buckling(model, "Omega", between=(0, 200)))}
known = {"critical speed (rad/s)": (np.pi / L) ** 2 * np.sqrt(EI / rho)}
within = 1e-8
