"""The string: its tension is all that holds it straight."""

from __future__ import annotations

from typing import Any

from flexura.arguments import checked_methods
from flexura.parts.members.member import Member


@checked_methods
class String(Member):
    """T* = rho w_t^2/2, V = P w_x^2/2 with the tension P: rho w_tt - (P w_x)_x = f ([M] Table 1).

    `foundation` and `damping` act on w, the deflection in the frame that carries the string.

    >>> string = String("string", tension="P", rho="rho", length="l")
    >>> (w,) = string.fields
    """

    def __init__(
        self,
        name: str,
        tension: Any,
        rho: Any,
        length: Any,
        foundation: Any = 0,
        damping: Any = 0,
        internal_damping: Any = 0,
        field: Any = None,
    ) -> None:
        """Each property is any quantity and may vary along x; `internal_damping` makes it P (1 + eta d/dt)."""
        P, rho = self.quantities(name, tension=tension, rho=rho)
        k, c, eta = self.quantities(name, foundation=foundation, damping=damping, internal_damping=internal_damping)
        (w,) = self.make_fields(name, length, field, "w")
        super().__init__(
            name,
            fields=(w,),
            potential=P * w.x**2 / 2 + k * w**2 / 2,
            dissipation=c * w.t**2 / 2 + eta * P * w.xt**2 / 2,
            ends={"transverse": w},
            displacement=(0, w, 0),
            rho=rho,
        )
