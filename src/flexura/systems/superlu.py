"""Sparse matrices by SuperLU, which SciPy brings along: L D L' with pivots on the diagonal.

>>> factor = SuperLU().factorize(K, Asked())
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

from flexura.errors import FlexuraError
from flexura.systems.asked import Asked
from flexura.systems.factors import Factor

_SYMMETRIC: dict[str, Any] = {
    "permc_spec": "MMD_AT_PLUS_A",
    "diag_pivot_thresh": 0.0,
    "options": {"SymmetricMode": True},
}


class SuperLU:
    """Takes every sparse matrix; reading its pivots costs half a factorization and as much memory."""

    def factorize(self, A: Any, asked: Asked) -> Factor:
        """Pivots stay on the diagonal, so that the fill is that of the symmetric pattern."""
        options = {**_SYMMETRIC, "permc_spec": "NATURAL"} if asked.natural else _SYMMETRIC
        A = sparse.csc_matrix(A)
        try:
            made = splu(A, **(options if asked.symmetric else {}))
        except RuntimeError as error:
            raise FlexuraError(
                f"{asked.what} is singular ({error})", advice="hold or remove what moves without stiffness"
            ) from None
        on_diagonal = asked.symmetric and np.array_equal(made.perm_r, made.perm_c)
        solve = made.solve if asked.definite or not on_diagonal else _refined(A, made)
        if not asked.count or not on_diagonal or np.iscomplexobj(A.data):
            return Factor(solve, entries=made.nnz)
        return Factor(solve, made.U.diagonal(), np.argsort(made.perm_c), made.nnz)


def _refined(A: Any, made: Any) -> Callable[[Any], Any]:
    """One step of refinement: it costs a product, and pays for the pivots that were not chosen by size."""

    def solve(b: Any) -> Any:
        x = made.solve(b)
        return x + made.solve(b - A @ x)

    return solve
