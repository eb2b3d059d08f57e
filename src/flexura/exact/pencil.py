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
from numpy.typing import NDArray

from flexura.exact.dynamic_stiffness import DynamicStiffness
from flexura.exact.lines import Array
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
        line, first, z = self.lines[i], int(self._first[i]), self._maps[i]
        e, n, size = line.line.end_values, line.number, line.size
        inner, place = size - line.outer, np.arange(n) * size
        entries: list[tuple[Any, Any, Any]] = []

        def dense(rows: NDArray[Any], value: Array) -> None:
            for column in np.flatnonzero(value):
                entries.append((rows, np.full(len(rows), column), np.full(len(rows), value[column])))

        for j in range(e):
            dense(place[:1] + j, z[j])
            dense(place[-1:] + e + j, z[e + j])
            joints = first + np.arange(n - 1) * e + j
            entries += [(place[1:] + j, joints, np.ones(n - 1)), (place[:-1] + e + j, joints, np.ones(n - 1))]
        for j in range(2 * e, line.outer):
            dense(place + j, z[j])
        for j in range(inner):
            entries.append((place + line.outer + j, first + (n - 1) * e + np.arange(n) * inner + j, np.ones(n)))
        rows, columns, values = (np.concatenate(one) for one in zip(*entries, strict=True))
        return scipy.sparse.csr_matrix((values, (rows, columns)), shape=(n * size, self.size))

    @cached_property
    def gathers(self) -> tuple[Any, ...]:
        """One for each line."""
        made = tuple(self._gather(i) for i in range(len(self.lines)))
        return tuple(one.toarray() for one in made) if self.dense else made

    @cached_property
    def matrices(self) -> tuple[Any, Any, Any]:
        """K, C, M: arrays, or sparse if there are many unknowns."""
        return tuple(self._matrix(power) for power in range(3))

    def _matrix(self, power: int) -> Any:
        total: Any = np.zeros((self.size, self.size)) if self.dense else scipy.sparse.csr_matrix((self.size, self.size))
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
        return np.asarray((self.gathers[i] @ X).reshape(line.number, line.size, -1))

    def energies(self, X: Array) -> tuple[Array, Array]:
        """X' K X and X' M X, summed from what the lines do at Gauss points."""
        z = X[: self.system.independent.shape[1]]
        K, M = (z.T @ self.stiffness.rigid[power] @ z for power in (0, 2))
        for i, line in enumerate(self.lines):
            local = self.local(i, X) * line.slope_ratio[:, :, None]
            slots = [one.T @ local for one in line.tables(None)]
            jets = np.array(np.broadcast_arrays(*slots)) if slots else np.zeros((0, 1, 1, X.shape[1]))
            K, M = K + _squares(line, jets, 0), M + _squares(line, jets, 2)
        return (K + K.T) / 2, (M + M.T) / 2


def pencil_at(stiffness: DynamicStiffness, size: float) -> Pencil:
    """The pencil for |s|^2 up to `size`, made once for each way to cut the lines."""
    made = Pencil(stiffness, size)
    return stiffness.kept.setdefault(made.levels, made)  # type: ignore[no-any-return]


def _squares(line: Stretches, jets: Array, power: int) -> Array:
    """Twice an energy as squares of strains (L D L' at each point), so that w_x - phi is formed before squaring."""
    n = len(jets)
    total = np.zeros((jets.shape[-1], jets.shape[-1]))
    c = np.zeros((n, n, *line.points[2].shape))
    for (which, a, b), one in line.weighted.items():
        if which == power:
            c[a, b] += one / 2
            c[b, a] += one / 2
    sizes = np.abs(np.einsum("iikg->ikg", c)).copy()
    for i in range(n):
        pivot = np.where(np.abs(c[i, i]) <= 1e-14 * sizes[i], 0.0, c[i, i])
        rest = np.where(pivot == 0, c[i, i + 1 :], 0.0)  # what cannot be completed to a square stays a product
        ratio = np.divide(c[i, i + 1 :], pivot, out=np.zeros_like(c[i, i + 1 :]), where=pivot != 0)
        strain = jets[i] + np.einsum("jkg,jkga->kga", ratio, jets[i + 1 :])
        total += np.einsum("kga,kgb->ab", strain * pivot[:, :, None], strain, optimize=True)
        if rest.any():
            other = np.einsum("jkg,jkga->kga", rest, jets[i + 1 :])
            cross = np.einsum("kga,kgb->ab", jets[i], other, optimize=True)
            total += cross + cross.T
        c[i + 1 :, i + 1 :] -= ratio[:, None] * c[i, i + 1 :][None]
    return total


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
