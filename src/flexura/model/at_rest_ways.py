"""The rigid motions of a member: those that are unknowns of its own, and those that it never makes.

>>> rigid_unknowns(seg), never_moves(seg, spatial=False, twists=False)
"""

from __future__ import annotations

from collections.abc import Iterable

from flexura.model.assembly import axial_symbol, interpolated
from flexura.model.at_rest_held import Way
from flexura.model.structure import Segment
from flexura.symbolic.engine import Basic, Symbol
from flexura.symbolic.kinematics.vectors import EX, EY, EZ, NULL

_SHAFT = {"twist"}


def never_moves(seg: Segment, spatial: bool, twists: bool) -> dict[str, Way]:
    """The rigid motions of a member for which it has neither a field nor an unknown."""
    ends = set(seg.member.ends)
    found: dict[str, Way] = {}
    if ends == _SHAFT:
        found = {"the motion along the axis": (EX, NULL), "the motion across the axis": (EY, NULL)}
        found["the turn about z"] = (NULL, EZ)
    if "lateral" not in ends and spatial:
        found["the motion out of the plane"] = (EZ, NULL)
    if "tilt" not in ends and (spatial or twists):
        found["the turn out of the plane"] = (NULL, EY)
    if "twist" not in ends and (spatial or twists):
        found["the turn about the axis"] = (NULL, EX)
    return found


def rigid_unknowns(seg: Segment) -> set[Symbol]:
    """The rigid motions of a member that has no fields for them."""
    ends = set(seg.member.ends)
    if ends == _SHAFT or seg.tied:
        return set()
    found = set() if "axial" in ends else {axial_symbol(seg)}
    return found if "transverse" in ends else found | set(across_of(seg))


def across_of(seg: Segment) -> tuple[Symbol, Symbol]:
    """How both ends of a member that does not bend move across its axis."""
    return interpolated(seg, "a"), interpolated(seg, "b")


def length_of(seg: Segment) -> Basic:
    """From its start to its end."""
    return seg.end.engine - seg.start.engine


def member_named(segments: Iterable[Segment], name: str) -> str:
    """The member to which a piece of that name belongs."""
    return next(one.member.name for one in segments if name in (one.name, one.member.name))
