"""Equations whose distributed loads are inputs of x and t: those given as such, and those written so in the model.

    >>> equations = spread_inputs(equations, {"f": lambda x, t: x * t})
    >>> equations, known = moving_loads(equations)        # q(x - v*t) in the model becomes an input with its text

What depends on x and t together cannot be integrated along x once and for all; as an input it is integrated at every
time by whoever reads inputs (`spread.py`), who finds where it jumps.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

from flexura.derivation.equations.equations import Equations
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.symbolic.engine import SPINE, TIME, Basic, Symbol
from flexura.symbolic.expression import Expression
from flexura.symbolic.integrals import factors, terms
from flexura.symbolic.quantities import text_or_expression


def spread_inputs(equations: Equations, inputs: Mapping[str, Any]) -> Equations:
    """The equations in which distributed inputs that are given as functions of x depend on x: "f" becomes f(x, t)."""
    energies = equations.lagrangian
    loads = [f for rows in energies.work_density.values() for f in rows.values()]
    varying = {
        name
        for name, value in inputs.items()
        if name in energies.inputs
        and "x" not in energies.inputs[name]
        and any(Symbol(name) in f.free_symbols for f in loads)
        and _holds_x(name, value)
    }
    if not varying:
        return equations
    parts = {one.name: getattr(energies, one.name) for one in fields(energies)}
    parts["inputs"] = {name: of | {"x", "t"} if name in varying else of for name, of in energies.inputs.items()}
    return replace(equations, lagrangian=Lagrangian.of_parts(**parts))


def _holds_x(name: str, value: Any) -> bool:
    if callable(value) and not hasattr(value, "engine"):
        return arguments_of(value) > 1
    if isinstance(value, str):
        return SPINE in text_or_expression(value, what=f"the input {name}", spine=True).engine.free_symbols
    return hasattr(value, "engine") and SPINE in value.engine.free_symbols


def moving_loads(equations: Equations) -> tuple[Equations, dict[str, Expression]]:
    """The equations with loads of x and t together as inputs, and what those are."""
    energies, found = equations.lagrangian, dict[Basic, Symbol]()
    known = {Symbol(name) for name in energies.parameters} | {SPINE, TIME}
    work: dict[str, dict[str, Basic]] = {}
    for spine, rows in energies.work_density.items():
        work[spine] = {}
        for target, f in rows.items():
            if {SPINE, TIME} <= f.free_symbols:
                for part in (part for term in terms(f.expand()) for part in factors(term)):
                    if {SPINE, TIME} <= part.free_symbols <= known:
                        found.setdefault(part, Symbol(f"$load{len(found)}"))
                f = f.expand().xreplace(dict(found))
            work[spine][target] = f
    if not found:
        return equations, {}
    parts = {one.name: getattr(energies, one.name) for one in fields(energies)}
    parts["work_density"] = work
    parts["inputs"] = {**energies.inputs, **{one.name: frozenset("xt") for one in found.values()}}
    return replace(equations, lagrangian=Lagrangian.of_parts(**parts)), {
        symbol.name: Expression(part) for part, symbol in found.items()
    }


def arguments_of(function: Callable[..., Any]) -> int:
    """How many arguments a function must be called with."""
    return len(_required(function)) or 1


def check_order(name: str, function: Callable[..., Any]) -> None:
    """Refuse a function that calls its first argument t and its second x: it would get them the other way round."""
    if _required(function)[:2] == ("t", "x"):
        raise FlexuraError(f"The input {name} is a function of (t, x)", advice="write it as a function of (x, t)")


def _required(function: Callable[..., Any]) -> tuple[str, ...]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ()
    given = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return tuple(one.name for one in parameters if one.default is one.empty and one.kind in given)
