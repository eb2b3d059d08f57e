"""Linear motions, and small ones, by polynomials of higher and higher orders, until they stay.

>>> case = settled_order(question, elements, first, groups)
>>> case.left_out                                     # {"w": 2e-5}: what the last two orders differ by, of the motion

A motion that is propagated exactly is exact for the polynomials that members move in, and for nothing else: after a
short pulse a member carries waves that are shorter than polynomials of a low order follow, and energies do not show it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from flexura.solve.discretise import motion_system
from flexura.solve.runs.case import Case, exact_motion, make_case
from flexura.solve.runs.field_weights import Weights
from flexura.solve.runs.left_out import motion_size, start_mass
from flexura.solve.runs.question import Question
from flexura.solve.steppers.subspace import MemberGroup
from flexura.systems.deadline import between_pieces

Array = NDArray[np.float64]
_LOWER, FIRST = 9, 12
_HIGHER = (17, 1), (24, 1), (24, 2), (24, 4)  # orders, and in how many elements for one
_STAYS = 1e-3  # of the motion: orders that differ by less are enough
_MOST, _MOST_DAMPED = 400, 130  # unknowns, with modes of their own or coupled by damping
_PLACES = 10
_STATES = 64


def settled_order(question: Question, elements: int | None, first: Case, groups: Sequence[MemberGroup]) -> Case:
    """The motion by the order at which it stays, or by the highest that can be afforded, and then with a note."""
    before, case, degree = _at(question, elements, _LOWER), first, FIRST
    differ = _differ(before, case, groups)
    for order, cut in _HIGHER:
        if max(differ.values(), default=0.0) <= _STAYS or not _affordable(first, order * cut / FIRST):
            break
        between_pieces()
        finer = _at(question, (elements or 1) * cut, order)
        if exact_motion(finer) is None:
            break
        differ, case, degree = _differ(case, finer, groups), finer, order
    case.left_out = differ
    if max(differ.values(), default=0.0) > _STAYS:
        case.notes.append(_unsettled(degree, differ))
    return case


def _at(question: Question, elements: int | None, order: int) -> Case:
    case = make_case(question, motion_system(question.equations, question.values, order, elements))
    case.searched = True
    return case


def _affordable(case: Case, more: float) -> bool:
    """Whether so many times more unknowns can be propagated in seconds."""
    system, start = case.system, case.start
    still, t = np.zeros(system.n), float(case.question.times[0])
    rates = system.jacobians(t, start.q, still, still, system.rest, np.zeros(system.m))[1]
    return bool(more * system.n <= (_MOST_DAMPED if np.any(rates) else _MOST))


def _differ(before: Case, after: Case, groups: Sequence[MemberGroup]) -> dict[str, float]:
    """What members move differently, as a part of the motion of each group that counts."""
    old, new = exact_motion(before), exact_motion(after)
    if old is None or new is None:
        return {group.name: 1.0 for group in groups}
    some = np.unique(np.linspace(0, len(new.q) - 1, _STATES).astype(int))
    t, size = after.question.times[some], motion_size(after, new.q)
    weights, found = Weights.of(after.system, start_mass(after)), {}
    for group in groups:
        lost, moved = {}, {}
        for name in group.fields:
            line = after.system.fields[name]
            x = np.linspace(line.start, line.end, _PLACES)
            here, there = (one.system.values(name, x, t, run.q[some]) for one, run in ((after, new), (before, old)))
            lost[name], moved[name] = (float(np.abs(one).max()) for one in (here - there, here - here[0]))
        found[group.name] = min(1.0, max(weights.counted(group, lost, moved, size).values()))
    return found


def _unsettled(order: int, differ: Mapping[str, float]) -> str:
    listed = ", ".join(f"{name} by {share:.1g}" for name, share in differ.items() if share > _STAYS)
    return (
        f"Members are followed by polynomials of degree {order}, and fewer move them otherwise: {listed} of"
        " the motion, which may be off by as much; give order= and elements= to refine them, or a load that changes"
        " more slowly."
    )
