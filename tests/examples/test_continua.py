"""Beams, strings, shafts and frames: rows and conditions at the ends against the textbooks."""

from itertools import pairwise

import sympy as sp

import flexura as fx
from examples.reading import at, beam_equation, coordinate, field, holds, left, same, t, vanishes, x

EI, EA, rho, l, m, d, I, M, P, Omega = sp.symbols("EI EA rho l m d I M P Omega")


def test_the_eccentric_tip_body(ran):
    systems = ran("tip_body")
    body, particle = fx.derive(systems["model"]), fx.derive(systems["light"])
    w, y, alpha = field("w"), coordinate("y"), coordinate("alpha")
    shear, moment = EI * at(w.diff(x, 3), l), EI * at(w.diff(x, 2), l)
    same(
        body.ordinary,
        y=m * y.diff(t, 2) + m * d * alpha.diff(t, 2) - shear,
        alpha=m * d * y.diff(t, 2) + (I + m * d**2) * alpha.diff(t, 2) + moment,
    )
    same(body.partial, w=beam_equation(w))
    clamped = (sp.Function("w")(0, t), at(w.diff(x), 0), sp.Function("w")(l, t) - y)
    holds(body.boundary, *clamped, at(w.diff(x), l) - alpha)
    same(particle.ordinary, y=m * y.diff(t, 2) - shear)
    holds(particle.boundary, *clamped, moment)


def test_the_base_excited_cantilever(ran):
    equations = fx.derive(ran("continua")["systems"]["base-excitation"])
    y0 = sp.Symbol("y0")
    w, tip, y = field("w"), coordinate("w_tip"), y0 * sp.sin(Omega * t)
    same(equations.partial, w=beam_equation(w) + rho * y.diff(t, 2))
    same(equations.ordinary, w_tip=m * (tip + y).diff(t, 2) - EI * at(w.diff(x, 3), l))
    carried = M * y.diff(t, 2) + m * (tip + y).diff(t, 2) + sp.Integral(rho * (w + y).diff(t, 2), (x, 0, l))
    same(equations.reactions, y=sp.Symbol("Q_y") - carried)


def test_the_stepped_shaft_and_its_angular_momentum(ran):
    equations = fx.derive(ran("continua")["systems"]["stepped-shaft"])
    one, two = field("phi1"), field("phi2")
    inertias, (J1, _), (GJ1, GJ2), (l1, l2) = (sp.symbols(names) for names in ("I1:4", "J1:3", "GJ1:3", "l1:3"))
    spins = [inertia * coordinate(f"theta{i}").diff(t, 2) for i, inertia in enumerate(inertias, 1)]
    torques = (GJ1 * at(one.diff(x), 0), GJ1 * at(one.diff(x), l1), GJ2 * at(two.diff(x), 0), GJ2 * at(two.diff(x), l2))
    same(
        equations.ordinary,
        theta1=spins[0] - torques[0],
        theta2=spins[1] + torques[1] - torques[2],
        theta3=spins[2] + torques[3],
    )
    same(equations.partial, phi1=J1 * one.diff(t, 2) - GJ1 * one.diff(x, 2))
    total = sum(left(row) for row in equations.ordinary.values()) - sum(spins)
    assert vanishes(total + torques[0] - torques[1] + torques[2] - torques[3])


def test_the_slope_of_the_string_jumps_at_the_bead(ran):
    equations = fx.derive(ran("continua")["systems"]["string-mid-mass"])
    one, two, middle = field("w_1"), field("w_2"), coordinate("w_mid")
    jump = at(two.diff(x), l / 2) - at(one.diff(x), l / 2)
    same(equations.ordinary, w_mid=m * middle.diff(t, 2) - P * jump)
    same(equations.partial, w_1=rho * one.diff(t, 2) - P * one.diff(x, 2))
    ends = (one.func(0, t), one.func(l / 2, t) - middle, two.func(l / 2, t) - middle, two.func(l, t))
    holds(equations.boundary, *ends)


def test_three_spans_share_slope_and_moment(ran):
    equations = fx.derive(ran("continua")["systems"]["three-span-beam"])
    spans = [(field(f"w_{name}"), sp.Symbol(f"l_{name}")) for name in ("first", "second", "third")]
    for i, ((a, length), (b, _)) in enumerate(pairwise(spans), 1):
        same(equations.ordinary, **{f"alpha{i}": EI * (at(a.diff(x, 2), length) - at(b.diff(x, 2), 0))})
    (a, la), (b, lb), (c, lc) = spans
    one, two = coordinate("alpha1"), coordinate("alpha2")
    held = [w.func(place, t) for w, length in spans for place in (0, length)]
    slopes = (at(a.diff(x), la) - one, at(b.diff(x), 0) - one, at(b.diff(x), lb) - two, at(c.diff(x), 0) - two)
    holds(equations.boundary, *held, *slopes, EI * at(a.diff(x, 2), 0), EI * at(c.diff(x, 2), lc))


def test_a_hinge_passes_shear_and_no_moment(ran):
    equations = fx.derive(ran("continua")["systems"]["hinged-beams"])
    a, b, y, la, lb = field("w_left"), field("w_right"), coordinate("y"), *sp.symbols("l_left l_right")
    same(equations.ordinary, y=EI * (at(a.diff(x, 3), la) - at(b.diff(x, 3), 0)))
    clamps = (a.func(0, t), at(a.diff(x), 0), b.func(lb, t), at(b.diff(x), lb))
    no_moment = (EI * at(a.diff(x, 2), la), EI * at(b.diff(x, 2), 0))
    holds(equations.boundary, *clamps, *no_moment, a.func(la, t) - y, b.func(0, t) - y)


def test_the_corner_of_the_l_frame(ran):
    equations = fx.derive(ran("frames")["systems"]["An L-frame"])
    w, u, v, s = (field(name) for name in ("w_column", "u_column", "w_top", "u_top"))
    X, Y, alpha, h = coordinate("x_c"), coordinate("y_c"), coordinate("alpha"), sp.Symbol("h")
    same(
        equations.ordinary,
        x_c=EA * at(u.diff(x), h) + EI * at(v.diff(x, 3), 0),
        y_c=EI * at(w.diff(x, 3), h) - EA * at(s.diff(x), 0),
        alpha=EI * (at(w.diff(x, 2), h) - at(v.diff(x, 2), 0)),
    )
    same(equations.partial, w_column=beam_equation(w), u_top=rho * s.diff(t, 2) - EA * s.diff(x, 2))
    feet = (w.func(0, t), u.func(0, t), at(w.diff(x), 0), v.func(l, t), s.func(l, t), at(v.diff(x), l))
    corner = (u.func(h, t) - X, w.func(h, t) - Y, at(w.diff(x), h) - alpha, s.func(0, t) + Y, v.func(0, t) - X)
    holds(equations.boundary, *feet, *corner, at(v.diff(x), 0) - alpha)


def test_the_portal_with_and_without_axial_flexibility(ran):
    systems = ran("frames")["systems"]
    stretching, stiff = fx.derive(systems["A portal"]), fx.derive(systems["A portal whose members do not stretch"])
    by_hand = _portal(EA=True)
    assert fx.equivalent(by_hand, stretching)
    assert fx.equivalent(_portal(EA=False), stiff)
    assert len(stretching.coordinates) == 6
    assert stiff.coordinates == ("y_left_end", "theta_left_end", "theta_beam_end")
    sway, left_, right = coordinate("y_left_end"), field("w_left"), field("w_right")
    shear = EI * (at(left_.diff(x, 3), sp.Symbol("l_left")) + at(right.diff(x, 3), 0))
    same(stiff.ordinary, y_left_end=rho * sp.Symbol("l_beam") * sway.diff(t, 2) - shear)


def _portal(EA):
    """By energies: columns point up and down, so sway is -w of the left one and +w of the right one."""
    w = {name: fx.Field(f"w_{name}", length=f"l_{name}") for name in ("left", "beam", "right")}
    u = {name: fx.Field(f"u_{name}", spine=one) for name, one in w.items()} if EA else {}
    x1, y1, a1, x2, y2, a2 = (
        fx.Coordinate(f"{motion}_{name}_end") for name in ("left", "beam") for motion in ("x", "y", "theta")
    )
    density = {one: f"rho*w_{name}_t**2/2 - EI*w_{name}_xx**2/2" for name, one in w.items()}
    feet = (w["left"].at(0), w["left"].slope(0), w["right"].at("l_right"), w["right"].slope("l_right"))
    boundary = dict.fromkeys(feet, 0)
    boundary |= {w["left"].at("l_left"): y1, w["left"].slope("l_left"): a1, w["beam"].slope(0): a1}
    boundary |= {w["beam"].slope("l_beam"): a2, w["right"].slope(0): a2}
    if not EA:
        boundary |= {w["beam"].at(0): 0, w["beam"].at("l_beam"): 0, w["right"].at(0): -y1}
        return fx.derive(fx.Lagrangian(kinetic="rho*l_beam*y_left_end_t**2/2", density=density, boundary=boundary))
    density = {
        one: f"{f} + rho*u_{name}_t**2/2 - EA*u_{name}_x**2/2"
        for (one, f), name in zip(density.items(), w, strict=True)
    }
    boundary |= {u["left"].at(0): 0, u["left"].at("l_left"): x1, u["beam"].at(0): -y1, w["beam"].at(0): x1}
    boundary |= {u["beam"].at("l_beam"): x2, w["beam"].at("l_beam"): y2, u["right"].at(0): -y2, w["right"].at(0): x2}
    boundary |= {u["right"].at("l_right"): 0}
    return fx.derive(fx.Lagrangian(density=density, boundary=boundary))
