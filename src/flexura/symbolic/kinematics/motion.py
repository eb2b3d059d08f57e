"""What moves, how fast, and what acts on it: all that Kane's and Newton's routes read. The energy routes never do.

Vectors are components in the axes that carry the thing; these axes turn at `axes_rate`, so that the acceleration is
D_t(velocity) + axes_rate x velocity.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from flexura.symbolic.engine import ZERO, Basic, Symbol, exact, partial
from flexura.symbolic.jets import Jets
from flexura.symbolic.kinematics.vectors import (
    IDENTITY,
    NULL,
    Matrix,
    Vector,
    add,
    cross,
    dot,
    product,
    rotation,
    scale,
    slope,
    subtract,
    turn,
)
from flexura.symbolic.zero import vanishes


@dataclass(frozen=True)
class Carried:
    """A body (`spine` is "") or the particles of a line: mass (per length), velocity, spin and inertia.

    `spin` holds the angular velocity in its own axes by orders of the small deflections: (0th, 1st, 2nd);
    `speed_squared` is velocity . velocity, written without the turns between frames.
    """

    name: str
    spine: str
    mass: Basic
    velocity: Vector
    speed_squared: Basic
    axes_rate: Vector
    gravity: Vector
    spin: tuple[Vector, Vector, Vector]
    inertia: Matrix
    position: Vector
    rotation: Matrix


@dataclass(frozen=True)
class Moved:
    """What a second-order displacement carries along: mass and momentum at zero deflection; on a line, from x on."""

    mass: Basic
    momentum: Vector


@dataclass(frozen=True)
class Shift:
    """A second-order displacement amount * direction, e.g. foreshortening, where amount is a density along `spine`.

    `first`, `second`: what multiplies d(amount)/dt and amount in the Lagrangian; the rest is where they come from: the
    masses carried along (already summed over everything outboard of x), the `pull` of dead loads and stretched springs
    along `direction`, loads that turn with members (`follower`, in the axes), and what dampers `lost` to its rate.
    """

    spine: str
    amount: Basic
    direction: Vector
    axes_rate: Vector
    moved: tuple[Moved, ...]
    pull: Basic
    follower: Vector
    lost: Basic
    first: Basic
    second: Basic

    @property
    def works(self) -> bool:
        """Whether anything works on it."""
        return any(one != 0 for one in (self.first, self.second, self.lost, *self.follower))

    def follower_work(self, jets: Jets) -> dict[str, Basic]:
        """What the loads that turn with members do to frames, beyond the potential -amount * (follower . direction).

        Their power is follower . (d_t + W x d); the potential has the first of these, but takes it for a dead load's.
        """
        along = dot(self.follower, self.direction)
        found: dict[str, Basic] = {}
        for jet in {one: None for part in self.axes_rate for one in jets.unknowns(part) if one.t == 1}:
            turning = slope(self.axes_rate, jet.symbol)
            found[jet.name] = self.amount * dot(self.follower, cross(turning, self.direction))
        for jet in jets.unknowns(along):
            found[jet.name] = found.get(jet.name, ZERO) - self.amount * partial(along, jet.symbol)
        return {name: f for name, f in found.items() if not vanishes(f)}


STRETCH = Symbol("$stretch")
"""What the law of a spring or damper is written in."""
STRETCH_RATE = Symbol("$stretch_t")
"""The rate of it, in laws that hold both: those of stops."""


@dataclass(frozen=True)
class Law:
    """A spring or damper on one scalar of the motion, an elongation or angle.

    `potential` is what a spring stores at an extent, or Rayleigh's function of a damper at its rate, in STRETCH.
    """

    name: str
    extent: Basic
    potential: Basic

    def at(self, extent: Basic) -> Basic:
        """What is stored there, or lost at that rate."""
        return self.potential.xreplace({STRETCH: extent})

    def force(self, extent: Basic) -> Basic:
        """The force against the extent there, or against that rate."""
        return partial(self.potential, STRETCH).xreplace({STRETCH: extent})


@dataclass(frozen=True)
class Acting:
    """A force or torque, by its value, on one scalar of the motion.

    `extent` is a position; a torque on something that turns in space has only the rate of one, given as `rate`.
    """

    name: str
    value: Basic
    extent: Basic | None
    rate: Basic | None = None


@dataclass(frozen=True)
class LineLoad:
    """A force per length on a line of particles: its value and the scalar position it works along."""

    name: str
    spine: str
    value: Basic
    extent: Basic


Turn = tuple[Vector, Basic]
"""An axis as it lies in the reference configuration, in ground's axes, and the angle about it."""

ORDER, OTHER_ORDER = "zyx", "zxy"
"""The axes that three angles turn about, one after the other: as users know them, and where these are singular."""


@dataclass(frozen=True)
class Pose:
    """A frame seen from ground: successive turns, its axes in the reference configuration, and its origin.

    Turns about one axis add up, which keeps sums of angles together.
    """

    turns: tuple[Turn, ...] = ()
    rest: Matrix = IDENTITY
    origin: Vector = NULL

    def then(self, more: Iterable[Turn], rest: Matrix) -> Pose:
        """Turned further, with other axes at rest."""
        turns = list(self.turns)
        for axis, angle in more:
            last, before = turns[-1] if turns else (NULL, ZERO)
            sense = next((s for s in (1, -1) if subtract(last, scale(exact(s), axis)) == NULL), 0)
            if sense:
                turns[-1] = (last, before + sense * angle)
            else:
                turns.append((axis, angle))
        return Pose(tuple(turns), rest)

    @cached_property
    def rotation(self) -> Matrix:
        """Its axes in ground's."""
        turned = IDENTITY
        for axis, angle in self.turns:
            turned = product(turned, rotation(axis, angle))
        return product(turned, self.rest)

    def spin(self, jets: Jets) -> Vector:
        """The angular velocity in ground's axes: the rate of each turn about its axis as the turns before it lay it."""
        turned, total = IDENTITY, NULL
        for axis, angle in self.turns:
            total = add(total, scale(jets.D_t(angle), turn(turned, axis)))
            turned = product(turned, rotation(axis, angle))
        return total


@dataclass(frozen=True)
class FreeBody:
    """A body cut free, seen from ground: mass centre, turn of its axes, spin; its inertia is in its own axes."""

    name: str
    mass: Basic
    position: Vector
    rotation: Matrix
    spin: Vector
    inertia: Matrix


@dataclass(frozen=True)
class FreeMotion:
    """What a coordinate lets q do relative to p: unit rates of translation and of turning, in ground's axes."""

    name: str
    along: Vector
    about: Vector


@dataclass(frozen=True)
class Hold:
    """A joint or weld by which the body p holds the body q at `point`, and the bodies that hang on it.

    `sign` is 1 if q is the outboard one; `free` are the motions it leaves; `determined` is False where welds form a
    loop, so that statics alone cannot share the load among them.
    """

    name: str
    p: str
    q: str
    point: Vector
    outboard: tuple[str, ...]
    sign: int
    free: tuple[FreeMotion, ...] = ()
    determined: bool = True


@dataclass(frozen=True)
class Wrench:
    """A load on a body: `amount` times a force at a point and a couple, in ground's axes.

    `kind` is weight, spring, damper, force, torque or cut (the reaction where a loop was cut). Along a member, on its
    `spine`, amounts are per length at x, and act where the particle is.
    """

    name: str
    kind: str
    body: str
    amount: Basic
    force: Vector
    couple: Vector
    point: Vector
    spine: str = ""


@dataclass(frozen=True)
class CutPart:
    """A body, or the particles of one piece of a member at x on `spine`, cut free.

    In the axes of the frame that carries it: `arm` is where it is, `small` its small rotation, `acceleration` that of
    its mass, `turning` the rate of its angular momentum (per length). `frame` holds these axes in ground's, `own` those
    of the part in the frame.
    """

    name: str
    mass: Basic
    arm: Vector
    small: Vector
    acceleration: Vector
    turning: Vector
    frame: Matrix
    own: Matrix
    origin: Vector
    spine: str = ""


@dataclass(frozen=True)
class CutNode:
    """A place on a member where things attach, by its label; `arm` and its `small` rotation are in the frame's axes.

    The ends of the member's pieces there, (spine, "a" or "b"): both where it is cut inside, one at its ends.
    """

    name: str
    member: str
    ends: tuple[tuple[str, str], ...]
    arm: Vector
    small: Vector


@dataclass(frozen=True)
class CutHold:
    """A connection that is cut: what p exerts on q at `point`, each a name with a unit force or couple.

    The opposite acts on p at `on_p`: at the same point, but for small motions that a roller leaves; the moment of these
    is on the part `carrier` that carries the frame, whose axes a roller keeps. `inside` one frame it joins places to
    first order.
    """

    name: str
    p: str
    q: str
    point: Vector
    on_p: Vector
    carrier: str
    inside: bool
    units: tuple[tuple[str, Vector, Vector], ...]


@dataclass(frozen=True)
class CutFree:
    """A system with members cut free: bodies and pieces, nodes, connections, loads; `small` names its deflections.

    `refusal` says, about `part`, why balances of it would be false: something acts on a motion that no part holds.
    """

    bodies: tuple[CutPart, ...]
    members: Mapping[str, tuple[CutPart, ...]]
    nodes: tuple[CutNode, ...]
    holds: tuple[CutHold, ...]
    wrenches: tuple[Wrench, ...]
    small: frozenset[str]
    refusal: str = ""
    advice: str = ""
    part: str = ""


@dataclass(frozen=True)
class FreeBodies:
    """The free bodies of a model of rigid parts, or the sentence that says why there are none."""

    bodies: tuple[FreeBody, ...] = ()
    holds: tuple[Hold, ...] = ()
    wrenches: tuple[Wrench, ...] = ()
    refusal: str = ""
    advice: str = ""


@dataclass(frozen=True)
class ModelMotion:
    """Everything about a model's motion."""

    carried: tuple[Carried, ...] = ()
    shifts: tuple[Shift, ...] = ()
    springs: tuple[Law, ...] = ()
    dampers: tuple[Law, ...] = ()
    forces: tuple[Acting, ...] = ()
    line_loads: tuple[LineLoad, ...] = ()
    stored: Mapping[str, Basic] = field(default_factory=dict)
    lost: Mapping[str, Basic] = field(default_factory=dict)
    extra_kinetic: Mapping[str, Basic] = field(default_factory=dict)
    measures: Mapping[str, Basic] = field(default_factory=dict)
    free_bodies: FreeBodies = field(default_factory=FreeBodies)
