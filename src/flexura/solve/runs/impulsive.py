"""Impulses among the loads of a run: taken out of text and loads, as instants at which speeds jump.

>>> equations, inputs, strikes = without_impulses(equations, {"F": "2*impulse(t - 1) + sin(t)"}, values, times)
>>> strikes[0].t, strikes[0].inputs                # 1.0, {"F": 2}

f(t) impulse(a t + b) is a jump of momentum f(t0)/|a| at t0 = -b/a. What is left of a load acts as ever. Loads that the
model itself holds become inputs of their own, so that both are read, spread along members and met in one way.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.solve.steppers.mechanics import SAME_TIME
from flexura.solve.values import numbers
from flexura.symbolic.engine import TIME, ZERO, Basic, Symbol, exact
from flexura.symbolic.expression import Expression
from flexura.symbolic.impulses import IMPULSE, check_impulses, impulses_in, refuse_impulses
from flexura.symbolic.quantities import text_or_expression
from flexura.systems.signals.breaks import switches

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Strike:
    """Impulses at one time, by the names of inputs."""

    t: float
    inputs: Mapping[str, Any]


def without_impulses(
    equations: Equations, inputs: Mapping[str, Any] | None, values: Mapping[str, Any] | None, times: Array
) -> tuple[Equations, dict[str, Any], tuple[Strike, ...]]:
    """The equations and inputs without impulses, and these."""
    given = dict(inputs or {})
    equations, own = _own_impulses(equations)
    given.update(own)
    energies = equations.lagrangian
    held = [name for name, value in given.items() if _is_impulsive(value) and _acts(energies, name)]
    if not held:
        return equations, given, ()
    if energies.contacts:
        raise FlexuraError(
            "An impulse acts on a system with contacts, whose stops and friction would be struck with it",
            advice="give a short pulse instead: a force of 1/0.001 for 0.001 s",
        )
    known = {Symbol(name): exact(value) for name, value in numbers(equations, values).items()}
    spread = {
        name for name in held for rows in energies.work_density.values() for f in rows.values()
        if Symbol(name) in f.free_symbols
    }  # fmt: skip
    rest, strikes = taken_out({name: given[name] for name in held}, times, known, spread)
    return equations, {**given, **rest}, strikes


def taken_out(
    given: Mapping[str, Any], times: Array, known: Mapping[Any, Any] | None = None, spread: Collection[str] = ()
) -> tuple[dict[str, Any], tuple[Strike, ...]]:
    """Inputs without their impulses, and these; `known` are numbers of names, `spread` the inputs that hold x.

    >>> taken_out({"F": "2*impulse(t - 1) + sin(t)"}, times)
    """
    rest, strikes = dict(given), dict[float, dict[str, Any]]()
    for name, value in given.items():
        if _is_impulsive(value):
            what = f"the input {name}"
            tree = text_or_expression(value, what=what, spine=name in spread, impulses=True).engine.xreplace(
                known or {}
            )
            rest[name] = Expression(_split(check_impulses(tree, what), name, times, strikes))
    return rest, tuple(Strike(t, found) for t, found in sorted(strikes.items()))


def _split(tree: Basic, name: str, times: Array, strikes: dict[float, dict[str, Any]]) -> Basic:
    """What is left of a load; its impulses during the run go to `strikes`."""
    for one in impulses_in(tree):
        mark = Symbol("$blow")
        factor, since = tree.xreplace({one: mark}).diff(mark), one.args[0]
        tree = tree.xreplace({one: ZERO})
        rate = since.diff(TIME)
        stray = sorted(str(symbol) for symbol in since.free_symbols - {TIME})
        if stray:
            raise FlexuraError(
                f"The time of {one} in the input {name} holds {', '.join(stray)}, which has no value",
                advice="give a number",
            )
        t = float((TIME - since / rate).expand())
        if not times[0] <= t < times[-1]:
            continue
        slack = 1e-9 * (times[-1] - times[0])
        if switches([factor], t - slack, t + slack):
            raise FlexuraError(
                f"The factor of {one} in the input {name} jumps at that time", advice="move one of them a little"
            )
        t = next((at for at in strikes if abs(at - t) <= SAME_TIME * max(abs(t), 1e-3)), t)  # 0.3 and 0.1*3
        found = strikes.setdefault(t, {})
        amount = (factor / abs(float(rate))).xreplace({TIME: exact(t)})
        found[name] = Expression(found[name].engine + amount) if name in found else Expression(amount)
    return tree


def _is_impulsive(value: Any) -> bool:
    if isinstance(value, str):
        return IMPULSE in value
    if hasattr(value, "engine"):
        return bool(impulses_in(value.engine))
    return hasattr(value, "free_symbols") and "DiracDelta" in str(value)


def _acts(energies: Lagrangian, name: str) -> bool:
    """Whether a name means a load, and no motion that is prescribed."""
    if name in energies.loads:
        return True
    loads = [*energies.work.values(), *(f for rows in energies.work_density.values() for f in rows.values())]
    return any(Symbol(name) in f.free_symbols for f in loads)


def _own_impulses(equations: Equations) -> tuple[Equations, dict[str, Any]]:
    """Equations whose own impulses are inputs, and these by their names."""
    energies = equations.lagrangian
    loads = [*energies.work.values(), *(f for rows in energies.work_density.values() for f in rows.values())]
    found = dict.fromkeys(one for f in loads for one in impulses_in(f))
    if not found:
        return equations, {}
    marks = {one: Symbol(f"${IMPULSE}{k}") for k, one in enumerate(found)}
    parts = {one.name: getattr(energies, one.name) for one in fields(energies)}
    parts["work"] = {target: f.xreplace(marks) for target, f in energies.work.items()}
    parts["work_density"] = {
        spine: {target: f.xreplace(marks) for target, f in rows.items()}
        for spine, rows in energies.work_density.items()
    }
    parts["inputs"] = {**energies.inputs, **{one.name: frozenset("t") for one in marks.values()}}
    return replace(equations, lagrangian=Lagrangian.of_parts(**parts)), {
        mark.name: Expression(one) for one, mark in marks.items()
    }


def refuse_own_impulses(energies: Lagrangian, verb: str) -> None:
    """Say that only runs meet impulses."""
    for target, f in energies.work.items():
        refuse_impulses(f, f"{verb} meets no impulses, and the load on {target}")
    for rows in energies.work_density.values():
        for target, f in rows.items():
            refuse_impulses(f, f"{verb} meets no impulses, and the load along {target}")
