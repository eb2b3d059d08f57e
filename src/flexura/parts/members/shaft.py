"""The shaft: it twists about its own axis."""

from __future__ import annotations

from typing import Any, ClassVar

from flexura.arguments import checked_methods
from flexura.parts.members.member import Member


@checked_methods
class Shaft(Member):
    """T* = Irho phi_t^2/2, V = GJ phi_x^2/2: Irho phi_tt - (GJ phi_x)_x = torque per length ([M] Table 1).

    `foundation` and `damping` are torques per length and radian, or radian per second, of phi: the twist in the frame
    that carries the shaft.

    >>> shaft = Shaft("shaft", GJ="GJ", rotary_inertia="I_rho", length="l")
    >>> (phi,) = shaft.fields
    """

    dimensions: ClassVar = {"foundation": "N", "damping": "N*s"}

    def __init__(
        self,
        name: str,
        GJ: Any,
        rotary_inertia: Any,
        length: Any,
        foundation: Any = 0,
        damping: Any = 0,
        internal_damping: Any = 0,
        field: Any = None,
    ) -> None:
        """Each property is any quantity and may vary along x; `rotary_inertia` is about the axis, per length."""
        (GJ,) = self.quantities(name, GJ=GJ)
        k, c, eta = self.quantities(name, foundation=foundation, damping=damping, internal_damping=internal_damping)
        (phi,) = self.make_fields(name, length, field, "phi")
        super().__init__(
            name,
            fields=(phi,),
            potential=GJ * phi.x**2 / 2 + k * phi**2 / 2,
            dissipation=c * phi.t**2 / 2 + eta * GJ * phi.xt**2 / 2,
            ends={"twist": phi},
            rotation=(phi, 0, 0),
            rotary_inertia=rotary_inertia,
        )
