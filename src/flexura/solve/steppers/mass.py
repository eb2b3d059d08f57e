"""A mass matrix that never changes, factored once: banded where its unknowns can be put in such an order.

>>> factor = MassFactor.of(M)
>>> a = factor.solve(f)                     # of a stack (states, n) too
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from scipy.linalg.lapack import dpbtrf, dpbtrs, dpotrf, dpotrs
from scipy.sparse.csgraph import reverse_cuthill_mckee

Array = NDArray[np.float64]
_NARROW = 0.15  # of the unknowns, that a band may span to each side


@dataclass(frozen=True, eq=False)
class MassFactor:
    """Cholesky's factor of M, in an order of the unknowns in which M is a band; without an order it is full."""

    factor: Array
    order: NDArray[np.intp] | None = None

    @classmethod
    def of(cls, M: Array) -> MassFactor | None:
        """None where M is not positive."""
        n = len(M)
        rows, columns = np.nonzero(M)
        order = np.asarray(reverse_cuthill_mckee(scipy.sparse.csr_array(M != 0), symmetric_mode=True), dtype=np.intp)
        place = np.empty(n, dtype=np.intp)
        place[order] = np.arange(n)
        width = int(np.abs(place[rows] - place[columns]).max(initial=0))
        if width >= _NARROW * n:
            factor, info = dpotrf(M, lower=1)
            return cls(factor) if info == 0 else None
        ordered = M[np.ix_(order, order)]
        band = np.zeros((width + 1, n))
        for k in range(width + 1):
            band[k, : n - k] = np.diagonal(ordered, -k)
        factor, info = dpbtrf(band, lower=1)
        return cls(factor, order) if info == 0 else None

    def solve(self, f: Array) -> Array:
        """M^-1 f, for each row of a stack."""
        if self.order is None:
            return np.asarray(dpotrs(self.factor, f.T, lower=1)[0].T)
        found = np.empty_like(f)
        found[..., self.order] = dpbtrs(self.factor, f[..., self.order].T, lower=1)[0].T
        return found
