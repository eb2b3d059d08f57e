"""The reference configuration: where each part of an assembly lies and how it is turned, all coordinates at zero."""

from __future__ import annotations

import heapq
from collections.abc import Iterable

import symengine

from flexura.errors import FlexuraError
from flexura.model.structure import Assembly, Part, Spot, Structure, Weld
from flexura.parts.bodies import Body, BodyPlace, Ground
from flexura.parts.members.member import Place
from flexura.symbolic.engine import Symbol
from flexura.symbolic.expression import Declaration, Expression
from flexura.symbolic.kinematics.geometry import Gap
from flexura.symbolic.kinematics.motion import Pose, Turn
from flexura.symbolic.kinematics.vectors import (
    IDENTITY,
    NULL,
    Matrix,
    Vector,
    add,
    change,
    product,
    rotation,
    scale,
    subtract,
    turn,
)
from flexura.symbolic.near import Near, in_digits
from flexura.symbolic.zero import verdict


def place_parts(assembly: Assembly) -> None:
    """Walk the welds from the anchor and say where each part lies and how it is turned (reference configuration)."""
    anchor = assembly.anchor
    first = anchor.part if anchor else assembly.parts[0]
    turned, origin = assembly.orientation, assembly.origin
    if anchor is not None:  # the frame has the axes of the place by which it hangs
        assembly.turned[id(first)] = Pose().then(_about(anchor, -1), IDENTITY)
    turned[id(first)] = assembly.turned.get(id(first), Pose()).rotation
    origin[id(first)] = turn(turned[id(first)], scale(symengine.Integer(-1), anchor.point)) if anchor else NULL
    beside: dict[int, list[tuple[tuple[bool, bool], int]]] = {}
    for i, weld in enumerate(assembly.welds):
        for part in (weld.p.part, weld.q.part):
            beside.setdefault(id(part), []).append((_rank(weld), i))
    ready, done = [*beside.get(id(first), [])], set[int]()
    heapq.heapify(ready)
    while ready:
        _, i = heapq.heappop(ready)
        if i in done:
            continue
        done.add(i)
        weld = assembly.welds[i]
        if id(weld.p.part) in turned and id(weld.q.part) in turned:
            assembly.closed = assembly.closed or not (weld.p.everywhere or weld.q.everywhere)
            _check_closure(assembly, weld)
            continue
        new = _hang(assembly, weld)
        for one in beside[id(new)]:
            heapq.heappush(ready, one)


def _rank(weld: Weld) -> tuple[bool, bool]:
    """Which weld says first where a part lies: not ground, which is everywhere; not a pin without an angle."""
    everywhere = weld.p.everywhere or weld.q.everywhere
    return everywhere, bool(weld.free_axes) and not weld.turns


def _hang(assembly: Assembly, weld: Weld) -> Part:
    forward = id(weld.p.part) in assembly.orientation
    known, new = (weld.p, weld.q) if forward else (weld.q, weld.p)
    turns = [*_about(known), *_turn(weld, forward), *_about(new, -1)]
    pose = assembly.turned.get(id(known.part), Pose()).then(turns, IDENTITY)
    turned = _axes(assembly, known, pose, turns)
    point = point_of(assembly, known)
    assembly.turned[id(new.part)], assembly.orientation[id(new.part)] = pose, turned
    said = new.part.stands if isinstance(new.part, Body) and _on_ground(assembly) else None
    assembly.origin[id(new.part)] = said or subtract(point, turn(turned, new.point))
    return new.part


def _on_ground(assembly: Assembly) -> bool:
    """Whether a frame is ground's."""
    return assembly.anchor is None and isinstance(assembly.parts[0], Ground)


def _axes(assembly: Assembly, known: Spot, pose: Pose, turns: list[Turn]) -> Matrix:
    """How a part is turned that hangs on a known one; products of numbers are multiplied out on the way.

    Sums of angles about one axis stay angles. About several axes their sines and cosines would be products of products.
    """
    if assembly.anchor is not None:  # what moves keeps exact axes: its energies hold their squares
        return pose.rotation
    if len(pose.turns) < 2 or any(angle.free_symbols for _, angle in pose.turns):
        turned = pose.rotation
    else:
        turned = assembly.orientation[id(known.part)]
        for axis, angle in turns:
            turned = product(turned, rotation(axis, angle))
    a, b, c = (change(row, in_digits) for row in turned)
    return (a, b, c)


def _about(spot: Spot, sense: int = 1) -> list[Turn]:
    """How the section at a place of a curved member is turned at rest, or back."""
    return [(spot.about, sense * spot.heading)] if spot.heading != 0 else []


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
    p, q = point_of(assembly, weld.p), point_of(assembly, weld.q)
    if not everywhere:
        _check_gap(assembly, weld, p, q)
    turns = [*_about(weld.p), *_turn(weld, True)]
    expected = assembly.turned.get(id(weld.p.part), Pose()).then(turns, IDENTITY).rotation
    held = assembly.axes(weld.q)
    pairs = ((a, b) for x, y in zip(expected, held, strict=True) for a, b in zip(x, y, strict=True))
    angled = weld.source is not None and (bool(weld.turns) or not weld.free_axes)
    if angled and not all(assembly.near.small(a - b) for a, b in pairs):
        raise FlexuraError(
            f"The angle of {weld.source!r} contradicts the other connections of its loop",
            advice="give the angle between the two parts as they lie in the reference configuration",
            part=repr(weld.source),
            keyword="angle",
        )


def _check_gap(assembly: Assembly, weld: Weld, p: Vector, q: Vector) -> None:
    """The two places of a weld must be one, with the values that are given; other values may open the loop again."""
    near, gap = assembly.near, subtract(p, q)
    if not all(near.cancels(one, [*p, *q]) for one in gap):
        known = [near.number(one) for one in gap]
        shown = [
            str(one.expand()) if number is None else _digits(number) for one, number in zip(gap, known, strict=True)
        ]
        raise FlexuraError(
            f"The loop closed by {weld.source!r} does not close: its two places are ({', '.join(shown)}) apart in the"
            " reference configuration",
            advice="change a length, an angle or the point",
            part=repr(weld.source),
        )
    apart = change(gap, lambda f: f.expand())
    if any(one.free_symbols and not verdict(one) for one in apart):
        assembly.gaps.append(Gap(repr(weld.source), apart))


def _digits(number: float) -> str:
    return "0" if abs(number) < 1e-14 else f"{number:.6g}"


def lengths_and_angles(structure: Structure) -> dict[Symbol, float]:
    """The values that the quantities of the reference configuration carry; two values of one are told elsewhere."""
    given: list[Iterable[Declaration]] = [one.length.declarations for one in structure.members]
    for connection in structure.connections:
        for value in vars(connection).values():
            if isinstance(value, Place):
                given.append(value.position.declarations)
            elif isinstance(value, Expression | BodyPlace):
                given.append(value.declarations)
    return Near.carried(one for some in given for one in some)
