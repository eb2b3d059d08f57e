"""Linear conditions that no motion satisfies together, refused in one place for every verb.

>>> agree(energies, {"l": 1.3})          # raises where x - y = 0 and x - y - l = 0 are asked for

Every verb asks for its numbers through `values.numbers`, which asks here; verbs of small motions, which leave constants
out before that, ask while these still stand (`values.free_motions`).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.energy.lagrangian import Lagrangian
from flexura.symbolic.engine import TIME, Basic, Symbol
from flexura.symbolic.values import real_value
from flexura.systems.conditions import refuse_contradicting

Array = NDArray[np.float64]
_TIMES = (0.0, 0.7390851332151607, 2.2894284851066637)  # those of functions of time that meet by chance are few


def agree(energies: Lagrangian, known: Mapping[str, float]) -> None:
    """Refuse linear conditions that contradict one another with these numbers; those that lack one are left alone."""
    conditions = energies.straight_conditions
    if not conditions:
        return
    columns = {
        label: k for k, label in enumerate(dict.fromkeys(label for _, slopes, _ in conditions for label in slopes))
    }
    timed = any(TIME in f.free_symbols for _, slopes, alone in conditions for f in (alone, *slopes.values()))
    for t in _TIMES if timed else _TIMES[:1]:
        put = {
            **{Symbol(name): symengine.RealDouble(value) for name, value in known.items()},
            TIME: symengine.RealDouble(t),
        }
        rows, constants, names = list[Array](), list[float](), list[str]()
        for name, slopes, alone in conditions:
            row = np.zeros(len(columns))
            for label, slope in slopes.items():
                row[columns[label]] = _number(slope, put)
            constant = _number(alone, put)
            if np.isfinite(constant) and np.all(np.isfinite(row)):
                rows.append(row)
                constants.append(constant)
                names.append(name)
        refuse_contradicting(np.array(rows).reshape(len(rows), len(columns)), np.array(constants), names)


def _number(f: Basic, put: Mapping[Symbol, Basic]) -> float:
    """With numbers in; not a number where one is missing."""
    f = f.xreplace(dict(put))
    return float("nan") if f.free_symbols else real_value(f)
