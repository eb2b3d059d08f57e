"""A run in several legs, each in angles of its own: how far it may be off, and what its momenta miss.

>>> error, notes = error_of_legs(legs)
>>> balance = balance_of_legs(legs)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from flexura.solve.runs.charts import Leg
from flexura.solve.runs.momenta import MomentumBalance, momentum_balance
from flexura.solve.runs.run_error import motion_error
from flexura.solve.steppers.accuracy import MotionError

_BASIS = " of each leg between two changes of angles, in the angles of that leg, in which those before it have grown on"


def error_of_legs(legs: Sequence[Leg]) -> tuple[MotionError, list[str]]:
    """Errors of each leg, and those before it as much as small changes have grown since."""
    whole, notes = MotionError(), list[str]()
    for leg in legs:
        found, told = motion_error(leg.case, leg.curve)
        time = {name: size + found.growth * whole.time.get(name, 0.0) for name, size in found.time.items()}
        share = min(1.0, found.time_share + found.growth * whole.time_share)
        growth = max(1.0, found.growth) * whole.growth
        whole = replace(found, time=time, time_share=share, growth=growth, basis=f"{MotionError.basis}{_BASIS}")
        notes += [one for one in told if one not in notes]
    return whole, notes


def balance_of_legs(legs: Sequence[Leg]) -> MomentumBalance:
    """What is missing adds up from leg to leg; the motions are the same in all angles."""
    parts = [momentum_balance(leg.case, leg.curve) for leg in legs]
    first, begun, rows = parts[0], np.zeros(len(parts[0].motions.names)), []
    for one in parts:
        rows.append(begun + one.missing)
        begun = rows[-1][-1]
    counts = np.array([one.steps for one in parts]).sum(axis=0).tolist()
    return replace(
        first,
        t=np.concatenate([one.t for one in parts]),
        missing=np.concatenate(rows),
        scales=np.max([one.scales for one in parts], axis=0),
        steps=(counts[0], counts[1]),
    )
