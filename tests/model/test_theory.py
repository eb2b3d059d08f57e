"""The integrands of theory.md, sections 2 and 4, found again in models, to a symbolic zero.

Kinematics here are SymPy's alone: rotation matrices are differentiated, nothing of the package's frames is read.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import pytest
import symengine
import sympy as sp
from sympy.core.function import AppliedUndef

import flexura as fx
from flexura import gallery
from flexura.symbolic.engine import SPINE, Basic, Symbol
from flexura.symbolic.quantities import text_or_expression
from flexura.symbolic.zero import verdict

t, x, s = sp.symbols("t x s")
l, rho, r0 = sp.symbols("l rho r0")
EA, EIy, EIz, GJ, Jx, Jy, Jz, g = sp.symbols("EA EIy EIz GJ Jx Jy Jz g")
u, v, w, phi = (sp.Function(name)(x, t) for name in ("u", "v", "w", "phi"))
FIELDS = (u, v, w, phi)


def vanishes(f: sp.Expr) -> bool:
    """A SymPy expression in functions of time, to the normal form of a polynomial in jets, sines and cosines."""
    derivatives = sorted(f.atoms(sp.Derivative), key=lambda one: -one.derivative_count)
    f = f.xreplace({one: sp.Symbol(f"j{i}") for i, one in enumerate(derivatives)})
    f = f.xreplace({one: sp.Symbol(f"f{i}") for i, one in enumerate(sorted(f.atoms(AppliedUndef), key=str))})
    found = verdict(symengine.sympify(f))
    return bool(found) and found.how == "normal form"


def residual(equation: sp.Eq) -> sp.Expr:
    return equation.lhs - equation.rhs


# -- section 4: the beam on a body in general motion -----------------------------------------------------------------


def turned(axis: str, angle: sp.Expr) -> sp.Matrix:
    c, n = sp.cos(angle), sp.sin(angle)
    i = "xyz".index(axis)
    matrix = sp.eye(3)
    j, k = (i + 1) % 3, (i + 2) % 3
    matrix[j, j], matrix[j, k], matrix[k, j], matrix[k, k] = c, -n, n, c
    return matrix


def tilde(a: sp.Matrix) -> sp.Matrix:
    return sp.Matrix([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def axial_vector(skew: sp.Matrix) -> sp.Matrix:
    return sp.Matrix([skew[2, 1], skew[0, 2], skew[1, 0]])


def section_rows(R: sp.Matrix, origin: sp.Matrix, gravity: sp.Matrix) -> dict[str, sp.Expr]:
    """Theory, section 4, as differential equations; `origin` is where x = 0 is in space."""
    omega = axial_vector(R.T * R.diff(t))
    eps = omega.diff(t)
    a_0 = R.T * (origin.diff(t, 2) - gravity)
    d = sp.Matrix([u, v, w])
    place = d + sp.Matrix([x, 0, 0])
    inertia = d.diff(t, 2) + 2 * omega.cross(d.diff(t)) + eps.cross(place) + omega.cross(omega.cross(place)) + a_0
    along = sp.Matrix([s, 0, 0])
    pulled = -rho * (a_0 + eps.cross(along) + omega.cross(omega.cross(along)))[0]
    P = sp.integrate(sp.expand(pulled), (s, x, l))
    J = sp.diag(Jx, Jy, Jz)
    h, f = J * omega, sp.Matrix([phi, -w.diff(x), v.diff(x)])
    G_s = tilde(omega) * J + J * tilde(omega) - tilde(h)
    K_s = J * tilde(eps) - tilde(J * eps) / 2 + tilde(omega) * J * tilde(omega)
    K_s += -(h * omega.T + omega * h.T) / 2 + h.dot(omega) * sp.eye(3)
    moment = J * f.diff(t, 2) + G_s * f.diff(t) + K_s * f + J * eps + tilde(omega) * J * omega
    return {
        "u": rho * inertia[0] - EA * u.diff(x, 2),
        "v": rho * inertia[1] + EIz * v.diff(x, 4) - (P * v.diff(x)).diff(x) - moment[2].diff(x),
        "w": rho * inertia[2] + EIy * w.diff(x, 4) - (P * w.diff(x)).diff(x) + moment[1].diff(x),
        "phi": moment[0] - GJ * phi.diff(x, 2),
    }


def blade() -> fx.SpatialBeam:
    stiff = {"EA": "EA", "EIy": "EIy", "EIz": "EIz", "GJ": "GJ", "rho": "rho", "length": "l"}
    return fx.SpatialBeam("blade", **stiff, rotary_inertia=("Jx", "Jy", "Jz"), field=("u", "v", "w", "phi"))


def carriers(count: int) -> list[fx.RigidBody]:
    return [fx.RigidBody(f"carrier{i}", m=0, I=0) for i in range(count)]


def prescribed_turns() -> tuple[list[Any], sp.Matrix, sp.Matrix]:
    """psi(t) about z, then b t about y, then sin(c t) about x; the blade r0 along x, and h up."""
    hub, *others = carriers(3)
    beam = blade()
    a, b, c, h = sp.symbols("a b c h")
    things = [
        fx.Revolute(fx.ground, others[0], about="z", motion="a*t**2"),
        fx.Revolute(others[0], others[1], about="y", motion="b*t"),
        fx.Revolute(others[1], hub, about="x", motion="sin(c*t)"),
        fx.Fixed(hub.at("r0", 0, "h"), beam.start),
    ]
    R = turned("z", a * t**2) * turned("y", b * t) * turned("x", sp.sin(c * t))
    return things, R, R * sp.Matrix([r0, 0, h])


def coordinates_and_a_slide() -> tuple[list[Any], sp.Matrix, sp.Matrix]:
    """A mast that rises, turns and tips: three coordinates."""
    rising, turning, hub = carriers(3)
    beam = blade()
    things = [
        fx.Slide(fx.ground, rising, along="z", name="z"),
        fx.Revolute(rising, turning, about="z", name="psi"),
        fx.Revolute(turning.at(0, "e"), hub, about="-y", name="theta"),
        fx.Fixed(hub.at("r0"), beam.start),
    ]
    z, psi, theta = (sp.Function(name)(t) for name in ("z", "psi", "theta"))
    R = turned("z", psi) * turned("y", -theta)
    origin = sp.Matrix([0, 0, z]) + turned("z", psi) * sp.Matrix([0, sp.Symbol("e"), 0]) + R * sp.Matrix([r0, 0, 0])
    return things, R, origin


def free_in_space() -> tuple[list[Any], sp.Matrix, sp.Matrix]:
    """Six coordinates: position, then yaw about z, pitch about the new y, roll about the new x."""
    hub, beam = fx.RigidBody("hub", m="M", I=("I1", "I2", "I3")), blade()
    names = ("X", "Y", "Z", "psi", "theta", "roll")
    things = [fx.Free(fx.ground, hub, names=names), fx.Fixed(hub.at("r0"), beam.start)]
    X, Y, Z, psi, theta, roll = (sp.Function(name)(t) for name in names)
    R = turned("z", psi) * turned("y", theta) * turned("x", roll)
    return things, R, sp.Matrix([X, Y, Z]) + R * sp.Matrix([r0, 0, 0])


MOTIONS = [prescribed_turns, coordinates_and_a_slide, free_in_space]


@pytest.mark.parametrize("motion", MOTIONS)
def test_a_beam_in_general_motion_has_the_integrands_of_the_moving_element(motion: Any) -> None:
    things, R, origin = motion()
    equations = fx.derive(fx.Model(*things, fx.Gravity("g", along="-z")))
    for name, expected in section_rows(R, origin, sp.Matrix([0, 0, -g])).items():
        assert vanishes(residual(equations.partial[name]) - expected), name


def test_a_missing_coriolis_term_would_be_seen() -> None:
    things, R, origin = coordinates_and_a_slide()
    expected = section_rows(R, origin, sp.zeros(3, 1))["v"]
    found = residual(fx.derive(fx.Model(*things)).partial["v"])
    assert vanishes(found - expected)
    assert not vanishes(found - expected + rho * R[0, 0] * w.diff(t))


def test_spin_about_the_axis_gives_the_checks_of_the_section_energy() -> None:
    """omega = W e1: G_s(2,3) = (J1-J2-J3) W, K_s = W^2 diag(0, J1-J3, J1-J2)."""
    hub, beam = fx.RigidBody("hub", m=0, I=0), blade()
    model = fx.Model(fx.Revolute(fx.ground, hub, about="x", motion="W*t"), fx.Fixed(hub, beam.start))
    row = sp.expand(residual(fx.derive(model).partial["v"]))
    W = sp.Symbol("W")
    assert sp.expand(row.coeff(v.diff(x, 2)) - (-(W**2) * (Jx - Jy))) == 0
    assert sp.expand(row.coeff(w.diff(x, x, t)) + (Jx - Jy - Jz) * W) == 0
    assert sp.expand(row.coeff(w.diff(t)) + 2 * rho * W) == 0


# -- section 2: foreshortening -----------------------------------------------------------------------------------------


def tree(text: str) -> Basic:
    """Text in jets and the spine variable x."""
    return text_or_expression(text, spine=True).engine


def beam(name: str = "arm", length: str = "l", field: str = "w", **more: Any) -> fx.EulerBernoulliBeam:
    return fx.EulerBernoulliBeam(name, EI=f"EI_{name}", rho="rho", length=length, field=field, **more)


def drop(build: Callable[[bool], fx.Model]) -> tuple[dict[str, Basic], Basic]:
    """What foreshortening adds: to each density, and to the rigid part."""
    kept, left_out = build(True).lagrangian.of_small_motions, build(False).lagrangian
    for one in ("dissipation", "work", "work_density", "boundary", "coordinates", "potential"):
        assert getattr(kept, one) == getattr(left_out, one)
    added = {name: f - left_out.density[name] for name, f in kept.density.items()}
    return added, kept.rigid - left_out.rigid


def arm(tip: Callable[[fx.EulerBernoulliBeam], list[Any]], **joint: Any) -> Callable[[bool], fx.Model]:
    def build(foreshortening: bool) -> fx.Model:
        hub, member = fx.RigidBody("hub", m=0, I="J"), beam()
        root = [fx.Revolute(fx.ground, hub, name="theta", **joint), fx.Fixed(hub.at("r0"), member.start)]
        return fx.Model(*root, *tip(member), foreshortening=foreshortening)

    return build


def tip_mass(member: fx.EulerBernoulliBeam) -> list[Any]:
    return [fx.Fixed(member.end, fx.Mass("tip", m="m"))]


def tip_body(member: fx.EulerBernoulliBeam) -> list[Any]:
    return [fx.Fixed(member.end, fx.RigidBody("tip", m="m", I="I").at("-d"))]


MU = "(rho*(r0*(l - x) + (l**2 - x**2)/2) + m*(r0 + l))"


@pytest.mark.parametrize("about", ["z", "y", "-y"])
def test_hub_and_arm_with_a_tip_mass_in_lag_and_flap(about: str) -> None:
    added, rigid = drop(arm(tip_mass, about=about))
    assert verdict(added["w"] - tree(f"-theta_t**2*{MU}*w_x**2/2"))
    assert verdict(rigid)
    without = arm(tip_mass, about=about)(False).lagrangian.density["w"].expand()
    softening = without.diff(Symbol("w")).diff(Symbol("w")).expand()
    assert softening == (tree("rho*theta_t**2") if about == "z" else 0)


def test_the_hub_row_gains_the_momentum_of_the_shortening() -> None:
    """d/dt of -theta_t int mu w_x^2."""
    rows = [{one.name: one.residual for one in fx.derive(arm(tip_mass)(keep)).derived} for keep in (True, False)]
    gained = (rows[0]["theta"] - rows[1]["theta"]).integrals["w"]
    expected = tree(f"-theta_tt*{MU}*w_x**2 - 2*theta_t*{MU}*w_x*w_xt")
    assert verdict(gained - expected)


def test_an_eccentric_tip_body_uses_its_mass_centre_and_is_drawn_in_by_its_turn() -> None:
    """(r0+l+d) in P, and -m theta_t^2 (r0+l+d) d w_x(l)^2/2 in L_rigid."""
    added, rigid = drop(arm(tip_body))
    expected = "-theta_t**2*(rho*(r0*(l - x) + (l**2 - x**2)/2) + m*(r0 + l + d))*w_x**2/2"
    assert verdict(added["w"] - tree(expected))
    assert verdict(rigid - tree("-m*theta_t**2*(r0 + l + d)*d*theta_arm_end**2/2"))


def test_an_arm_that_hangs_by_its_other_end_is_stiffened_alike() -> None:
    """Hung by x = l and pointing outwards: P is the pull of what lies between 0 and x."""

    def build(keep: bool) -> fx.Model:
        hub, member = fx.RigidBody("hub", m=0, I="J"), beam()
        joints = [fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub.at("r0"), member.end, angle=math.pi)]
        return fx.Model(*joints, fx.Fixed(member.start, fx.Mass("tip", m="m")), foreshortening=keep)

    added, rigid = drop(build)
    assert verdict(added["w"] - tree("-theta_t**2*(rho*(r0 + l)*x - rho*x**2/2 + m*(r0 + l))*w_x**2/2"))
    assert verdict(rigid)


def test_a_mass_inside_the_arm_pulls_only_on_what_is_inboard() -> None:
    def build(keep: bool) -> fx.Model:
        hub, member = fx.RigidBody("hub", m=0, I="J"), beam()
        joints = [fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub.at("r0"), member.start)]
        return fx.Model(*joints, fx.Fixed(member.at("l/2"), fx.Mass("m", m="m")), foreshortening=keep)

    added, _ = drop(build)
    own = "rho*(r0*(l - x) + (l**2 - x**2)/2)"
    assert verdict(added["w_1"] - tree(f"-theta_t**2*({own} + m*(r0 + l/2))*w_1_x**2/2"))
    assert verdict(added["w_2"] - tree(f"-theta_t**2*{own}*w_2_x**2/2"))


def test_a_base_that_moves_along_the_beam_brings_N0_and_a_prescribed_one_P() -> None:
    def build(keep: bool, motion: str | None = None) -> fx.Model:
        base, member = fx.RigidBody("base", m="M", I=0), beam()
        slide = fx.Slide(fx.ground, base, along="x", name="q", motion=motion)
        return fx.Model(slide, fx.Fixed(base, member.start), *tip_mass(member), foreshortening=keep)

    added, rigid = drop(build)
    assert verdict(added["w"] - tree("-q_t*(rho*(l - x) + m)*w_x*w_xt"))
    assert verdict(rigid)
    row = residual(fx.derive(build(True, "A*sin(W*t)")).partial["w"])
    A, W, m, EI = sp.symbols("A W m EI_arm")
    P = -(A * sp.sin(W * t)).diff(t, 2) * (rho * (l - x) + m)
    assert sp.expand(row - (rho * w.diff(t, 2) + EI * w.diff(x, 4) - (P * w.diff(x)).diff(x))) == 0


def column(keep: bool) -> fx.Model:
    member = beam()
    standing = fx.Fixed(fx.ground, member.start, angle=math.pi / 2)
    return fx.Model(standing, fx.Gravity("g"), fx.Force(member.end, "-P", along="y"), foreshortening=keep)


def test_a_column_under_its_weight_and_a_load() -> None:
    added, rigid = drop(column)
    assert verdict(added["w"] - tree("(rho*g*(l - x) + P)*w_x**2/2"))
    assert verdict(rigid)
    EI, P = sp.Symbol("EI_arm"), sp.Symbol("P")
    expected = rho * w.diff(t, 2) + EI * w.diff(x, 4) + ((rho * g * (l - x) + P) * w.diff(x)).diff(x)
    equations = fx.derive(column(True))
    assert sp.expand(residual(equations.partial["w"]) - expected) == 0
    shear = [one for one in equations.boundary if one.has(P)]
    assert len(shear) == 1
    assert shear[0].has(sp.Subs(w.diff(x), x, l))


def test_an_end_tension_and_a_pull_along_the_beam_stiffen_it() -> None:
    def build(keep: bool) -> fx.Model:
        member = beam()
        loads = [fx.Force(member.end, "N", along="x"), fx.DistributedForce(member, "p", along="x")]
        return fx.Model(fx.Fixed(fx.ground, member.start), *loads, foreshortening=keep)

    added, _ = drop(build)
    assert verdict(added["w"] - tree("-(N + p*(l - x))*w_x**2/2"))


def two_links(keep: bool) -> fx.Model:
    first, second = beam("b1", "l1", "w1"), beam("b2", "l2", "w2")
    elbow, payload = fx.RigidBody("elbow", m="m1", I="I1"), fx.RigidBody("payload", m="mp", I="Ip")
    return fx.Model(
        fx.Revolute(fx.ground, first.start, name="a"),
        fx.Fixed(first.end, elbow),
        fx.Revolute(elbow, second.start, name="b"),
        fx.Fixed(second.end, payload),
        foreshortening=keep,
    )


def test_the_inner_link_is_pulled_by_the_momentum_of_all_that_is_outboard() -> None:
    added, rigid = drop(two_links)
    spin, outer = "(a_t + b_t)", "(rho*l2**2/2 + mp*l2)"
    N0 = f"(-sin(b)*{spin}*{outer})"
    across = f"(a_t*(rho*(l1**2 - x**2)/2 + (m1 + rho*l2 + mp)*l1) + cos(b)*{spin}*{outer})"
    assert verdict(added["w1"] - tree(f"-a_t*{across}*w1_x**2/2 - {N0}*w1_x*w1_xt"))
    N0 = "(a_t*l1*sin(b)*(rho*(l2 - x) + mp))"
    N1 = f"({spin}*(a_t*l1*cos(b)*(rho*(l2 - x) + mp) + {spin}*(rho*(l2**2 - x**2)/2 + mp*l2)))"
    assert verdict(added["w2"] - tree(f"-{N1}*w2_x**2/2 - {N0}*w2_x*w2_xt"))
    assert verdict(rigid)


def test_a_member_held_along_its_axis_at_both_ends_says_what_it_leaves_out() -> None:
    member = beam()
    model = fx.Model(
        fx.Fixed(fx.ground, member.start, angle=math.pi / 2), fx.Fixed(member.end, fx.ground), fx.Gravity("g")
    )
    with pytest.warns(
        UserWarning, match="The member arm is held along its axis at both ends, so its shortening under load"
    ):
        _ = model.lagrangian
    assert "held along its axis at both ends" in fx.derive(model).steps[3].text


def test_a_roller_along_the_axis_lets_it_shorten() -> None:
    def build(keep: bool) -> fx.Model:
        member = beam()
        held = [fx.Pin(fx.ground, member.start), fx.Roller(fx.ground, member.end, along="x")]
        return fx.Model(*held, fx.Force(member.end, "-P", along="x"), foreshortening=keep)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        added, _ = drop(build)
    assert verdict(added["w"] - tree("P*w_x**2/2"))


# -- measured_from -----------------------------------------------------------------------------------------------------


def example_one(measured: str) -> fx.Equations:
    a, b, c = fx.RigidBody("a", m="m_a", I=0), fx.RigidBody("b", m="m_b", I=0), fx.RigidBody("c", m="m_c", I="I_c")
    member = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", field="q3")
    bodies = {"a": a, "b": b, "ground": fx.ground}
    return fx.derive(
        fx.Model(
            fx.Slide(fx.ground, a, name="q1"),
            fx.Slide(a, b, name="q2"),
            fx.Fixed(b, member.start),
            fx.Fixed(member.end, c),
            fx.Spring(fx.ground, a, k="K1"),
            fx.Spring(a, b, k="K2"),
            fx.Damper(a, b, c="b"),
            fx.Spring(c, fx.ground, k="K3"),
            fx.DistributedForce(member, "f(x)"),
            measured_from={member: bodies[measured]} if measured else {},
            names={member.end: ("q4", "q5")},
        )
    )


def test_example_one_measured_from_a_is_the_memo() -> None:
    assert fx.equivalent(example_one("a"), fx.derive(gallery.example("example-one")))


@pytest.mark.parametrize("first", ["a", "b", "ground", ""])
@pytest.mark.parametrize("second", ["a", "b", "ground", ""])
def test_what_a_deflection_is_measured_from_changes_nothing(first: str, second: str) -> None:
    result = fx.equivalent(example_one(first), example_one(second))
    assert result, result.difference
    assert result.how == "normal form"


def carriage(measured: str) -> fx.Model:
    """A boom on a carriage that slides across a table that turns."""
    table, cart = fx.RigidBody("table", m="M", I="J"), fx.RigidBody("cart", m="m", I="I")
    boom = beam("boom")
    return fx.Model(
        fx.Revolute(fx.ground, table, name="theta"),
        fx.Slide(table, cart, along="y", name="q"),
        fx.Fixed(cart.at("r0"), boom.start),
        measured_from={boom: {"table": table, "cart": cart, "ground": fx.ground}[measured]} if measured else {},
    )


def test_a_deflection_may_be_measured_from_a_body_that_turns_with_the_member() -> None:
    equations = {one: fx.derive(carriage(one)) for one in ("table", "cart", "")}
    for one in equations.values():
        assert fx.verify(one)
        assert fx.equivalent(one, equations[""])
    row = residual(equations["table"].partial["w"])
    assert not sp.expand(row).has(sp.Function("q")(t).diff(t, 2))  # w holds q already
    assert sp.expand(residual(equations[""].partial["w"])).has(sp.Function("q")(t).diff(t, 2))


def test_a_deflection_is_not_measured_from_a_body_that_turns_against_it() -> None:
    with pytest.raises(
        fx.FlexuraError, match=r"deflection of boom turns against the body it is measured from; measure"
    ):
        fx.derive(carriage("ground"))


def test_x_is_the_spine() -> None:
    assert tree("x") == SPINE
