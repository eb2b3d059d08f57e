"""Steps 5 and 6: the energy of every body and of every representative particle, from absolute velocities.

A point at X of a frame with velocity v and spin w (local components) that is displaced by d moves at
V = v + w x (X + d) + d_t. Rotations are kept to second order in the deflections (theory, section 4, consistent energy).
"""

from __future__ import annotations

from collections.abc import Iterator

from flexura.errors import FlexuraError
from flexura.model.assembly import axial_symbol, interpolated
from flexura.model.frames import HALF, Frame, small_rotation, small_spin, velocity_at
from flexura.model.structure import Segment, Spot
from flexura.parts.bodies import Body, Ground
from flexura.symbolic.engine import SPINE, ZERO, Basic, Symbol
from flexura.symbolic.jets import Jets
from flexura.symbolic.kinematics.motion import Carried
from flexura.symbolic.kinematics.quaternions import rate_in_turned_axes, turned_back
from flexura.symbolic.kinematics.vectors import (
    EX,
    IDENTITY,
    NULL,
    Matrix,
    Vector,
    add,
    change,
    cross,
    dot,
    product,
    scale,
    subtract,
    transpose,
    turn,
    turn_back,
)
from flexura.symbolic.zero import vanishes


def carried_bodies(frame: Frame, gravity: Vector, jets: Jets) -> Iterator[Carried]:
    """The bodies of a frame."""
    for part in frame.assembly.parts:
        if isinstance(part, Body) and not isinstance(part, Ground):
            point, small = frame.locate(Spot(part, NULL))
            axes = frame.assembly.orientation[id(part)]
            inertia = product(product(axes, part.tensor), transpose(axes))
            yield Carried(
                part.name,
                "",
                part.mass.engine,
                *velocity_at(frame, point, jets),
                frame.spin,
                frame.from_space(gravity),
                _spin(frame, small, jets),
                inertia,
                frame.in_space(point),
                product(frame.rotation_in_space, product(small_rotation(small), axes)),
            )


def carried_line(frame: Frame, seg: Segment, gravity: Vector, jets: Jets, shifts: dict[Symbol, Basic]) -> Carried:
    """The particles of a segment."""
    axes, local = frame.assembly.orientation[id(seg)], local_displacement(frame, seg, shifts)
    drawn = frame.drawn(Spot(seg, NULL))
    small, point = rotation_of(seg), add(line_point(frame, seg), turn(axes, local), drawn)
    if frame.parted is not None:
        shift = frame.parted.shift(seg, point)
        point, drawn = add(point, shift), add(drawn, shift)
        small = add(small, turn_back(axes, frame.parted.turn(seg)))
    if not frame.moves:  # its own axes do as well, and nothing has to be turned back
        rate = change(add(local, turn_back(axes, drawn)), jets.D_t)
        return Carried(
            seg.name,
            seg.spine,
            seg.own(seg.mechanics.rho.engine),
            rate,
            dot(rate, rate),
            NULL,
            turn_back(axes, gravity),
            _spin_of(seg, IDENTITY, small, NULL, jets),
            line_inertia(seg, IDENTITY),
            frame.in_space(point),
            product(frame.rotation_in_space, axes),
        )
    return Carried(
        seg.name,
        seg.spine,
        seg.own(seg.mechanics.rho.engine),
        *velocity_at(frame, point, jets),
        frame.spin,
        frame.from_space(gravity),
        _spin_of(seg, axes, turn(axes, small), frame.spin, jets),
        line_inertia(seg, IDENTITY if seg.quaternion is not None else axes),
        frame.in_space(point),
        product(frame.rotation_in_space, axes),
    )


def line_point(frame: Frame, seg: Segment) -> Vector:
    """The undeformed particle at x, in the frame's axes."""
    return add(frame.assembly.origin[id(seg)], turn(frame.assembly.orientation[id(seg)], seg.member.point(SPINE)))


def local_displacement(frame: Frame, seg: Segment, shifts: dict[Symbol, Basic]) -> Vector:
    """What the fields say, and the motion of a member along the axes in which it does not deform, in its own axes."""
    a, b, c = (seg.own(one.engine).xreplace(shifts) for one in seg.mechanics.displacement)
    if set(seg.member.ends) == {"twist"}:
        return (a, b, c)
    value = frame.motions.value
    if "axial" not in seg.member.ends and seg.tied is None:
        a += value(axial_symbol(seg))
    if "transverse" not in seg.member.ends:
        start, end = (value(interpolated(seg, which)) for which in "ab")
        share = (SPINE - seg.start.engine) / (seg.end.engine - seg.start.engine)
        b += start + (end - start) * share
    return (a, b, c)


def rotation_of(seg: Segment) -> Vector:
    """The small rotation of the section in the member's axes."""
    a, b, c = (seg.own(one.engine) for one in seg.mechanics.rotation)
    return (a, b, c)


def line_inertia(seg: Segment, axes: Matrix) -> Matrix:
    """The section's inertia per length in the frame's axes."""
    x, y, z = (seg.own(one.engine) for one in seg.mechanics.rotary_inertia)
    diagonal = ((x, ZERO, ZERO), (ZERO, y, ZERO), (ZERO, ZERO, z))
    return product(product(axes, diagonal), transpose(axes))


def spin_orders(spin: Vector, small: Vector, jets: Jets) -> tuple[Vector, Vector, Vector]:
    """Spin of what is turned by the small rotation vector, in its own axes, by orders: w, f_t - f x w, second order."""
    if all(one == 0 for one in small):
        return spin, NULL, NULL
    rate = change(small, jets.D_t)
    first = subtract(rate, cross(small, spin))
    second = scale(HALF, subtract(cross(small, cross(small, spin)), cross(small, rate)))
    return spin, first, second


def _spin(frame: Frame, small: Vector, jets: Jets) -> tuple[Vector, Vector, Vector]:
    """That of a body; beside members that are tied nothing is of orders, and its energy is a full square."""
    if not frame.tied:
        return spin_orders(frame.spin, small, jets)
    return turn_back(small_rotation(small), add(frame.spin, small_spin(small, jets))), NULL, NULL


def _spin_of(seg: Segment, axes: Matrix, small: Vector, spin: Vector, jets: Jets) -> tuple[Vector, Vector, Vector]:
    """The same of a section that has turned, of a member in `axes` of a frame; of one that turns far without orders.

    Sections that turn far in space are asked in their own axes, others in those of the frame.
    """
    e = seg.quaternion
    if e is not None:
        a, b, c, d = (jets.D_t(one) for one in e)
        own = add(turned_back(e, turn_back(axes, spin)), rate_in_turned_axes(e, (a, b, c, d)))
        return turn_back(seg.resting, own), NULL, NULL
    if not seg.bends_far or spin == NULL:
        return spin_orders(spin, small, jets)
    return add(turn_back(small_rotation(small), spin), small_spin(small, jets)), NULL, NULL


def kinetic(one: Carried) -> Basic:
    """Half m V^2 plus the energy of rotation, to second order in the deflections."""
    zeroth, first, second = one.spin
    moving = add(zeroth, first)
    translation = one.mass * one.speed_squared / 2
    turning = dot(moving, turn(one.inertia, moving)) / 2 + dot(zeroth, turn(one.inertia, second))
    return translation + turning


def refuse_turning_shaft(frame: Frame, seg: Segment) -> None:
    """A shaft's torsion is its own rotation only about its own axis."""
    if set(seg.member.ends) != {"twist"}:
        return
    along = turn(frame.assembly.orientation[id(seg)], EX)
    across = cross(frame.spin, along)
    if not all(vanishes(part) for part in across):
        raise FlexuraError(
            f"The shaft {seg.name} hangs on a body that turns about another axis than its own",
            advice="put it on ground or on a body that turns about the shaft's axis",
            part=seg.member.name,
        )
