"""Two loads that act as one: on a stiff lever the difference of two forces moves almost nothing.

A basis that starts with both then spends half of its vectors on what hardly moves, and their difference is lost in
the rounding of their sum.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexura.structures.operating.inverse import MassMetricInverse

Array = NDArray[np.float64]
_AS_ONE = 1e-4


def notes_on_inputs(inverse: MassMetricInverse, loads: Array, names: tuple[str, ...]) -> tuple[str, ...]:
    """One sentence for every pair of loads that move the structure alike at low frequency."""
    rigid, deformed = inverse.rigid.Q.T @ loads, inverse(loads)
    M = inverse.system.M
    notes = []
    for i in range(loads.shape[1]):
        for j in range(i):
            kept = [
                _beside(part[:, j], part[:, i], one @ part[:, j] if one is not None else part[:, j])
                for part, one in ((rigid, None), (deformed, M))
                if np.abs(part[:, [i, j]]).max(initial=0.0) > _tiny(part)
            ]
            factor, rest = (kept[0][0], max(one[1] for one in kept)) if kept else (0.0, 1.0)
            alike = all(abs(one[0] - factor) <= _AS_ONE * abs(factor) for one in kept)
            if rest < _AS_ONE and alike:
                notes.append(
                    f"The inputs {names[j]} and {names[i]} act as one: {names[i]} moves the structure as {factor:.6g}"
                    f" times {names[j]} does, to {rest:.0e}; give their difference as one column if it matters."
                )
    return tuple(notes)


def _tiny(part: Array) -> float:
    return 1e-12 * float(np.abs(part).max(initial=0.0))


def _beside(first: Array, second: Array, weighted: Array) -> tuple[float, float]:
    """The factor by which the second is the first, and how much of it is something else."""
    size = float(first @ weighted)
    factor = float(second @ weighted) / size if size > 0 else 0.0
    rest = float(np.abs(second - factor * first).max(initial=0.0))
    most = float(np.abs(second).max(initial=0.0))
    return factor, rest / most if most > 0 else 1.0
