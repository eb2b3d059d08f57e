"""The Rayleigh beam: Bernoulli-Euler bending, and sections that resist being turned."""

from __future__ import annotations

from typing import Any

from flexura.arguments import checked_methods
from flexura.parts.members.member import Member


@checked_methods
class RayleighBeam(Member):
    """T* = rho w_t^2/2 + Irho w_xt^2/2, V = EI w_xx^2/2: rho w_tt - (Irho w_xtt)_x + (EI w_xx)_xx = f.

    `rotary_inertia` Irho is per length; the other keywords are those of `EulerBernoulliBeam`.

    >>> beam = RayleighBeam("beam", EI="EI", rho="rho", length="l", rotary_inertia="I_rho")
    >>> beam.kinetic
    """

    def __init__(
        self,
        name: str,
        EI: Any,
        rho: Any,
        length: Any,
        rotary_inertia: Any,
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
            rotary_inertia=rotary_inertia,
        )
