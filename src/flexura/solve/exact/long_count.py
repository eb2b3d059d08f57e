"""The count with 32 digits, for frequencies so low beside the members' own that 16 digits lose what the nodes weigh.

>>> negative, growth = LongCount(stiffness)(eigenvalues)            # D = K + R(s), K from strains (`at_rest.py`)

What is put together with long digits are numbers that were rounded member by member, each against its own strains or
its own inertia: that changes a frequency by no more than as much in EI or rho would.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from flexura.solve.exact.at_rest import LineAtRest
from flexura.solve.exact.elimination import Index
from flexura.solve.exact.lines import Array
from flexura.solve.exact.long_digits import Long, exact_sum, plus, times, whole

if TYPE_CHECKING:
    from flexura.solve.exact.dynamic_stiffness import DynamicStiffness


class LongCount:
    """Negative pivots of D of a symmetric system, with long digits."""

    def __init__(self, stiffness: DynamicStiffness) -> None:
        """Lines that are not of the form wanted enter as they are."""
        self.stiffness = stiffness
        self._lines = {line: LineAtRest(line) for line in dict.fromkeys(stiffness.lines)}

    def serves(self, stiff: list[int]) -> bool:
        """Whether the lines that are stiff are of the form wanted."""
        lines = self.stiffness.lines
        return all(self._lines[lines[k]].strains is not None for k in stiff)

    @cached_property
    def _at_rest(self) -> Long:
        """The entries of K."""
        found = whole(self.stiffness.rigid_entries(0).copy())
        made: dict[tuple[int, bytes], Long] = {}
        for line, map_, used, (place, _, _) in self.stiffness.shares:
            strains = self._lines[line].strains
            if strains is None or not len(place):
                continue
            values = map_[:, used]
            key = id(line), values.tobytes()
            if key not in made:
                made[key] = _stiffness(*strains, values)
            found.put(place, plus(found[place], made[key]))
        return found

    def __call__(self, squares: Array) -> tuple[Index, Array, Index]:
        """Negative pivots and growth at each omega^2, and J_0."""
        s2 = -squares
        inertia, passed = self._inertia(s2)
        total = exact_sum(self._at_rest.head[:, None], inertia)
        V = Long(total.head, total.tail + self._at_rest.tail[:, None])
        negative, growth = self.stiffness.elimination.with_long_digits(V, self.stiffness.sizes(squares))
        return negative, growth, passed

    def _inertia(self, s2: Array) -> tuple[Array, Index]:
        """The entries of D without K, and J_0."""
        found = self.stiffness.rigid_entries(2)[:, None] * s2
        count, done = np.zeros(len(s2), np.int64), dict[int, tuple[Array, Index]]()
        for line, _, _, (place, share, (a, b)) in self.stiffness.shares:
            if id(line) not in done:
                part, passed = line.part(None, s2)
                at_rest = self._lines[line]
                done[id(line)] = (part if at_rest.strains is None else at_rest.inertia(s2, part))[a, b], passed
            part, passed = done[id(line)]
            if len(place):
                found[place] += share @ part
            count += passed
        return found, count


def _stiffness(T: Array, k: Array, values: Array) -> Long:
    """(T map)' k (T map), of its upper triangle."""
    moved = _product(T, values)
    i, j = np.triu_indices(values.shape[1])
    found = whole(np.zeros(len(i)))
    for a in range(len(k)):
        for b in range(len(k)):
            if k[a, b]:
                found = plus(found, times(times(moved[a][i], moved[b][j]), whole(np.full(len(i), k[a, b]))))
    return found


def _product(A: Array, B: Array) -> Long:
    """A B"""
    found = whole(np.zeros((len(A), B.shape[1])))
    for k in range(A.shape[1]):
        found = plus(found, times(whole(A[:, k, None]), whole(B[None, k])))
    return found
