"""Loads that hold accelerations: equations may, systems in numbers, whose masses are those of the energies, do not.

>>> refuse_accelerations(energies)
"""

from __future__ import annotations

from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError


def refuse_accelerations(energies: Lagrangian) -> None:
    """Say which load holds one, and what is as good."""
    rows = [energies.work, *energies.work_density.values()]
    for target, f in (one for row in rows for one in row.items()):
        for jet in energies.jets.unknowns(f):
            if jet.t > 1 and jet.name not in energies.inputs and jet.name not in energies.prescribed:
                raise FlexuraError(
                    f"The load on {target} holds the acceleration {jet.label}, which acts as a mass does",
                    advice="give it to a body as its mass or inertia, or to the kinetic energy",
                )
