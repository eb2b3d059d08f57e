"""D(s) of the whole system over its independent coordinates, and the count of what was condensed away.

J_0 of Wittrick and Williams are the modes with every coordinate held, counted line by line; J = J_0 + the negative
pivots of D. Symmetric systems keep D as a list of entries and are eliminated at all points at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from flexura.solve.exact.elimination import Elimination, Index
from flexura.solve.exact.gluing import Counts
from flexura.solve.exact.inertia_blocks import negative_of
from flexura.solve.exact.line_stiffness import LineStiffness, kind
from flexura.solve.exact.lines import Array, Line, LinearSystem
from flexura.solve.exact.long_count import LongCount
from flexura.solve.exact.segments import INNER, Matrices

_GROWTH = 1e5
_LONG_GROWTH = 1e12  # with 32 digits
_FULL = 60  # coordinates up to which full matrices are as quick
_CHUNK = 200_000  # entries held at once
_TOGETHER = 128  # points, however many entries there are: steps take as long for few as for many
Flags = NDArray[np.bool_]


class DynamicStiffness:
    """D(s) of a system. `D(None, s2)` is real and symmetric for conservative systems, `D(s, s2)` complex otherwise."""

    def __init__(self, system: LinearSystem, inner: int = INNER, kept: int = 0) -> None:
        """`inner` functions in each stretch, another number gives another check; `kept` coordinates stay at the end."""
        self.system, self.kept = system, kept
        kinds = [kind(line) for line in system.lines]
        first: dict[object, int] = {}
        twins = [i if one is None else first.setdefault(one, i) for i, one in enumerate(kinds)]
        made = {i: LineStiffness(system.lines[i], inner) for i in dict.fromkeys(twins)}
        self.lines = tuple(made[i] for i in twins)  # equal members are the same
        N = csr_array(system.independent)  # most coordinates are independent, and most forms hold few of them
        self.rigid = np.array([(N.T @ csr_array(form) @ N).toarray() for form in system.rigid])
        self.maps = tuple(_map(line, N) for line in system.lines)
        self.pencils: dict[Any, Any] = {}  # what is built once for each way to cut the lines

    @property
    def n(self) -> int:
        """How many coordinates."""
        return int(self.system.independent.shape[1])

    def __call__(self, s: Matrices | None, s2: Matrices) -> tuple[Matrices, Counts]:
        """D over (point, z, z), and J_0 at each point (zeros where s is given)."""
        D, count = self._rigid(s, s2), np.zeros(len(s2), np.int64)
        done: dict[int, tuple[Matrices, Counts]] = {}
        for line, map_ in zip(self.lines, self.maps, strict=True):
            if id(line) not in done:
                done[id(line)] = line.part(s, s2)
            part, passed = done[id(line)]
            used = np.flatnonzero(np.abs(map_).max(axis=0, initial=0.0))
            D[:, used[:, None], used] += map_[:, used].T @ np.moveaxis(part, 2, 0) @ map_[:, used]
            count += passed
        return D, count

    def levels(self, s: Matrices) -> dict[LineStiffness, int]:
        """How finely each line must be cut for all of these s."""
        return {line: line.finest(s, s * s) for line in dict.fromkeys(self.lines)}

    def determinants(self, s: Matrices, levels: dict[LineStiffness, int]) -> tuple[Matrices, Array]:
        """D with lines cut at given levels, and the phase of the determinants of what was condensed."""
        s2 = s * s
        D, phase = self._rigid(s, s2), np.zeros(len(s))
        done: dict[int, tuple[Matrices, Counts]] = {}
        for line, map_ in zip(self.lines, self.maps, strict=True):
            if id(line) not in done:
                done[id(line)] = line.galerkin(s, s2, levels[line])
            part, passed = done[id(line)]
            used = np.flatnonzero(np.abs(map_).max(axis=0, initial=0.0))
            D[:, used[:, None], used] += map_[:, used].T @ part @ map_[:, used]
            phase += passed
        return D, phase

    def _rigid(self, s: Matrices | None, s2: Matrices) -> Matrices:
        at = (slice(None), None, None)
        D = self.rigid[0] + s2[at] * self.rigid[2]
        return np.asarray(D if s is None else D + s[at] * self.rigid[1])

    @cached_property
    def elimination(self) -> Elimination:
        """The order in which coordinates leave."""
        rigid = np.argwhere(np.any(self.rigid, axis=0))
        return Elimination(self.n, [*rigid, *self._used], self.kept)

    @cached_property
    def _used(self) -> list[Index]:
        """For each line, the coordinates that move it."""
        return [np.flatnonzero(np.abs(map_).max(axis=0, initial=0.0)) for map_ in self.maps]

    @cached_property
    def _shares(self) -> list[tuple[Index, Array, tuple[Index, Index]]]:
        """For each line: which entries it adds to, and how its own entries make them."""
        found = []
        for map_, used in zip(self.maps, self._used, strict=True):
            a, b = np.triu_indices(len(map_))
            i, j = np.triu_indices(len(used))
            x, y = map_[:, used[i]], map_[:, used[j]]
            share = x[a] * y[b] + np.where((a == b)[:, None], 0.0, x[b] * y[a])
            place = np.array([self.elimination.places[p, q] for p, q in zip(used[i], used[j], strict=True)], np.int64)
            found.append((place, np.ascontiguousarray(share.T), (a, b)))
        return found

    @property
    def shares(self) -> Iterator[tuple[LineStiffness, Array, Index, tuple[Index, Array, tuple[Index, Index]]]]:
        """Lines, their values from coordinates, the coordinates used, and `_shares`."""
        return zip(self.lines, self.maps, self._used, self._shares, strict=True)

    def rigid_entries(self, power: int) -> Array:
        """The entries of what is not spread."""
        return np.asarray(self.rigid[power, self.elimination.rows, self.elimination.columns])

    def entries(self, s: Matrices | None, s2: Matrices) -> tuple[Matrices, Counts]:
        """D of a symmetric system as (entry, point), and J_0."""
        V = self.rigid_entries(0)[:, None] + self.rigid_entries(2)[:, None] * s2
        if s is not None:
            V = V + self.rigid_entries(1)[:, None] * s
        count = np.zeros(len(s2), np.int64)
        done: dict[int, tuple[Matrices, Counts]] = {}
        for line, (place, share, (a, b)) in zip(self.lines, self._shares, strict=True):
            if id(line) not in done:
                part, passed = line.part(s, s2)
                done[id(line)] = part[a, b], passed
            part, passed = done[id(line)]
            if len(place):
                V[place] += share @ part
            count += passed
        return V, count

    def dense(self, V: Matrices) -> Matrices:
        """Entries as matrices (point, z, z)."""
        D = np.zeros((V.shape[1], self.n, self.n), V.dtype)
        D[:, self.elimination.rows, self.elimination.columns] = V.T
        D[:, self.elimination.columns, self.elimination.rows] = V.T
        return D

    def sizes(self, s2: Matrices) -> Array:
        """About how large D's diagonal is, (coordinate, point), smooth in |s^2|."""
        at = np.abs(s2)
        found = np.abs(np.diagonal(self.rigid[0]))[:, None] + np.abs(np.diagonal(self.rigid[2]))[:, None] * at
        done = {id(line): line for line in self.lines}
        each = {key: line.sizes(at) for key, line in done.items()}
        for line, map_, used in zip(self.lines, self.maps, self._used, strict=True):
            found[used] += (map_[:, used] ** 2).T @ each[id(line)]
        for i in np.flatnonzero(~found.any(axis=1))[: self.system.multipliers]:  # in units of what they push
            with np.errstate(divide="ignore", invalid="ignore"):
                pushed = np.where(found > 0, self.rigid[0][:, i, None] ** 2 / found, 0.0)
            found[i] = pushed.max(axis=0, initial=0.0)
        found = np.where(found > 0, found, 1.0)
        for one, map_ in zip(self.system.lines, self.maps, strict=True):
            if one.loads is not None:  # loads in units of what they meet at the end
                e = one.end_values
                place = np.flatnonzero(np.abs(map_[e : 2 * e]).max(axis=0))
                used = np.flatnonzero(np.abs(map_[-e:]).max(axis=0))
                met = ((map_[-e:, used] ** 2)[:, :, None] / found[used][None]).max(axis=1, initial=0.0)
                found[place] = np.where(met > 0, met, 1.0)
        return np.asarray(found)

    def stiff(self, squares: Array) -> Flags:
        """(line, omega^2): which lines are so stiff at which frequencies that D would lose what they weigh."""
        first = np.array([line.rigid_below for line in self.lines])
        return np.asarray(np.abs(squares)[None] < first[:, None])

    @cached_property
    def _alike(self) -> list[tuple[list[int], Any, Array]]:
        """Lines whose values couple alike; their values, one line after the other, from coordinates; what couples."""
        groups: dict[bytes, list[int]] = {}
        for k, line in enumerate(self.lines):
            groups.setdefault(line.coupled.tobytes(), []).append(k)
        maps = [csr_array(np.abs(np.vstack([self.maps[k] for k in which]))) for which in groups.values()]
        return [(which, map_, self.lines[which[0]].coupled) for which, map_ in zip(groups.values(), maps, strict=True)]

    def rounded(self, s2: Matrices, X: Matrices, Y: Matrices) -> Array:
        """(line or rest, column of Y, point): what an error of 1 in all entries against their sizes makes of Y' D X.

        `X` is (coordinate, point), `Y` is (coordinate, column, point).
        """
        at, X, Y = np.abs(s2), np.abs(X), np.abs(Y)
        found = np.zeros((len(self.lines) + 1, *Y.shape[1:]))
        roots = {id(line): np.sqrt(line.sizes(at)) for line in dict.fromkeys(self.lines)}
        for which, map_, coupled in self._alike:
            shape = len(which), len(coupled)
            x = (map_ @ X).reshape(*shape, -1)
            y = (map_ @ Y.reshape(len(Y), -1)).reshape(*shape, *Y.shape[1:])
            root = np.stack([roots[id(self.lines[k])] for k in which])
            found[which] = np.einsum("lip,likp->lkp", root * (coupled @ (root * x)), y)
            for k, one, other in zip(which, x, y, strict=True):
                if self.system.lines[k].loads is not None:
                    found[k] += self.lines[k].rounded_loads(one, other)
        found[-1] = self._rounded_rest(at, X, Y)
        return found

    def _rounded_rest(self, at: Array, X: Array, Y: Array) -> Array:
        i, j = np.nonzero(np.any(self.rigid, axis=0))
        K, C, M = np.abs(self.rigid[:, i, j, None])
        return np.asarray(np.einsum("ip,ikp->kp", (K + C * np.sqrt(at) + M * at) * np.abs(X[j]), np.abs(Y[i])))

    def rounded_at_most(self, s2: Matrices, X: Matrices, Y: Matrices, sizes: Array) -> Array:
        """(column of Y, point): a bound of all those together, from the sizes of D's diagonal; not for mixed forms.

        A line makes (sum of r y) (sum of r x) at most, r^2 its sizes and x, y its values, which few coordinates make;
        by Cauchy and Schwarz that is N |x| |y|, squares weighted by the sizes, with N entries in what makes values.
        """
        x = np.sqrt(np.einsum("ip,ip,ip->p", sizes, X, X.conj()).real)
        y = np.sqrt(np.einsum("ip,ikp,ikp->kp", sizes, Y, Y.conj()).real)
        most = max((np.count_nonzero(map_) for map_ in self.maps), default=0)
        return np.asarray(most * x * y + self._rounded_rest(np.abs(s2), X, Y))

    def chunks(self, points: int) -> list[slice]:
        """Points that are taken together."""
        step = max(_TOGETHER, _CHUNK // max(1, self.elimination.entries))
        return [slice(first, first + step) for first in range(0, points, step)]

    def pivots(self, eigenvalues: Array) -> tuple[Array, Counts]:
        """Eigenvalues of the scaled D at each omega^2, ascending, and J_0."""
        sizes, counts = [np.zeros((0, self.n))], [np.zeros(0, np.int64)]
        for part in self.chunks(len(eigenvalues)):
            V, count = self.entries(None, -eigenvalues[part])
            sizes.append(self._eigenvalues(V, eigenvalues[part]))
            counts.append(count)
        return np.concatenate(sizes), np.concatenate(counts)

    def _eigenvalues(self, V: Matrices, eigenvalues: Array) -> Array:
        unit = 1 / np.sqrt(self.sizes(eigenvalues).T)
        return np.asarray(np.linalg.eigvalsh(self.dense(V) * unit[:, :, None] * unit[:, None, :]), np.float64)

    def _inertia(self, V: Matrices) -> Counts:
        """Negative eigenvalues where pivots alone do not tell: of blocks along a band, or of full matrices if small."""
        order = self.elimination
        found = negative_of(V, order.rows, order.columns, self.n) if self.n > _FULL else None
        return _negative(self.dense(V)) if found is None else found

    @cached_property
    def mixed(self) -> bool:
        """Loads are among the coordinates: pivots may vanish."""
        return any(line.loads is not None for line in self.system.lines)

    def count(self, eigenvalues: Array) -> Counts:
        """J: how many modes have omega^2 below each of these."""
        found = np.zeros(len(eigenvalues), np.int64)
        for part in self.chunks(len(eigenvalues)):
            squares = eigenvalues[part]
            J, left = np.zeros(len(squares), np.int64), self._digits_lost(squares)
            if left.any():
                negative, growth, passed = self._long(squares[left])
                J[left] = negative + passed
                left[left] = growth < _LONG_GROWTH
            if not left.all():
                J[~left] = self._short_count(squares[~left])
            found[part] = J
        return found

    def _short_count(self, squares: Array) -> Counts:
        V, count = self.entries(None, -squares)
        left = V.copy()
        negative, growth, _ = self.elimination(left, self.sizes(squares))
        weak = np.flatnonzero(~(growth < _GROWTH) | self.mixed)
        if len(weak):
            negative[weak] = self._inertia(V[:, weak])
        return np.asarray(count + negative)

    def _digits_lost(self, squares: Array) -> Flags:
        """Where pivots need long digits, and can have them."""
        none = np.full(len(squares), False)
        if self.mixed or self.system.multipliers or not self.lines:
            return none
        stiff = self.stiff(squares)
        served = self._long.serves(np.flatnonzero(stiff.any(axis=1)).tolist())
        return np.asarray(stiff.any(axis=0)) if served else none

    @cached_property
    def _long(self) -> LongCount:
        return LongCount(self)


def _negative(D: Matrices) -> Counts:
    """How many negative eigenvalues, of matrices (point, row, column) whose rows are first brought to one size."""
    for _ in range(6):
        size = np.sqrt(np.abs(D).max(axis=2, initial=0.0))
        unit = 1 / np.where(size > 0, size, 1.0)
        D = D * unit[:, :, None] * unit[:, None, :]
    return np.asarray((np.linalg.eigvalsh(D) < 0).sum(axis=1))


def _map(line: Line, N: Any) -> Array:
    """(end a, end b, coordinates) from independent ones; (end a, loads, coordinates, end b) in mixed form."""
    e, ends = line.end_values, np.asarray((csr_array(line.ends) @ N).toarray())
    coordinates = _rows(N, list(line.coordinates))
    if line.loads is None:
        return np.vstack([ends, coordinates])
    return np.vstack([ends[:e], _rows(N, range(line.loads, line.loads + e)), coordinates, ends[e:]])


def _rows(N: Any, which: Sequence[int]) -> Array:
    return np.asarray(N[list(which)].toarray()) if which else np.zeros((0, N.shape[1]))
