"""How much the rotation of sections slows a beam.

A pinned beam whose sections have rotary inertia but do not shear. Find its first four frequencies.

Source: closed form omega^2 = EI b^4 / (rho + I b^2), b = n pi / L; Lord Rayleigh, The Theory of Sound I, section 186.
"""

import numpy as np

import flexura as fx

EI, rho, I, L = 4e6, 78.0, 0.6, 2.0
beam = fx.RayleighBeam("beam", EI=EI, rho=rho, length=L, rotary_inertia=I)
b = np.arange(1, 5) * np.pi / L
answer = {
    "omega (rad/s)": fx.modes(fx.Model(fx.Pin(fx.ground, beam.start), fx.Pin(fx.ground, beam.end)), 4).frequencies
}
known = {"omega (rad/s)": np.sqrt(EI * b**4 / (rho + I * b**2))}
