"""Sparse matrices by PARDISO of Intel's MKL: several cores, less memory, and negative eigenvalues counted for nothing.

>>> with fx.solver("pardiso"):
...     fx.modes(system, 16)
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import scipy.sparse as sparse

from flexura.errors import FlexuraError
from flexura.systems.asked import Asked
from flexura.systems.factors import Factor

_PERTURBED, _NEGATIVE = 14, 23  # iparm


class Pardiso:
    """Takes real matrices, where `pip install flexura[fast]` has put it."""

    @staticmethod
    def installed() -> bool:
        """Whether it can be used."""
        return _made() is not None

    def factorize(self, A: Any, asked: Asked) -> Factor | None:
        """Symmetric ones as L D L' with pivots of one and two rows; None for complex ones."""
        made = _made()
        if made is None:
            raise FlexuraError(
                "pypardiso is not installed", advice="run pip install pypardiso, or choose another solver"
            )
        if np.iscomplexobj(A.data):
            return None
        solver = made(mtype=(2 if asked.definite else -2) if asked.symmetric else 11)
        stored = sparse.csr_matrix(sparse.triu(A, format="csr") if asked.symmetric else A)
        kept = _Kept(solver, stored)
        try:
            solver.factorize(stored)
        except Exception as error:  # it has several, some of its own
            raise FlexuraError(
                f"{asked.what} is singular ({error})", advice="hold or remove what moves without stiffness"
            ) from None
        return Factor(kept.solve, counted=_counted(solver, asked))


class _Kept:
    """Factors that MKL holds, given back when nobody asks for them any more."""

    def __init__(self, solver: Any, stored: Any) -> None:
        self.solver, self.stored = solver, stored

    def solve(self, b: Any) -> Any:
        """Of one or more columns; solver.solve would compare all of the matrix with the factorized one, every time."""
        self.solver.set_phase(33)
        return self.solver._call_pardiso(self.stored, np.asfortranarray(b)).reshape(np.shape(b))

    def __del__(self) -> None:
        with suppress(Exception):  # at the end of the program MKL may be gone before
            self.solver.free_memory(everything=True)


def _counted(solver: Any, asked: Asked) -> int | None:
    """How many eigenvalues are negative; not told where pivots had to be changed."""
    if not asked.symmetric:
        return None
    if asked.definite:
        return 0  # else it would not have been factorized
    return None if solver.get_iparm(_PERTURBED) else int(solver.get_iparm(_NEGATIVE))


def _made() -> Any:
    try:
        from pypardiso import PyPardisoSolver
    except (ImportError, OSError):  # the library, or MKL itself
        return None
    return PyPardisoSolver
