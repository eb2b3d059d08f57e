"""What moves, how fast, and what acts on it: all that Kane's and Newton's routes read. The energy routes never do.

Vectors are components in the axes that carry the thing; these axes turn at `axes_rate`, so that the acceleration is
D_t(velocity) + axes_rate x velocity.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from flexura.kinematics.vectors import Matrix, Vector
from flexura.symbols.engine import Basic


@dataclass(frozen=True)
class Carried:
    """A body (`spine` is "") or the particles of a line: mass (per length), velocity, spin and inertia.

    `spin` holds the angular velocity in its own axes by orders of the small deflections: (0th, 1st, 2nd).
    """

    name: str
    spine: str
    mass: Basic
    velocity: Vector
    axes_rate: Vector
    gravity: Vector
    spin: tuple[Vector, Vector, Vector]
    inertia: Matrix
    position: Vector
    rotation: Matrix


@dataclass(frozen=True)
class Moved:
    """What a second-order displacement carries along: its mass and its momentum at zero deflection; on a line, from x on."""

    mass: Basic
    momentum: Vector


@dataclass(frozen=True)
class Shift:
    """A second-order displacement amount * direction, e.g. foreshortening, where amount is a density along `spine`.

    `first`, `second`: what multiplies d(amount)/dt and amount in the Lagrangian; `moved` and `pull` are where they come
    from: the masses carried along (already summed over everything outboard of x) and the dead loads along `direction`.
    """

    spine: str
    amount: Basic
    direction: Vector
    axes_rate: Vector
    moved: tuple[Moved, ...]
    pull: Basic
    first: Basic
    second: Basic


@dataclass(frozen=True)
class Acting:
    """A spring (value times extent), damper (value times rate of extent), force or torque on one scalar of the motion.

    `extent` is an elongation, angle or position; a torque on something that turns in space has only the rate of one,
    given as `rate`.
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


@dataclass(frozen=True)
class Motion:
    """Everything about a model's motion."""

    carried: tuple[Carried, ...] = ()
    shifts: tuple[Shift, ...] = ()
    springs: tuple[Acting, ...] = ()
    dampers: tuple[Acting, ...] = ()
    forces: tuple[Acting, ...] = ()
    line_loads: tuple[LineLoad, ...] = ()
    stored: Mapping[str, Basic] = field(default_factory=dict)
    lost: Mapping[str, Basic] = field(default_factory=dict)
    extra_kinetic: Mapping[str, Basic] = field(default_factory=dict)
    measures: Mapping[str, Basic] = field(default_factory=dict)
