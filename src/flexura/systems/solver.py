"""Who solves sparse systems: SuperLU, PARDISO, or what users put beside them. Certificates are the same.

>>> with fx.solver("pardiso"):
...     fx.modes(system, 16)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from flexura.errors import FlexuraError
from flexura.systems.asked import Asked, Solver
from flexura.systems.pardiso import Pardiso
from flexura.systems.superlu import SuperLU

__all__ = ["SOLVERS", "Asked", "Solver", "chosen", "solver"]

SOLVERS: dict[str, Solver] = {"superlu": SuperLU(), "pardiso": Pardiso()}
"""By name; one class each, in a file of its own."""

_CHOSEN: ContextVar[str | None] = ContextVar("solver", default=None)


def chosen() -> str | None:
    """The name of the solver that was chosen, None where nobody chose."""
    return _CHOSEN.get()


@contextmanager
def solver(name: str | None) -> Iterator[None]:
    """Solve everything inside by the solver of this name: "superlu" or "pardiso"; None leaves the choice to us.

    A matrix that a solver does not take (PARDISO: complex ones) goes to SuperLU.

    >>> with fx.solver("pardiso"):
    ...     fx.modes(system, 16)
    """
    if name is not None and name not in SOLVERS:
        raise FlexuraError(f"There is no solver {name!r}", advice=f"there are {', '.join(SOLVERS)}")
    if name == "pardiso" and not Pardiso.installed():
        raise FlexuraError("pypardiso is not installed", advice="run pip install pypardiso, or choose superlu")
    before = _CHOSEN.set(name)
    try:
        yield
    finally:
        _CHOSEN.reset(before)
