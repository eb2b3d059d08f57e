"""What belongs to a controller or a material beside its motion: first-order states, and controllers that sample.

>>> State("z", rate="r(t) - theta"), Torque(hub, "-kp*theta - kd*theta_t + ki*z")
>>> Sampled(0.01, lambda t, outputs: -kp * outputs["theta"], name="tau")
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError, concerning
from flexura.parts.description import Described
from flexura.parts.loads import load_value
from flexura.symbolic.expression import Expression, check_name
from flexura.symbolic.quantities import check_dimension, quantity


@checked_methods
@dataclass(frozen=True, init=False, eq=False)
class State(Described):
    """A first-order state z of a controller or a material: z_t = rate."""

    name: str
    rate: Expression
    initial: Expression

    def __init__(self, name: str, rate: Any, initial: Any = 0) -> None:
        """`rate` in names of coordinates, their rates, other states and inputs: `fx.State("z", "r(t) - theta")`."""
        chosen = check_name(name, "A state")
        what = f"the rate of the state {chosen}"
        if rate is None:
            raise FlexuraError(
                f"The state {chosen} has no rate",
                advice=f"write how fast it changes, like fx.State({chosen!r}, 'r(t) - theta')",
                part=f"the state {chosen}",
                keyword="rate",
            )
        with concerning(part=f"the state {chosen}", keyword="rate"):
            read = load_value(rate, what)
            check_dimension(read, None, f"T{what[1:]}")
            if any("x" in getattr(one, "of", ()) for one in read.declarations):
                raise FlexuraError(f"T{what[1:]} is {read}, which varies along x", advice="leave x out")
        object.__setattr__(self, "name", chosen)
        object.__setattr__(self, "rate", read)
        object.__setattr__(self, "initial", quantity(initial, "initial", chosen))

    @property
    def words(self) -> str:
        """What sentences call it."""
        return f"the state {self.name}"

    def __repr__(self) -> str:
        return f"State({self.name!r})"


@checked_methods
@dataclass(frozen=True, init=False, eq=False)
class Sampled(Described):
    """A sampled controller: at 0, period, 2 period, ... it gives the value of an input, which is held in between."""

    period: float
    function: Callable[[float, Mapping[Any, Any]], float]
    name: str

    def __init__(self, period: float, function: Callable[[float, Mapping[Any, Any]], float], name: str) -> None:
        """`function(t, outputs)` gives the value of the input `name`; outputs["theta"] is what a sensor would see."""
        chosen = check_name(name, "The input of a sampled controller")
        words = f"the sampled controller of {chosen}"
        if isinstance(period, bool) or not isinstance(period, int | float) or not 0 < period < math.inf:
            raise FlexuraError(
                f"The period of {words} is {period!r}",
                advice="give a positive number of seconds",
                part=words,
                keyword="period",
            )
        if not callable(function):
            raise FlexuraError(
                f"The function of {words} is {function!r}",
                advice="give a function of (t, outputs)",
                part=words,
                keyword="function",
            )
        object.__setattr__(self, "period", float(period))
        object.__setattr__(self, "function", function)
        object.__setattr__(self, "name", chosen)

    @property
    def words(self) -> str:
        """What sentences call it."""
        return f"the sampled controller of {self.name}"

    def __repr__(self) -> str:
        return f"Sampled({self.period:g}, {self.name!r})"
