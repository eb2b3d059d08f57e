"""Whether a frame is a mechanism: motions of its nodes that strain no member, stretch no spring and meet no support.

Every strain of a member is a linear form in the motions of its two nodes. The motions that none of them feels are what
an elimination leaves over, in plain numbers, row by row of what is there. What nothing holds may move as a whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = dict[tuple[Any, int], float]
"""(node, motion 0 to 5) -> factor."""
_RANK = 1e-9


@dataclass(frozen=True)
class Bar:
    """A member for this question: its nodes, its axes as rows, its length, what it resists."""

    name: str
    nodes: tuple[Any, Any]
    axes: tuple[tuple[float, ...], ...]
    length: float
    rigid: tuple[bool, bool]
    bends: bool


def strains(bar: Bar, spatial: bool) -> Iterator[Row]:
    """The forms that vanish where it is not strained."""
    e1, e2, e3 = bar.axes
    yield _moved(bar, e1)
    if not bar.bends:
        return
    for end, node in enumerate(bar.nodes):
        if bar.rigid[end]:
            yield {**_turned(node, e3), **_moved(bar, tuple(-one / bar.length for one in e2))}
            if spatial:
                yield {**_turned(node, e2), **_moved(bar, tuple(one / bar.length for one in e3))}
    if spatial and all(bar.rigid):
        yield {**_turned(bar.nodes[1], e1), **{key: -one for key, one in _turned(bar.nodes[0], e1).items()}}


def _moved(bar: Bar, direction: Sequence[float]) -> Row:
    a, b = bar.nodes
    return {**{(a, i): -one for i, one in enumerate(direction)}, **{(b, i): one for i, one in enumerate(direction)}}


def _turned(node: Any, axis: Sequence[float]) -> Row:
    return {(node, 3 + i): one for i, one in enumerate(axis)}


def free_motion(rows: Iterable[Row], unknowns: Sequence[tuple[Any, int]], as_a_whole: Iterable[Row]) -> Row | None:
    """A motion that no row feels and that is none of the frame as a whole; None if there is none."""
    wanted = set(unknowns)
    solved = _solved(({key: f for key, f in row.items() if key in wanted} for row in rows), unknowns)
    loose = [key for key in unknowns if key not in solved]
    if not loose:
        return None
    motions = [_motion(key, solved) for key in loose]
    known = [{key: f for key, f in row.items() if key in wanted} for row in as_a_whole]
    return next((one for one in motions if not _within(one, known)), None)


def _solved(rows: Iterable[Row], unknowns: Sequence[tuple[Any, int]]) -> dict[tuple[Any, int], Row]:
    """Each unknown that the rows give by the others, in full pivots of each row: rows come with few entries."""
    place = {key: i for i, key in enumerate(unknowns)}
    solved: dict[tuple[Any, int], Row] = {}
    for row in rows:
        left, sizes = dict(row), dict.fromkeys(row, 0.0)
        for key in sorted(row, key=place.__getitem__):
            sizes[key] = max(sizes[key], abs(row[key]))
        while True:
            known = next((key for key in left if key in solved), None)
            if known is None:
                break
            factor = left.pop(known)
            for key, f in solved[known].items():
                sizes[key] = max(sizes.get(key, 0.0), abs(left.get(key, 0.0)), abs(factor * f))
                left[key] = left.get(key, 0.0) + factor * f
        left = {key: f for key, f in left.items() if abs(f) > _RANK * max(sizes.get(key, 0.0), 1e-300)}
        if not left or max(map(abs, left.values())) <= _RANK:
            continue
        pivot = max(left, key=lambda key: (abs(left[key]) > 0.1 * max(map(abs, left.values())), -place[key]))
        head = left.pop(pivot)
        solved[pivot] = {key: -f / head for key, f in left.items()}
    return solved


def _motion(loose: tuple[Any, int], solved: Mapping[tuple[Any, int], Row]) -> Row:
    """All motions that follow from one that is loose, others that are loose at rest."""
    found: Row = {loose: 1.0}
    for key in reversed(list(solved)):
        value = sum(f * found.get(one, 0.0) for one, f in solved[key].items())
        if value:
            found[key] = value
    return found


def _within(motion: Row, others: Sequence[Row]) -> bool:
    """Whether a motion is a combination of others: by Gram and Schmidt."""
    basis: list[Row] = []
    for one in (*others, motion):
        left = dict(one)
        for _ in range(2):
            for unit in basis:
                share = sum(f * left.get(key, 0.0) for key, f in unit.items())
                for key, f in unit.items():
                    left[key] = left.get(key, 0.0) - share * f
        size, before = math.hypot(*left.values()), math.hypot(*one.values())
        if one is motion:
            return size <= 1e-6 * before
        if size > 1e-9 * max(before, 1e-300):
            basis.append({key: f / size for key, f in left.items()})
    return False
