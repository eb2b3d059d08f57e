"""Responses of large systems at many frequencies: solved in full at a few, by what those span at all others.

>>> found = responses(system, omega, F, rows)      # None where the structure has no inverse of its stiffness
>>> found.seen, found.error
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.structures.operating.accuracy import Accuracy, Truth, answer
from flexura.structures.operating.bases import AroundRest, with_friction
from flexura.structures.operating.inverse import mass_metric_inverse
from flexura.structures.operating.reduction import project
from flexura.systems.second_order import SecondOrderSystem

Array = NDArray[Any]
_TOLERANCE = 1e-8
_FIRST = 6


@dataclass(frozen=True)
class Responses:
    """What the rows see at each frequency, and how far the displacements may be from full solutions."""

    seen: Array
    error: Array


def responses(system: SecondOrderSystem, omega: Array, F: Array, rows: Array) -> Responses | None:
    """Rows of x at frequencies above zero; None where this way does not apply or does not pay."""
    try:
        inverse = mass_metric_inverse(system)
        loads = F[:, None]
        truth, grown = Truth(inverse, loads), AroundRest(inverse, with_friction(inverse, loads), 1)
        grown.grow(_FIRST)
        for _ in range(len(omega) // 2):
            small = project(inverse, grown.space.V, grown.space.KV, loads, F, truth)
            errors = Accuracy(small, truth)(omega, round_off=False, enough=_TOLERANCE)
            if float(errors.max()) <= _TOLERANCE:
                return Responses(_seen(small, truth, omega, rows), errors)
            worst = float(omega[int(np.argmax(errors))])
            grown.space.add(truth.visit(worst).right_sides(loads))
    except (FlexuraError, np.linalg.LinAlgError):
        return None
    return None


def _seen(small: SecondOrderSystem, truth: Truth, omega: Array, rows: Array) -> Array:
    """Full answers where they are at hand, reduced ones elsewhere."""
    read = rows @ small.basis
    return np.array(
        [rows @ truth.at(one)[:, 0] if truth.known(one) else read @ answer(small, one)[:, 0] for one in omega]
    )
