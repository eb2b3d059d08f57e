"""Quantities of pint: each is the text that says the same, and nothing drops its unit without a word."""

from fractions import Fraction

import numpy as np
import pint
import pytest
from hypothesis import given
from hypothesis import strategies as st

import flexura as fx
from flexura.errors import FlexuraError
from flexura.symbolic.dimensions import as_text, in_si
from flexura.symbolic.expression import ParameterDeclaration
from flexura.symbolic.quantities import quantity

UNITS = pint.UnitRegistry()
STIFFNESSES = ["N/m", "kN/mm", "kg/s**2", "lbf/inch", "N*m/m**2", "1/(m/N)"]


def short_units() -> pint.UnitRegistry:
    """A registry that writes kN/m for kilonewton / meter."""
    found = pint.UnitRegistry()
    found.formatter.default_format = "~P"
    return found


def carried(value: object, unit: str) -> float:
    """The number that a quantity of a part carries."""
    (declared,) = quantity(value, "k", "spring", dimension=unit).declarations
    assert isinstance(declared, ParameterDeclaration)
    assert declared.value is not None
    return declared.value


@given(st.floats(1e-6, 1e6), st.sampled_from(STIFFNESSES), st.sampled_from([UNITS, short_units()]))
def test_a_quantity_of_pint_is_what_its_text_says(size: float, unit: str, units: pint.UnitRegistry) -> None:
    """By our reader, and by pint's own conversion."""
    given_one = units.Quantity(size, unit)
    if unit.startswith("1/"):
        assert carried(given_one, "N/m") == pytest.approx(size, rel=1e-12)
    else:
        assert carried(given_one, "N/m") == pytest.approx(carried(f"{size!r} {unit}", "N/m"), rel=1e-12)
    assert carried(given_one, "N/m") == pytest.approx(given_one.to("N/m").magnitude, rel=1e-12)
    for number in (np.float64(size), np.array(size), Fraction(size)):
        assert as_text(units.Quantity(number, unit)) == as_text(given_one)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=4), st.sampled_from(["ms", "s", "hour"]))
def test_arrays_of_times_come_in_seconds(sizes: list[float], unit: str) -> None:
    times = UNITS.Quantity(np.array(sizes), unit)
    np.testing.assert_allclose(in_si(times, "t", "s"), times.to("s").magnitude, rtol=1e-12)


@pytest.mark.parametrize("size", [[1.0, 2.0], float("nan")])
def test_what_is_no_number_is_no_quantity(size: object) -> None:
    with pytest.raises(FlexuraError, match="k of spring"):
        quantity(UNITS.Quantity(size, "N/m"), "k", "spring", dimension="N/m")


@pytest.mark.parametrize("unit", ["N", "kg", "dimensionless", "Hz"])
def test_a_wrong_dimension_is_refused(unit: str) -> None:
    with pytest.raises(FlexuraError, match="wrong dimension; give it in N/m"):
        quantity(UNITS.Quantity(2.0, unit), "k", "spring", dimension="N/m")


def oscillator() -> fx.Model:
    body = fx.RigidBody("body", UNITS.Quantity(2000, "g"), UNITS.Quantity(np.array([1, 2, 3]), "kg*m**2"))
    return fx.Model(
        fx.Slide(fx.ground, body, name="q"),
        fx.Spring(fx.ground, body, k=("k", UNITS.Quantity(0.1, "kN/m"))),
        fx.Force(body, "F"),
    )


def test_verbs_take_quantities_in_any_unit() -> None:
    """As the same numbers in SI units."""
    model, q = oscillator(), UNITS.Quantity
    t = np.array([0.0, 0.5, 1.0])
    plain = fx.simulate(model, t, {"q": 0.003}, {"F": 40.0})["q"]
    same = fx.simulate(model, q(1e3 * t, "ms"), {"q": q(3, "mm")}, {"F": q(0.04, "kN")})["q"]
    np.testing.assert_allclose(same, plain, rtol=1e-12)
    np.testing.assert_allclose(plain, 0.4 + (0.003 - 0.4) * np.cos(np.sqrt(50) * t), rtol=1e-7)
    turns = fx.frequency_response(model, q(np.array([30.0, 90.0]), "rpm"), "F", "q")
    np.testing.assert_allclose(turns, 1 / (100 - 2 * (np.pi * np.array([1.0, 3.0])) ** 2), rtol=1e-12)
    chart = fx.campbell(model, "k", q([0.1, 0.2], "kN/m"))
    np.testing.assert_allclose(chart.frequencies[:, 0], np.sqrt([50.0, 100.0]), rtol=1e-10)
    assert fx.modes(model, values={"k": q(2, "N/cm")}).frequencies[0] == pytest.approx(10.0)
    assert fx.equilibrium(model, values={"F": q(1, "N")})["q"] == pytest.approx(0.01)
    assert fx.accelerations(model, {"q": q(2, "cm")})["q"] == pytest.approx(-1.0)


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda m, q: fx.frequency_response(m, q(np.array([1.0]), "Hz"), "F", "q"), "omega is in hertz, which counts"),
        (lambda m, q: fx.frequency_response(m, q(1.0, "m"), "F", "q"), "omega is in meter; give it in rad/s"),
        (lambda m, q: fx.simulate(m, q(np.array([0.0, 1.0]), "m")), "t is in meter; give it in s"),
        (lambda m, q: fx.Force(fx.Mass("a", 1), q(1, "kg")), "force on a is in kilogram; give it in N"),
        (lambda m, q: fx.simulate(m, [0, 1], {"q": q(1, "degC")}), "initial q is in degree_Celsius; give it in SI"),
        (
            lambda m, q: fx.SecondOrderSystem(q(np.eye(2), "kg"), None, np.eye(2)),
            "plain numbers as M, and an array in kilogram is none; give its numbers in SI units",
        ),
    ],
)
def test_units_that_nobody_could_read_are_refused(ask: object, told: str) -> None:
    assert callable(ask)
    with pytest.raises(FlexuraError, match=told):
        ask(oscillator(), UNITS.Quantity)


def test_answers_that_take_any_attribute_for_a_name_are_asked_nothing() -> None:
    shape = fx.modes(fx.Model(fx.EulerBernoulliBeam("b", EI=1.0, rho=1.0, length=1.0, field="w")), 3).shape(2)
    assert np.isfinite(shape.w(0.3))
    assert as_text(shape) is shape


def test_a_value_is_named_by_text() -> None:
    with pytest.raises(FlexuraError, match=r"given for k itself; name it by text: values=\{'k': ...\}"):
        fx.modes(oscillator(), values={fx.Parameter("k"): 3.0})
