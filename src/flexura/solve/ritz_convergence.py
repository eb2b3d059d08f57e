"""Rayleigh-Ritz, with its convergence: frequencies by polynomials of rising degree, beside the exact ones.

>>> print(fx.ritz_convergence(equations, count=3))

In a larger space of trial shapes the lowest frequencies can only fall, and never below the exact ones: every row is an
upper bound, and what a row still misses falls exponentially.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.derivation.routes import small_equations_of
from flexura.display import Displayed, Table
from flexura.errors import FlexuraError
from flexura.solve.modes import modes
from flexura.systems.dataframes import dataframe

Array = NDArray[np.float64]


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class RitzConvergence(Displayed):
    """`frequencies` (orders, modes) by polynomials of the degrees in `orders`, beside the `exact` ones (nan: none)."""

    orders: tuple[int, ...]
    frequencies: Array
    exact: Array

    @property
    def errors(self) -> Array:
        """(found - exact)/exact; never negative but for rounding."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.frequencies / self.exact - 1)

    def summary(self) -> str:
        """How many degrees, and the last error."""
        return (
            f"Ritz of degrees {self.orders[0]} to {self.orders[-1]}, the last off by {np.nanmax(self.errors[-1]):.1g}"
        )

    def told(self) -> Iterator[Table | str]:
        """A row for each degree, and the exact frequencies."""
        count = len(self.exact)
        head = ("degree", *(f"omega {k + 1}" for k in range(count)), *(f"error {k + 1}" for k in range(count)))
        rows = [
            (str(order), *(f"{one:.9g}" for one in row), *(f"{one:.1e}" for one in off))
            for order, row, off in zip(self.orders, self.frequencies, self.errors, strict=True)
        ]
        yield Table(head, [*rows, ("exact", *(f"{one:.9g}" for one in self.exact), *("",) * count)])

    def to_dataframe(self) -> Any:
        """A pandas table over the degrees."""
        columns = {f"omega {k + 1} (rad/s)": row for k, row in enumerate(self.frequencies.T)}
        return dataframe(columns, np.array(self.orders), "degree")


def ritz_convergence(
    equations: Any,
    count: int = 3,
    values: Mapping[str, Any] | None = None,
    orders: Sequence[int] = (3, 4, 5, 6, 8, 10),
    elements: int = 1,
) -> RitzConvergence:
    """The first frequencies by Rayleigh-Ritz in polynomials of several degrees, beside the exact ones.

    >>> fx.ritz_convergence(equations, count=2, orders=(3, 5, 7)).errors
    """
    equations = small_equations_of(equations)
    if not equations.fields:
        raise FlexuraError(
            "The equations hold no members, so there is nothing to approximate", advice="ask fx.modes, which is exact"
        )
    exact = modes(equations, count, values).frequencies
    rows = np.full((len(orders), len(exact)), np.nan)
    for row, order in zip(rows, orders, strict=True):
        found = modes(equations, count, values, method="ritz", order=int(order), elements=elements).frequencies
        row[: len(found)] = found[: len(exact)]
    return RitzConvergence(tuple(int(one) for one in orders), rows, exact)
