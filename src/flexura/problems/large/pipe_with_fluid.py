"""A pipe buckles because of what flows in it.

A pinned pipe conveys fluid at the speed U. At which speed does it buckle, and what are its frequencies at half of it?

Source: closed form U = (pi/L) sqrt(EI/M) for the first; M. P. Paidoussis, Fluid-Structure Interactions 1, 1998; the
frequency by Galerkin's method with 40 sines, here in the file.
"""

import numpy as np
from scipy.linalg import eigvals

import flexura as fx

EI, m, M, L = 4.0, 0.5, 0.8, 2.0
w = fx.Field("w", length=L)
U = fx.Parameter("U")
pipe = fx.Lagrangian(
    density={w: m * w.t**2 / 2 + M * (w.t + U * w.x) ** 2 / 2 - EI * w.xx**2 / 2}, boundary={w.at(0): 0, w.at(L): 0}
)
critical = np.pi / L * np.sqrt(EI / M)
n = np.arange(1, 41)
b, half = n * np.pi / L, critical / 2
K = np.diag(EI * b**4 - M * half**2 * b**2)
i, j = np.meshgrid(n, n, indexing="ij")
odd = (i + j) % 2 == 1
G = 2 * M * half * np.where(odd, 4 * i * j / (L * np.where(odd, i**2 - j**2, 1)), 0.0)
A = np.block([[np.zeros((40, 40)), np.eye(40)], [-K / (m + M), -G / (m + M)]])
omega = np.sort(eigvals(A).imag)
omega = omega[omega > 0][:2]
answer = {
    "critical speed": float(fx.buckling(pipe, "U", between=(0, 5))),
    "omega at half of it": fx.modes(pipe, 2, values={"U": half}).frequencies,
}
known = {"critical speed": critical, "omega at half of it": omega}
within = 1e-5
