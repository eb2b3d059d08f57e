"""Members that bend far, on finer and finer meshes until the motion stays: shapes about rest do not follow them.

>>> case, largest_speed = settled_mesh(question, elements, False, look)
>>> case.left_out                               # {"u_beam": 2e-4}: what the last two meshes differ by, of the motion
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.solve.discretise import motion_system
from flexura.solve.runs.case import LOOKS, Case, make_case
from flexura.solve.runs.question import Question
from flexura.solve.steppers.history import History
from flexura.systems.deadline import between_pieces
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_MESHES = (4, 1), (4, 2), (4, 4), (4, 8), (4, 16)  # degree, and in how many elements
_HELD = (4, 1), (6, 1), (8, 1), (6, 2), (8, 2), (8, 4)  # with multipliers, which make many elements slow
_DEGREES = 3, 4, 6, 8, 10  # where the number of elements is given
_STAYS = 1e-3  # of the motion: meshes that differ by less are enough
_MOST = 120  # unknowns: more take minutes
_PLACES, _STATES = 9, 64

Looked = tuple[NonlinearSystem, Any, float]  # a system, its curve, and its last time


def settled_mesh(
    question: Question, elements: int | None, held: bool, look: Callable[[Case], tuple[History, float]]
) -> tuple[Case, float]:
    """The case at which the motion stays, or the finest that can be afforded; `held`: conditions hold along members."""
    meshes: Sequence[tuple[int, int]] = _HELD if held else _MESHES
    if elements is not None:
        meshes = [(p, elements) for p in _DEGREES]
    before: Looked | None = None
    differ: dict[str, float] = {}
    for i, (order, cut) in enumerate(meshes):
        between_pieces()
        case = make_case(question, motion_system(question.equations, question.values, order, cut))
        history, largest = look(case)
        curve = history.curve()
        now: Looked = case.system, curve, float(curve.t[-1])
        differ = _differ(before, now) if before is not None else dict.fromkeys(case.system.fields, 1.0)
        before = now
        larger = case.system.n * meshes[min(i + 1, len(meshes) - 1)][1] / cut
        if max(differ.values(), default=0.0) <= _STAYS or larger > _MOST or question.deadline.share(LOOKS).over:
            break
    case.left_out = differ
    case.notes.append(_told(order, cut, differ))
    return case, largest


def _differ(before: Looked, after: Looked) -> dict[str, float]:
    """How far apart the fields of two meshes are, each as a part of the largest motion of its kind."""
    (coarse, old, ended), (fine, new, end) = before, after
    t = np.linspace(float(new.t[0]), min(end, ended), _STATES)
    q = {id(one): curve.at(t)[0] for one, curve in ((coarse, old), (fine, new))}
    found: dict[str, float] = {}
    moved: dict[str, tuple[float, float]] = {}
    for name, line in fine.fields.items():
        x = np.linspace(line.start, line.end, _PLACES)
        here, there = (one.values(name, x, t, q[id(one)]) for one in (fine, coarse))
        moved[name] = float(np.abs(here - there).max()), float(np.abs(here - here[0]).max())
    size = max((one for _, one in moved.values()), default=0.0)
    for name, (off, own) in moved.items():
        found[name] = min(1.0, off / max(own, _STAYS * size)) if off else 0.0
    return found


def _told(order: int, cut: int, differ: Mapping[str, float]) -> str:
    many = f"{cut} element{'s' * (cut > 1)}"
    worst = max(differ, key=lambda name: differ[name])
    text = f"Members that bend far are followed by polynomials of degree {order} in {many} each; fewer move {worst}"
    text += f" otherwise by {differ[worst]:.1g} of its motion"
    return f"{text}." if differ[worst] <= _STAYS else f"{text}, which may be off by as much; give order= and elements=."
