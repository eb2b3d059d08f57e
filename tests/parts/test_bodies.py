"""Bodies and their points: what they carry, how they compare and read, and what they refuse."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest
import symengine
from hypothesis import given
from hypothesis import strategies as st

import flexura as fx
from flexura.symbolic.engine import exact

A, B, C, D, E, F = symengine.symbols("A B C D E F")


def values(body: Any) -> dict[str, float | None]:
    return {one.name: getattr(one, "value", None) for one in body.declarations}


# -- quantities --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("m", "symbol", "value"),
    [("m", "m", None), (2.0, "m_a", 2.0), (("m", 2.0), "m", 2.0), ("2 kg", "m_a", 2.0), ("2000 g", "m_a", 2.0)],
)
@pytest.mark.parametrize("make", [lambda m: fx.Mass("a", m), lambda m: fx.RigidBody("a", m, 0)])
def test_a_mass_is_any_quantity(make: Any, m: Any, symbol: str, value: float | None) -> None:
    body = make(m)
    assert str(body.mass) == symbol
    assert values(body) == {symbol: value}


def test_zero_is_no_mass() -> None:
    assert fx.Mass("a", m=0).mass.engine == 0
    assert fx.RigidBody("a", m=0, I="I").mass.engine == 0


@pytest.mark.parametrize(
    ("I", "tensor"),
    [
        ("A", ((A, 0, 0), (0, A, 0), (0, 0, A))),
        (0, ((0, 0, 0), (0, 0, 0), (0, 0, 0))),
        (("A", "B", "C"), ((A, 0, 0), (0, B, 0), (0, 0, C))),
        ([("A", 1.0), "B", 0], ((A, 0, 0), (0, B, 0), (0, 0, 0))),
        ([["A", "D", 0], ["D", "B", "-F"], [0, "-F", "C"]], ((A, D, 0), (D, B, -F), (0, -F, C))),
    ],
)
def test_an_inertia_is_one_three_or_nine(I: Any, tensor: Any) -> None:
    assert fx.RigidBody("a", m="m", I=I).tensor == tensor


def test_numbers_of_a_tensor_are_symbols_that_carry_them() -> None:
    three = fx.RigidBody("a", m=1, I=(1.0, 2.0, 3.0))
    assert values(three) == {"m_a": 1.0, "Ixx_a": 1.0, "Iyy_a": 2.0, "Izz_a": 3.0}
    full = fx.RigidBody("a", m=1, I=np.array([[3.0, -0.5, 0.0], [-0.5, 4.0, 0.0], [0.0, 0.0, 5.0]]))
    assert values(full) == {"m_a": 1.0, "Ixx_a": 3.0, "Ixy_a": -0.5, "Iyy_a": 4.0, "Izz_a": 5.0}
    assert full.tensor[0][1] == full.tensor[1][0]
    assert values(fx.RigidBody("a", m=1, I=("J", 2.0))) == {"m_a": 1.0, "J": 2.0}
    assert values(fx.RigidBody("a", m=1, I="3 kg*cm**2"))["I_a"] == pytest.approx(3e-4)


# -- places ------------------------------------------------------------------------------------------------------------


def test_bodies_are_themselves_and_places_are_their_values() -> None:
    one, twin = fx.RigidBody("a", m="m", I="I"), fx.RigidBody("a", m="m", I="I")
    assert one != twin
    assert len({one, twin, one}) == 2
    assert one.at("d") == one.at("d") == one.at("d", 0) == one.at("d", 0.0, "0*d")
    assert hash(one.at("d")) == hash(one.at("d", 0))
    assert one.at("d") != twin.at("d")
    assert one.at("d") != one.at("d", "h") != one.at("h", "d")
    assert one.at(0) == one.place
    assert {one.at("d"): 1}[one.at("d")] == 1


def test_the_origin_of_ground_is_a_place_and_ground_is_not() -> None:
    assert fx.ground.at(0, 0) != fx.ground.place
    assert repr(fx.ground) == repr(fx.ground.place) == "ground"
    assert repr(fx.ground.at(0, 0)) == "ground.at(0, 0, 0)"


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_numbers_of_a_place_are_exact(x: float, y: float) -> None:
    """A symbol of its own would be the same for every point of the body."""
    place = fx.Mass("a", m="m").at(x, y)
    assert place.offset == (exact(x), exact(y), 0)
    assert not place.declarations


def test_units_and_names_of_a_place() -> None:
    place = fx.Mass("a", m="m").at("3 mm", "r/2", ("h", 2.0))
    assert place.offset[0] == exact(0.003)
    assert {one.name for one in place.declarations} == {"r", "h"}
    assert repr(place) == "a.at(3/1000, (1/2)*r, h)"


def test_nothing_can_be_changed() -> None:
    body = fx.RigidBody("a", m="m", I="I")
    for thing, attribute in ((body, "name"), (body.at("d"), "offset"), (fx.ground, "mass")):
        with pytest.raises(FrozenInstanceError):
            setattr(thing, attribute, 0)


# -- refusals ----------------------------------------------------------------------------------------------------------

REFUSED = {
    "negative mass": (
        lambda m=-1: fx.Mass("a", m=m),
        "The m of a is -1, but it must be zero or more; give such a value, or a name.",
        {"m": 0},
    ),
    "negative mass with a unit": (
        lambda m="-3 kg": fx.RigidBody("a", m=m, I=1),
        "The m of a is '-3 kg', but it must be zero or more; give such a value, or a name.",
        {"m": "3 kg"},
    ),
    "negative inertia": (
        lambda I=-1: fx.RigidBody("a", m=1, I=I),
        "The I of a is -1, but it must be zero or more; give such a value, or a name.",
        {"I": 0},
    ),
    "negative principal inertia": (
        lambda I=(1, -2, 3): fx.RigidBody("a", m=1, I=I),
        "The Iyy of a is -2, but it must be zero or more; give such a value, or a name.",
        {"I": (1, 2, 3)},
    ),
    "wrong dimension": (
        lambda m="3 m": fx.Mass("a", m=m),
        "The m of a is '3 m', whose unit has the wrong dimension; give it in kg.",
        {"m": "3 kg"},
    ),
    "two entries": (
        lambda I=(1, 2): fx.RigidBody("a", m=1, I=I),
        "The inertia I of a has 2 entries; give one, three (Ixx, Iyy, Izz) or a 3x3 tensor.",
        {"I": (1, 2, 3)},
    ),
    "a short row": (
        lambda row=(0, 1): fx.RigidBody("a", m=1, I=[(1, 0, 0), row, (0, 0, 1)]),
        "Row 2 of the inertia tensor of a is (0, 1); give three entries.",
        {"row": (0, 1, 0)},
    ),
    "not symmetric": (
        lambda y=2: fx.RigidBody("a", m=1, I=[[3, 1, 0], [y, 3, 0], [0, 0, 3]]),
        "The inertia tensor of a is not symmetric: Ixy and Iyx differ; give the same product of inertia in both"
        " places.",
        {"y": 1},
    ),
    "no name": (
        lambda name="": fx.Mass(name, m=1),
        "A part is called ''; use a name of letters, digits and underscores, like 'q1'.",
        {"name": "q1"},
    ),
    "no word": (
        lambda name="my hub": fx.RigidBody(name, m=1, I=1),
        "A part is called 'my hub'; use a name of letters, digits and underscores, like 'q1'.",
        {"name": "my_hub"},
    ),
    "a word of the grammar": (
        lambda name="sin": fx.Mass(name, m=1),
        "A part is called 'sin', which is a word of the expression grammar; choose another.",
        {"name": "sinus"},
    ),
    "ground": (
        lambda name="ground": fx.Mass(name, m=1),
        "A part is called 'ground', which is fx.ground; choose another name.",
        {"name": "soil"},
    ),
    "a place of the wrong dimension": (
        lambda x="3 kg": fx.Mass("a", m=1).at(x),
        "The x of a is '3 kg', whose unit has the wrong dimension; give it in m.",
        {"x": "3 m"},
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_body_is_refused_in_one_sentence_and_its_advice_works(case: str) -> None:
    make, sentence, advice = REFUSED[case]
    with pytest.raises(fx.FlexuraError) as refusal:
        make()
    assert str(refusal.value) == sentence
    assert make(**advice)
