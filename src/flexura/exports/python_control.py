"""`fx.to_control(thing)`: python-control's StateSpace of a model, equations, matrices, or a state space.

>>> plant = fx.to_control(model, inputs="F", outputs="y")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flexura.errors import FlexuraError
from flexura.solve.state_space import state_space
from flexura.systems.state_space import StateSpace


def to_control(
    thing: Any,
    inputs: Any = None,
    outputs: Any = None,
    values: Mapping[str, Any] | None = None,
    order: int | None = None,
) -> Any:
    """A `control.StateSpace`: of what `fx.state_space` gives, or of what it takes, by default with every input and
    every coordinate.

    >>> control.margin(fx.to_control(equations, "F", "y", values={"k": 8.0}))
    """
    if isinstance(thing, StateSpace):
        if any(one is not None for one in (inputs, outputs, values, order)):
            raise FlexuraError(
                "A state space has its inputs and outputs already", advice="leave inputs, outputs, values and order out"
            )
        return thing.to_control()
    return state_space(thing, inputs, outputs, values, order).to_control()
