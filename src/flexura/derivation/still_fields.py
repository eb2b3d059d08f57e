"""Fields that small motions leave at zero, because a multiplier field holds nothing but them: both are left out.

A section's turn about rest changes the first part of its quaternion to second order only; the condition on the length
then says that this part stays, and its multiplier is what its own row comes to.
"""

from __future__ import annotations

from dataclasses import replace

from flexura.derivation.state import through
from flexura.energy.lagrangian import Lagrangian
from flexura.symbolic.engine import ZERO, Basic
from flexura.symbolic.jets import Jet


def without_still_fields(linear: Lagrangian) -> Lagrangian:
    """The same without such fields, their values at ends, and conditions that hold nothing else."""
    gone: set[str] = set()
    for name in linear.multiplier_fields:
        held = [jet for jet in linear.jets.unknowns(linear.condition(name)) if not jet.end]
        integral = held[0].name if linear.ties.get(held[0].name) == name else ""  # that begins with nothing
        if held in ([Jet(held[0].name)], [Jet(integral, x=1)]):
            gone |= {name, held[0].name}
    if not gone:
        return linear
    trees = {jet.symbol: ZERO for f in _written(linear) for jet in linear.jets.unknowns(f) if jet.name in gone}
    parts = {name: through(getattr(linear, name), lambda f: f.xreplace(trees)) for name in _TREES}
    parts["boundary"] = {label: f for label, f in parts["boundary"].items() if _owner(label) not in gone}
    parts["constraints"] = {name: f for name, f in parts["constraints"].items() if f != 0}
    parts["work"] = {label: f for label, f in parts["work"].items() if _owner(label) not in gone}
    parts["ties"] = {name: force for name, force in linear.ties.items() if name not in gone}
    parts["spines"] = tuple(
        replace(one, fields=tuple(name for name in one.fields if name not in gone)) for one in linear.spines
    )
    return linear.changed(**parts)


_TREES = (
    *("kinetic", "potential", "density", "dissipation", "dissipation_density"),
    *("work", "work_density", "boundary", "constraints"),
)


def _owner(label: str) -> str:
    return label.partition("@")[0]


def _written(linear: Lagrangian) -> list[Basic]:
    rigid = (linear.kinetic, linear.potential, linear.dissipation)
    spread = (*linear.density.values(), *linear.dissipation_density.values(), *linear.work.values())
    lines = (f for loads in linear.work_density.values() for f in loads.values())
    return [*rigid, *spread, *lines, *linear.boundary.values(), *linear.constraints.values()]
