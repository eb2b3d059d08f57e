"""What a Lagrangian must satisfy before anything is derived from it; each refusal is one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flexura.energy.lagrangian import Lagrangian, Spine
from flexura.errors import FlexuraError
from flexura.symbolic.engine import SPINE, ZERO, Basic, Symbol, partial
from flexura.symbolic.zero import vanishes


def check(data: Mapping[str, Any]) -> None:
    """Refuse what the extended Lagrange equation cannot take, or what the user cannot have meant."""
    energies = Lagrangian.of_parts(**data, motion=None)
    if not energies.moving and not energies.fields:
        raise FlexuraError(
            "The system holds no coordinate and no field", advice="declare them with fx.Coordinate and fx.Field"
        )
    rigid = {
        "the kinetic energy": energies.kinetic,
        "the potential energy": energies.potential,
        "the dissipation function": energies.dissipation,
    }
    for what, f in rigid.items():
        _only_discrete(energies, f, what)
        _no_accelerations(energies, f, what)
    for spine in energies.spines:
        _density(energies, spine, energies.density.get(spine.name, ZERO), "density", mixed=False)
        _density(energies, spine, energies.dissipation_density.get(spine.name, ZERO), "dissipation density", mixed=True)
        _rates(energies, energies.dissipation_density.get(spine.name, ZERO), f"The dissipation density of {spine.name}")
    _rates(energies, energies.dissipation, "The dissipation function")
    _boundary(energies)
    _work(energies)
    for one in energies.constraints.values():
        _only_discrete(energies, one, "a constraint")
        _constraint(energies, one)
    for name, one in energies.prescribed.items():
        if energies.jets.unknowns(one) or SPINE in one.free_symbols:
            raise FlexuraError(
                f"The prescribed motion of {name} is {one}", advice="give a function of t and parameters only"
            )


def _only_discrete(energies: Lagrangian, f: Basic, what: str) -> None:
    for jet in energies.jets.unknowns(f):
        if jet.name in energies.fields and not jet.end:
            raise FlexuraError(
                f"The field {jet.name} appears in {what}, which is not spread along its spine",
                advice=f"use {jet.name}.at(end) there, or put the term into density={{{jet.name}: ...}}",
            )
    if SPINE in f.free_symbols:
        raise FlexuraError(f"The place x along a spine appears in {what}", advice="only densities depend on x")


def _no_accelerations(energies: Lagrangian, f: Basic, what: str) -> None:
    for jet in energies.jets.unknowns(f):
        if jet.t > 1:
            raise FlexuraError(
                f"The acceleration {jet.label} appears in {what}", advice="energies hold coordinates and rates only"
            )


def _density(energies: Lagrangian, spine: Spine, f: Basic, what: str, mixed: bool) -> None:
    _no_accelerations(energies, f, f"the {what} of {spine.name}")
    for jet in energies.jets.unknowns(f):
        if jet.end or jet.name not in energies.fields:
            continue
        if jet.name not in spine.fields:
            raise FlexuraError(
                f"The field {jet.name} appears in the {what} of {spine.name} but lives on another spine",
                advice=f"use {jet.name}.at(end), or declare it with spine={spine.name}",
            )
        if jet.x > 2 or (jet.x == 2 and jet.t and not mixed):
            raise FlexuraError(
                f"The {what} of {spine.name} holds {jet.label}",
                advice=(
                    "the extended Lagrange equation takes derivatives up to w_xx and w_xt, so introduce another field"
                    " for the higher ones"
                ),
            )


def _rates(energies: Lagrangian, f: Basic, what: str) -> None:
    rates = {jet.symbol: ZERO for jet in energies.jets.unknowns(f) if jet.t}
    if not vanishes(f) and (not rates or not vanishes(f.subs(rates))):
        raise FlexuraError(
            f"{what} is not a function of rates: it does not vanish at rest",
            advice="use rates such as q.t or w.t, and put stored energy into the potential",
        )


def _boundary(energies: Lagrangian) -> None:
    possible = {jet.label: jet for jet in energies.boundary_values}
    for label, value in energies.boundary.items():
        if label not in possible:
            name = label.partition("@")[0].removesuffix("_x")
            order = energies.orders[name]
            words = {0: "no derivative along x", 1: "first derivatives only"}[order]
            has = "no boundary values" if order == 0 else "values but no slopes at its ends"
            raise FlexuraError(
                f"The boundary value {_pretty(label)} is given, but the density of {name} holds {words}, so it has"
                f" {has}",
                advice="leave it out",
            )
        _only_discrete(energies, value, f"the boundary value {_pretty(label)}")
        for jet in energies.jets.unknowns(value):
            if jet.t:
                raise FlexuraError(
                    f"The boundary value {_pretty(label)} depends on the rate {jet.label}",
                    advice="use coordinates and t",
                )
            if jet.end and jet.label not in possible:
                raise FlexuraError(
                    f"The boundary value {_pretty(label)} uses {_pretty(jet.label)}, which does not exist."
                )
    _no_cycles(energies)


def _no_cycles(energies: Lagrangian) -> None:
    for label in energies.boundary:
        seen, ahead = {label}, _ends_in(energies, energies.boundary[label])
        while ahead:
            one = ahead.pop()
            if one in seen and one == label:
                raise FlexuraError(
                    f"The boundary value {_pretty(label)} is given through itself", advice="leave one of the ends free"
                )
            if one not in seen:
                seen.add(one)
                ahead |= _ends_in(energies, energies.boundary.get(one, ZERO))


def _ends_in(energies: Lagrangian, f: Basic) -> set[str]:
    return {jet.label for jet in energies.jets.unknowns(f) if jet.end}


def _work(energies: Lagrangian) -> None:
    possible = {*energies.moving, *(jet.label for jet in energies.boundary_values)}
    for target in energies.work:
        if target in energies.fields:
            raise FlexuraError(
                f"Work is given for the field {target}",
                advice=f"use work_density={{{target}: ...}} or {target}.at(end)",
            )
        if target not in possible:
            raise FlexuraError(
                f"Work is given for {_pretty(target)}, which is not a boundary value of its density",
                advice="leave it out",
            )
    free = {jet.label for jet in energies.free}
    for spine, loads in energies.work_density.items():
        allowed = {*energies.moving, *free, *next(one.fields for one in energies.spines if one.name == spine)}
        for target in loads:
            if target not in allowed:
                raise FlexuraError(
                    f"The line load on {spine} names {_pretty(target)}",
                    advice="name its fields, discrete coordinates or free values at ends",
                )


def _constraint(energies: Lagrangian, f: Basic) -> None:
    rates = [jet for jet in energies.jets.unknowns(f) if jet.t]
    if not energies.jets.unknowns(f):
        raise FlexuraError(
            f"The constraint {f} = 0 holds no coordinate", advice="write it in coordinates or their rates"
        )
    for jet in rates:
        slope: Basic = partial(f, jet.symbol)
        if jet.t > 1 or any(Symbol(other.label) in slope.free_symbols for other in rates):
            raise FlexuraError(
                f"The constraint {f} = 0 is not linear in the rates", advice="only such constraints are covered"
            )


def _pretty(label: str) -> str:
    name, _, end = label.partition("@")
    slope = name.endswith("_x")
    where = {"a": "start", "b": "end", "": ""}[end]
    return f"{name.removesuffix('_x')}{' slope' if slope else ''} at its {where}" if end else name
