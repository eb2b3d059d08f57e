"""Steps of an elimination on exact coefficients, which stay short on the way."""

from __future__ import annotations

import symengine

from flexura.symbolic.engine import ONE, ZERO, Basic
from flexura.symbolic.zero import pythagoras, verdict


def difficulty(head: Basic) -> int:
    """What dividing by it leaves: numbers and products leave polynomials, sums leave fractions that grow."""
    return 0 if head.is_Number else 2 if isinstance(head, symengine.Add) else 1


def divided(row: list[Basic], column: int) -> list[Basic]:
    """The row with a one in this column."""
    head = row[column]
    return [ONE if j == column else short(one / head) for j, one in enumerate(row)]


def cleared(row: list[Basic], pivot: list[Basic], column: int) -> list[Basic]:
    """The row without what it holds in this column."""
    factor = row[column]
    return [
        ZERO if j == column else a if b == 0 else short(a - factor * b)
        for j, (a, b) in enumerate(zip(row, pivot, strict=True))
    ]


def short(f: Basic) -> Basic:
    """Expanded, sin^2 + cos^2 taken together and what is zero told as such: or it would grow from step to step."""
    short = pythagoras(f.expand())
    return ZERO if isinstance(short, symengine.Add) and verdict(short) else short
