"""The Bernoulli-Euler beam: sections stay plane and normal to the axis, so bending is all it stores."""

from __future__ import annotations

from typing import Any

from flexura.arguments import checked_methods
from flexura.parts.members.member import Member


@checked_methods
class EulerBernoulliBeam(Member):
    """T* = rho w_t^2/2, V = EI w_xx^2/2: rho w_tt + (EI w_xx)_xx = f ([M] Table 1).

    `EA` adds axial motion u, `axial_force` (tension positive) P w_x^2/2, `foundation` k w^2/2, `damping` c w_t^2/2 to
    Rayleigh's density, `internal_damping` the Kelvin-Voigt material EI (1 + eta d/dt) and EA likewise. Foundation and
    damping act on the deflection in the frame that carries the beam: a body that it moves with takes them along.

    >>> beam = EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l")
    >>> Lagrangian(density=beam.density, boundary={beam.boundary_value("transverse", "a"): 0})
    """

    def __init__(
        self,
        name: str,
        EI: Any,
        rho: Any,
        length: Any,
        EA: Any = None,
        axial_force: Any = 0,
        foundation: Any = 0,
        damping: Any = 0,
        internal_damping: Any = 0,
        field: Any = None,
    ) -> None:
        """Each property is any quantity and may vary along x; `field` names w, or (w, u)."""
        EI, rho, P = self.quantities(name, EI=EI, rho=rho, axial_force=axial_force)
        k, c, eta = self.quantities(name, foundation=foundation, damping=damping, internal_damping=internal_damping)
        w, u = self.make_fields(name, length, field, "w", None if EA is None else "u")
        potential = EI * w.xx**2 / 2 + P * w.x**2 / 2 + k * w**2 / 2
        dissipation = c * w.t**2 / 2 + eta * EI * w.xxt**2 / 2
        if u is not None:
            (EA,) = self.quantities(name, EA=EA)
            potential += EA * u.x**2 / 2
            dissipation += eta * EA * u.xt**2 / 2
        super().__init__(
            name,
            fields=(w, u),
            potential=potential,
            dissipation=dissipation,
            ends={"axial": u, "transverse": w, "rotation": w.x},
            displacement=(u, w, 0),
            rotation=(0, 0, w.x),
            rho=rho,
        )
