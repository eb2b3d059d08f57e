"""Symmetric elimination of many small sparse matrices at once: the same pattern, another set of numbers at each point.

The pattern is ordered once by least degree, so the work grows with the number of members. Pivots are taken as they
come; `growth` tells where one was so small that the answer should be found another way.

    >>> order = Elimination(n, cliques, kept=0)
    >>> negative, growth, smallest = order(entries, sizes)        # entries: (entry, point), changed in place
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from flexura.solve.exact.lines import Array
from flexura.solve.exact.long_digits import Long, minus, over, times
from flexura.solve.exact.segments import Matrices

Index = NDArray[np.int64]
_TINY = 1e-290


class Elimination:
    """Where entries are kept, and which change which."""

    def __init__(self, n: int, cliques: Iterable[Index], kept: int = 0) -> None:
        """`n` unknowns; each clique holds unknowns that meet; the last `kept` stay."""
        self.n, self.kept = n, kept
        near: list[set[int]] = [set() for _ in range(n)]
        for clique in cliques:
            for i in clique.tolist():
                near[i].update(clique.tolist())
        for i, one in enumerate(near):
            one.discard(i)
        order, fronts = _least_degree(near, n - kept)
        self.places: dict[tuple[int, int], int] = {(i, i): i for i in range(n)}
        for i, front in zip(order, fronts, strict=True):
            for j in front:
                self._place(i, j)
            for j in front:
                for k in front:
                    self._place(j, k)
        for i in range(n - kept, n):
            for j in range(n - kept, n):
                self._place(i, j)
        self._steps = [self._step(i, front) for i, front in zip(order, fronts, strict=True)]
        pairs = np.array(list(self.places), dtype=np.int64).reshape(-1, 2)
        self.rows, self.columns = pairs[:, 0], pairs[:, 1]

    @property
    def entries(self) -> int:
        """How many entries are kept."""
        return len(self.places)

    def _place(self, i: int, j: int) -> int:
        return self.places.setdefault((min(i, j), max(i, j)), len(self.places))

    def _step(self, i: int, front: list[int]) -> tuple[int, Index, Index, Index, Index, Index]:
        a, b = _upper(len(front))
        column = np.array([self._place(i, j) for j in front], dtype=np.int64)
        target = np.array([self._place(front[x], front[y]) for x, y in zip(a, b, strict=True)], dtype=np.int64)
        return i, np.array(front, dtype=np.int64), column, target, a, b

    def __call__(self, V: Matrices, sizes: Array) -> tuple[Index, Array, Array]:
        """Eliminate all but the kept: how many pivots were negative, the largest change and the smallest pivot.

        Both are against `sizes`, (unknown, point).
        """
        negative, growth, smallest = np.zeros(V.shape[1], np.int64), np.zeros(V.shape[1]), np.full(V.shape[1], np.inf)
        for i, front, column, target, a, b in self._steps:
            pivot = V[i]
            pivot[np.abs(pivot) < _TINY] = _TINY
            if not np.iscomplexobj(V):
                negative += pivot < 0
            np.minimum(smallest, np.abs(pivot) / sizes[i], out=smallest)
            if not len(front):
                continue
            values = V[column]
            shares = values / pivot
            V[target] -= values[a] * shares[b]
            met = front < self.n - self.kept
            if met.any():
                change = np.abs(values[met] * shares[met]) / sizes[front[met]]
                np.maximum(growth, change.max(axis=0), out=growth)
        return negative, growth, smallest

    def with_long_digits(self, V: Long, sizes: Array) -> tuple[Index, Array]:
        """Negative pivots and growth of real entries with long digits, changed in place; none are kept."""
        negative, growth = np.zeros(V.head.shape[1], np.int64), np.zeros(V.head.shape[1])
        for i, front, column, target, a, b in self._steps:
            head = V.head[i]
            head[np.abs(head) < _TINY] = _TINY
            negative += head < 0
            if not len(front):
                continue
            values = V[column]
            shares = over(values, V[i])
            V.put(target, minus(V[target], times(values[a], shares[b])))
            np.maximum(growth, np.abs(values.head * shares.head / sizes[front]).max(axis=0), out=growth)
        return negative, growth

    def solutions(self, V: Matrices) -> Matrices:
        """(unknown, kept, point): all unknowns where one of the kept is 1 and the others are 0; V is eliminated."""
        Z = np.zeros((self.n, self.kept, V.shape[1]), V.dtype)
        Z[self.n - self.kept :] = np.eye(self.kept)[:, :, None]
        for i, front, column, *_ in reversed(self._steps):
            Z[i] = -np.einsum("jp,jkp->kp", V[column], Z[front]) / V[i]
        return Z


@lru_cache(maxsize=256)
def _upper(n: int) -> tuple[Index, Index]:
    a, b = np.triu_indices(n)
    return a, b


def _least_degree(near: list[set[int]], count: int) -> tuple[list[int], list[list[int]]]:
    """The order of elimination, and what each unknown still meets then."""
    heap = [(len(near[i]), i) for i in range(count)]
    heapq.heapify(heap)
    done: set[int] = set()
    order, fronts = [], []
    while heap:
        degree, i = heapq.heappop(heap)
        if i in done or degree != len(near[i]):
            continue
        done.add(i)
        order.append(i)
        front = sorted(near[i])
        fronts.append(front)
        for j in front:
            near[j].update(front)
            near[j] -= {i, j}
            if j < count:
                heapq.heappush(heap, (len(near[j]), j))
    return order, fronts
