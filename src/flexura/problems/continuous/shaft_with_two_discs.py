"""Two discs on a heavy shaft.

A shaft with inertia of its own carries a disc at each end and floats in its bearings. Find the rigid rotation and the
first three torsional frequencies.

Source: closed form (m1 m2 z^2 - 1) sin(z) = (m1 + m2) z cos(z), z = omega L/c, m1 and m2 the discs' inertias over the
shaft's; W. Weaver, S. Timoshenko, D. H. Young, Vibration Problems in Engineering, 5th edition.
"""

import numpy as np
from scipy.optimize import brentq

import flexura as fx

GJ, J, L, I1, I2 = 9e3, 0.02, 1.5, 0.015, 0.06
shaft = fx.Shaft("shaft", GJ=GJ, rotary_inertia=J, length=L)
left, right = fx.RigidBody("left", m=3.0, I=I1), fx.RigidBody("right", m=6.0, I=I2)
m1, m2 = I1 / (J * L), I2 / (J * L)


def characteristic(z):
    """Zero at the frequencies."""
    return (m1 * m2 * z**2 - 1) * np.sin(z) - (m1 + m2) * z * np.cos(z)


z = [brentq(characteristic, *span, xtol=1e-14) for span in ((0.5, 2.5), (2.5, 4.5), (5, 7.5))]
answer = {"omega (rad/s)": fx.modes(fx.Model(fx.Fixed(left, shaft.start), fx.Fixed(shaft.end, right)), 4).frequencies}
known = {"omega (rad/s)": np.array([0, *z]) * np.sqrt(GJ / J) / L}
