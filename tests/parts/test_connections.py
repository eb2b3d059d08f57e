"""Joints, springs, loads and directions: how they are written, how they read, and what they refuse."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest
import symengine
from hypothesis import given
from hypothesis import strategies as st

import flexura as fx
from flexura.parts.axes import direction
from flexura.symbolic.engine import ONE, exact
from flexura.symbolic.kinematics.vectors import EX, EY, EZ, dot, scale

a, b = fx.RigidBody("a", m="m", I="I"), fx.Mass("b", m="m")
beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l")

# -- directions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("letter", "axis"), [("x", EX), ("y", EY), ("z", EZ)])
def test_letters_and_signs(letter: str, axis: Any) -> None:
    assert direction(letter, "it") == direction(f"+{letter}", "it") == axis
    assert direction(f"-{letter}", "it") == scale(exact(-1), axis)


@given(st.lists(st.integers(-9, 9), min_size=3, max_size=3).filter(any))
def test_a_vector_gets_the_length_one_exactly(vector: list[int]) -> None:
    found = direction(vector, "it")
    assert symengine.expand(dot(found, found)) == 1
    length = math.sqrt(sum(one**2 for one in vector))
    np.testing.assert_allclose([float(one) for one in found], np.array(vector) / length, rtol=1e-14)
    assert direction(tuple(vector), "it") == direction(np.array(vector), "it") == found


def test_a_vector_may_hold_expressions() -> None:
    angle = fx.Parameter("angle")
    x, y, _ = direction((fx.cos(angle), fx.sin(angle), 0), "it")
    assert float((y / x).subs({symengine.Symbol("angle"): 0.3})) == pytest.approx(math.tan(0.3))


@pytest.mark.parametrize("given", ["w", "xy", "--x", "", (1, 0), (0, 0, 0), (1, "y", 0), (math.nan, 0, 1), None, 3])
def test_what_is_no_direction(given: Any) -> None:
    sentence = "write 'x', 'y', 'z', a signed one like '-y', or a vector."
    with pytest.raises(fx.FlexuraError) as refusal:
        fx.Slide(fx.ground, a, along=given)
    assert str(refusal.value) == f"The direction of Slide(ground, a) is {given!r}; {sentence}"


DIRECTED = {
    "Roller(ground, a)": lambda w: fx.Roller(fx.ground, a, along=w),
    "Revolute(ground, a)": lambda w: fx.Revolute(fx.ground, a, about=w),
    "Fixed(ground, a)": lambda w: fx.Fixed(fx.ground, a, about=w),
    "Spring(ground, a)": lambda w: fx.Spring(fx.ground, a, k=1, along=w),
    "Damper(ground, a)": lambda w: fx.Damper(fx.ground, a, c=1, along=w),
    "TorsionSpring(ground, a)": lambda w: fx.TorsionSpring(fx.ground, a, k=1, about=w),
    "TorsionDamper(ground, a)": lambda w: fx.TorsionDamper(fx.ground, a, c=1, about=w),
    "the force on a": lambda w: fx.Force(a, "F", along=w),
    "the torque on a": lambda w: fx.Torque(a, "T", about=w),
    "the distributed force on beam": lambda w: fx.DistributedForce(beam, "f", along=w),
    "gravity": lambda w: fx.Gravity(along=w),
}


@pytest.mark.parametrize("what", DIRECTED)
def test_every_part_says_whose_direction_is_wrong(what: str) -> None:
    with pytest.raises(fx.FlexuraError) as refusal:
        DIRECTED[what]("w")
    assert str(refusal.value).startswith(f"The direction of {what} is 'w'; write 'x', 'y', 'z'")
    for good in ("x", "-y", (1, 2, 3)):
        assert DIRECTED[what](good)


# -- connections -------------------------------------------------------------------------------------------------------

CONNECTIONS = [fx.Fixed, fx.Pin, fx.Roller, fx.Slide, fx.Revolute, fx.Free]
LINKS = {
    fx.Spring: "k", fx.Damper: "c", fx.TorsionSpring: "k", fx.TorsionDamper: "c",
}  # fmt: skip


def join(kind: Any, p: Any, q: Any, **more: Any) -> Any:
    return kind(p, q, **({LINKS[kind]: 1.0} if kind in LINKS else {}), **more)


@pytest.mark.parametrize("kind", [*CONNECTIONS, *LINKS])
def test_places_of_every_kind_connect_and_read_well(kind: Any) -> None:
    for p, q in ((fx.ground, a), (a.at("d"), b), (beam.end, a), (fx.ground.at(1, 2), beam.at("l/2"))):
        assert repr(join(kind, p, q)) == f"{kind.__name__}({p!r}, {q!r})"
    made = join(kind, fx.ground, a)
    assert made.p == fx.ground.place
    assert made.q == a.at(0)
    assert made != join(kind, fx.ground, a)
    with pytest.raises(FrozenInstanceError):
        made.p = a


@pytest.mark.parametrize("kind", [*CONNECTIONS, *LINKS])
@pytest.mark.parametrize(
    ("p", "q", "said", "better"),
    [
        (a, a, "(a, a) connects a place to itself; name two different places.", (a, b)),
        (a.at("d"), a.at("d", 0), "connects a place to itself; name two different places.", (a.at("d"), b)),
        (beam.at("l"), beam.end, "(beam.end, beam.end) connects a place to itself; name", (beam.end, a)),
        (fx.ground, beam, "names the member beam; name a place on it: .start, .end or .at(s).", (a, beam.at("l/2"))),
        (fx.ground, "a", "(ground, 'a') names 'a', which is not a place; give a body, a point of it, or a", (b, a)),
        (3, a, "(3, a) names 3, which is not a place; give a body, a point of it, or a place on a member.", (b, a)),
    ],
)
def test_what_cannot_be_connected(kind: Any, p: Any, q: Any, said: str, better: Any) -> None:
    with pytest.raises(fx.FlexuraError) as refusal:
        join(kind, p, q)
    assert said in str(refusal.value)
    assert str(refusal.value).startswith(kind.__name__)
    assert join(kind, *better)


@pytest.mark.parametrize("kind", [fx.Slide, fx.Revolute])
def test_names_of_coordinates(kind: Any) -> None:
    assert kind(fx.ground, a, name="q").names == ("q",)
    assert kind(fx.ground, a).names == ("",)
    for name, said in (("two words", "use a name of letters"), ("sin", "a word of the expression grammar"), ("t", "")):
        with pytest.raises(fx.FlexuraError, match=f"A coordinate is called '{name}'.*{said}"):
            kind(fx.ground, a, name=name)


@pytest.mark.parametrize("count", [1, 4, 5, 7])
def test_free_has_three_names_or_six(count: int) -> None:
    names = [f"q{i}" for i in range(count)]
    with pytest.raises(fx.FlexuraError) as refusal:
        fx.Free(fx.ground, a, names=names)
    many = "one name" if count == 1 else f"{count} names"
    assert (
        str(refusal.value)
        == f"Free(ground, a) is given {many}; give three (x, y, theta) or six; two or three for a particle."
    )
    assert fx.Free(fx.ground, a, names=("x", "y", "theta")).names == ("x", "y", "theta")
    assert len(fx.Free(fx.ground, a, names=tuple("abcdef")).names) == 6
    with pytest.raises(fx.FlexuraError, match="is given one name"):
        fx.Free(fx.ground, a, names="xyz")


def test_a_name_of_free_may_be_left_to_the_model() -> None:
    assert fx.Free(fx.ground, a, names=(None, "y", None)).names == ("", "y", "")


@pytest.mark.parametrize(
    ("angle", "radians"),
    [("90 deg", math.pi / 2), (0.25, 0.25), ("pi/3", math.pi / 3), (math.pi, math.pi), (0, 0.0), ("0.5 rad", 0.5)],
)
def test_numbers_and_units_of_an_angle_are_radians_and_no_symbols(angle: Any, radians: float) -> None:
    found = fx.Fixed(a, b, angle=angle).angle
    assert float(found.engine) == pytest.approx(radians, rel=1e-15)
    assert not [one for one in found.declarations if one.kind == "parameter"]


def test_a_named_angle_stays_a_symbol() -> None:
    assert str(fx.Fixed(a, b, angle="alpha").angle) == "alpha"
    named = fx.Fixed(a, b, angle=("alpha", 0.3)).angle
    assert {one.value for one in named.declarations} == {0.3}


def test_an_angle_of_the_wrong_dimension() -> None:
    with pytest.raises(fx.FlexuraError, match=r"angle of Fixed\(a, b\) is '3 m', whose unit has the wrong dimension;"):
        fx.Fixed(a, b, angle="3 m")


def test_a_motion_is_an_expression() -> None:
    moved = fx.Slide(fx.ground, a, motion="y0*sin(Omega*t)")
    assert {one.name for one in moved.motion.engine.free_symbols} == {"y0", "Omega", "t"}
    assert fx.Slide(fx.ground, a).motion is None
    with pytest.raises(fx.FlexuraError, match=r"In the motion of Slide\(ground, a\), the text 'y0\*\*' cannot be read"):
        fx.Slide(fx.ground, a, motion="y0**")


# -- springs and dampers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: fx.Spring(fx.ground, a, k=2.0), "k_ground_a"),
        (lambda: fx.Spring(fx.ground, a, k=2.0, along="-x"), "k_ground_a_x"),
        (lambda: fx.Spring(a, b, k=2.0, along="line"), "k_a_b_line"),
        (lambda: fx.Spring(a, b, k=2.0, along=(1, 1, 0)), "k_a_b_axis"),
        (lambda: fx.Spring(a, b, k=2.0, name="soft"), "k_soft"),
        (lambda: fx.Damper(beam.end, b, c=2.0), "c_beam_end_b"),
        (lambda: fx.TorsionSpring(fx.ground, a, k=2.0), "k_ground_a_turn"),
        (lambda: fx.TorsionDamper(fx.ground, a, c=2.0), "c_ground_a_turn"),
    ],
)
def test_a_number_is_a_symbol_after_the_places_or_the_name(make: Any, name: str) -> None:
    link = make()
    assert str(link.rate) == name
    assert {one.value for one in link.rate.declarations} == {2.0}


@pytest.mark.parametrize(
    ("make", "good", "unit"),
    [
        (lambda k: fx.Spring(fx.ground, a, k=k), "3 kN/m", "N/m"),
        (lambda k: fx.Damper(fx.ground, a, c=k), "3 kg/s", "N*s/m"),
        (lambda k: fx.TorsionSpring(fx.ground, a, k=k), "3 N*m/rad", "N*m/rad"),
        (lambda k: fx.TorsionDamper(fx.ground, a, c=k), "3 N*m*s", "N*m*s/rad"),
    ],
)
def test_units_of_rates(make: Any, good: str, unit: str) -> None:
    with pytest.raises(fx.FlexuraError) as refusal:
        make("3 kg")
    assert str(refusal.value).endswith(f"is '3 kg', whose unit has the wrong dimension; give it in {unit}.")
    assert make(good)
    assert make(f"3 {unit}")


def test_no_stiffness_is_no_term_and_negative_ones_are_springs() -> None:
    """A negative stiffness is physical: a magnet, or an inverted pendulum."""
    assert fx.Spring(fx.ground, a, k=0).rate.engine == 0
    assert {one.value for one in fx.Spring(fx.ground, a, k=-3.0).rate.declarations} == {-3.0}


def test_a_free_length_belongs_to_a_line() -> None:
    with pytest.raises(fx.FlexuraError) as refusal:
        fx.Spring(a, b, k=1, along="x", free_length=2)
    assert str(refusal.value) == "Spring(a, b) has a free length but acts along 'x'; write along='line'."
    spring = fx.Spring(a, b, k=1, along="line", free_length=2)
    assert spring.along is None
    assert spring.free_length is not None


# -- loads -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "inputs", "names"),
    [
        ("F", {"F": set()}, {"F"}),
        ("F(t)", {"F": {"t"}}, {"F"}),
        ("-2*F", {}, {"F"}),
        ("F0*sin(Omega*t)", {}, {"F0", "Omega", "t"}),
        ("2*F(t) - c", {"F": {"t"}}, {"F", "c"}),
        (3.0, {}, set()),
    ],
)
def test_what_a_load_declares(value: Any, inputs: dict[str, set[str]], names: set[str]) -> None:
    load = fx.Force(a, value)
    declared = load.value.declarations
    assert {one.name: set(one.of) for one in declared if one.kind == "input"} == inputs
    assert {one.name for one in load.value.engine.free_symbols} == names
    assert load.name == (next(iter(inputs)) if len(inputs) == 1 else "")
    assert fx.Force(a, value, name="push").name == "push"


def test_x_is_the_spine_in_distributed_loads_only() -> None:
    assert "$x" in str(fx.DistributedForce(beam, "f0*x/l").value.engine)
    assert "$x" not in str(fx.Force(a, "f0*x/l").value.engine)


def test_what_a_distributed_force_and_a_torque_refuse() -> None:
    with pytest.raises(fx.FlexuraError, match="acts on a, which is not a member; use Force for a place"):
        fx.DistributedForce(a, "f")
    assert fx.Force(a, "f")
    with pytest.raises(fx.FlexuraError, match=r"The reaction of the torque on a names the member beam; name a place"):
        fx.Torque(a, "tau", reaction=beam)
    assert fx.Torque(a, "tau", reaction=beam.end).reaction == beam.end


@pytest.mark.parametrize(("g", "symbol", "value"), [(9.81, "g", 9.81), ("g", "g", None), ("1.62 m/s**2", None, 1.62)])
def test_gravity(g: Any, symbol: str | None, value: float | None) -> None:
    weight = fx.Gravity(g)
    (declared,) = weight.g.declarations
    assert declared.value == value
    assert symbol in (None, declared.name)
    assert weight.along == scale(exact(-1), EY)
    assert {one.value for one in fx.Gravity().g.declarations} == {9.81}
    assert fx.Gravity(0).g.engine == 0


def test_gravity_of_the_wrong_dimension() -> None:
    with pytest.raises(fx.FlexuraError, match=r"The g of gravity is '3 N', whose unit has .*; give it in m/s\*\*2\."):
        fx.Gravity("3 N")


def test_a_constraint_keeps_its_text() -> None:
    rolling = fx.Constraint("x_t - r*theta_t")
    assert rolling.text == "x_t - r*theta_t"
    with pytest.raises(fx.FlexuraError, match=r"In a constraint, the text 'x_t = 3' cannot be read at column"):
        fx.Constraint("x_t = 3")


def test_one_is_one() -> None:
    assert direction((2, 0, 0), "it") == (ONE, 0, 0)
