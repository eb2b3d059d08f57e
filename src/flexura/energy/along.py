"""Conditions that hold at every place along a member, each with a multiplier field (theory, section 7).

A condition g(e, e_x, ...) = 0 along a spine is the term lambda(x, t) g in its density: as lambda varies g vanishes, and
lambda stands in the other equations as the force that sees to it, with the sign a discrete multiplier has.

>>> held_along({"N": tree of "u_x + w_x**2/2"}, spines, density, taken)["density"]         # ... + N (u_x + w_x^2/2)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from flexura.energy.lagrangian import Spine
from flexura.errors import FlexuraError
from flexura.symbolic.engine import ZERO, Basic, Symbol
from flexura.symbolic.jets import Jet, Jets


def held_along(
    constraints: Mapping[str, Basic], spines: tuple[Spine, ...], density: Mapping[str, Basic], taken: Collection[str]
) -> dict[str, Any]:
    """Spines, densities and constraints with every condition along a spine made a field of it; `taken` are names."""
    jets = Jets(fields=[name for spine in spines for name in spine.fields])
    known, spread, left = {one.name: one for one in spines}, dict(density), dict[str, Basic]()
    for name, condition in constraints.items():
        inside = [jet for jet in jets.inside(condition) if not jet.end]
        if name in jets.fields or name in taken:
            raise FlexuraError(
                f"The multiplier of the constraint {_shown(condition)} = 0 is called {name}, and so is something else",
                advice=f"give it another name, constraints={{'{name}_1': ...}}",
            )
        if not inside:
            left[name] = condition
            continue
        home = _home(condition, inside, spines)
        known[home] = replace(known[home], fields=(*known[home].fields, name))
        spread[home] = spread.get(home, ZERO) + Symbol(name) * condition
    return {"spines": tuple(known.values()), "density": spread, "constraints": left}


def _home(condition: Basic, inside: list[Jet], spines: tuple[Spine, ...]) -> str:
    """The spine along which a condition holds."""
    homes = {spine.name: name for spine in spines for name in spine.fields if any(jet.name == name for jet in inside)}
    if len(homes) > 1:
        first, second = list(homes.values())[:2]
        raise FlexuraError(
            f"The constraint {_shown(condition)} = 0 holds fields of two spines, {first} and {second}",
            advice=f"put both on one, fx.Field({second!r}, spine={first}), or join values at their ends with boundary=",
        )
    moving = next((jet for jet in inside if jet.t), None)
    if moving is not None:
        raise FlexuraError(
            f"The constraint {_shown(condition)} = 0 holds the rate {moving.label} along a spine",
            advice="write such a condition in the fields and their slopes, not in their rates",
        )
    return next(iter(homes))


def _shown(condition: Basic) -> str:
    return str(condition).replace("$x", "x")
