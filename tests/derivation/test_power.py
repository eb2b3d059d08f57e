"""The power equation, and generalized masses and forces from positions."""

import pytest
import sympy as sp

import flexura as fx

t, k, c, m, g, L, mu = sp.symbols("t k c m g L mu")
q = sp.Function("q")(t)


def test_the_rate_is_divided_out_and_the_steps_show_it() -> None:
    block = fx.Mass("block", m="m")
    model = fx.Model(
        fx.Slide(fx.ground, block, along="x", name="q"), fx.Spring(fx.ground, block, k="k", along="x"),
        fx.Damper(fx.ground, block, c="c", along="x"), fx.Force(block, "F", along="x"),
    )  # fmt: skip
    equations = fx.derive(model, method="power")
    F, rate = sp.Symbol("F"), q.diff(t)
    assert sp.expand(equations.ordinary["q"].lhs - (m * q.diff(t, 2) + c * rate + k * q)) == 0
    assert equations.ordinary["q"].rhs == F
    titles = [step.title for step in equations.steps]
    assert titles[-2:] == ["Balance of power", "Divide by the rate"]
    power = equations.steps[2].formulas[0]
    assert sp.expand(power.rhs - (F * rate - c * rate**2)) == 0
    balance = equations.steps[3].formulas[0]
    assert sp.expand((balance.lhs - balance.rhs) / rate - (equations.ordinary["q"].lhs - F)) == 0
    assert fx.verify(equations)
    assert fx.Equations.from_json(equations.to_json()).ordinary == equations.ordinary


def test_energies_alone_are_enough() -> None:
    theta = fx.Coordinate("theta")
    ball = fx.Lagrangian(
        kinetic="m*(1 + a**2*sin(theta)**2)*theta_t**2/2",
        potential="m*g*cos(theta)",
        work={theta: "tau - mu*theta_t**3"},
    )
    equations = fx.derive(ball, method="power")
    assert fx.equivalent(equations, fx.derive(ball))
    assert {"surrogate", "variational"} == {one.method for one in fx.verify(equations).compared}


def test_dry_friction_loses_power_in_either_direction() -> None:
    rub = fx.Coordinate("q")
    block = fx.Lagrangian(kinetic=rub.t**2 / 2, potential=rub**2, dissipation="mu*abs(q_t)")
    assert fx.equivalent(fx.derive(block, method="power"), fx.derive(block))


def test_one_equation_is_not_enough_for_two_coordinates() -> None:
    a, b = fx.Mass("a", m="m"), fx.Mass("b", m="m")
    two = fx.Model(fx.Slide(fx.ground, a, name="q1"), fx.Slide(a, b, name="q2"))
    with pytest.raises(fx.FlexuraError, match="this system has 2 degrees of freedom"):
        fx.derive(two, method="power")
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l")
    with pytest.raises(fx.FlexuraError, match="infinitely many degrees of freedom"):
        fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start)), method="power")
    bound = fx.Model(fx.Slide(fx.ground, a, name="q1"), fx.Slide(a, b, name="q2"), fx.Constraint("q1_t - 2*q2_t"))
    with pytest.raises(fx.FlexuraError, match=r"2 coordinates under 1 constraint \(1 degree of freedom\)"):
        fx.derive(bound, method="power")
    assert "2 degrees of freedom" in fx.verify(fx.derive(two)).skipped["power"]


def test_a_moving_support_does_work_that_is_not_known() -> None:
    base, block = fx.Mass("base", m="M"), fx.Mass("block", m="m")
    shaken = fx.Model(
        fx.Slide(fx.ground, base, name="y", motion="y0*sin(w*t)"), fx.Slide(base, block, name="q"),
        fx.Spring(base, block, k="k"),
    )  # fmt: skip
    with pytest.raises(fx.FlexuraError, match="the supports that drive y do work"):
        fx.derive(shaken, method="power")
    r = fx.Coordinate("r")
    tube = fx.Lagrangian(kinetic="m*(r_t**2 + Omega**2*r**2)/2", potential=r**2)  # a bead in a tube that is turned
    with pytest.raises(fx.FlexuraError, match="a support does work"):
        fx.derive(tube, method="power")
    heaved = fx.Lagrangian(kinetic=r.t**2 / 2, potential="k*(r - sin(t))**2/2")
    with pytest.raises(fx.FlexuraError, match="a support does work"):
        fx.derive(heaved, method="power")


def test_masses_from_positions_are_those_of_the_kinetic_energy() -> None:
    """In the plane and in space, where inertia turns with the body."""
    a = fx.RigidBody("a", m="m_a", I=("Ax", "Ay", "Az"))
    b = fx.RigidBody("b", m="m_b", I=(("Bx", "Bxy", 0), ("Bxy", "By", 0), (0, 0, "Bz")))
    model = fx.Model(
        fx.Revolute(fx.ground, a.at("-l"), name="q1"), fx.Revolute(a.at("l"), b.at("d"), about="y", name="q2"),
        fx.Slide(b, fx.Mass("c", m="m_c"), along="x", name="q3"),
    )  # fmt: skip
    difference = fx.generalized_masses(model) - fx.derive(model).mass_matrix
    assert difference.applyfunc(sp.simplify) == sp.zeros(3, 3)
    assert fx.generalized_masses(fx.derive(model)) == fx.generalized_masses(model)


def test_forces_from_points_of_application_are_those_of_the_virtual_work() -> None:
    a, b = fx.RigidBody("a", m="m", I="I"), fx.RigidBody("b", m="m", I="I")
    model = fx.Model(
        fx.Revolute(fx.ground, a.at("-l"), name="q1"), fx.Revolute(a.at("l"), b.at("-l"), name="q2"),
        fx.Force(b.at("l"), "F", along="x"), fx.Torque(b, "tau", reaction=a), fx.Gravity("g"),
    )  # fmt: skip
    q1, q2 = (sp.Function(name)(t) for name in ("q1", "q2"))
    F, tau, l = sp.symbols("F tau l")
    found = fx.generalized_forces(model)
    assert sp.simplify(found["q1"] + 2 * F * l * (sp.sin(q1) + sp.sin(q1 + q2))) == 0
    assert sp.simplify(found["q2"] - tau + 2 * F * l * sp.sin(q1 + q2)) == 0


def test_masses_and_forces_need_positions() -> None:
    x = fx.Coordinate("x")
    with pytest.raises(fx.FlexuraError, match="energies alone"):
        fx.generalized_masses(fx.Lagrangian(kinetic=x.t**2))
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l")
    with pytest.raises(fx.FlexuraError, match="flexible members"):
        fx.generalized_forces(fx.Model(fx.Fixed(fx.ground, beam.start)))


def test_in_a_rheonomic_system_the_masses_are_not_all_of_the_energy() -> None:
    base, block = fx.Mass("base", m="M"), fx.Mass("block", m="m")
    shaken = fx.Model(fx.Slide(fx.ground, base, name="y", motion="y0*sin(w*t)"), fx.Slide(base, block, name="q"))
    assert fx.generalized_masses(shaken) == sp.Matrix([[m]])
    kinetic = fx.derive(shaken).steps[3].formulas[0].rhs
    assert kinetic.has(sp.Function("y")(t).diff(t))
