"""All that belongs to s = 0 of s^2 M + s C + K: the kernel of K and the chains of drifts that start from it.

x0 with K x0 = 0 rests anywhere; K x1 = -C x0 lets it drift, x = x0 t + x1, K x2 = -C x1 - M x0 lets it accelerate
(theory, section 9). A rank is decided at each link of a chain; what is found is taken out of the pencil exactly, so
that roots at zero neither split into noise nor hide others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.structures.operating.dynamic import Rest, SplitPencil
from flexura.systems.soft import ROUNDING

Array = NDArray[Any]
_MOST = 8
_LOST = 1e3 * ROUNDING


@dataclass(frozen=True)
class ZeroRoots:
    """`kernel` (n, k) of K, and the states (x, x') of all chains: right (2n, m) and left, with left' B right = 1."""

    kernel: Array
    right: Array
    left: Array

    @property
    def multiplicity(self) -> int:
        """How often s = 0 is a root."""
        return int(self.right.shape[1])

    def without(self, states: Array) -> Array:
        """States (2n, ...) without their part in the chains."""
        return np.asarray(states - self.right @ (self.left.conj().T @ states))


def zero_roots(pencil: SplitPencil) -> ZeroRoots:
    """The roots at zero with their chains; none where K itself cannot be factorized."""
    n = pencil.system.n
    none = ZeroRoots(np.zeros((n, 0)), np.zeros((2 * n, 0)), np.zeros((2 * n, 0)))
    if not pencil.q.shape[1]:
        return none
    try:
        right = pencil.at_rest()
        left = right if pencil.system.symmetric else pencil.at_rest(transposed=True)
    except FlexuraError:
        return none
    if not right.kernel.shape[1]:
        return none
    M, C = pencil.system.M, pencil.system.rates
    x, v = _chains(right, left.kernel, M, C)
    y, w = (x, v) if left is right else _chains(left, right.kernel, M, None if C is None else C.T)
    if x.shape != y.shape:
        raise FlexuraError(
            "The motions without stiffness and those without reaction do not match in their drifts: K + H or D + G is"
            " rounded too coarsely to say how often zero is a root",
            advice="give near=... to look for roots elsewhere",
        )
    states, B = np.vstack([x, v]), np.vstack([(0 if C is None else C.T @ y) + M @ w, M.T @ y])
    gram = B.conj().T @ states
    return ZeroRoots(right.kernel, states, np.asarray(np.linalg.solve(gram.conj(), B.T).T))


def _chains(rest: Rest, opposite: Array, M: Any, C: Any) -> tuple[Array, Array]:
    """Bases (x, v) of {K x + C v + M w = 0, v = y : (y, w) one link before}, until no chain goes on."""
    kernel, terms = rest.kernel, None if C is None else _terms(C, M)
    x, v = kernel, np.zeros_like(kernel)
    for _ in range(_MOST):
        load = M @ v + (0 if C is None else C @ x)
        push = opposite.conj().T @ load
        size = np.abs(opposite).T @ (abs(M) @ np.abs(v) + (0 if C is None else terms @ np.abs(x)))
        goes = _unopposed(push, size)
        longer = -rest.solve(load @ goes)
        if kernel.shape[1] + goes.shape[1] == x.shape[1]:
            return x, v
        x, v = np.column_stack([kernel, longer]), np.column_stack([np.zeros_like(kernel), x @ goes])
    return x, v


def _terms(C: Any, M: Any) -> Any:
    """What the entries of C were summed from: not less than they are, nor than their rows and columns have otherwise.

    Entries that cancelled while the matrix was turned to global axes are only rounding, which |C| does not show: the
    translations along the axis of a turning frame, for one. Rows are compared in units of unit mass.
    """
    mass = np.sqrt(np.abs(M.diagonal()))
    unit = 1 / np.where(mass > 0, mass, mass.max(initial=0.0) or 1.0)
    entries = sparse.coo_array(C)
    i, j, data = entries.row, entries.col, np.abs(entries.data)
    most = np.zeros(len(unit))
    np.maximum.at(most, i, data * unit[i] * unit[j])
    np.maximum.at(most, j, data * unit[i] * unit[j])
    own = np.sqrt(most) / unit
    return sparse.csr_array((np.maximum(data, own[i] * own[j]), (i, j)), shape=C.shape)


def _unopposed(push: Array, size: Array) -> Array:
    """Combinations of columns whose push vanishes but for rounding, in units of what each entry is summed from."""
    columns = size.max(axis=0, initial=0.0)
    columns = np.where(columns > 0, columns, 1.0)
    rows = (size / columns).max(axis=1, initial=0.0)
    _, sizes, turned = np.linalg.svd(push / columns / np.where(rows > 0, rows, 1.0)[:, None])
    sizes = np.concatenate([sizes, np.zeros(len(turned) - len(sizes))])
    return np.asarray(turned[sizes <= _LOST].conj().T / columns[:, None])
