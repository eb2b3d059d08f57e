"""The same system before it is condensed: K + s C + s^2 M over coordinates, joints and inner functions, without poles.

Shapes come from here, and all digits of undamped eigenvalues: energies are summed from strains at Gauss points, so that
nothing cancels in slender or finely cut members. Unlike D(s), which takes a uniform line whole, the pencil is cut into
stretches with as many functions as the waves in them need.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.exact.dynamic_stiffness import DynamicStiffness
from flexura.solve.exact.line_stiffness import MOST, LineStiffness
from flexura.solve.exact.lines import Array, Line
from flexura.solve.exact.segments import Matrices, Stretches
from flexura.solve.exact.strains import factor, inside_without_strain, places, unknowns
from flexura.systems.inertia import refuse_indefinite, semidefinite

DENSE = 200  # unknowns up to which full matrices are quicker
_LONGEST = 20.0  # the phase of one stretch
Solver = Callable[[Matrices], Matrices]


class Pencil:
    """The matrices of a system whose lines are cut finely enough for |s|^2 up to `size`, or for all s in `reach`.

    >>> pencil = Pencil(stiffness, size=1e4)
    >>> pencil.K, pencil.local(0, X)
    """

    def __init__(self, stiffness: DynamicStiffness, size: float, extra: int = 0, reach: Matrices | None = None) -> None:
        """`extra` halvings are made beyond what is needed, for comparison."""
        self.system, self.stiffness = stiffness.system, stiffness
        pairs = list(zip(self.system.lines, stiffness.lines, strict=True))
        each = {one: _cut(one, size, extra, reach) for one in dict.fromkeys(stiffness.lines)}
        self.cuts = tuple(each[one] for one in stiffness.lines)
        self.lines = tuple(_stretches(line, cut) for (line, _), cut in zip(pairs, self.cuts, strict=True))
        self.maps = tuple(
            map_ * np.concatenate([np.tile(line.end_scales, 2), np.ones(len(map_) - 2 * line.line.end_values)])[:, None]
            for line, map_ in zip(self.lines, stiffness.maps, strict=True)
        )
        self._first = np.cumsum([stiffness.n, *map(unknowns, self.lines)])

    @property
    def size(self) -> int:
        """How many unknowns."""
        return int(self._first[-1])

    @property
    def dense(self) -> bool:
        """Few enough for full matrices."""
        return self.size <= DENSE

    @cached_property
    def K(self) -> Any:
        """Stiffness: an array, or sparse if there are many unknowns."""
        return self._full(0) if self.dense else self._sparse(0)

    @cached_property
    def C(self) -> Any:
        """What multiplies s."""
        return self._full(1) if self.dense else self._sparse(1)

    @cached_property
    def M(self) -> Any:
        """What multiplies s^2."""
        return self._full(2) if self.dense else self._sparse(2)

    def _full(self, power: int) -> Array:
        total = np.zeros((self.size, self.size))
        z = self.stiffness.n
        total[:z, :z] = self.stiffness.rigid[power]
        for i, (line, map_) in enumerate(zip(self.lines, self.maps, strict=True)):
            place = self.places[i]
            own = np.zeros((line.outer + unknowns(line),) * 2)
            forms = np.broadcast_to(line.forms[power], (line.number, line.size, line.size))
            for at, form in zip(place, forms, strict=True):
                own[at[:, None], at] += form
            mine = slice(int(self._first[i]), int(self._first[i + 1]))
            total[:z, :z] += map_.T @ own[: line.outer, : line.outer] @ map_
            total[:z, mine] += map_.T @ own[: line.outer, line.outer :]
            total[mine, :z] += own[line.outer :, : line.outer] @ map_
            total[mine, mine] = own[line.outer :, line.outer :]
        return total

    def _sparse(self, power: int) -> Any:
        rows, columns, values, at = [], [], [], 0
        rigid = self.stiffness.rigid[power]
        for line, place in ((None, None), *zip(self.lines, self.places, strict=True)):
            forms = rigid[None] if line is None else line.forms[power]
            place = np.arange(len(rigid))[None] if place is None else place
            k, i, j = np.nonzero(np.broadcast_to(forms, (len(place), *forms.shape[1:])))
            rows.append(at + place[k, i])
            columns.append(at + place[k, j])
            values.append(forms[k if len(forms) > 1 else 0, i, j])
            at += len(rigid) if line is None else line.outer + unknowns(line)
        index = np.concatenate(rows), np.concatenate(columns)
        whole = scipy.sparse.csr_array((np.concatenate(values), index), shape=(at, at))
        return (self._spread.T @ whole @ self._spread).tocsc()

    @cached_property
    def places(self) -> tuple[NDArray[np.int64], ...]:
        """For each line: (stretch, local function) -> place among the line's own values."""
        return tuple(places(line) for line in self.lines)

    @cached_property
    def _spread(self) -> Any:
        """Every line's own values from the unknowns: coordinates by its map, the rest one to one."""
        at = self.stiffness.n
        rows, columns, values = [np.arange(at)], [np.arange(at)], [np.ones(at)]
        for i, (line, map_) in enumerate(zip(self.lines, self.maps, strict=True)):
            (a, b), n = np.nonzero(map_), unknowns(line)
            rows += [at + a, at + len(map_) + np.arange(n)]
            columns += [b, int(self._first[i]) + np.arange(n)]
            values += [map_[a, b], np.ones(n)]
            at += len(map_) + n
        found = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
        return scipy.sparse.csr_array(found, shape=(at, self.size))

    def at(self, s: complex | None, s2: complex) -> Any:
        """K + s C + s^2 M."""
        return self.K + s2 * self.M if s is None else self.K + s * self.C + s2 * self.M

    def solver(self, s: complex | None, s2: complex) -> Solver:
        """What solves with K + s C + s^2 M."""
        return solvers(self.at(s, s2))[0]

    def local(self, i: int, X: Matrices) -> Matrices:
        """The coefficients of line i's functions in each stretch: (stretch, function, column)."""
        mine = slice(int(self._first[i]), int(self._first[i + 1]))
        own = np.concatenate([self.maps[i] @ X[: self.stiffness.n], X[mine]])
        return np.asarray(own[self.places[i]])

    def energies(self, X: Array) -> tuple[Array, Array]:
        """X' K X and X' M X, summed from what springs and bodies do one by one, and lines at Gauss points."""
        z = X[: self.stiffness.n]
        found = [np.zeros((X.shape[1], X.shape[1])) for _ in (0, 2)]
        for k, power in enumerate((0, 2)):
            rows, signs, rest = self._rigid_squares[power]
            own = rows @ z
            found[k] += (own * signs[:, None]).T @ own + z.T @ rest @ z
        for i, line in enumerate(self.lines):
            jets = self._jets(i, X)
            for k, power in enumerate((0, 2)):
                for weight, a, b in _squares(line, jets, power):
                    columns = a.shape[-1]
                    part = (a * weight[:, :, None]).reshape(-1, columns).T @ b.reshape(-1, columns)
                    found[k] = found[k] + (part + part.T) / (2 if a is b else 1)
        return (found[0] + found[0].T) / 2, (found[1] + found[1].T) / 2

    def quotients(self, X: Array) -> tuple[Array, Array]:
        """x' K x / x' M x and x' M x of each column."""
        z = X[: self.stiffness.n]
        found = [np.zeros(X.shape[1]) for _ in (0, 2)]
        for k, power in enumerate((0, 2)):
            rows, signs, rest = self._rigid_squares[power]
            found[k] += signs @ (rows @ z) ** 2 + (z * (rest @ z)).sum(axis=0)
        for i, line in enumerate(self.lines):
            jets = self._jets(i, X)
            for k, power in enumerate((0, 2)):
                for weight, a, b in _squares(line, jets, power):
                    found[k] = found[k] + (1 if a is b else 2) * np.einsum("kg,kga,kga->a", weight, a, b)
        return found[0] / found[1], found[1]

    def rounding(self, X: Array) -> Array:
        """|x|' |K| |x| / x' M x of each column: what the rounding of K is to be measured by."""
        size = np.abs(X)
        mass = np.einsum("ij,ij->j", X, self.M @ X)
        return np.asarray(np.einsum("ij,ij->j", size, abs(self.K) @ size) / mass)

    @cached_property
    def _rigid_squares(self) -> dict[int, tuple[Any, Array, Any]]:
        """What is not spread as signed squares of rows, and what has no sign, over the independent coordinates."""
        N = scipy.sparse.csr_array(self.system.independent)
        found = {}
        for power in (0, 2):
            rows, signs = [scipy.sparse.csr_array((0, N.shape[0]))], [np.zeros(0)]
            rest = scipy.sparse.csr_array((N.shape[0], N.shape[0]))
            for part in self.system.contributions(power):
                root, sign = _root(part)
                rows.append(scipy.sparse.csr_array(root))
                signs.append(np.full(root.shape[0], sign))
                rest = rest + scipy.sparse.csr_array(part) if sign == 0 else rest
            found[power] = scipy.sparse.vstack(rows).tocsr() @ N, np.concatenate(signs), N.T @ rest @ N
        return found

    def gross(self, X: Array) -> Array:
        """The stiffness of each column with every contribution taken as positive, per unit of mass."""
        z = X[: self.stiffness.n]
        rows, _, rest = self._rigid_squares[0]
        found = ((rows @ z) ** 2).sum(axis=0) + (np.abs(z) * (np.abs(rest) @ np.abs(z))).sum(axis=0)
        for i, line in enumerate(self.lines):
            for weight, a, b in _squares(line, self._jets(i, X), 0):
                found += (1 if a is b else 2) * np.einsum("kg,kga->a", np.abs(weight), np.abs(a * b))
        return np.asarray(found / np.einsum("ij,ij->j", X, self.M @ X))

    def rigid_shapes(self, motions: Array) -> Array:
        """Motions of the independent coordinates without strain, followed into the lines."""
        found = np.zeros((self.size, motions.shape[1]))
        n = self.stiffness.n
        found[:n] = motions
        if self.system.multipliers:  # they may balance strains
            if motions.size and self.size > n:
                found[n:] = -solvers(self.K[n:, n:])[0](np.asarray(self.K[n:, :n] @ motions))
            return found
        for i, line in enumerate(self.lines):
            mine = slice(int(self._first[i]), int(self._first[i + 1]))
            if motions.size and mine.stop > mine.start:
                found[mine] = inside_without_strain(line, self.maps[i] @ motions)
        return found

    def factor(self, power: int) -> Array:
        """F of K = F' F (power 0) or of M (2) over the unknowns, where every contribution is positive.

        Its rows are strains or velocities, of springs and bodies one by one, and of lines at Gauss points.
        """
        rigid = self._rigid_squares[power][0].toarray()
        rows = [np.hstack([rigid, np.zeros((len(rigid), self.size - self.stiffness.n))])]
        for i, line in enumerate(self.lines):
            own = factor(line, power)
            full = np.zeros((len(own), self.size))
            full[:, : self.stiffness.n] = own[:, : line.outer] @ self.maps[i]
            full[:, int(self._first[i]) : int(self._first[i + 1])] = own[:, line.outer :]
            rows.append(full)
        return np.vstack(rows)

    def _jets(self, i: int, X: Array) -> Array:
        """What line i's slots are at its Gauss points: (slot, stretch, point, column)."""
        line = self.lines[i]
        local = self.local(i, X) * line.slope_ratio[:, :, None]
        slots = [one.T @ local for one in line.gauss_tables]
        return np.array(np.broadcast_arrays(*slots)) if slots else np.zeros((0, 1, 1, X.shape[1]))


def solvers(matrix: Any) -> tuple[Solver, Solver]:
    """What solves with a matrix, full or sparse, and with its transpose."""
    if scipy.sparse.issparse(matrix):
        made = scipy.sparse.linalg.splu(matrix.tocsc())
        return made.solve, lambda b: made.solve(b, "T")
    factors = scipy.linalg.lu_factor(matrix, check_finite=False)
    return (
        lambda b: scipy.linalg.lu_solve(factors, b, check_finite=False),
        lambda b: scipy.linalg.lu_solve(factors, b, trans=1, check_finite=False),
    )


def pencil_at(stiffness: DynamicStiffness, size: float) -> Pencil:
    """The pencil for |s|^2 up to `size`, made once for each way to cut the lines."""
    each = {line: _cut(line, size, 0) for line in dict.fromkeys(stiffness.lines)}
    key = tuple(each[line] for line in stiffness.lines)
    if key not in stiffness.pencils:
        stiffness.pencils[key] = Pencil(stiffness, size)
    found: Pencil = stiffness.pencils[key]
    return found


class _Cut(NamedTuple):
    """How many stretches between nodes (none: the line's ends and breaks), and how many inner functions in each."""

    number: int
    inner: int
    nodes: tuple[float, ...] = ()


def _cut(line: LineStiffness, size: float, extra: int, reach: Matrices | None = None) -> _Cut:
    if line.closed is None:
        level = line.level(size)
        if line.line.uniform and not line.line.breaks:
            return _Cut(2 ** (level + extra), line.inner)
        return _Cut(2**extra, line.inner, tuple(line.stretches(level).nodes.tolist()))
    s2 = -np.array([0.0, size / 4, size / 2, size]) if reach is None else reach**2
    phase = float(line.closed.phase(line.closed.at(reach, s2)).max())
    if not phase < MOST * _LONGEST:
        raise FlexuraError(
            f"The line of {line.line.name} would have {phase / math.pi:.1g} half waves at the frequencies of"
            " others, which is more than can be followed",
            advice="check its values, or leave out what is so much softer",
        )
    number = max(1, math.ceil(phase / _LONGEST))
    return _Cut(number * 2**extra, 10 + math.ceil(1.05 * phase / number))


def _stretches(line: Line, cut: _Cut) -> Stretches:
    ends = cut.nodes or (line.start, *line.breaks, line.end)
    cuts = [np.linspace(a, b, cut.number + 1)[:-1] for a, b in itertools.pairwise(ends)]
    return Stretches(line, np.append(np.concatenate(cuts), ends[-1]), cut.inner)


def _squares(line: Stretches, jets: Array, power: int) -> Iterator[tuple[Array, Array, Array]]:
    """Twice an energy as weights times squares of strains: w_x - phi is formed before squaring.

    What cannot be completed to a square stays a product of two.
    """
    for i, pivot, ratio, rest in line.completed(power):
        strain = jets[i]
        if ratio is not None:
            strain = strain + np.einsum("jkg,jkga->kga", ratio, jets[i + 1 :])
        yield pivot, strain, strain
        if rest is not None:
            yield np.ones_like(pivot), jets[i], np.einsum("jkg,jkga->kga", rest, jets[i + 1 :])


def refuse_negative_inertia(stiffness: DynamicStiffness, size: float) -> None:
    """Refuse a kinetic energy that some motion makes negative, as deflections beyond their theory do."""
    squares = [square for line in dict.fromkeys(stiffness.lines) for square in line.simple.completed(2)]
    parts = stiffness.system.contributions(2)
    if all(one.rest is None and np.all(one.pivot >= 0) for one in squares) and all(map(semidefinite, parts)):
        return  # a sum of squares; else they may still balance
    pencil = pencil_at(stiffness, size)
    refuse_indefinite(pencil.M, pencil.K)


def _root(part: Array) -> tuple[Array, float]:
    """R and the sign of a contribution sign R' R, found in units that make its diagonal one; none without a sign."""
    used = np.flatnonzero(np.any(part, axis=0))
    own = part[np.ix_(used, used)]
    size = np.sqrt(np.abs(np.diagonal(own)))
    rows = np.zeros((0, len(part)))
    if not len(used) or np.any(size == 0) or not np.array_equal(part, part.T):
        return rows, 0.0
    values, V = np.linalg.eigh(own / np.outer(size, size))
    most = float(np.abs(values).max())
    sign = 1.0 if values.min() > -1e-12 * most else -1.0 if values.max() < 1e-12 * most else 0.0
    if sign:
        kept = sign * values > 1e-12 * most
        rows = np.zeros((int(kept.sum()), len(part)))
        rows[:, used] = (V[:, kept] * np.sqrt(sign * values[kept])).T * size
    return rows, sign


def eigenspace(pencil: Pencil, eigenvalues: Array, width: float) -> tuple[Array, Array]:
    """Eigenvalues omega^2 of a close group, polished, and their shapes with unit modal mass, by inverse iteration."""
    m, M = len(eigenvalues), pencil.M
    sigma = float(np.mean(eigenvalues)) + width
    solve = pencil.solver(None, -sigma)
    X = np.random.default_rng(7).standard_normal((pencil.size, min(m + 2, pencil.size)))
    for _ in range(4):
        X = solve(M @ X)
        X = X / np.abs(X).max(axis=0)
        X = np.linalg.qr(X)[0]
    X = solve(M @ X)
    found, X = rotated(pencil, X / np.abs(X).max(axis=0))
    near = np.sort(np.argsort(np.abs(found - sigma), kind="stable")[:m])
    X = solve(M @ X[:, near])  # once more by themselves: the spare vectors, which may be stiff, brought rounding in
    return rotated(pencil, X / np.abs(X).max(axis=0))


def rotated(pencil: Pencil, X: Array) -> tuple[Array, Array]:
    """Eigenvalues and shapes with unit modal mass within the span of X."""
    for _ in range(2):  # the second round works with vectors that are nearly M-orthonormal already
        K, M = pencil.energies(X)
        weights, U = np.linalg.eigh(M)
        kept = weights > 1e-13 * weights.max()
        U = U[:, kept] / np.sqrt(weights[kept])
        found, V = np.linalg.eigh(U.T @ K @ U)
        X = X @ (U @ V)
    return found, X
