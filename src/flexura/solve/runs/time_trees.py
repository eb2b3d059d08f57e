"""Whatever in the energies depends on time by itself: where it switches, and how finely it must be looked at.

>>> trees = time_trees(equations, values)
>>> time_edges(trees, 0.0, 10.0)        # nearly straight pieces, for each part that depends on t alone
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.solve.runs.bare import Bare
from flexura.symbolic.engine import TIME, Basic, Symbol, exact, partial
from flexura.systems.signals.breaks import switches
from flexura.systems.signals.features import resolved_in_time

Array = NDArray[np.float64]


def time_trees(equations: Equations, values: Mapping[str, float]) -> list[Basic]:
    """Whatever in the energies depends on time by itself, with numbers in."""
    energies = equations.lagrangian
    if isinstance(energies, Bare):
        return []
    known = {Symbol(name): exact(value) for name, value in values.items()}
    loads = [f for rows in energies.work_density.values() for f in rows.values()]
    trees = [*energies.prescribed.values(), energies.kinetic, energies.potential, *energies.density.values()]
    trees += [*energies.work.values(), *loads, *energies.boundary.values(), *energies.constraints.values()]
    rates = [partial(partial(f, TIME), TIME) for f in energies.prescribed.values()]  # what inertia answers to
    return [f.xreplace(known) for f in (*trees, *rates) if TIME in f.free_symbols]


def time_edges(trees: Sequence[Basic], start: float, end: float) -> list[Array]:
    """Nearly straight pieces of whatever depends on t alone in the trees."""
    parts = dict.fromkeys(part for f in trees for part in _in_time(f))
    return [
        resolved_in_time(part, f"what the motion depends on, {part},", start, end, switches([part], start, end))
        for part in parts
    ]


def _in_time(f: Basic) -> Iterator[Basic]:
    """The largest branches that depend on t alone."""
    if f.free_symbols == {TIME} and f != TIME and not f.is_Boolean:
        yield f
    elif TIME in f.free_symbols:
        for part in f.args:
            yield from _in_time(part)
