"""D(s) of the whole system over its independent coordinates, and the count of what was condensed away.

Stretches are glued in pairs; the negative pivots of every condensed joint, and the inner eigenvalues passed, are J_0 of
Wittrick and Williams: modes with every coordinate held. J = J_0 + negative eigenvalues of D.
"""

from __future__ import annotations

import itertools
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.exact.lines import Array, Line, LinearSystem
from flexura.exact.segments import INNER, Matrices, Stretches

Counts = NDArray[Any]  # whole numbers; phases of what was condensed where s is complex
_HIGHEST = 14
_INSIDE = 1  # inner eigenvalues a stretch may reach: a phase of about 5; beside a pole passed, digits are lost


class LineStiffness:
    """One line at every fineness: level n has 2^n stretches between places where a property changes over."""

    def __init__(self, line: Line, inner: int = INNER) -> None:
        """`inner` functions in each stretch."""
        self.line, self.inner = line, inner
        self._levels: dict[int, Stretches] = {}
        self._tops: dict[int, float] = {}

    def stretches(self, level: int) -> Stretches:
        """The line cut at a level."""
        if level not in self._levels:
            ends = [self.line.start, *self.line.breaks, self.line.end]
            cuts = [np.linspace(a, b, 2**level + 1)[:-1] for a, b in itertools.pairwise(ends)]
            self._levels[level] = Stretches(self.line, np.append(np.concatenate(cuts), ends[-1]), self.inner)
        return self._levels[level]

    def top(self, level: int) -> float:
        """Up to which |s|^2 a level is exact to rounding; negative if it is nowhere."""
        if level not in self._tops:
            self._tops[level] = self._measure(level)
        return self._tops[level]

    def _measure(self, level: int) -> float:
        """Compare with more inner functions: the first inner eigenvalues, and D half way up."""
        coarse = self.stretches(level)
        fine = Stretches(self.line, coarse.nodes, self.inner + 6)
        a, b = coarse.condensed, fine.condensed
        if a is None or b is None:
            return -1.0
        first, second = (np.sort(one.mu, axis=1)[:, -_INSIDE:] for one in (a, b))
        if np.abs(first - second).max(initial=0.0) > 1e-9 * np.abs(second).max(initial=0.0):
            return -1.0
        largest = float(first[:, 0].max(initial=0.0))
        massless = largest <= 1e-14 * float(first.max(initial=0.0))
        half = np.array([0.0 if massless else -0.37 / largest])
        D, E = (one(None if self._still else np.sqrt(half + 0j), half)[0] for one in (a, b))
        scale = np.sqrt(np.abs(np.einsum("kii->ki", a.B[0])) + np.abs(half[0] * np.einsum("kii->ki", a.B[2])))
        scale[scale == 0] = np.inf  # a load or an output
        if (np.abs(D - E) / (scale[..., :, None] * scale[..., None, :])).max(initial=0.0) > 1e-11:
            return -1.0
        return np.inf if massless else 0.7 / largest  # away from the pole

    @cached_property
    def _still(self) -> bool:
        return not np.any(self.line.constant[1]) and all(power != 1 for power, *_ in self.line.varying)

    def level(self, size: float) -> int:
        """The coarsest level that is exact at |s|^2 = size."""
        for level in range(_HIGHEST + 1):
            if self.top(level) >= size:
                return level
        raise FlexuraError(
            f"The line of {self.line.name} cannot be resolved at s^2 of size {size:.3g}: its stiffness must be positive"
            " and its properties smooth in x; check the values."
        )

    def levels(self, sizes: Array) -> Counts:
        """The coarsest level for each |s|^2."""
        highest = self.level(float(sizes.max(initial=0.0)))
        tops = np.maximum.accumulate([self.top(level) for level in range(highest + 1)])
        return np.searchsorted(tops, sizes, side="left")

    def __call__(self, s: Matrices | None, s2: Matrices, level: int) -> tuple[Matrices, Counts]:
        """D over (end a, end b, coordinates), and J_0."""
        stretches = self.stretches(level)
        assert stretches.condensed is not None
        D, below = stretches.condensed(s, s2)
        e = self.line.end_values
        if self.line.uniform and not self.line.breaks:
            return _doubled(D[:, 0], below, e, level)
        return _joined(D, below, e)

    def map(self, level: int) -> Array:
        """(end a, end b, coordinates) from generalized coordinates."""
        scales = np.tile(self.stretches(level).end_scales, 2)
        units = np.eye(self.line.ends.shape[1])[list(self.line.coordinates)]
        return np.vstack([self.line.ends * scales[:, None], units])


def _kind(line: Line) -> tuple[object, ...] | None:
    """What uniform lines that behave alike have in common, wherever they stand."""
    if not line.uniform or line.breaks:
        return None
    slots = tuple(slot if slot[0] >= 0 else (-1, 0) for slot in line.slots)
    return line.end - line.start, line.orders, slots, line.constant.tobytes()


def _doubled(D: Matrices, below: Counts, e: int, level: int) -> tuple[Matrices, Counts]:
    count = below * 2**level
    for left in range(level - 1, -1, -1):
        D, passed = _pair(D, D, e)
        count = count + passed * 2**left
    return D, count


def _joined(D: Matrices, below: Counts, e: int) -> tuple[Matrices, Counts]:
    while D.shape[1] > 1:
        even = D.shape[1] // 2 * 2
        pairs, passed = _pair(D[:, 0:even:2], D[:, 1:even:2], e)
        below = below + passed.sum(axis=1)
        D = np.concatenate([pairs, D[:, even:]], axis=1)
    return D[:, 0], below


def _pair(A: Matrices, B: Matrices, e: int) -> tuple[Matrices, Counts]:
    """Glue the end of A to the start of B and condense the joint: (a, b, p) again, and the joint's negative pivots."""
    a, b, p = slice(0, e), slice(e, 2 * e), slice(2 * e, None)
    n = A.shape[-1]
    kept = np.zeros(np.broadcast_shapes(A.shape, B.shape), dtype=A.dtype)
    kept[..., a, a], kept[..., a, p], kept[..., p, a] = A[..., a, a], A[..., a, p], A[..., p, a]
    kept[..., b, b], kept[..., b, p], kept[..., p, b] = B[..., b, b], B[..., b, p], B[..., p, b]
    kept[..., p, p] = A[..., p, p] + B[..., p, p]
    count = np.zeros(kept.shape[:-2], np.int64)
    if e == 0:
        return kept, count
    joint = A[..., b, b] + B[..., a, a]
    right = np.zeros((*kept.shape[:-2], e, n), dtype=A.dtype)
    right[..., a], right[..., b], right[..., p] = A[..., b, a], B[..., a, b], A[..., b, p] + B[..., a, p]
    left = np.zeros((*kept.shape[:-2], n, e), dtype=A.dtype)
    left[..., a, :], left[..., b, :], left[..., p, :] = A[..., a, b], B[..., b, a], A[..., p, b] + B[..., p, a]
    if np.iscomplexobj(joint):
        return kept - left @ np.linalg.solve(joint, right), np.angle(np.linalg.slogdet(joint)[0])
    sizes, V = np.linalg.eigh(joint)
    tiny = 1e-15 * np.abs(sizes).max(axis=-1, keepdims=True) + 1e-300
    sizes = np.where(np.abs(sizes) < tiny, tiny, sizes)
    return kept - (left @ V / sizes[..., None, :]) @ (V.swapaxes(-1, -2) @ right), (sizes < 0).sum(axis=-1)


class DynamicStiffness:
    """D(s) of a system. `D(None, s2)` is real and symmetric for conservative systems, `D(s, s2)` complex otherwise."""

    def __init__(self, system: LinearSystem, inner: int = INNER) -> None:
        """`inner` functions in each stretch; another number gives an independent check."""
        self.system = system
        self.lines = tuple(LineStiffness(line, inner) for line in system.lines)
        N = system.independent
        self.rigid = np.array([N.T @ form @ N for form in system.rigid])
        self._maps: dict[tuple[int, int], Array] = {}
        kinds = [_kind(line) for line in system.lines]
        self._twins = [i if kind is None else kinds.index(kind) for i, kind in enumerate(kinds)]
        self.kept: dict[tuple[int, ...], Any] = {}  # what others build once for each way to cut the lines

    def _map(self, i: int, level: int) -> Array:
        if (i, level) not in self._maps:
            self._maps[i, level] = self.lines[i].map(level) @ self.system.independent
        return self._maps[i, level]

    def __call__(self, s: Matrices | None, s2: Matrices, even: bool = False) -> tuple[Matrices, Counts]:
        """D over (point, z, z), and J_0 at each point; `even`: lines are cut alike for all points."""
        at = (slice(None), None, None)
        D = self.rigid[0] + s2[at] * self.rigid[2]
        if s is not None:
            D = D + s[at] * self.rigid[1]
        count: Counts = np.zeros(len(s2), np.int64 if s is None else np.float64)
        done: dict[tuple[int, int], tuple[Matrices, Counts]] = {}  # equal members are condensed once
        for i, line in enumerate(self.lines):
            levels = line.levels(np.full(len(s2), np.abs(s2).max()) if even else np.abs(s2))
            for level in map(int, np.unique(levels)):
                here = slice(None) if (levels == level).all() else np.flatnonzero(levels == level)
                key = self._twins[i], level
                if key not in done:
                    done[key] = self.lines[key[0]](None if s is None else s[here], s2[here], level)
                part, passed = done[key]
                map_ = self._map(i, level)
                used = np.flatnonzero(np.abs(map_).max(axis=0, initial=0.0))
                rows = np.arange(len(s2))[here]
                D[np.ix_(rows, used, used)] += map_[:, used].T @ part @ map_[:, used]
                count[here] += passed
        return D, count

    @cached_property
    def units(self) -> Array:
        """A scale for each coordinate, so that eigenvalues of D do not mix units."""
        size = np.abs(np.diagonal(self.rigid[0])) + 0.0
        for i, line in enumerate(self.lines):
            level = line.level(0.0)
            condensed = line.stretches(level).condensed
            assert condensed is not None
            e2 = 2 * line.line.end_values
            diagonal = np.abs(np.einsum("kii->i", condensed.B[0]))
            map_ = self._map(i, level)
            size = size + (map_[:e2] ** 2).T @ diagonal[:e2] + (map_[e2:] ** 2).T @ diagonal[e2:]
        mass = np.abs(np.diagonal(self.rigid[2]))
        return 1 / np.sqrt(np.where(size > 0, size, np.where(mass > 0, mass, 1.0)))

    def pivots(self, eigenvalues: Array) -> tuple[Array, Counts]:
        """Eigenvalues of the scaled D at each omega^2, ascending, and J_0."""
        D, count = self(None, -eigenvalues)
        return np.asarray(np.linalg.eigvalsh(D * self.units[:, None] * self.units), np.float64), count

    def count(self, eigenvalues: Array) -> Counts:
        """J: how many modes have omega^2 below each of these."""
        sizes, passed = self.pivots(eigenvalues)
        return np.asarray(passed + (sizes < 0).sum(axis=1))
