"""A member whose displacement along its axis is a field of its own, tied to bending by its tension (theory, section 7);
and one that is held along its axis at both ends, and stretches where it bends.

>>> link = tied(EulerBernoulliBeam("link", EI="EI", rho="rho", length="l"), "a_link", "N_link")
>>> link.potential                                       # ... + N_link (a_link_x + w_link_x^2/2)
"""

from __future__ import annotations

import symengine

from flexura.energy.field import Field
from flexura.parts.members.member import Member, rate
from flexura.symbolic.engine import ZERO, Symbol
from flexura.symbolic.expression import Expression
from flexura.symbolic.jets import Jet, Jets


def tied(member: Member, axial: str, tension: str) -> Member:
    """The same member with two more fields: how far particles move along the axis, and the tension that holds

        a_x + (v_x^2 + w_x^2)/2 = u_x

    along it, u the stretch (none where the member does not stretch). Kinetic energy, weight and all loads follow a.
    """
    a, N = (Field(name, spine=member.fields[0]) for name in (axial, tension))
    stretch, v, w = member.displacement
    _, v_x, w_x = slopes = tuple(_slope(one) for one in (stretch, v, w))
    longer = a.x + (v_x**2 + w_x**2) / 2 - slopes[0]
    return Member(
        member.name,
        fields=(*member.fields, a, N),
        potential=member.potential + N * longer,
        dissipation=member.dissipation,
        ends=member.ends,
        displacement=(a, v, w),
        rotation=member.rotation,
        rho=member.rho,
        rotary_inertia=member.rotary_inertia,
        axis=member.axis,
        heading=member.heading,
    )


def stretching(member: Member) -> Member:
    """The same member where it is held along its axis at both ends and turns: its strain is u_x + (v_x^2 + w_x^2)/2.

    u is then how far particles move along the axis, and what bending takes along it the stretch gives (von Karman).
    """
    u, v, w = member.displacement
    (axial,) = (jet.name for jet in Jets((), [one.name for one in member.fields]).inside(u.engine))
    v_x, w_x = _slope(v), _slope(w)
    longer = (v_x**2 + w_x**2) / 2
    v_xt, w_xt = _slope(rate(v)), _slope(rate(w))
    strains = {
        Jet(axial, x=1).symbol: (_slope(u) + longer).engine,
        Jet(axial, x=1, t=1).symbol: (_slope(rate(u)) + v_x * v_xt + w_x * w_xt).engine,
    }

    def bent(f: Expression) -> Expression:
        return Expression(f.engine.xreplace(strains), f.declarations)

    return Member(
        member.name,
        fields=member.fields,
        potential=bent(member.potential),
        dissipation=bent(member.dissipation),
        ends=member.ends,
        displacement=member.displacement,
        rotation=member.rotation,
        rho=member.rho,
        rotary_inertia=member.rotary_inertia,
        axis=member.axis,
        heading=member.heading,
    )


def can_stretch(member: Member) -> bool:
    """Whether a member bends a little, and has a motion of its own along its axis that strains it."""
    return can_be_tied(member) and member.displacement[0].engine != ZERO


def can_be_tied(member: Member) -> bool:
    """Whether a member bends a little, moves along its axis by its stretch or not at all, and by its mass alone."""
    names = {Symbol(one.name) for one in member.fields}
    bends = any(_slope(one).engine != 0 for one in member.displacement[1:])
    straight = member.displacement[0].engine in {ZERO, *names}
    moved = all(one.engine in {ZERO, *names} for one in member.displacement)
    extra = (member.kinetic.engine - member.kinetic_of_motion.engine).expand()
    return bends and straight and moved and extra == 0 and not member.bends_far


def _slope(f: Expression) -> Expression:
    fields = [one.name for one in f.declarations if one.kind == "field"]
    slope = Jets((), fields).D_x(f.engine) if fields else symengine.Integer(0)
    return Expression(slope, f.declarations)
