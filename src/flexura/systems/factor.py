"""One factorization of a symmetric matrix, used many times: dense, SuperLU on the diagonal, or PARDISO if installed.

>>> factor = factorize(K)
>>> x = factor.solve(b)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sparse

from flexura.systems.factors import Factor, dense
from flexura.systems.pardiso import Pardiso
from flexura.systems.solver import SOLVERS, Asked, chosen

__all__ = ["Factor", "factorize"]

_LARGE = 5000


def factorize(
    A: Any,
    *,
    what: str = "The matrix",
    pardiso: bool | None = None,
    symmetric: bool = True,
    count: bool = False,
    definite: bool = False,
    natural: bool = False,
) -> Factor:
    """Factorize a square matrix, real or complex, symmetric unless told; `count` asks how many roots are negative.

    Reading pivots from SuperLU costs half a factorization and as much memory, so they are None unless asked for.
    A `definite` matrix needs no refinement of its solutions. `natural` eliminates rows as they come (see `ordering`),
    not by minimum degree. What users choose by `fx.solver` comes first; else `pardiso=None` takes PARDISO, where it is
    installed, for large matrices that come in no good order; in a good one SuperLU is as fast on one core.
    """
    options = {"pardiso": pardiso, "symmetric": symmetric, "count": count, "definite": definite, "natural": natural}
    made = None
    if not sparse.issparse(A):
        made = dense(np.asarray(A), what, symmetric)
    else:
        asked = Asked(what, symmetric, count, definite, natural)
        name = chosen() if pardiso is None else "pardiso" if pardiso else "superlu"
        if name is not None:
            made = SOLVERS[name].factorize(A, asked)
        elif A.shape[0] >= _LARGE and not natural and not count and Pardiso.installed():
            made = SOLVERS["pardiso"].factorize(A, asked)
        if made is None:
            made = SOLVERS["superlu"].factorize(A, asked)
    assert made is not None
    return replace(made, source=(A, {"what": what, **options}))


def again(source: tuple[Any, dict[str, Any]]) -> Factor:
    """The factors of a matrix that was pickled with them."""
    A, options = source
    return factorize(A, **options)
