"""What a factorization is, whoever made it; and that of dense matrices.

>>> factor = dense(np.eye(3), "The matrix", symmetric=True)
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.linalg

from flexura.errors import FlexuraError


@dataclass(frozen=True)
class Factor:
    """`solve(b)` for one or more columns; `pivots` are the diagonal of D in L D L' where they are known."""

    solve: Callable[[Any], Any] = field(repr=False)
    pivots: Any = None
    order: Any = None
    """Which row each pivot belongs to."""
    entries: int = 0
    """How many numbers the factors hold."""
    counted: int | None = None
    """How many eigenvalues are negative, where a solver tells that without its pivots."""
    source: tuple[Any, dict[str, Any]] | None = field(default=None, repr=False)
    """The matrix and the options: factors are not pickled but found again."""

    def __reduce__(self) -> tuple[Any, ...]:
        from flexura.systems.factor import again

        return again, (self.source,)

    @property
    def negative(self) -> int | None:
        """How many eigenvalues are negative (Sylvester); None where the pivots are not on the diagonal."""
        return self.counted if self.pivots is None else int((self.pivots < 0).sum())


def dense(A: Any, what: str, symmetric: bool) -> Factor:
    """LU, and the pivots of L D L' where it is symmetric."""
    if not len(A):
        return Factor(np.zeros_like, np.zeros(0), np.zeros(0, dtype=int))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", scipy.linalg.LinAlgWarning)
        factors = scipy.linalg.lu_factor(A, check_finite=False)
    if not np.abs(factors[0].diagonal()).min() > 0:
        raise FlexuraError(f"{what} is singular", advice="hold or remove what moves without stiffness")
    pivots = order = None
    if symmetric and not np.iscomplexobj(A):
        _, D, order = scipy.linalg.ldl(A)
        pivots = np.linalg.eigvalsh(D)
    return Factor(lambda b: scipy.linalg.lu_solve(factors, b, check_finite=False), pivots, order, A.size)
