"""Systems of numbers of every kind, as the matrices that linear verbs ask for; what has none is told so.

>>> fx.modes(frame), fx.frequency_response(frame, omega, load="v4", output="v4")        # at rest
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any, NoReturn

import numpy as np

from flexura.errors import FlexuraError
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.mechanism import Mechanism
from flexura.structures.moving.system import moving_system
from flexura.systems.linear_motion import matrices_at_zero
from flexura.systems.nonlinear import NonlinearSystem
from flexura.systems.second_order import SecondOrderSystem
from flexura.systems.signals.signal import real_array

Numeric = SecondOrderSystem | NonlinearSystem | BeamFrame | Mechanism


@singledispatch
def matrices_of(system: Any, verb: str) -> SecondOrderSystem:
    """The matrices of a frame at rest, or of a discretised system linearised about zero."""
    raise FlexuraError(f"{verb} takes a model, equations or matrices, and {type(system).__name__} is none of these.")


@matrices_of.register
def _(system: BeamFrame, verb: str) -> SecondOrderSystem:
    return moving_system(system)


@matrices_of.register
def _(system: NonlinearSystem, verb: str) -> SecondOrderSystem:
    return matrices_at_zero(system, verb)


@matrices_of.register
def _(system: Mechanism, verb: str) -> NoReturn:
    raise FlexuraError(
        f"{verb} needs matrices that do not change, and those of a mechanism change as it moves",
        advice="ask for a member on its body at one time: fx.moving_system(member, mechanism.bodies[name], t)",
    )


def refuse_numbers(system: Any, verb: str, advice: str) -> None:
    """What needs formulas cannot be asked of numbers."""
    if isinstance(system, Numeric):
        raise FlexuraError(
            f"{verb} is of a model or of equations, and this {type(system).__name__} holds numbers", advice=f"{advice}"
        )


def read_frequencies(omega: Any) -> Any:
    """Finite real frequencies in rad/s, of any shape."""
    points = real_array(omega, "omega", "give frequencies in rad/s")
    if points.size and not np.all(np.isfinite(points)):
        raise FlexuraError("omega holds values that are not finite", advice="give frequencies in rad/s")
    return points
