"""Ground, particles and rigid bodies, and the points fixed in them.

>>> hub = RigidBody("hub", m="m_h", I="I_h")
>>> hub.at("r0")        # a point at distance r0 along the body's x axis
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from flexura.arguments import Measured, checked_methods
from flexura.errors import FlexuraError
from flexura.parts.description import Described
from flexura.symbolic.engine import ZERO, exact
from flexura.symbolic.expression import Declaration, Expression, check_name
from flexura.symbolic.kinematics.vectors import NULL, Matrix, Vector
from flexura.symbolic.quantities import quantity


@checked_methods
@dataclass(frozen=True, eq=False)
class Body(Described):
    """What moves as one piece: its name, mass, and inertia tensor about the mass centre in its own axes."""

    leads: ClassVar[bool] = False
    """Whether small motions of what is welded to it follow it, so that its own are the coordinates."""
    stands: ClassVar[Vector | None] = None
    """Where it is at rest, from ground along ground's axes, if it says so; else what holds it says where."""

    name: str
    mass: Expression
    inertia: tuple[tuple[Expression, Expression, Expression], ...]
    turns: bool

    def at(self, x: Any, y: Any = 0, z: Any = 0) -> BodyPlace:
        """A point fixed in the body, measured from its mass centre along its axes."""
        components = [_length(one, key, self.name) for one, key in ((x, "x"), (y, "y"), (z, "z"))]
        declared = frozenset().union(*(one.declarations for one in components))
        return BodyPlace(self, (components[0].engine, components[1].engine, components[2].engine), declared)

    @property
    def place(self) -> BodyPlace:
        """The mass centre; of ground, everywhere."""
        return BodyPlace(self, NULL, frozenset(), everywhere=isinstance(self, Ground))

    @property
    def tensor(self) -> Matrix:
        """The inertia tensor as engine trees."""
        a, b, c = ((row[0].engine, row[1].engine, row[2].engine) for row in self.inertia)
        return (a, b, c)

    @property
    def symbol(self) -> str:
        """The kind whose symbol a picture draws."""
        return type(self).__name__

    @property
    def declarations(self) -> frozenset[Declaration]:
        """The quantities it carries."""
        all_of_them = (self.mass, *(one for row in self.inertia for one in row))
        return frozenset().union(*(one.declarations for one in all_of_them))

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True)
class BodyPlace:
    """A point fixed in a body; ground without a point is everywhere, `fx.ground.at(0, 0)` is the origin."""

    body: Body
    offset: Vector
    declarations: frozenset[Declaration] = field(compare=False)
    everywhere: bool = False

    def __repr__(self) -> str:
        bare = self.everywhere if isinstance(self.body, Ground) else self.offset == NULL
        return self.body.name if bare else f"{self.body.name}.at{self.offset}"


def _length(value: Any, key: str, owner: str) -> Expression:
    """A bare number stays a number: a symbol of its own would be the same for every point of the body."""
    read = quantity(value, key, owner, dimension="m")
    own = [one for one in read.declarations if one.name == f"{key}_{owner}"]
    known = getattr(own[0], "value", None) if own else None
    return read if known is None else Expression(exact(known))


def _zeros() -> tuple[tuple[Expression, Expression, Expression], ...]:
    zero = Expression(ZERO)
    return ((zero,) * 3,) * 3


class Ground(Body):
    """What does not move. It is everywhere: a place connected to it is held where it is."""

    def __init__(self) -> None:
        """There is one, `fx.ground`."""
        super().__init__("ground", Expression(ZERO), _zeros(), False)

    def __reduce__(self) -> str:
        return "ground"  # a copy of it, also in another process, is ground itself


ground = Ground()


@checked_methods
class Mass(Body):
    """A particle: it moves but has no rotation. `fx.Mass("m1", m=2.0)`."""

    def __init__(self, name: str, m: Any) -> None:
        """`m` is any quantity."""
        mass = quantity(m, "m", check_part_name(name), dimension="kg", sign="nonnegative")
        super().__init__(name, mass, _zeros(), False)


@checked_methods
class RigidBody(Body):
    """A rigid body: `fx.RigidBody("hub", m="m", I="I")`."""

    def __init__(self, name: str, m: Any, I: Measured) -> None:
        """`I` about the mass centre: a number (about z; the same about every axis), three, or the 3x3 tensor."""
        mass = quantity(m, "m", check_part_name(name), dimension="kg", sign="nonnegative")
        super().__init__(name, mass, tensor_of(I, name), True)


def tensor_of(I: Any, name: str) -> tuple[tuple[Expression, Expression, Expression], ...]:
    """A quantity and its pair (name, value) are one number; three of them a diagonal; three rows the tensor."""
    zero = Expression(ZERO)
    I = I.tolist() if hasattr(I, "tolist") else I  # a NumPy array, without importing NumPy
    named = isinstance(I, tuple) and len(I) == 2 and isinstance(I[0], str)
    if not isinstance(I, tuple | list) or named:
        one = quantity(I, "I", name, dimension="kg*m**2", sign="nonnegative")
        return ((one, zero, zero), (zero, one, zero), (zero, zero, one))
    if len(I) != 3:
        raise FlexuraError(
            f"The inertia I of {name} has {len(I)} entries",
            advice="give one, three (Ixx, Iyy, Izz) or a 3x3 tensor",
            part=name,
            keyword="I",
        )
    if not isinstance(I[0], tuple | list) or (len(I[0]) == 2 and isinstance(I[0][0], str)):
        keys = ("Ixx", "Iyy", "Izz")
        a, b, c = (
            quantity(one, key, name, dimension="kg*m**2", sign="nonnegative") for one, key in zip(I, keys, strict=True)
        )
        return ((a, zero, zero), (zero, b, zero), (zero, zero, c))
    for i, row in enumerate(I):
        if not isinstance(row, tuple | list) or len(row) != 3:
            raise FlexuraError(
                f"Row {i + 1} of the inertia tensor of {name} is {row!r}",
                advice="give three entries",
                part=name,
                keyword="I",
            )
    tensor = tuple((_entry(I, i, 0, name), _entry(I, i, 1, name), _entry(I, i, 2, name)) for i in range(3))
    _refuse_indefinite(tensor, name)
    return tensor


def _refuse_indefinite(tensor: tuple[tuple[Expression, ...], ...], name: str) -> None:
    """Where all entries are numbers: no axis may have a negative moment of inertia (principal minors)."""
    known = [[next((v for _, v in _carried(one)), 0.0) for one in row] for row in tensor]
    if any(value is None for row in known for value in row):
        return
    (a, d, e), (_, b, f), (_, _, c) = ([float(v or 0.0) for v in row] for row in known)
    minors = (
        a * b - d * d,
        a * c - e * e,
        b * c - f * f,
        a * b * c + 2 * d * e * f - a * f * f - b * e * e - c * d * d,
    )
    size = max(abs(a), abs(b), abs(c), 1e-300)
    if any(one < -1e-12 * size**power for one, power in zip(minors, (2, 2, 2, 3), strict=True)):
        raise FlexuraError(
            f"The inertia tensor of {name} is negative about some axis, as no body is",
            advice="check its products of inertia",
            part=name,
            keyword="I",
        )


def _entry(I: Any, i: int, j: int, name: str) -> Expression:
    """One entry; a product of inertia stands in two places but is one quantity."""
    key = "I" + "xyz"[min(i, j)] + "xyz"[max(i, j)]
    one, twin = (
        quantity(I[row][column], key, name, dimension="kg*m**2", sign="nonnegative" if i == j else "any")
        for row, column in ((i, j), (j, i))
    )
    if one.engine != twin.engine or _carried(one) != _carried(twin):
        raise FlexuraError(
            f"The inertia tensor of {name} is not symmetric: {key} and I{key[2]}{key[1]} differ",
            advice="give the same product of inertia in both places",
            part=name,
            keyword="I",
        )
    return one


def _carried(one: Expression) -> set[tuple[str, float | None]]:
    return {(known.name, getattr(known, "value", None)) for known in one.declarations}


def check_part_name(name: Any) -> str:
    """Part names become parts of symbols, so they follow the same rules; ground is taken."""
    if name == "ground":
        raise FlexuraError("A part is called 'ground', which is fx.ground", advice="choose another name")
    if isinstance(name, str) and name in ("t", "pi", "x"):
        return name
    return check_name(name, "A part")
