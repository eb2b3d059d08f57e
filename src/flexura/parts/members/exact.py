"""The exact beam in the plane (Reissner): any deflection, any rotation of its sections (theory, section 7)."""

from __future__ import annotations

import math
from typing import Any

import symengine

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.parts.members.member import Member, rate
from flexura.symbolic.engine import SPINE, ZERO, Basic, exact
from flexura.symbolic.expression import Expression
from flexura.symbolic.integrals import definite
from flexura.symbolic.walk import atoms

_POINTS = 20  # of Gauss's formula: exact to rounding up to about 30 rad


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


def _integrated(f: Any, angle: Basic) -> Basic:
    """int_0^x f(angle) ds by Gauss's formula, which for a smooth curve of some turns is right to all digits kept."""
    shares = [(exact((1 + at) / 2), exact(weight / 2)) for at, weight in _gauss(_POINTS)]
    return SPINE * symengine.Add(*(weight * f(angle.xreplace({SPINE: share * SPINE})) for share, weight in shares))


def _gauss(count: int) -> list[tuple[float, float]]:
    """Points and weights on -1..1, by Newton's method on Legendre's polynomial."""
    found = []
    for i in range(count):
        at, slope = math.cos(math.pi * (i + 0.75) / (count + 0.5)), 1.0
        for _ in range(8):
            before, value = 1.0, at
            for n in range(2, count + 1):
                before, value = value, ((2 * n - 1) * at * value - (n - 1) * before) / n
            slope = count * (at * value - before) / (at * at - 1)
            at -= value / slope
        found.append((at, 2 / ((1 - at * at) * slope * slope)))
    return found


def _rest(name: str, curvature: Expression) -> tuple[Expression, tuple[Any, Any, Any]]:
    """The direction of the axis at rest, and its points: both from the start, along the tangent there."""
    k = curvature.engine
    if k == 0:
        return Expression(ZERO), (Expression(SPINE), 0, 0)
    angle = None if atoms(k, symengine.Piecewise) else definite(k, ZERO, SPINE)
    if angle is None:
        raise FlexuraError(
            f"The curvature of {name} has no integral along x in closed form",
            advice="join beams of constant curvature, or of one that is a polynomial in x, with fx.Fixed",
            part=name,
            keyword="curvature",
        )
    points: Any = symengine.sin(k * SPINE) / k, (1 - symengine.cos(k * SPINE)) / k
    if SPINE in k.free_symbols:
        points = _integrated(symengine.cos, angle), _integrated(symengine.sin, angle)
    x, y = (Expression(one, curvature.declarations) for one in points)
    return Expression(angle, curvature.declarations), (x, y, 0)
