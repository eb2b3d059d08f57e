"""Forces that turn with a section or body, and loads that do no work but enter the reactions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexura as fx
from flexura.model.files.reading import model_of_text


def test_a_column_under_a_follower_load_flutters_where_beck_says():
    """P l^2/EI = 20.051 (Beck 1952), where a dead load buckles it at pi^2/4; below that it is stable."""
    column = fx.EulerBernoulliBeam("column", EI=3.0, rho=0.7, length=1.3)
    push = fx.Force(column.end, "P", along="-x", axes=column.end)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, column.start), push))
    assert fx.verify(equations)
    unit = 3.0 / 1.3**2
    stable, flutter = (fx.modes(equations, 2, values={"P": load * unit}).eigenvalues for load in (20.04, 20.06))
    assert np.abs(stable.real).max() < 1e-9 * np.abs(stable).max()
    assert flutter.real.max() > 1e-3 * np.abs(flutter).max()


def test_a_thruster_turns_with_its_body():
    """Off the centre it spins a free body up; against the equations in ground's axes, by SciPy."""
    ship = fx.RigidBody("ship", m=2.0, I=0.3)
    model = fx.Model(
        fx.Free(fx.ground, ship, names=("x", "y", "theta")), fx.Force(ship.at(-1, 0.1), "T", "x", axes=ship)
    )
    t = np.linspace(0, 4, 9)
    run = fx.simulate(fx.derive(model), t, inputs={"T": 0.6})

    def rate(_, y):
        return [*y[3:], 0.3 * np.cos(y[2]), 0.3 * np.sin(y[2]), -0.2]

    true = solve_ivp(rate, (0, 4), np.zeros(6), rtol=1e-11, atol=1e-12, t_eval=t).y
    np.testing.assert_allclose(run["x"], true[0], atol=1e-7)
    np.testing.assert_allclose(run["y"], true[1], atol=1e-7)


def test_axes_of_ground_are_the_usual_ones():
    cart = fx.Mass("cart", m=1)
    assert fx.Force(cart, "F", axes=fx.ground).axes is None


@pytest.mark.parametrize("held", ["own", "other"])
def test_it_is_proved_in_space_with_a_beam_and_along_the_axes_of_another_part(held):
    hub, tip = fx.RigidBody("hub", m=1, I=(1, 2, 2)), fx.RigidBody("tip", m=1, I=(0.1, 0.2, 0.25))
    beam = fx.SpatialBeam("beam", EA="EA", EIy="a", EIz="b", GJ="c", rho="rho", length="l")
    model = fx.Model(
        fx.Revolute(fx.ground, hub, about="y", name="q"),
        fx.Fixed(hub.at("r", 0, 0), beam.start),
        fx.Fixed(beam.end, tip),
        fx.Force(tip.at(0, "d", 0), "F", along=(1, 2, 0), axes=tip if held == "own" else hub),
    )
    with pytest.warns(UserWarning, match="its work on the shortening of bent members is left out"):
        assert fx.verify(fx.derive(model))


def test_a_load_that_does_no_work_enters_the_reactions():
    """A cart pressed on its rail: the rail holds against it."""
    cart = fx.RigidBody("cart", m=3.0, I=1.0)
    loads = fx.Force(cart.at(0.5, 0), "N", along="-y"), fx.Torque(cart, "T")
    model = fx.Model(fx.Slide(fx.ground, cart, along="x", name="x"), *loads, fx.Gravity(10.0))
    equations = fx.derive(model, method="newton_euler")
    assert any("the force on cart" in step.text and "does no work" in step.text for step in fx.derive(model).steps)
    assert fx.verify(equations)
    known = {"N": 4.0, "T": 1.0, "m_cart": 3.0, "g": 10.0}
    reactions = {name: row.rhs for name, row in fx.joint_reactions(equations).items()}

    def value(name):
        tree = reactions[name]
        return float(tree.subs({one: known[str(one)] for one in tree.free_symbols}))

    assert value("R_x_y") == pytest.approx(34.0)
    assert value("M_x_z") == pytest.approx(0.5 * 4.0 - 1.0)


def test_a_pair_written_by_hand_is_a_motor():
    def arm(torques):
        hub, link = fx.RigidBody("hub", m=1, I=2), fx.RigidBody("link", m=2, I=0.5)
        joints = fx.Revolute(fx.ground, hub, name="a"), fx.Revolute(hub.at(1, 0), link.at(-0.5, 0), name="b")
        return fx.derive(fx.Model(*joints, *torques(hub, link)))

    motor = arm(lambda hub, link: [fx.Torque(link, "tau", reaction=hub)])
    pair = arm(lambda hub, link: [fx.Torque(link, "tau"), fx.Torque(hub, "-tau")])
    assert fx.equivalent(motor, pair)
    grounded = arm(lambda hub, link: [fx.Torque(hub, "tau", reaction=fx.ground)])
    by_hand = arm(lambda hub, link: [fx.Torque(hub, "tau"), fx.Torque(fx.ground, "-tau")])
    assert fx.equivalent(grounded, by_hand)


def test_a_follower_in_a_file():
    text = """
    [parts.ship]
    kind = "RigidBody"
    m = 2
    I = 1

    [[connections]]
    kind = "Free"
    between = ["ground", "ship"]

    [[loads]]
    kind = "Force"
    at = "ship.at(-1, 0)"
    value = "4*cos(t)"
    along = "x"
    axes = "ship"
    """
    found = fx.accelerations(fx.derive(model_of_text(text)), {"theta_ship": np.pi / 2})
    assert found == pytest.approx({"x_ship": 0, "y_ship": 2, "theta_ship": 0}, abs=1e-12)


def test_loads_across_the_plane_of_a_free_body_are_told() -> None:
    """A planar model keeps its bodies in the plane: what would take a free one out of it is no silence."""
    body = fx.RigidBody("body", 1.0, (0.1, 0.2, 0.3))
    for load, words in (
        (fx.Gravity(9.81, along="-z"), "Gravity"),
        (fx.Force(body, "F", along="z"), "The force on body"),
    ):
        with pytest.warns(UserWarning, match=f"{words} acts across the plane .* give Free six names"):
            assert fx.derive(fx.Model(fx.Free(fx.ground, body), load)).coordinates == ("x_body", "y_body", "theta_body")
    names = ("x", "y", "z", "psi", "theta", "phi")
    falling = fx.derive(fx.Model(fx.Free(fx.ground, body, names=names), fx.Gravity(9.81, along="-z")))
    assert fx.accelerations(falling, {})["z"] == pytest.approx(-9.81)
