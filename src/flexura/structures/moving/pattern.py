"""From elements to sparse matrices: one pattern of nonzeros, shared by every matrix of a frame.

Element matrices are summed block by block (6 x 6, one for each pair of nodes) and put into CSR order. Because the
pattern never changes, a sum of matrices is a sum of data arrays. Links and supports are one matrix T, x_all = T x.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.structures.moving.attachments import DOFS
from flexura.structures.moving.body import tilde
from flexura.structures.moving.frame import BeamFrame

Array = NDArray[np.float64]
Integers = NDArray[np.intp]


@dataclass(frozen=True)
class _PatternBlocks:
    """Where each row of blocks begins, the columns, the sum from (elements, 2, 2) into blocks, nodes' own blocks."""

    first: NDArray[np.int32]
    column: NDArray[np.int32]
    add: sparse.csr_array
    diagonal: Integers

    def matrix(self, values: NDArray[Any]) -> sparse.csr_array:
        """The blocks' entries (blocks, 36) in CSR order."""
        size = 6 * (len(self.first) - 1)
        return sparse.bsr_array((values.reshape(-1, 6, 6), self.column, self.first), shape=(size, size)).tocsr()


@dataclass(frozen=True, eq=False)
class Pattern:
    """Where the nonzeros of a frame's matrices are, and how element and node matrices are summed into them."""

    frame: BeamFrame

    @cached_property
    def n(self) -> int:
        """How many motions are free."""
        return int(np.count_nonzero(self.frame.free))

    @cached_property
    def T(self) -> sparse.csr_array:
        """All motions (6 nodes) from the free ones: supports are zero rows, tied motions follow with their arms."""
        free = self.frame.free.ravel()
        select = sparse.csr_array(
            (np.ones(self.n), (np.flatnonzero(free), np.arange(self.n))), shape=(len(free), self.n)
        )
        if not self.frame.ties:
            return select
        return _through_links(self.frame) @ select

    @cached_property
    def _nodes(self) -> NDArray[np.bool_]:
        """The nodes that take part: a node that is held altogether does not, unless others are tied to it."""
        every = np.ones(len(self.frame.nodes), dtype=bool)
        return every if self.frame.ties else np.asarray(self.frame.free.any(axis=1))

    @cached_property
    def _blocks(self) -> _PatternBlocks:
        """The 6 x 6 blocks of the nodes that take part, row by row, and how elements are summed into them."""
        inside = self._nodes
        count, number = int(np.count_nonzero(inside)), np.cumsum(inside) - 1
        pairs = self.frame.elements
        rows, columns = np.repeat(pairs, 2, axis=1).ravel(), np.tile(pairs, (1, 2)).ravel()
        taken = np.flatnonzero(inside[rows] & inside[columns])
        linked = np.flatnonzero(inside) if self.frame.ties else np.empty(0, dtype=np.intp)  # may be in no element
        keys = number[rows[taken]] * count + number[columns[taken]]
        keys = np.concatenate([keys, number[linked] * (count + 1)])
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
        summed = order < len(taken)  # a linked node's own block need not be of any element
        ends = np.concatenate([[0], np.cumsum(summed)])[np.append(starts, len(order))]
        source = taken[order[summed]]
        add = sparse.csr_array((np.ones(len(source)), source, ends), shape=(len(starts), rows.size))
        row, column = np.divmod(ordered[starts], count)
        first = np.searchsorted(row, np.arange(count + 1))
        diagonal = np.full(len(inside), -1)
        diagonal[inside] = np.flatnonzero(row == column)
        return _PatternBlocks(first.astype(np.int32), column.astype(np.int32), add, diagonal)

    @cached_property
    def _all(self) -> sparse.csr_array:
        """The pattern over all motions of the nodes that take part."""
        return self._blocks.matrix(np.ones((len(self._blocks.column), 36), dtype=np.int8))

    @cached_property
    def _kept(self) -> NDArray[np.bool_] | None:
        """Which nonzeros are between free motions; None if all are."""
        free = self.frame.free[self._nodes].ravel()
        if free.all() or self.frame.ties:
            return None
        return np.asarray(np.repeat(free, np.diff(self._all.indptr)) & free[self._all.indices])

    @cached_property
    def _reduced(self) -> tuple[NDArray[np.int32], NDArray[np.int32], sparse.csr_array | None]:
        """indptr and indices over the free motions, and with links the sum that leads there."""
        if self.frame.ties:
            return self._linked()
        whole, keep = self._all, self._kept
        if keep is None:
            return whole.indptr, whole.indices, None
        free = self.frame.free[self._nodes].ravel()
        number = np.cumsum(free, dtype=np.int32) - 1
        before = np.concatenate([[0], np.cumsum(keep)])[whole.indptr]
        starts = np.concatenate([[0], np.cumsum(np.diff(before)[free])]).astype(np.int32)
        return starts, number[whole.indices[keep]], None

    def _linked(self) -> tuple[NDArray[np.int32], NDArray[np.int32], sparse.csr_array]:
        """T'XT, entry by entry: each nonzero (i, j) of X adds T[i, a] T[j, b] to (a, b)."""
        indptr, indices = self._all.indptr, self._all.indices
        T, n = self.T, self.n
        i, j = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr)), indices.astype(np.intp)
        wide = np.diff(T.indptr)
        times = wide[i] * wide[j]
        entry = np.repeat(np.arange(len(i)), times)
        within = np.arange(len(entry)) - np.repeat(np.cumsum(times) - times, times)
        a = T.indptr[i[entry]] + within // np.maximum(wide[j[entry]], 1)
        b = T.indptr[j[entry]] + within % np.maximum(wide[j[entry]], 1)
        keys, inverse = np.unique(T.indices[a].astype(np.int64) * n + T.indices[b], return_inverse=True)
        add = sparse.csr_array((T.data[a] * T.data[b], (inverse, entry)), shape=(len(keys), len(i)))
        start = np.searchsorted(keys // n, np.arange(n + 1))
        return start.astype(np.int32), (keys % n).astype(np.int32), add

    def data(self, elements: Array | None = None, points: dict[int, Array] | None = None) -> Array:
        """The pattern's data from element matrices, blocks (elements, 2, 2, 6, 6), and node matrices {node: (6, 6)}."""
        blocks = self._blocks
        total = np.zeros((len(blocks.column), 36)) if elements is None else blocks.add @ elements.reshape(-1, 36)
        for node, matrix in (points or {}).items():
            if blocks.diagonal[node] >= 0:
                total[blocks.diagonal[node]] += matrix.ravel()
        values = blocks.matrix(total).data
        if self.frame.ties:
            after = self._reduced[2]
            assert after is not None
            return np.asarray(after @ values)
        return np.asarray(values if self._kept is None else values[self._kept])

    def matrix(self, data: Array) -> sparse.csr_array:
        """The sparse matrix with these data; the pattern is shared, not copied."""
        indptr, indices, _ = self._reduced
        result = sparse.csr_array((data, indices, indptr), shape=(self.n, self.n), copy=False)
        result.has_sorted_indices = True
        return result

    def vector(self, elements: Array) -> Array:
        """Element vectors (cases, elements, 12) summed over all motions: (cases, 6 nodes)."""
        cases, count = elements.shape[0], 6 * len(self.frame.nodes)
        where = (6 * self.frame.elements[:, :, None] + np.arange(6)).reshape(-1)
        return (
            np.stack([np.bincount(where, one.reshape(-1), count) for one in elements]).astype(np.float64)
            if cases
            else np.empty((0, count))
        )


def _through_links(frame: BeamFrame) -> sparse.csr_array:
    """All motions from those that no link sets; links may follow one another, but not in a circle."""
    count = 6 * len(frame.nodes)
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    for (to, node), tied in frame.ties.items():
        rigid = np.eye(6)
        rigid[:3, 3:] = -tilde(frame.nodes[node] - frame.nodes[to])  # u + theta x arm
        for k in tied:
            for other in np.flatnonzero(rigid[k]):
                rows.append(6 * node + k)
                columns.append(6 * to + int(other))
                values.append(float(rigid[k, other]))
    follows = sparse.csr_array((values, (rows, columns)), shape=(count, count))
    set_by = np.zeros(count, dtype=int)
    for row in {(node, k) for (_, node), tied in frame.ties.items() for k in tied}:
        set_by[6 * row[0] + row[1]] = sum(row[0] == node and row[1] in tied for (_, node), tied in frame.ties.items())
    if set_by.max() > 1:
        place = int(np.argmax(set_by))
        raise FlexuraError(
            f"The motion {DOFS[place % 6]} of node {place // 6} is tied twice", advice="leave one link out"
        )
    through = sparse.diags_array((set_by == 0).astype(float)).tocsr()
    chained = follows @ sparse.diags_array((set_by > 0).astype(float)).tocsr()
    total, left = through, chained
    for _ in range(len(frame.ties)):
        total, left = through + follows @ total, chained @ left
    if left.count_nonzero():  # something still follows a follower
        circle = ", ".join(f"({a}, {b})" for a, b in frame.ties)
        raise FlexuraError(f"The links {circle} go in a circle", advice="leave out the one that closes it")
    return total
