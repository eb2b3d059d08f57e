"""A parameter given with a unit is checked wherever it is used: every keyword of every kind of part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

import flexura as fx
from flexura.model.files.kinds import CONNECTIONS, LOADS, PARTS, TEXTS, keywords
from flexura.model.files.reading import model_of_text

BASE = """\
[parameters]
bad = "{unit}"
[parts.hub]
kind = "RigidBody"
m = 1
I = 2
[parts.beam]
kind = "EulerBernoulliBeam"
EI = 3
rho = 1
length = 2
[[connections]]
kind = "Slide"
between = ["ground", "hub"]
name = "q"
[[connections]]
kind = "Fixed"
between = ["hub", "beam.start"]
"""
OWN = {
    "Spring": {"k": 1, "free_length": 1, "along": "line"},
    "Damper": {"c": 1},
    "TorsionSpring": {"k": 1},
    "TorsionDamper": {"c": 1},
    "SpatialBeam": {"EA": 1, "EIy": 1, "EIz": 1, "GJ": 1, "rho": 1, "length": 1},
    "ExactSpatialBeam": {"EA": 1, "EIy": 1, "EIz": 1, "GJ": 1, "rho": 1, "length": 1},
}
EXPRESSIONS = {"motion": "bad*sin(t)/2", "value": "2*bad*cos(t)"}


def entry(kind: str, keyword: str, head: str) -> str:
    """One more part that uses the parameter in one keyword; what it needs besides are numbers."""
    known = keywords({**PARTS, **CONNECTIONS, **LOADS}[kind])
    given: dict[str, Any] = {key: 1 for key, needed in known.items() if needed and key not in TEXTS}
    given |= OWN.get(kind, {}) | {keyword: EXPRESSIONS.get(keyword, "bad")}
    if keyword == "law":  # instead of k or c
        given = {key: one for key, one in given.items() if key not in ("k", "c")}
        given["law"] = "bad*sign(v)" if kind.endswith("Damper") else "bad*sign(s)"
    lines = [head, f'kind = "{kind}"', *(f"{key} = {value!r}" for key, value in given.items())]
    return "\n".join(lines).replace("'", '"')


def cases() -> Iterator[tuple[str, str]]:
    for kinds, head in ((PARTS, "[parts.more]"), (CONNECTIONS, '[[connections]]\nbetween = ["beam.end", "ground"]')):
        for kind, made in kinds.items():
            for keyword in keywords(made):
                if keyword not in TEXTS | {"stiffness", "curvature"} and kind not in (
                    "Gear",
                    "Ride",
                ):  # units of a gear are those of coordinates, m or rad
                    yield f"{kind}.{keyword}", entry(kind, keyword, head)
    section = ", ".join(f"[{', '.join('1' if i == j else '0' for j in range(6))}]" for i in range(6))
    stiffness = f"stiffness = [{section.replace('1', chr(34) + 'bad' + chr(34), 1)}]"
    yield "ExactSpatialBeam.stiffness", f'[parts.more]\nkind = "ExactSpatialBeam"\nrho = 1\nlength = 1\n{stiffness}'
    yield "ExactBeam.curvature", entry("ExactBeam", "curvature", "[parts.more]")
    bent = entry("ExactSpatialBeam", "curvature", "[parts.more]").replace(
        'curvature = "bad"', 'curvature = ["bad", 0, 0]'
    )
    yield "ExactSpatialBeam.curvature", bent
    yield (
        "Ride.motion",
        entry("Ride", "motion", '[parts.car]\nkind = "Mass"\nm = 1\n[[connections]]\nbetween = ["beam", "car"]'),
    )
    for kind in LOADS:
        word = 'member = "beam"' if kind == "DistributedForce" else 'at = "hub"'
        yield f"{kind}.value", entry(kind, "value", f"[[loads]]\n{word}")
    yield "RigidBody.I, three", '[parts.more]\nkind = "RigidBody"\nm = 1\nI = [1, "bad", 2]'
    yield "a place on a body", '[[connections]]\nkind = "Pin"\nbetween = ["hub.at(bad)", "ground"]'
    yield "a place on a member", '[[connections]]\nkind = "Pin"\nbetween = ["beam.at(bad)", "ground"]'
    yield "Gravity.g", '[gravity]\ng = "bad"'


CASES = dict(cases())


def refusal(text: str) -> str:
    """Why a model is refused; "" if it is not."""
    try:
        model_of_text(text)
    except fx.FlexuraError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("case", CASES)
def test_a_parameter_in_the_wrong_unit_is_refused_where_it_is_used(case: str) -> None:
    with pytest.raises(fx.FlexuraError) as error:
        model_of_text(BASE.format(unit="392 K") + CASES[case])
    told = str(error.value)
    assert re.search(r"with bad in K(, [sv] in [^,;]+)*; give it in ", told), told
    assert re.search(r"line (1[89]|2\d)", told), told  # one of the lines of the part, not of the parameters
    advised = re.search(r"give it in (.*)\.$", told)
    assert advised is not None
    said = refusal(BASE.format(unit=f"0.5 {advised[1]}") + CASES[case])
    assert "give it in" not in said, said  # what is advised is right


def test_the_units_of_an_expression_come_to_one() -> None:
    text = BASE.format(unit="3 m") + '[parts.more]\nkind = "Mass"\nm = "F/(2*bad*w**2)"'
    for unit, right in (("8 N", True), ("8 N/m", False)):
        units = text.replace("[parameters]", f'[parameters]\nF = "{unit}"\nw = "30 rpm"')
        assert ("comes to" in refusal(units)) is not right


def test_what_is_added_has_one_dimension() -> None:
    text = BASE.format(unit="3 m") + '[parts.more]\nkind = "Mass"\nm = "bad + mass"'
    with pytest.raises(fx.FlexuraError, match=r"puts (kg and m|m and kg) together in bad [+] mass"):
        model_of_text(text.replace("[parameters]", '[parameters]\nmass = "2 kg"'))


@pytest.mark.parametrize("m", ["rho0*1.31", "rho0*some", "rho0 + 1"])
def test_numbers_and_names_without_units_may_be_anything(m: str) -> None:
    """1.31 may be a length in m: what has no unit is not refused for that."""
    kind = f'[parts.more]\nkind = "Mass"\nm = "{m}"\n[[connections]]\nkind = "Slide"\nbetween = ["ground", "more"]'
    made = model_of_text(BASE.replace("bad", "rho0").format(unit="3 kg/m") + kind)
    assert fx.derive(made).values["rho0"] == 3.0


def test_parameters_in_python() -> None:
    P = fx.Parameter
    assert P("E", "210 GPa").value == 210e9
    assert P("m", "392").value == 392.0
    with pytest.raises(
        fx.FlexuraError, match=r"The m of a is m, which comes to kg[*]m/s[*][*]2 with m in N; give it in kg"
    ):
        fx.Mass("a", m=P("m", "392 N"))
    assert fx.Mass("a", m=P("W", "392 N") / P("g", "9.81 m/s**2")).mass
    for value in ("abc", [3], "3 foo", True, "nan"):
        with pytest.raises(fx.FlexuraError, match="parameter m"):
            P("m", value)


def test_one_symbol_has_one_dimension() -> None:
    body = fx.RigidBody("body", m=("p", "3 kg"), I="p")
    with pytest.raises(fx.FlexuraError, match=r"The quantity p in body .* comes to kg .*; give it in kg[*]m[*][*]2"):
        fx.derive(fx.Model(fx.Slide(fx.ground, body)))


TURNING = """\
constraints = ["theta*3 - q*p1"]
[parameters]
p1 = 1
p2 = 2
p3 = 3
p4 = 4
p5 = 5
p6 = 6
[parts.hub]
kind = "RigidBody"
m = 1
I = 2
[parts.cart]
kind = "Mass"
m = 1
[[connections]]
kind = "Revolute"
between = ["ground", "hub"]
name = "theta"
[[connections]]
kind = "Slide"
between = ["hub.at(p2)", "cart"]
name = "q"
[[connections]]
kind = "Spring"
between = ["ground", "cart"]
k = "p3*2"
[[loads]]
kind = "Force"
at = "hub.at(0, p4)"
value = "2*p5*sin(t)"
[gravity]
g = "p6"
"""


def test_a_parameter_keeps_its_value_wherever_it_is_used() -> None:
    values = fx.derive(model_of_text(TURNING)).values
    assert {f"p{i}": float(i) for i in range(1, 7)}.items() <= values.items()
