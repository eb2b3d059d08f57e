"""Matrices that lead from unknowns to values at points: sparse where elements are many, and forms by elements.

    >>> table = PointTable(S, elements=8)
    >>> table.of(X), table.onto(weights)             # X S' and weights S, of stacks too
    >>> table.form(second)                           # S' (second at each point) S

An unknown inside an element moves the points of that element only. So a form is a sum of small ones, one an element.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

Array = NDArray[np.float64]
_DENSE = 4000  # numbers of a matrix up to which dense products are quicker
_SPARSE = 0.3  # of them, that may be other than zero where sparse products are


class PointTable:
    """A matrix (points x values, unknowns); the points of each element follow one another."""

    def __init__(self, S: Array, elements: int) -> None:
        self.dense, self.elements = S, elements
        self.sparse = S.size > _DENSE and not S.dtype.hasobject and np.count_nonzero(S) < _SPARSE * S.size

    @cached_property
    def _rows(self) -> Any:
        return scipy.sparse.csr_array(self.dense)

    @cached_property
    def _columns(self) -> Any:
        return scipy.sparse.csr_array(self.dense.T)

    def of(self, X: Array) -> Array:
        """X S'."""
        return _times(self._rows, X) if self.sparse else np.asarray(X @ self.dense.T)

    def onto(self, weights: Array) -> Array:
        """weights S."""
        return _times(self._columns, weights) if self.sparse else np.asarray(weights @ self.dense)

    @cached_property
    def _local(self) -> tuple[Array, Any]:
        """The matrix of each element over the unknowns that move it, and what adds their forms up."""
        n = self.dense.shape[1]
        blocks = self.dense.reshape(self.elements, -1, n)
        moved = [np.flatnonzero(np.any(block != 0, axis=0)) for block in blocks]
        size = max((len(one) for one in moved), default=0)
        local = np.zeros((self.elements, blocks.shape[1], size))
        places = np.full((self.elements, size), -1)
        for e, (block, one) in enumerate(zip(blocks, moved, strict=True)):
            local[e, :, : len(one)], places[e, : len(one)] = block[:, one], one
        at = places[:, :, None] * n + places[:, None, :]
        held = (places[:, :, None] >= 0) & (places[:, None, :] >= 0)
        entries = np.flatnonzero(held.ravel())
        shape = (n * n, at.size)
        added = scipy.sparse.csr_array((np.ones(len(entries)), (at.ravel()[entries], entries)), shape=shape)
        return local, added

    def form(self, second: Array) -> Array:
        """S' (second at each point) S, second (..., points, k, k)."""
        lead, k, n = second.shape[:-3], second.shape[-1], self.dense.shape[1]
        if not self.sparse:
            moved = second @ self.dense.reshape(-1, k, n)
            return np.asarray(self.dense.T @ moved.reshape(*lead, -1, n))
        found = np.empty((*lead, n, n))
        for whole, each in zip(found.reshape(-1, n * n), second.reshape(-1, *second.shape[-3:]), strict=True):
            whole[:] = self._added_up(each)
        return found

    def _added_up(self, second: Array) -> Array:
        local, added = self._local
        k, size = second.shape[-1], local.shape[2]
        moved = second.reshape(self.elements, -1, k, k) @ local.reshape(self.elements, -1, k, size)
        return np.asarray(added @ (local.swapaxes(-1, -2) @ moved.reshape(self.elements, -1, size)).ravel())


def _times(matrix: Any, X: Array) -> Array:
    """matrix x for each x of a stack."""
    if X.ndim == 1:
        return np.asarray(matrix @ X)
    found = (matrix @ X.reshape(-1, X.shape[-1]).T).T
    return np.ascontiguousarray(found.reshape(*X.shape[:-1], -1))
