"""What acts on motions that have no coordinate, against what connections can hold there.

>>> unheld(rests, can, works) or needed(can, works)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from flexura.symbolic.engine import ZERO, Basic
from flexura.symbolic.kinematics.motion import CutHold
from flexura.symbolic.kinematics.vectors import NULL, Vector
from flexura.symbolic.zero import vanishes

_Key = TypeVar("_Key")
Way = tuple[Vector, Vector]
"""How a part moves as a rigid one, in the frame's axes: its point of reference, and its turn."""
Work = dict[str, Basic]
"""What acts along a motion: at places under "", and per length by spine."""


@dataclass(frozen=True, eq=False)
class Rest:
    """One motion at rest: what it is called, the part that it is of, and how parts would move by it."""

    called: str
    part: str
    ways: Mapping[int, Way]


@dataclass(frozen=True)
class Unheld:
    """A motion at rest that no connection holds, and the names of what acts on it."""

    rest: Rest
    acting: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Held:
    """A unit load that a connection can carry beyond those it has; `hold` is None where no diagram shows it."""

    hold: CutHold | None
    force: Vector
    couple: Vector
    apart: Mapping[Rest, Basic]

    @property
    def unit(self) -> str:
        """R_ or M_ of its connection."""
        return "R" if self.couple == NULL else "M"


def needed(can: Iterable[Held], works: Mapping[Rest, Work]) -> list[Held]:
    """What works on a motion on which something acts, and on those that such loads work on in turn."""
    left, acted = list(can), {rest for rest, work in works.items() if work}
    found: list[Held] = []
    while some := [one for one in left if not acted.isdisjoint(one.apart)]:
        found += some
        left = [one for one in left if one not in some]
        acted |= {rest for one in some for rest in one.apart}
    return [one for one in found if one.hold is not None]


def unheld(rests: Iterable[Rest], can: Sequence[Held], works: Mapping[Rest, Work]) -> Rest | None:
    """A motion on which something acts that no load of a connection can balance: rows are eliminated, one by one."""
    rows = [(one, {i: held.apart[one] for i, held in enumerate(can) if one in held.apart}, works[one]) for one in rests]
    while rows:
        rest, row, work = rows.pop(0)
        if not row:
            if work:
                return rest
            continue
        pivot = min(row)
        rows = [
            (one, _less(other, row, share), _less(done, work, share))
            for one, other, done in rows
            for share in (other.get(pivot, ZERO) / row[pivot],)
        ]
    return None


def _less(one: Mapping[_Key, Basic], other: Mapping[_Key, Basic], share: Basic) -> dict[_Key, Basic]:
    """One less a share of the other, without what vanishes."""
    if share == 0:
        return dict(one)
    found = {key: one.get(key, ZERO) - share * other.get(key, ZERO) for key in {**one, **other}}
    return {key: f for key, f in found.items() if not vanishes(f)}
