"""Ball, universal, cylindrical and planar joints, pins in space, angles and names of connections."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import flexura as fx
from flexura.model.files.reading import model_of_text

ANGLES = st.floats(-1.2, 1.2)
STRAIGHT = st.floats(-2, 2)


def body(name="b", **more):
    return fx.RigidBody(name, m=1.5, I=(0.3, 0.4, 0.6), **more)


def placed(model, place, **initial):
    """Where a place is at the start, in space."""
    run = fx.simulate(fx.derive(model), [0.0, 1e-4], initial=initial)
    return run.position(place)[0]


def about(axis, angle):
    axis = np.asarray(axis, float)
    return Rotation.from_rotvec(angle * axis / np.linalg.norm(axis)).as_matrix()


X, Y, Z = np.eye(3)
ARM = (0.3, -0.2, 0.5)

# -- kinematics, against rotation matrices of SciPy --------------------------------------------------------------------


@settings(max_examples=5, deadline=None)
@given(ANGLES, ANGLES, ANGLES)
def test_a_ball_turns_by_the_angles_of_free(psi, theta, phi):
    top = body()
    model = fx.Model(fx.Spherical(fx.ground.at(1, 0, 0), top, names=("psi", "theta", "phi")))
    expected = X + about(Z, psi) @ about(Y, theta) @ about(X, phi) @ ARM
    np.testing.assert_allclose(placed(model, top.at(*ARM), psi=psi, theta=theta, phi=phi), expected, atol=1e-12)


@settings(max_examples=5, deadline=None)
@given(ANGLES, ANGLES)
def test_a_universal_joint_turns_about_an_axis_of_p_then_of_q(alpha, beta):
    fork = body()
    model = fx.Model(fx.Universal(fx.ground, fork, about=("y", (1, 0, 1))))
    expected = about(Y, alpha) @ about((1, 0, 1), beta) @ ARM
    np.testing.assert_allclose(placed(model, fork.at(*ARM), alpha_b=alpha, beta_b=beta), expected, atol=1e-12)


@settings(max_examples=5, deadline=None)
@given(STRAIGHT, ANGLES)
def test_a_cylindrical_joint_has_a_translation_then_an_angle(s, theta):
    rod = body()
    model = fx.Model(fx.Cylindrical(fx.ground, rod, along="-y", names=("s", "theta"), angle="30 deg"))
    expected = -s * Y + about(-Y, theta + np.pi / 6) @ ARM
    np.testing.assert_allclose(placed(model, rod.at(*ARM), s=s, theta=theta), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("normal", "first", "second"), [("z", X, Y), ("x", Y, Z), ("y", Z, X), ("-z", X, -Y), ((1, 0, -1), X + Z, -Y)]
)
def test_a_planar_joint_has_two_translations_then_an_angle(normal, first, second):
    puck = body()
    model = fx.Model(fx.Planar(fx.ground, puck, normal=normal, names=("u", "v", "theta")))
    axis = dict(zip("xyz", np.eye(3), strict=True)).get(normal[-1] if isinstance(normal, str) else "", None)
    axis = np.asarray(normal, float) if axis is None else axis * (-1 if normal[0] == "-" else 1)
    expected = 0.4 * first / np.linalg.norm(first) - 1.1 * second + about(axis, 0.7) @ ARM
    np.testing.assert_allclose(placed(model, puck.at(*ARM), u=0.4, v=-1.1, theta=0.7), expected, atol=1e-12)


def test_coordinates_are_called_after_the_part_and_in_the_order_of_the_joint():
    top, fork, rod, puck = (body(name) for name in ("top", "fork", "rod", "puck"))
    model = fx.Model(
        fx.Spherical(fx.ground, top),
        fx.Universal(top, fork),
        fx.Cylindrical(fork, rod),
        fx.Planar(rod, puck, normal="x"),
    )
    assert fx.derive(model).coordinates == (
        *("psi_top", "theta_top", "phi_top", "alpha_fork", "beta_fork", "s_rod", "theta_rod"),
        *("y_puck", "z_puck", "theta_puck"),
    )


# -- motion, against what textbooks say --------------------------------------------------------------------------------


def test_a_top_precesses_steadily_where_the_quadratic_says():
    """Symmetric top about its x axis, held at its tip: (C - A) cos a Omega^2 ... with a the nutation from vertical.

    With x upward at theta = -pi/2 the nutation a is theta + pi/2; spin n about x, precession Omega about z:
    A Omega^2 cos a sin a - C n_total Omega sin a + m g l sin a = 0 (Goldstein, Classical Mechanics, 5.7).
    """
    m, l, A, C, g, tilt, fast = 2.0, 0.4, 0.5, 0.2, 9.81, 0.6, 3.0
    top = fx.RigidBody("top", m=m, I=(C, A - m * l**2, A - m * l**2))
    equations = fx.derive(fx.Model(fx.Spherical(fx.ground, top.at(-l, 0, 0)), fx.Gravity(along="-z")))
    total = (A * fast**2 * np.cos(tilt) + m * g * l) / (C * fast)  # spin about its own axis, precession included
    state = {"theta_top": tilt - np.pi / 2, "psi_top_t": fast, "phi_top_t": total - fast * np.cos(tilt)}
    found = fx.accelerations(equations, state)
    assert max(abs(one) for one in found.values()) < 1e-12
    state["phi_top_t"] += 0.1
    assert abs(fx.accelerations(equations, state)["theta_top"]) > 1e-3


def test_two_shafts_on_a_universal_joint_turn_as_hooke_says():
    """tan(into) = tan(out) cos(bend), the cross being the cut of the loop."""
    bend = 0.5
    inner, housing, outer = body("inner"), body("housing"), body("outer")
    model = fx.Model(
        fx.Revolute(fx.ground, inner, about="x", name="into", motion="2*t"),
        fx.Fixed(fx.ground, housing, angle=bend),
        fx.Revolute(housing, outer, about="x", name="out"),
        fx.Universal(inner, outer, about=("y", "z"), name="cross"),
    )
    equations = fx.derive(model)
    assert fx.verify(equations)
    t = np.linspace(0, 3, 31)
    run = fx.simulate(equations, t)
    into = 2 * t
    expected = np.arctan2(np.sin(into) / np.cos(bend), np.cos(into))
    np.testing.assert_allclose(run["out"], np.unwrap(expected), atol=1e-7)


def test_a_pin_in_space_is_a_ball_joint():
    """Between rigid bodies, ground included; the model is spatial by its other joint."""

    def chain(kind):
        first, second = body("first"), body("second")
        return fx.derive(
            fx.Model(
                fx.Revolute(fx.ground, first, about="y", name="q"),
                kind(first.at(0.4, 0, 0), second.at(-0.3, 0, 0.1), name="ball"),
                fx.Gravity(along="-z"),
            )
        )

    pinned, ball = chain(fx.Pin), chain(fx.Spherical)
    assert pinned.coordinates == ball.coordinates == ("q", "psi_second", "theta_second", "phi_second")
    state = {"q": 0.3, "q_t": -1, "psi_second": 1.2, "theta_second": 0.4, "phi_second_t": 2, "psi_second_t": -0.7}
    assert fx.accelerations(pinned, state) == pytest.approx(fx.accelerations(ball, state), rel=1e-12)
    assert fx.verify(pinned)
    assert "R_ball_x" in fx.joint_reactions(fx.derive(chain_model(), method="newton_euler"))


def chain_model():
    first, second = body("first"), body("second")
    return fx.Model(
        fx.Revolute(fx.ground, first, about="y", name="q"),
        fx.Pin(first.at(0.4, 0, 0), second, angle="90 deg", about="y", name="ball"),
        fx.Gravity(along="-z"),
    )


def test_a_pin_with_an_angle_is_proved_in_space():
    assert fx.verify(fx.derive(chain_model()))


def test_a_pin_inside_one_frame_of_members_stays_small():
    """A spatial beam clamped to ground at one end, its end body pinned to ground: nothing turns far there."""
    beam = fx.SpatialBeam("beam", EA=1e4, EIy=5.0, EIz=5.0, GJ=4.0, rho=1.0, length=1.0)
    block = body("block")
    model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Fixed(beam.end, block), fx.Pin(fx.ground, block))
    assert "psi_block" not in fx.derive(model).coordinates
    assert fx.verify(fx.derive(model))


# -- angles ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("angle", ["90 deg", 0.7, "beta"])
@pytest.mark.parametrize("swapped", [False, True])
def test_an_angle_of_a_joint_turns_q_where_the_coordinate_is_zero(angle, swapped):
    first, second = body("first"), body("second")
    ends = (first.at(0.2, 0.1, 0), second.at(0.3, 0, 0.2))
    for joint in (
        lambda p, q: fx.Revolute(p, q, about="y", name="q", angle=angle),
        lambda p, q: fx.Slide(p, q, along="x", name="q", angle=angle, about="y"),
        lambda p, q: fx.Cylindrical(p, q, along=(1, 2, 0), angle=angle, names=("q", "r")),
        lambda p, q: fx.Planar(p, q, normal="x", angle=angle, names=("q", "r", "s")),
    ):
        made = joint(*reversed(ends)) if swapped else joint(*ends)
        model = fx.Model(fx.Revolute(fx.ground, first, about="x", name="p"), made, fx.Gravity(along="-z"))
        assert fx.verify(fx.derive(model))


def test_an_angle_is_as_good_as_a_coordinate_that_starts_there():
    def pendulum(angle):
        bob = body("bob")
        model = fx.Model(fx.Revolute(fx.ground, bob.at(0, 0.5, 0), name="q", angle=angle), fx.Gravity())
        return fx.derive(model)

    turned = fx.accelerations(pendulum(0.6), {"q": 0.2, "q_t": 1})
    assert turned == pytest.approx(fx.accelerations(pendulum(0), {"q": 0.8, "q_t": 1}), rel=1e-13)


def test_rollers_and_pins_turn_members_as_fixed_does():
    """A truss of three rods by their angles, as with Fixed and angles: the same frequencies."""

    def truss(kind, **more):
        first, second = (fx.Rod(n, EA=100.0, rho=1.0, length=1.0) for n in ("first", "second"))
        node = fx.Mass("node", m=1.0)
        return fx.Model(
            fx.Pin(fx.ground, first.start, angle="30 deg"),
            kind(first.end, node, **more),
            fx.Pin(node, second.start, angle="90 deg"),
            fx.Pin(second.end, fx.ground),
        )

    assert fx.derive(truss(fx.Pin)).coordinates
    np.testing.assert_allclose(
        fx.modes(fx.derive(truss(fx.Pin)), 3).frequencies, fx.modes(fx.derive(truss(fx.Fixed)), 3).frequencies
    )


def test_an_angle_in_a_loop_is_checked():
    def four_bar(angle):
        crank, rod, rocker = body("crank"), body("rod"), body("rocker")
        return fx.Model(
            fx.Revolute(fx.ground.at(0, 0), crank.at(-1, 0), angle="90 deg", name="q1"),
            fx.Revolute(crank.at(1, 0), rod.at(-1, 0), angle="-90 deg", name="q2"),
            fx.Revolute(rod.at(1, 0), rocker.at(-1, 0), angle="-90 deg", name="q3"),
            fx.Revolute(rocker.at(1, 0), fx.ground.at(2, 0), angle=angle, name="q4"),
        )

    assert fx.verify(fx.derive(four_bar("90 deg")))
    assert fx.verify(fx.derive(four_bar(0)))  # none given, none checked
    with pytest.raises(fx.FlexuraError, match="contradicts the other connections"):
        fx.derive(four_bar("45 deg"))


# -- names -------------------------------------------------------------------------------------------------------------


def test_a_connection_names_its_reactions_and_multipliers():
    crank, rod = body("crank"), body("rod")
    model = fx.Model(
        fx.Revolute(fx.ground.at(0, 0), crank.at(-1, 0), name="q1"),
        fx.Revolute(crank.at(1, 0), rod.at(-1, 0), name="q2"),
        fx.Pin(rod.at(1, 0), fx.ground.at(4, 0), name="hinge"),
    )
    assert {"lambda_hinge_x", "lambda_hinge_y"} == set(fx.derive(model).lagrangian.constraints)
    for joint in (fx.Fixed, fx.Pin, fx.Roller, fx.Free, fx.Spherical, fx.Universal, fx.Cylindrical, fx.Planar):
        assert joint(crank, rod, name="n").name == "n"
    assert fx.Slide(crank, rod, name="n").name == fx.Revolute(crank, rod, name="n").name == "n"
    with pytest.raises(fx.FlexuraError, match="Two connections are called n"):
        fx.derive(fx.Model(fx.Slide(fx.ground, crank, name="n"), fx.Fixed(crank, rod, name="n")))


def test_a_free_particle_has_two_names_in_the_plane_and_three_in_space():
    ball = fx.Mass("ball", m=1)
    model = fx.Model(fx.Free(fx.ground, ball, names=("x", "y")), fx.Gravity())
    assert fx.accelerations(fx.derive(model), {}) == pytest.approx({"x": 0, "y": -9.81})
    beside = fx.Slide(fx.ground, body(), along="z", name="s")
    model = fx.Model(beside, fx.Free(fx.ground, ball, names=("x", "y", "z")), fx.Gravity(along="-z"))
    assert fx.accelerations(fx.derive(model), {})["z"] == pytest.approx(-9.81)
    with pytest.raises(fx.FlexuraError, match="give three"):
        fx.derive(fx.Model(beside, fx.Free(fx.ground, ball, names=("x", "y"))))
    with pytest.raises(fx.FlexuraError, match="turns as well; give three"):
        fx.derive(fx.Model(fx.Free(fx.ground, body(), names=("x", "y"))))


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda a, b: fx.Spherical(a, b, names=("u", "v")), "is given 2 names; give three"),
        (lambda a, b: fx.Universal(a, b, names="u"), "is given one name; give two"),
        (lambda a, b: fx.Universal(a, b, about="x"), "give two axes"),
        (lambda a, b: fx.Universal(a, b, about=("x", "-x")), "turns twice about one axis"),
        (lambda a, b: fx.Cylindrical(a, b, along="w"), "The direction of Cylindrical"),
        (lambda a, b: fx.Planar(a, b, normal=(0, 0, 0)), "The direction of Planar"),
        (lambda a, b: fx.Planar(a, a), "connects a place to itself"),
        (lambda a, b: fx.Pin(a, b, name="two words"), "A connection is called"),
    ],
)
def test_what_is_wrong_is_said(made, said):
    with pytest.raises(fx.FlexuraError, match=said):
        made(body("a"), body("b"))


def test_the_same_words_in_a_file():
    text = """
    [parts.a]
    kind = "RigidBody"
    m = 1
    I = [1, 2, 2.5]

    [parts.b]
    kind = "RigidBody"
    m = 1
    I = [1, 2, 2.5]

    [parts.c]
    kind = "RigidBody"
    m = 1
    I = [1, 2, 2.5]

    [[connections]]
    kind = "Spherical"
    between = ["ground", "a"]
    names = ["u", "v", "w"]

    [[connections]]
    kind = "Universal"
    between = ["a", "b"]
    about = ["x", "z"]
    name = "cross"

    [[connections]]
    kind = "Planar"
    between = ["b", "c"]
    normal = "y"
    angle = "30 deg"
    """
    equations = fx.derive(model_of_text(text))
    assert equations.coordinates == ("u", "v", "w", "alpha_b", "beta_b", "z_c", "x_c", "theta_c")
