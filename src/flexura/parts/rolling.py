"""Wheels, discs and spheres that roll without slipping.

>>> Rolling(wheel, "r"), Rolling(disc, 0.5, normal="z", axis="x"), Rolling(ball, "r", normal="z", axis=None)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.parts.axes import direction
from flexura.parts.bodies import Ground, ground
from flexura.parts.joints import Connection
from flexura.symbolic.expression import Expression
from flexura.symbolic.kinematics.vectors import Vector, cross
from flexura.symbolic.quantities import quantity
from flexura.symbolic.zero import verdict


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Rolling(Connection):
    """The point of a body (q) that touches a surface of another (p) has no velocity against it.

    The contact lies at centre - radius*normal; of a disc in space, in its plane, across its axis.
    """

    radius: Expression
    along: Vector
    normal: Vector
    turns_about: Vector | None

    def __init__(
        self,
        body: Any,
        radius: Any,
        on: Any = ground,
        along: Any = "x",
        normal: Any = "y",
        axis: Any = "z",
        name: str | None = None,
    ) -> None:
        """`normal` points from the surface to the body, in the axes of `on`; in space `axis=None` is a sphere."""
        self._join(on, body, name)
        self._set(radius=quantity(radius, "radius", self.label, dimension="m", sign="positive"))
        if not hasattr(self.q, "body") or isinstance(self.q.body, Ground) or not self.q.body.turns:
            raise FlexuraError(
                f"{self!r} rolls {self.q!r}, which is no body that turns", advice="give a RigidBody", part=repr(self)
            )
        self._set(normal=direction(normal, repr(self), "normal"), along=direction(along, repr(self), "along"))
        self._set(turns_about=None if axis is None else direction(axis, repr(self), "axis"))
        if all(verdict(one) for one in cross(self.normal, self.along)) and along != "x":
            raise FlexuraError(
                f"{self!r} rolls along its own normal",
                advice="give along= in the surface",
                part=repr(self),
                keyword="along",
            )

    @property
    def label(self) -> str:
        """What its multipliers are called after."""
        return self.name or f"rolling_{self.q.body.name if hasattr(self.q, 'body') else self.q.member.name}"
