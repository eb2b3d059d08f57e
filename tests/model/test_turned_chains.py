"""Chains of bodies on members at any angle: their energies are right, and as short as those of level ones.

What was asked of trees that grew from step to step took minutes, or never came.
"""

from __future__ import annotations

import pytest

import flexura as fx
from flexura.derivation.prove.compare import compare

ANGLES = (0.7, "alpha", "30 deg", "atan2(2, 3)")
MEMBERS = {
    "rod": lambda: fx.Rod("rod", EA="EA", rho="rho", length="l"),
    "beam": lambda: fx.EulerBernoulliBeam("beam", EI="EI", EA="EA", rho="rho", length="l"),
}


def chain(member: fx.Member, angle: float | str, count: int) -> fx.Model:
    """Each body hangs beside the one before it, on arms along both axes."""
    bodies = [fx.RigidBody(f"b{i}", m=f"m{i}", I=f"I{i}") for i in range(count)]
    arms = [body.at(f"e{i}", f"g{i}") for i, body in enumerate(bodies)]
    return fx.Model(
        fx.Fixed(fx.ground, member.end, **({"angle": angle} if angle else {})),
        fx.Pin(member.at("l/2"), bodies[0].at("d", "h")),
        *(fx.Fixed(body, arm) for body, arm in zip(bodies[1:], arms, strict=False)),
    )


def size(model: fx.Model) -> int:
    """Letters of the energies, what is used several times written as often: growth of any kind shows here."""
    return len(str(model.lagrangian.kinetic)) + len(str(model.lagrangian.potential))


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("member", MEMBERS)
def test_an_angle_makes_no_expression_grow(member: str, angle: float | str, count: int) -> None:
    turned, level = (chain(MEMBERS[member](), one, count) for one in (angle, 0))
    assert size(turned) < 8 * size(level)
    assert compare(turned.lagrangian)


def test_a_beam_on_a_turned_rod_that_carries_two_bodies() -> None:
    rod = fx.Rod("rod", EA="EA*(1 - x/(2*l))", rho="rho", length="l")
    beam = fx.TimoshenkoBeam("beam", EI="EI", rho="rb", length="lb", rotary_inertia="J", kGA="kGA")
    b1, b2, b3, b4 = (fx.RigidBody(f"b{i}", m=f"m{i}", I=f"I{i}") for i in range(1, 5))
    model = fx.Model(
        fx.Fixed(fx.ground, rod.end, angle=0.7),
        fx.Pin(rod.at("l/2"), b1.at("d", "h")),
        fx.Revolute(rod.start, beam.start, about="-z", name="theta"),
        fx.Revolute(beam.end, b2, name="phi", motion="a*t**2/2"),
        fx.Roller(rod.end, b3, along=(1, 2, 0)),
        fx.Fixed(b4, b1.at("e")),
    )
    assert size(model) < 10_000
    assert compare(model.lagrangian)


def hung(first: fx.Mass | fx.RigidBody, angle: float | str, rho: str, count: int) -> fx.Model:
    """A chain of beams and bodies that hangs on a revolute joint by its first body."""
    connections = [fx.Revolute(fx.ground, first, name="theta")]
    place = first
    for i in range(count):
        beam = fx.EulerBernoulliBeam(f"beam{i}", EI="EI", EA="EA", rho=rho, length="l")
        body = fx.RigidBody(f"b{i}", m=f"m{i}", I=f"I{i}")
        connections += [fx.Fixed(place, beam.start, angle=angle), fx.Fixed(beam.end, body.at("d", "h"))]
        place = body.at("e", "g")
    return fx.Model(*connections)


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("rho", ["rho*(1 - x/(2*l))", "rho*exp(-x/l)"])
@pytest.mark.parametrize("angle", ANGLES)
def test_a_particle_that_turns_is_told_from_a_body(angle: float | str, rho: str, count: int) -> None:
    with pytest.raises(fx.FlexuraError, match="describe one motion twice"):
        _ = hung(fx.Mass("p", m="m"), angle, rho, count).lagrangian
    assert "theta" in hung(fx.RigidBody("p", m="m", I="I"), angle, rho, count).lagrangian.coordinates
    massless = hung(fx.RigidBody("p", m="m", I=0), angle, rho, count)  # it holds the slope, so theta turns the beam
    assert "theta" in massless.lagrangian.coordinates
