"""Undamped modes: the pencil gives each omega^2, the count of Wittrick and Williams proves it.

D(s) says how many modes lie below any frequency. So the window that holds the modes asked for is known, with their
number; the pencil gives their values; and the count on both sides of every value, `WIDTHS[0]` away, must step there.
Where it does not (D close to a pole, lost digits), lines are cut elsewhere for the count, the value is polished alone,
and the certificate tells the width at which the count does step. If a root is missing, the count alone searches all.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from flexura.exact.dynamic_stiffness import DynamicStiffness
from flexura.exact.line_stiffness import Counts
from flexura.exact.lines import Array, LinearSystem, split
from flexura.exact.pencil import DENSE, Pencil, eigenspace, pencil_at
from flexura.exact.roots import search_roots
from flexura.exact.spectrum import slice_of, whole
from flexura.exact.window import FLOOR, Window, find_window, scale_of

WIDTHS = (4e-12, 1e-10, 1e-8, 1e-6)  # of omega^2: how closely the count brackets each value
_CLOSE = 1e-5  # roots closer than this are taken as a group
_ZERO = 1e-14  # of the first elastic omega^2
_SPLITS = (0.4142135623, 0.3719, 0.4583)
_SLICE = 110
_SMALL = 16  # coordinates up to which D is searched for many roots
_PHASE = 24.0


@dataclass(frozen=True)
class Count:
    """What the count said: `below` modes under `omega_low`, `upto` under `omega_high`, beside the last frequency.

    `width` is how closely (relative, in omega) the count brackets every frequency.
    """

    below: int
    upto: int
    omega_low: float
    omega_high: float
    negative: int
    total: int | None
    agrees: bool
    width: float


@dataclass(frozen=True)
class Undamped:
    """Eigenvalues omega^2, ascending, exact zeros where the system moves freely; `count` certifies them."""

    eigenvalues: Array
    stiffness: DynamicStiffness
    count: Count
    _kept: dict[tuple[int, int], tuple[Pencil, Array]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def _all_groups(self) -> list[tuple[int, int]]:
        return _groups(self.eigenvalues, self.reference)

    def group(self, k: int) -> tuple[int, int]:
        """The first and the last index (exclusive) of the eigenvalues that are close to the k-th."""
        return next((a, b) for a, b in self._all_groups if a <= k < b)

    @cached_property
    def reference(self) -> float:
        """The size of omega^2 that elastic modes have."""
        elastic = np.abs(self.eigenvalues[self.eigenvalues != 0])
        return float(elastic.min()) if len(elastic) else 1.0

    def vectors(self, k: int) -> tuple[Pencil, Array]:
        """The shapes of the k-th eigenvalue's whole group, with unit modal mass."""
        a, b = self.group(k)
        if (a, b) not in self._kept:
            pencil, _, X = _vectors(self.stiffness, self.eigenvalues[a:b], self.reference)
            self._kept[a, b] = pencil, X
        return self._kept[a, b]


class _Counters:
    """The system as it is, and with a joint inside each line at one place or another.

    At high phases the modes of a whole line with its ends held lie too close to those of the system, so that D is all
    pole there; then the first is left out.
    """

    def __init__(self, plain: DynamicStiffness) -> None:
        self.plain, self.first = plain, 0
        self._made: dict[int, DynamicStiffness] = {0: plain}

    def __getitem__(self, i: int) -> DynamicStiffness:
        if i not in self._made:
            self._made[i] = DynamicStiffness(split(self.plain.system, _SPLITS[i - 1]))
        return self._made[i]

    def __iter__(self) -> Iterator[DynamicStiffness]:
        return (self[i] for i in range(self.first, len(_SPLITS) + 1))

    def start(self, high: float) -> None:
        """Choose the first for frequencies up to here."""
        s2 = np.array([-high])
        phases = [one.closed.phase(one.closed.at(None, s2))[0] for one in self.plain.lines if one.closed is not None]
        self.first = int(max(phases, default=_PHASE + 1) > _PHASE and bool(self.plain.lines))


def solve_undamped(system: LinearSystem, count: int) -> Undamped:
    """All negative omega^2 and the first `count` of the others (fewer if there are fewer)."""
    plain = DynamicStiffness(system)
    counters, window = _Counters(plain), find_window(plain, count)
    counters.start(window.high)
    if window.total is not None and not np.any(system.rigid[0]):
        return _at_rest_anywhere(plain, min(count, window.total), window.total)
    found = _values(plain, counters, window)
    reference = _reference(found)
    groups = _groups(found, reference)
    bad = [groups[i] for i in _unproved(counters, found, groups, reference, WIDTHS[0])]
    if bad:
        again = _again(plain, counters, found, bad, reference)
        if again is None:
            again = search_roots(counters[1], window.count, within=(-window.under, window.high))
        found, reference = again, _reference(again)
    found = np.sort(np.where(np.abs(found) <= _ZERO * reference, 0.0, found))
    kept = count + int((found < 0).sum())
    proved = not bad and all(b <= kept or a >= kept for a, b in groups)
    found = found[:kept]
    return Undamped(found, plain, _certify(counters, found, window, reference, proved))


def search_undamped(system: LinearSystem, count: int) -> Array:
    """The omega^2 that `solve_undamped` starts from, found but not yet proved: for those who ask many systems."""
    plain = DynamicStiffness(system)
    counters, window = _Counters(plain), find_window(plain, count)
    counters.start(window.high)
    if window.total is not None and not np.any(system.rigid[0]):
        return np.zeros(min(count, window.total))
    found = _values(plain, counters, window)
    found = np.sort(np.where(np.abs(found) <= _ZERO * _reference(found), 0.0, found))
    return found[: count + int((found < 0).sum())]


def count_negative(system: LinearSystem) -> int:
    """How many omega^2 are negative, by the count alone; those within rounding of zero are not."""
    plain = DynamicStiffness(system)
    return int(plain.count(np.array([-FLOOR * scale_of(plain)]))[0])


def _at_rest_anywhere(plain: DynamicStiffness, count: int, total: int) -> Undamped:
    """Bodies that nothing holds or bends: every mode is a free motion, and there is no frequency to count below."""
    return Undamped(np.zeros(count), plain, Count(0, total, 0.0, 0.0, 0, total, True, 0.0))


def _values(plain: DynamicStiffness, counters: _Counters, window: Window) -> Array:
    """omega^2 of every mode in the window: from the pencil, or from D where that is by far the smaller."""
    if not window.count:
        return np.zeros(0)
    pencil = pencil_at(plain, max(window.high, window.under))
    if pencil.size <= DENSE and window.high < 1e9 * window.scale:
        return whole(pencil, min(window.count, pencil.size), window.under)[0]
    if counters[1].n <= _SMALL and window.count * counters[1].n < pencil.size:
        return search_roots(counters[1], window.count, within=(-window.under, window.high))
    edges, J = window.slices(plain, _SLICE)
    found = []
    for low, high, n in zip(edges[:-1], edges[1:], np.diff(J), strict=True):
        if n:
            values, _ = slice_of(pencil_at(plain, max(abs(low), abs(high), window.high / 20)), low, high, int(n))
            found.append(values if len(values) == n else search_roots(counters[1], int(n), within=(low, high)))
    return np.sort(np.concatenate(found))


def _unproved(
    counters: _Counters, found: Array, groups: list[tuple[int, int]], reference: float, width: float
) -> list[int]:
    """Groups where the count, with lines cut here or there, does not step from `a` to `b` within `width`."""
    bad = list(range(len(groups)))
    tries = 2 if width < 1e-8 else len(_SPLITS) + 1  # lost digits stay lost wherever lines are cut, poles do not
    for counter in itertools.islice(counters, tries):
        if not bad:
            break
        J = _beside(counter, found, [groups[k] for k in bad], reference, width)
        bad = [k for k, (low, high) in zip(bad, J, strict=True) if (low, high) != groups[k]]
    return bad


def _beside(
    counter: DynamicStiffness, found: Array, groups: list[tuple[int, int]], reference: float, width: float
) -> Counts:
    """J on both sides of each group."""
    return counter.count(_edges(found, groups, reference, width).ravel()).reshape(-1, 2)


def _edges(found: Array, groups: list[tuple[int, int]], reference: float, width: float) -> Array:
    def step(value: float) -> float:
        return width * abs(value) if abs(value) > 1e-8 * reference else 1e-8 * reference

    return np.array([[found[a] - step(found[a]), found[b - 1] + step(found[b - 1])] for a, b in groups])


def _again(
    plain: DynamicStiffness, counters: _Counters, found: Array, bad: list[tuple[int, int]], reference: float
) -> Array | None:
    """The values with those of doubtful groups polished alone; None if the count misses or has more somewhere."""
    found = found.copy()
    for a, b in bad:
        if tuple(counters[1].count(_edges(found, [(a, b)], reference, 1e-6)[0])) != (a, b):
            return None
        found[a:b] = _vectors(plain, found[a:b], reference)[1]
    return found


def _reference(found: Array) -> float:
    """The first elastic omega^2: the smallest that is not dwarfed by the next."""
    sizes = np.sort(np.abs(found))
    for i in range(len(sizes) - 1, 0, -1):
        if sizes[i - 1] <= 1e-9 * sizes[i]:
            return float(sizes[i])
    return float(sizes[0]) if len(sizes) and sizes[0] > 0 else 1.0


def _groups(found: Array, reference: float) -> list[tuple[int, int]]:
    if not len(found):
        return []
    larger = np.maximum(np.abs(found[1:]), np.abs(found[:-1]))
    apart = (np.diff(found) > _CLOSE * larger) & (larger > 1e-8 * reference)
    edges = [0, *(np.flatnonzero(apart) + 1).tolist(), len(found)]
    return list(itertools.pairwise(edges))


def _vectors(stiffness: DynamicStiffness, group: Array, reference: float) -> tuple[Pencil, Array, Array]:
    size = float(np.abs(group).max())
    zero = size <= 1e-8 * reference
    pencil = pencil_at(stiffness, reference if zero else size)
    eigenvalues, X = eigenspace(
        pencil, np.zeros(len(group)) if zero else group, (-1e-3 * reference if zero else 3e-6 * size)
    )
    return pencil, eigenvalues, X


def _certify(counters: _Counters, found: Array, window: Window, reference: float, proved: bool) -> Count:
    """Count beside every group, as closely as it can tell; `proved`: that was done with the first width."""
    negative = int((found < 0).sum())
    if not len(found):
        return Count(0, 0, 0.0, 0.0, 0, window.total, True, 0.0)
    *groups, last = _groups(found, reference)
    low, high, agrees = last[0], last[1], proved
    for width in WIDTHS:
        edges = _edges(found, [last], reference, width)[0]
        if agrees:
            break
        low, high, agrees = _last(counters, edges, last)
        agrees = agrees and not _unproved(counters, found, groups, reference, width)
    ends = [float(np.sign(x) * np.sqrt(abs(x))) for x in edges]
    return Count(low, high, ends[0], ends[1], negative, window.total, agrees, width / 2)


def _last(counters: _Counters, edges: Array, last: tuple[int, int]) -> tuple[int, int, bool]:
    """The count beside the last group, beyond which there may be more of it."""
    for counter in counters:
        low, high = map(int, counter.count(edges))
        if low == last[0] and high >= last[1]:
            return low, high, True
    return low, high, False
