"""Which degrees a tree has in some symbols, read off its shape: nothing is expanded, each branch is visited once.

>>> degrees = Degrees({v, w}.__contains__)
>>> degrees((a + v) ** 2 + sin(a) * w), degrees(sin(v))        # {0, 1, 2}, and None: no polynomial

What cancels is not seen, so a degree may be listed that is not there; one that is there is always listed.
"""

from __future__ import annotations

from collections.abc import Callable

import symengine

from flexura.symbolic.engine import Basic, Symbol
from flexura.symbolic.walk import branches

_NONE = frozenset({0})
_MOST = 8


class Degrees:
    """Remembers every branch, so that trees which share them cost little."""

    def __init__(self, counts: Callable[[Symbol], bool]) -> None:
        """`counts` says which symbols the degree is in."""
        self._counts = counts
        self._known: dict[Basic, frozenset[int] | None] = {}

    def __call__(self, f: Basic) -> frozenset[int] | None:
        """The degrees of the terms of `f`; None where it is no polynomial, or beyond bounds."""
        for one in branches([f], self._known):
            self._known[one] = self._of(one)
        return self._known[f]

    def most(self, f: Basic) -> int | None:
        """The highest of them."""
        found = self(f)
        return None if found is None else max(found)

    def _of(self, one: Basic) -> frozenset[int] | None:
        if isinstance(one, symengine.Symbol):
            return frozenset({1}) if self._counts(one) else _NONE
        parts = [self._known[part] for part in one.args]
        if all(part == _NONE for part in parts):
            return _NONE
        if isinstance(one, symengine.Add):
            known = [part for part in parts if part is not None]
            return frozenset().union(*known) if len(known) == len(parts) else None
        if isinstance(one, symengine.Mul):
            return _product(parts)
        if isinstance(one, symengine.Pow) and one.args[1].is_Integer and 0 < int(one.args[1]) <= _MOST:
            return _product([parts[0]] * int(one.args[1]))
        return None


def _product(parts: list[frozenset[int] | None]) -> frozenset[int] | None:
    found = _NONE
    for part in parts:
        if part is None:
            return None
        found = frozenset(a + b for a in found for b in part)
    return found if max(found) <= _MOST else None
