"""The exact beam in the plane (Reissner): any deflection, any rotation of its sections (theory, section 7)."""

from __future__ import annotations

from typing import Any

import symengine

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.parts.members.member import Member, rate
from flexura.symbolic.expression import Expression
from flexura.symbolic.kinematics.curves import arc


@checked_methods
class ExactBeam(Member):
    """V = EI phi_x^2/2 + EA Gamma^2/2 + kGA H^2/2, T* = rho (u_t^2 + v_t^2)/2 + rotary_inertia phi_t^2/2.

    With the axis at rest along (cos a, sin a), a the integral of `curvature`, and sections turned by phi from rest,
    Gamma = x_s cos(a + phi) + y_s sin(a + phi) - 1 and H = y_s cos(a + phi) - x_s sin(a + phi), where x_s = cos a + u_x
    and y_s = sin a + v_x. `EA=None` does not stretch and `kGA=None` does not shear: then Gamma = 0 or H = 0 along the
    member, and the axial force N or the shear force Q is the multiplier field that holds it.

    >>> beam = ExactBeam("beam", EI=100, rho=1, length=10, EA=1e4, kGA=1e4, rotary_inertia=10)
    >>> u, v, phi = beam.fields
    """

    def __init__(
        self,
        name: str,
        EI: Any,
        rho: Any,
        length: Any,
        EA: Any = None,
        kGA: Any = None,
        rotary_inertia: Any = 0,
        curvature: Any = 0,
        damping: Any = 0,
        internal_damping: Any = 0,
        field: Any = None,
    ) -> None:
        """Each property is any quantity and may vary along x; `damping` resists u and v alike.

        `field` names v, or (v, phi), or (v, phi, u) and then those of N and Q that there are.
        """
        EI, rho, k0 = self.quantities(name, EI=EI, rho=rho, curvature=curvature)
        c, eta = self.quantities(name, damping=damping, internal_damping=internal_damping)
        forces = (None if EA is not None else "N", None if kGA is not None else "Q")
        v, phi, u, N, Q = self.make_fields(name, length, field, "v", "phi", "u", *forces)
        a, axis = _rest(name, k0)
        cos, sin = (_of(f, a + phi) for f in (symengine.cos, symengine.sin))
        x_s, y_s = _of(symengine.cos, a) + u.x, _of(symengine.sin, a) + v.x
        stretch, shear = x_s * cos + y_s * sin - 1, y_s * cos - x_s * sin
        potential, lost = EI * phi.x**2 / 2, EI * phi.xt**2
        for keyword, given, strain, force in (("EA", EA, stretch, N), ("kGA", kGA, shear, Q)):
            if force is not None:
                potential += force * strain
                continue
            (stiffness,) = self.quantities(name, **{keyword: given})
            potential += stiffness * strain**2 / 2
            lost += stiffness * rate(strain) ** 2
        super().__init__(
            name,
            fields=(u, v, phi, N, Q),
            potential=potential,
            dissipation=c * (u.t**2 + v.t**2) / 2 + eta * lost / 2,
            ends={"axial": u, "transverse": v, "rotation": phi},
            displacement=(u, v, 0),
            rotation=(0, 0, phi),
            rho=rho,
            rotary_inertia=rotary_inertia,
            axis=axis,
            heading=a,
            bends_far=True,
        )


def _of(f: Any, angle: Expression) -> Expression:
    return Expression(f(angle.engine), angle.declarations)


def _rest(name: str, curvature: Expression) -> tuple[Expression, tuple[Any, Any, Any]]:
    """The direction of the axis at rest, and its points: both from the start, along the tangent there."""
    found = arc(curvature.engine)
    if found is None:
        raise FlexuraError(
            f"The curvature of {name} has no integral along x in closed form",
            advice="join beams of constant curvature, or of one that is a polynomial in x, with fx.Fixed",
            part=name,
            keyword="curvature",
        )
    angle, x, y = (Expression(one, curvature.declarations) for one in found)
    return angle, (x, y, 0)
