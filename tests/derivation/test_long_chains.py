"""Long chains are derived, proved and, up to a length, written in a time that grows with a power of their length."""

from __future__ import annotations

from typing import Any

import pytest

import flexura as fx
from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.rows import Row, Sum
from flexura.symbolic.engine import Symbol
from flexura.symbolic.multiplied import written_out
from flexura.symbolic.walk import branches


def in_the_plane(count: int) -> fx.Model:
    """Links by relative angles."""
    joints: list[Any] = []
    last: Any = fx.ground
    for i in range(1, count + 1):
        link = fx.RigidBody(f"b{i}", m=f"m{i}", I=f"J{i}")
        joints.append(fx.Revolute(last, link.at(f"-l{i}"), name=f"q{i}"))
        last = link.at(f"l{i}")
    return fx.Model(*joints, fx.Gravity("g"))


def in_space(count: int) -> fx.Model:
    """Links on hinges about z, x and y in turn."""
    joints: list[Any] = []
    last: Any = fx.ground
    for i in range(count):
        link = fx.RigidBody(f"b{i}", m=f"m{i}", I=(f"A{i}", f"B{i}", f"C{i}"))
        joints.append(fx.Revolute(last, link.at(f"-l{i}"), about="zxy"[i % 3], name=f"q{i}"))
        last = link.at(f"l{i}")
    return fx.Model(*joints, fx.Gravity("g", along="-z"))


def trees(equations: Equations) -> list[Any]:
    return [f for row in equations.derived for side in row.sides for f in side.parts()]


@pytest.mark.parametrize("model", [in_the_plane(14), in_space(6)], ids=["plane", "space"])
def test_long_chains_are_proved_by_every_route(model: fx.Model) -> None:
    certificate = fx.verify(fx.derive(model))
    assert certificate
    assert [one.method for one in certificate.compared] == ["variational", "kane", "newton_euler", "parts"]


def test_a_proof_of_a_long_chain_sees_a_term_that_is_wrong() -> None:
    equations = fx.derive(in_the_plane(14))
    kane = fx.derive(in_the_plane(14), method="kane")
    rows = list(kane.derived)
    wrong = rows[4]
    spoiled = Sum(wrong.left.local + Symbol("m9") * Symbol("l2") * Symbol("l9") * Symbol("q9_t") ** 2 / 10**6)
    rows[4] = Row(wrong.kind, wrong.name, spoiled, wrong.right)
    result = fx.equivalent(equations, Equations(kane.lagrangian, "kane", tuple(rows), kane.steps))
    assert not result
    assert str(result) == "The equations differ in q5."


@pytest.mark.parametrize("method", ["surrogate", "variational", "kane"])
def test_trees_of_planar_chains_grow_with_a_power_of_their_length(method: str) -> None:
    """Written out they doubled with every link; now twice the links take some sixteen times as much."""
    short, long = (trees(fx.derive(in_the_plane(count), method=method)) for count in (8, 16))
    assert written_out(long) < 24 * written_out(short)
    assert len(branches(long)) < 8 * len(branches(short))
