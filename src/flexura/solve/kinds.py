"""Systems of numbers of every kind, as the matrices that linear verbs ask for; what has none is told so.

>>> fx.modes(frame), fx.frequency_response(frame, omega, load="v4", output="v4")        # at rest
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any, NoReturn

from flexura.errors import FlexuraError
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.mechanism import Mechanism
from flexura.structures.moving.rotor import Rotor
from flexura.structures.moving.system import moving_system
from flexura.systems.linear_motion import matrices_at_zero
from flexura.systems.nonlinear import NonlinearSystem
from flexura.systems.second_order import SecondOrderSystem, required

Numeric = SecondOrderSystem | NonlinearSystem | BeamFrame | Mechanism


@singledispatch
def matrices_of(system: Any, verb: str) -> SecondOrderSystem:
    """The matrices of a frame at rest, or of a discretised system linearised about zero."""
    return required(system)


@matrices_of.register
def _(system: BeamFrame, verb: str) -> SecondOrderSystem:
    return moving_system(system)


@matrices_of.register
def _(system: NonlinearSystem, verb: str) -> SecondOrderSystem:
    return matrices_at_zero(system, verb)


@matrices_of.register
def _(system: Rotor, verb: str) -> NoReturn:
    raise FlexuraError(
        f"{verb} needs matrices, and those of a rotor depend on its speed", advice="ask at one, rotor.system(speed)"
    )


@matrices_of.register
def _(system: Mechanism, verb: str) -> NoReturn:
    raise FlexuraError(
        f"{verb} needs matrices that do not change, and those of a mechanism change as it moves",
        advice="ask at one time, mechanism.system(t)",
    )


def refused(system: Any, verb: str, advice: str) -> FlexuraError:
    """What needs formulas cannot be asked of numbers."""
    kind = type(system).__name__
    if not isinstance(system, Numeric):
        return FlexuraError(f"{verb} is of a model or of equations, and {kind} is neither", advice="give one of them")
    return FlexuraError(f"{verb} is of a model or of equations, and this {kind} holds numbers", advice=advice)
