"""Nodes of frames, how members stand on them, and supports that hold some of their motions; `fx.frame` makes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flexura.arguments import checked_methods
from flexura.parts.bodies import Body, tensor_of
from flexura.parts.joints import Support
from flexura.symbolic.kinematics.motion import Turn
from flexura.symbolic.kinematics.vectors import AXES, Vector
from flexura.symbolic.quantities import quantity

MOTIONS = ("x", "y", "z", "phi", "beta", "theta")
"""Displacements along ground's axes and rotations about them, as supports, springs and loads name them."""


class Node(Body):
    """Where members of a frame meet: a rigid point, with mass or without; its motions are the frame's coordinates."""

    leads = True

    def __init__(self, name: str, m: Any = 0, I: Any = 0, turns: bool = True, stands: Vector | None = None) -> None:
        """Its axes are ground's; a node on which only pins and rods meet does not turn. `stands`: its place there."""
        super().__init__(name, quantity(m, "m", name, dimension="kg", sign="nonnegative"), tensor_of(I, name), turns)
        object.__setattr__(self, "stands", stands)

    @property
    def symbol(self) -> str:
        """The kind whose symbol a picture draws: a body's, if it is one."""
        if any(one != 0 for row in self.tensor for one in row):
            return "RigidBody"
        return "Node" if self.mass.engine == 0 else "Mass"


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Seat(Support):
    """The end of a member on a node: welded, or pinned."""

    seated: tuple[Turn, ...]
    pinned: bool

    def __init__(self, p: Any, q: Any, seated: Sequence[Turn], pinned: bool) -> None:
        """`seated` are the turns from the node's axes to the member's."""
        self._join(p, q)
        self._set(seated=tuple(seated), pinned=pinned)

    @property
    def symbol(self) -> str:
        """A hinge or a weld."""
        return "Pin" if self.pinned else "Fixed"

    @property
    def resting(self) -> list[Turn]:
        """How the member's axes are turned against the node's."""
        return [(axis, angle) for axis, angle in self.seated if angle != 0]

    @property
    def free_axes(self) -> tuple[Vector, ...]:
        """All, if it is pinned."""
        return AXES if self.pinned else ()


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Held(Support):
    """A support that holds some motions of a place, along and about p's axes, and leaves the others."""

    directions: tuple[Vector, ...]
    axes: tuple[Vector, ...]
    spatial: bool

    def __init__(self, p: Any, q: Any, directions: Sequence[Vector], axes: Sequence[Vector], spatial: bool) -> None:
        """Along these directions, about these axes."""
        self._join(p, q)
        self._set(directions=tuple(directions), axes=tuple(axes), spatial=spatial)

    @property
    def symbol(self) -> str:
        """That of the usual support that holds the same; what holds anything else is a box with words."""
        ways, turns = (3, 3) if self.spatial else (2, 1)
        held = (ways - len(self.directions), len(self.axes) == turns, not self.axes)
        usual = {
            (0, True, False): "Fixed",
            (0, False, True): "Pin",
            (1, False, True): "Roller",
            (1, True, False): "Slide",
        }
        return usual.get(held, "Held") if not self.spatial or held[0] == 0 else "Held"

    @property
    def caption(self) -> str:
        """The motions that it holds, where no symbol says so."""
        if self.symbol != "Held":
            return ""
        ways = [MOTIONS[AXES.index(one)] if one in AXES else "a way" for one in self.directions]
        held = [*ways, *(MOTIONS[3 + AXES.index(one)] if one in AXES else "a turn" for one in self.axes)]
        return f"holds {', '.join(held)}"

    @property
    def held_directions(self) -> tuple[Vector, ...]:
        """Along which it holds."""
        return self.directions

    @property
    def held_axes(self) -> tuple[Vector, ...]:
        """About which it holds."""
        return self.axes

    @property
    def free_directions(self) -> tuple[Vector, ...]:
        """Those it does not hold; in the plane nothing moves across it."""
        return tuple(one for one in AXES[: 3 if self.spatial else 2] if one not in self.directions)

    @property
    def free_axes(self) -> tuple[Vector, ...]:
        """It says nothing of how a node is turned: what a node's axes are is said by ground."""
        return AXES
