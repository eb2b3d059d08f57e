"""Equations restated in angles that add up: short, proved to be the same, and put back by what the names stand for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.derivation.equations.test_legible import flexible_arm, pendulum
from tests.derivation.test_long_chains import in_the_plane

import flexura as fx


def test_three_links_as_a_textbook_writes_them() -> None:
    """Absolute angles, each row with one term for every other link: no sums of rates, no products of cosines."""
    text = str(fx.derive(pendulum(3)).named)
    assert (
        text
        == """\
Equations of motion
  th1   (m1 + m2 + m3) l1² ẗh1 + (m2 + m3) l1 l2 φ̈2 cos(th1 − φ2) + m3 l1 l3 φ̈3 cos(th1 − φ3)
          + (m2 + m3) l1 l2 φ̇2² sin(th1 − φ2) + m3 l1 l3 φ̇3² sin(th1 − φ3)
          + (m1 + m2 + m3) g l1 cos(th1) = 0
  φ2    (m2 + m3) l1 l2 ẗh1 cos(th1 − φ2) + (m2 + m3) l2² φ̈2 + m3 l2 l3 φ̈3 cos(φ2 − φ3)
          − (m2 + m3) l1 l2 ṫh1² sin(th1 − φ2) + m3 l2 l3 φ̇3² sin(φ2 − φ3) + (m2 + m3) g l2 cos(φ2)
          = 0
  φ3    m3 l1 l3 ẗh1 cos(th1 − φ3) + m3 l2 l3 φ̈2 cos(φ2 − φ3) + m3 l3² φ̈3
          − m3 l1 l3 ṫh1² sin(th1 − φ3) − m3 l2 l3 φ̇2² sin(φ2 − φ3) + m3 g l3 cos(φ3) = 0

where
  φ2 = th1 + th2
  φ3 = th1 + th2 + th3"""
    )


def test_a_flexible_arm_of_two_links_fits_on_two_pages() -> None:
    named = fx.derive(flexible_arm()).named
    assert {name: str(f) for name, f in named.names.items()} == {"phi2": "th1 + th2 + theta_arm1_end"}
    assert len(str(named)) < 7_500
    assert named.proof
    assert named.proof.how == "normal form"


def test_eight_links_fit_on_two_pages_and_more_are_written() -> None:
    assert len(str(fx.derive(in_the_plane(8)).named)) < 7_000
    assert len(str(fx.derive(in_the_plane(14)).named)) < 25_000


@st.composite
def machines(draw: st.DrawFn) -> fx.Model:
    """Trees of hinged and sliding links with springs, dampers, motors, given motions and forces at random."""
    parts: list[Any] = []
    bodies: list[fx.RigidBody] = []
    for i in range(1, draw(st.integers(2, 5)) + 1):
        body = fx.RigidBody(f"b{i}", m=f"m{i}", I=f"J{i}")
        on = draw(st.sampled_from([fx.ground, *bodies]))
        place = on if on is fx.ground else on.at(f"a{i}", draw(st.sampled_from([0, f"h{i}"])))
        if draw(st.integers(0, 4)) == 0:
            parts.append(fx.Slide(place, body, name=f"s{i}"))
        else:
            motion = "Omega*t" if draw(st.integers(0, 9)) == 0 else None
            parts.append(fx.Revolute(place, body.at(f"-l{i}"), name=f"q{i}", motion=motion))
            if draw(st.booleans()):
                parts.append(fx.TorsionSpring(place, body, k=f"k{i}"))
        if draw(st.booleans()):
            parts.append(fx.Force(body, f"F{i}", along=draw(st.sampled_from("xy"))))
        if draw(st.booleans()):
            parts.append(fx.Damper(body, fx.ground, c=f"c{i}", along="y"))
        if draw(st.booleans()):
            parts.append(fx.Torque(body, f"T{i}", reaction=on if bodies and on is not fx.ground else None))
        bodies.append(body)
    return fx.Model(*parts, fx.Gravity("g"))


@settings(max_examples=8, deadline=None)
@given(machines())
def test_what_is_restated_is_what_was_derived(model: fx.Model) -> None:
    named = fx.derive(model).named
    assert named.proof, named.proof.difference
    assert set(named.where) == set(named.names)
    assert str(named)


def test_equations_without_such_sums_stay_as_they_are() -> None:
    equations = fx.derive(fx.Model(fx.Slide(fx.ground, fx.Mass("m", "m"), name="x1")))
    assert equations.named.equations is equations
    assert str(equations.named) == str(equations)
    assert equations.named.latex() == equations.latex()


def test_names_that_are_taken_are_not_used() -> None:
    first, second = fx.RigidBody("a", "m1", "phi"), fx.RigidBody("b", "m2", "J")
    model = fx.Model(fx.Revolute(fx.ground, first, name="q1"), fx.Revolute(first.at("l"), second.at("d"), name="q2"))
    assert list(fx.derive(model).named.names) == ["psi2"]


@pytest.mark.parametrize("contact", [fx.Stop, fx.Friction])
def test_contacts_are_restated_too(contact: Any) -> None:
    """A stop, or dry friction, between links: runs in either set of coordinates are the same."""
    links = [fx.RigidBody(name, m=1.0, I=0.1) for name in ("a", "b", "c")]
    hinges = [fx.Revolute(fx.ground, links[0].at(-0.5), name="q1")]
    hinges += [fx.Revolute(links[i].at(0.5), links[i + 1].at(-0.5), name=f"q{i + 2}") for i in range(2)]
    law = {"gap": 0.05} if contact is fx.Stop else {"force": 0.5}
    equations = fx.derive(fx.Model(hinges, contact(links[1], links[2], **law), fx.Gravity(9.81)))
    t = np.linspace(0, 0.3, 4)
    run = fx.simulate(equations, t, initial={"q1_t": 1.0})
    again = fx.simulate(equations.named.equations, t, initial={"q1_t": 1.0, "phi2_t": 1.0, "phi3_t": 1.0})
    np.testing.assert_allclose(again["phi3"], run["q1"] + run["q2"] + run["q3"], atol=1e-7)
    np.testing.assert_allclose(again["q1"], run["q1"], atol=1e-7)


def test_what_rides_keeps_its_coordinates() -> None:
    arm, load = fx.EulerBernoulliBeam("arm", EI=50.0, rho=1.0, length=1.0), fx.RigidBody("load", m=0.5, I=0.05)
    hub = fx.RigidBody("hub", m=1.0, I=0.5)
    model = fx.Model(fx.Revolute(fx.ground, hub, name="q"), fx.Fixed(hub, arm.start), fx.Ride(arm, load, name="s"))
    assert not fx.derive(model).named.names
