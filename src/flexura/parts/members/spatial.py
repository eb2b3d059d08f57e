"""The beam in space: it stretches, bends in two planes and twists."""

from __future__ import annotations

from typing import Any

from flexura.arguments import checked_methods
from flexura.parts.members.member import Member


@checked_methods
class SpatialBeam(Member):
    """V = (EA u_x^2 + EIz v_xx^2 + EIy w_xx^2 + GJ phi_x^2)/2; u, v, w along x, y, z and phi about x.

    `EIz` resists bending in the x-y plane (deflection v), `EIy` in the x-z plane (w). `rotary_inertia` per length is
    the polar one, about x, or three: (Jx, Jy, Jz). The section turns by (phi, -w_x, v_x), a rotation vector.
    `damping` acts on the deflection in the frame that carries the beam.

    >>> blade = SpatialBeam("blade", EA="EA", EIy="EIy", EIz="EIz", GJ="GJ", rho="rho", rotary_inertia="Jx", length="l")
    """

    def __init__(
        self,
        name: str,
        EA: Any,
        EIy: Any,
        EIz: Any,
        GJ: Any,
        rho: Any,
        rotary_inertia: Any = 0,
        length: Any = None,
        axial_force: Any = 0,
        damping: Any = 0,
        internal_damping: Any = 0,
        field: Any = None,
    ) -> None:
        """Each property is any quantity and may vary along x; `field` names (u, v, w, phi)."""
        EA, GJ, rho, P = self.quantities(name, EA=EA, GJ=GJ, rho=rho, axial_force=axial_force)
        EIy, EIz = self.quantities(name, EIy=EIy, EIz=EIz)
        c, eta = self.quantities(name, damping=damping, internal_damping=internal_damping)
        u, v, w, phi = self.make_fields(name, length, field, "u", "v", "w", "phi")
        single = not (isinstance(rotary_inertia, tuple | list) and len(rotary_inertia) == 3)
        super().__init__(
            name,
            fields=(u, v, w, phi),
            potential=(EA * u.x**2 + EIz * v.xx**2 + EIy * w.xx**2 + GJ * phi.x**2 + P * (v.x**2 + w.x**2)) / 2,
            dissipation=eta * (EA * u.xt**2 + EIz * v.xxt**2 + EIy * w.xxt**2 + GJ * phi.xt**2) / 2
            + c * (v.t**2 + w.t**2) / 2,
            ends={"axial": u, "transverse": v, "lateral": w, "rotation": v.x, "tilt": w.x, "twist": phi},
            displacement=(u, v, w),
            rotation=(phi, -w.x, v.x),
            rho=rho,
            rotary_inertia=(rotary_inertia, 0, 0) if single else rotary_inertia,
        )
