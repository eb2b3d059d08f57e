"""What joints pass on along the members of a mechanism, and what it would do to their stiffness.

K_G of a member holds the axial force of its own inertia and loads. What a joint passes on from other members pulls and
pushes too, and is not in it. Here that force is found from the motion, and its K_G weighed against the stiffness.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.solve.runs.frame_problem import FrameProblem
from flexura.structures.moving.mechanism import Mechanism

Array = NDArray[np.float64]
_SAMPLES = 24


def passed_on(
    mechanism: Mechanism, parts: dict[str, FrameProblem], t: Array, x: Array, v: Array, a: Array
) -> tuple[float, str]:
    """|x'K_G x| of the forces at joints beside the energy of the whole stiffness, both at their largest over time.

    And the member where it is most. What a rotation takes from the stiffness makes the rest more easily changed.
    """
    at = np.unique(np.linspace(0, len(t) - 1, _SAMPLES).astype(int))
    geometric: dict[str, Array] = {}
    energy = np.zeros(len(at))
    for name, part in parts.items():
        own = slice(mechanism.first_row[name], mechanism.first_row[name] + part.n)
        forces = np.array([_at_joints(mechanism, name, part, t[i], x[i, own], v[i, own], a[i, own]) for i in at])
        geometric[name] = np.abs(_energies(part, forces, x[at, own]))
        energy += [x[i, own] @ (part.matrices(float(t[i])).displacements @ x[i, own]) for i in at]
    most = max(geometric, key=lambda name: float(geometric[name].max(initial=0.0)))
    size, total = float(np.abs(energy).max()), float(np.sum(list(geometric.values()), axis=0).max())
    return (total / size if size > 0 else 0.0), most


def _at_joints(mechanism: Mechanism, name: str, part: FrameProblem, t: float, x: Array, v: Array, a: Array) -> Array:
    """The forces of joints on a member, over its free motions: what its own equations leave at the joints' rows."""
    now = part.matrices(float(t))
    left = now.M @ a + now.displacements @ x - now.f - part.external(float(t))
    if now.rates is not None:
        left = left + now.rates @ v
    forces, first = np.zeros(part.n), mechanism.first_row[name]
    for place in mechanism.ties.places.values():
        if place.spot[0] == name:
            rows = place.rows - first
            forces[rows] = np.asarray(left)[rows]
    return forces


def _energies(part: FrameProblem, forces: Array, x: Array) -> Array:
    """x'K_G x for each case, K_G that of forces at the nodes."""
    constants = part.constants
    frame, cases = constants.frame, len(forces)
    points = len(constants.batches[0].rule.points)
    nodal = np.zeros((cases, 6 * len(frame.nodes)))
    nodal[:, np.flatnonzero(frame.free.ravel())] = forces
    own, inside = np.zeros((cases, len(frame.elements), 12)), np.zeros((cases, len(frame.elements), points))
    ends: Any = constants.end_forces(nodal, own)
    made = [constants.stiffened(ends, inside, nodal, case) for case in range(cases)]
    return np.array(
        [0.0 if one is None else y @ (constants.pattern.matrix(one) @ y) for one, y in zip(made, x, strict=True)]
    )
