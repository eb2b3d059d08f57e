"""The same system before it is condensed: K + s C + s^2 M over coordinates, joints and inner functions, without poles.

Shapes come from here, and the last digits of eigenvalues: energies are summed from strains at Gauss points, so that
nothing cancels in slender or finely cut members.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg

from flexura.exact.dynamic_stiffness import DynamicStiffness
from flexura.exact.reading import Array
from flexura.exact.segments import Matrices, Stretches

DENSE = 500
Solver = Callable[[Matrices], Matrices]


class Pencil:
    """The matrices of a system whose lines are cut finely enough for |s|^2 up to `size`.

    >>> pencil = Pencil(stiffness, size=1e4)
    >>> pencil.matrices[0], pencil.local(0, X)
    """

    def __init__(self, stiffness: DynamicStiffness, size: float, extra: int = 0) -> None:
        """`extra` levels are cut beyond what is needed, for comparison."""
        self.system, self.stiffness = stiffness.system, stiffness
        self.levels = tuple(line.level(size) + extra for line in stiffness.lines)
        self.lines = tuple(line.stretches(n) for line, n in zip(stiffness.lines, self.levels, strict=True))
        self._maps = tuple(
            line.map(n) @ self.system.independent for line, n in zip(stiffness.lines, self.levels, strict=True)
        )
        self._first = np.cumsum([self.system.independent.shape[1], *map(_unknowns, self.lines)])

    @property
    def size(self) -> int:
        """How many unknowns."""
        return int(self._first[-1])

    @property
    def dense(self) -> bool:
        """Few enough for full matrices."""
        return self.size <= DENSE

    def _gather(self, i: int) -> Any:
        """Local functions of all stretches of a line from the unknowns, a sparse matrix."""
        line, first = self.lines[i], int(self._first[i])
        e, n, size = line.line.end_values, line.number, line.size
        inner = size - line.outer
        maps, place = scipy.sparse.lil_matrix((n * size, self.size)), np.arange(n) * size
        z = self._maps[i].shape[1]
        for j in range(e):
            maps[j, :z] = self._maps[i][j]
            maps[(n - 1) * size + e + j, :z] = self._maps[i][e + j]
            joints = first + np.arange(n - 1) * e + j
            maps[place[1:] + j, joints] = 1.0
            maps[place[:-1] + e + j, joints] = 1.0
        for j in range(2 * e, line.outer):
            for k in range(n):
                maps[k * size + j, :z] = self._maps[i][j]
        start = first + (n - 1) * e
        for j in range(inner):
            maps[place + line.outer + j, start + np.arange(n) * inner + j] = 1.0
        return maps.tocsr()

    @cached_property
    def gathers(self) -> tuple[Any, ...]:
        """One for each line."""
        made = tuple(self._gather(i) for i in range(len(self.lines)))
        return tuple(one.toarray() for one in made) if self.dense else made

    @cached_property
    def matrices(self) -> tuple[Any, Any, Any]:
        """K, C, M: arrays, or sparse if there are many unknowns."""
        return tuple(self._matrix(power) for power in range(3))  # type: ignore[return-value]

    def _matrix(self, power: int) -> Any:
        total = np.zeros((self.size, self.size)) if self.dense else scipy.sparse.csr_matrix((self.size, self.size))
        z = self.system.independent.shape[1]
        rigid = self.stiffness.rigid[power]
        if self.dense:
            total[:z, :z] += rigid
        else:
            total = total + scipy.sparse.block_diag([rigid, scipy.sparse.csr_matrix((self.size - z,) * 2)])
        for line, gather in zip(self.lines, self.gathers, strict=True):
            forms = np.broadcast_to(line.forms[power], (line.number, line.size, line.size))
            if self.dense:
                parts = gather.reshape(line.number, line.size, self.size)
                total += np.einsum("kin,kim->nm", parts, forms @ parts, optimize=True)
            else:
                total = total + gather.T @ scipy.sparse.block_diag(list(forms), format="csr") @ gather
        return total if self.dense else total.tocsc()

    def at(self, s: complex | None, s2: complex) -> Any:
        """K + s C + s^2 M."""
        K, C, M = self.matrices
        return K + s2 * M if s is None else K + s * C + s2 * M

    def solver(self, s: complex | None, s2: complex) -> Solver:
        """What solves with K + s C + s^2 M."""
        matrix = self.at(s, s2)
        if self.dense:
            factors = scipy.linalg.lu_factor(matrix, check_finite=False)
            return lambda b: scipy.linalg.lu_solve(factors, b, check_finite=False)
        return scipy.sparse.linalg.splu(matrix.tocsc()).solve  # type: ignore[no-any-return]

    def local(self, i: int, X: Matrices) -> Matrices:
        """The coefficients of line i's functions in each stretch: (stretch, function, column)."""
        line = self.lines[i]
        return (self.gathers[i] @ X).reshape(line.number, line.size, -1)

    def energies(self, X: Array) -> tuple[Array, Array]:
        """X' K X and X' M X, summed from what the lines do at Gauss points."""
        z = X[: self.system.independent.shape[1]]
        K, M = (z.T @ self.stiffness.rigid[power] @ z for power in (0, 2))
        for i, line in enumerate(self.lines):
            local = self.local(i, X) * line.slope_ratio[:, :, None]
            slots = [one.T @ local for one in line.tables(None)]
            for (power, a, b), c in line.weighted.items():
                part = np.einsum("kga,kgb->ab", slots[a] * c[:, :, None], slots[b], optimize=True)
                if power == 0:
                    K = K + part
                elif power == 2:
                    M = M + part
        return (K + K.T) / 2, (M + M.T) / 2


def _unknowns(line: Stretches) -> int:
    return (line.number - 1) * line.line.end_values + line.number * (line.size - line.outer)


def eigenspace(pencil: Pencil, eigenvalues: Array, width: float) -> tuple[Array, Array]:
    """Eigenvalues omega^2 of a close group, polished, and their shapes with unit modal mass, by inverse iteration."""
    m, M = len(eigenvalues), pencil.matrices[2]
    sigma = float(np.mean(eigenvalues)) + width
    solve = pencil.solver(None, -sigma)
    X = np.random.default_rng(7).standard_normal((pencil.size, min(m + 2, pencil.size)))
    for _ in range(4):
        X = solve(M @ X)
        X = X / np.abs(X).max(axis=0)
        X = np.linalg.qr(X)[0]
    X = solve(M @ X)
    X = X / np.abs(X).max(axis=0)
    for _ in range(2):  # the second round works with vectors that are nearly M-orthonormal already
        K, M2 = pencil.energies(X)
        weights, U = np.linalg.eigh(M2)
        kept = weights > 1e-13 * weights.max()
        U = U[:, kept] / np.sqrt(weights[kept])
        found, V = np.linalg.eigh(U.T @ K @ U)
        X = X @ (U @ V)
    near = np.sort(np.argsort(np.abs(found - sigma), kind="stable")[:m])
    return found[near], X[:, near]
