"""Loops that close with the numbers their parts carry, and would open with others.

>>> still_closes({"l": 3.0, "EI": 50.0}, {"l"}, energies)      # raises if l = 3 opens one
"""

from __future__ import annotations

from collections.abc import Mapping

from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.symbolic.engine import Symbol
from flexura.symbolic.near import Near


def still_closes(found: Mapping[str, float], given: set[str], energies: Lagrangian) -> None:
    """Refuse values with which a loop opens that closes with those its parts carry."""
    gaps = energies.geometry.gaps if energies.geometry is not None else ()
    for gap in gaps:
        changed = sorted({one.name for part in gap.apart for one in part.free_symbols} & given)
        if not changed:
            continue
        near = Near({Symbol(name): value for name, value in found.items()})
        if not all(near.cancels(part, list(gap.apart)) for part in gap.apart):
            apart = ", ".join(f"{0.0 if one is None else one:.6g}" for one in map(near.number, gap.apart))
            raise FlexuraError(
                f"With the given {', '.join(changed)} the loop closed by {gap.connection} does not close: its two"
                f" places are ({apart}) apart",
                advice="give lengths and angles with which it closes, or build the model again",
                part=gap.connection,
            )
