"""A fan on an overhung shaft.

A thin disc sits at the end of a light cantilever shaft. Find the critical speed of forward whirl, which the disc's
resistance to tilting raises.

Source: closed form det(K - w^2 diag(m, It - Ip)) = 0 with K of the shaft's end, EI/L^3 [12 -6L; -6L 4L^2], and Ip = 2
It; J. P. Den Hartog, Mechanical Vibrations, 4th edition, chapter 6; A. Stodola, 1924.
"""

import numpy as np
from scipy.linalg import eigvals

import flexura as fx

r, L, E, m, It = 0.01, 0.4, 2.1e11, 5.0, 0.05
area, second = np.pi * r**2, np.pi * r**4 / 4
light = fx.Section(E=E, G=8e10, rho=1e-9, A=area, Iy=second, Iz=second)
shaft = fx.BeamFrame(
    [[0, 0, 0], [L, 0, 0]],
    [[0, 1]],
    light,
    supports={0: "all", 1: "u alpha"},
    bodies={1: (m, (2 * It, It, It))},
    shear=False,
)
K = E * second / L**3 * np.array([[12, -6 * L], [-6 * L, 4 * L**2]])
squares = eigvals(K, np.diag([m, It - 2 * It])).real
answer = {"critical speed (rad/s)": fx.critical_speed(shaft)}
known = {"critical speed (rad/s)": np.sqrt(min(squares[squares > 0]))}
within = 1e-7
