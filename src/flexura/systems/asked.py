"""What a solver is asked to factorize a matrix for.

>>> Asked("The stiffness", count=True)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from flexura.systems.factors import Factor


@dataclass(frozen=True)
class Asked:
    """`what` names the matrix in sentences; `count` asks for the number of negative eigenvalues.

    `definite` matrices need no refinement; `natural` says that rows come in a good order of elimination.
    """

    what: str = "The matrix"
    symmetric: bool = True
    count: bool = False
    definite: bool = False
    natural: bool = False


class Solver(Protocol):
    """Who factorizes sparse matrices."""

    def factorize(self, A: Any, asked: Asked) -> Factor | None:
        """The factors, or None for a matrix that it does not take; a singular one is refused."""
