"""One finite element for a cantilever.

Replace the shape of a cantilever by one cubic. Which frequencies result?

Source: the textbook matrices EI/L^3 [12 -6L; -6L 4L^2] and rho L/420 [156 -22L; -22L 4L^2], which give 3.5327 and
34.807; J. S. Archer, Journal of the Structural Division ASCE 89, 1963.
"""

import numpy as np
from scipy.linalg import eigh

import flexura as fx

beam = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=1.0)
modes = fx.modes(fx.Model(fx.Fixed(fx.ground, beam.start)), 2, method="ritz", order=3, elements=1)
K, M = np.array([[12, -6], [-6, 4]]), np.array([[156, -22], [-22, 4]]) / 420
answer = {"omega": modes.frequencies, "as printed": modes.frequencies[0]}
known = {"omega": np.sqrt(eigh(K, M, eigvals_only=True)), "as printed": "3.5327"}
