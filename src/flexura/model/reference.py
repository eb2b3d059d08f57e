"""The reference configuration: where each part of an assembly lies and how it is turned, all coordinates at zero."""

from __future__ import annotations

import symengine

from flexura.errors import FlexuraError
from flexura.model.structure import Assembly, Spot, Weld
from flexura.symbolic.kinematics.motion import Pose, Turn
from flexura.symbolic.kinematics.vectors import IDENTITY, NULL, Vector, add, scale, subtract, turn
from flexura.symbolic.zero import verdict


def place_parts(assembly: Assembly) -> None:
    """Walk the welds from the anchor and say where each part lies and how it is turned (reference configuration)."""
    anchor = assembly.anchor
    first = anchor.part if anchor else assembly.parts[0]
    turned, origin = assembly.orientation, assembly.origin
    turned[id(first)], origin[id(first)] = IDENTITY, scale(symengine.Integer(-1), anchor.point) if anchor else NULL
    waiting = [*assembly.welds]
    while waiting:
        ready = [weld for weld in waiting if id(weld.p.part) in turned or id(weld.q.part) in turned]
        if not ready:
            break
        weld = min(ready, key=_rank)
        waiting.remove(weld)
        if id(weld.p.part) in turned and id(weld.q.part) in turned:
            assembly.closed = assembly.closed or not (weld.p.everywhere or weld.q.everywhere)
            _check_closure(assembly, weld)
            continue
        _hang(assembly, weld)


def _rank(weld: Weld) -> tuple[bool, bool]:
    """Which weld says first where a part lies: not ground, which is everywhere; not a pin without an angle."""
    everywhere = weld.p.everywhere or weld.q.everywhere
    return everywhere, bool(weld.free_axes) and not weld.turns


def _hang(assembly: Assembly, weld: Weld) -> None:
    forward = id(weld.p.part) in assembly.orientation
    known, new = (weld.p, weld.q) if forward else (weld.q, weld.p)
    pose = assembly.turned.get(id(known.part), Pose()).then(_turn(weld, forward), IDENTITY)
    turned = pose.rotation
    point = point_of(assembly, known)
    assembly.turned[id(new.part)], assembly.orientation[id(new.part)] = pose, turned
    assembly.origin[id(new.part)] = subtract(point, turn(turned, new.point))


def _turn(weld: Weld, forward: bool) -> list[Turn]:
    return weld.turns if forward else [(axis, -angle) for axis, angle in reversed(weld.turns)]


def point_of(assembly: Assembly, spot: Spot) -> Vector:
    """Where a spot lies in the frame's axes, undeformed."""
    return add(assembly.origin[id(spot.part)], turn(assembly.orientation[id(spot.part)], spot.point))


def _check_closure(assembly: Assembly, weld: Weld) -> None:
    """A loop must close in the reference configuration; ground is everywhere, and turned as no angle says otherwise."""
    everywhere = weld.p.everywhere or weld.q.everywhere
    if everywhere and not _turn(weld, True):
        return
    gap = subtract(point_of(assembly, weld.p), point_of(assembly, weld.q))
    if not everywhere and not all(verdict(one) for one in gap):
        shown = ", ".join(str(one.expand()) for one in gap)
        raise FlexuraError(
            f"The loop closed by {weld.source!r} does not close: its two places are ({shown}) apart in the"
            " reference configuration",
            advice="change a length, an angle or the point",
            part=repr(weld.source),
        )
    expected = assembly.turned.get(id(weld.p.part), Pose()).then(_turn(weld, True), IDENTITY).rotation
    found = assembly.orientation[id(weld.q.part)]
    if (
        weld.source is not None
        and (weld.turns or not weld.free_axes)
        and not all(verdict(a - b) for x, y in zip(expected, found, strict=True) for a, b in zip(x, y, strict=True))
    ):
        raise FlexuraError(
            f"The angle of {weld.source!r} contradicts the other connections of its loop",
            advice="give the angle between the two parts as they lie in the reference configuration",
            part=repr(weld.source),
            keyword="angle",
        )
