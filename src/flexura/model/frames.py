"""The tree of frames: how each assembly moves, in its own axes, from the joint that carries it.

Working in local components keeps expressions short: velocity, spin and gravity of a frame follow from its parent's by
one turn. Positions in space are chains of the same turns, written out only where a load or a constraint needs them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import symengine

from flexura.errors import FlexuraError
from flexura.model.assembly import SmallMotions, displacement_of
from flexura.model.gaps import Gap
from flexura.model.parting import Parted
from flexura.model.reference import point_of
from flexura.model.structure import Assembly, Segment, Spot, SpotLink
from flexura.model.turning import Turning
from flexura.symbolic.engine import ONE, ZERO, Basic, Symbol, exact
from flexura.symbolic.jets import Jets
from flexura.symbolic.kinematics.motion import Turn
from flexura.symbolic.kinematics.quaternions import Quaternion, matrix, rate_in_still_axes
from flexura.symbolic.kinematics.vectors import (
    AXES,
    EX,
    EY,
    EZ,
    IDENTITY,
    NULL,
    Matrix,
    Vector,
    add,
    change,
    cross,
    dot,
    product,
    rotation,
    scale,
    subtract,
    transpose,
    turn,
    turn_back,
)

HALF = ONE / 2


@dataclass(eq=False)
class Frame:
    """One assembly's frame: place and turn relative to the parent, velocity and spin in its own axes."""

    assembly: Assembly
    parent: Frame | None
    place: Vector
    turned: Matrix
    velocity: Vector
    speed_squared: Basic
    spin: Vector
    motions: SmallMotions
    joint: SpotLink | None = None
    rides: bool = False
    """Whether members move it whose axial displacement is a field of its own."""
    turning: Turning | None = None
    """What small turns draw in, where that is part of every motion: beside members that are tied."""
    parted: Parted | None = None
    """What a connection that gives way lets go across the plane."""
    flat: Flat | None = None
    """Turn and velocity by angles that add up, where the frame turns about z of its parent."""

    @cached_property
    def chain(self) -> tuple[Frame, ...]:
        """From the root to here."""
        found = [self]
        while found[-1].parent:
            found.append(found[-1].parent)
        return tuple(reversed(found))

    @property
    def moves(self) -> bool:
        """Whether the frame moves at all."""
        return any(one != 0 for one in (*self.velocity, *self.spin))

    @property
    def tied(self) -> bool:
        """Whether members of it carry their axial displacement as a field of its own, or move it as a whole."""
        return self.rides or any(isinstance(one, Segment) and one.tied for one in self.assembly.parts)

    def locate(self, spot: Spot) -> tuple[Vector, Vector]:
        """Position (with displacement) in the frame's axes, and small rotation, of a spot."""
        displacement, rotated = displacement_of(self.motions, spot)
        point = add(point_of(self.assembly, spot), displacement, self.drawn(spot))
        if self.parted is None:
            return point, rotated
        return add(point, self.parted.shift(spot.part, point)), add(rotated, self.parted.turn(spot.part))

    def drawn(self, spot: Spot) -> Vector:
        """What small turns draw a spot in, where that is part of its motion."""
        return NULL if self.turning is None else self.turning.displaced(spot)

    def turn_of(self, spot: Spot) -> Matrix:
        """How a spot has turned from the reference configuration, in the frame's axes."""
        e = self._quaternion(spot)
        return small_rotation(self.locate(spot)[1]) if e is None else matrix(e)

    def spin_of(self, spot: Spot, jets: Jets) -> Vector:
        """How fast a spot turns relative to the frame, in the frame's axes."""
        e = self._quaternion(spot)
        if e is None:
            return small_spin(self.locate(spot)[1], jets)
        a, b, c, d = (jets.D_t(one) for one in e)
        return rate_in_still_axes(e, (a, b, c, d))

    def _quaternion(self, spot: Spot) -> Quaternion | None:
        """Of a section that turns far in space: its vector is half the small rotation."""
        e = spot.part.quaternion_at(spot.end) if isinstance(spot.part, Segment) else None
        if e is None:
            return None
        given = {Symbol(label): f for label, f in self.motions.boundary.items()}
        return (e[0].xreplace(given), *scale(HALF, self.locate(spot)[1]))

    def reference(self, spot: Spot) -> Vector:
        """Where a spot lies undeformed."""
        return point_of(self.assembly, spot)

    def to_parent(self, point: Vector) -> Vector:
        """A point of this frame in the parent's axes."""
        return add(self.place, turn(self.turned, point))

    def in_space(self, point: Vector) -> Vector:
        """A point of this frame in ground's axes."""
        return add(self.origin_in_space, turn(self.rotation_in_space, point))

    def direction_in_space(self, direction: Vector) -> Vector:
        """A direction of this frame in ground's axes."""
        return turn(self.rotation_in_space, direction)

    def from_space(self, direction: Vector) -> Vector:
        """A direction of ground in this frame's axes."""
        return turn_back(self.rotation_in_space, direction)

    @cached_property
    def rotation_in_space(self) -> Matrix:
        """This frame's axes in ground's: the parent's, turned once more, so that all frames share the turns inboard."""
        if self.flat is not None:
            return product(self.flat.base, rotation(EZ, self.flat.angle))
        return product(self.parent.rotation_in_space, self.turned) if self.parent else IDENTITY

    @cached_property
    def origin_in_space(self) -> Vector:
        """This frame's origin in ground's axes."""
        return self.parent.in_space(self.place) if self.parent else NULL


def inertial(assembly: Assembly) -> Frame:
    """Ground's frame, or that of something that floats."""
    return Frame(assembly, None, NULL, IDENTITY, NULL, ZERO, NULL, SmallMotions(assembly))


def carried(
    parent: Frame,
    joint: SpotLink,
    forward: bool,
    names: tuple[str, ...],
    assembly: Assembly,
    jets: Jets,
    gap: Gap | None = None,
) -> Frame:
    """The frame that a joint carries on its parent; `forward` says the parent is on p's side."""
    spot = joint.p if forward else joint.q
    where, small = parent.locate(spot)
    seat = product(parent.turn_of(spot), parent.assembly.axes(spot))
    turns = _summed([*joint.source.rotations(joint_symbols(names)), *joint.source.resting])
    shift = joint.source.translation(joint_symbols(names))
    inner, rate = relative_turn(turns, jets)
    if not forward:
        shift, inner, rate = (
            scale(exact(-1), turn_back(inner, shift)),
            transpose(inner),
            scale(exact(-1), turn(inner, rate)),
        )
    place, turned = add(where, turn(seat, shift)), _turned(parent, spot, small, turns, inner, forward)
    inboard, relative_spin = turned, parent.spin_of(spot, jets)
    if gap is not None:
        place, turned, relative_spin = _apart(parent, gap, forward, where, place, turned, relative_spin, jets)
    spin = add(turn_back(turned, parent.spin), turn_back(inboard, relative_spin), rate)
    velocity, squared = velocity_at(parent, place, jets)
    about_z = _about_z(parent, spot, small, turns, forward) if gap is None else None
    flat = None if about_z is None else Flat.on(parent, _gained(parent, place, jets), *about_z)
    seen = turn_back(turned, velocity) if flat is None else flat.velocity
    return Frame(assembly, parent, place, turned, seen, squared, spin, SmallMotions(assembly), joint, flat=flat)


@dataclass(frozen=True)
class Flat:
    """What turns about z again and again: angles add up, and trees stay as shallow as for one turn.

    The frame's axes in space are `base`, turned by `angle`; its velocity is the sum of `shares`, each in axes turned by
    an angle from its own. Turned one after the other, the velocity of the last of n links would be n products deep.
    """

    base: Matrix
    angle: Basic
    shares: Mapping[Basic, Vector]

    @classmethod
    def on(cls, parent: Frame, gained: Vector, resting: Matrix, angle: Basic) -> Flat:
        """Of a frame turned from its parent by constant axes and an angle; `gained` is beyond the parent's velocity."""
        flat = parent.flat or cls(parent.rotation_in_space, ZERO, {ZERO: parent.velocity})
        shares = dict(flat.shares)
        shares[ZERO] = add(shares.get(ZERO, NULL), gained)
        turned = {own - angle: turn_back(resting, share) for own, share in shares.items() if share != NULL}
        return cls(product(flat.base, resting), flat.angle + angle, turned)

    @property
    def velocity(self) -> Vector:
        """In the frame's own axes."""
        return add(NULL, *(turn(rotation(EZ, angle), share) for angle, share in self.shares.items()))


def _about_z(parent: Frame, spot: Spot, small: Vector, turns: list[Turn], forward: bool) -> tuple[Matrix, Basic] | None:
    """How a joint turns what it carries, as constant axes and an angle about z; None if it turns otherwise.

    What members carry stays as it is: their energies, which are far larger, would grow with the square of their number.
    """
    axes = parent.assembly.axes(spot)
    if axes[2] != EZ or small != NULL or isinstance(spot.part, Segment) or len(turns) > 1:
        return None
    if any(abs(axis[2]) != 1 for axis, _ in turns):
        return None
    own = symengine.Add(*(axis[2] * angle for axis, angle in turns))
    return axes, own if forward else -own


def _apart(
    parent: Frame,
    gap: Gap,
    forward: bool,
    where: Vector,
    place: Vector,
    turned: Matrix,
    spin: Vector,
    jets: Jets,
) -> tuple[Vector, Matrix, Vector]:
    """Place, turn and spin of what a joint carries with a gap in it, to first order; q turns about its own place."""
    axes, sense = parent.rotation_in_space, exact(1 if forward else -1)
    shift, angle = scale(sense, gap.shift(axes)), scale(sense, gap.turn(axes))
    if not forward:
        place = add(place, cross(angle, subtract(place, where)))
    a, b, c = (add(column, cross(angle, column)) for column in transpose(turned))
    turning = add(NULL, *(scale(sense * jets.D_t(amount), turn_back(axes, e)) for amount, e in gap.about))
    return add(place, shift), transpose((a, b, c)), add(spin, turning)


def velocity_at(frame: Frame, point: Vector, jets: Jets) -> tuple[Vector, Basic]:
    """The absolute velocity of a point of a frame, in the frame's axes, and its square.

    The square is built on that of the frame's origin, so that the turns between frames never enter it.
    """
    relative_to_origin = _gained(frame, point, jets)
    crossed = 2 * dot(frame.velocity, relative_to_origin)
    squared = frame.speed_squared + crossed + dot(relative_to_origin, relative_to_origin)
    return add(frame.velocity, relative_to_origin), squared


def _gained(frame: Frame, point: Vector, jets: Jets) -> Vector:
    """The velocity of a point beyond that of the frame's origin."""
    return add(cross(frame.spin, point), change(point, jets.D_t))


def _turned(parent: Frame, spot: Spot, small: Vector, turns: list[Turn], inner: Matrix, forward: bool) -> Matrix:
    """The child's axes in the parent's; turns about one axis add up, which keeps sums of angles together."""
    axes = parent.assembly.axes(spot)
    plane = not _turns_in_space(spot) and small[0] == 0 and small[1] == 0 and small[2] != 0
    if plane and len(turns) == 1 and axes[2][2] in (ONE, -ONE) and turns[0][0][2] in (ONE, -ONE):
        about, own = turns[0]
        angle = (own if forward else -own) + about[2] * axes[2][2] * small[2]
        return product(axes, rotation(about, angle))
    return product(product(parent.turn_of(spot), axes), inner)


def _turns_in_space(spot: Spot) -> bool:
    return isinstance(spot.part, Segment) and spot.part.quaternion is not None


def _summed(turns: list[Turn]) -> list[Turn]:
    """Successive turns about one axis, either way round, as one."""
    found: list[Turn] = []
    for axis, angle in turns:
        last = found[-1][0] if found else NULL
        sense = next((s for s in (1, -1) if subtract(last, scale(exact(s), axis)) == NULL), 0)
        if sense:
            found[-1] = (last, found[-1][1] + sense * angle)
        else:
            found.append((axis, angle))
    return found


def joint_symbols(names: tuple[str, ...]) -> list[Basic]:
    """The coordinates of a joint; a motion without a name does not exist and stays zero."""
    return [Symbol(name) if name else ZERO for name in names]


def relative_turn(turns: list[Turn], jets: Jets) -> tuple[Matrix, Vector]:
    """How successive turns turn, and the spin that their rates make, in the axes that are turned."""
    turned, spin = IDENTITY, NULL
    for axis, angle in turns:
        step = rotation(axis, angle)
        turned, spin = product(turned, step), add(turn_back(step, spin), scale(jets.D_t(angle), axis))
    return turned, spin


def small_rotation(small: Vector) -> Matrix:
    """The turn of an end: by that angle about one of the axes; about others Cayley's, the same to second order.

    Both are rotations exactly, without which velocities and positions would part at third order.
    """
    about = [i for i, one in enumerate(small) if one != 0]
    if len(about) < 2:
        return rotation(AXES[about[0]], small[about[0]]) if about else IDENTITY
    first = transpose((cross(small, EX), cross(small, EY), cross(small, EZ)))
    second = product(first, first)
    share = _cayley(small)
    a, b, c = (add(e, scale(share, add(f, scale(HALF, s)))) for e, f, s in zip(IDENTITY, first, second, strict=True))
    return (a, b, c)


def small_spin(small: Vector, jets: Jets) -> Vector:
    """The spin of an end relative to its frame, in the frame's axes: that of `small_rotation`."""
    rate = change(small, jets.D_t)
    if sum(one != 0 for one in small) < 2:
        return rate
    return scale(_cayley(small), add(rate, scale(HALF, cross(small, rate))))


def _cayley(small: Vector) -> Basic:
    return 1 / (1 + dot(small, small).expand() / 4)


def relative(of: tuple[Frame, Vector], seen_from: Frame) -> Vector:
    """A point of one frame in the axes of another, through their nearest common frame."""
    frame, point = of
    shared = [one for one, other in zip(frame.chain, seen_from.chain, strict=False) if one is other]
    if not shared:
        raise FlexuraError(
            "Two parts that float separately are connected by a spring", advice="attach one to the other or to ground"
        )
    while frame is not shared[-1]:
        point = frame.to_parent(point)
        assert frame.parent is not None
        frame = frame.parent
    for one in seen_from.chain[len(shared) :]:
        point = turn_back(one.turned, subtract(point, one.place))
    return point


def direction_between(frame: Frame, direction: Vector, seen_from: Frame) -> Vector:
    """A direction of one frame in the axes of another, through their nearest common frame."""
    shared = sum(one is other for one, other in zip(frame.chain, seen_from.chain, strict=False))
    for one in reversed(frame.chain[max(shared, 1) :]):
        direction = turn(one.turned, direction)
    for one in seen_from.chain[max(shared, 1) :]:
        direction = turn_back(one.turned, direction)
    return direction


def translation_between(frame: Frame, base: Frame, what: str, jets: Jets) -> Vector:
    """How far `frame` has moved in the axes of `base`, which it must not turn against."""
    if base not in frame.chain:
        raise FlexuraError(
            f"{what} does not hang on the body it is measured from", advice="measure it from a body it hangs on"
        )
    between = frame.chain[frame.chain.index(base) + 1 :]
    point, turned = NULL, IDENTITY
    for one in reversed(between):
        point, turned = one.to_parent(point), product(one.turned, turned)
    if any(jets.unknowns(entry) for row in turned for entry in row):
        raise FlexuraError(
            f"{what} turns against the body it is measured from", advice="measure it from one that turns with it"
        )
    start = change(point, lambda f: at_reference(f, jets))
    return turn_back(turned, subtract(point, start))


def at_reference(f: Basic, jets: Jets) -> Basic:
    """A tree with every coordinate and deflection at zero."""
    return f.xreplace({jet.symbol: ZERO for jet in jets.unknowns(f)})


def scalar_position(frame: Frame, point: Vector, direction: Vector) -> Basic:
    """direction . r, with the direction in ground's axes: what gravity and forces work along."""
    total = dot(frame.from_space(direction), point)
    for one in frame.chain[1:]:
        assert one.parent is not None
        total += dot(one.parent.from_space(direction), one.place)
    return total
