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
from typing import NamedTuple

import numpy as np

from flexura.solve.exact.by_strains import MOST, lowest
from flexura.solve.exact.dynamic_stiffness import DynamicStiffness
from flexura.solve.exact.gluing import Counts
from flexura.solve.exact.kernels import Kernel, Settled, settle
from flexura.solve.exact.lines import Array, LinearSystem, split, with_loads
from flexura.solve.exact.pencil import DENSE, Pencil, eigenspace, pencil_at, refuse_negative_inertia, rotated
from flexura.solve.exact.roots import search_roots
from flexura.solve.exact.segments import INNER
from flexura.solve.exact.spectrum import refined, slice_of, whole
from flexura.solve.exact.window import FLOOR, RootWindow, find_window, scale_of

WIDTHS = (4e-12, 1e-10, 1e-8, 1e-6)  # of omega^2: how closely the count brackets each value
_WIDER = (1e-4, 1e-2)  # where D is rough, because members differ so much in stiffness
_CLOSE = 1e-5  # roots closer than this are taken as a group
_ROUGH = 1e-7  # of omega^2: what the rounding of K may be, or strains are used instead of it
_EPS = float(np.finfo(np.float64).eps)
_SMALLEST = 1e-6  # of the scale: what is not smaller is not zero
_ALL = (*WIDTHS, *_WIDER)
_SPLITS = (0.4142135623, 0.3719, 0.4583)
_OTHER = 5  # inner functions more, where values and count must not share their matrices
_LOST = WIDTHS[2]  # where the count does not even tell this, lines are too stiff for it
_SLICE = 110
_MANY = 600  # coordinates from which on cutting every line again costs more than polishing first
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
    motions: Array
    shapes: tuple[Pencil, Array] | None = None
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
        if (a, b) not in self._kept and self.eigenvalues[a] == 0 and b - a <= self.motions.shape[1]:
            pencil = pencil_at(self.stiffness, self.reference)
            self._kept[a, b] = pencil, rotated(pencil, pencil.rigid_shapes(self.motions))[1]
        elif (a, b) not in self._kept and self.shapes is not None:
            self._kept[a, b] = self.shapes[0], self.shapes[1][:, a:b]
        elif (a, b) not in self._kept:
            pencil, _, X = _vectors(self.stiffness, self.eigenvalues[a:b], self.reference)
            self._kept[a, b] = pencil, X
        return self._kept[a, b]


class _Counters:
    """The system as it is, and with a joint inside each line at one place or another.

    At high phases the modes of a whole line with its ends held lie too close to those of the system, so that D is all
    pole there; then the first is left out. No count proves what was found by itself, or with the same rounded matrices:
    the one that searched is left out, and lines without a closed form, whose stretches the pencil has too, are cut
    elsewhere and made of other functions. In doubt, lines that are stiff at the frequencies found enter in mixed form.
    """

    def __init__(self, plain: DynamicStiffness) -> None:
        self.plain, self.first = plain, 0
        self._made: dict[int, DynamicStiffness] = {0: plain}
        self._left_out = {1} if any(line.closed is None for line in plain.lines) else set[int]()

    def __getitem__(self, i: int) -> DynamicStiffness:
        if i not in self._made:
            self._made[i] = DynamicStiffness(split(self.plain.system, _SPLITS[i - 1]), INNER + _OTHER * (i > 1))
        return self._made[i]

    def __iter__(self) -> Iterator[DynamicStiffness]:
        return (self[i] for i in range(self.first, len(_SPLITS) + 1) if i not in self._left_out)

    def search(self, count: int, low: float, high: float) -> Array:
        """The `count` values between two by the count alone; that one proves nothing afterwards."""
        self._left_out.add(1)
        return search_roots(self[1], count, within=(low, high))

    def mixed(self, lowest: float) -> bool:
        """Take lines in mixed form that are stiff at the lowest frequency found, if there are any."""
        cuts = {i: split(self.plain.system, at) for i, at in enumerate(_SPLITS, start=1)}
        stiff = {i: np.flatnonzero(DynamicStiffness(cut).stiff(np.array([lowest]))) for i, cut in cuts.items()}
        if not any(map(len, stiff.values())):
            return False
        self.first = 1
        for i, cut in cuts.items():
            self._made[i] = DynamicStiffness(with_loads(cut, stiff[i].tolist()), INNER + _OTHER * (i > 1))
        return True

    def start(self, high: float) -> None:
        """Choose the first for frequencies up to here."""
        s2 = np.array([-high])
        phases = [one.closed.phase(one.closed.at(None, s2))[0] for one in self.plain.lines if one.closed is not None]
        high_phase = max(phases, default=_PHASE + 1) > _PHASE or bool(self._left_out)
        self.first = int(high_phase and bool(self.plain.lines))


def solve_undamped(settled: Settled, count: int) -> Undamped:
    """All negative omega^2 and the first `count` of the others (fewer if there are fewer)."""
    plain, kernel = settled.stiffness, settled.kernel
    refuse_negative_inertia(plain, scale_of(plain))
    counters, window = _Counters(plain), find_window(plain, count, kernel)
    counters.start(window.high)
    if window.total is not None and kernel.motions.shape[1] >= window.total:
        return _at_rest_anywhere(plain, min(count, window.total), window.total, kernel)
    values = _values(plain, counters, window, kernel)
    found = values.squares
    groups = _groups(found, _reference(found))
    bad = [groups[i] for i in _unproved(counters, found, groups, _reference(found), WIDTHS[0])]
    if bad and _unproved(counters, found, bad, _reference(found), _LOST) and counters.mixed(_reference(found)):
        bad = [bad[i] for i in _unproved(counters, found, bad, _reference(found), WIDTHS[0])]
    if bad and values.shapes is None:
        again = _again(plain, counters, found, bad, _reference(found))
        if again is None:
            again = counters.search(window.count, -window.under, window.high)
        found = _with_zeros(plain, again, kernel)
    kept = count + int((found < 0).sum())
    proved = not bad and all(b <= kept or a >= kept for a, b in groups)
    certificate = _certify(counters, found, kept, window, proved, WIDTHS if values.shapes is None else _ALL)
    return Undamped(found[:kept], plain, certificate, kernel.motions, values.shapes)


def search_undamped(system: LinearSystem, count: int) -> Array:
    """The omega^2 that `solve_undamped` starts from, found but not yet proved: for those who ask many systems."""
    settled = settle(system)
    plain, kernel = settled.stiffness, settled.kernel
    counters, window = _Counters(plain), find_window(plain, count, kernel)
    counters.start(window.high)
    if window.total is not None and kernel.motions.shape[1] >= window.total:
        return np.zeros(min(count, window.total))
    found = _values(plain, counters, window, kernel).squares
    return found[: count + int((found < 0).sum())]


def count_negative(system: LinearSystem) -> int:
    """How many omega^2 are negative, by the count alone; those within rounding of zero are not."""
    plain = DynamicStiffness(system)
    return int(plain.count(np.array([-FLOOR * scale_of(plain)]))[0])


def _at_rest_anywhere(plain: DynamicStiffness, count: int, total: int, kernel: Kernel) -> Undamped:
    """Bodies that nothing holds or bends: every mode is a free motion, and there is no frequency to count below."""
    return Undamped(np.zeros(count), plain, Count(0, total, 0.0, 0.0, 0, total, True, 0.0), kernel.motions)


class _Values(NamedTuple):
    """omega^2 in a window, ascending, exact zeros among them; shapes where they were found from strains."""

    squares: Array
    shapes: tuple[Pencil, Array] | None = None


def _values(plain: DynamicStiffness, counters: _Counters, window: RootWindow, kernel: Kernel) -> _Values:
    """omega^2 of every mode in the window: from the pencil, or from D where that is by far the smaller."""
    if not window.count:
        return _Values(np.zeros(0))
    pencil = pencil_at(plain, max(window.high, window.under))
    if pencil.size <= DENSE and window.high < 1e9 * window.scale:
        found, X = whole(pencil, min(window.count, pencil.size), window.under)
        rough = _rough(pencil, found, X, kernel)
    elif plain.n <= _SMALL and counters[1].n <= _SMALL and window.count * counters[1].n < pencil.size:
        found = counters.search(window.count, -window.under, window.high)
        rough = _first_is_rough(pencil, found, kernel)
    else:
        found, rough = _in_slices(plain, counters, window, kernel)
    if rough and kernel.definite and pencil.size <= MOST:
        found, X = lowest(pencil, kernel.motions, window.count)
        return _Values(found, (pencil, X))
    return _Values(_with_zeros(plain, found, kernel))


def _in_slices(plain: DynamicStiffness, counters: _Counters, window: RootWindow, kernel: Kernel) -> tuple[Array, bool]:
    """omega^2 slice by slice, and whether those of the first slice are rough."""
    edges, J = window.slices(plain, _SLICE)
    found, rough = list[Array](), False
    for low, high, n in zip(edges[:-1], edges[1:], np.diff(J), strict=True):
        if n:
            pencil = pencil_at(plain, max(abs(low), abs(high), window.high / 20))
            values, X = slice_of(pencil, low, high, int(n))
            if not found and _rough(pencil, values, X, kernel):
                rough, (values, X) = True, refined(pencil, X)
            found.append(values if len(values) == n else counters.search(int(n), low, high))
    return np.sort(np.concatenate(found)), rough


def _rough(pencil: Pencil, found: Array, X: Array, kernel: Kernel) -> bool:
    """Whether the rounding of K is more than a trifle of an omega^2 that is not zero."""
    elastic = np.argsort(np.abs(found), kind="stable")[kernel.motions.shape[1] :]
    return bool(np.any(_EPS * pencil.rounding(X[:, elastic]) > _ROUGH * np.abs(found[elastic])))


def _first_is_rough(pencil: Pencil, found: Array, kernel: Kernel) -> bool:
    first = np.sort(np.abs(found))[kernel.motions.shape[1] :][:1]
    if not kernel.definite or not len(first):
        return False
    return bool(np.any(_EPS * pencil.rounding(eigenspace(pencil, first, 3e-6 * first[0])[1]) > _ROUGH * first))


def _with_zeros(plain: DynamicStiffness, found: Array, kernel: Kernel) -> Array:
    """The values with exact zeros: as many as there are motions without stiffness.

    Where parts of the stiffness are negative, more may cancel: what rounding of its parts explains is zero as well.
    """
    found = found.copy()
    found[np.argsort(np.abs(found), kind="stable")[: kernel.motions.shape[1]]] = 0.0
    if not kernel.definite:
        reference = _reference(np.where(np.abs(found) <= _SMALLEST * scale_of(plain), 0.0, found))
        for k in np.flatnonzero((found != 0) & (np.abs(found) <= _SMALLEST * scale_of(plain))):
            pencil, _, X = _vectors(plain, found[k : k + 1], reference)
            if abs(found[k]) <= 64 * _EPS * float(pencil.gross(X).max(initial=0.0)):
                found[k] = 0.0
    return np.sort(found)


def _unproved(
    counters: _Counters, found: Array, groups: list[tuple[int, int]], reference: float, width: float
) -> list[int]:
    """Groups where the count, with lines cut here or there, does not step from `a` to `b` within `width`."""
    bad = [k for k, (a, _) in enumerate(groups) if found[a]]  # zeros are proved by rank, and counted from above
    tries = 2 if width < 1e-8 else len(_SPLITS) + 1  # lost digits stay lost wherever lines are cut, poles do not
    tries = tries if counters.plain.n < _MANY else 1 + (width >= _LOST)
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
    """The values with those of doubtful groups polished alone; None if the count misses or has more somewhere.

    Where the count tells no better after that, they stay what they were: K may be rougher than what found them.
    """
    polished = found.copy()
    for a, b in bad:
        if tuple(counters[counters.first].count(_edges(found, [(a, b)], reference, 1e-6)[0])) != (a, b):
            return None
        polished[a:b] = _vectors(plain, found[a:b], reference)[1]
    for k in _unproved(counters, polished, bad, reference, WIDTHS[0]):
        a, b = bad[k]
        polished[a:b] = found[a:b]
    return polished


def _reference(found: Array) -> float:
    """The first elastic omega^2."""
    elastic = np.abs(found[found != 0])
    return float(elastic.min()) if len(elastic) else 1.0


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


def _certify(
    counters: _Counters, found: Array, kept: int, window: RootWindow, proved: bool, widths: tuple[float, ...]
) -> Count:
    """Count beside every group, as closely as it can tell; `proved`: that was done with the first width."""
    reference, below = _reference(found), found[:kept]
    negative = int((below < 0).sum())
    if not len(below):
        return Count(0, 0, 0.0, 0.0, 0, window.total, True, 0.0)
    *groups, last = _groups(below, reference)
    low, high, agrees = last[0], last[1], proved and bool(below[-1])
    for width in widths:
        edges = _edges(below, [last], reference, width)[0]
        if below[-1] == 0:
            edges = np.array([-1.0, 1.0]) * reference / 2
        if not agrees:
            low, high, agrees = _last(counters, edges, last)
            agrees = agrees and not _unproved(counters, below, groups, reference, width)
        if agrees:
            break
    ends = [float(np.sign(x) * np.sqrt(abs(x))) for x in edges]
    return Count(low, high, ends[0], ends[1], negative, window.total, agrees, width / 2)


def _last(counters: _Counters, edges: Array, last: tuple[int, int]) -> tuple[int, int, bool]:
    """The count beside the last group, beyond which there may be more of it."""
    for counter in counters:
        low, high = map(int, counter.count(edges))
        if low == last[0] and high >= last[1]:
            return low, high, True
    return low, high, False
