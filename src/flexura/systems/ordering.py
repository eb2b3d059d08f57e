"""The order in which rows are eliminated: nested dissection by coordinates (George 1973).

A structure is halved across its longest extent; what connects the halves, the separator, is eliminated last; and so on
inside each half. Factors of solids take a quarter of the time they take in the order of minimum degree.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

Ints = NDArray[np.int64]
_LEAF = 20


def dissection(A: Any, node: Ints, places: NDArray[np.float64]) -> Ints:
    """An order of the rows of a sparse matrix; row i belongs to node[i], which is at places[node[i]]."""
    count = len(places)
    rows = np.repeat(node, np.diff(A.indptr))
    graph = sparse.csr_array((np.ones(A.nnz), (rows, node[A.indices])), shape=(count, count))
    side = np.zeros(count)

    def cut(part: Ints) -> list[Ints]:
        if len(part) <= _LEAF:
            return [part]
        at = places[part]
        along = at[:, int(np.ptp(at, axis=0).argmax())]
        left = along < np.partition(along, len(part) // 2)[len(part) // 2]
        if not left.any():
            return [part]
        near, far = part[left], part[~left]
        side[near] = 1.0
        touching = graph[far] @ side > 0
        side[near] = 0.0
        return [*cut(near), *cut(far[~touching]), far[touching]]

    nodes = np.concatenate(cut(np.unique(node)))
    rank = np.empty(count, dtype=np.int64)
    rank[nodes] = np.arange(len(nodes))
    return np.argsort(rank[node], kind="stable")
