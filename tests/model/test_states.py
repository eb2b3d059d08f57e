"""First-order states in the equations: their rows, proofs, files and steps, and what is refused about them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import sympy

import flexura as fx


def servo(*more: Any, torque: str = "kp*(r(t) - th) - kd*th_t + ki*z") -> fx.Model:
    hub = fx.RigidBody("hub", m="m", I="I")
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l")
    return fx.Model(
        fx.Revolute(fx.ground, hub, name="th"),
        fx.Fixed(hub, beam.start),
        fx.State("z", "r(t) - th", initial=0.2),
        fx.Torque(hub, torque),
        *more,
    )


def cart(*more: Any) -> fx.Model:
    mass = fx.Mass("c", "m")
    return fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k="k"), *more, mass)


def test_a_state_has_a_first_order_row_and_its_loads_hold_it() -> None:
    equations = fx.derive(servo())
    t, z, th, r = sympy.Symbol("t"), sympy.Function("z"), sympy.Function("th"), sympy.Function("r")
    assert equations.ordinary["z"] == sympy.Eq(sympy.Derivative(z(t), t), r(t) - th(t))
    assert equations.ordinary["th"].rhs.coeff(z(t)) == sympy.Symbol("ki")
    assert equations.coordinates == ("th", "z")
    assert equations.values["initial_z"] == 0.2
    assert "first-order states: z" in equations.steps[3].text
    assert "ż" in str(equations)
    assert r"\dot{z}" in equations.latex()


def test_every_route_and_the_parts_agree() -> None:
    certificate = fx.verify(fx.derive(servo()))
    assert certificate
    assert "rates of states" in str(certificate)
    mass = fx.Mass("c", "m")
    rigid = fx.Model(
        fx.Slide(fx.ground, mass, name="y"), fx.State("z", "y_t - z"), fx.State("u", "2*z_t - u*y"), fx.Force(mass, "u")
    )
    certificate = fx.verify(fx.derive(rigid))
    assert certificate
    assert {one.method for one in certificate.compared} >= {"variational", "kane", "newton_euler", "power", "parts"}
    assert {str(fx.derive(rigid, method)) for method in ("surrogate", "kane", "newton_euler", "power")} == {
        str(fx.derive(rigid))
    }


def test_the_proof_by_parts_sees_a_wrong_rate() -> None:
    from flexura.derivation.prove.compare import compare
    from flexura.energy.lagrangian import Lagrangian
    from flexura.symbolic.engine import Symbol

    energies = servo().lagrangian
    parts = {name: getattr(energies, name) for name in Lagrangian.__dataclass_fields__}
    wrong = Lagrangian.of_parts(**{**parts, "work": {**energies.work, "z": energies.work["z"] + Symbol("th") / 1000}})
    assert compare(energies)
    assert not compare(wrong)


def test_the_rate_of_another_state_is_put_in() -> None:
    equations = fx.derive(cart(fx.State("z", "y_t - z"), fx.State("u", "z_t - u")))
    t, u, z, y = sympy.Symbol("t"), *map(sympy.Function, ("u", "z", "y"))
    assert sympy.expand(equations.ordinary["u"].rhs - (y(t).diff(t) - z(t) - u(t))) == 0


def test_json_keeps_states() -> None:
    equations = fx.derive(servo())
    again = fx.Equations.from_json(equations.to_json())
    assert again.lagrangian.states == equations.lagrangian.states
    assert again.ordinary == equations.ordinary
    document = json.loads(equations.to_json())
    del document["lagrangian"]["states"]
    assert fx.Equations.from_json(json.dumps(document)).lagrangian.states == {}  # documents of before


def test_a_bare_name_is_the_state_or_the_coordinate_not_an_input() -> None:
    mass = fx.Mass("c", "m")
    slide = fx.Slide(fx.ground, mass, name="y")
    for name in ("z", "y", "y_t"):
        equations = fx.derive(fx.Model(slide, fx.State("z", "-z"), fx.Force(mass, name)))
        assert not equations.lagrangian.inputs
        assert name in {one.name for one in equations.lagrangian.work["y"].free_symbols}
        assert not equations.lagrangian.loads
    assert fx.derive(fx.Model(slide, fx.State("z", "u"), fx.Force(mass, "z"))).lagrangian.inputs == {"u": frozenset()}


def test_a_file_says_the_same(tmp_path: Path) -> None:
    text = """
    [parameters]
    kp = 20.0
    [parts.c]
    kind = "Mass"
    m = 2.0
    [[connections]]
    kind = "Slide"
    between = ["ground", "c"]
    name = "y"
    [[loads]]
    kind = "Force"
    at = "c"
    value = "-kp*y + 3*z"
    [states.z]
    rate = "r(t) - y"
    initial = 0.5
    """
    path = tmp_path / "servo.toml"
    path.write_text(text, encoding="utf-8")
    mass = fx.Mass("c", 2.0)
    same = fx.Model(
        fx.Slide(fx.ground, mass, name="y"),
        fx.Force(mass, fx.Parameter("kp", 20.0) * -fx.Coordinate("y") + 3 * fx.Coordinate("z")),
        fx.State("z", "r(t) - y", initial=0.5),
    )
    assert fx.derive(fx.read_model(path)).ordinary == fx.derive(same).ordinary
    path.write_text(text.replace("rate =", "speed ="), encoding="utf-8")
    with pytest.raises(fx.FlexuraError, match="takes no 'speed'"):
        fx.read_model(path)


@pytest.mark.parametrize(
    ("states", "sentence"),
    [
        ([("z", "z_t + y")], "depends on itself, through z_t"),
        ([("z", "u_t"), ("u", "z_t + y")], "depends on itself"),
        ([("z", None)], "The state z has no rate"),
        ([("z", "y_tt")], "holds the acceleration y_tt"),
        ([("z", "y"), ("z", "-y")], "Two different coordinates are called z"),
        ([("y", "-y")], "Two different coordinates are called y"),
        ([("z", "y_c - z")], "is called y, so write that"),
        ([("2z", "y")], "is called '2z'"),
    ],
)
def test_what_cannot_be_is_refused(states: list[tuple[str, Any]], sentence: str) -> None:
    with pytest.raises(fx.FlexuraError, match=re.escape(sentence)):
        fx.derive(cart(*(fx.State(name, rate) for name, rate in states)))


def test_a_field_or_a_constraint_on_a_state_is_refused() -> None:
    with pytest.raises(fx.FlexuraError, match="holds w_beam_x, which varies along its member"):
        fx.derive(servo(fx.State("u", "w_beam_x")))
    with pytest.raises(fx.FlexuraError, match="holds the state z, on which no reaction can act"):
        fx.derive(cart(fx.State("z", "y"), fx.Constraint("y - z")))
