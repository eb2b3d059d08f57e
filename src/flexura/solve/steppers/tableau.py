"""Radau IIA collocation with any odd number of stages, taken apart by the eigenvectors of its matrix.

>>> RADAU.c, RADAU.A, RADAU.mu
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import roots_jacobi

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True)
class Tableau:
    """The method: nodes c, matrix A and its square, eigenvalues mu (one real first), T, and the embedded estimate."""

    c: Array
    A: Array
    A2: Array
    mu: Complex
    T: Complex
    T_inverse: Complex
    gamma: float
    e: Array
    to_powers: Array  # from values at the nodes to coefficients of powers

    @cached_property
    def both(self) -> Array:
        """A above its square: what accelerations give to rates, and to coordinates."""
        return np.vstack([self.A, self.A2])

    @property
    def s(self) -> int:
        """How many stages."""
        return len(self.c)


def tableau(s: int) -> Tableau:
    """Radau IIA with s stages (odd): nodes are roots of the Jacobi polynomial and 1; A integrates the interpolant."""
    inner = (roots_jacobi(s - 1, 1, 0)[0] + 1) / 2
    c = np.append(np.sort(inner), 1.0)
    powers = c[:, None] ** np.arange(s)
    whole = c[:, None] ** np.arange(1, s + 1) / np.arange(1, s + 1)
    A: Array = np.asarray(np.linalg.solve(powers.T, whole.T).T, dtype=np.float64)
    mu, T = np.linalg.eig(A)
    order = [int(np.argmin(np.abs(mu.imag))), *(i for i in np.argsort(mu.imag) if mu[i].imag > 1e-9)]
    keep_mu, keep_T = mu[order], T[:, order]
    gamma = float(keep_mu[0].real)
    full = np.concatenate([keep_T, keep_T[:, 1:].conj()], axis=1)
    inverse = np.linalg.inv(full)[: len(order)]
    right = 1 / np.arange(1, s + 1)
    right[0] -= gamma
    embedded = np.linalg.solve(powers.T, right)
    return Tableau(c, A, A @ A, keep_mu, keep_T, inverse, gamma, embedded - A[-1], np.asarray(np.linalg.inv(powers)))


RADAU = tableau(5)
