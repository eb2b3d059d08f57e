"""A run with contacts, from its question to its answer: smaller steps where energies do not balance.

>>> run = run_with_contacts(question, equations, order=4, elements=None, basis=None)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.solve.discretise import motion_system
from flexura.solve.runs.case import Case, first_state, make_case
from flexura.solve.runs.contacts import ContactLaw, read_contacts
from flexura.solve.runs.histories import RunMotion
from flexura.solve.runs.hybrid import HybridRun, followed_with_contacts
from flexura.solve.runs.pieces import Phased
from flexura.solve.runs.question import Question
from flexura.solve.runs.refine import FLOOR
from flexura.solve.steppers.energy_balance import missed_energy
from flexura.solve.steppers.run import expected_speed
from flexura.solve.steppers.trajectory import Energy, Trajectory
from flexura.systems.deadline import preparing

Array = NDArray[np.float64]
_SHARE = 0.1  # the tolerance of a step, of what the energy balance may miss
_ATTEMPTS = 4
_TIGHTER = 0.03  # at most, from one attempt to the next: once steps resolve a vibration, errors fall steeply
_FINEST = 1e-13  # error of a step, of a phase between contacts
_SHAPES = (
    "Shapes of members are not searched for where contacts change: they move in polynomials of degree 8; give order="
    " and elements= to choose them."
)


def run_with_contacts(
    question: Question, equations: Equations, order: int | None, elements: int | None, basis: Any
) -> Trajectory:
    """Phases between what contacts do, one after the other."""
    with preparing(question.deadline):
        case = make_case(question, motion_system(equations, question.values, order, elements, basis))
        case.notes.extend([_SHAPES] if equations.fields and order is None and basis is None else [])
        contacts = read_contacts(equations, question.known, case.system)
        start, end = first_state(case), float(question.times[-1])
        driven = expected_speed(case.mechanics, start, end, case.scales, case.breaks)
    found, phased, times, energy = _phases(case, contacts, driven)
    q, v = phased.states(times)
    case.notes.extend([*found.notes, *missed_energy(energy, question.tolerance)])
    whole = replace(case.whole, fed=phased.fed)
    motion = RunMotion(question.equations, phased, question.known, question.values, times, q, v, whole)
    how = ", ".join(f"{count} {way.replace('_', '-')} steps" for way, count in found.run.steps.items())
    notes = [*case.system.notes, *case.notes, *([f"Followed by {how}, in {len(found.pieces)} phases."] if how else [])]
    notes += [] if found.run.complete else [found.run.message]
    events = {**found.changes, **found.run.events}
    return Trajectory(
        times,
        motion.histories,
        energy,
        motion.place,
        motion.position,
        found.run.complete,
        found.run.message,
        tuple(notes),
        {name: np.array(when) for name, when in events.items()},
        motion,
        None,
        found.run.stopped,
        None,
    )


def _phases(case: Case, contacts: Sequence[ContactLaw], driven: float) -> tuple[HybridRun, Phased, Array, Energy]:
    """The phases of a run with contacts, on its times; where energies miss more than was asked, by smaller steps."""
    question = case.question
    local = max(_SHARE * question.tolerance * _TIGHTER, _FINEST)
    for attempt in range(_ATTEMPTS):
        found = followed_with_contacts(case, contacts, local, driven)
        phased = Phased(found.pieces, case.mechanics.inputs)
        last = found.pieces[-1].end if found.pieces else float(question.times[0])
        times = question.times[question.times <= last]
        times = np.append(times, last) if found.run.stopped and last > times[-1] else times
        energy = phased.energy(times, found.losses, [*case.blows, *found.blows], (FLOOR * driven) ** 2 / 2)
        if energy.error <= question.tolerance or not found.run.complete or local <= _FINEST or attempt == _ATTEMPTS - 1:
            break
        if case.sampling is not None:  # controllers may remember what they were asked: they are asked once
            break
        local = max(_FINEST, local * max(_TIGHTER, 0.3 * question.tolerance / energy.error))
    return found, phased, times, energy
