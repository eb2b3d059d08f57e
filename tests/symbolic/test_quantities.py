"""What a part may be given as a quantity, and what it is told when it cannot be one."""

import math
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import pytest
import symengine
import sympy
from hypothesis import given
from hypothesis import strategies as st

import flexura as fx
from flexura.errors import FlexuraError
from flexura.symbolic.engine import SPINE, Symbol, exact
from flexura.symbolic.expression import Coordinate, Input, Parameter, ParameterDeclaration, x
from flexura.symbolic.quantities import merge_values, quantity, text_or_expression


def only(result):
    (declared,) = result.declarations
    return declared.name, declared.value, declared.parts


def refused(value, *words, keyword="EI", owner="beam", **options):
    with pytest.raises(FlexuraError) as caught:
        quantity(value, keyword, owner, **options)
    message = str(caught.value)
    assert (caught.value.part, caught.value.keyword) == (owner, keyword)
    assert caught.value.problem
    assert caught.value.advice
    assert f"he {keyword} of {owner}" in message
    assert message.endswith(".")
    assert "\n" not in message
    assert len(message) < 500
    for word in words:
        assert word in message
    return message


def test_a_name_is_a_symbol_whose_value_comes_later():
    result = quantity("EI", "EI", "beam", dimension="N*m**2")
    assert result.engine == Symbol("EI")
    assert only(result) == ("EI", None, ("beam",))


@pytest.mark.parametrize("value", [50.0, 50, Decimal(50), Fraction(50)])
def test_a_number_is_a_symbol_of_its_own(value):
    result = quantity(value, "EI", "beam")
    assert result.engine == Symbol("EI_beam")
    assert only(result) == ("EI_beam", 50.0, ("beam",))
    assert type(next(iter(result.declarations)).value) is float


@pytest.mark.parametrize("value", [0, 0.0, -0.0, Decimal(0), "0 mm", "0"])
def test_a_literal_zero_removes_the_term(value):
    result = quantity(value, "k", "spring", dimension="m")
    assert result.engine == 0
    assert not result
    assert result.declarations == frozenset()


@pytest.mark.parametrize("pair", [("EI", 50.0), ["EI", 50.0], ("EI", "50 N*m**2"), ("EI", "5e-5 MN*m^2")])
def test_a_name_and_a_value(pair):
    result = quantity(pair, "EI", "beam", dimension="N*m**2")
    assert result.engine == Symbol("EI")
    assert only(result) == ("EI", 50.0, ("beam",))


def test_a_named_zero_stays_a_symbol():
    assert only(quantity(("k", 0), "k", "spring")) == ("k", 0.0, ("spring",))


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("210 GPa", "Pa", 210e9),
        ("3 mm", "m", 0.003),
        ("3.3 mm", "m", 0.0033),
        (" 3 mm ", "m", 0.003),
        ("-2.5e-3 kN", "N", -2.5),
        ("1.3 m", None, 1.3),
        ("12 ft", "m", 3.6576),
        ("2 N*m**2", "N*m**2", 2.0),
        ("2 N·m²", "N*m**2", 2.0),
        ("2 N m", "N*m", 2.0),
        ("4 kg/m", "kg/m", 4.0),
        ("5 g*cm", "kg*m", 5e-5),
        ("3 1/s", "1/s", 3.0),
        ("3 Hz", "1/s", 3.0),
        ("3 s**-1", "1/s", 3.0),
        ("5 ms", "s", 0.005),
        ("5 µm", "m", 5e-6),
        ("90 deg", "rad", math.pi / 2),
        ("2 rad", "rad", 2.0),
        ("60 rpm", "rad/s", 2 * math.pi),
        ("3 percent", "", 0.03),
        ("20 degC", "K", 293.15),
        ("5 delta_degC", "K", 5.0),
    ],
)
def test_a_number_with_a_unit_is_converted_to_si(text, dimension, value):
    name, known, parts = only(quantity(text, "a", "part", dimension=dimension))
    assert (name, parts) == ("a_part", ("part",))
    assert known == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "dimension", "words"),
    [
        ("3 mm", "N", ["'3 mm'", "dimension", "in N."]),
        ("3 N", "N*m**2", ["'3 N'", "in N*m**2."]),
        ("3 m", "", ["plain number"]),
        ("3 Nm", "N*m", ["'3 Nm'", "such as N*m,"]),
        ("3 Nm", None, ["'3 Nm'", "such as N*m,"]),
        ("3 Nm/rad", "N*m/rad", ["'Nm' is unknown", "such as N*m,"]),
        ("3 kNm", "N*m", ["'kNm' is unknown", "such as kN*m,"]),
        ("20 degC", "m", ["in m."]),
        ("3 mmm", "m", ["unit 'mmm' is unknown", "mm"]),
        ("5 gpa", "Pa", ["'gpa' is unknown", "GPa"]),
        ("5 Kg", "kg", ["'Kg' is unknown", "as kg"]),
        ("5 kg/furlongg", "kg/m", ["'furlongg' is unknown"]),
        ("3 x", "m", ["'x' is unknown", "*"]),
        ("3 __class__", "m", ["'__class__' is unknown"]),
        ("50 Hz", "rad/s", ["cycles", "rad/s"]),
        ("3 m**9**9**9", "m", ["cannot be read"]),
        ("3 ((mm**99)**99)**99", "m", ["cannot be read"]),
        ("3 m**", "m", ["cannot be read"]),
        ("3 (m", "m", ["cannot be read"]),
        ("3 $", "m", ["cannot be read"]),
        ("1e400 m", "m", ["finite"]),
        ("1e999 m", "m", ["exponent"]),
        ("1e-399 m", "m", ["range"]),
        ("3mm", "m", ["'3mm'", "one space"]),
        ("3  mm", "m", ["'3  mm'", "one space"]),
        ("m a", "m", ["'m a'", "operator"]),
    ],
)
def test_wrong_units(text, dimension, words):
    message = refused(text, *words, dimension=dimension)
    assert "one space" in message or "one space" not in words


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("3 *m", 3 * Symbol("m")),
        ("3 / m", 3 / Symbol("m")),
        ("3 - m", 3 - Symbol("m")),
        ("3", exact(3)),
        ("1e3", exact(1000)),
        ("pi/2", symengine.pi / 2),
    ],
)
def test_every_other_string_is_an_expression(text, tree):
    assert quantity(text, "a", "part", dimension="m").engine == tree


def test_units_can_be_switched_off():
    refused("3 mm", "unit", "SI", unit_allowed=False)
    refused(("F", "3 N"), "unit", unit_allowed=False)
    assert "one space" not in refused("3mm", unit_allowed=False)
    assert quantity("3*mm", "F", "load", unit_allowed=False).engine == 3 * Symbol("mm")


def test_names_in_an_expression_are_parameters_of_the_part():
    result = quantity("rho0*(1 - x/(2*l))*t", "rho", "beam", spine=True)
    assert SPINE in result.engine.free_symbols
    assert {(one.name, one.value, one.parts) for one in result.declarations} == {
        ("rho0", None, ("beam",)),
        ("l", None, ("beam",)),
    }


def test_x_is_the_spine_only_where_a_property_may_vary():
    assert quantity("x", "rho", "beam", spine=True).engine == SPINE
    assert only(quantity("x", "m", "body")) == ("x", None, ("body",))
    assert quantity(50 * (1 - x / 2), "EI", "beam", spine=True).engine == 50 * (1 - SPINE / 2)
    refused(50 * (1 - x / 2), "varies along", "x")
    refused(sympy.Symbol("x"), "varies along")


def test_expressions_keep_what_they_declare_and_learn_their_part():
    k, q, f = Parameter("k", 3.0), Coordinate("q"), Input("F")
    result = quantity(k * (1 + q.t * q) * f, "k", "spring")
    assert k.declarations | q.declarations | f.declarations <= result.declarations
    (new,) = result.declarations - (k.declarations | q.declarations | f.declarations)
    assert (new.name, new.value, new.parts) == ("k", 3.0, ("spring",))


@pytest.mark.parametrize("value", [sympy.Symbol("EI") * 2, symengine.Symbol("EI") * 2, "2*EI"])
def test_sympy_and_symengine_are_read(value):
    result = quantity(value, "EI", "beam")
    assert result.engine == 2 * Symbol("EI")
    assert only(result) == ("EI", None, ("beam",))


def test_part_names_that_are_no_symbols():
    assert quantity(5, "k", "left spring-1").engine == Symbol("k_left_spring_1")


@pytest.mark.parametrize(
    "value", [-3, -0.5, "-3 mm", ("k", -1), ("k", "-1 mm"), "-3", "2 - pi", Parameter("k", -2.0), -Parameter("k", 2.0)]
)
def test_negative_where_it_must_not_be(value):
    quantity(value, "k", "spring", dimension="m")
    for sign in ("nonnegative", "positive"):
        message = refused(value, "must be", keyword="k", owner="spring", dimension="m", sign=sign)
        assert ("positive" if sign == "positive" else "zero or more") in message


@pytest.mark.parametrize("value", [0, 0.0, "0 mm", ("k", 0), ("k", "0 mm"), "0", "a - a", Parameter("k", 0.0)])
def test_zero_where_a_positive_value_is_needed(value):
    quantity(value, "k", "spring", dimension="m", sign="nonnegative")
    refused(value, "positive", dimension="m", sign="positive")


@pytest.mark.parametrize("value", ["a", "-a", "x - 3", 2.0, "3 mm", ("k", 2), Parameter("k"), 1 / Parameter("k", 0.0)])
def test_signs_that_are_right_or_not_known_pass(value):
    quantity(value, "k", "spring", dimension="m", spine=True, sign="positive")


@pytest.mark.parametrize(
    "value",
    [
        *(float("nan"), float("inf"), -float("inf"), Decimal("NaN"), Decimal("sNaN"), 10**400, Fraction(1, 10**400)),
        *(True, False, None, 1j, object, {}, b"EI", sympy.nan, sympy.zoo, sympy.I, symengine.zoo, symengine.I),
        *((), ("EI",), ("EI", 1, 2), (1, 2), ("EI", None), ("EI", True), ("EI", "50"), ("EI", float("nan"))),
        *(("2*EI", 1), ("t", 1), ("pi", 1), ("sin", 1), ("E I", 1), ("lambda", 1)),
        *("", "  ", "sin", "f(x)", "a +", "q.t", "lambda", "1/0", "a < b", "__import__('os')"),
    ],
    ids=repr,
)
def test_what_is_no_quantity(value):
    refused(value)


def test_the_name_in_a_pair_is_not_the_spine():
    refused(("x", 1), "'x'", spine=True)
    assert only(quantity(("x", 1), "m", "body")) == ("x", 1.0, ("body",))


@given(st.text(max_size=30))
def test_any_text_is_a_quantity_or_refused(text):
    try:
        quantity(text, "EI", "beam", dimension="m", spine=True)
    except FlexuraError:
        refused(text, dimension="m", spine=True)


@given(st.text("mMkNsg*/^()-.0123456789 ²°%·", max_size=14))
def test_any_unit_is_read_or_refused(unit):
    try:
        quantity(f"3 {unit}", "EI", "beam")
    except FlexuraError:
        refused(f"3 {unit}")


def test_pint_waits_for_the_first_unit():
    code = "import sys, flexura.symbolic.quantities as q; q.quantity(3, 'k', 's'); sys.exit('pint' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_text_or_expression():
    q = Coordinate("q")
    assert text_or_expression("x*a", spine=True).engine == SPINE * Symbol("a")
    assert text_or_expression("x*a").engine == Symbol("x") * Symbol("a")
    assert text_or_expression(q.t) is not q
    assert text_or_expression(0.1).engine == exact(0.1)
    (declared,) = text_or_expression("-2*f(x, t)", inputs=True).declarations
    assert declared.of == frozenset("xt")


@pytest.mark.parametrize(
    ("value", "start"),
    [
        ("a +", "In the motion of Slide q1, the text 'a +' cannot be read at column 4"),
        (float("nan"), "In the motion of Slide q1, the number nan is not finite"),
        (None, "The motion of Slide q1 is None; give"),
        (True, "The motion of Slide q1 is True; give"),
        ([1, 2], "The motion of Slide q1 is [1, 2]; give"),
        (sympy.zoo, "In the motion of Slide q1, the SymPy expression holds"),
    ],
)
def test_text_or_expression_says_what_is_wrong(value, start):
    with pytest.raises(FlexuraError) as caught:
        text_or_expression(value, what="the motion of Slide q1")
    assert str(caught.value).startswith(start)


def union(*results):
    return frozenset().union(*(one.declarations for one in results))


def test_one_symbol_in_several_parts_is_one_record():
    named = quantity("EI", "EI", "left", dimension="N*m**2")
    valued = quantity(("EI", 50), "EI", "right")
    other = quantity("2*EI + b", "EI", "middle")
    merged = merge_values(union(other, valued, named, Coordinate("q")))
    assert list(merged) == ["EI", "b"]
    assert merged["EI"].value == 50.0
    assert merged["EI"].parts == ("left", "right", "middle")
    assert merged["EI"].unit == "N*m**2"
    assert (merged["b"].value, merged["b"].parts) == (None, ("middle",))


def test_the_same_value_in_two_units_is_one_value():
    merged = merge_values(union(quantity(("l", "5 cm"), "l", "a"), quantity(("l", 0.05), "l", "b")))
    assert merged["l"].value == 0.05
    assert merged["l"].parts == ("a", "b")


def test_two_values_of_one_symbol():
    parts = [quantity("EI", "EI", "a"), quantity(("EI", 50), "EI", "b"), quantity(("EI", 60.5), "EI", "c")]
    with pytest.raises(FlexuraError, match=r"symbol EI has two values, 50 in b and 60\.5 in c; "):
        merge_values(union(*parts))
    with pytest.raises(FlexuraError, match=r"symbol EI has two values, 50 in b and 7 in d; "):
        merge_values(union(parts[1], quantity(Parameter("EI", 7), "EI", "d")))
    with pytest.raises(FlexuraError, match=r"symbol k has two values, 1 and 2; "):
        merge_values([ParameterDeclaration("k", 1.0), ParameterDeclaration("k", 2.0)])


def test_records_are_kept_as_they_are_when_there_is_one():
    parameter = Parameter("k", 2.0)
    assert merge_values(parameter.declarations)["k"] in parameter.declarations
    assert merge_values([]) == {}


def test_numpy_numbers_are_numbers() -> None:
    import numpy as np

    tenth = fx.Parameter("a") * np.float64(0.1)
    assert str(np.float64(0.1) * fx.Parameter("a")) == str(tenth) == "(1/10)*a"
    beam = fx.EulerBernoulliBeam("beam", EI=np.float64(2.5), rho=np.int64(3), length=np.float32(1.5))
    assert fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start))).values == {
        "EI_beam": 2.5,
        "rho_beam": 3.0,
        "length_beam": 1.5,
    }


def test_a_sign_the_engine_never_finds_is_refused() -> None:
    q = fx.Coordinate("q")
    with pytest.raises(fx.FlexuraError, match="power of a negative value; write it another way"):
        fx.sign(fx.sqrt(-q))
    assert fx.sign(fx.sqrt(q))
    assert str(fx.derive(fx.Lagrangian(kinetic=q.t**2 / 2, potential=fx.abs_(fx.sqrt(-q)))))


def test_the_size_of_an_expression_is_pythons_abs():
    q, k = Coordinate("q"), Parameter("k", 3.0)
    assert abs(q.t) == text_or_expression("abs(q_t)", what="a size")
    assert abs(-q) == abs(q)
    assert abs(k).declarations == k.declarations  # and it keeps its value


@pytest.mark.parametrize("given", ["q", None, True, [1.0]])
def test_functions_of_what_is_no_expression_are_refused(given):
    with pytest.raises(FlexuraError, match=r"sin is asked for, and .*; give a number, a coordinate"):
        fx.sin(given)
