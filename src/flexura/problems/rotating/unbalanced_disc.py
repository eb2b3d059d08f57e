"""A disc with a heavy spot runs through its critical speed.

A disc sits in the middle of a light shaft on two elastic bearings; it has an unbalance u. How far does it whirl below
and above the critical speed?

Source: closed form u W^2/|k - m W^2| with 1/k = L^3/(48 EI) + 1/(2 kb); H. H. Jeffcott, Philosophical Magazine 37,
1919.
"""

import numpy as np

import flexura as fx

r, L, E, m, kb, u = 0.01, 0.6, 2.1e11, 8.0, 1e6, 1e-4
area, second = np.pi * r**2, np.pi * r**4 / 4
light = fx.Section(E=E, G=8e10, rho=1e-6, A=area, Iy=second, Iz=second)
shaft = fx.BeamFrame(
    [[0, 0, 0], [L / 2, 0, 0], [L, 0, 0]],
    [[0, 1], [1, 2]],
    light,
    supports={0: "u alpha"},
    bodies={1: (m, (0.04, 0.02, 0.02))},
    shear=False,
)
rotor = fx.Rotor(shaft, {0: fx.Bearing(k=kb), 2: fx.Bearing(k=kb)})
W = np.array([60.0, 400.0])
k = 1 / (L**3 / (48 * E * second) + 1 / (2 * kb))
answer = {"whirl (m)": fx.unbalance_response(rotor, W, {1: u}).amplitude(1)}
known = {"whirl (m)": u * W**2 / abs(k - m * W**2)}
within = 1e-6
