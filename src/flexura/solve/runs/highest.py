"""What polynomials of a given order leave out of a motion, told by the highest of them.

A series that still carries much where it is cut off lacks about as much.

>>> highest_share(case, states)                           # {"w": 0.07}: of the motion of each group of members
"""

from __future__ import annotations

import numpy as np
from numpy.polynomial.legendre import legvander
from numpy.typing import NDArray

from flexura.solve.runs.case import Case
from flexura.solve.runs.field_weights import Weights
from flexura.solve.runs.groups import member_groups
from flexura.solve.runs.left_out import motion_size, start_mass
from flexura.systems.nonlinear import FieldMap
from flexura.systems.polynomials import gauss

Array = NDArray[np.float64]
_BEYOND = 3.0  # what all further polynomials together may carry, of what the last two do: waves let it fall slowly
_DEGREES = 32  # that are looked for: elements have few
_NONE = 1e-9  # of the largest coefficient: a degree that no function has
_NODES, _WEIGHTS = gauss(_DEGREES)
_TO_DEGREES = legvander(_NODES, _DEGREES - 1).T * _WEIGHTS * (np.arange(_DEGREES)[:, None] + 0.5)


def highest_share(case: Case, q: Array) -> dict[str, float]:
    """By groups, what polynomials beyond those of the members may carry of the motion since the start."""
    system, moved = case.whole, q - q[0]
    groups = member_groups(case.question.equations, system)
    weights, size = Weights.of(system, start_mass(case)), motion_size(case, moved)
    shares = {}
    for group in groups:
        last = {name: _last_two(system.fields[name], system.n, moved) for name in group.fields}
        counted = weights.counted(group, last, weights.largest(group, moved), size)
        shares[group.name] = min(1.0, _BEYOND * max(counted.values()))
    return shares


def _last_two(field: FieldMap, n: int, q: Array) -> float:
    """The most that the two highest polynomials carry, in any element and any state."""
    carried = [0.0]
    for middle, half in _elements(field):
        functions = _TO_DEGREES @ field.matrix(middle + half * _NODES, 0)[:, :n]
        sizes = np.abs(functions).max(axis=1)
        highest = int(np.flatnonzero(sizes > _NONE * sizes.max(initial=0.0))[-1:].sum())
        last = functions[max(highest - 1, 0) : highest + 1] @ q.T
        carried.append(float(np.abs(last).sum(axis=0).max(initial=0.0)))
    return max(carried)


def _elements(field: FieldMap) -> list[tuple[float, float]]:
    """Middle and half the length of each, from its Gauss points."""
    count = len(field.points) // field.elements
    if count < 2:
        return [((field.start + field.end) / 2, (field.end - field.start) / 2)]
    nodes, points = gauss(count)[0], field.points.reshape(field.elements, count)
    first, last = points[:, 0], points[:, -1]
    return list(zip(((first + last) / 2).tolist(), ((last - first) / (nodes[-1] - nodes[0])).tolist(), strict=True))
