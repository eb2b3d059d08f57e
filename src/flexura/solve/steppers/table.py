"""The ways to step in time, by name, with what each of them needs: the one place where a stepper is registered.

    >>> STEPPERS["radau"].order, STEPPERS["trapezoidal"].needs

A stepper of your own is one file with a function and one call of `register`; `tests/solve/steppers/test_conformance.py`
runs every registered one through the same trials.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.steppers.explicit import explicit
from flexura.solve.steppers.generalized_alpha import generalized_alpha
from flexura.solve.steppers.linear_exact import LinearMotion, exact_steps
from flexura.solve.steppers.linear_implicit import implicit_steps
from flexura.solve.steppers.linear_inputs import Signals
from flexura.solve.steppers.mechanics import Mechanics, State
from flexura.solve.steppers.norm import Norm
from flexura.solve.steppers.pace import Pace
from flexura.solve.steppers.radau import radau
from flexura.solve.steppers.symplectic import PEFRL, symplectic
from flexura.solve.steppers.tableau import RADAU
from flexura.systems.second_order import SecondOrderSystem

Array = NDArray[np.float64]

StateSteps = Callable[[Mechanics, Norm, State, float, float, Pace], Iterator[State]]
"""(mechanics, norm, start, end, tolerance, pace): the accepted states after the start, up to the end exactly."""
MatrixSteps = Callable[[SecondOrderSystem, Array, Array, Array, Signals, float | None, float], LinearMotion]
"""(system, t, x, v, signals, step, radius): the motion at the points of t, by steps no longer than `step`."""


@dataclass(frozen=True)
class Stepper:
    """A way to step. `on_states` follows any equations; `on_matrices` a linear system with constant matrices, on t.

    `order` is that of convergence, None where steps are exact. `sparse`: it takes sparse matrices as they are.
    `constraints`: it takes multipliers. Events are found by whatever steps from state to state.
    """

    name: str
    order: int | None
    on_states: StateSteps | None = None
    on_matrices: MatrixSteps | None = None
    sparse: bool = False
    constraints: bool = False

    @property
    def events(self) -> bool:
        """Whether zeros of functions can be found on the way."""
        return self.on_states is not None

    @property
    def needs(self) -> str:
        """What it asks of a system."""
        if self.on_states is None and self.order is None:
            return "linear equations with constant coefficients and without constraints or events"
        if self.on_states is None:
            return "systems of matrices, and without events"
        return "any equations" if self.constraints else "equations without constraints"


STEPPERS: dict[str, Stepper] = {}


def register(stepper: Stepper) -> None:
    """Make a way to step known by its name; a name that is taken is refused."""
    if stepper.name in STEPPERS:
        raise FlexuraError(f"There is a stepper {stepper.name!r} already", advice="give yours another name")
    if stepper.on_states is None and stepper.on_matrices is None:
        raise FlexuraError(f"The stepper {stepper.name!r} follows nothing", advice="give on_states or on_matrices")
    STEPPERS[stepper.name] = stepper


def on_states(name: str) -> StateSteps:
    """How a stepper follows any equations; refused where it only takes matrices."""
    steps = STEPPERS[name].on_states
    if steps is None:
        raise FlexuraError(f"method={name!r} is for {STEPPERS[name].needs}", advice="leave the method out")
    return steps


def check_method(method: Any) -> None:
    """Refuse a name that no stepper has."""
    if method is not None and method not in STEPPERS:
        raise FlexuraError(f"method is {method!r}", advice=f"use {', '.join(map(repr, STEPPERS))}, or leave it out")


def _exactly(
    system: SecondOrderSystem, t: Array, x: Array, v: Array, signals: Signals, step: float | None, radius: float
) -> LinearMotion:
    return exact_steps(system, t, x, v, signals)


def _trapezoidal(
    system: SecondOrderSystem, t: Array, x: Array, v: Array, signals: Signals, step: float | None, radius: float
) -> LinearMotion:
    return implicit_steps(system, t, x, v, signals, radius=1.0, step=step)


def _alpha(
    system: SecondOrderSystem, t: Array, x: Array, v: Array, signals: Signals, step: float | None, radius: float
) -> LinearMotion:
    return implicit_steps(system, t, x, v, signals, radius=radius, step=step)


for one in (
    Stepper("explicit", 8, explicit, constraints=True),
    Stepper("radau", 2 * RADAU.s - 1, radau, constraints=True),
    Stepper("generalized_alpha", 2, generalized_alpha, _alpha, sparse=True, constraints=True),
    Stepper("symplectic", PEFRL.order, symplectic),
    Stepper("trapezoidal", 2, on_matrices=_trapezoidal, sparse=True),
    Stepper("exact", None, on_matrices=_exactly),
):
    register(one)
