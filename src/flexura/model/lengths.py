"""The lengths of quaternions by which sections turn far in space: 1 where each such member begins.

Along a member a multiplier field holds the length at as many points as polynomials have degrees. That leaves one more
value in each stretch: its first one is that of the stretch before, or 1, which is linear where the section is held.
"""

from __future__ import annotations

from collections.abc import Iterable

from flexura.model.frames import Frame
from flexura.model.structure import Segment
from flexura.symbolic.engine import ONE, ZERO, Basic, Symbol
from flexura.symbolic.kinematics.quaternions import squared


def begin_with_length_one(frame: Frame, gaps: Iterable[str] = ()) -> None:
    """Give the first values of the parts of quaternions that no motion of an end carries; `gaps` stay closed."""
    boundary, closed = frame.motions.boundary, dict.fromkeys(map(Symbol, gaps), ZERO)
    before: Segment | None = None
    for seg in (one for one in frame.assembly.parts if isinstance(one, Segment)):
        first = seg.quaternion_at("a")
        if first is None:
            continue
        (own,) = first[0].free_symbols
        if before is not None and before.member is seg.member:
            last = before.quaternion_at("b")
            assert last is not None
            (boundary[own.name],) = last[0].free_symbols
        elif all(one.xreplace(_given(frame)).xreplace(closed) == 0 for one in first[1:]):
            boundary[own.name] = ZERO
        before = seg


def length_conditions(frames: list[Frame]) -> dict[str, Basic]:
    """That of each member whose first section can turn: a form that vanishes, by the name of its multiplier."""
    found: dict[str, Basic] = {}
    for frame in frames:
        for seg in (one for one in frame.assembly.parts if isinstance(one, Segment)):
            first = seg.quaternion_at("a")
            if first is not None and not any(one.name in frame.motions.boundary for one in first[0].free_symbols):
                a, b, c, d = (one.xreplace(_given(frame)) for one in first)
                found[f"lambda_{seg.name}_unit"] = squared((a, b, c, d)) - ONE
    return found


def _given(frame: Frame) -> dict[Symbol, Basic]:
    return {Symbol(label): f for label, f in frame.motions.boundary.items()}
