"""Kane's route from velocities gives the equations of the energy routes, to a symbolic zero."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import sympy as sp

import flexura as fx
from flexura import gallery
from flexura.derivation.equations.text import row_text

MODELS: dict[str, Callable[[], fx.Model]] = {}


def model(make: Callable[[], fx.Model]) -> Callable[[], fx.Model]:
    MODELS[make.__name__] = make
    return make


def example_one(measured_from: str) -> fx.Model:
    a, b, c = fx.RigidBody("a", m="m_a", I=0), fx.RigidBody("b", m="m_b", I=0), fx.RigidBody("c", m="m_c", I="I_c")
    beam = fx.EulerBernoulliBeam(
        "beam", EI="EI", rho="rho", length="l", field="q3", foundation="k_f", damping="c_d", internal_damping="eta"
    )
    base = {"a": a, "b": b, "ground": fx.ground}[measured_from]
    return fx.Model(
        fx.Slide(fx.ground, a, name="q1"), fx.Slide(a, b, name="q2"), fx.Fixed(b, beam.start), fx.Fixed(beam.end, c),
        fx.Spring(fx.ground, a, k="K1"), fx.Spring(a, b, k="K2"), fx.Spring(c, fx.ground, k="K3"),
        fx.Damper(a, b, c="b"), fx.DistributedForce(beam, "f(x)"),
        measured_from={beam: base}, names={beam.end: ("q4", "q5")},
    )  # fmt: skip


@model
def example_one_from_a() -> fx.Model:
    return example_one("a")


@model
def example_one_from_b() -> fx.Model:
    return example_one("b")


@model
def example_one_from_ground() -> fx.Model:
    return example_one("ground")


@model
def pendulum_chain() -> fx.Model:
    things: list[Any] = []
    hung: Any = fx.ground
    bodies = [fx.RigidBody(f"b{i}", m=f"m{i}", I=f"I{i}") for i in range(3)]
    for i, body in enumerate(bodies):
        things.append(fx.Revolute(hung, body.at(f"-a{i}"), name=f"th{i}"))
        hung = body.at(f"c{i}", f"d{i}")
    loads = [fx.Force(hung, "F", along="x"), fx.Torque(bodies[1], "tau", reaction=bodies[0])]
    links = [fx.TorsionSpring(bodies[0], bodies[1], k="k"), fx.TorsionDamper(bodies[1], bodies[2], c="c")]
    return fx.Model(*things, *loads, *links, fx.Gravity("g"))


@model
def cart_and_bar() -> fx.Model:
    cart, bar = fx.Mass("cart", "M"), fx.RigidBody("bar", "m", "I")
    return fx.Model(
        fx.Slide(fx.ground, cart, along="x", name="x"), fx.Revolute(cart, bar.at(0, "h"), name="th"), fx.Gravity("g"),
        fx.Spring(fx.ground, cart, k="k", along="x"), fx.Damper(fx.ground, cart, c="c", along="x"),
        fx.Force(cart, "F", along="x"),
    )  # fmt: skip


@model
def base_motion() -> fx.Model:
    support, bar = fx.Mass("support", "M"), fx.RigidBody("bar", "m", "I")
    return fx.Model(
        fx.Slide(fx.ground, support, name="y", motion="Y*sin(w*t)"), fx.Revolute(support, bar.at(0, "h"), name="th"),
        fx.Gravity("g"),
    )  # fmt: skip


def arm(about: Any = "z", beam: Any = fx.EulerBernoulliBeam, motion: str | None = None, **properties: Any) -> fx.Model:
    """A hub that turns, a member on it, a body at its tip whose mass centre lies beyond and beside the end."""
    hub, tip = fx.RigidBody("hub", "M", ("Jx", "Jy", "Jz")), fx.RigidBody("tip", "m", ("Ix", "Iy", "Iz"))
    member = beam("arm", EI="EI", rho="rho", length="l", **properties)
    return fx.Model(
        fx.Revolute(fx.ground, hub, about=about, name="theta", motion=motion), fx.Fixed(hub.at("r0"), member.start),
        fx.Fixed(member.end, tip.at("-d", "-e")), fx.Torque(hub, "tau", about=about), fx.DistributedForce(member, "f"),
        fx.Force(tip, "F", along="x"), fx.Gravity("g"),
    )  # fmt: skip


@model
def arm_in_lag() -> fx.Model:
    return arm()


@model
def arm_in_flap() -> fx.Model:
    return arm("y")


@model
def arm_about_a_skew_axis() -> fx.Model:
    return arm((1, 2, 2))


@model
def arm_spun_at_a_given_speed() -> fx.Model:
    return arm(motion="Omega*t + a*sin(t)")


@model
def rayleigh_arm() -> fx.Model:
    return arm(beam=fx.RayleighBeam, rotary_inertia="J_r*(1 + x)")


@model
def rayleigh_arm_about_a_skew_axis() -> fx.Model:
    return arm((1, 2, 2), beam=fx.RayleighBeam, rotary_inertia="J_r")


@model
def timoshenko_arm() -> fx.Model:
    return arm(beam=fx.TimoshenkoBeam, rotary_inertia="J_r", kGA="kGA", EA="EA", internal_damping="eta")


@model
def timoshenko_arm_in_flap() -> fx.Model:
    return arm("y", beam=fx.TimoshenkoBeam, rotary_inertia="J_r", kGA="kGA")


@model
def arm_that_stretches() -> fx.Model:
    return arm(EA="EA", axial_force="P", foundation="k_f", damping="c", internal_damping="eta")


@model
def two_link_arm() -> fx.Model:
    hub, tip = fx.RigidBody("hub", m="M", I="J"), fx.RigidBody("tip", m="m", I="I_t")
    first = fx.EulerBernoulliBeam("b1", EI="EI1", rho="rho1", length="l1")
    second = fx.EulerBernoulliBeam("b2", EI="EI2", rho="rho2", length="l2")
    return fx.Model(
        fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub.at("r0"), first.start),
        fx.Revolute(first.end, second.start, name="alpha"), fx.Fixed(second.end, tip.at("-d")), fx.Gravity("g"),
        fx.Torque(hub, "tau"), fx.Torque(second.start, "tau2", reaction=first.end), fx.Force(second.end, "F"),
    )  # fmt: skip


@model
def two_link_arm_with_an_elbow() -> fx.Model:
    hub, tip = fx.RigidBody("hub", m="M", I="J"), fx.RigidBody("tip", m="m", I="I_t")
    elbow, motor = fx.RigidBody("elbow", m="m_e", I="I_e"), fx.RigidBody("motor", m="m_m", I="I_m")
    first = fx.RayleighBeam("b1", EI="EI1", rho="rho1", length="l1", rotary_inertia="J1")
    second = fx.TimoshenkoBeam("b2", EI="EI2", rho="rho2", length="l2", kGA="kGA", rotary_inertia="J2")
    return fx.Model(
        fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub.at("r0"), first.start),
        fx.Fixed(first.end, elbow.at("-d1")), fx.Revolute(elbow.at("d2", "d3"), motor, name="alpha"),
        fx.Fixed(motor.at("r2"), second.start), fx.Fixed(second.end, tip.at("-d")), fx.Gravity("g"),
    )  # fmt: skip


@model
def corner_on_a_hub() -> fx.Model:
    hub, tip = fx.RigidBody("hub", "M", "J"), fx.RigidBody("tip", "m", "I")
    first = fx.EulerBernoulliBeam("b1", EI="EI1", rho="rho1", length="l1")
    second = fx.EulerBernoulliBeam("b2", EI="EI2", rho="rho2", length="l2")
    return fx.Model(
        fx.Revolute(fx.ground, hub, name="q"), fx.Fixed(hub.at("r0"), first.start), fx.Gravity("g"),
        fx.Fixed(first.end, second.start, angle="pi/3"), fx.Fixed(second.end, tip.at("-d")), fx.Force(tip, "F"),
    )  # fmt: skip


@model
def beam_with_things_inside() -> fx.Model:
    hub, mass, tip = fx.RigidBody("hub", "M", "J"), fx.Mass("mass", "m"), fx.RigidBody("tip", "m_t", "I_t")
    beam = fx.EulerBernoulliBeam("b", EI="EI", rho="rho*(1 - x/(2*l))", length="l")
    return fx.Model(
        fx.Revolute(fx.ground, hub, name="q"), fx.Fixed(hub.at("r0"), beam.start), fx.Fixed(beam.at("l/3"), mass),
        fx.Fixed(beam.end, tip), fx.Spring(hub, beam.at("l/2"), k="k"), fx.Gravity("g"),
    )  # fmt: skip


@model
def shaft_with_discs() -> fx.Model:
    first, second = fx.RigidBody("d1", "m1", ("I1", 0, 0)), fx.RigidBody("d2", "m2", ("I2", "Iy", "Iz"))
    shaft = fx.Shaft("s", GJ="GJ", rotary_inertia="J", length="l", internal_damping="eta")
    return fx.Model(
        fx.Revolute(fx.ground, first, about="x", name="phi"), fx.Fixed(first, shaft.start), fx.Fixed(shaft.end, second),
        fx.Torque(first, "tau", about="x"), fx.TorsionSpring(fx.ground, second, k="k_t"),
    )  # fmt: skip


@model
def arm_hinged_to_a_shaft() -> fx.Model:
    """The end of the shaft turns its hinge about x, by a small angle that must be a rotation nonetheless."""
    disc, bar = fx.RigidBody("disc", "m1", ("I1", 0, 0)), fx.RigidBody("bar", "m", ("Ix", "Iy", "Iz"))
    shaft = fx.Shaft("s", GJ="GJ", rotary_inertia="J", length="l")
    return fx.Model(
        fx.Revolute(fx.ground, disc, about="x", name="phi"), fx.Fixed(disc, shaft.start), fx.Gravity("g"),
        fx.Revolute(shaft.end, bar.at("-d"), about="z", name="alpha"),
    )  # fmt: skip


@model
def body_hinged_to_a_rolled_beam() -> fx.Model:
    hub, body = fx.RigidBody("hub", "M", ("Jx", "Jy", "Jz")), fx.RigidBody("c", "m", ("Cx", "Cy", "Cz"))
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l")
    return fx.Model(
        fx.Revolute(fx.ground, hub, about="z", name="q"), fx.Revolute(beam.end, body.at("-d"), about="z", name="alpha"),
        fx.Fixed(hub.at("r0"), beam.start, angle="pi/4", about="x"),
    )  # fmt: skip


@model
def spring_along_its_line() -> fx.Model:
    body, corner = fx.RigidBody("a", "m", "I"), fx.ground.at("X0", "Y0")
    return fx.Model(
        fx.Free(fx.ground, body, names=("x", "y", "th")), fx.Damper(corner, body.at("p", "q"), c="c", along="line"),
        fx.Spring(corner, body.at("p", "q"), k="k", along="line", free_length="s0"), fx.Gravity("g"),
    )  # fmt: skip


@model
def knife_edge() -> fx.Model:
    sleigh = fx.RigidBody("sleigh", "m", "I")
    return fx.Model(
        fx.Free(fx.ground, sleigh, names=("x", "y", "theta")), fx.Torque(sleigh, "tau"),
        fx.Constraint("x_t*sin(theta) - y_t*cos(theta)"),
    )  # fmt: skip


def slider_crank(rod: Any) -> fx.Model:
    crank, slider = fx.RigidBody("crank", "m_c", "I_c"), fx.RigidBody("slider", "m_s", 0)
    near, far = (rod.start, rod.end) if isinstance(rod, fx.Member) else (rod.at("-d"), rod.at("e"))
    return fx.Model(
        fx.Revolute(fx.ground, crank.at("-a"), name="th1"), fx.Revolute(crank.at("b"), near, name="th2"),
        fx.Slide(fx.ground.at("X0"), slider, along="x", name="s"), fx.Revolute(far, slider, name="pin"),
        fx.Gravity("g"), fx.Force(slider, "F", along="x"), fx.Torque(crank, "tau"),
    )  # fmt: skip


@model
def slider_crank_with_a_cut() -> fx.Model:
    return slider_crank(fx.RigidBody("rod", "m_r", "I_r"))


@model
def slider_crank_with_a_rod_that_bends() -> fx.Model:
    return slider_crank(fx.EulerBernoulliBeam("rod", EI="EI", rho="rho", length="l"))


@model
def body_in_space() -> fx.Model:
    body = fx.RigidBody("a", "m", (("Ixx", "Ixy", "Ixz"), ("Ixy", "Iyy", "Iyz"), ("Ixz", "Iyz", "Izz")))
    return fx.Model(
        fx.Free(fx.ground, body, names=("x", "y", "z", "psi", "theta", "phi")), fx.Gravity("g", along="-z"),
        fx.Torque(body, "tau", about="x"), fx.Force(body.at("p", "q", "r"), "F", along=(1, 2, 2)),
    )  # fmt: skip


@model
def spacecraft_with_an_antenna() -> fx.Model:
    hub, tip = fx.RigidBody("hub", "M", ("Jx", "Jy", "Jz")), fx.RigidBody("tip", "m", ("Ix", "Iy", "Iz"))
    boom = fx.RayleighBeam("boom", EI="EI", rho="rho", length="l", rotary_inertia="J_r")
    return fx.Model(
        fx.Free(fx.ground, hub, names=("x", "y", "z", "psi", "theta", "phi")), fx.Fixed(hub.at("r0"), boom.start),
        fx.Fixed(boom.end, tip.at("-d", "-e", "-f")),
    )  # fmt: skip


class Pipe(fx.Member):
    """A pipe with a fluid: kinetic energy beyond that of its own mass."""

    def __init__(self, name: str) -> None:
        EI, rho, U, M = self.quantities(name, EI="EI", rho="rho", U="U", M="M")
        w = fx.Field("w", length="l")
        super().__init__(
            name, fields=(w,), potential=EI * w.xx**2 / 2, kinetic=rho * w.t**2 / 2 + M * (w.t + U * w.x) ** 2 / 2,
            ends={"transverse": w, "rotation": w.x}, displacement=(0, w, 0), rho=rho,
        )  # fmt: skip


@model
def pipe_with_a_valve() -> fx.Model:
    pipe = Pipe("pipe")
    return fx.Model(fx.Fixed(fx.ground, pipe.start), fx.Fixed(pipe.end, fx.RigidBody("valve", "m", "I")))


@model
def free_beam_under_gravity() -> fx.Model:
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", EA="EA")
    return fx.Model(beam, fx.Gravity("g"))


@pytest.mark.parametrize("name", MODELS)
def test_kane_agrees_with_the_surrogate_route(name: str) -> None:
    system = MODELS[name]()
    surrogate, kane = fx.derive(system), fx.derive(system, method="kane")
    result = fx.equivalent(surrogate, kane)
    assert result, result.difference
    assert result.how == "normal form"
    assert [(row.kind, row.name) for row in kane.derived] == [(row.kind, row.name) for row in surrogate.derived]


def test_foreshortening_is_that_of_the_energies_in_the_textbook() -> None:
    """From accelerations and the tension they make (the P form), against N1 written down as an energy."""
    hub, tip = fx.RigidBody("hub", "M", "J"), fx.Mass("tip", "m")
    beam = fx.EulerBernoulliBeam("arm", EI="EI", rho="rho", length="l", field="w")
    by_parts = fx.Model(
        fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub.at("r0"), beam.start), fx.Fixed(beam.end, tip),
        fx.Torque(hub, "tau(t)"), names={beam.end: "w_l"},
    )  # fmt: skip
    theta, w = fx.Coordinate("theta"), fx.Field("w", length="l")
    mu = "(rho*(r0*(l - x) + (l**2 - x**2)/2) + m*(r0 + l))"
    written = fx.Lagrangian(
        kinetic="J*theta_t**2/2 + m*(((r0 + l)*theta_t + w_l_t)**2 + (w_l*theta_t)**2)/2",
        density={w: f"rho*(((r0 + x)*theta_t + w_t)**2 + (w*theta_t)**2)/2 - EI*w_xx**2/2 - theta_t**2*{mu}*w_x**2/2"},
        work={theta: fx.Input("tau", of="t")},
        boundary={w.at(0): 0, w.slope(0): 0, w.at("l"): fx.Coordinate("w_l")},
    )
    result = fx.equivalent(fx.derive(by_parts, method="kane"), fx.derive(written))
    assert result, result.difference
    assert result.how == "normal form"


def test_it_does_not_read_the_energies() -> None:
    system = arm_in_lag().lagrangian
    tripled = {
        name: {key: 3 * f for key, f in value.items()} if isinstance(value, dict) else 3 * value
        for name, value in ((one, getattr(system, one)) for one in ("kinetic", "potential", "dissipation", "density"))
    }
    parts = {name: getattr(system, name) for name in system.__dataclass_fields__}
    other = fx.Lagrangian.of_parts(**parts | tripled | {"work": {}, "work_density": {}})
    assert fx.derive(other, method="kane").derived == fx.derive(system, method="kane").derived


@pytest.mark.parametrize("lost", ["carried", "shifts", "springs", "forces", "line_loads", "stored"])
def test_what_is_lost_from_the_motion_is_noticed(lost: str) -> None:
    system = beam_with_things_inside() if lost == "springs" else arm_in_lag()
    energies = system.lagrangian
    less = replace(energies.motion, **{lost: {} if lost == "stored" else getattr(energies.motion, lost)[1:]})
    parts = {name: getattr(energies, name) for name in energies.__dataclass_fields__}
    other = fx.Lagrangian.of_parts(**parts | {"motion": less})
    assert not fx.equivalent(fx.derive(energies), fx.derive(other, method="kane"))


def test_rows_are_as_short_as_the_surrogate_routes() -> None:
    for make in (cart_and_bar, knife_edge, example_one_from_a, arm_in_lag):
        system = make()
        assert str(fx.derive(system, method="kane")) == str(fx.derive(system))


def test_verify_includes_kane_where_velocities_are_known() -> None:
    equations = fx.derive(arm_in_lag())
    certificate = fx.verify(equations)
    assert certificate
    assert {one.method: one.how for one in certificate.compared}["kane"] == "normal form"
    read = fx.Equations.from_json(equations.to_json())
    again = fx.verify(read)
    assert again
    assert "energies alone" in again.skipped["kane"]


def test_it_needs_velocities() -> None:
    with pytest.raises(fx.FlexuraError, match="needs velocities, and this system was given by its energies alone"):
        fx.derive(gallery.example("example-one"), method="kane")


def test_the_steps_tell_the_derivation() -> None:
    equations = fx.derive(example_one_from_a(), method="kane")
    steps = equations.steps
    assert [one.number for one in steps] == list(range(1, len(steps) + 1))
    assert [one.title for one in steps] == [
        "Generalized speeds", "Velocities", "Partial velocities", "Generalized active forces",
        "Generalized inertia forces", "Inside the spines", "Speeds and ends",
    ]  # fmt: skip
    shown = [row_text(row, equations.lagrangian) for row in steps[2].content]
    assert "v_beam_y_q3 = 1" in shown
    assert "v_c_y_q4 = 1" in shown
    assert "F_q5 = −EI η ∂³q3/∂x²∂t|x=l − EI ∂²q3/∂x²|x=l" in [
        row_text(row, equations.lagrangian) for row in steps[3].content
    ]
    inertia = [row_text(row, equations.lagrangian) for row in steps[4].content]
    assert "F_inertia_q4 = −m_c (q̈1 + q̈4)" in inertia
    assert all(isinstance(one, sp.Eq) for step in steps for one in step.formulas)


# -- speeds of the user's own ----------------------------------------------------------------------------------------

SLEIGH = {"v": "x_t*cos(theta) + y_t*sin(theta)", "omega": "theta_t"}


def test_speeds_are_combinations_of_rates() -> None:
    system = pendulum_chain()
    speeds = {"u0": "th0_t", "u1": "th0_t + th1_t", "u2": "th0_t + th1_t + th2_t"}
    equations = fx.derive(system, method="kane", speeds=speeds)
    assert list(equations.ordinary) == ["u0", "u1", "u2"]
    plain = fx.derive(system)
    assert fx.equivalent(plain, equations)
    assert fx.equivalent(equations, plain)
    assert fx.verify(equations)
    tip, inner = plain.ordinary["th2"], plain.ordinary["th1"]
    difference = sp.expand((inner.lhs - inner.rhs) - (tip.lhs - tip.rhs))
    row = equations.ordinary["u1"]
    assert sp.simplify(sp.expand_trig(sp.expand(row.lhs - row.rhs) - difference)) == 0


def test_speeds_that_change_a_wrong_way_are_noticed() -> None:
    system = pendulum_chain()
    equations = fx.derive(system, method="kane", speeds={"u0": "th0_t", "u1": "th0_t + th1_t"})
    wrong = replace(equations, speeds=equations.speeds | {"u1": equations.speeds["u0"] + equations.speeds["u1"]})
    assert fx.equivalent(fx.derive(system), equations)
    assert not fx.equivalent(fx.derive(system), wrong)


def test_independent_speeds_hold_no_multiplier() -> None:
    """The reduced form: as many speeds as the knife edge leaves free; the third row tells the reaction."""
    equations = fx.derive(knife_edge(), method="kane", speeds=SLEIGH)
    t, m, I, tau = sp.symbols("t m I tau")
    x, y, theta = (sp.Function(name)(t) for name in ("x", "y", "theta"))
    assert list(equations.ordinary) == ["v", "omega", "u_lambda_1"]
    along, turning, across = equations.ordinary.values()
    assert sp.expand(along.lhs - m * (x.diff(t, 2) * sp.cos(theta) + y.diff(t, 2) * sp.sin(theta)) - along.rhs) == 0
    assert sp.expand(turning.lhs - turning.rhs - I * theta.diff(t, 2) + tau) == 0
    assert across.has(sp.Function("lambda_1"))
    assert fx.equivalent(fx.derive(knife_edge()), equations)
    assert fx.verify(equations)


def test_speeds_stay_with_the_equations() -> None:
    equations = fx.derive(knife_edge(), method="kane", speeds=SLEIGH)
    read = fx.Equations.from_json(equations.to_json())
    assert read.speeds == equations.speeds
    assert fx.equivalent(read, fx.derive(knife_edge()))
    change = equations.steps[1]
    assert change.title == "Change of speeds"
    assert "hold no multiplier" in change.text
    assert len(change.formulas) == 3 + 5


def test_speeds_beside_fields_prescribed_motion_and_tangents() -> None:
    system = two_link_arm()
    speeds = {"u": "theta_t + alpha_t + theta_b1_end_t", "s": "theta_t", "n": "tan(alpha)*alpha_t + y_b1_end_t",
              "p": "y_b1_end_t"}  # fmt: skip
    assert fx.equivalent(fx.derive(system), fx.derive(system, method="kane", speeds=speeds))
    driven = arm_spun_at_a_given_speed()
    ends = {"u": "y_arm_end_t + l*theta_arm_end_t + r0*theta_t", "s": "theta_arm_end_t"}
    assert fx.equivalent(fx.derive(driven), fx.derive(driven, method="kane", speeds=ends))


@pytest.mark.parametrize(
    ("speeds", "said"),
    [
        ({"u": "x_t**2"}, "not linear in the rates"),
        ({"u": "z_t"}, "holds z_t, which is no coordinate, rate or parameter"),
        ({"u": "x_tt"}, "holds x_tt, which is no coordinate, rate or parameter"),
        ({"x": "x_t"}, "has the name of something else"),
        ({"u": "x_t", "v": "2*x_t"}, "hold the rates of x; give as many independent speeds"),
        ({"u": "x_t + y_t", "v": "2*x_t + 2*y_t"}, "not independent of one another"),
        ({"u": "3"}, "hold the rates of no coordinate"),
        ({"sin": "x_t"}, "a word of the expression grammar"),
    ],
)
def test_speeds_that_make_no_sense_are_refused(speeds: dict[str, str], said: str) -> None:
    with pytest.raises(fx.FlexuraError, match=said.replace("*", r"\*")):
        fx.derive(knife_edge(), method="kane", speeds=speeds)


def test_other_routes_have_no_speeds() -> None:
    with pytest.raises(fx.FlexuraError, match="'surrogate' has no generalized speeds to choose"):
        fx.derive(knife_edge(), speeds=SLEIGH)
