"""Units for unknowns without inertia that nothing ties to those of motions: first-order states beside coordinates.

>>> rows, columns = balanced(M, C, K, own=[7])
>>> K * rows[:, None] * columns                      # no unit of the state makes it large or small beside the rest

A state may be kept in any unit, and its row multiplied by anything. Rounding is judged against the size of rows and
columns, so both are brought to that of the motions they are tied to; roots do not change.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_SWEEPS = 8  # states may drive one another in a row


def balanced(M: Array, C: Array, K: Array, own: Sequence[int]) -> tuple[Array, Array]:
    """Factors of the rows and of the unknowns; ones but for the unknowns `own`."""
    n = len(M)
    rows, columns = np.ones(n), np.ones(n)
    if not own:
        return rows, columns
    unit, states = _unit(M, K, own), np.isin(np.arange(n), own)
    size = np.sqrt(np.abs(np.diagonal(K)) + unit**2 * np.abs(np.diagonal(M)))
    size[states] = 1.0
    size[size == 0] = 1.0
    whole = np.abs(K) + unit * np.abs(C) + unit**2 * np.abs(M)
    for _ in range(_SWEEPS):
        for i in own:
            others = np.arange(n) != i
            diagonal = whole[i, i] or 1.0
            into = (whole[i, others] * columns[others] / size[others]).max(initial=0.0)
            out = (whole[others, i] * rows[others] / size[others]).max(initial=0.0)
            columns[i] = np.sqrt((into or 1.0) / ((out or 1.0) * diagonal))
            rows[i] = 1.0 / (diagonal * columns[i])
    return rows, columns


def _unit(M: Array, K: Array, own: Sequence[int]) -> float:
    """A frequency of the order of the lowest ones."""
    m, k = (np.delete(np.abs(np.diagonal(one)), own) for one in (M, K))
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = k / m
    squares = squares[np.isfinite(squares) & (squares > 0)]
    return float(np.sqrt(squares.min())) if len(squares) else 1.0
