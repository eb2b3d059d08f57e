"""Trees in x and trees without symbols as numbers: whatever has a finite real value has it here."""

from __future__ import annotations

import math

import numpy as np
import pytest
import symengine

import flexura as fx
from flexura.symbolic.quantities import text_or_expression
from flexura.symbolic.values import real_value
from flexura.systems.signals.sampled import sampled

CONSTANTS = {
    "atan2(2, 3)": math.atan2(2, 3),
    "atan2(-2, -3)": math.atan2(-2, -3),
    "sign(3 - pi)": -1.0,
    "sign(pi - 3)*atan2(1, 2)": math.atan2(1, 2),
    "abs(3 - pi)": math.pi - 3,
    "cosh(800)/cosh(801)": math.exp(-1),
    "Piecewise((1, pi < 3), (2, True))": 2.0,
    "exp(1000)/exp(999.5)": math.exp(0.5),
}
ALONG = {
    "cosh(800*x)/cosh(800)": lambda x: math.exp(800 * (x - 1)),
    "exp(900*x)*exp(-900*x) + atan2(x, 2)": lambda x: 1 + math.atan2(x, 2),
    "sign(x - 1/3)*abs(x - 2)": lambda x: math.copysign(2 - x, x - 1 / 3),
    "Piecewise((log(1/2 - x), x < 0.4), (x, True))": lambda x: math.log(0.5 - x) if x < 0.4 else x,
}


@pytest.mark.parametrize("text", CONSTANTS)
def test_constants(text):
    assert real_value(text_or_expression(text, what="it").engine) == pytest.approx(CONSTANTS[text], rel=1e-14)


def test_roots_of_negative_numbers_on_the_way():
    assert real_value(symengine.sqrt(-2) * symengine.sqrt(-3)) == pytest.approx(-math.sqrt(6), rel=1e-14)


@pytest.mark.parametrize("f", [symengine.sqrt(-2), symengine.acos(2), symengine.log(-1), symengine.zoo])
def test_what_has_no_real_value_is_no_number(f):
    assert math.isnan(real_value(f))


@pytest.mark.parametrize("text", ALONG)
def test_along_a_line(text):
    x = np.linspace(0.03, 1.0, 7)
    found = sampled(text_or_expression(text, what="it", spine=True).engine, "it")(x)
    assert found == pytest.approx([ALONG[text](one) for one in x], rel=1e-12)


def test_where_there_is_no_value_the_place_is_named():
    tree = text_or_expression("sqrt(x - 0.5)", what="it", spine=True).engine
    with pytest.raises(fx.FlexuraError, match=r"the EI has a coefficient .* real number at x = 0\.25"):
        sampled(tree, "the EI")(np.array([0.75, 0.25]))


@pytest.mark.parametrize("text", ["atan2(a, 3)", "2 + sign(a - pi)", "1 + cosh(800 + x)/cosh(800)", "abs(a - 4)"])
def test_every_way_to_modes_reads_the_same_property(text):
    beam = fx.EulerBernoulliBeam("b", EI=text, rho=1.0, length=1.0)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start)))
    values = {name: 2.0 for name in equations.lagrangian.parameters if name == "a"}
    exact, ritz = (fx.modes(equations, 2, values, method=method).frequencies for method in ("exact", "ritz"))
    np.testing.assert_allclose(ritz, exact, rtol=1e-9)
