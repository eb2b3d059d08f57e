"""Branches of eigenvalues over a parameter: followed by value and shape, ended where they merge, begun where they part.

    >>> branches = Branches(solve, count=4)                # solve: the entries (modes) at a value, and up to which |s|
    >>> for value in values: branches.advance(value)
    >>> branches.table()                                   # (values, branches), nan where a branch does not exist

All modes at one value are matched with all at the next. Roots are counted while this is done: two real roots that
become a pair are one entry afterwards, so one of their branches ends; a pair that becomes two real roots gives a branch
to the second. Where it is not clear which mode continues a branch, the step is halved a few times; where roots merge or
part, more often, so that one step holds one such event.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np
import scipy.optimize
from numpy.typing import NDArray

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
_UNLIKE, _APART = 0.7, 0.3  # of shape and of |s|: what differs by more of both is no continuation
_ENDED = 10.0  # the price of ending a branch, beyond that of any continuation
_HALVINGS, _FINELY = 3, 7  # of a step that is not clear; of one in which roots merge or part
_CLEAR = 0.5  # of the cost of every other continuation, below which one is clear


@dataclass(frozen=True)
class Entry:
    """One mode: its eigenvalue, its shape, and how many roots it stands for (0: at zero, where they are not told).

    `size` is what changes of s are measured by, `mirrored` says that s* with the shape's conjugate is the same motion
    and may be what continues a branch, `told` is what its row of a table may show.
    """

    s: complex
    shape: Complex
    roots: int
    size: float
    mirrored: bool = False
    told: complex = complex(np.nan, np.nan)

    @property
    def mirror(self) -> Entry:
        """The same motion by the conjugates."""
        return replace(self, s=self.s.conjugate(), shape=self.shape.conj())


@dataclass
class _Branch:
    """What is known of a branch at the last value, and its column in the table (None: only watched)."""

    entry: Entry
    slope: complex = 0j
    column: int | None = None


class Branches:
    """Follows the first `count` modes; more are watched, so that those from above do not take their places."""

    def __init__(self, solve: Callable[[float, float], list[Entry]], count: int) -> None:
        """`solve` gives the entries at a value, up to the size of s that the branches may reach there."""
        self._solve, self._count = solve, count
        self._branches: list[_Branch] | None = None
        self._at = 0.0
        self._columns = 0
        self._rows: list[dict[int, Entry]] = []

    def advance(self, value: float) -> None:
        """Go on to the next value, and add its row."""
        self._step(value, 0)
        branches = self._branches or []
        self._rows.append({one.column: one.entry for one in branches if one.column is not None})

    def table(self, of: Callable[[Entry], complex] = attrgetter("s")) -> Complex:
        """(values, branches): the eigenvalues, or something else of the entries."""
        found = np.full((len(self._rows), self._columns), complex(np.nan, np.nan))
        for i, row in enumerate(self._rows):
            found[i, list(row)] = [of(entry) for entry in row.values()]
        return found

    def _step(self, value: float, depth: int) -> None:
        step = value - self._at
        named = {i: one for i, one in enumerate(self._branches or ()) if one.column is not None}
        ahead = [one.entry.s + step * one.slope for one in named.values()]
        sizes = [abs(s) for s in (*ahead, *(one.entry.s for one in named.values()))]
        entries = self._solve(value, max(sizes, default=0.0))
        if self._branches is None:
            self._branches, self._at = [_Branch(one) for one in entries], value
            self._name()
            return
        matched = _matched(self._branches, entries, step)
        if depth < matched.halvings(set(named)):
            self._step(self._at + step / 2, depth + 1)
            self._step(value, depth + 1)
            return
        self._branches = [self._followed(i, entries, matched, step) for i in range(len(entries))]
        self._at = value
        self._name()

    def _followed(self, i: int, entries: list[Entry], matched: _Matched, step: float) -> _Branch:
        """The branch that reaches an entry: the one it continues, the second of a pair that parted, or a new one."""
        branches = self._branches or []
        if i in matched.before:
            last = branches[matched.before[i]]
            entry = _nearer(last.entry, entries[i])
            return _Branch(entry, (entry.s - last.entry.s) / step if step else 0j, last.column)
        parted = i in matched.parted and branches[matched.parted[i]].column is not None
        return _Branch(entries[i], column=self._new() if parted else None)

    def _new(self) -> int:
        self._columns += 1
        return self._columns - 1

    def _name(self) -> None:
        """The lowest that are only watched get columns while fewer than `count` have one."""
        branches = self._branches or []
        for one in branches:
            if sum(other.column is not None for other in branches) >= self._count:
                break
            if one.column is None:
                one.column = self._new()


@dataclass(frozen=True)
class _Matched:
    """Entry -> the branch it continues; entry -> the branch it parted from; and the branches of which it is in doubt.

    `events`: branches that merge or part; `unclear`: those that another entry continues nearly as well, or none.
    """

    before: dict[int, int]
    parted: dict[int, int]
    events: set[int]
    unclear: set[int]

    def halvings(self, named: set[int]) -> int:
        """How often the step may be halved because of what happens to these branches."""
        return _FINELY if self.events & named else _HALVINGS if self.unclear & named else 0


def _matched(branches: list[_Branch], entries: list[Entry], step: float) -> _Matched:
    cost = _cost(branches, entries, step)
    ended: list[int] = []
    chosen = _assigned(cost, ended)
    while True:
        merging = [i for i, k in chosen.items() if branches[i].entry.roots == 1 and entries[k].roots == 2]
        parting = {i: k for i, k in chosen.items() if branches[i].entry.roots == 2 and entries[k].roots == 1}
        single = [i for i, one in enumerate(branches) if one.entry.roots == 1 and i not in merging]
        short = len(merging) - len(parting) - sum(i not in chosen for i in single)
        others = [i for i in single if i in chosen]
        if short <= 0 or not others:
            break
        last = min(others, key=lambda i: _price(cost, _assigned(cost, [*ended, i])))
        ended.append(last)
        chosen = _assigned(cost, ended)
    before = {k: i for i, k in chosen.items()}
    parted: dict[int, int] = {}
    for i, k in parting.items():
        free = [j for j, one in enumerate(entries) if one.roots == 1 and j not in before and j not in parted]
        if free:
            parted[min(free, key=lambda j: abs(entries[j].s - entries[k].s))] = i
    lost = [i for i in range(len(branches)) if i not in chosen]
    singles = [i for i in lost if branches[i].entry.roots == 1][: len(merging)]
    unclear = {i for i, k in chosen.items() if not _clear(cost, i, k)} | (set(lost) - set(singles))
    return _Matched(before, parted, {*merging, *parting, *singles}, unclear)


def _clear(cost: Array, i: int, k: int) -> bool:
    """No other entry continues this branch nearly as well, and this entry no other branch."""
    others = np.concatenate([np.delete(cost[i], k), np.delete(cost[:, k], i)])
    return bool(cost[i, k] <= _CLEAR * others.min(initial=np.inf))


def _cost(branches: list[_Branch], entries: list[Entry], step: float) -> Array:
    """How badly each entry continues each branch; infinite where it does not."""
    if not branches or not entries:
        return np.zeros((len(branches), len(entries)))
    plain = _differences(branches, entries, step)
    either = np.array([one.entry.mirrored for one in branches])[:, None] | np.array([one.mirrored for one in entries])
    if not either.any():
        return plain
    turned = _differences(branches, [one.mirror for one in entries], step)
    return np.where(either, np.minimum(plain, turned), plain)


def _differences(branches: list[_Branch], entries: list[Entry], step: float) -> Array:
    last, s = np.array([one.entry.s for one in branches]), np.array([one.s for one in entries])
    expected = last + step * np.array([one.slope for one in branches])
    size = np.array([one.entry.size for one in branches])
    size = np.maximum(size, 1e-12).clip(1e-3 * max(max(one.size for one in entries), 1e-300))
    apart = np.minimum(np.abs(expected[:, None] - s), np.abs(last[:, None] - s)) / size[:, None]
    a, b = np.array([one.entry.shape for one in branches]), np.array([one.shape for one in entries])
    unlike = 1 - np.abs(a.conj() @ b.T) ** 2
    cost = np.minimum(np.abs(expected[:, None] - s) / size[:, None], 3.0) + unlike
    return np.where((unlike > _UNLIKE) & (apart > _APART), np.inf, cost)


def _nearer(last: Entry, entry: Entry) -> Entry:
    """The entry, or its mirror where that may be and continues the shape better."""
    if not (last.mirrored or entry.mirrored):
        return entry
    plain, turned = abs(np.vdot(last.shape, entry.shape)), abs(np.vdot(last.shape, entry.shape.conj()))
    return entry.mirror if turned > plain * (1 + 1e-9) else entry


def _assigned(cost: Array, ended: list[int]) -> dict[int, int]:
    """Branch -> entry, of least cost; a branch may end instead, and those of `ended` do."""
    n = len(cost)
    wide = np.hstack([np.where(np.isfinite(cost), cost, 100 * _ENDED), np.full((n, n), _ENDED)])
    wide[ended, : cost.shape[1]] = 100 * _ENDED
    rows, columns = scipy.optimize.linear_sum_assignment(wide)
    return {int(i): int(k) for i, k in zip(rows, columns, strict=True) if k < cost.shape[1]}


def _price(cost: Array, chosen: dict[int, int]) -> float:
    return float(sum(cost[i, k] for i, k in chosen.items()) + _ENDED * (len(cost) - len(chosen)))
