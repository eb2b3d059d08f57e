"""How many shapes each member needs: quick looks at low accuracy, until the highest shapes hardly move.

>>> case, largest_speed = refined(question, elements)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.solve.discretise import motion_system
from flexura.solve.runs.case import LOOKS, Case, Coarser, exact_motion, first_state, make_case, run_options
from flexura.solve.runs.far import settled_mesh
from flexura.solve.runs.field_weights import Weights
from flexura.solve.runs.groups import member_groups
from flexura.solve.runs.left_out import MISSING, Missing, left_out, motion_size, start_mass
from flexura.solve.runs.orders import FIRST, settled_order
from flexura.solve.runs.question import Question
from flexura.solve.steppers.history import History
from flexura.solve.steppers.run import expected_speed, follow
from flexura.solve.steppers.subspace import MemberGroup, MemberShapes

Array = NDArray[np.float64]
_ORDER = FIRST  # of the functions that shapes of members are made of, where no order is given
_COARSER = 9  # of those they are compared with where members do not move in shapes of their own
_FEW = 2  # modes a member begins with
_TAIL = 1e-3  # the share of a motion that the highest shapes may carry
_BEYOND = 3.0  # what all further shapes together may carry, of what the last two do: sudden loads let it fall slowly
_ASKED = 3  # looks after which it is asked again what is left out
_HOPELESS, _FALLING = 0.3, 0.8  # more shapes do not help where more than this is missing, and hardly less than before
_LOOK = 1e-5  # the tolerance of a step in a quick look
FLOOR = 1e-6  # of what loads could drive the system to: slower motions count as rest


@dataclass(frozen=True)
class Look:
    """What a quick look saw: states at some times, the largest speed, and whether it came to the end."""

    q: Array
    largest: float
    history: History


def refined(question: Question, elements: int | None) -> tuple[Case, float]:
    """Members in few shapes of their own, more for those whose highest shapes still move."""
    whole = make_case(question, motion_system(question.equations, question.values, _ORDER, elements))
    whole.searched = True
    groups = member_groups(question.equations, whole.system)
    if whole.system.far:
        return settled_mesh(question, elements, bool(whole.system.multiplier_fields), _looked)
    if exact_motion(whole) is not None:
        return settled_order(question, elements, whole, groups), 0.0
    shapes = MemberShapes.of(whole.system, groups, question.times, (whole.start.q, whole.start.v))
    if shapes is None:  # the run will say which motion has no inertia
        return whole, look(whole).largest
    weights = Weights.of(whole.system, start_mass(whole))
    counts, before = {group.name: _FEW for group in groups}, None
    for tries in itertools.count(1):
        case = whole.within(*shapes.matrix(counts))
        seen = look(case)
        tails = _tails(case, groups, seen.q, weights)
        wanting = {name for name, share in tails.items() if share > _TAIL}
        late = question.deadline.share(LOOKS).over
        if late or not tries % _ASKED or not _more(wanting, counts, shapes):
            missing = left_out(whole, case, seen.history.states, groups, weights)
            wanting |= {name for name, share in missing.shares.items() if share > MISSING}
            if late or (not tries % _ASKED and _hopeless(missing, before)):
                break
            before = before if tries % _ASKED else missing
        more = _more(wanting, counts, shapes)
        if not more:
            break
        counts = counts | {name: counts[name] + 1 for name in more}
    unfit = [name for name, share in missing.shares.items() if share > MISSING]
    if unfit:
        whole.notes.append(_unfit(unfit, missing.shares))
        whole.coarser = _coarser(question, elements, groups)
        whole.unshaped = True
        return whole, seen.largest
    case.notes.append(_told(counts, tails))
    case.notes.extend(_slight(missing.slight))
    case.left_out = {name: min(1.0, max(missing.shares[name], _BEYOND * share)) for name, share in tails.items()}
    return case, seen.largest


def _hopeless(now: Missing, before: Missing | None) -> bool:
    """Whether more shapes do not help: much is missing, and hardly less than before, of any group or all together."""
    if before is None:
        return False
    worst, last = (max(one.shares.values(), default=0.0) for one in (now, before))
    pairs = (worst, last), (now.together, before.together)
    return worst > _HOPELESS and all(one > _FALLING * other for one, other in pairs)


def _more(wanting: Iterable[str], counts: Mapping[str, int], shapes: MemberShapes) -> list[str]:
    """The groups among those that want more shapes which have more."""
    return [name for name in counts if name in wanting and counts[name] < shapes.most(name)]


def _coarser(question: Question, elements: int | None, groups: Sequence[MemberGroup]) -> Coarser:
    """The motion by polynomials of a lower order: what both differ by tells what they leave out."""
    case = make_case(question, motion_system(question.equations, question.values, _COARSER, elements))
    fields = {group.name: group.fields for group in groups}
    small, times = case.small if question.method is None else None, question.times
    if small is not None:
        return Coarser(_COARSER, case.system, lambda t: small.q[np.searchsorted(times, t)], float(times[-1]), fields)
    curve = look(case).history.curve()
    return Coarser(_COARSER, case.system, lambda t: curve.at(t)[0], float(curve.t[-1]), fields)


def _told(counts: Mapping[str, int], shares: Mapping[str, float]) -> str:
    listed = ", ".join(f"{name} by {counts[name]} (the last two hold {share:.0e})" for name, share in shares.items())
    rough = [name for name, share in shares.items() if share > _TAIL]
    advice = f"; give order= and elements= to refine {', '.join(rough)}" if rough else ""
    return f"Members move in steady shapes and modes: {listed} of the motion{advice}."


def _unfit(unfit: Sequence[str], lost: Mapping[str, float]) -> str:
    listed = ", ".join(f"{name} ({lost[name]:.1g} of its motion)" for name in unfit)
    return (
        f"The shapes that members have about rest do not follow {listed}, so polynomials of degree {_ORDER} were taken"
        " for all; give order= and elements= to choose them."
    )


def _slight(slight: Mapping[str, float]) -> list[str]:
    """What to say of fields that hardly move, for which no shapes were sought."""
    if not slight:
        return []
    listed = ", ".join(f"{share:.1g} of {name}" for name, share in slight.items())
    return [
        f"The shapes of members leave out {listed}, because that moves very little beside the rest; give order= and"
        " elements= to follow it."
    ]


def _tails(case: Case, groups: Sequence[MemberGroup], q: Array, weights: Weights) -> dict[str, float]:
    """The largest share of a motion that the last two shapes of each group carry."""
    system, size, found = case.system, motion_size(case, q), {}
    for group in groups:
        last = [i for i, name in enumerate(system.names) if name.startswith(f"{group.name}[")][-2:]
        moved, carried = weights.largest(group, case.all(q)), dict.fromkeys(group.fields, 0.0)
        for i in last:
            one = weights.largest(group, case.all(q[:, i : i + 1] * np.eye(system.n)[i]))
            carried = {name: max(size, one[name]) for name, size in carried.items()}
        found[group.name] = max(weights.counted(group, carried, moved, size).values())
    return found


def _looked(case: Case) -> tuple[History, float]:
    seen = look(case)
    return seen.history, seen.largest


def look(case: Case) -> Look:
    """The motion at low accuracy."""
    question, mechanics = case.question, case.mechanics
    end = float(question.times[-1])
    start = first_state(case)
    floor = FLOOR * expected_speed(mechanics, start, end, case.scales, case.breaks)
    run = follow(mechanics, start, end, run_options(case, _LOOK, floor, quick=True))
    return Look(np.array([state.q for state in run.history.states]), run.largest, run.history)
