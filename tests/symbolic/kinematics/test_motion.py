"""Poses, followers and geometry: what the routes that need velocities read."""

from __future__ import annotations

from typing import Any

import pytest
import symengine
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.symbolic.engine import ONE, ZERO, exact
from flexura.symbolic.jets import Jets
from flexura.symbolic.kinematics.geometry import Anchor, Geometry, Join, Located
from flexura.symbolic.kinematics.motion import FreeBodies, ModelMotion, Pose, Shift
from flexura.symbolic.kinematics.vectors import (
    AXES,
    EX,
    EY,
    EZ,
    IDENTITY,
    NULL,
    Vector,
    change,
    product,
    rotation,
    scale,
    subtract,
    transpose,
    turn,
)
from flexura.symbolic.zero import verdict

NAMES = ("p", "q", "r")
jets = Jets(NAMES, ("w",))
axes = st.sampled_from([*AXES, scale(exact(-1), EX), (exact(3) / 5, exact(4) / 5, ZERO)])


def posed(turns: list[Vector]) -> Pose:
    return Pose().then([(axis, symengine.Symbol(name)) for axis, name in zip(turns, NAMES, strict=False)], IDENTITY)


def vanishes(v: Vector) -> bool:
    return all(bool(verdict(one)) for one in v)


@given(st.lists(axes, min_size=1, max_size=3))
@settings(max_examples=15)
def test_the_spin_of_a_pose_is_that_of_its_rotation(turns: list[Vector]) -> None:
    """R' = omega x R, with R differentiated entry by entry; the spin is found another way, from the turns."""
    pose = posed(turns)
    R, omega = pose.rotation, pose.spin(jets)
    rate = tuple(change(row, jets.D_t) for row in R)
    W = product(rate, transpose(R))  # type: ignore[arg-type]
    assert vanishes(subtract((W[2][1], W[0][2], W[1][0]), omega))
    assert verdict(W[0][0])
    assert verdict(W[0][1] + W[1][0])


@given(st.lists(axes, min_size=1, max_size=3))
@settings(max_examples=15)
def test_a_pose_turns_one_after_the_other(turns: list[Vector]) -> None:
    expected = IDENTITY
    for axis, name in zip(turns, NAMES, strict=False):
        expected = product(expected, rotation(axis, symengine.Symbol(name)))
    for a, b in zip(posed(turns).rotation, expected, strict=True):
        assert vanishes(subtract(a, b))


def test_turns_about_one_axis_are_one_turn_of_the_sum() -> None:
    p, q, r = (symengine.Symbol(name) for name in NAMES)
    together = Pose().then([(EZ, p), (EZ, q), (scale(exact(-1), EZ), r)], IDENTITY)
    assert together.turns == ((EZ, p + q - r),)
    apart = Pose().then([(EZ, p), (EX, q), (EZ, r)], IDENTITY)
    assert len(apart.turns) == 3


def test_axes_at_rest_are_turned_along() -> None:
    rest = rotation(EZ, symengine.pi / 2)
    pose = Pose().then([(EZ, symengine.Symbol("q"))], rest)
    assert vanishes(subtract(turn(pose.rotation, EX), turn(rotation(EZ, symengine.Symbol("q")), EY)))
    assert pose.spin(jets) == scale(symengine.Symbol("q_t"), EZ)


# -- loads that turn with members --------------------------------------------------------------------------------------


def shift(**given: Any) -> Shift:
    usual = {
        "spine": "w", "amount": symengine.Symbol("w_x") ** 2 / 2, "direction": scale(exact(-1), EX), "axes_rate": NULL,
        "moved": (), "pull": ZERO, "follower": NULL, "lost": ZERO, "first": ZERO, "second": ZERO,
    }  # fmt: skip
    return Shift(**usual | given)


@pytest.mark.parametrize("given", [{"first": ONE}, {"second": ONE}, {"lost": ONE}, {"follower": EY}])
def test_a_shift_works_if_anything_does(given: dict[str, Any]) -> None:
    assert not shift().works
    assert shift(**given).works


def test_a_load_across_a_turning_member_works_on_its_shortening() -> None:
    """Its power is follower . (d_t + W x d): drawn in by d along -x, a load f along y loses the lever d."""
    f = symengine.Symbol("f")
    spin = scale(symengine.Symbol("q_t"), EZ)
    found = shift(axes_rate=spin, follower=scale(f, EY)).follower_work(jets)
    assert list(found) == ["q"]
    assert verdict(found["q"] + f * symengine.Symbol("w_x") ** 2 / 2)


def test_a_load_along_a_member_is_in_the_potential_already() -> None:
    spin = scale(symengine.Symbol("q_t"), EZ)
    assert shift(axes_rate=spin, follower=scale(symengine.Symbol("f"), EX)).follower_work(jets) == {}


# -- geometry ----------------------------------------------------------------------------------------------------------


def test_the_geometry_of_a_model_names_its_parts_and_what_joins_them() -> None:
    hub, arm = fx.RigidBody("hub", m="m", I="I"), fx.EulerBernoulliBeam("arm", EI="EI", rho="rho", length="l")
    model = fx.Model(fx.Revolute(fx.ground, hub, name="q"), fx.Fixed(hub.at("r"), arm.start))
    geometry = model.lagrangian.geometry
    assert {one.name: bool(one.spine) for one in geometry.parts} == {"hub": False, "arm": True}
    assert [(one.kind, one.p.part, one.q.part) for one in geometry.joins] == [
        ("Revolute", "ground", "hub"),
        ("Fixed", "hub", "arm"),
    ]
    assert geometry.joins[0].p.everywhere
    assert not geometry.joins[1].p.everywhere


def test_a_change_of_geometry_reaches_every_expression() -> None:
    a = symengine.Symbol("a")
    here = (a, ZERO, ZERO)
    part = Located("part", "", here, (here, EY, EZ))
    geometry = Geometry((part,), (Join("Fixed", Anchor("part", here), Anchor("ground", NULL, everywhere=True)),))
    assert sum(one.has(a) for one in geometry.trees()) == 3
    moved = geometry.map(lambda f: f.subs({a: 2}))
    assert not any(one.has(a) for one in moved.trees())
    assert moved.parts[0].position == (2, 0, 0)
    assert moved.parts[0].rotation == ((2, 0, 0), EY, EZ)
    assert moved.joins[0].q.everywhere
    assert geometry.parts[0].position == here


def test_no_motion_is_empty() -> None:
    assert ModelMotion().carried == ()
    assert ModelMotion().free_bodies == FreeBodies()
