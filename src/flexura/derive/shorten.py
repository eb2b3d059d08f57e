"""sin^2 + cos^2 = 1 where it makes an expression shorter; dot products of vectors along turned axes are full of it."""

from __future__ import annotations

import symengine

from flexura.symbols.engine import Basic
from flexura.symbols.integrals import terms
from flexura.symbols.zero import normal_form

LIMIT = 1000
"""Larger trees (in nodes) are left as they are: expanding them costs more than the derivation."""


def shortened(f: Basic) -> Basic:
    """The same expression in normal form, if that has fewer terms than the plain expansion."""
    if not _is_small(f) or not f.atoms(symengine.sin):
        return f
    expanded, short = f.expand(), quotient(f)
    return short if len(terms(short.expand())) < len(terms(expanded)) else f


def _is_small(f: Basic) -> bool:
    """Count nodes until there are too many; a tree may be far larger than it is worth walking."""
    waiting, seen = [f], 0
    while waiting and seen <= LIMIT:
        seen += 1
        waiting += waiting.pop().args
    return seen <= LIMIT


def quotient(f: Basic) -> Basic:
    """Numerator over denominator, both in normal form."""
    tangents = {one: symengine.sin(one.args[0]) / symengine.cos(one.args[0]) for one in f.atoms(symengine.tan)}
    above, below = f.xreplace(tangents).as_numer_denom()
    bottom = normal_form(below)
    return normal_form(above) / bottom if bottom != 0 else f
