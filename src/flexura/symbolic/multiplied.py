"""How long an expression is when its products and powers are multiplied out: known before that is done.

>>> multiplied_out((a + b) ** 3 * (c + d))
8
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType

import symengine

from flexura.symbolic.engine import Basic
from flexura.symbolic.walk import branches

_NONE: Mapping[Basic, int] = MappingProxyType({})
MOST = 10**9
"""Counts stop here."""


def multiplied_out(f: Basic, known: Mapping[Basic, int] = _NONE) -> int:
    """How many terms a tree has at most; branches that it shares are looked at once, those known not at all."""
    counts: dict[Basic, int] = dict(known)
    for one in branches([f], known):
        counts[one] = terms_of(one, [counts[part] for part in one.args])
    return counts[f]


def all_multiplied_out(trees: Iterable[Basic]) -> list[tuple[int, bool]]:
    """The same of several trees that share branches, in one walk, and whether each holds sines or cosines."""
    trees, counts, waving = list(trees), dict[Basic, int](), set[Basic]()
    for one in branches(trees):
        counts[one] = terms_of(one, [counts[part] for part in one.args])
        if isinstance(one, symengine.sin | symengine.cos) or any(part in waving for part in one.args):
            waving.add(one)
    return [(counts[f], f in waving) for f in trees]


def terms_of(one: Basic, parts: list[int]) -> int:
    """The same of a branch, from those of its parts."""
    if isinstance(one, symengine.Add):
        return min(sum(parts), MOST)
    if isinstance(one, symengine.Mul):
        return min(math.prod(parts), MOST)
    if isinstance(one, symengine.Pow) and isinstance(one.args[1], symengine.Integer) and parts[0] > 1:
        return min(math.comb(abs(int(one.args[1])) + parts[0] - 1, min(parts[0] - 1, abs(int(one.args[1])))), MOST)
    return 1


def written_out(trees: Iterable[Basic]) -> int:
    """How many nodes trees have when a branch is written as often as it is used."""
    trees, counts = list(trees), dict[Basic, int]()
    for one in branches(trees):
        counts[one] = 1 + sum(counts[part] for part in one.args)
    return sum(counts[f] for f in trees)
