"""Where Piecewise properties change over along the spine.

>>> breaks_along([Piecewise((1, SPINE < 2), (3, True))], 0.0, 5.0)
(2.0,)
"""

from __future__ import annotations

from collections.abc import Iterable

import symengine

from flexura.symbols.engine import SPINE, ZERO, Basic, partial
from flexura.symbols.walk import atoms


def breaks_along(trees: Iterable[Basic], start: float, end: float) -> tuple[float, ...]:
    """The places between start and end, ascending; numbers must have been put in."""
    found: set[float] = set()
    for f in trees:
        for piece in atoms(f, symengine.Piecewise):
            for condition in piece.args[1::2]:
                for one in atoms(condition, symengine.LessThan, symengine.StrictLessThan):
                    g = one.args[0] - one.args[1]
                    slope = partial(g, SPINE)
                    if not slope.free_symbols and slope != 0 and g.free_symbols == {SPINE}:
                        found.add(float(-g.xreplace({SPINE: ZERO}) / slope))
    margin = 1e-12 * (end - start)
    return tuple(sorted(x for x in found if start + margin < x < end - margin))
