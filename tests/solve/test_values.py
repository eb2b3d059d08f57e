"""Numbers for symbols: what is missing, unknown, late or not a number is said in one sentence."""

from typing import Any

import pytest

import flexura as fx
from flexura.derivation.linearise import linearise
from flexura.solve.values import numbers


def spring(**carried: float) -> fx.Equations:
    q, m = fx.Coordinate("q"), fx.Parameter("m", carried.get("m"), "kg", ("cart",))
    k = fx.Parameter("k", carried.get("k"), "N/m", ("left spring", "right spring"))
    potential = k * q**2 / 2 + fx.Parameter("k3", 5.0) * q**4
    return fx.derive(fx.Lagrangian(kinetic=m * q.t**2 / 2, potential=potential, work={q: fx.Input("F")}))


def refused(equations: fx.Equations, values: Any) -> str:
    with pytest.raises(fx.FlexuraError) as caught:
        numbers(equations, values)
    return str(caught.value)


def test_what_the_parts_carry_and_what_is_given() -> None:
    assert numbers(spring(m=2.0), {"k": 8}) == {"m": 2.0, "k": 8.0, "k3": 5.0}
    assert numbers(spring(m=2.0), {"k": "3 kN/m", "m": 4, "F": 7})["k"] == 3000.0
    assert numbers(spring(m=2.0), {"k": "2*pi", "m": 4, "F": 7})["F"] == 7.0
    assert numbers(spring(m=2.0, k=1.0), {"F": "sin(x)"}) == {"m": 2.0, "k": 1.0, "k3": 5.0}


def test_all_that_is_missing_is_listed_with_its_parts() -> None:
    expected = "No value is known for k (left spring, right spring), m (cart); give values={'k': ..., 'm': ...}."
    assert refused(spring(), None) == expected
    assert refused(spring(), {"m": 1}).startswith("No value is known for k (left spring, right spring); ")


@pytest.mark.parametrize(
    "ask",
    [
        fx.modes,
        fx.equilibrium,
        lambda equations: fx.simulate(equations, [0.0, 1.0]),
        lambda equations: fx.frequency_response(equations, [1.0], "F", "w_b_beam"),
    ],
    ids=["modes", "equilibrium", "simulate", "frequency_response"],
)
def test_all_that_is_missing_is_data_whoever_asks(ask: Any) -> None:
    hub, beam = fx.RigidBody("hub", m="m_hub", I=1.0), fx.EulerBernoulliBeam("beam", EI="EI", rho=1.0, length="l")
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Fixed(beam.end, hub), fx.Force(hub, "F")))
    with pytest.raises(fx.FlexuraError) as caught:
        ask(equations)
    assert set(caught.value.missing) == {"m_hub", "EI", "l"}
    assert caught.value.part in ("hub", "beam")
    with pytest.raises(fx.FlexuraError) as other:
        numbers(spring(m=1.0, k=1.0), {"mass": 1})
    assert other.value.missing == ()


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"mass": 1}, "Values are given for 'mass', which the equations do not hold; they know k, k3, m, F."),
        ({"m": "3 mm"}, "The m of values is '3 mm', whose unit has the wrong dimension; give it in kg."),
        ({"m": "2*k"}, "The value of m still holds k; give values for them."),
        ({"m": True}, "The m of values is True, a truth value; give a number, a name or an expression."),
        ({"m": float("nan")}, "The m of values is nan, which is not a finite number in range; give another."),
    ],
)
def test_values_that_are_none(values: dict[str, Any], sentence: str) -> None:
    assert refused(spring(m=1.0, k=1.0), values) == sentence


def test_a_parameter_that_dropped_out_needs_no_value_but_takes_no_new_one() -> None:
    linear = linearise(spring(), values={"m": 2})
    assert numbers(linear, {"k": 3}) == {"k": 3.0, "m": 2.0, "k3": 5.0}
    assert numbers(linear, {"k": 3, "m": 2.0})["m"] == 2.0
    assert refused(linear, {"k": 3, "m": 2.5}).startswith("The value 2.5 for m comes too late: m = 2 went into these")
