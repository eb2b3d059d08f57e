"""Trees that are linear in some of their symbols, taken apart.

>>> linear_part(3 * a + b * x, [a, x])        # [3, b], 0
"""

from __future__ import annotations

from collections.abc import Sequence

import symengine

from flexura.symbolic.engine import ZERO, Basic, Symbol, partial
from flexura.symbolic.integrals import factors, terms


def linear_part(f: Basic, symbols: Sequence[Symbol]) -> tuple[list[Basic], Basic]:
    """The coefficients of `symbols` in `f`, which is linear in them, and the rest; `f` is not expanded."""
    coefficients: dict[Basic, Basic] = dict.fromkeys(symbols, ZERO)
    rest: list[Basic] = []
    wanted = set(symbols)
    for term in terms(f):
        direct = [one for one in factors(term) if one in wanted]
        inside = wanted & term.free_symbols if not direct else set()
        if direct:
            coefficients[direct[0]] += term / direct[0]
        for one in inside:
            coefficients[one] += partial(term, one)
        if not direct:
            rest.append(term.xreplace(dict.fromkeys(inside, ZERO)) if inside else term)
    return list(coefficients.values()), symengine.Add(*rest)
