"""Arms, linkages, the satellite and the blade: against energies written by hand, and momenta."""

import sympy as sp

import flexura as fx
from examples.reading import (
    beam_equation,
    coordinate,
    coordinates,
    field,
    holds,
    left,
    parameters,
    same,
    t,
    vanishes,
    x,
)
from flexura import gallery

rho, l, m, d, r, M, J = sp.symbols("rho l m d r M J")


def small(equations):
    """The same to second order in the deflections, without the axial displacement as a field of its own."""
    return fx.derive(equations.lagrangian.of_small_motions)


def hinge(rate, offset, lift, lift_t, angle):
    """Velocity of the point (offset, lift) of a frame that turns at `rate`, in axes turned by `angle` from it."""
    v1, v2 = -lift * rate, offset * rate + lift_t
    return v1 * fx.cos(angle) + v2 * fx.sin(angle), v2 * fx.cos(angle) - v1 * fx.sin(angle)


def speed(v, turn, place, w, w_t):
    """Squared speed of the particle at (place, w) of a link whose start moves at v, turning at `turn`."""
    return (v[0] - w * turn) ** 2 + (v[1] + place * turn + w_t) ** 2


def drawn_in(w, v, turn, mass, moment, carried=(0, 0)):
    """A slope at x draws all beyond it in by w_x^2/2: -(rate . momentum), of undeformed links (theory, N0 and N1).

    `mass` and `moment` are those of the link beyond x, `carried` the momentum of what hangs on it.
    """
    along, across = mass * v[0] + carried[0], mass * v[1] + moment * turn + carried[1]
    return -(w.x * w.xt * along + w.x**2 / 2 * turn * across)


def clamped(w, length, *end):
    """Boundary values of a link that starts in its frame's axis and ends at the given coordinates."""
    return {w.at(0): 0, w.slope(0): 0, w.at(length): end[0], w.slope(length): end[1]}


def test_the_hub_arm_and_payload_by_energies(ran):
    """Theory, section 2: P with (r + l + d), and -m theta_t^2 (r + l + d) d w_x(l)^2/2."""
    I, J, EI, rho, r, l, d, m = parameters("I J EI rho r l d m")
    theta, y, alpha = coordinates("theta y alpha")
    w, s, turn = fx.Field("w", length=l), fx.x, theta.t
    start, reach = (0, r * turn), r + l + d
    payload = m * speed(start, turn, l + d, y + d * alpha, y.t + d * alpha.t) - m * turn**2 * reach * d * alpha**2
    outboard = rho * (l - s) + m, rho * (l**2 - s**2) / 2 + m * (l + d)
    by_hand = fx.Lagrangian(
        kinetic=(J * turn**2 + I * (turn + alpha.t) ** 2 + payload) / 2,
        density={w: (rho * speed(start, turn, s, w, w.t) - EI * w.xx**2) / 2 + drawn_in(w, start, turn, *outboard)},
        work={theta: fx.Input("tau")},
        boundary=clamped(w, l, y, alpha),
    )
    assert fx.equivalent(fx.derive(by_hand), ran("hub_arm")["equations"])


def test_foreshortening_is_the_pull_of_what_lies_outboard(ran):
    """-(P w_x)_x theta_t^2 with P = int_x^l rho (r + s) ds + m (r + l + d); without it only softening is left."""
    done = ran("hub_arm")
    w, theta, s = field("w"), coordinate("theta"), sp.Symbol("s")
    pull = sp.integrate(rho * (r + s), (s, x, l)) + m * (r + l + d)
    stiffening = -(theta.diff(t) ** 2) * (pull * w.diff(x)).diff(x)
    difference = (done["stiff"].lhs - done["stiff"].rhs) - (done["soft"].lhs - done["soft"].rhs)
    assert vanishes(difference - stiffening)
    softened = rho * ((r + x) * theta.diff(t, 2) - theta.diff(t) ** 2 * w) + beam_equation(w)
    same({"w": done["soft"]}, w=softened)


def test_a_hub_arm_with_a_particle_is_the_rotating_arm_of_the_gallery():
    hub, tip = fx.RigidBody("hub", m=0, I="J"), fx.Mass("tip", m="m")
    arm = fx.EulerBernoulliBeam("arm", EI="EI", rho="rho", length="l", field="w")
    model = fx.Model(
        fx.Revolute(fx.ground, hub, name="theta"),
        fx.Fixed(hub.at("r0"), arm.start),
        fx.Fixed(arm.end, tip),
        fx.Torque(hub, "tau"),
    )
    assert fx.equivalent(fx.derive(gallery.example("rotating-arm")), fx.derive(model))


def test_the_two_link_arm_by_energies(ran):
    I_s, I_r, I_e, I_p, m_r, m_e, m_p = parameters("I_s I_r I_e I_p m_r m_e m_p")
    EI1, EI2, rho1, rho2, l1, l2 = parameters("EI1 EI2 rho1 rho2 l1 l2")
    theta1, theta2, y1, alpha1, y2, alpha2 = coordinates("theta1 theta2 y1 alpha1 y2 alpha2")
    w1, w2, s = fx.Field("w1", length=l1), fx.Field("w2", length=l2), fx.x
    still = theta1.t + theta2.t
    turn = still + alpha1.t
    elbow = hinge(theta1.t, l1, y1, y1.t, theta2 + alpha1)
    rigid_elbow = hinge(theta1.t, l1, 0, 0, theta2)
    lower = (rho2 * l2**2 / 2 + m_p * l2) * still
    beyond = (-lower * fx.sin(theta2), (m_e + m_r + m_p + rho2 * l2) * l1 * theta1.t + lower * fx.cos(theta2))
    outboard = rho2 * (l2 - s) + m_p, rho2 * (l2**2 - s**2) / 2 + m_p * l2
    masses = (m_e + m_r) * (elbow[0] ** 2 + elbow[1] ** 2) + m_p * speed(elbow, turn, l2, y2, y2.t)
    motors = I_s * theta1.t**2 + I_e * (theta1.t + alpha1.t) ** 2 + I_r * turn**2
    by_hand = fx.Lagrangian(
        kinetic=(masses + motors + I_p * (turn + alpha2.t) ** 2) / 2,
        density={
            w1: (rho1 * speed((0, 0), theta1.t, s, w1, w1.t) - EI1 * w1.xx**2) / 2
            + drawn_in(w1, (0, 0), theta1.t, 0, rho1 * (l1**2 - s**2) / 2, beyond),
            w2: (rho2 * speed(elbow, turn, s, w2, w2.t) - EI2 * w2.xx**2) / 2
            + drawn_in(w2, rigid_elbow, still, *outboard),
        },
        work={theta1: fx.Input("tau1"), theta2: fx.Input("tau2")},
        boundary=clamped(w1, l1, y1, alpha1) | clamped(w2, l2, y2, alpha2),
    )
    assert fx.equivalent(fx.derive(by_hand), small(ran("two_link_arm")["equations"]))


def test_the_rigid_two_link_arm_is_the_textbooks(ran):
    """M11 = a + 2 b cos(th2), M12 = c + b cos(th2), M22 = c, and the centrifugal and Coriolis terms of b sin(th2)."""
    rigid = ran("two_link_arm")["rigid"]
    one, two = coordinate("theta1"), coordinate("theta2")
    I_s, I_r, I_e, I_p, m_r, m_e, m_p = sp.symbols("I_s I_r I_e I_p m_r m_e m_p")
    l1, l2, rho1, rho2 = sp.symbols("l1 l2 rho1 rho2")
    b = l1 * (m_p * l2 + rho2 * l2**2 / 2)
    c = I_r + I_p + m_p * l2**2 + rho2 * l2**3 / 3
    a = c + I_s + I_e + rho1 * l1**3 / 3 + (m_e + m_r + m_p + rho2 * l2) * l1**2
    curl = b * sp.sin(two)
    same(
        rigid,
        theta1=(a + 2 * b * sp.cos(two)) * one.diff(t, 2) + (c + b * sp.cos(two)) * two.diff(t, 2)
        - curl * (2 * one.diff(t) * two.diff(t) + two.diff(t) ** 2) - rigid["theta1"].rhs,
        theta2=(c + b * sp.cos(two)) * one.diff(t, 2) + c * two.diff(t, 2) + curl * one.diff(t) ** 2
        - rigid["theta2"].rhs,
    )  # fmt: skip
    assert [str(row.rhs) for row in rigid.values()] == ["tau1", "tau2"]


def test_the_slider_crank_closes(ran):
    equations = small(ran("slider_crank")["equations"])
    theta, phi, s, y = (coordinate(name) for name in ("theta", "phi", "s", "y"))
    holds(
        equations.constraints,
        s - (r * sp.cos(theta) + l * sp.cos(theta + phi) - y * sp.sin(theta + phi)),
        r * sp.sin(theta) + l * sp.sin(theta + phi) + y * sp.cos(theta + phi),
    )
    same(equations.ordinary, s=sp.Symbol("m_s") * s.diff(t, 2) - coordinate("lambda_pin_x"))


def test_the_slider_crank_by_energies(ran):
    I_c, I_b, m_c, m_b, m_s, EI, rho, r, l = parameters("I_c I_b m_c m_b m_s EI rho r l")
    theta, phi, s, y, alpha = coordinates("theta phi s y alpha")
    w, turn, start = fx.Field("w", length=l), theta.t + phi.t, hinge(theta.t, r, 0, 0, phi)
    outboard = rho * (l - fx.x), rho * (l**2 - fx.x**2) / 2
    by_hand = fx.Lagrangian(
        kinetic=((I_c + m_c * r**2 / 4 + m_b * r**2) * theta.t**2 + I_b * turn**2 + m_s * s.t**2) / 2,
        density={w: (rho * speed(start, turn, fx.x, w, w.t) - EI * w.xx**2) / 2 + drawn_in(w, start, turn, *outboard)},
        work={theta: fx.Input("tau")},
        boundary=clamped(w, l, y, alpha),
        constraints={
            "lambda_pin_x": s - r * fx.cos(theta) - l * fx.cos(theta + phi) + y * fx.sin(theta + phi),
            "lambda_pin_y": -r * fx.sin(theta) - l * fx.sin(theta + phi) - y * fx.cos(theta + phi),
        },
    )
    assert fx.equivalent(fx.derive(by_hand), small(ran("slider_crank")["equations"]))


def test_the_satellite_keeps_its_momenta(ran):
    """The rows of X and Y are the rate of linear momentum, and with them that of theta is the rate of angular momentum.

    A panel's particle sits at R ((r + x) e1 + w e2) and is drawn in by (1/2) int w_x^2; what is drawn in at x moves all
    that lies beyond, so the double integral is taken in the other order.
    """
    rows = {name: left(row) for name, row in ran("satellite")["equations"].ordinary.items()}
    X, Y, theta = (coordinate(name) for name in ("X", "Y", "theta"))
    place = sp.Matrix([X, Y])
    momentum, spin = M * place.diff(t), J * theta.diff(t) + M * _cross(place, place.diff(t))
    for side, w in ((1, field("w1")), (-1, field("w2"))):
        e1, e2 = (side * sp.Matrix(axis) for axis in ((sp.cos(theta), sp.sin(theta)), (-sp.sin(theta), sp.cos(theta))))
        here, bent, drawn = place + (r + x) * e1, w * e2, -(w.diff(x) ** 2) / 2 * e1
        outboard = rho * ((l - x) * place + (r * (l - x) + (l**2 - x**2) / 2) * e1)
        momentum += (rho * (here + bent) + rho * (l - x) * drawn).diff(t).applyfunc(_along)
        turning = rho * _cross(here + bent, (here + bent).diff(t))
        spin += _along(turning + _cross(outboard, drawn.diff(t)) + _cross(drawn, outboard.diff(t)))
    assert vanishes(rows["X"] - _rate(momentum[0]))
    assert vanishes(rows["Y"] - _rate(momentum[1]))
    assert vanishes(rows["theta"] + X * rows["Y"] - Y * rows["X"] - _rate(spin))


def _cross(a, b):
    return a[0] * b[1] - a[1] * b[0]


def _along(f):
    return sp.Integral(f, (x, 0, l))


def _rate(f):
    """d/dt, taken inside the integrals."""
    inside = sum(sp.Integral(one.function.diff(t), *one.limits) for one in f.atoms(sp.Integral))
    return f.subs(dict.fromkeys(f.atoms(sp.Integral), 0)).doit().diff(t) + inside


def test_the_blade_by_exact_rotations(ran):
    """The section's energy from the exact spin A'omega + B phi_t of a rotation vector, expanded to second order."""
    equations = ran("rotating_blade")["equations"]
    names = "phi w_x v_x phi_t w_xt v_xt theta_t eps"
    phi, w_x, v_x, phi_t, w_xt, v_xt, theta_t, eps = sp.symbols(names)
    tilde = (eps * sp.Matrix([phi, -w_x, v_x])).hat()
    spin = (sp.eye(3) - tilde + tilde**2 / 2) * sp.Matrix([0, 0, theta_t])
    spin += (sp.eye(3) - tilde / 2 + tilde**2 / 6) * eps * sp.Matrix([phi_t, -w_xt, v_xt])
    energy = sp.expand((spin.T * sp.diag(*sp.symbols("Jx Jy Jz")) * spin)[0] / 2)
    section = sum(energy.coeff(eps, order) for order in range(3))
    u = fx.Field("u", length="l")
    v, w, twist = (fx.Field(name, spine=u) for name in ("v", "w", "phi"))
    theta = fx.Coordinate("theta")
    pull = "rho*(r*(l - x) + (l**2 - x**2)/2)*theta_t**2"
    by_hand = fx.Lagrangian(
        kinetic="I_h*theta_t**2/2",
        density={
            u: "rho*((u_t - theta_t*v)**2 + (v_t + theta_t*(r + x + u))**2 + w_t**2)/2"
            f" + {section} - (EA*u_x**2 + EIz*v_xx**2 + EIy*w_xx**2 + GJ*phi_x**2)/2 - {pull}*(v_x**2 + w_x**2)/2"
        },
        boundary=dict.fromkeys((u.at(0), v.at(0), w.at(0), v.slope(0), w.slope(0), twist.at(0)), 0),
        prescribed={theta: "Omega*t"},
    )
    assert fx.equivalent(fx.derive(by_hand), equations)
