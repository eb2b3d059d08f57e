"""Inputs of linear answers by name: loads, generalized forces on coordinates, and motions that were prescribed.

    >>> asked = asked_inputs(equations, ["F", "zr"], values)
    >>> asked.energies, asked.columns, asked.driven        # zr is a coordinate of these energies, and its name

A named load, or a coordinate (a unit generalized force on it), becomes an input of its own. A prescribed motion becomes
a coordinate: what drives it is its acceleration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flexura.derivation.equations.equations import Equations
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.solve.runs.contacts import contact_inputs
from flexura.solve.values import no_input
from flexura.symbolic.engine import ONE, ZERO, Basic, Symbol
from flexura.symbolic.quantities import text_or_expression


@dataclass(frozen=True, eq=False)
class AskedInputs:
    """Energies in which everything that was asked for is an input or a coordinate.

    `columns` are the names of inputs of these energies, `driven` of coordinates, both in the order they were asked for;
    `labels` and `order` say how the user called them and which comes first: (columns, then driven)[order].
    """

    energies: Lagrangian
    columns: tuple[str, ...]
    driven: tuple[str, ...]
    labels: tuple[str, ...]
    order: tuple[int, ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    """The state that linear equations are about, and the numbers it was found for, where these had to be opened."""


def names_of(given: Any) -> list[Any]:
    """One or several, as a list."""
    return list(given) if isinstance(given, list | tuple) and not _is_pair(given) else [given]


def _is_pair(given: Any) -> bool:
    """(place, field): one output."""
    return isinstance(given, tuple) and len(given) == 2 and hasattr(given[0], "member")


def asked_inputs(equations: Equations, inputs: Any, values: Mapping[str, Any] | None) -> AskedInputs:
    """Read the inputs of a question; None asks for every input the equations hold."""
    energies, given = equations.lagrangian, dict(values or {})
    about: Mapping[str, Any] = {}
    numbers: Mapping[str, Any] = {}
    origin = energies.origin
    if origin is not None and any(_names_motion(origin.energies, one) for one in names_of(inputs)):
        energies, about, numbers = origin.energies, origin.about, origin.values
    contacts = contact_inputs(energies)
    asked = [name for name in energies.inputs if name not in contacts] if inputs is None else names_of(inputs)
    labels = tuple(str(getattr(one, "name", one)) for one in asked)
    repeated = [one for i, one in enumerate(labels) if one in labels[:i]]
    if repeated:
        raise FlexuraError(f"The input {repeated[0]} is asked for twice", advice="ask for it once")
    motions = {label: _motion(energies, label) for label in labels}
    columns = [one for one in labels if not motions[one]]
    driven = [one for one in labels if motions[one]]
    order = tuple(columns.index(one) if one in columns else len(columns) + driven.index(one) for one in labels)
    parts = {name: getattr(energies, name) for name in Lagrangian.__dataclass_fields__}
    parts |= _freed(energies, [motions[one] for one in driven])
    own = [_column(energies, one, parts, given) for one in columns]
    moved = tuple(motions[one] for one in driven)
    return AskedInputs(Lagrangian.of_parts(**parts), tuple(own), moved, labels, order, about, numbers)


def _names_motion(energies: Lagrangian, asked: Any) -> bool:
    """Whether a name is that of a motion that linear equations had put in."""
    name = str(getattr(asked, "name", asked))
    inside = {symbol.name for f in energies.prescribed.values() for symbol in f.free_symbols}
    return name in energies.prescribed or (name in inside and name in energies.inputs)


def _motion(energies: Lagrangian, name: str) -> str:
    """The prescribed coordinate that a name means: its own, or that of the input its motion is; else ""."""
    if name in energies.prescribed:
        return name
    holding = {p: f for p, f in energies.prescribed.items() if Symbol(name) in f.free_symbols}
    if name not in energies.inputs or not holding:
        return ""
    if len(holding) > 1 or next(iter(holding.values())) != Symbol(name):
        raise FlexuraError(
            f"The input {name} moves {', '.join(holding)} in another way than one to one",
            advice="ask for the prescribed coordinate instead, or give it motion='" + name + "(t)'",
        )
    return next(iter(holding))


def _freed(energies: Lagrangian, names: Sequence[str]) -> dict[str, Any]:
    """Prescribed motions as coordinates."""
    if not names:
        return {}
    prescribed = {name: f for name, f in energies.prescribed.items() if name not in names}
    gone = {f.name for name in names if isinstance(f := energies.prescribed[name], Symbol)}
    inputs = {name: of for name, of in energies.inputs.items() if name not in gone}
    return {"prescribed": prescribed, "coordinates": (*energies.coordinates, *names), "inputs": inputs}


def _column(energies: Lagrangian, name: str, parts: dict[str, Any], values: Mapping[str, Any]) -> str:
    """An input for a load, by its name; what is none yet is added to the parts."""
    if name in energies.inputs and name not in energies.loads:
        _has_shape(energies, name, values)
        return name
    if name in energies.loads:
        loads: Mapping[str, Mapping[str, Basic]] = energies.loads[name]
    elif name in energies.coordinates or name in {jet.label for jet in energies.free}:
        loads = {"": {name: ONE}}
    else:
        known = dict.fromkeys((*energies.inputs, *energies.loads, *energies.prescribed, *energies.coordinates))
        raise no_input(energies, name, "input") or FlexuraError(
            f"There is no input {name!r}",
            advice=f"inputs, loads, prescribed motions and coordinates are {', '.join(known) or 'none'}",
        )
    own = f"$load {name}"
    parts["inputs"] = {**parts["inputs"], own: frozenset()}
    for spine, targets in loads.items():
        for target, f in targets.items():
            f = f * Symbol(own) * _shape(energies, name, spine, target, values)
            if spine:
                line = dict(parts["work_density"].get(spine, {}))
                line[target] = line.get(target, ZERO) + f
                parts["work_density"] = {**parts["work_density"], spine: line}
            else:
                parts["work"] = {**parts["work"], target: parts["work"].get(target, ZERO) + f}
    return own


def _has_shape(energies: Lagrangian, name: str, values: Mapping[str, Any]) -> None:
    spread = "x" in energies.inputs[name]
    if spread and name not in values:
        raise FlexuraError(
            f"The load {name}(x) needs its shape",
            advice=f"give values={{'{name}': 'expression in x'}}",
            missing=(name,),
        )
    if not spread and name in values:
        raise FlexuraError(f"{name} is an input and has a value too", advice="leave one of them out")


def _shape(energies: Lagrangian, name: str, spine: str, target: str, values: Mapping[str, Any]) -> Basic:
    """How a named load is spread, where its input depends on x."""
    load = energies.work_density.get(spine, {}).get(target, ZERO) if spine else ZERO
    for one in [name] if name in energies.inputs else sorted(symbol.name for symbol in load.free_symbols):
        if "x" in energies.inputs.get(one, ()) and spine:
            _has_shape(energies, one, values)
            return text_or_expression(values[one], what=f"the value of {one}", spine=True).engine
    return ONE


def with_small_loads(energies: Lagrangian, values: Mapping[str, Any] | None) -> Lagrangian:
    """Linear energies without products of inputs and motions: small loads on small motions are of second order.

    A load that has a number is not small: its products with motions are stiffness, unless it also moves the state that
    the equations are about.
    """
    steady = {name for name, one in (values or {}).items() if name in energies.inputs and not isinstance(one, str)}

    def small(f: Basic) -> Basic:
        off = {jet.symbol: ZERO for jet in energies.jets.inside(f) if jet.name in energies.inputs}
        off |= {Symbol(name): ZERO for name in energies.inputs}
        off = {symbol: zero for symbol, zero in off.items() if symbol.name not in steady}
        quiet, moving = f.xreplace(off), {jet.symbol: ZERO for jet in energies.jets.unknowns(f)}
        pushes = quiet.xreplace(moving)
        both = {one.name for one in pushes.free_symbols} & {one.name for one in (quiet - pushes).expand().free_symbols}
        if both & steady:
            raise FlexuraError(
                f"The load {sorted(both & steady)[0]} has a value here and acts through the motion, so it moves the"
                " state that the equations are about",
                advice="leave its value out, or put it in with fx.linearise(equations, about=fx.equilibrium(equations,"
                " values), values=values)",
            )
        return f if quiet == f else quiet + (f - quiet).xreplace(moving)

    lines = {spine: {to: small(f) for to, f in loads.items()} for spine, loads in energies.work_density.items()}
    return energies.changed(work={to: small(f) for to, f in energies.work.items()}, work_density=lines)
