"""Names in the texts of loads, motions and constraints: coordinates and fields mean what they are, and what only looks
like one is refused with the right word, which is then right."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import flexura as fx
from flexura.model.assembly import END_MOTIONS, default_name
from flexura.model.structure import Segment

MEMBERS: dict[str, Callable[[], Any]] = {
    "EulerBernoulliBeam": lambda: fx.EulerBernoulliBeam("b", EI="EI", rho="rho", length="l"),
    "with EA": lambda: fx.EulerBernoulliBeam("b", EI="EI", rho="rho", length="l", EA="EA"),
    "TimoshenkoBeam": lambda: fx.TimoshenkoBeam("b", EI="EI", kGA="kGA", rho="rho", rotary_inertia="J", length="l"),
    "Rod": lambda: fx.Rod("b", EA="EA", rho="rho", length="l"),
    "String": lambda: fx.String("b", tension="P", rho="rho", length="l"),
    "SpatialBeam": lambda: fx.SpatialBeam("b", EA="EA", EIy="Iy", EIz="Iz", GJ="GJ", rho="rho", length="l"),
}
ALONG = {"Rod": "x"}


def held(member: Any, value: str, kind: str, names: Any = None, cut: bool = False) -> fx.Model:
    force = fx.Force(member.end, value, along=ALONG.get(kind, "y"))
    more = [fx.Force(member.at("l/2"), "F", along=ALONG.get(kind, "y"))] if cut else []
    return fx.Model(fx.Fixed(fx.ground, member.start), force, *more, names=names or {})


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("motion", END_MOTIONS)
@pytest.mark.parametrize("kind", MEMBERS)
def test_a_motion_of_a_free_end_is_refused_and_the_right_words_are_right(kind: str, motion: str, cut: bool) -> None:
    member = MEMBERS[kind]()
    name = default_name(Segment(member, member.start.position, member.length), "b", motion)
    with pytest.raises(fx.FlexuraError, match=f"holds {name}, which is no coordinate") as error:
        fx.derive(held(member, f"-p*{name}", kind, cut=cut))
    told = str(error.value)
    if motion not in member.ends:
        assert "does not move so" in told
        return
    field = re.search(r"so write (\w+) in a load", told)
    named = re.search(r"names={b.end: (\(.*\))}", told)
    assert field is not None
    assert named is not None
    by_field = fx.derive(held(member, f"-p*{field[1]}", kind, cut=cut))
    coordinates = tuple(re.findall(r"'(\w+)'", named[1]))
    own = next(one for one in coordinates if one.startswith(name.split("_b_")[0] + "_"))
    by_coordinate = fx.derive(held(member, f"-p*{own}", kind, {member.end: coordinates}, cut))
    for equations in (by_field, by_coordinate):
        assert fx.verify(equations)
        assert equations.values == {"p": None}
    assert all(_has(by_field, jet) == _has(by_coordinate, jet) for jet in ("p",))
    values = dict.fromkeys(by_field.lagrangian.parameters, 1.3) | {"p": 0.2}
    a, b = (fx.modes(one, 3, values=values, method="ritz", order=8).eigenvalues for one in (by_field, by_coordinate))
    np.testing.assert_allclose(a, b, rtol=1e-8, atol=1e-8)


def _has(equations: fx.Equations, name: str) -> bool:
    return any(one.name == name for f in equations.lagrangian.work.values() for one in f.free_symbols)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("-k*theta_hub", r"the motion of Revolute\(ground, hub\) is called th, so write that"),
        ("-k*theta_hub_t", r"the motion of Revolute\(ground, hub\) is called th, so write that"),
        ("-k*y_hub", "the coordinates are th"),
        ("-k*theta_b_start", "at b.start it is 0, so write that"),
        ("-k*w_t", "the fields of b are w_b, so write their derivatives"),
        ("-k*u_b", "the fields of b are w_b, so write one of them"),
        ("-k*th_dot", "the rate of th is called th_t, so write that"),
        ("-k*thdot", "the rate of th is called th_t, so write that"),
        ("-k*dth_dt", "the rate of th is called th_t, so write that"),
        ("-k*w_bddot", "the acceleration of w_b is called w_b_tt, so write that"),
        ("-k*w_b", "holds w_b, which varies along b, where it does not act"),
    ],
)
def test_what_looks_like_a_motion_of_the_model_is_refused(value: str, sentence: str) -> None:
    hub, beam = fx.RigidBody("hub", m="m", I="I"), MEMBERS["EulerBernoulliBeam"]()
    joint = fx.Revolute(fx.ground, hub, name="th"), fx.Fixed(hub, beam.start)
    with pytest.raises(fx.FlexuraError, match=sentence):
        fx.derive(fx.Model(joint, fx.Torque(hub, value)))
    if "w_b," not in sentence or "where" not in sentence:
        with pytest.raises(fx.FlexuraError, match=sentence):
            fx.derive(fx.Model(joint, fx.Constraint(f"th_t {value}")))
        slide = fx.Slide(hub, fx.Mass("bead", m="m"), motion=value.replace("-", "2*"))
        with pytest.raises(fx.FlexuraError, match=sentence):
            fx.derive(fx.Model(joint, slide))


def test_new_parameters_are_listed() -> None:
    hub = fx.RigidBody("hub", m="m", I=("I", 2.0))
    load = fx.Torque(hub, "-k_t*sin(w*t) - c*th_t - m*th")
    equations = fx.derive(fx.Model(fx.Revolute(fx.ground, hub, name="th"), load))
    assert equations.values == {"I": 2.0, "c": None, "k_t": None, "w": None}
    told = next(step.text for step in equations.steps if "no part has" in step.text)
    assert "c (the torque on hub), k_t (the torque on hub), w (the torque on hub)" in told
    assert fx.Equations.from_json(equations.to_json()).values == equations.values
    with pytest.raises(fx.FlexuraError, match=r"No value is known for c \(the torque on hub\)"):
        fx.modes(fx.derive(fx.Model(fx.Revolute(fx.ground, hub, name="th"), fx.Torque(hub, "-c*th_t"))))


def test_a_declared_name_may_look_like_anything() -> None:
    hub = fx.RigidBody("hub", m="m", I="I")
    load = fx.Torque(hub, -fx.Parameter("theta_hub", 3.0) * fx.cos(fx.time))
    equations = fx.derive(fx.Model(fx.Revolute(fx.ground, hub, name="th"), load))
    assert equations.values == {"theta_hub": 3.0}


def test_a_load_along_a_member_that_is_cut_holds_the_fields_of_its_pieces() -> None:
    beam = MEMBERS["EulerBernoulliBeam"]()
    spread = fx.DistributedForce(beam, "-c*w_b_t - k*w_b")
    supports = fx.Pin(fx.ground, beam.start), fx.Pin(fx.ground, beam.end)
    whole = fx.derive(fx.Model(supports, spread))
    cut = fx.derive(fx.Model(supports, spread, fx.Force(beam.at("l/3"), "F")))
    values = {"EI": 2.0, "rho": 1.5, "l": 1.1, "c": 0.4, "k": 30.0}
    one, two = (fx.modes(equations, 3, values=values).eigenvalues for equations in (whole, cut))
    np.testing.assert_allclose(one, two, rtol=1e-9)
    n = np.arange(1, 4) * np.pi / 1.1
    exact = np.sqrt((2.0 * n**4 + 30.0) / 1.5 - (0.4 / 3.0) ** 2)
    np.testing.assert_allclose(one, -0.4 / 3.0 + 1j * exact, rtol=1e-9)


def test_what_an_end_carries_is_no_motion() -> None:
    beam = MEMBERS["EulerBernoulliBeam"]()
    with pytest.raises(fx.FlexuraError, match="holds w_b_xx, but what moves there is w_b, w_b_x; write it in these"):
        fx.derive(held(beam, "-p*w_b_xx", "EulerBernoulliBeam"))


@pytest.mark.parametrize("words", ["field", "coordinate", "load"])
def test_becks_column_flutters_at_its_load(words: str) -> None:
    """M. Beck 1952: P l^2/EI = 20.0509."""
    under = {} if words == "load" else {"axial_force": "-P"}
    beam = fx.EulerBernoulliBeam("b", EI="EI", rho="rho", length="l", **under)
    dead = [fx.Force(beam.end, "-P*1.0", along="x")] if words == "load" else []
    names = {beam.end: ("y", "theta")} if words == "coordinate" else {}
    follower = fx.Force(beam.end, "-P*theta" if words == "coordinate" else "-P*w_b_x")
    column = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), follower, *dead, names=names))
    assert fx.verify(column)
    growth = [
        fx.modes(column, 2, values={"EI": 2.0, "rho": 3.0, "l": 1.5, "P": 2.0 * P / 1.5**2}).eigenvalues.real.max()
        for P in (20.05, 20.052)
    ]
    assert growth[0] < 1e-9
    assert growth[1] > 1e-2


def test_a_load_that_holds_an_acceleration_acts_as_a_mass_or_is_refused() -> None:
    """Exact answers take it; matrices do not, and what they advise gives the same."""
    hub = fx.RigidBody("hub", m=1.0, I=1.0)

    def turning(body: fx.RigidBody, *load: fx.Torque) -> fx.Equations:
        held = fx.Revolute(fx.ground, body, name="th"), fx.TorsionSpring(fx.ground, body, k=4.0)
        return fx.derive(fx.Model(*held, fx.Torque(body, "F"), *load))

    loaded = turning(hub, fx.Torque(hub, "-3*th_tt"))
    heavier = turning(fx.RigidBody("hub", m=1.0, I=4.0))
    assert fx.verify(loaded)
    found = [fx.frequency_response(one, [0.5], "F", "th")[0] for one in (loaded, heavier)]
    assert found[0] == pytest.approx(found[1], rel=1e-12)
    for verb in (lambda one: fx.modes(one, 1, method="ritz"), fx.discretise, lambda one: fx.simulate(one, [0, 1])):
        with pytest.raises(fx.FlexuraError, match="holds the acceleration th_tt, which acts as a mass does; give it"):
            verb(loaded)
    for same in (loaded, heavier):
        assert fx.modes(same, 1).frequencies[0] == pytest.approx(1.0, rel=1e-12)
    beam = fx.EulerBernoulliBeam("b", EI=1.0, rho=1.0, length=1.0)
    pushed = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "-2*w_b_tt"))
    tip = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Fixed(beam.end, fx.Mass("tip", m=2.0)))
    np.testing.assert_allclose(fx.modes(pushed, 2).frequencies, fx.modes(tip, 2).frequencies, rtol=1e-11)
    with pytest.raises(fx.FlexuraError, match=r"the acceleration w_b_tt@b"):
        fx.modes(pushed, 2, method="ritz")
