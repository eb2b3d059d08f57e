"""Systems whose equations are in the textbooks."""

import sympy as sp

import flexura as fx
from flexura import gallery

t, x, l = sp.symbols("t x l")
EI, EA, rho, c, eta, P, J, r0, m = sp.symbols("EI EA rho c eta P J r0 m")
w, u = sp.Function("w")(x, t), sp.Function("u")(x, t)
theta = sp.Function("theta")(t)


def residual(equation: sp.Eq) -> sp.Expr:
    return equation.lhs - equation.rhs


def test_von_karman() -> None:
    equations = fx.derive(gallery.example("von-karman"))
    strain = u.diff(x) + w.diff(x) ** 2 / 2
    axial = rho * u.diff(t, 2) - (EA * strain).diff(x)
    bending = rho * w.diff(t, 2) + EI * w.diff(x, 4) - (EA * strain * w.diff(x)).diff(x)
    assert sp.expand(residual(equations.partial["u"]) - axial) == 0
    assert sp.expand(residual(equations.partial["w"]) - bending) == 0
    assert len(equations.boundary) == 6


def test_rayleigh_beam_has_rotary_inertia_in_the_field_and_in_the_shear() -> None:
    field = fx.Field("w", length="l")
    rotary = fx.Lagrangian(density={field: "rho*w_t**2/2 + J*(1 + x)*w_xt**2/2 - EI*w_xx**2/2"})
    equations = fx.derive(rotary)
    assert fx.verify(equations)
    expected = rho * w.diff(t, 2) - (J * (1 + x) * w.diff(x, t, t)).diff(x) + EI * w.diff(x, 4)
    assert sp.expand(residual(equations.partial["w"]) - expected) == 0
    shear = EI * sp.Subs(w.diff(x, 3), x, l) - J * (1 + l) * sp.Subs(w.diff(x, t, t), x, l)
    natural = [sp.expand(residual(one)) for one in equations.boundary]
    assert any(sp.expand(one - shear) == 0 or sp.expand(one + shear) == 0 for one in natural)


def test_hub_and_arm_with_foreshortening() -> None:
    """Theory, section 2: the arm's field equation, the stiffening (P w_x)_x, and the hub's row with its integrals."""
    equations = fx.derive(gallery.example("rotating-arm"))
    assert fx.verify(equations)
    mu = rho * (r0 * (l - x) + (l**2 - x**2) / 2) + m * (r0 + l)
    stiffening = (theta.diff(t) ** 2 * mu * w.diff(x)).diff(x)
    inertia = rho * (w.diff(t, 2) + (r0 + x) * theta.diff(t, 2) - theta.diff(t) ** 2 * w)
    expected = inertia + EI * w.diff(x, 4) - stiffening
    assert sp.expand(residual(equations.partial["w"]) - expected) == 0

    tip = sp.Function("w")(l, t)
    momentum = rho * ((r0 + x) * (w.diff(t) + (r0 + x) * theta.diff(t)) + w**2 * theta.diff(t))
    stretched = -theta.diff(t) * mu * w.diff(x) ** 2
    lumped = J * theta.diff(t) + m * ((r0 + l) * (tip.diff(t) + (r0 + l) * theta.diff(t)) + tip**2 * theta.diff(t))
    hub = lumped.diff(t) - sp.Function("tau")(t)
    row = residual(equations.ordinary["theta"])
    integrals = list(row.atoms(sp.Integral))
    local = sp.expand(row - sum(integrals))
    inside = sp.expand(sum(one.function for one in integrals))
    expected_inside = sp.expand((momentum + stretched).diff(t))
    known = expected_inside.subs(w, 0).doit()
    assert sp.expand(inside - (expected_inside - known)) == 0
    assert sp.expand(local - hub - sp.integrate(known, (x, 0, l))) == 0


def test_without_foreshortening_the_arm_softens() -> None:
    field, angle = fx.Field("w", length="l"), fx.Coordinate("theta")
    plain = fx.Lagrangian(
        kinetic="J*theta_t**2/2",
        density={field: "rho*((x*theta_t + w_t)**2 + (w*theta_t)**2)/2 - EI*w_xx**2/2"},
        work={angle: 0},
        boundary={field.at(0): 0, field.slope(0): 0},
    )
    expected = rho * (w.diff(t, 2) + x * theta.diff(t, 2) - theta.diff(t) ** 2 * w) + EI * w.diff(x, 4)
    assert sp.expand(residual(fx.derive(plain).partial["w"]) - expected) == 0


def test_distributed_dissipation() -> None:
    equations = fx.derive(gallery.example("cantilever"))
    expected = rho * w.diff(t, 2) + c * w.diff(t) + EI * w.diff(x, 4) + eta * EI * w.diff(x, 4, t)
    assert sp.expand(residual(equations.partial["w"]) - expected) == 0
    shear, moment = equations.boundary[:2]
    F = sp.Function("F")(t)
    at_tip = sp.Subs(w.diff(x, 3), x, l) + eta * sp.Subs(w.diff(x, 3, t), x, l)
    assert sp.expand(residual(shear) - (EI * at_tip + F)) == 0
    assert sp.expand(residual(moment) - EI * (sp.Subs(w.diff(x, 2), x, l) + eta * sp.Subs(w.diff(x, 2, t), x, l))) == 0


def test_a_joint_between_two_beams_shares_its_free_end() -> None:
    """One end given through another: the loads of both beams meet in one natural condition."""
    w1 = fx.Field("w1", length="l1")
    w2 = fx.Field("w2", length="l2")
    density = {one: f"rho*{one.name}_t**2/2 - EI*{one.name}_xx**2/2" for one in (w1, w2)}
    joined = {w2.at(0): w1.at("l1"), w2.slope(0): w1.slope("l1"), w1.at(0): 0, w1.slope(0): 0}
    equations = fx.derive(fx.Lagrangian(density=density, boundary=joined))
    assert fx.verify(equations)
    l1 = sp.Symbol("l1")
    ends = [sp.Subs(sp.Function(n)(x, t).diff(x, 3), x, p) for n, p in (("w1", l1), ("w2", 0))]
    shear = residual(equations.boundary[0])
    assert sp.expand(shear + EI * (ends[0] - ends[1])) == 0


def test_the_pendulum_agrees_with_sympys_lagrange() -> None:
    from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

    equations = fx.derive(gallery.example("double-pendulum"))
    a, b = dynamicsymbols("theta1 theta2")
    m1, m2, l1, l2, g = sp.symbols("m1 m2 l1 l2 g")
    time = dynamicsymbols._t
    x1, y1 = l1 * sp.sin(a), -l1 * sp.cos(a)
    x2, y2 = x1 + l2 * sp.sin(b), y1 - l2 * sp.cos(b)
    kinetic = sum(mass * (px.diff(time) ** 2 + py.diff(time) ** 2) / 2 for mass, px, py in ((m1, x1, y1), (m2, x2, y2)))
    peer = LagrangesMethod(kinetic - m1 * g * y1 - m2 * g * y2, [a, b])
    peer.form_lagranges_equations()
    assert sp.simplify(peer.mass_matrix - equations.mass_matrix) == sp.zeros(2, 2)
    assert sp.simplify(peer.forcing - equations.forcing) == sp.zeros(2, 1)
