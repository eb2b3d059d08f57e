"""The base of elements: places, values at ends, what it refuses, and that it cannot be changed."""

import pytest
import sympy as sp

from flexura.energy.field import Field
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.parts.members import EulerBernoulliBeam, Member, Place, TimoshenkoBeam
from flexura.symbolic.expression import Coordinate, Input, Parameter, time


def beam(length="l", name="beam") -> EulerBernoulliBeam:
    return EulerBernoulliBeam(name, EI="EI", rho="rho", length=length)


def test_places_are_equal_by_member_and_value() -> None:
    one, other = beam(), beam()
    assert one.end == one.end
    assert one.start == one.start == one.at(0) == one.at("l - l")
    assert one.at("l") == one.end
    assert one.at("l/2") == one.at("0.5*l") != one.end
    assert one.at("2*l/3") == one.at("l*2/3") == one.at("l - l/3")
    assert one.end != other.end
    assert one.start != one.end
    assert one.end != "beam.end"
    assert {one.at("l/2"): 1, one.end: 2}[one.at("l/2")] == 1
    assert len({one.start, one.at(0.0), one.end, one.at("l"), other.end}) == 3


def test_places_of_a_beam_whose_length_has_a_value() -> None:
    for length in (0.6, ("l", 0.6), "600 mm", Parameter("l", 0.6)):
        member = beam(length)
        assert member.at(0.6) == member.end == member.at("60 cm")
        assert hash(member.at(0.6)) == hash(member.end)
        assert member.at(0.1 + 0.2) == member.at(0.3) == member.at("300 mm")
        assert member.at(0.6).position == member.length
        assert member.at(0.6).end == "b"
        assert member.at(0).end == "a"
        assert member.at(0.3).end == ""
        assert member.at(0.3) != member.at(0.2)
    named = beam(("l", 0.6))
    assert named.at("l/2") == named.at(0.3)
    assert named.at("l") == named.end


def test_places_read_well() -> None:
    member = beam()
    assert [repr(one) for one in (member.start, member.at("a"), member.end)] == ["beam.start", "beam.at(a)", "beam.end"]
    assert isinstance(member.end, Place)
    assert repr(member) == "<EulerBernoulliBeam 'beam': w_beam on 0 < x < l>"


@pytest.mark.parametrize(
    ("length", "s"), [("l", -1), ("l", "1.5*l"), ("l", "-l/2"), (2.0, 2.1), (("l", 2.0), "3*l/2"), (2, "3 m")]
)
def test_places_outside_are_refused(length, s) -> None:
    with pytest.raises(FlexuraError, match=r"The member beam runs from 0 to .*; give a distance from its start\."):
        beam(length).at(s)


def test_a_place_that_may_lie_inside_is_taken() -> None:
    assert beam().at(100).position.engine == 100
    assert beam().at("l + a").position.declarations
    assert beam(("l", 2.0)).at(("s", 1.5)).end == ""
    with pytest.raises(FlexuraError, match="has two values"):
        beam(("l", 2.0)).at(("l", 1.0))
    with pytest.raises(FlexuraError, match="wrong dimension"):
        beam().at("3 kg")


def test_boundary_values() -> None:
    member = TimoshenkoBeam("b", "EI", "kGA", "rho", "J", "l", EA="EA", field=("w", "phi", "u"))
    labels = {motion: member.boundary_value(motion, "b").jet.label for motion in member.ends}
    assert labels == {"axial": "u@b", "transverse": "w@b", "rotation": "phi@b"}
    slope = beam().boundary_value("rotation", "a")
    assert (slope.jet.label, slope.field.name) == ("w_beam_x@a", "w_beam")
    with pytest.raises(FlexuraError, match="has no 'axial' at an end 'a'; its ends a and b carry transverse, rotation"):
        beam().boundary_value("axial", "a")
    with pytest.raises(FlexuraError, match="at an end 'start'"):
        beam().boundary_value("rotation", "start")


def test_a_member_cannot_be_changed() -> None:
    member = beam()
    for attribute in ("name", "rho", "fields", "anything"):
        with pytest.raises(FlexuraError, match="cannot be given a new"):
            setattr(member, attribute, 1)
    with pytest.raises(TypeError):
        member.ends["rotation"] = 1  # type: ignore[index]
    with pytest.raises(AttributeError):
        member.end.position = 1  # type: ignore[misc]


def test_density_goes_straight_into_a_lagrangian() -> None:
    member = EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", damping="c")
    (w,) = member.fields
    straight = Lagrangian(density=member.density, dissipation_density=member.dissipation_density)
    mapped = Lagrangian(density={w: member.density}, dissipation_density={w: member.dissipation_density})
    by_hand = Lagrangian(density={w: member.kinetic - member.potential}, dissipation_density={w: "c*w_beam_t**2/2"})
    assert straight.density == mapped.density
    assert (straight.density["w_beam"] - by_hand.density["w_beam"]).expand() == 0
    assert straight.dissipation_density == mapped.dissipation_density == by_hand.dissipation_density
    two = Lagrangian(density=[member.density, beam(name="second").density])
    assert two.fields == ("w_beam", "w_second")
    assert member.density.field is w


def test_kinetic_energy_from_the_motion() -> None:
    v = Field("v", length="l")
    w = Field("w", spine=v)
    wave = Input("d")
    member = Member(
        "m", fields=(v, w), potential=v.xx**2 + w.x**2, ends={"transverse": v, "rotation": v.x, "lateral": w},
        displacement=(wave * v, v * w, w**2 + time), rotation=(0, 0, v.x), rho="mu", rotary_inertia="J",
    )  # fmt: skip
    mu, J = (Parameter(name) for name in ("mu", "J"))
    d_t = Parameter("d_t")
    expected = (
        mu * ((d_t * v + wave * v.t) ** 2 + (v.t * w + v * w.t) ** 2 + (2 * w * w.t + 1) ** 2) / 2 + J * v.xt**2 / 2
    )
    assert (member.kinetic.engine - expected.engine).expand() == 0
    assert member.kinetic == member.kinetic_of_motion


def test_a_spine_that_starts_elsewhere() -> None:
    """Places are measured from the start of the member, wherever its spine begins."""
    w = Field("w", length="l", start="a")
    member = Member("m", fields=w, kinetic=w.t**2, potential=w.x**2, ends={"transverse": w})
    assert member.at("l") == member.end
    assert member.at(0).end == "a"
    assert member.at("l").end == "b"


def test_densities_may_be_text_or_sympy() -> None:
    w = Field("w", length="l")
    x, t = sp.symbols("x t")
    theirs = sp.Symbol("rho") * sp.Function("w")(x, t).diff(t) ** 2 / 2
    member = Member(
        "m", fields=(w,), kinetic=theirs, potential="EI*w_xx**2/2", ends={"transverse": w, "rotation": "w_x"}
    )
    assert member.density == Parameter("rho") * w.t**2 / 2 - Parameter("EI") * w.xx**2 / 2
    assert member.boundary_value("rotation", "b").jet.label == "w_x@b"
    assert Lagrangian(density=member.density).orders == {"w": 2}


def member_with(**changes) -> Member:
    w = Field("w", length="l")
    u = Field("u", spine=w)
    given = {
        "name": "m",
        "fields": (w, u),
        "potential": w.xx**2 + u.x**2,
        "ends": {"axial": u, "transverse": w, "rotation": w.x},
        "displacement": (u, w, 0),
        "rho": 1,
    }
    for keyword, change in changes.items():
        given[keyword] = change(w, u) if callable(change) else change
    return Member(given.pop("name"), **given)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": " "}, "A member is called ' '; give it a name, like 'beam'."),
        ({"fields": ()}, "The member m needs fields; give fields=(w,) with w = fx.Field('w', length='l')."),
        ({"fields": ("w",)}, "The member m needs fields"),
        ({"fields": lambda w, u: (w, u, Field("v", length="l"))}, "has v on a spine of its own; declare it with"),
        ({"ends": {}}, "The member m has ends that carry nothing; say what moves there"),
        ({"ends": lambda w, u: {"up": w}}, "has an end motion called 'up'; choose among axial, transverse, lateral,"),
        ({"ends": lambda w, u: {"rotation": u.x}}, "carries its rotation by u_x, but its densities hold only first"),
        ({"ends": lambda w, u: {"rotation": w.xx}}, "carries its rotation by w_xx; give one of its fields, like w, or"),
        ({"ends": lambda w, u: {"transverse": 2 * w}}, "carries its transverse by 2*w; give one of its fields"),
        ({"ends": lambda w, u: {"transverse": w.t}}, "carries its transverse by w_t; give one of its fields"),
        ({"ends": lambda w, u: {"transverse": w, "lateral": w}}, "carries both transverse and lateral by w; keep one"),
        ({"potential": lambda w, u: w.xx**2}, "carries its axial by u, but its densities hold no derivatives"),
        ({"potential": lambda w, u: Coordinate("q") * w.xx**2}, "has the coordinate q in its potential density"),
        ({"kinetic": lambda w, u: Field("v", length=1)}, "has the field v in its kinetic density; use only the fields"),
        ({"displacement": lambda w, u: (u, w)}, "has a displacement of 2 components; give three, along x, y and z"),
        ({"potential": "EI*w_xx**"}, "In the potential density of m, "),
        ({"rho": -1}, "The rho of m is -1, but it must be zero or more"),
    ],
)  # fmt: skip
def test_what_cannot_be_right_is_refused(changes, sentence) -> None:
    with pytest.raises(FlexuraError) as refusal:
        member_with(**changes)
    assert sentence in str(refusal.value)


def test_the_advice_helps() -> None:
    assert member_with(ends=lambda w, u: {"axial": u}).boundary_value("axial", "a")
    assert member_with(potential=lambda w, u: w.xx**2, ends=lambda w, u: {"axial": None, "rotation": w.x})
