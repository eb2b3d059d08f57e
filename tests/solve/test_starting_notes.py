"""What a run without a start is told: whether it begins at rest, and if not how it moves, under its conditions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import flexura as fx

G = 9.81


def starting(model, **options):
    return [note for note in fx.simulate(model, [0, 0.1], **options).notes if "The run starts from" in note]


def on_rail(slope):
    particle = fx.Mass("p", 2.0)
    free = fx.Free(fx.ground, particle, names=("x", "y"))
    return fx.Model(free, fx.Constraint(f"{math.cos(slope)}*y - {math.sin(slope)}*x"), fx.Gravity(G))


@given(st.floats(0.1, 1.4))
def test_a_bead_on_an_incline_is_told_its_acceleration(slope):
    along = -G * math.sin(slope)
    expected = {"x_tt": along * math.cos(slope), "y_tt": along * math.sin(slope)}
    (note,) = starting(on_rail(slope))
    name, number = note.split("without inputs ")[1].split(" there")[0].split(" is ")
    assert float(number) == pytest.approx(expected[name], rel=1e-5)


def test_what_conditions_hold_is_at_rest():
    assert not starting(on_rail(0.0))
    a, b, c = (fx.RigidBody(name, m=1.0, I=0.1) for name in "abc")
    pins = [
        fx.Revolute(fx.ground, a.at(0, -0.5), name="A"),
        fx.Revolute(a.at(0, 0.5), b.at(-0.5), name="B"),
        fx.Revolute(b.at(0.5), c.at(0, 0.5), name="C"),
        fx.Revolute(c.at(0, -0.5), fx.ground.at(1), name="D"),
    ]
    assert not starting(fx.Model(*pins, fx.Gravity(G)))  # a parallelogram upright: at rest, though not stable
    assert np.allclose(list(fx.accelerations(fx.Model(*pins, fx.Gravity(G)), {}).values())[:3], 0, atol=1e-12)


def test_a_start_that_conditions_move_is_not_called_zero():
    particle = fx.Mass("p", 2.0)
    free = fx.Free(fx.ground, particle, names=("x", "y"))
    (note,) = starting(fx.Model(free, fx.Constraint("(x - 3)**2 + y**2 - 1"), fx.Gravity(G)))
    assert note.startswith("The run starts from the state next to zero that its conditions allow")


def test_following_the_advice_ends_the_note():
    body = fx.RigidBody("b", m=1.0, I=1.0)
    model = fx.Model(fx.Revolute(fx.ground, body.at(-0.5, 0), name="th"), fx.Gravity(G))
    (note,) = starting(model)
    assert "th_tt is -3.924" in note  # m g r/(I + m r^2)
    assert not starting(model, initial=fx.equilibrium(model))
