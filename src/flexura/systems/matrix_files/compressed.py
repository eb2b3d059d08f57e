"""Sparse matrices by columns or rows, checked before SciPy sees them: an index out of range kills it.

>>> by_columns(path, "K", values, row_indices, column_pointers, (n, n), budget)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sparse

from flexura.systems.matrix_files.budget import Budget
from flexura.systems.matrix_files.texts import BadFile


def by_rows(name: str, values: Any, columns: Any, pointers: Any, shape: tuple[int, int], budget: Budget) -> Any:
    """A matrix in compressed rows, or a sentence."""
    _check(name, values, columns, pointers, shape, shape[::-1], budget)
    return sparse.csr_array((values, columns, pointers), shape=shape)


def by_columns(name: str, values: Any, rows: Any, pointers: Any, shape: tuple[int, int], budget: Budget) -> Any:
    """A matrix in compressed columns, or a sentence."""
    _check(name, values, rows, pointers, shape, shape, budget)
    return sparse.csc_array((values, rows, pointers), shape=shape)


def by_places(name: str, values: Any, rows: Any, columns: Any, shape: tuple[int, int], budget: Budget) -> Any:
    """A matrix by rows and columns of its entries, or a sentence."""
    budget.sparse(*shape, len(rows), name)
    for one, extent in ((rows, shape[0]), (columns, shape[1])):
        if one.ndim != 1 or one.shape != values.shape or not np.issubdtype(one.dtype, np.integer):
            raise _bad(budget, name, "its entries are not lists of rows, columns and numbers of one length")
        if len(one) and not (int(one.min()) >= 0 and int(one.max()) < extent):
            raise _bad(budget, name, f"an index lies outside 0 to {extent - 1}")
    return sparse.coo_array((values, (rows, columns)), shape=shape)


def _check(
    name: str, values: Any, indices: Any, pointers: Any, shape: tuple[int, int], extent: tuple[int, int], budget: Budget
) -> None:
    """`extent` counts what an index may reach, and the pointers' stretches."""
    budget.sparse(*shape, len(indices), name)
    reach, stretches = extent
    if any(one.ndim != 1 for one in (values, indices, pointers)):
        raise _bad(budget, name, "its parts are not plain lists of numbers")
    if not all(np.issubdtype(one.dtype, np.integer) for one in (indices, pointers)):
        raise _bad(budget, name, "its indices are not whole numbers")
    if len(pointers) != stretches + 1:
        raise _bad(budget, name, f"it has {len(pointers)} pointers where {stretches + 1} are needed")
    if pointers[0] != 0 or pointers[-1] != len(indices) or (pointers[1:] < pointers[:-1]).any():
        raise _bad(budget, name, f"its pointers do not run from 0 to {len(indices)}")
    if len(values) != len(indices):
        raise _bad(budget, name, f"it has {len(values)} values at {len(indices)} indices")
    if len(indices) and not (int(indices.min()) >= 0 and int(indices.max()) < reach):
        raise _bad(budget, name, f"an index lies outside 0 to {reach - 1}")


def _bad(budget: Budget, name: str, problem: str) -> BadFile:
    return BadFile(f"{name} is damaged, {problem}", advice="write the file again", place=str(budget.path))
