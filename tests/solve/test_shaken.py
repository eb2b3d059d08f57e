"""Prescribed motions as loads: shaken systems against closed forms and direct solutions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx

OMEGA = np.linspace(0.3, 40.0, 23)


def quarter_car(motion="zr(t)"):
    road, wheel, body = fx.RigidBody("road", m=1.0, I=0), fx.Mass("wheel", m=40.0), fx.Mass("body", m=300.0)
    model = fx.Model(
        fx.Slide(fx.ground, road, name="z", motion=motion),
        fx.Slide(fx.ground, wheel, name="zu"),
        fx.Slide(fx.ground, body, name="zs"),
        fx.Spring(road, wheel, k=180e3),
        fx.Spring(wheel, body, k=16e3),
        fx.Damper(wheel, body, c=1200.0),
        fx.Force(body, "F"),
    )
    return fx.derive(model), wheel, body


def direct_quarter_car(omega):
    """Absolute motions of wheel and body per unit of the road's."""
    found = []
    for w in omega:
        link = 16e3 + 1j * w * 1200.0
        A = np.array([[180e3 + link - 40 * w**2, -link], [-link, link - 300 * w**2]])
        found.append(np.linalg.solve(A, [180e3, 0]))
    return np.array(found)


@pytest.mark.parametrize("motion", ["zr(t)", "y0*sin(Omega*t)"])
def test_quarter_car(motion):
    equations, wheel, body = quarter_car(motion)
    assert fx.modes(equations, 2).frequencies == pytest.approx(
        np.sort(np.abs(np.roots([40 * 300, 1200 * 340, 16e3 * 340 + 180e3 * 300, 1200 * 180e3, 16e3 * 180e3])))[[0, 2]],
        rel=1e-9,
    )
    name = "zr" if motion == "zr(t)" else "z"
    exact = direct_quarter_car(OMEGA)
    found = fx.transmissibility(equations, OMEGA, name, [wheel, body, "zs", fx.Motion(body, relative_to=wheel)])
    assert np.abs(found[:, :3] - exact[:, [0, 1, 1]]).max() <= 1e-12 * np.abs(exact).max()
    assert np.abs(found[:, 3] - (exact[:, 1] - exact[:, 0])).max() <= 1e-12 * np.abs(exact).max()
    one = fx.transmissibility(equations, OMEGA, "z", body)
    assert one.shape == OMEGA.shape
    assert np.array_equal(one, fx.frequency_response(equations, OMEGA, "z", fx.Motion(body)))
    # an input's motion may be a multiple of it, and loads stay what they were
    both = fx.frequency_response(equations, OMEGA, ["z", "F"], ["zs", "zu"])
    assert both.shape == (23, 2, 2)
    assert both[:, 0, 0] == pytest.approx(exact[:, 1], rel=1e-12)


def test_a_multiple_of_an_input_is_that_much_motion():
    mass = fx.Mass("mass", m=2.0)
    base = fx.RigidBody("base", m=1.0, I=0)
    model = fx.Model(
        fx.Slide(fx.ground, base, motion="-2*zr(t)"), fx.Slide(base, mass, name="y"), fx.Spring(base, mass, k=8.0)
    )
    w = np.array([0.5, 1.0, 3.0])
    found = fx.frequency_response(model, w, "zr", [fx.Motion(mass), "y"])
    absolute = 8.0 / (8.0 - 2.0 * w**2)
    assert found[:, 0] == pytest.approx(-2 * absolute)
    assert found[:, 1] == pytest.approx(-2 * (absolute - 1))


@settings(max_examples=10, deadline=None)
@given(st.floats(0.5, 5.0), st.floats(0.5, 3.0), st.floats(0.4, 2.0))
def test_a_shaken_cantilever(EI, rho, L):
    beam = fx.EulerBernoulliBeam("beam", EI=EI, rho=rho, length=L)
    base = fx.RigidBody("base", m=1.0, I=1.0)
    model = fx.Model(fx.Slide(fx.ground, base, motion="a*cos(Omega*t)", name="z"), fx.Fixed(base, beam.start))
    z = np.array([0.5, 1.2, 3.0, 6.0, 9.0])  # beta L
    omega = (z / L) ** 2 * np.sqrt(EI / rho)
    # absolute motion: a clamped end that moves by one, a free end
    cosh, cos, sinh, sin = np.cosh(z), np.cos(z), np.sinh(z), np.sin(z)
    tip = (cosh + cos) / (1 + cosh * cos)
    moment = EI * (z / L) ** 2 * sinh * sin / (1 + cosh * cos)
    shear = EI * (z / L) ** 3 * (cosh * sin + sinh * cos) / (1 + cosh * cos)
    found = fx.transmissibility(model, omega, "z", [beam.end, fx.Internal(beam, 0), fx.Internal(beam, 0, "shear")])
    for column, exact in zip(found.T, (tip, moment, shear), strict=True):
        assert np.all(np.abs(column - exact) <= 1e-9 * np.maximum(np.abs(exact), 1e-3 * np.abs(exact).max()))


def test_two_storeys_shaken_at_their_foot():
    """Rigid floors on two elastic columns each: the columns' exact stiffness, written here, against the parts."""
    EI, rho, h, m = 200.0, 0.8, 1.5, 12.0

    def column(w):
        b = (rho * w**2 / EI) ** 0.25
        z = b * h
        C, c, S, s = np.cosh(z), np.cos(z), np.sinh(z), np.sin(z)
        near = EI * b**3 * (C * s + S * c) / (1 - C * c)
        far = -EI * b**3 * (S + s) / (1 - C * c)
        return near, far

    base, floors = fx.RigidBody("base", m=1, I=0), [fx.RigidBody(f"floor{i}", m=m, I=0) for i in (1, 2)]
    things = [fx.Slide(fx.ground, base, along="x", motion="ug(t)")]
    for i, floor in enumerate(floors):
        below = base if i == 0 else floors[0]
        for side in (-1, 1):
            beam = fx.EulerBernoulliBeam(f"c{i}{'l' if side < 0 else 'r'}", EI=EI, rho=rho, length=("h", h))
            things += [
                fx.Fixed(below.at(side, 0), beam.start, angle=np.pi / 2),
                fx.Fixed(beam.end, floor.at(side, 0), angle=-np.pi / 2),
            ]
    equations = fx.derive(fx.Model(*things))
    omega = np.array([0.8, 3.0, 7.0, 15.0])
    found = fx.transmissibility(equations, omega, "ug", floors)
    for w, row in zip(omega, found, strict=True):
        near, far = column(w)
        A = np.array([[4 * near - m * w**2, 2 * far], [2 * far, 2 * near - m * w**2]])
        exact = np.linalg.solve(A, [-2 * far, 0])
        assert row == pytest.approx(exact, rel=1e-9)


def test_a_motion_that_turns_needs_its_output_said():
    hub, bob = fx.RigidBody("hub", m=1.0, I=0.3), fx.Mass("bob", m=1.0)
    model = fx.Model(
        fx.Revolute(fx.ground, hub, name="theta", motion="th(t)"),
        fx.Slide(hub.at(1.0), bob, name="y"),
        fx.Spring(hub.at(1.0), bob, k=4.0),
    )
    w = np.array([0.5, 1.0])
    with pytest.raises(fx.FlexuraError, match="no one axis") as told:
        fx.transmissibility(model, w, "th", [bob, hub])
    assert "fx.Motion" in told.value.advice
    absolute = 4.0 / (4.0 - w**2)
    assert fx.transmissibility(model, w, "th", fx.Motion(bob)) == pytest.approx(absolute)
    assert fx.transmissibility(model, w, "th", fx.Motion(hub, about="z")) == pytest.approx(1.0)


def test_what_is_no_motion_is_refused():
    equations, wheel, _ = quarter_car()
    with pytest.raises(fx.FlexuraError, match="no prescribed motion 'F'; there is z, zr"):
        fx.transmissibility(equations, OMEGA, "F", wheel)
    with pytest.raises(fx.FlexuraError, match="depends on x through zr"):
        fx.Slide(fx.ground, wheel, motion="zr(x)")
    with pytest.raises(fx.FlexuraError, match="matrices"):
        fx.transmissibility(fx.SecondOrderSystem(np.eye(1), None, np.eye(1)), OMEGA, "z", "q")


def test_a_motion_given_by_an_input_is_followed():
    base, mass = fx.RigidBody("base", m=1, I=0), fx.Mass("m", m=2.0)
    model = fx.Model(
        fx.Slide(fx.ground, base, name="z", motion="zr(t)"),
        fx.Slide(fx.ground, mass, name="y"),
        fx.Spring(base, mass, k=8.0),
    )
    t = np.linspace(0, 2, 5)
    run = fx.simulate(model, t, inputs={"zr": "0.1*sin(t)"})
    assert run["y"] == pytest.approx(0.1 * 4 / 3 * (np.sin(t) - np.sin(2 * t) / 2), abs=1e-8)
    assert fx.simulate(model, t, inputs={"zr": np.sin})["y"] == pytest.approx(10 * run["y"], abs=1e-8)


def test_columns_of_loads_and_outputs_of_matrices():
    system = fx.SecondOrderSystem(np.eye(3), 0.1 * np.eye(3), np.diag([1.0, 2.0, 3.0]))
    w, two = [0.5, 1.5], np.eye(3)[:, :2]
    both = fx.frequency_response(system, w, two, two)
    assert both.shape == (2, 2, 2)
    assert both[:, 1, 1] == pytest.approx(fx.frequency_response(system, w, two[:, 1], two[:, 1]))
    assert fx.frequency_response(system, w, two, [1.0, 0, 0]).shape == (2, 2)
    assert fx.frequency_response(system, w, [1.0, 0, 0], two).shape == (2, 2)
