"""Torsion springs and dampers that say about which axis they act: on a joint's angle with its sense, or refused."""

from __future__ import annotations

from typing import Any

import pytest
import symengine

import flexura as fx

THETA = symengine.Symbol("theta")


def hinge(link: Any, turned: float | str = 0, axis: Any = "z") -> fx.Model:
    """A body hinged on a base that may lie askew; `link` makes the spring between the two."""
    base, body = fx.RigidBody("base", m=1, I=(1, 2, 3)), fx.RigidBody("body", m=1, I=(1, 2, 3))
    return fx.Model(
        fx.Slide(fx.ground, base, along="x", name="x"),
        fx.Revolute(base, body, about=axis, name="theta", angle=turned),
        link(base, body),
    )


@pytest.mark.parametrize(
    ("joint", "about", "sense"),
    [
        ("z", None, 1), ("z", "z", 1), ("z", "-z", -1), ("-z", "z", -1), ("-z", "-z", 1), ("-z", None, 1),
        ("y", (0, 3, 0), 1), ("y", (0, -2, 0), -1), ("x", "x", 1),
        ((1, 1, 0), (-2, -2, 0), -1), ((1, 2, 3), (1, 2, 3), 1),
    ],
)  # fmt: skip
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("turned", [0, "0.3"])
def test_a_preloaded_spring_feels_the_angle_the_way_it_is_told(
    joint: Any, about: Any, sense: int, order: int, turned: Any
) -> None:
    """Its law is 1 + 5 s: what it stores is s + 5 s^2/2, and s is the turn of q against p about its own axis."""

    def link(p: Any, q: Any) -> fx.TorsionSpring:
        return fx.TorsionSpring(*((p, q) if order > 0 else (q, p)), law="1 + 5*s", about=about)

    equations = fx.derive(hinge(link, turned, joint))
    s = order * sense * THETA
    assert (equations.lagrangian.potential - (s + symengine.Rational(5, 2) * s**2)).expand() == 0
    certificate = fx.verify(equations)  # Newton's couples and the proof's reading of the parts have that sense too
    assert certificate, str(certificate)


@pytest.mark.parametrize("kind", ["TorsionSpring", "TorsionDamper"])
@pytest.mark.parametrize(("joint", "about"), [("z", "x"), ("z", (1, 0, 1)), ("y", "z"), ((1, 1, 0), "x")])
def test_an_axis_about_which_the_joint_does_not_turn_is_refused_and_the_advice_helps(
    kind: str, joint: Any, about: Any
) -> None:
    def link(**said: Any) -> Any:
        return lambda p, q: getattr(fx, kind)(p, q, 5.0, **said)

    with pytest.raises(
        fx.FlexuraError, match=r"about an axis about which Revolute.base, body. between its parts"
    ) as told:
        fx.derive(hinge(link(about=about), axis=joint))
    assert told.value.keyword == "about"
    assert fx.verify(fx.derive(hinge(link(), axis=joint)))  # "leave about= out"
    assert fx.verify(fx.derive(hinge(link(about=joint), axis=joint)))  # "or say about its axis"


def test_in_the_plane_an_axis_in_the_plane_is_refused() -> None:
    body = fx.RigidBody("body", m=1, I=2)
    with pytest.raises(fx.FlexuraError, match="does not turn"):
        fx.derive(fx.Model(fx.Revolute(fx.ground, body), fx.TorsionSpring(fx.ground, body, k=5, about="x")))
