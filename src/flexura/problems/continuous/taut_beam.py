"""A stiff string.

A pinned beam is pulled along its axis. Find the first four frequencies, and how far the second is from twice the
first.

Source: closed form omega_n^2 = (n pi/L)^2 (P + EI (n pi/L)^2)/rho; H. Fletcher, Journal of the Acoustical Society of
America 36, 1964, on the inharmonicity of piano strings.
"""

import numpy as np

import flexura as fx

EI, rho, L, P = 0.03, 0.006, 0.65, 700.0
wire = fx.EulerBernoulliBeam("wire", EI=EI, rho=rho, length=L, axial_force=P)
found = fx.modes(fx.Model(fx.Pin(fx.ground, wire.start), fx.Pin(fx.ground, wire.end)), 4).frequencies
b = np.arange(1, 5) * np.pi / L
B = EI * (np.pi / L) ** 2 / P
answer = {"omega (rad/s)": found, "second over first": found[1] / found[0]}
known = {"omega (rad/s)": b * np.sqrt((P + EI * b**2) / rho), "second over first": 2 * np.sqrt((1 + 4 * B) / (1 + B))}
