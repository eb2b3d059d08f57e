"""Digits that a response may lose: the quick bound is never below what is found line by line."""

import numpy as np
import pytest

import flexura as fx
from flexura.solve.exact.dynamic_stiffness import DynamicStiffness

OMEGA = np.geomspace(0.1, 300, 40)


def frame(stiffness, damping):
    """Members welded end to end, of very different stiffness, beside a spring."""
    parts, last = [], fx.ground
    for i, EI in enumerate(stiffness):
        one = fx.EulerBernoulliBeam(f"b{i}", EI=EI, rho=1.0 + i, length=0.5 + 0.3 * i, EA=100 * EI)
        parts.append(fx.Fixed(last, one.start, angle=0.8 * (-1) ** i))
        last = one.end
    joins = [fx.Spring(last, fx.ground, k=20.0), fx.Damper(last, fx.ground, c=damping)]
    return fx.linearise(fx.derive(fx.Model(*parts, *joins, fx.Force(last, "F"))))


@pytest.mark.parametrize("damping", [0.0, 3.0])
@pytest.mark.parametrize("stiffness", [(1.0, 1.5), (2.0, 2.0, 2.0), (1e9, 1.0), (1.0, 1e6, 1e-3)])
def test_the_bound_holds_all_that_lines_lose(stiffness, damping, monkeypatch):
    seen = []
    bound = DynamicStiffness.rounded_at_most

    def compared(one, s2, X, Y, sizes):
        found = bound(one, s2, X, Y, sizes)
        seen.append((found, one.rounded(s2, X, Y).sum(axis=0)))
        return found

    monkeypatch.setattr(DynamicStiffness, "rounded_at_most", compared)
    equations = frame(stiffness, damping)
    fx.frequency_response(equations, OMEGA, "F", equations.coordinates[0])
    assert seen
    for at_most, all_lines in seen:
        good = np.isfinite(all_lines)
        assert (at_most[good] >= (1 - 1e-9) * all_lines[good]).all()
