"""Equations of chains as they are read: compound angles, sums taken out, and nothing changed by it."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.derivation.equations.rows import Row, integrate_known
from flexura.energy.lagrangian import Lagrangian
from flexura.symbolic.zero import verdict


def pendulum(count: int, inertia: bool = False) -> fx.Model:
    """Links one below the other, each by its angle to the one before."""
    joints, last = [], fx.ground
    for i in range(1, count + 1):
        body = fx.RigidBody(f"b{i}", m=f"m{i}", I=f"J{i}" if inertia else 0)
        joints.append(fx.Revolute(last, body.at(f"-l{i}", 0), name=f"th{i}"))
        last = body.at(f"c{i}", 0) if inertia else body
    return fx.Model(*joints, fx.Gravity("g"))


def flexible_arm() -> fx.Model:
    hub, elbow = (fx.RigidBody(name, m=f"m_{name}", I=f"J_{name}") for name in ("hub", "elbow"))
    upper, lower = (fx.EulerBernoulliBeam(f"arm{i}", EI=f"EI{i}", rho=f"rho{i}", length=f"l{i}") for i in (1, 2))
    return fx.Model(
        fx.Revolute(fx.ground, hub, name="th1"),
        fx.Fixed(hub, upper.start),
        fx.Revolute(upper.end, elbow, name="th2"),
        fx.Fixed(elbow, lower.start),
        fx.Gravity("g"),
    )


def same(one: Row, other: Row, energies: Lagrangian) -> bool:
    """Equal, or turned around as a whole."""
    a, b = (integrate_known(row.residual, energies) for row in (one, other))
    names = {*a.integrals, *b.integrals}

    def parts(sign: int) -> list[bool]:
        local = verdict(a.local - sign * b.local).zero
        return [local, *(verdict(a.integrals.get(n, 0) - sign * b.integrals.get(n, 0)).zero for n in names)]

    return all(parts(1)) or all(parts(-1))


@st.composite
def chains(draw: st.DrawFn) -> fx.Model:
    """Hinged and sliding links in a row, with springs, dampers and loads at random."""
    parts, last = [], fx.ground
    for i in range(1, draw(st.integers(2, 4)) + 1):
        body = fx.RigidBody(f"b{i}", m=f"m{i}", I=f"J{i}")
        place = body.at(draw(st.sampled_from([0, f"-l{i}"])), draw(st.sampled_from([0, f"h{i}"])))
        slides = draw(st.sampled_from([False, False, True]))
        parts.append(
            fx.Slide(last, body, along="x", name=f"s{i}") if slides else fx.Revolute(last, place, name=f"q{i}")
        )
        last = body.at(draw(st.sampled_from([0, f"a{i}"])), 0)
        if draw(st.booleans()):
            parts.append(fx.Force(body, f"F{i}"))
    return fx.Model(*parts, *([fx.Gravity("g")] if draw(st.booleans()) else []))


@settings(max_examples=10, deadline=None)
@given(chains())
def test_what_is_shown_is_what_was_derived(model: fx.Model) -> None:
    equations = fx.derive(model)
    for row, derived in zip(equations.shown, equations.derived, strict=True):
        assert same(row, derived, equations.lagrangian)
    assert str(equations)
    assert equations.latex()


def test_a_double_pendulum() -> None:
    assert (
        str(fx.derive(pendulum(2)))
        == """\
Equations of motion
  th1   (m1 + m2) l1² ẗh1 + m2 l2² (ẗh1 + ẗh2) + m2 l1 l2 (2 ẗh1 + ẗh2) cos(th2)
          − m2 l1 l2 ṫh2 (2 ṫh1 + ṫh2) sin(th2) + m2 g l2 cos(th1 + th2) + (m1 + m2) g l1 cos(th1)
          = 0
  th2   m2 l2² (ẗh1 + ẗh2) + m2 l1 l2 ẗh1 cos(th2) + m2 l1 l2 ṫh1² sin(th2) + m2 g l2 cos(th1 + th2)
          = 0"""
    )


def test_a_flexible_arm_of_two_links_is_short() -> None:
    equations = fx.derive(flexible_arm())
    for row, derived in zip(equations.shown, equations.derived, strict=True):
        assert same(row, derived, equations.lagrangian)
    assert len(str(equations)) < 13_000


@pytest.mark.parametrize("inertia", [False, True])
def test_eight_links_are_written_on_a_few_pages(inertia: bool) -> None:
    equations = fx.derive(pendulum(8, inertia))
    text = str(equations)
    assert len(text) < 45_000
    assert "cos(th2 + ⋯ + th8)" in text
    assert r"\cos\left(\mathit{th}_{2} + \cdots + \mathit{th}_{8}\right)" in equations.latex()
    assert not re.search(r"(?:sin|cos)\([^()]*\)[\s]+(?:sin|cos)\(", text)


def test_dots_stand_for_names_that_follow_one_another() -> None:
    masses = [fx.RigidBody(f"b{i}", m=f"m{i}", I=0) for i in (1, 2, 3, 4, 6)]
    joined = [fx.Fixed(a, b) for a, b in itertools.pairwise(masses)]
    text = str(fx.derive(fx.Model(fx.Slide(fx.ground, masses[0], along="x", name="s"), *joined)))
    assert "(m1 + ⋯ + m4 + m6) s̈ = 0" in text
