"""The rod: it stretches along its axis and does nothing else."""

from __future__ import annotations

from typing import Any

from flexura.arguments import checked_methods
from flexura.parts.members.member import Member


@checked_methods
class Rod(Member):
    """T* = rho u_t^2/2, V = EA u_x^2/2: rho u_tt - (EA u_x)_x = f ([M] Table 1).

    `foundation` and `damping` act on u, the displacement in the frame that carries the rod.

    >>> rod = Rod("rod", EA="EA", rho="rho", length="l")
    >>> (u,) = rod.fields
    """

    def __init__(
        self,
        name: str,
        EA: Any,
        rho: Any,
        length: Any,
        foundation: Any = 0,
        damping: Any = 0,
        internal_damping: Any = 0,
        field: Any = None,
    ) -> None:
        """Each property is any quantity and may vary along x; foundation and damping act along the axis."""
        EA, rho = self.quantities(name, EA=EA, rho=rho)
        k, c, eta = self.quantities(name, foundation=foundation, damping=damping, internal_damping=internal_damping)
        (u,) = self.make_fields(name, length, field, "u")
        super().__init__(
            name,
            fields=(u,),
            potential=EA * u.x**2 / 2 + k * u**2 / 2,
            dissipation=c * u.t**2 / 2 + eta * EA * u.xt**2 / 2,
            ends={"axial": u},
            displacement=(u, 0, 0),
            rho=rho,
        )
