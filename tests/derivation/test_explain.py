"""`fx.explain`: each term with its part and its effect, and all of them together the equation."""

from __future__ import annotations

from typing import Any

import pytest
import sympy

import flexura as fx


def pendulum_on_a_cart() -> fx.Equations:
    cart, bob = fx.RigidBody("cart", m="M", I=0), fx.RigidBody("bob", m="m", I="I")
    return fx.derive(
        fx.Model(
            fx.Slide(fx.ground, cart, along="x", name="x"),
            fx.Revolute(cart, bob.at(0, "l"), name="th"),
            fx.Spring(fx.ground, cart, k="k", along="x", name="spring"),
            fx.Damper(fx.ground, cart, c="c", along="x", name="damper"),
            fx.Force(cart, "F", along="x"),
            fx.Gravity("g"),
        )
    )


def whole(equations: fx.Equations, name: str) -> Any:
    equation = {**equations.ordinary, **equations.partial}[name]
    return equation.lhs - equation.rhs


@pytest.mark.parametrize("name", ["x", "th"])
def test_the_terms_of_rigid_bodies_are_their_equation(name: str) -> None:
    equations = pendulum_on_a_cart()
    told = fx.explain(equations, name)
    assert sympy.simplify(sum(one.formula for one in told.terms) - whole(equations, name)) == 0
    assert "not of one part" not in {one.part for one in told.terms}


def test_parts_and_effects_have_their_names() -> None:
    told = fx.explain(pendulum_on_a_cart(), "x")
    assert [(one.effect, one.part) for one in told.terms] == [
        ("inertia", "cart"),
        ("inertia", "bob"),
        ("Coriolis and centrifugal", "bob"),
        ("damping", "damper"),
        ("stiffness", "spring"),
        ("loads", "F"),
    ]
    assert str(told.of("stiffness")[0].text) == "k x"
    assert "Coriolis and centrifugal" in str(told)
    assert [one.part for one in fx.explain(pendulum_on_a_cart(), "th").of("loads")] == ["bob"]


def blade() -> fx.Equations:
    hub = fx.RigidBody("hub", m=0, I="I_h")
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", damping="c", field="w")
    tip = fx.RigidBody("tip", m="m", I="I_t")
    return fx.derive(
        fx.Model(
            fx.Revolute(fx.ground, hub, name="th"),
            fx.Fixed(hub.at("r"), beam.start),
            fx.Fixed(beam.end, tip),
            fx.Torque(hub, "tau"),
            fx.DistributedForce(beam, "f"),
            names={beam.end: ("q", "s")},
        )
    )


@pytest.mark.parametrize("name", ["th", "w", "q", "s"])
def test_the_terms_of_a_flexible_machine_are_its_equation(name: str) -> None:
    equations = blade()
    told = fx.explain(equations, name)
    left = sympy.expand(sum(one.formula for one in told.terms) - whole(equations, name))
    known = [one for one in left.atoms(sympy.Integral) if not one.has(sympy.Function("w"))]
    left = sympy.expand(left.subs({one: one.doit() for one in known}))
    integrals = left.atoms(sympy.Integral)
    inside = sympy.expand(sum(left.coeff(one) * one.function for one in integrals))
    assert sympy.expand(left.subs(dict.fromkeys(integrals, 0))) == 0
    assert inside == 0
    assert "not of one part" not in {one.part for one in told.terms}


def test_what_stiffens_a_rotating_beam_is_told_apart() -> None:
    told = fx.explain(blade(), "w")
    assert {(one.effect, one.part) for one in told.terms} == {
        ("inertia", "beam"),
        ("Coriolis and centrifugal", "beam"),
        ("stiffening", "beam"),
        ("damping", "beam"),
        ("stiffness", "beam"),
        ("loads", "f"),
    }


def test_energies_by_hand_and_frames() -> None:
    q = fx.Coordinate("q")
    hand = fx.Lagrangian(kinetic="m*q_t**2/2", potential="k*q**2/2", work={q: "F"})
    assert [(one.effect, one.text) for one in fx.explain(hand, "q").terms] == [
        ("inertia", "m q̈"),
        ("stiffness", "k q"),
        ("loads", "−F"),
    ]
    nodes, members = {"A": (0, 0), "B": (2, 0), "C": (2, 1)}, {"a": ("A", "B"), "b": ("B", "C")}
    section = {"EI": 5.0, "EA": 1e3, "rho": 1.0}
    frame = fx.frame(nodes, members, {"A": "fixed", "C": "fixed"}, section=section)
    told = fx.explain(frame, "y_B")
    assert {(one.effect, one.part) for one in told.terms} == {("stiffness", "a"), ("stiffness", "b")}


def test_a_row_that_is_not_there() -> None:
    with pytest.raises(fx.FlexuraError, match="no equation of 'tx' to explain"):
        fx.explain(pendulum_on_a_cart(), "tx")
    with pytest.raises(fx.FlexuraError, match="no effect 'inertial'; did you mean 'inertia'"):
        fx.explain(pendulum_on_a_cart(), "x").of("inertial")
