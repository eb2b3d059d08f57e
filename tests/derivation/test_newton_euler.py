"""Newton's and Euler's equations of every body: the same motion as from the energies, and the reactions besides."""

import random
from typing import Any

import numpy as np
import pytest
import symengine
import sympy as sp
from hypothesis import HealthCheck, assume, given, settings

import flexura as fx
from flexura.symbolic.jets import Jet
from flexura.symbolic.zero import verdict
from random_models import Drawn, models

t, m, g, L, M, I = sp.symbols("t m g L M I")
theta = sp.Function("theta")(t)


def agrees(model: fx.Model, regular: bool = True) -> fx.Equations:
    """Newton-Euler against the surrogate route, and every reaction against the equations of each body."""
    found, other = fx.derive(model, method="newton_euler"), fx.derive(model)
    result = fx.equivalent(other, found)
    assert result, result.difference
    assert [row.name for row in found.derived] == [row.name for row in other.derived]
    if all(hold.determined for hold in model.lagrangian.motion.free_bodies.holds):
        left_over = imbalance(found)
        assert left_over is not None or not regular
        assert left_over is None or left_over < 1e-7
    return found


def imbalance(equations: fx.Equations) -> float | None:
    """What is left of the equations of each body with reactions and accelerations put in; None if there are several."""
    energies, generator = equations.lagrangian, random.Random(7)
    constraints = []
    for f in energies.constraints.values():
        rated = any(jet.t for jet in energies.jets.unknowns(f))
        constraints.append(energies.driven(energies.jets.D_t(f if rated else energies.jets.D_t(f))))
    residuals = [row.residual.local for row in equations.derived if row.kind == "ordinary"] + constraints
    unknown = [Jet(name, t=2).symbol for name in energies.coordinates]
    unknown += [symengine.Symbol(name) for name in energies.multipliers]
    bodies = [row.residual.map(energies.driven).local for row in equations.steps[2].content]
    reactions = {
        symengine.Symbol(row.name): row.right.local
        for row in equations.steps[4].content
        if row.name not in energies.prescribed
    }
    symbols = sorted({one for f in (*residuals, *bodies, *reactions.values()) for one in f.free_symbols}, key=str)
    state = {one: symengine.RealDouble(generator.uniform(0.5, 1.5)) for one in symbols if one not in unknown}
    matrix = np.array([[number(f.diff(one), state) for one in unknown] for f in residuals])
    if unknown and np.linalg.matrix_rank(matrix) < len(unknown):
        return None
    if unknown:
        nothing = dict.fromkeys(unknown, symengine.Integer(0))
        right = [-number(f.xreplace(nothing), state) for f in residuals]
        state |= dict(zip(unknown, map(symengine.RealDouble, np.linalg.solve(matrix, right)), strict=True))
    state |= {name: symengine.RealDouble(number(f, state)) for name, f in reactions.items()}
    return max((abs(number(f, state)) for f in bodies), default=0.0)


def number(f: Any, state: dict[Any, Any]) -> float:
    return float(f.xreplace(state).n(53, real=True))


def bar(name: str = "bar") -> fx.RigidBody:
    return fx.RigidBody(name, m="M", I="M*L**2/12")


def test_the_tension_in_a_pendulum_carries_weight_and_centrifugal_force() -> None:
    bob = fx.Mass("bob", m="m")
    model = fx.Model(fx.Revolute(fx.ground, bob.at(0, "L"), name="theta"), fx.Gravity("g"))
    found = fx.joint_reactions(agrees(model))
    assert list(found) == ["R_theta_x", "R_theta_y"]
    up = (-sp.sin(theta), sp.cos(theta))  # from the bob to the pivot
    tension = sum(found[f"R_theta_{axis}"].rhs * e for axis, e in zip("xy", up, strict=True))
    assert sp.simplify(tension - (m * g * sp.cos(theta) + m * L * theta.diff(t) ** 2)) == 0


def test_reactions_are_what_p_exerts_on_q() -> None:
    """The order of the two bodies turns the sign of the coordinate and of the reaction, and nothing else."""
    found = {}
    for sign in (1, -1):
        pair = (fx.ground, bar().at(0, "L/2"))
        model = fx.Model(fx.Revolute(*pair[::sign], name="theta"), fx.Gravity("g"))
        found[sign] = fx.joint_reactions(agrees(model))
    for name, equation in found[1].items():
        assert sp.simplify(equation.rhs + found[-1][name].rhs.subs(theta, -theta).doit()) == 0


def test_a_cart_on_a_smooth_floor_feels_no_moment_from_a_pin_at_its_centre() -> None:
    cart = fx.Mass("cart", m="m")
    model = fx.Model(
        fx.Slide(fx.ground, cart, along="x", name="x"), fx.Revolute(cart, bar().at(0, "L/2"), name="theta"),
        fx.Gravity("g"), fx.Spring(fx.ground, cart, k="k", along="x"), fx.Damper(fx.ground, cart, c="c", along="x"),
    )  # fmt: skip
    found = fx.joint_reactions(agrees(model))
    assert found["M_x_z"].rhs == 0
    assert sp.expand(found["R_x_y"].rhs - found["R_theta_y"].rhs - m * g) == 0
    assert "R_x_x" not in found
    assert "M_theta_z" not in found


def test_a_rotor_out_of_balance_loads_its_bearing() -> None:
    """Mass centre off the axis by e: m e Omega^2; axes of inertia off it: omega x J omega."""
    tensor = (("Jx", 0, "Jxz"), (0, "Jy", 0), ("Jxz", 0, "Jz"))
    rotor = fx.RigidBody("rotor", m="m", I=tensor)
    model = fx.Model(fx.Revolute(fx.ground, rotor.at("-e"), name="theta", motion="Omega*t"))
    found = {name: one.rhs for name, one in fx.joint_reactions(agrees(model)).items()}
    e, Omega, Jxz = sp.symbols("e Omega Jxz")
    c, s = sp.cos(Omega * t), sp.sin(Omega * t)
    assert sp.expand(found["R_theta_x"] + m * e * Omega**2 * c) == 0
    assert sp.expand(found["M_theta_x"] + Jxz * Omega**2 * s) == 0
    assert sp.expand(found["M_theta_y"] - Jxz * Omega**2 * c) == 0
    assert found["M_theta_z"] == 0  # at constant speed nothing drives it


def test_the_reactions_of_a_weld() -> None:
    """A bracket on a spinning arm: its weld holds the bracket against weight and centrifugal force."""
    arm, bracket = fx.RigidBody("arm", m=0, I="I"), fx.Mass("bracket", m="m")
    model = fx.Model(fx.Revolute(fx.ground, arm, name="theta"), fx.Fixed(arm.at("L"), bracket), fx.Gravity("g"))
    found = fx.joint_reactions(agrees(model))
    assert {"R_arm_bracket_x", "R_arm_bracket_y", "M_arm_bracket_z"} <= set(found)
    assert sp.expand(found["R_arm_bracket_y"].rhs - found["R_theta_y"].rhs) == 0
    assert found["M_arm_bracket_z"].rhs == 0


def test_bodies_welded_to_ground_are_statics() -> None:
    post = bar("post")
    model = fx.Model(
        fx.Fixed(fx.ground, post.at(0, "-L/2")), fx.Revolute(post.at(0, "L/2"), bar().at(0, "L/2"), name="theta"),
        fx.Gravity("g"),
    )  # fmt: skip
    found = {name: one.rhs for name, one in fx.joint_reactions(agrees(model)).items()}
    assert sp.expand(found["R_ground_post_x"] - found["R_theta_x"]) == 0
    assert sp.expand(found["R_ground_post_y"] - found["R_theta_y"] - M * g) == 0
    assert sp.expand(found["M_ground_post_z"] + L * found["R_theta_x"]) == 0


def test_welds_in_a_loop_cannot_be_told_apart() -> None:
    a, b, c = (fx.RigidBody(name, m="m", I="I") for name in "abc")
    welds = (fx.Fixed(a, b), fx.Fixed(b, c), fx.Fixed(c, a))
    model = fx.Model(fx.Revolute(fx.ground, a.at("L"), name="theta"), *welds, fx.Gravity("g"))
    equations = fx.derive(model, method="newton_euler")
    assert fx.equivalent(fx.derive(model), equations)
    assert set(fx.joint_reactions(equations)) == {"R_theta_x", "R_theta_y"}
    assert "form a loop" in equations.steps[4].text


LINKS = [fx.RigidBody(f"link{i}", m=f"m{i}", I=f"I{i}") for i in range(3)]
CHAIN = (
    fx.Revolute(fx.ground, LINKS[0].at("-a/2"), name="q1"),
    fx.Revolute(LINKS[0].at("a/2"), LINKS[1].at("-b/2"), name="q2"),
)
THIRD = fx.Revolute(LINKS[1].at("b/2"), LINKS[2].at("-c/2"), name="q3")
SPIN = fx.Revolute(fx.ground.at(0, "h"), LINKS[1], name="q2")
LOOPS = {
    "four-bar": (*CHAIN, THIRD, fx.Revolute(LINKS[2].at("c/2"), fx.ground.at("d"), name="cut")),
    "four-bar, other way round": (*CHAIN, THIRD, fx.Revolute(fx.ground.at("d"), LINKS[2].at("c/2"), name="cut")),
    "slider-crank": (*CHAIN, fx.Slide(fx.ground, LINKS[1].at("b/2"), along="x", name="cut")),
    "inclined guide": (*CHAIN, fx.Slide(fx.ground.at("a + b"), LINKS[1].at("b/2"), along=(1, 1, 0), name="cut")),
    "quick return": (
        CHAIN[0], SPIN, fx.Revolute(LINKS[1].at("r"), LINKS[2], name="q3"), fx.Slide(LINKS[0], LINKS[2], along="x"),
    ),
    "guide on the slider": (
        CHAIN[0], SPIN, fx.Revolute(LINKS[1].at("r"), LINKS[2], name="q3"), fx.Slide(LINKS[2], LINKS[0], along="x"),
    ),
    "turned block": (
        CHAIN[0], fx.Fixed(LINKS[0].at("a/2"), LINKS[1], angle="pi/2"), fx.Revolute(LINKS[1], LINKS[2], name="q2"),
        fx.Slide(fx.ground.at("a"), LINKS[2], along="y", name="cut"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("loop", LOOPS)
def test_where_a_loop_is_cut_the_multipliers_are_forces_on_bodies(loop: str) -> None:
    model = fx.Model(*LOOPS[loop], fx.Gravity("g"), fx.Torque(LINKS[0], "tau"))
    energies = model.lagrangian
    assert energies.constraints
    at_rest = {symengine.Symbol(name): 0 for name in energies.coordinates}
    for name, f in energies.constraints.items():
        if name.endswith("_rz"):  # a condition on an angle holds nothing if its gradient vanishes where it holds
            assert any(f.diff(one).subs(at_rest) != 0 for one in at_rest)
    agrees(model)


def test_a_slide_along_a_slanted_guide_leaves_its_body_free_along_it() -> None:
    """The guide holds one direction, across it: one condition on the position, not two."""
    model = fx.Model(*LOOPS["inclined guide"])
    assert set(model.lagrangian.constraints) == {"lambda_cut_n1", "lambda_cut_rz"}


def test_a_loop_in_space_closed_by_a_slanted_hinge() -> None:
    links = [fx.RigidBody(f"link{i}", m=f"m{i}", I=(f"Ix{i}", f"Iy{i}", f"Iz{i}")) for i in range(2)]
    model = fx.Model(
        fx.Revolute(fx.ground, links[0].at("-a/2"), name="q1"),
        fx.Revolute(links[0].at("a/2"), links[1].at("-b/2"), about="y", name="q2"),
        fx.Revolute(links[1].at("b/2"), fx.ground.at("a + b"), about=(1, 1, 0), name="cut"),
    )
    assert {"lambda_cut_r1", "lambda_cut_r2"} <= set(model.lagrangian.constraints)
    assert fx.equivalent(fx.derive(model), fx.derive(model, method="newton_euler"))


def test_a_motor_turns_arm_and_mount_oppositely_in_space() -> None:
    """Between the two a link turns about another axis, so the axes of arm and mount are not those of one another."""
    mount, link, arm = (fx.RigidBody(name, m="m", I=("Ix", "Iy", "Iz")) for name in ("mount", "link", "arm"))
    agrees(fx.Model(
        fx.Revolute(fx.ground, mount, name="p"), fx.Revolute(mount, link, about="y", name="q"),
        fx.Revolute(link, arm, about="z", name="s"), fx.Torque(arm, "tau", about="x", reaction=mount),
    ))  # fmt: skip


def test_a_constraint_in_words_acts_between_the_bodies_of_the_joints_it_names() -> None:
    skate = fx.RigidBody("skate", m="m", I="I")
    model = fx.Model(
        fx.Free(fx.ground, skate, names=("x", "y", "theta")), fx.Constraint("x_t*sin(theta) - y_t*cos(theta)"),
        fx.Force(skate, "F", along="x"),
    )  # fmt: skip
    found = fx.joint_reactions(agrees(model))
    assert {"R_x_x", "R_x_y"} <= set(found)
    assert "M_x_z" not in found  # nothing holds the heading


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(models(size=(2, 4), members=False, spatial=False, supports=False))
def test_random_machines_in_the_plane(drawn: Drawn) -> None:
    model = drawn.model
    assume(not model.lagrangian.motion.free_bodies.refusal)
    agrees(model, regular=False)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(models(size=(1, 2), members=False, spatial=True, supports=False))
def test_random_machines_in_space(drawn: Drawn) -> None:
    model = drawn.model
    assume(not model.lagrangian.motion.free_bodies.refusal)
    agrees(model, regular=False)


def test_the_spin_of_a_body_is_that_of_its_rotation() -> None:
    """Angular velocities added joint by joint are those of the rotation matrix: R' R^T."""
    body, other = (fx.RigidBody(name, m="m", I=("Ix", "Iy", "Iz")) for name in "ab")
    free = fx.Free(fx.ground, body, names=("x", "y", "z", "psi", "theta", "phi"))
    energies = fx.Model(free, fx.Revolute(other, body, about="x", name="q")).lagrangian
    for one in energies.motion.free_bodies.bodies:
        rates = [[energies.jets.D_t(f) for f in row] for row in one.rotation]
        skew = symengine.DenseMatrix(rates) * symengine.DenseMatrix([list(row) for row in one.rotation]).T
        assert all(verdict(skew[i, j] - f) for (i, j), f in zip(((2, 1), (0, 2), (1, 0)), one.spin, strict=True))


def test_the_steps_tell_free_bodies_equations_elimination_and_reactions_also_after_json() -> None:
    model = fx.Model(fx.Revolute(fx.ground, bar().at(0, "L/2"), name="theta"), fx.Gravity("g"))
    equations = fx.derive(model, method="newton_euler")
    titles = [step.title for step in equations.steps]
    assert titles == [
        "Free bodies", "Positions and spins", "Newton and Euler for each body", "Elimination of the reactions",
        "Reactions",
    ]  # fmt: skip
    assert equations.steps[0].text == "bar: weight, reactions at theta."
    assert len(equations.steps[2].formulas) == 3  # a planar body has three
    back = fx.Equations.from_json(equations.to_json())
    assert fx.joint_reactions(back) == fx.joint_reactions(equations)
    assert back.ordinary == equations.ordinary


def test_what_it_refuses() -> None:
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l")
    post, q = bar("post"), fx.Coordinate("q")
    alone = fx.Lagrangian(kinetic=q.t**2, potential=q**2)
    cases: dict[str, Any] = {
        r"flexible members \(beam\)": fx.Model(fx.Fixed(fx.ground, beam.start)),
        r"small motion \(theta_post\).*Revolute": fx.Model(
            fx.Pin(fx.ground, post.at("L")), fx.TorsionSpring(fx.ground, post, k="k")
        ),
        "energies alone": alone,
    }
    for sentence, system in cases.items():
        with pytest.raises(fx.FlexuraError, match=sentence):
            fx.derive(system, method="newton_euler")
        certificate = fx.verify(fx.derive(system))
        assert certificate
        assert "newton_euler" in certificate.skipped
    with pytest.raises(fx.FlexuraError, match="leaves the reactions out"):
        fx.joint_reactions(fx.derive(cases[r"flexible members \(beam\)"]))
