"""The Timoshenko beam: sections turn by phi on their own and shear by w_x - phi."""

from __future__ import annotations

from typing import Any

from flexura.arguments import checked_methods
from flexura.parts.members.member import Member


@checked_methods
class TimoshenkoBeam(Member):
    """T* = rho w_t^2/2 + Irho phi_t^2/2, V = EI phi_x^2/2 + kGA (w_x - phi)^2/2 ([M] Table 1).

    The rotation of an end is phi. `internal_damping` acts on bending, shear and EA alike; the other keywords are those
    of `EulerBernoulliBeam`.

    >>> beam = TimoshenkoBeam("beam", EI="EI", kGA="kGA", rho="rho", rotary_inertia="I_rho", length="l")
    >>> w, phi = beam.fields
    """

    def __init__(
        self,
        name: str,
        EI: Any,
        kGA: Any,
        rho: Any,
        rotary_inertia: Any,
        length: Any,
        EA: Any = None,
        axial_force: Any = 0,
        foundation: Any = 0,
        damping: Any = 0,
        internal_damping: Any = 0,
        field: Any = None,
    ) -> None:
        """Each property is any quantity and may vary along x; `field` names w, or (w, phi), or (w, phi, u)."""
        EI, kGA, rho, P = self.quantities(name, EI=EI, kGA=kGA, rho=rho, axial_force=axial_force)
        k, c, eta = self.quantities(name, foundation=foundation, damping=damping, internal_damping=internal_damping)
        w, phi, u = self.make_fields(name, length, field, "w", "phi", None if EA is None else "u")
        potential = EI * phi.x**2 / 2 + kGA * (w.x - phi) ** 2 / 2 + P * w.x**2 / 2 + k * w**2 / 2
        dissipation = c * w.t**2 / 2 + eta * EI * phi.xt**2 / 2 + eta * kGA * (w.xt - phi.t) ** 2 / 2
        if u is not None:
            (EA,) = self.quantities(name, EA=EA)
            potential += EA * u.x**2 / 2
            dissipation += eta * EA * u.xt**2 / 2
        super().__init__(
            name,
            fields=(w, phi, u),
            potential=potential,
            dissipation=dissipation,
            ends={"axial": u, "transverse": w, "rotation": phi},
            displacement=(u, w, 0),
            rotation=(0, 0, phi),
            rho=rho,
            rotary_inertia=rotary_inertia,
        )
