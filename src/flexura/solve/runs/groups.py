"""Members that move together: those that share coordinates of their ends, and the unknowns that deflect them.

>>> member_groups(equations, system)                      # [MemberGroup(fields=("w_a", "w_b"), unknowns=(...))]
"""

from __future__ import annotations

from flexura.derivation.equations.equations import Equations
from flexura.solve.steppers.subspace import MemberGroup
from flexura.systems.nonlinear import NonlinearSystem


def member_groups(equations: Equations, system: NonlinearSystem) -> list[MemberGroup]:
    """Members that share coordinates of their ends, and the unknowns that deflect them."""
    energies = equations.lagrangian
    joined: list[tuple[set[str], set[str]]] = []
    for spine in energies.spines:
        fields, unknowns = set(spine.fields) & set(system.fields), set[str]()
        for label, value in energies.settled_boundary.items():
            if label.partition("@")[0].removesuffix("_x") in fields:
                unknowns |= {jet.label for jet in energies.jets.unknowns(value)}
        starts = tuple(f"{name}{mark}" for name in fields for mark in ("[", "@", "_x@"))
        unknowns |= {name for name in system.names if name.startswith(starts)}
        unknowns &= set(system.names)
        for other in [other for other in joined if other[1] & unknowns]:
            joined.remove(other)
            fields, unknowns = fields | other[0], unknowns | other[1]
        if fields:
            joined.append((fields, unknowns))
    order, names = energies.fields, system.names
    groups = [
        MemberGroup(tuple(f for f in order if f in fields), tuple(n for n in names if n in unknowns))
        for fields, unknowns in joined
    ]
    return [group for group in groups if group.unknowns]
