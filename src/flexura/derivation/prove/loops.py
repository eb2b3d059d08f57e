"""What the last connection of a loop holds, held against the conditions of the energies: none may be missing.

>>> for link in left_free(state): ...        # cuts that hold some motion which the conditions leave free

In the reference configuration each coordinate of a joint is moved a little by itself. What then moves at a cut, but for
what its connection leaves free, must be told by the conditions' own slopes: it lies in the rows that these span.
Whether a model is one of the plane or of space does not enter.
"""

from __future__ import annotations

from collections.abc import Iterator

from flexura.derivation.prove.moving import RandomState, Snapshot
from flexura.derivation.prove.program import STEP, DigitsProgram, Number
from flexura.derivation.prove.read import ReadLink, ReadPiece, ReadSpot
from flexura.derivation.prove.small import Form, rank
from flexura.derivation.prove.vectors import (
    AXES,
    TINY,
    ZERO,
    Matrix,
    Vector,
    axial,
    cross,
    dot,
    product,
    subtract,
    transpose,
    turn,
)
from flexura.parts.bodies import Ground
from flexura.symbolic.engine import Symbol


def left_free(state: RandomState) -> Iterator[ReadLink]:
    """The cuts between rigid parts of which the conditions hold less than they do."""
    cuts = [link for link in state.reading.cuts if not any(isinstance(end.part, ReadPiece) for end in (link.p, link.q))]
    cuts = [link for link in cuts if _is_closed(state, link)]
    if not cuts:
        return
    names = [name for names in state.reading.joint_names.values() for name in names if name]
    moved = {name: [Snapshot(state, ZERO, ZERO, still=True, shown={name: h}) for h in (-STEP, STEP)] for name in names}
    slopes = _slopes(state, names)
    for link in cuts:
        held = _held(state, link, moved)
        if rank([*slopes, *held]) > rank(slopes):
            yield link


def _is_closed(state: RandomState, link: ReadLink) -> bool:
    """Whether its places meet at rest, with the random numbers that parameters have here."""
    (apart, _) = _relative(state, state.rest, link)
    return all(abs(part) < TINY for part in apart)


def _relative(state: RandomState, now: Snapshot, link: ReadLink) -> tuple[Vector, Matrix]:
    """Where q is and how it is turned, from p, in p's axes."""
    (p, axes), (q, others) = (_place(state, now, *ends) for ends in ((link.p, link.q), (link.q, link.p)))
    back = transpose(axes)
    return turn(back, subtract(q, p)), product(back, others)


def _place(state: RandomState, now: Snapshot, spot: ReadSpot, other: ReadSpot) -> tuple[Vector, Matrix]:
    """Where a spot is, and its axes; ground without a point is where the other one is at rest."""
    if isinstance(spot.part, Ground) and spot.everywhere:
        return state.rest.place(other)[0], AXES
    return now.place(spot)


def _held(state: RandomState, link: ReadLink, moved: dict[str, list[Snapshot]]) -> list[Form]:
    """What each coordinate makes of the motions that a connection holds: rows over the coordinates."""
    assert link.source is not None
    across, square = (
        _beside([state.reading.vector(one) for one in free])
        for free in (link.source.free_directions, link.source.free_axes)
    )
    found: list[Form] = [{} for _ in (*across, *square)]
    for name, (before, after) in moved.items():
        (a, turned), (b, others) = (_relative(state, now, link) for now in (before, after))
        speed, spin = tuple((y - x) / (2 * STEP) for x, y in zip(a, b, strict=True)), axial(turned, others, 2 * STEP)
        parts = [*(dot(one, speed) for one in across), *(dot(one, spin) for one in square)]
        for row, part in zip(found, parts, strict=True):
            row |= {name: part} if abs(part) > TINY else {}
    return found


def _beside(free: list[Vector]) -> list[Vector]:
    """Directions that span what is square to those that are free."""
    if len(free) > 1:
        return [cross(free[0], free[1])] if len(free) == 2 else []
    return [cross(free[0], axis) for axis in AXES] if free else list(AXES)


def _slopes(state: RandomState, names: list[str]) -> list[Form]:
    """How the conditions change with each coordinate, at rest: rows over the coordinates."""
    found = []
    for tree in state.energies.constraints.values():
        program = DigitsProgram([tree])

        def at(name: str, h: Number, program: DigitsProgram = program) -> Number:
            return program(lambda one: h if one == name else _at_rest(state, one))[0]

        slopes = {name: (at(name, STEP) - at(name, -STEP)) / (2 * STEP) for name in names}
        found.append({name: slope for name, slope in slopes.items() if abs(slope) > TINY})
    return found


def _at_rest(state: RandomState, name: str) -> Number:
    """Everything that moves is zero."""
    if name == "t":
        return state.now
    return ZERO if state.energies.jets.find(Symbol(name)) is not None else state.reading.value(name)
