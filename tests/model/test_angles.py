"""Angles written with every function of the grammar: a weld at such an angle is one at the number it comes to."""

from __future__ import annotations

import math

import pytest
import symengine

import flexura as fx
from flexura.symbolic.engine import FUNCTIONS
from flexura.symbolic.shorten import shorter
from flexura.symbolic.zero import verdict

ANGLES = {
    "atan2": ("atan2(2, 3)", "atan2(-2, -3)", "atan2(a, 2*a)", "atan2(a, b)"),
    **{name: (f"{name}(1/3)", f"{name}(a/4)") for name in FUNCTIONS if name != "atan2"},
    "tan": ("tan(1)", "tan(a)", "tan(tan(a/2))"),
    "sign": ("sign(2)", "sign(sqrt(2) - 1)", "sign(a)"),
    "Piecewise": ("Piecewise((1, a < 1), (2, True))",),
}
VALUES = {"a": 0.7, "b": -0.4}


def corner(angle: object) -> fx.Equations:
    hub = fx.RigidBody("hub", m="m", I="I")
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", field="w")
    joint = fx.Revolute(fx.ground, hub, name="theta")
    return fx.derive(fx.Model(joint, fx.Fixed(hub, beam.start, angle=angle), fx.Gravity("g"), fx.Force(beam.end, "F")))


@pytest.mark.parametrize("angle", [one for some in ANGLES.values() for one in some])
def test_an_angle_may_use_every_function(angle: str) -> None:
    equations = corner(angle)
    assert fx.verify(equations)
    words = {name: getattr(math, name, None) for name in FUNCTIONS}
    words |= {"sign": lambda f: math.copysign(1, f), "abs": abs, "Piecewise": lambda *pieces: 1, **VALUES}
    expected = corner(eval(angle, words))  # noqa: S307  # the text is of this file
    numbers = {symengine.Symbol(name): value for name, value in (*VALUES.items(), ("theta", 0.3), ("x", 0.2))}

    def weight(one: fx.Equations) -> float:
        f = one.lagrangian.density["w"].diff(symengine.Symbol("g"))
        others = {symbol: 0.6 for symbol in f.free_symbols if symbol not in numbers}
        return float(f.xreplace(numbers | others)._sympy_().n())

    assert weight(equations) == pytest.approx(weight(expected), rel=1e-12)


def test_tangents_are_not_lost_in_shorter_forms() -> None:
    """The denominators that tangents bring once multiplied whole equations."""
    a, p = symengine.symbols("a p")
    inner = symengine.tan(a)
    f = (p / 2 + symengine.sin(inner) ** 2 * p / 3 + symengine.cos(inner) ** 2 * p / 3).expand()
    assert verdict(shorter(f) - 5 * p / 6)
