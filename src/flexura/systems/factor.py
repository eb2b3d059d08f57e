"""One factorization of a symmetric matrix, used many times: dense, SuperLU on the diagonal, or PARDISO if installed.

>>> factor = factorize(K)
>>> x = factor.solve(b)
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

from flexura.errors import FlexuraError

_LARGE = 5000
_SYMMETRIC: dict[str, Any] = {
    "permc_spec": "MMD_AT_PLUS_A",
    "diag_pivot_thresh": 0.0,
    "options": {"SymmetricMode": True},
}


@dataclass(frozen=True)
class Factor:
    """`solve(b)` for one or more columns; `pivots` are the diagonal of D in L D L' where they are known."""

    solve: Callable[[Any], Any] = field(repr=False)
    pivots: Any = None
    order: Any = None
    """Which row each pivot belongs to."""
    entries: int = 0
    """How many numbers the factors hold."""
    source: tuple[Any, dict[str, Any]] | None = field(default=None, repr=False)
    """The matrix and the options: factors are not pickled but found again."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.source,)

    @property
    def negative(self) -> int | None:
        """How many eigenvalues are negative (Sylvester); None where the pivots are not on the diagonal."""
        return None if self.pivots is None else int((self.pivots < 0).sum())


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
    """Factorize a square matrix, real or complex, symmetric unless told; `count` asks for the pivots.

    Reading pivots from SuperLU costs half a factorization and as much memory, so they are None unless asked for.
    A `definite` matrix needs no refinement of its solutions. `natural` eliminates rows as they come (see `ordering`),
    not by minimum degree. `pardiso=None` takes PARDISO, where it is installed, for large matrices that come in no good
    order; in a good one SuperLU is as fast on one core.
    """
    options = {"pardiso": pardiso, "symmetric": symmetric, "count": count, "definite": definite, "natural": natural}
    made = None
    if not sparse.issparse(A):
        made = _dense(np.asarray(A), what, symmetric)
    elif (pardiso or (pardiso is None and A.shape[0] >= _LARGE and not natural)) and not count:
        made = None if np.iscomplexobj(A.data) else _pardiso(A, what, symmetric, definite, required=bool(pardiso))
    if made is None:
        made = _superlu(A, what, symmetric, count, definite, natural)
    return replace(made, source=(A, {"what": what, **options}))


def _again(source: tuple[Any, dict[str, Any]]) -> Factor:
    A, options = source
    return factorize(A, **options)


def _dense(A: Any, what: str, symmetric: bool) -> Factor:
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


def _superlu(A: Any, what: str, symmetric: bool, count: bool, definite: bool, natural: bool) -> Factor:
    """L D L' by SuperLU: pivots stay on the diagonal, so that the fill is that of the symmetric pattern."""
    options = {**_SYMMETRIC, "permc_spec": "NATURAL"} if natural else _SYMMETRIC
    A = sparse.csc_matrix(A)
    try:
        made = splu(A, **(options if symmetric else {}))
    except RuntimeError as error:
        raise FlexuraError(
            f"{what} is singular ({error})", advice="hold or remove what moves without stiffness"
        ) from None
    on_diagonal = symmetric and np.array_equal(made.perm_r, made.perm_c)
    solve = made.solve if definite or not on_diagonal else _refined(A, made)
    if not count or not on_diagonal or np.iscomplexobj(A.data):
        return Factor(solve, entries=made.nnz)
    return Factor(solve, made.U.diagonal(), np.argsort(made.perm_c), made.nnz)


def _refined(A: Any, made: Any) -> Callable[[Any], Any]:
    """One step of refinement: it costs a product, and pays for the pivots that were not chosen by size."""

    def solve(b: Any) -> Any:
        x = made.solve(b)
        return x + made.solve(b - A @ x)

    return solve


def _pardiso(A: Any, what: str, symmetric: bool, definite: bool, required: bool) -> Factor | None:
    try:
        from pypardiso import PyPardisoSolver
    except ImportError:
        if required:
            raise FlexuraError(
                "pypardiso is not installed", advice="run pip install pypardiso, or leave pardiso out"
            ) from None
        return None
    solver = PyPardisoSolver(mtype=(2 if definite else -2) if symmetric else 11)
    stored = sparse.csr_matrix(sparse.triu(A, format="csr") if symmetric else A)
    try:
        solver.factorize(stored)
    except Exception as error:  # it has several, some of its own
        raise FlexuraError(
            f"{what} is singular ({error})", advice="hold or remove what moves without stiffness"
        ) from None

    def solve(b: Any) -> Any:
        # solver.solve compares the whole matrix with the one it factorized, every time
        solver.set_phase(33)
        return solver._call_pardiso(stored, np.asfortranarray(b)).reshape(np.shape(b))

    return Factor(solve)
