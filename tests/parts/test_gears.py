"""Gears, belts, racks and screws, rigid and elastic: closed forms, reactions, and rings of gears."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx
from flexura.model.files.reading import model_of_text


def rotor(name, inertia):
    return fx.RigidBody(name, m=1, I=inertia)


def test_two_wheels_turn_as_one():
    """(I1 r^2 + I2) q2'' = r tau1 + tau2; the tooth force is the multiplier."""
    pinion, wheel = rotor("pinion", 0.2), rotor("wheel", 3.0)
    first, second = fx.Revolute(fx.ground, pinion, name="a"), fx.Revolute(fx.ground, wheel, name="b")
    loads = fx.Torque(pinion, "tau"), fx.Torque(wheel, "-5*b_t")
    equations = fx.derive(fx.Model(first, second, fx.Gear(first, second, -4, name="mesh"), *loads))
    found = fx.accelerations(equations, {"a_t": -8.0, "b_t": 2.0}, inputs={"tau": 7.0})
    expected = (-4 * 7.0 - 5 * 2.0) / (0.2 * 16 + 3.0)
    assert found["b"] == pytest.approx(expected)
    assert found["a"] == pytest.approx(-4 * expected)
    assert found["lambda_mesh"] == pytest.approx(0.2 * -4 * expected - 7.0)  # what the wheel does to the pinion
    assert fx.verify(equations)


def test_an_elastic_mesh_vibrates():
    """omega^2 = k (1/I1 + r^2/I2), beside the rigid motion."""
    pinion, wheel = rotor("pinion", 0.2), rotor("wheel", 3.0)
    first, second = fx.Revolute(fx.ground, pinion, name="a"), fx.Revolute(fx.ground, wheel, name="b")
    equations = fx.derive(fx.Model(first, second, fx.Gear(first, second, "r", k="k")))
    assert fx.verify(equations)
    found = fx.modes(equations, 2, values={"r": -4.0, "k": 30.0}).frequencies
    np.testing.assert_allclose(found, [0, np.sqrt(30 * (1 / 0.2 + 16 / 3.0))], rtol=1e-12)


def test_a_screw_of_two_joints_and_of_one():
    """A nut of mass m on a spindle: (I + m h^2) theta'' = m g h; both ways of writing it."""
    h, m, I, g = 0.3, 2.0, 0.5, 9.81
    spindle, nut = fx.RigidBody("spindle", m=1, I=(I, I, I)), fx.Mass("nut", m=m)
    turn = fx.Revolute(fx.ground, spindle, about="y", name="theta")
    slide = fx.Slide(fx.ground, nut, along="-y", name="s")
    apart = fx.derive(fx.Model(turn, slide, fx.Gear(slide, turn, h), fx.Gravity(g)))
    assert fx.accelerations(apart, {})["theta"] == pytest.approx(m * g * h / (I + m * h**2))
    bolt = fx.RigidBody("bolt", m=m, I=(I, I, I))
    screw = fx.Cylindrical(fx.ground, bolt, along="-y", names=("s", "theta"))
    for gear in (fx.Gear(screw, screw, h), fx.Gear("s", "theta", h)):
        equations = fx.derive(fx.Model(screw, gear, fx.Gravity(g)))
        assert fx.accelerations(equations, {})["theta"] == pytest.approx(m * g * h / (I + m * h**2))
        assert fx.verify(equations)


def test_a_rack_rolls_a_pinion_far():
    """Simulated: x = r theta at all times, energies closed, the closed form of a constant force."""
    rack, pinion = fx.Mass("rack", m=2.0), rotor("pinion", 0.5)
    slide, turn = fx.Slide(fx.ground, rack, along="x", name="x"), fx.Revolute(fx.ground, pinion, name="theta")
    equations = fx.derive(fx.Model(slide, turn, fx.Gear(slide, turn, "r"), fx.Force(rack, "F", along="x")))
    t = np.linspace(0, 3, 7)
    run = fx.simulate(equations, t, inputs={"F": 4.0}, values={"r": 0.25})
    expected = 4.0 * t**2 / 2 / (2.0 + 0.5 / 0.25**2)
    np.testing.assert_allclose(run["x"], expected, atol=1e-9)
    np.testing.assert_allclose(run["theta"], expected / 0.25, atol=1e-8)


def test_a_ring_of_gears_that_agrees_is_noted_and_one_that_does_not_is_refused():
    wheels = [rotor(f"w{i}", 1.0 + i) for i in range(3)]
    joints = [fx.Revolute(fx.ground, one, name=f"q{i}") for i, one in enumerate(wheels)]

    def model(last):
        ring = fx.Gear(joints[0], joints[1], 2), fx.Gear(joints[1], joints[2], -3), fx.Gear(joints[2], joints[0], last)
        return fx.Model(*joints, *ring, fx.Torque(wheels[2], 1.0))

    equations = fx.derive(model("-1/6"))
    assert len(equations.lagrangian.constraints) == 2
    assert any("repeats what the other gears" in step.text for step in equations.steps)
    assert fx.accelerations(equations, {})["q2"] == pytest.approx(1 / (3 + 2 * 9 + 36))
    with pytest.raises(fx.FlexuraError, match=r"contradicts the other gears of its ring.*the ratio -1/6"):
        fx.derive(model("1/6"))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda a, b: fx.Gear(a, "nobody", 2), "names nobody, which is no coordinate; the coordinates are a, b"),
        (lambda a, b: fx.Gear(a, a, 2), "ties a to itself"),
        (lambda a, b: fx.Gear(a, b, 0), "has the ratio 0"),
        (lambda a, b: fx.Gear(a, 3, 1), "is given 3 for its second joint"),
        (lambda a, b: fx.Gear(a, b, 2, k=-1), "must be zero or more"),
        (lambda a, b: fx.Gear(a, fx.Revolute(fx.ground, rotor("c", 1)), 1), "which is not in the model"),
        (lambda a, b: [fx.Spherical(fx.ground, rotor("c", 1), names=("u", "v", "w"))], ""),
    ],
)
def test_what_is_wrong_is_said(make, said):
    joints = [fx.Revolute(fx.ground, rotor(name, 1), name=name) for name in "ab"]
    if not said:
        (ball,) = make(*joints)
        with pytest.raises(fx.FlexuraError, match="has 3 coordinates; give the name of one: u, v, w"):
            fx.derive(fx.Model(*joints, ball, fx.Gear(joints[0], ball, 2)))
        return
    with pytest.raises(fx.FlexuraError, match=said):
        fx.derive(fx.Model(*joints, make(*joints)))


def test_gears_in_a_file():
    text = """
    [parts.a]
    kind = "RigidBody"
    m = 1
    I = 2

    [parts.b]
    kind = "RigidBody"
    m = 1
    I = 3

    [[connections]]
    kind = "Revolute"
    between = ["ground", "a"]
    name = "p"

    [[connections]]
    kind = "Revolute"
    between = ["ground", "b"]
    name = "q"

    [[connections]]
    kind = "Gear"
    between = ["p", "q"]
    ratio = -2

    [[loads]]
    kind = "Torque"
    at = "b"
    value = "22*cos(t)"
    """
    assert fx.accelerations(fx.derive(model_of_text(text)), {})["q"] == pytest.approx(2.0)
