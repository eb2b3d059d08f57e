"""Loops among large motions are closed exactly: the connection listed last in the loop becomes constraints."""

from __future__ import annotations

from flexura.errors import FlexuraError
from flexura.model.frames import Frame, at_reference, relative_turn, scalar_position
from flexura.model.gaps import Gap, refuse_shared
from flexura.model.placing import Placed
from flexura.model.structure import Spot, SpotLink
from flexura.parts.bodies import ground
from flexura.parts.joints import Coupling
from flexura.symbolic.engine import ZERO, Basic
from flexura.symbolic.jets import Jets
from flexura.symbolic.kinematics.geometry import Gap as OpenedGap
from flexura.symbolic.kinematics.vectors import (
    AXES,
    EX,
    EZ,
    IDENTITY,
    NULL,
    Matrix,
    Vector,
    change,
    cross,
    dot,
    product,
    subtract,
    transpose,
    turn,
    unit,
)
from flexura.symbolic.zero import verdict


def cut_conditions(model: Placed, cut: SpotLink, jets: Jets) -> dict[str, Basic]:
    """The conditions of a cut, by the names of their multipliers: lambda_<cut>_x, ..."""
    name = _name(model, cut)
    return {f"lambda_{name}_{which}": f for which, f in _conditions(model, cut, jets).items() if jets.unknowns(f)}


def dropped_conditions(model: Placed, cut: SpotLink, jets: Jets) -> tuple[list[str], str]:
    """The conditions of a cut that hold whatever moves, as multipliers would be called, and a sentence on them."""
    name = _name(model, cut)
    found = [f"lambda_{name}_{which}" for which, f in _conditions(model, cut, jets).items() if not jets.unknowns(f)]
    one = len(found) == 1
    many = "1 condition holds by itself and is" if one else f"{len(found)} conditions hold by themselves and are"
    return found, f"{many} dropped where {cut.source!r} closes a loop"


def _name(model: Placed, cut: SpotLink) -> str:
    """As it or its coordinate is called, else its two parts, numbered where several cuts join the same two."""
    names = [_first_name(one) for one in model.structure.cuts]
    position = next(i for i, one in enumerate(model.structure.cuts) if one is cut)
    before = names[:position].count(names[position])
    return f"{names[position]}_{before + 1}" if before else names[position]


def _first_name(cut: SpotLink) -> str:
    return cut.source.label or f"{cut.p.part.name}_{cut.q.part.name}"


def _conditions(model: Placed, cut: SpotLink, jets: Jets) -> dict[str, Basic]:
    source = cut.source
    if not source.closes_loops:
        raise FlexuraError(
            f"{source!r} cannot close a loop of joints",
            advice="use Revolute, Pin, Slide or Fixed there",
            part=repr(source),
        )
    _check_angle(model, cut, jets)
    conditions = _together(model, cut, jets) | _aligned(model, cut, jets)
    for which, f in conditions.items():
        moving, gap = {jet.name for jet in jets.unknowns(f)}, _released(model, cut)
        if gap is not None and moving and moving <= set(gap.names):
            refuse_shared(source)
        if not jets.unknowns(f) and f.expand() != 0:
            _closes_with_its_values(model, cut, which, f.expand())
    return conditions


def _closes_with_its_values(model: Placed, cut: SpotLink, which: str, apart: Basic) -> None:
    """Refuse what cannot close; what closes with the numbers that its parts carry is kept, for others may open it."""
    assembly = model.frame((cut.p if cut.q.everywhere or cut.q.part is ground else cut.q).part).assembly
    if not assembly.near.zero(apart):
        raise FlexuraError(
            f"The loop closed by {cut.source!r} contradicts itself: along {which} its places stay {apart} apart",
            advice="change a length or a point",
            part=repr(cut.source),
        )
    x, y, z = (apart if which == axis else ZERO for axis in "xyz")
    gap = OpenedGap(repr(cut.source), (x, y, z) if which in "xyz" else (apart, ZERO, ZERO))
    if gap not in assembly.gaps:  # conditions are asked for more than once
        assembly.gaps.append(gap)


def _check_angle(model: Placed, cut: SpotLink, jets: Jets) -> None:
    """An angle that is given must be that of the reference configuration; a cut does not impose it."""
    if not cut.source.resting:
        return
    p, q = (_at_rest(_axes(model, spot), jets) for spot in (cut.p, cut.q))
    expected = product(p, relative_turn(cut.source.resting, jets)[0])
    if not all(verdict(a - b) for x, y in zip(expected, q, strict=True) for a, b in zip(x, y, strict=True)):
        raise FlexuraError(
            f"The angle of {cut.source!r} contradicts the other connections of its loop",
            advice="give the angle between the two parts as they lie in the reference configuration",
            part=repr(cut.source),
            keyword="angle",
        )


def _together(model: Placed, cut: SpotLink, jets: Jets) -> dict[str, Basic]:
    """Equal positions along ground's axes, but for the directions that are left free (p's axes)."""
    names, free = "xyz" if model.structure.spatial else "xy", cut.source.free_directions
    if not free:
        return {which: _gap(model, cut, AXES[i], jets) for i, which in enumerate(names)}
    frame = model.frame(cut.p.part)
    turned = product(frame.rotation_in_space, frame.assembly.axes(cut.p))
    if cut.p.bends_far:  # its axes turn with the section
        turned = _axes(model, cut.p)
    across = held_directions(free, model.structure.spatial)
    return {f"n{i}": _gap(model, cut, turn(turned, axis), jets) for i, axis in enumerate(across, 1)}


def held_directions(free: tuple[Vector, ...], spatial: bool) -> list[Vector]:
    """What is held where some directions (in p's axes) are free: all across one, the normal of two, none of three."""
    if len(free) == 1:
        return directions_across(free[0], spatial)
    return [unit(cross(free[0], free[1]))] if len(free) == 2 and spatial else []


def directions_across(free: Vector, spatial: bool) -> list[Vector]:
    """The directions across one, in p's axes: these axes themselves where they lie across it."""
    straight = [axis for axis in AXES[: 3 if spatial else 2] if cross(axis, free) != NULL]
    if len(straight) < 3 and all(dot(axis, free) == 0 for axis in straight):
        return straight
    first = cross(EZ, free) if cross(EZ, free) != NULL else EX
    return [unit(first), unit(cross(free, first))] if spatial else [unit(first)]


def _gap(model: Placed, cut: SpotLink, direction: Vector, jets: Jets) -> Basic:
    ends = [_along(model, spot, direction, other, jets) for spot, other in ((cut.p, cut.q), (cut.q, cut.p))]
    apart = (ends[1] - ends[0]).expand()
    gap = _released(model, cut)
    return apart if gap is None else apart - gap.along_direction(direction)


def _released(model: Placed, cut: SpotLink) -> Gap | None:
    return model.gap if model.gap is not None and model.gap.source is cut.source else None


def _along(model: Placed, spot: Spot, direction: Vector, other: Spot, jets: Jets) -> Basic:
    """direction . r of a spot; ground is where the other one is in the reference configuration."""
    if spot.everywhere:
        frame = model.frame(other.part)
        stays = change(frame.in_space(frame.locate(other)[0]), lambda f: at_reference(f, jets))
        return dot(direction, stays)
    frame = model.frame(spot.part)
    return scalar_position(frame, frame.locate(spot)[0], direction)


def _aligned(model: Placed, cut: SpotLink, jets: Jets) -> dict[str, Basic]:
    """No relative rotation that the connection holds: products of unit vectors square to each other stay zero."""
    p, q = (_axes(model, spot) for spot in (cut.p, cut.q))
    gap = _released(model, cut)
    if gap is not None:
        back = gap.turn(IDENTITY)
        a, b, c = (subtract(column, cross(back, column)) for column in transpose(q))
        q = transpose((a, b, c))
    pairs = square_pairs(cut.source, model.structure.spatial, p, q, jets)
    products = {which: dot(mine, other) for which, (mine, other) in pairs.items()}
    return {which: f - at_reference(f, jets) for which, f in products.items()}


def square_pairs(source: Coupling, spatial: bool, p: Matrix, q: Matrix, jets: Jets) -> dict[str, tuple[Vector, Vector]]:
    """Vectors of p and of q, in space, that a connection keeps square; q's lie along axes of p in the reference."""
    pairs = _square_axes(source.free_axes, spatial)
    rest = product(transpose(_at_rest(q, jets)), _at_rest(p, jets)) if pairs else IDENTITY
    return {which: (turn(p, mine), turn(q, turn(rest, other))) for which, (mine, other) in pairs.items()}


def _square_axes(free: tuple[Vector, ...], spatial: bool) -> dict[str, tuple[Vector, Vector]]:
    """Pairs of directions that stay square: all where nothing turns, the axis with all across it, or two axes."""
    every = {f"r{'xyz'[i]}": (AXES[(i + 1) % 3], AXES[(i + 2) % 3]) for i in ((0, 1, 2) if spatial else (2,))}
    if not free:
        return every
    if len(free) == 2 and spatial:
        return {"r1": (free[0], free[1])}
    if len(free) > 2 or not spatial:
        return {}
    about = free[0]
    if sum(part != 0 for part in about) == 1:
        return {which: pair for i, (which, pair) in enumerate(every.items()) if about[i] == 0}
    return {f"r{i}": (across, about) for i, across in enumerate(directions_across(about, spatial), 1)}


def _at_rest(axes: Matrix, jets: Jets) -> Matrix:
    a, b, c = (change(row, lambda f: at_reference(f, jets)) for row in axes)
    return (a, b, c)


def _axes(model: Placed, spot: Spot) -> Matrix:
    frame: Frame = model.frame(spot.part)
    return product(frame.rotation_in_space, product(frame.turn_of(spot), frame.assembly.axes(spot)))
