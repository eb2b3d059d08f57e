"""Positions in space: by hand, by finite differences, at many states, after linearising and after JSON."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.gallery import example
from flexura.solve.runs.positions import Positions


def bent(amount: float):
    return lambda x, derivative=0: amount * (x**2 if derivative == 0 else 2 * x if derivative == 1 else 2.0)


@pytest.fixture(scope="module")
def arm():
    hub, tip = fx.RigidBody("hub", m=1.0, I=2.0), fx.RigidBody("tip", m=1.0, I=0.1)
    beam = fx.EulerBernoulliBeam("beam", EI=5.0, rho=1.0, length=1.3, field="w")
    model = fx.Model(
        fx.Revolute(fx.ground.at(1, 2), hub, name="theta"),
        fx.Fixed(hub.at("r"), beam.start),
        fx.Fixed(beam.end, tip.at("d")),
        names={beam.end: ("y", "alpha")},
    )
    return fx.derive(model), hub, beam, tip


VALUES = {"r": 0.2, "d": -0.1}
angles = st.floats(-3, 3, allow_nan=False)


@settings(max_examples=20, deadline=None)
@given(angles, st.floats(-0.2, 0.2), st.floats(0, 1.3))
def test_an_arm_by_hand(arm, theta, amount, s) -> None:
    equations, hub, beam, tip = arm
    places, w = Positions(equations, VALUES), bent(amount)
    state = {"theta": theta, "w": w, "y": w(1.3), "alpha": w(1.3, 1)}
    e1, e2 = np.array([np.cos(theta), np.sin(theta), 0]), np.array([-np.sin(theta), np.cos(theta), 0])
    origin, alpha = np.array([1.0, 2.0, 0.0]), w(1.3, 1)
    assert np.allclose(places.point(hub.at("r"))(state), origin + 0.2 * e1, atol=1e-14)
    drawn, drawn_all = (2 * amount**2 * one**3 / 3 for one in (s, 1.3))  # half the integral of (2 amount x)^2
    assert np.allclose(places.point(beam.at(s))(state), origin + (0.2 + s - drawn) * e1 + w(s) * e2, atol=1e-14)
    end, arm_of_tip = origin + (1.5 - drawn_all) * e1 + w(1.3) * e2, 0.1 * (np.cos(alpha) * e1 + np.sin(alpha) * e2)
    # the mass centre of a body is displaced to first order; points are turned about it exactly
    assert np.allclose(places.point(tip)(state), end + 0.1 * e1 + 0.1 * alpha * e2, atol=1e-14)
    assert np.allclose(places.point("tip.at(d)")(state), places.point(tip)(state) - arm_of_tip, atol=1e-14)


def test_many_states_at_once_and_text(arm) -> None:
    equations, _, beam, _ = arm
    places, theta = Positions(equations, VALUES), np.linspace(0, 1, 7)
    shape = bent(0.01)
    histories = {"theta": theta, "w": lambda x, derivative=0: np.multiply.outer(np.ones(7), shape(x, derivative))}
    found = places.point(beam.at(0.5))(histories)
    assert found.shape == (7, 3)
    each = [places.point("beam.at(0.5)")({"theta": one, "w": bent(0.01)}) for one in theta]
    assert np.allclose(found, each, atol=1e-15)
    for text, place in (("beam.start", beam.start), ("beam.end", beam.end), ("beam.at(length_beam/2)", beam.at(0.65))):
        assert np.allclose(places.point(text)(histories), places.point(place)(histories), atol=1e-14)
    assert np.allclose(places.point("ground.at(1, 2)")({}), [1, 2, 0])


def test_a_small_displacement_is_the_slope_of_the_position(arm) -> None:
    equations, *_ = arm
    point, step = Positions(equations, VALUES).point("tip"), 1e-6
    small = {"theta": 0.3, "w": bent(0.1), "y": 0.169, "alpha": 0.26}
    scaled = [{k: sign * step * v if not callable(v) else 0.0 for k, v in small.items()} for sign in (1, -1)]
    slope = (point(scaled[0]) - point(scaled[1])) / (2 * step)
    assert np.allclose(point.displacement(small), slope, atol=1e-9)
    turned = {k: 1j * v for k, v in small.items() if not callable(v)}
    assert np.allclose(point.displacement(turned), 1j * slope, atol=1e-9)


def test_a_prescribed_motion_follows_time_also_when_linearised() -> None:
    equations = fx.derive(example("base-excitation"))
    values = {"M": 1, "m": 1, "EI": 1, "rho": 1, "l": 2, "y0": 0.5, "Omega": 3.0}
    t = np.linspace(0, 1, 5)
    state = {"w": bent(0.1), "w_tip": 0.4}
    for one in (equations, fx.linearise(equations)):
        found = Positions(one, values).point("beam.end")(state, t)
        along = np.full(5, 2.0 - 0.04 / 2 * 8 / 3)
        assert np.allclose(found, np.stack([along, 0.5 * np.sin(3 * t) + 0.4, 0 * t], axis=1), atol=1e-14)


def test_linearised_equations_measure_from_their_state() -> None:
    bob = fx.Mass("bob", m=1.0)
    arm = fx.RigidBody("arm", m=0, I=0)
    model = fx.Model(
        fx.Revolute(fx.ground, arm, name="theta"), fx.Fixed(arm.at("l", 0), bob), fx.Gravity("g", along="x")
    )
    equations, values = fx.derive(model), {"l": 2.0, "g": 9.81}
    linear = fx.linearise(equations, about={"theta": "pi"})
    assert np.allclose(Positions(linear, values).point(bob)({"theta": 0.0}), [-2, 0, 0], atol=1e-14)
    whole = Positions(equations, values).point("bob")
    assert np.allclose(Positions(linear, values).point("bob")({"theta": 0.2}), whole({"theta": np.pi + 0.2}))


def test_what_is_measured_from_another_body_is_where_it_is() -> None:
    a, b = fx.Mass("a", m=1.0), fx.RigidBody("b", m=1.0, I=0)
    beam = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=1.0, field="w")
    joints = fx.Slide(fx.ground, a, name="q1"), fx.Slide(a, b, name="q2"), fx.Fixed(b, beam.start)
    state = {"q1": 0.3, "q2": 0.2}
    from_b = Positions(fx.derive(fx.Model(*joints))).point(beam.end)
    from_a = Positions(fx.derive(fx.Model(*joints, measured_from={beam: a}))).point(beam.end)
    w, place = bent(0.1), [1 - 0.04 / 2 / 3, 0.6, 0]
    assert np.allclose(from_b({**state, "w": w}), place)
    assert np.allclose(from_a({**state, "w": lambda x, d=0: 0.2 * (d == 0) + w(x, d)}), place)


def test_json_keeps_the_places(arm) -> None:
    equations, *_ = arm
    again = fx.Equations.from_json(equations.to_json())
    state = {"theta": 0.4, "y": 0.1, "alpha": 0.2, "w": bent(0.1)}
    for place in ("tip.at(d)", "beam.at(0.7)", "hub"):
        before, after = (Positions(one, VALUES).point(place)(state) for one in (equations, again))
        assert np.allclose(before, after, atol=1e-15)
    assert [join.kind for join in again.lagrangian.geometry.joins] == ["Revolute", "Fixed", "Fixed"]


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("beam", "'beam' is no place on the member beam; write beam.start, .end or .at(s)."),
        ("beem.end", "'beem.end' is no place, because beem is no member; members are beam."),
        ("hab", "There is no part called 'hab'; bodies are hub, tip, members are beam."),
        ("beam.at(2)", "The place x = 2 is not on beam, which runs from 0 to 1.3."),
        ("beam.middle", "'beam.middle' is no place; write a part's name"),
        ("ground", "fx.ground is everywhere, so it has no position; say where with fx.ground.at(x, y, z)."),
        (3.0, "3.0 is not a place; give a body, a point of it, or a place on a member."),
    ],
)
def test_wrong_places(arm, place, sentence) -> None:
    with pytest.raises(fx.FlexuraError) as error:
        Positions(arm[0], VALUES).point(place)
    assert str(error.value).startswith(sentence)


def test_energies_have_no_places() -> None:
    with pytest.raises(fx.FlexuraError, match="written as energies; describe the system by parts"):
        Positions(fx.derive(example("cantilever")), {"EI": 1, "rho": 1, "l": 1, "c": 0, "eta": 0})


def test_what_there_is_to_draw(arm) -> None:
    places = Positions(arm[0], VALUES)
    assert [(one.kind, one.name) for one in places.drawing()] == [("body", "hub"), ("body", "tip"), ("member", "beam")]
    assert places.drawing(11)[2].point({"theta": 0.1, "w": bent(0.1)}).shape == (11, 3)


def test_places_follow_the_values_of_the_question():
    beam = fx.EulerBernoulliBeam("b", EI=50.0, rho=1.2, length=("l", 1.0))
    bent = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    run = fx.simulate(bent, [0, 0.05, 0.1], inputs={"F": 1.0}, values={"l": 0.9}, order=6)
    assert run[fx.Motion(beam.end)] == pytest.approx(run.place(beam, 0.9))
    still = fx.frequency_response(bent, [0.0], "F", fx.Motion(beam.end), values={"l": 0.9})
    assert still == pytest.approx(0.9**3 / 150)
    bar = fx.RigidBody("p", m=2.0, I=0.1)
    point = bar.at(("r", 0.5))
    swing = fx.Model(fx.Revolute(fx.ground, bar, name="th"), fx.Spring(fx.ground, point, k=3.0))
    run = fx.simulate(swing, [0, 0.05], initial={"th": 0.3}, values={"r": 0.8})
    assert run.position(point)[0] == pytest.approx([0.8 * np.cos(0.3), 0.8 * np.sin(0.3), 0])
