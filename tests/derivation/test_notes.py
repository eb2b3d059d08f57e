"""The examples of the vibration notes [V], chapter I, by parts; where the text fixes the answer it is compared with it.

Two misprints of the notes are noted where they occur (theory, section 3).
"""

import sympy as sp

import flexura as fx

t, m, M, g, L, k, c, r, f, F = sp.symbols("t m M g L k c r f F")
alpha = sp.Symbol("alpha")
ROUTES = {"surrogate", "variational", "kane", "newton_euler", "power"}


def of_t(names: str) -> tuple[sp.Expr, ...]:
    return tuple(sp.Function(name)(t) for name in names.split())


def proved(system: fx.Model | fx.Lagrangian, *skipped: str) -> fx.Equations:
    """Every route agrees, but for those that do not apply; the power equation applies to one coordinate."""
    equations = fx.derive(system)
    certificate = fx.verify(equations)
    assert certificate, str(certificate)
    assert set(certificate.skipped) == set(skipped)
    parts = {"parts"} if isinstance(system, fx.Model) else set()
    assert {one.method for one in certificate.compared} == (ROUTES | parts) - {"surrogate", *skipped}
    return equations


def says(equations: fx.Equations, name: str, expected: sp.Expr) -> bool:
    """The row of a coordinate is this expression = 0, to a symbolic zero."""
    row = equations.ordinary[name]
    return sp.simplify((row.lhs - row.rhs - expected).doit()) == 0


def energies(kinetic: str, potential: str, name: str) -> fx.Lagrangian:
    return fx.Lagrangian(kinetic=kinetic, potential=potential, work={fx.Coordinate(name): 0})


def bar(name: str = "bar") -> fx.RigidBody:
    return fx.RigidBody(name, m="M", I="M*L**2/12")


# -- I.1 Newton and Euler -----------------------------------------------------------------------------------------


def rolling(*more: object) -> fx.Model:
    """x down the incline; a massless carrier slides, the cylinder turns in it and rolls: x' + r phi' = 0."""
    carrier, disc = fx.RigidBody("carrier", m=0, I=0), fx.RigidBody("disc", m="M", I="M*r**2/2")
    return fx.Model(
        fx.Slide(fx.ground, carrier, along="x", name="x"), fx.Revolute(carrier, disc, name="phi"),
        fx.Spring(fx.ground, disc, k="k", along="x"), fx.Constraint("x_t + r*phi_t"),
        fx.Gravity("g*sin(alpha)", along="x"), fx.Gravity("g*cos(alpha)", along="-y"), *more,
    )  # fmt: skip


def test_1_1_a_cylinder_rolls_on_an_incline() -> None:
    """(3/2) M x'' + k x = M g sin(alpha); the multiplier is the friction M x''/2, uphill."""
    equations = proved(rolling(), "power")
    x, phi = of_t("x phi")
    friction = sp.Function("lambda_1")(t)
    rows = {name: one.lhs - one.rhs for name, one in equations.ordinary.items()}
    turning = rows["phi"].subs(phi.diff(t, 2), -x.diff(t, 2) / r)
    found = sp.solve(turning, friction)[0]
    assert sp.simplify(found + M * x.diff(t, 2) / 2) == 0
    motion = rows["x"].subs(friction, found)
    assert sp.expand(motion - (sp.Rational(3, 2) * M * x.diff(t, 2) + k * x - M * g * sp.sin(alpha))) == 0


def test_1_1_one_coordinate_and_from_equilibrium() -> None:
    """With rolling in T: one coordinate, so the power equation applies; with z from equilibrium the weight is gone."""
    kinetic = "M*{0}_t**2/2 + (M*r**2/2)*({0}_t/r)**2/2"
    from_spring = energies(kinetic.format("x"), "k*x**2/2 - M*g*sin(alpha)*x", "x")
    from_rest = energies(kinetic.format("z"), "k*z**2/2", "z")
    a, b = (proved(one, "kane", "newton_euler") for one in (from_spring, from_rest))
    (x_t,), (z_t,) = of_t("x"), of_t("z")
    assert says(a, "x", sp.Rational(3, 2) * M * x_t.diff(t, 2) + k * x_t - M * g * sp.sin(alpha))
    assert says(b, "z", sp.Rational(3, 2) * M * z_t.diff(t, 2) + k * z_t)
    assert fx.equivalent(a, b, where={"x": "z + M*g*sin(alpha)/k"})


def two_particles(*slides: fx.Slide) -> fx.Model:
    """Wall, spring and dashpot, particle 1, spring and dashpot, particle 2, spring and dashpot, wall; f on 2."""
    one, two = (slide.q.body for slide in slides)
    pairs = ((fx.ground, one), (one, two), (two, fx.ground))
    springs = [fx.Spring(p, q, k="k", along="x") for p, q in pairs]
    dampers = [fx.Damper(p, q, c="c", along="x") for p, q in pairs]
    return fx.Model(*slides, *springs, *dampers, fx.Force(two, "f", along="x"))


def test_1_2_three_sets_of_coordinates_are_congruent() -> None:
    """M' = J'MJ, C' = J'CJ, K' = J'KJ, Q' = J'Q for x = J y and x = J z."""
    one, two = fx.Mass("p1", m="m"), fx.Mass("p2", m="m")
    first = {name: fx.Slide(fx.ground, one, along="x", name=name) for name in ("x1", "y1", "z1")}
    sets = {
        "x": two_particles(first["x1"], fx.Slide(fx.ground, two, along="x", name="x2")),
        "y": two_particles(first["y1"], fx.Slide(fx.ground, two, along="-x", name="y2")),
        "z": two_particles(first["z1"], fx.Slide(one, two, along="x", name="z2")),
    }
    found = {name: proved(model, "power") for name, model in sets.items()}
    base = matrices(found["x"])
    assert base[0] == m * sp.eye(2)
    assert base[1:] == [c * sp.Matrix([[2, -1], [-1, 2]]), k * sp.Matrix([[2, -1], [-1, 2]]), sp.Matrix([0, f])]
    for name, J, where in (
        ("y", sp.diag(1, -1), {"x1": "y1", "x2": "-y2"}),
        ("z", sp.Matrix([[1, 0], [1, 1]]), {"x1": "z1", "x2": "z1 + z2"}),
    ):
        mass, damping, stiffness, load = matrices(found[name])
        assert [mass, damping, stiffness] == [(J.T * one * J).expand() for one in base[:3]]
        assert load == J.T * base[3]
        assert fx.equivalent(found["x"], found[name], where=where)


def matrices(equations: fx.Equations) -> list[sp.Matrix]:
    """M, C, K and the load of linear equations."""
    q = sp.Matrix([sp.Function(name)(t) for name in equations.coordinates])
    rows = sp.Matrix([one.lhs - one.rhs for one in equations.ordinary.values()])
    found = [rows.jacobian(q.diff(t, 2)), rows.jacobian(q.diff(t)), rows.jacobian(q)]
    rest = (found[0] * q.diff(t, 2) + found[1] * q.diff(t) + found[2] * q - rows).expand()
    return [*found, rest]


def test_1_3_a_cart_and_a_pinned_bar() -> None:
    cart = fx.Mass("A", m="m")
    equations = proved(
        fx.Model(
            fx.Slide(fx.ground, cart, along="x", name="x"), fx.Revolute(cart, bar().at(0, "L/2"), name="theta"),
            fx.Spring(fx.ground, cart, k="k", along="x"), fx.Damper(fx.ground, cart, c="c", along="x"), fx.Gravity("g"),
        ),
        "power",
    )  # fmt: skip
    x, theta = of_t("x theta")
    swing = M * L / 2 * (theta.diff(t, 2) * sp.cos(theta) - theta.diff(t) ** 2 * sp.sin(theta))
    assert says(equations, "x", (m + M) * x.diff(t, 2) + swing + c * x.diff(t) + k * x)
    weight = M * g * L / 2 * sp.sin(theta)
    assert says(equations, "theta", M * L**2 / 3 * theta.diff(t, 2) + M * L / 2 * x.diff(t, 2) * sp.cos(theta) + weight)


# -- I.2 the power equation ---------------------------------------------------------------------------------------


def test_2_1_a_bar_pinned_to_ground() -> None:
    """(1/3) M L^2 theta'' + (1/2) M g L sin(theta) = 0, by every route."""
    model = fx.Model(fx.Revolute(fx.ground, bar().at(0, "L/2"), name="theta"), fx.Gravity("g"))
    proved(model)
    (theta,) = of_t("theta")
    for method in ROUTES:
        expected = M * L**2 / 3 * theta.diff(t, 2) + M * g * L / 2 * sp.sin(theta)
        assert says(fx.derive(model, method=method), "theta", expected)


# -- I.3 generalized forces and masses ----------------------------------------------------------------------------


def test_3_1_relative_coordinates_of_three_particles() -> None:
    """Q1 = f1 + f2 + f3, Q2 = f2 + f3, Q3 = f3, and m_ik is the mass that both coordinates move."""
    particles = [fx.Mass(f"p{i}", m=f"m{i}") for i in (1, 2, 3)]
    carriers = (fx.ground, *particles)
    model = fx.Model(
        *(
            fx.Slide(p, q, along="x", name=f"x{i}")
            for i, (p, q) in enumerate(zip(carriers, particles, strict=False), 1)
        ),
        *(fx.Force(one, f"f{i}", along="x") for i, one in enumerate(particles, 1)),
    )
    f1, f2, f3, m1, m2, m3 = sp.symbols("f1 f2 f3 m1 m2 m3")
    assert fx.generalized_forces(model) == {"x1": f1 + f2 + f3, "x2": f2 + f3, "x3": f3}
    all_of, two_of = m1 + m2 + m3, m2 + m3
    assert fx.generalized_masses(model) == sp.Matrix([[all_of, two_of, m3], [two_of, two_of, m3], [m3, m3, m3]])
    assert proved(model, "power").mass_matrix == fx.generalized_masses(model)


# -- I.4 Lagrange's equations -------------------------------------------------------------------------------------


def test_4_1_the_simple_pendulum() -> None:
    """Misprint in the notes: T holds sin^2 + cos^2, not cos^2 twice; hence m L^2, as they print next."""
    bob = fx.Mass("bob", m="m")
    model = fx.Model(fx.Revolute(fx.ground, bob.at(0, "L"), name="theta"), fx.Gravity("g"))
    equations = proved(model)
    (theta,) = of_t("theta")
    assert says(equations, "theta", m * L**2 * theta.diff(t, 2) + m * g * L * sp.sin(theta))
    assert fx.generalized_masses(model) == sp.Matrix([[m * L**2]])
    assert sp.expand(equations.steps[3].formulas[0].rhs - m * L**2 * theta.diff(t) ** 2 / 2) == 0


def test_4_the_pendulum_in_x_and_y_and_in_y_alone() -> None:
    """Redundant coordinates with a constraint; enforced, T = m (y^2/(L^2 - y^2) + 1) y'^2/2, as the notes have it."""
    carrier, bob = fx.RigidBody("carrier", m=0, I=0), fx.Mass("bob", m="m")
    both = proved(
        fx.Model(
            fx.Slide(fx.ground, carrier, along="x", name="x"), fx.Slide(carrier, bob, along="-y", name="y"),
            fx.Constraint("x**2 + y**2 - L**2"), fx.Gravity("g"),
        ),
        "power",
    )  # fmt: skip
    x, y, tension = of_t("x y lambda_1")
    assert says(both, "x", m * x.diff(t, 2) - 2 * x * tension)
    assert says(both, "y", m * y.diff(t, 2) - m * g - 2 * y * tension)
    alone = energies("m*(y**2/(L**2 - y**2) + 1)*y_t**2/2", "-m*g*y", "y")
    turned = energies("m*L**2*theta_t**2/2", "-m*g*L*cos(theta)", "theta")
    a, b = (proved(one, "kane", "newton_euler") for one in (alone, turned))
    assert fx.equivalent(a, b, where={"y": "L*cos(theta)"})


def test_4_2_two_particles_in_relative_coordinates() -> None:
    one, two = fx.Mass("p1", m="m"), fx.Mass("p2", m="M")
    model = fx.Model(
        fx.Slide(fx.ground, one, along="x", name="x1"), fx.Slide(one, two, along="x", name="x2"),
        fx.Spring(fx.ground, one, k="k1", along="x"), fx.Spring(one, two, k="k2", along="x"),
        fx.Force(one, "f", along="x"), fx.Force(two, "F", along="x"),
    )  # fmt: skip
    equations = proved(model, "power")
    x1, x2 = of_t("x1 x2")
    k1, k2 = sp.symbols("k1 k2")
    assert fx.generalized_forces(model) == {"x1": f + F, "x2": F}
    assert says(equations, "x1", (m + M) * x1.diff(t, 2) + M * x2.diff(t, 2) + k1 * x1 - f - F)
    assert says(equations, "x2", M * (x1 + x2).diff(t, 2) + k2 * x2 - F)


def test_4_4_a_base_that_is_moved() -> None:
    """Particle 0 moves as y0 sin(Omega t), x1 and x2 are relative: its acceleration loads both rows."""
    base, one, two = fx.Mass("p0", m="m0"), fx.Mass("p1", m="m1"), fx.Mass("p2", m="m2")
    model = fx.Model(
        fx.Slide(fx.ground, base, along="x", name="y", motion="y0*sin(Omega*t)"),
        fx.Slide(base, one, along="x", name="x1"), fx.Slide(one, two, along="x", name="x2"),
        fx.Spring(base, one, k="k1", along="x"), fx.Spring(one, two, k="k2", along="x"),
    )  # fmt: skip
    equations = proved(model, "power")
    x1, x2 = of_t("x1 x2")
    m0, m1, m2, k1, k2, y0, Omega = sp.symbols("m0 m1 m2 k1 k2 y0 Omega")
    a = (y0 * sp.sin(Omega * t)).diff(t, 2)
    assert says(equations, "x1", m1 * (x1.diff(t, 2) + a) + m2 * (x1.diff(t, 2) + x2.diff(t, 2) + a) + k1 * x1)
    assert says(equations, "x2", m2 * (x1.diff(t, 2) + x2.diff(t, 2) + a) + k2 * x2)
    drive = equations.reactions["y"].rhs
    assert sp.simplify(drive - (m0 * a + m1 * (x1.diff(t, 2) + a) + m2 * ((x1 + x2).diff(t, 2) + a)).doit()) == 0
    held = fx.joint_reactions(fx.derive(model, method="newton_euler"))["R_y_x"].rhs  # the same where x1's row holds
    assert sp.expand(held - (m0 * a - k1 * x1)) == 0
    assert says(equations, "x1", drive - held)


def test_base_excitation_virtual_work_freezes_time() -> None:
    """Virtual work (f1 + f2) dx1 + f2 dx2: what f1 + f2 gives to the moving base is in the row of the drive only."""
    base, one, two = fx.Mass("B", m=0), fx.Mass("p1", m="m1"), fx.Mass("p2", m="m2")
    model = fx.Model(
        fx.Slide(fx.ground, base, along="x", name="y", motion="y0*sin(omega*t)"),
        fx.Slide(base, one, along="x", name="x1"), fx.Slide(one, two, along="x", name="x2"),
        fx.Force(one, "f1", along="x"), fx.Force(two, "f2", along="x"),
    )  # fmt: skip
    equations = proved(model, "power")
    f1, f2, m1, m2 = sp.symbols("f1 f2 m1 m2")
    assert fx.generalized_forces(model) == {"x1": f1 + f2, "x2": f2}
    assert fx.generalized_masses(model) == sp.Matrix([[m1 + m2, m2], [m2, m2]])  # not all of T: the base moves
    assert equations.reactions["y"].rhs.coeff(f1) == -1
    assert equations.reactions["y"].rhs.coeff(f2) == -1


def test_the_knife_edge_cart() -> None:
    """A slot, a rod and a knife edge: not integrable, so the notes stop; multipliers, Kane and Newton do not.

    Misprint in the notes: v_B^2 lost 2 v_C Y' sin(theta) cos(theta).
    """
    cart, slot, end = fx.RigidBody("C", m="M", I=0), fx.Mass("A", m="m"), fx.Mass("B", m="m")
    rod = fx.RigidBody("rod", m=0, I=0)
    model = fx.Model(
        fx.Slide(fx.ground, cart, along="x", name="X", motion="v_C*t"), fx.Slide(cart, slot, along="y", name="Y"),
        fx.Revolute(slot, rod, name="theta"), fx.Fixed(rod.at("-L"), end),
        fx.Constraint("-v_C*sin(theta) + Y_t*cos(theta) - L*theta_t"),
    )  # fmt: skip
    equations = proved(model, "power")
    Y, theta, edge = of_t("Y theta lambda_1")
    v_C = sp.Symbol("v_C")
    X_t = sp.Function("X")(t).diff(t)
    kinetic = equations.steps[3].formulas[0].rhs.subs(X_t, v_C)
    enforced = kinetic.subs(theta.diff(t), (Y.diff(t) * sp.cos(theta) - v_C * sp.sin(theta)) / L)
    along = v_C * sp.cos(theta) + Y.diff(t) * sp.sin(theta)
    assert sp.simplify(enforced - (M * v_C**2 + m * (v_C**2 + Y.diff(t) ** 2) + m * along**2) / 2) == 0
    lost = 2 * v_C * Y.diff(t) * sp.sin(theta) * sp.cos(theta)
    printed = v_C**2 * sp.cos(theta) ** 2 + Y.diff(t) ** 2 * sp.sin(theta) ** 2
    assert sp.expand(along**2 - printed - lost) == 0
    pushed = m * (Y.diff(t, 2) - (L * sp.sin(theta)).diff(t, 2))
    assert says(equations, "Y", m * Y.diff(t, 2) + pushed - edge * sp.cos(theta))
    turned = m * L**2 * theta.diff(t, 2) - m * L * Y.diff(t, 2) * sp.cos(theta)
    assert says(equations, "theta", turned + L * edge)


# -- the eight steps ----------------------------------------------------------------------------------------------


def test_lagrange_for_discrete_systems_is_told_in_the_eight_steps_of_the_notes() -> None:
    cart = fx.Mass("A", m="m")
    model = fx.Model(
        fx.Slide(fx.ground, cart, along="x", name="x"), fx.Revolute(cart, bar().at(0, "L/2"), name="theta"),
        fx.Spring(fx.ground, cart, k="k", along="x", name="s"), fx.Damper(fx.ground, cart, c="c", along="x", name="d"),
        fx.Force(cart, "F", along="x"), fx.Gravity("g"),
    )  # fmt: skip
    steps = fx.derive(model).steps
    assert [step.number for step in steps] == list(range(1, 9))
    assert [step.title.split()[0] for step in steps] == [
        "Degrees", "Generalized", "Free", "Kinetic", "Potential", "Dissipation", "Generalized", "Lagrange",
    ]  # fmt: skip
    assert "2 degrees of freedom" in steps[0].text
    assert "independent" in steps[1].text
    assert "A: weight, spring s, damper d, force F, reactions at x, reactions at theta." in steps[2].text
    x, theta = of_t("x theta")
    masses = {str(one.lhs): one.rhs for one in steps[3].formulas[1:]}
    assert masses == {
        "m_x_x": M + m, "m_x_theta": M * L * sp.cos(theta) / 2, "m_theta_theta": M * L**2 / 3,
    }  # fmt: skip
    assert steps[5].formulas[0].rhs == c * x.diff(t) ** 2 / 2
    assert steps[6].formulas[0].rhs == F
    assert len(steps[7].formulas) == 2


def test_systems_with_fields_keep_the_eleven_steps() -> None:
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l")
    assert len(fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start))).steps) == 11
