"""Linear equations that keep a parameter free, so that it can be varied: for sensitivities, charts and buckling.

>>> linear_in(equations, "Omega", {"EI": 50.0})
>>> linear_family(equations, "Omega", values, rest=fx.equilibrium)(12.0)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from flexura.derivation.equations.equations import Equations
from flexura.derivation.linearise import linearise
from flexura.errors import FlexuraError, warn
from flexura.symbolic.engine import TIME, Symbol, partial

Rest = Callable[[Equations, Mapping[str, Any]], Mapping[str, Any]]


def note_left_out(equations: Equations) -> None:
    """Say that what controllers give at sample times, and what contacts exert, is left out of linear answers."""
    sampled = [one.name for one in equations.lagrangian.sampled]
    if sampled:
        warn(f"{_called('The sampled controller', sampled, 'of')} held at zero here; fx.simulate follows it.")
    if equations.lagrangian.contacts:
        warn(f"{_called('The contact', list(equations.lagrangian.contacts), '')} left open here: it exerts nothing.")


def _called(what: str, names: list[str], of: str) -> str:
    many = len(names) > 1
    return f"{what}{'s' * many} {of + ' ' * bool(of)}{', '.join(names)} {'are' if many else 'is'}"


def linear_at(equations: Equations, values: Mapping[str, Any] | None) -> Equations:
    """The equations if they are linear, else linearised about zero with these values."""
    note_left_out(equations)
    known = {name: one for name, one in (values or {}).items() if name not in equations.lagrangian.inputs}
    return equations if equations.lagrangian.linear else linearise(equations, values=known)


def linear_in(
    equations: Equations, parameters: str | Iterable[str] | None, values: Mapping[str, Any] | None
) -> Equations:
    """Linear equations that still hold some parameters (all, if None); others are put in only where that is needed."""
    if equations.lagrangian.linear:
        return equations
    given = {name: one for name, one in (values or {}).items() if name not in equations.lagrangian.inputs}
    kept = {parameters} if isinstance(parameters, str) else set(given if parameters is None else parameters)
    try:
        return linearise(equations)
    except FlexuraError:
        return linearise(equations, values={name: one for name, one in given.items() if name not in kept})


def linear_family(
    equations: Equations, parameter: str, values: Mapping[str, Any] | None, rest: Rest
) -> Callable[[float], Equations]:
    """The linear equations at each value of a parameter: about zero, or where that is no equilibrium, about `rest`."""
    if parameter not in equations.lagrangian.parameters:
        known = ", ".join(equations.lagrangian.parameters)
        raise FlexuraError(f"There is no parameter {parameter!r} in the equations", advice=f"they hold {known}")
    try:
        linear = linear_in(equations, parameter, values)
    except FlexuraError:

        def at(value: float) -> Equations:
            numbers = {**equations.values, **(values or {}), parameter: value}
            return linearise(equations, about=rest(equations, numbers), values=numbers)

        return at
    return lambda _: linear


def is_speed(equations: Equations, name: str) -> bool:
    """Whether a prescribed motion goes on at the rate of that parameter."""
    return any(partial(motion, TIME) == Symbol(name) for motion in equations.lagrangian.prescribed.values())
