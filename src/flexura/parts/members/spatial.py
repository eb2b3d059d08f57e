"""The beam in space: it stretches, bends in two planes, twists, and shears where that is given."""

from __future__ import annotations

from typing import Any, NamedTuple

from flexura.arguments import checked_methods
from flexura.energy.field import Field
from flexura.parts.members.member import Member
from flexura.symbolic.expression import Expression


class _Plane(NamedTuple):
    """How far sections turn in one plane, and twice what they store and, per unit of eta, lose there."""

    turned: Expression
    stored: Expression
    lost: Expression


@checked_methods
class SpatialBeam(Member):
    """V = (EA u_x^2 + EIz v_xx^2 + EIy w_xx^2 + GJ phi_x^2)/2; u, v, w along x, y, z and phi about x.

    `EIz` resists bending in the x-y plane (deflection v), `EIy` in the x-z plane (w). `rotary_inertia` per length is
    the polar one, about x, or three: (Jx, Jy, Jz); with three, and no shear, it is Rayleigh's beam in both planes. The
    section turns by (phi, -w_x, v_x), a rotation vector. With `kGAy` the beam shears along y and sections turn about z
    by the field gamma: EIz gamma_x^2/2 + kGAy (v_x - gamma)^2/2; with `kGAz` along z, by beta in the place of w_x:
    Timoshenko's beam in one plane or in both. `damping` acts on the deflection in the frame that carries the beam.

    >>> blade = SpatialBeam("blade", EA="EA", EIy="EIy", EIz="EIz", GJ="GJ", rho="rho", rotary_inertia="Jx", length="l")
    >>> deep = SpatialBeam("deep", EA=8e3, EIy=2, EIz=3, GJ=1, rho=1.5, rotary_inertia=(0.05, 0.02, 0.03), length=1,
    ...                    kGAy=3e3, kGAz=2500)
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
        kGAy: Any = None,
        kGAz: Any = None,
    ) -> None:
        """Each property is any quantity and may vary along x; `field` names (u, v, w, phi), then beta and gamma.

        None as `kGAy` or `kGAz` is rigid in shear: cross-sections stay at right angles to the axis in that plane.
        """
        EA, GJ, rho, P = self.quantities(name, EA=EA, GJ=GJ, rho=rho, axial_force=axial_force)
        EIy, EIz = self.quantities(name, EIy=EIy, EIz=EIz)
        c, eta = self.quantities(name, damping=damping, internal_damping=internal_damping)
        stems = ("u", "v", "w", "phi", None if kGAz is None else "beta", None if kGAy is None else "gamma")
        u, v, w, phi, beta, gamma = self.make_fields(name, length, field, *stems)
        planes = (self._plane(name, "kGAy", EIz, kGAy, v, gamma), self._plane(name, "kGAz", EIy, kGAz, w, beta))
        single = not (isinstance(rotary_inertia, tuple | list) and len(rotary_inertia) == 3)
        stored = EA * u.x**2 + GJ * phi.x**2 + P * (v.x**2 + w.x**2)
        lost = EA * u.xt**2 + GJ * phi.xt**2
        for plane in planes:
            stored, lost = stored + plane.stored, lost + plane.lost
        slope, tilt = (plane.turned for plane in planes)
        super().__init__(
            name,
            fields=(u, v, w, phi, beta, gamma),
            potential=stored / 2,
            dissipation=eta * lost / 2 + c * (v.t**2 + w.t**2) / 2,
            ends={"axial": u, "transverse": v, "lateral": w, "rotation": slope, "tilt": tilt, "twist": phi},
            displacement=(u, v, w),
            rotation=(phi, -tilt, slope),
            rho=rho,
            rotary_inertia=(rotary_inertia, 0, 0) if single else rotary_inertia,
        )

    @classmethod
    def _plane(cls, name: str, keyword: str, EI: Expression, kGA: Any, across: Field, turned: Field | None) -> _Plane:
        """Bending in one plane, with shear where sections turn by a field of their own."""
        if turned is None:
            return _Plane(across.x, EI * across.xx**2, EI * across.xxt**2)
        (stiffness,) = cls.quantities(name, **{keyword: kGA})
        return _Plane(
            turned,
            EI * turned.x**2 + stiffness * (across.x - turned) ** 2,
            EI * turned.xt**2 + stiffness * (across.xt - turned.t) ** 2,
        )
