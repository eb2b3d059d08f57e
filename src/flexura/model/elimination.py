"""Elimination on exact coefficients, row by row of what is there: what cancels is told by the numbers beside them.

Every coefficient is carried twice, as a tree and as the numbers it comes to. The trees make the result; the numbers
decide what is zero, so that geometry in floating point leaves no conditions that contradict one another by rounding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import symengine

from flexura.symbolic.engine import ONE, ZERO, Basic
from flexura.symbolic.near import PARALLEL, Near, Samples, in_digits
from flexura.symbolic.zero import pythagoras, verdict

_SOUND = 1e-3  # of the largest: a smaller coefficient is not divided by
_LONGEST = 150  # characters of a number that stays as it is written
_ROUNDING = 1e-12  # of the largest in its row: what a smaller coefficient is


@dataclass(frozen=True)
class Coefficient:
    """A tree and the numbers it comes to, if it has any."""

    tree: Basic
    at: Samples | None

    @property
    def size(self) -> float:
        """Its largest number."""
        return max(map(abs, self.at)) if self.at else 1.0


Row = dict[int, Coefficient]


@dataclass
class Eliminated:
    """The columns that others give: column -> coefficients of the others; `absorbed` is what was taken for zero.

    `left` are rows that still hold something in columns that were not to be solved for.
    """

    solved: dict[int, Row] = field(default_factory=dict)
    left: list[Row] = field(default_factory=list)
    absorbed: float = 0.0


def eliminate(rows: Iterable[Mapping[int, Basic]], columns: Sequence[int], near: Near) -> Eliminated:
    """Gauss and Jordan: each column in turn is solved for, where a row is left that holds it."""
    return _Elimination(rows, near).run(columns)


class _Elimination:
    def __init__(self, rows: Iterable[Mapping[int, Basic]], near: Near) -> None:
        self.near, self.found = near, Eliminated()
        self.rows = [self._read(row) for row in rows]
        self.holding: dict[int, set[int]] = {}
        for i, row in enumerate(self.rows):
            for column in row:
                self.holding.setdefault(column, set()).add(i)

    def run(self, columns: Sequence[int]) -> Eliminated:
        taken: dict[int, int] = {}
        free = set(range(len(self.rows)))
        for column in columns:
            candidates = sorted(self.holding.get(column, set()) & free)
            if not candidates:
                continue
            pivot = self._pivot(candidates, column)
            free.discard(pivot)
            taken[column] = pivot
            self._divide(pivot, column)
            for i in sorted(self.holding[column] - {pivot}):
                self._clear(i, pivot, column)
        for column, i in taken.items():
            self.found.solved[column] = {j: one for j, one in self.rows[i].items() if j != column}
        self.found.left = [self.rows[i] for i in sorted(free) if self.rows[i]]
        return self.found

    def _read(self, row: Mapping[int, Basic]) -> Row:
        read = {column: Coefficient(tree, self.near.at(tree)) for column, tree in row.items() if tree != 0}
        largest = max((one.size for one in read.values()), default=0.0)
        return {column: one for column, one in read.items() if not self._rounding(one, largest)}

    def _rounding(self, one: Coefficient, largest: float) -> bool:
        return bool(verdict(one.tree)) if one.at is None else one.size <= _ROUNDING * largest

    def _pivot(self, candidates: Sequence[int], column: int) -> int:
        heads = {i: self.rows[i][column] for i in candidates}
        largest = max(one.size for one in heads.values())
        sound = [i for i in candidates if heads[i].size >= _SOUND * largest]
        return min(sound, key=lambda i: difficulty(heads[i].tree))

    def _divide(self, i: int, column: int) -> None:
        head = self.rows[i][column]
        self.rows[i] = {
            j: Coefficient(ONE, (1.0,) * len(head.at or ())) if j == column else _quotient(one, head)
            for j, one in self.rows[i].items()
        }

    def _clear(self, i: int, pivot: int, column: int) -> None:
        row = self.rows[i]
        factor = row.pop(column)
        self.holding[column].discard(i)
        for j, one in self.rows[pivot].items():
            if j == column:
                continue
            left = self._minus(row.get(j), factor, one)
            if left is None:
                row.pop(j, None)
                self.holding[j].discard(i)
            else:
                row[j] = left
                self.holding[j].add(i)

    def _minus(self, a: Coefficient | None, factor: Coefficient, b: Coefficient) -> Coefficient | None:
        """a - factor b; None where that is zero."""
        if a is None:
            return Coefficient(_multiplied_out(-factor.tree * b.tree), _times(-1.0, factor.at, b.at))
        tree = a.tree - factor.tree * b.tree
        product = _times(1.0, factor.at, b.at)
        if a.at is None or product is None:
            left = short(tree)
            return None if left == 0 else Coefficient(left, self.near.at(left))
        at = tuple(x - y for x, y in zip(a.at, product, strict=True))
        against = [abs(x) + abs(y) for x, y in zip(a.at, product, strict=True)]
        if all(abs(x) <= PARALLEL * size for x, size in zip(at, against, strict=True)):
            self.found.absorbed = max(self.found.absorbed, *map(_share, at, against))
            return None
        return Coefficient(_multiplied_out(tree), at)


def _share(x: float, size: float) -> float:
    return abs(x) / size if size else 0.0


def _quotient(one: Coefficient, head: Coefficient) -> Coefficient:
    at = None if one.at is None or head.at is None else tuple(a / b for a, b in zip(one.at, head.at, strict=True))
    return Coefficient(one.tree if head.tree == 1 else _multiplied_out(one.tree / head.tree), at)


def _times(sign: float, a: Samples | None, b: Samples | None) -> Samples | None:
    return None if a is None or b is None else tuple(sign * x * y for x, y in zip(a, b, strict=True))


def _multiplied_out(f: Basic) -> Basic:
    return in_digits(f if f.is_Number else pythagoras(f.expand()), _LONGEST)


def difficulty(head: Basic) -> int:
    """What dividing by it leaves: numbers and products leave polynomials, sums leave fractions that grow."""
    return 0 if head.is_Number else 2 if isinstance(head, symengine.Add) else 1


def short(f: Basic) -> Basic:
    """Expanded, sin^2 + cos^2 taken together and what is zero told as such: or it would grow from step to step."""
    short = pythagoras(f.expand())
    return ZERO if isinstance(short, symengine.Add) and verdict(short) else short
