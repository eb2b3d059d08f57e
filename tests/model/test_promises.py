"""What the language promises about connections and loads, sentence by sentence; each test fails if its sentence does.

Energies are read from the models and compared, to a symbolic zero, with what stands in a textbook; modes by numbers.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.symbolic.engine import Basic, Symbol
from flexura.symbolic.jets import Jet
from flexura.symbolic.quantities import text_or_expression
from flexura.symbolic.zero import verdict

FEW = settings(max_examples=int(os.environ.get("FLEXURA_PROMISES", "6")), database=None)


def body(name: str, m: Any = "m", I: Any = "I") -> fx.RigidBody:
    return fx.RigidBody(name, m=m, I=I)


def beam(name: str = "beam", **given: Any) -> fx.EulerBernoulliBeam:
    return fx.EulerBernoulliBeam(name, **{"EI": "EI", "rho": "rho", "length": "l"} | given)


def derive(*things: Any, **options: Any) -> fx.Equations:
    return fx.derive(fx.Model(*things, **options))


def tree(text: str) -> Basic:
    return text_or_expression(text, spine=True).engine


def same(found: Basic, expected: str) -> bool:
    return bool(verdict(found - tree(expected)))


def kinetic(*things: Any) -> Basic:
    return fx.Model(*things).lagrangian.kinetic


def potential(*things: Any) -> Basic:
    return fx.Model(*things).lagrangian.potential


def conditions(equations: fx.Equations) -> list[str]:
    """What holds at the ends, by kind and boundary values: "geometric w_beam@a", "natural w_beam_xx@b"."""
    found = []
    for row in equations.derived:
        if row.kind in ("geometric", "natural"):
            jets = sorted(str(one) for one in row.residual.local.free_symbols if "@" in str(one))
            found.append(f"{row.kind} {' '.join(jets)}")
    return sorted(found)


# -- what moves --------------------------------------------------------------------------------------------------------


def test_a_body_moves_only_as_its_attachments_allow() -> None:
    a, b = body("a"), body("b")
    assert derive(fx.Slide(fx.ground, a)).coordinates == ("y_a",)
    assert derive(fx.Slide(fx.ground, a, along="x"), fx.Fixed(a.at("d"), b)).coordinates == ("x_a",)
    assert derive(fx.Revolute(fx.ground, a.at("r"))).coordinates == ("theta_a",)
    assert derive(fx.Free(fx.ground, a)).coordinates == ("x_a", "y_a", "theta_a")
    one = beam()
    assert derive(fx.Fixed(fx.ground, one.start), fx.Fixed(one.end, a)).coordinates == ("y_beam_end", "theta_beam_end")
    stretchy = beam(EA="EA")
    held = derive(fx.Fixed(fx.ground, stretchy.start), fx.Fixed(stretchy.end, a))
    assert held.coordinates == ("x_beam_end", "y_beam_end", "theta_beam_end")


SYMMETRIC: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any], dict[str, str]]] = {
    "slide": (lambda p, q: fx.Slide(p, q, along="x", name="q"), lambda p, q: fx.Slide(q, p, along="x", name="q"),
              {"q": "-q"}),
    "revolute": (lambda p, q: fx.Revolute(p, q, name="q"), lambda p, q: fx.Revolute(q, p, name="q"), {"q": "-q"}),
    "weld": (fx.Fixed, lambda p, q: fx.Fixed(q, p), {}),
    "weld with an angle": (lambda p, q: fx.Fixed(p, q, angle="30 deg"), lambda p, q: fx.Fixed(q, p, angle="-30 deg"),
                           {}),
    "weld about another axis": (lambda p, q: fx.Fixed(p, q, angle="pi", about="y"),
                                lambda p, q: fx.Fixed(q, p, angle="-pi", about="y"), {}),
}  # fmt: skip


@pytest.mark.parametrize("kind", SYMMETRIC)
@pytest.mark.parametrize("base", ["ground", "table"])
def test_the_order_of_a_connection_fixes_only_the_sign(kind: str, base: str) -> None:
    forth, back, where = SYMMETRIC[kind]

    def model(join: Callable[[Any, Any], Any]) -> fx.Equations:
        table, cart, arm = body("table", "M", "J"), body("cart"), beam("arm")
        turning = [fx.Revolute(fx.ground, table, name="theta")] if base == "table" else []
        p = table.at("r", "h") if base == "table" else fx.ground
        return derive(*turning, join(p, cart.at("d")), fx.Fixed(cart, arm.start), fx.Gravity("g"))

    assert fx.equivalent(model(forth), model(back), where=where)
    if where:
        assert not fx.equivalent(model(forth), model(back), where={"q": "q"})


@pytest.mark.parametrize("join", [fx.Pin, fx.Fixed])
def test_the_order_of_two_ends_changes_nothing(join: Any) -> None:
    def model(swap: bool) -> fx.Equations:
        first, second = beam("first"), beam("second")
        places = (second.start, first.end) if swap else (first.end, second.start)
        return derive(fx.Fixed(fx.ground, first.start), join(*places), fx.Fixed(second.end, body("tip")))

    assert fx.equivalent(model(False), model(True))


def test_a_model_of_one_beam_is_the_free_beam() -> None:
    equations = derive(beam())
    assert equations.coordinates == ()
    assert conditions(equations) == [f"natural w_beam_{order}@{end}" for order in ("xx", "xxx") for end in "ab"]
    numbers = beam(EI=1.0, rho=1.0, length=1.0)
    found = fx.modes(fx.derive(fx.Model(numbers)), 3).frequencies
    np.testing.assert_allclose(found, [0.0, 0.0, 4.730040744862704**2], rtol=1e-12)


def test_a_slide_onto_an_end_guides_it() -> None:
    """It moves along y and does not turn: the lowest elastic mode of guided-free has tan(b) + tanh(b) = 0."""
    guided = beam(EI=1.0, rho=1.0, length=1.0)
    equations = derive(fx.Slide(fx.ground, guided.start, name="q"))
    assert equations.coordinates == ("q",)
    np.testing.assert_allclose(fx.modes(equations, 2).frequencies, [0.0, 2.3650203724313523**2], rtol=1e-12)


# -- what a joint holds ------------------------------------------------------------------------------------------------


def on_the_end(part: Any) -> fx.Equations:
    one = beam()
    return derive(fx.Fixed(fx.ground, one.start), fx.Fixed(one.end, part))


def test_a_weld_to_a_particle_leaves_the_slope_free() -> None:
    equations = on_the_end(fx.Mass("p", m="m"))
    assert equations.coordinates == ("y_beam_end",)
    assert "natural w_beam_xx@b" in conditions(equations)


def test_a_rigid_body_takes_the_rotation_of_the_end() -> None:
    equations = on_the_end(body("b"))
    assert equations.coordinates == ("y_beam_end", "theta_beam_end")
    assert same(equations.lagrangian.kinetic, "m*y_beam_end_t**2/2 + I*theta_beam_end_t**2/2")


def test_a_body_that_cannot_turn_holds_the_slope() -> None:
    cart, one = body("cart"), beam()
    equations = derive(fx.Slide(fx.ground, cart, name="q"), fx.Fixed(cart, one.start))
    assert "geometric w_beam_x@a" in conditions(equations)
    assert "natural w_beam_xx@a" not in conditions(equations)
    p, other = fx.Mass("p", m="m"), beam()
    particle = derive(fx.Slide(fx.ground, p, name="q"), fx.Fixed(p, other.start))
    assert "natural w_beam_xx@a" in conditions(particle)


def test_the_rotation_of_a_timoshenko_beam_is_phi() -> None:
    one = fx.TimoshenkoBeam("one", EI="EI", kGA="kGA", rho="rho", rotary_inertia="J", length="l")
    equations = derive(fx.Fixed(fx.ground, one.start), fx.Fixed(one.end, body("b")))
    assert "geometric phi_one@a" in conditions(equations)
    held = {row.name: str(row.residual.local) for row in equations.derived if row.kind == "geometric"}
    assert any("theta_one_end" in one and "phi_one@b" in one for one in held.values())
    assert not any("w_one_x@" in one for one in held.values())


ONE_MOTION: dict[str, Callable[[], fx.Member]] = {
    "string": lambda: fx.String("one", tension="T", rho="rho", length="l"),
    "rod": lambda: fx.Rod("one", EA="EA", rho="rho", length="l"),
    "shaft": lambda: fx.Shaft("one", GJ="GJ", rotary_inertia="J", length="l"),
}


@pytest.mark.parametrize("kind", ONE_MOTION)
def test_pin_and_fixed_both_hold_what_carries_one_motion(kind: str) -> None:
    def model(join: Any) -> fx.Equations:
        one = ONE_MOTION[kind]()
        return derive(join(fx.ground, one.start), join(one.end, fx.ground))

    pinned = model(fx.Pin)
    assert pinned.coordinates == ()
    assert len(conditions(pinned)) == 2
    assert all(one.startswith("geometric") for one in conditions(pinned))
    assert fx.equivalent(pinned, model(fx.Fixed))


# -- frames ------------------------------------------------------------------------------------------------------------


def is_linear(equations: fx.Equations) -> bool:
    jets = equations.lagrangian.jets
    for row in equations.derived:
        for part in row.residual.parts():
            if any(jets.unknowns(part.diff(jet.symbol)) for jet in jets.unknowns(part)):
                return False
    return True


@given(
    st.lists(st.tuples(st.sampled_from(["Fixed", "Pin"]), st.integers(-5, 5), st.booleans()), min_size=1, max_size=3)
)
@FEW
def test_what_is_welded_or_pinned_stays_linear(ends: list[tuple[str, int, bool]]) -> None:
    """Chains of beams at any constant angles, with bodies at their corners."""
    beams = [beam(f"b{i}", EA="EA") for i in range(len(ends) + 1)]
    things: list[Any] = [fx.Fixed(fx.ground, beams[0].start, angle="pi/7")]
    for i, (kind, angle, loaded) in enumerate(ends):
        weld = fx.Fixed(beams[i].end, beams[i + 1].start, angle=f"{angle}*pi/6")
        things.append(weld if kind == "Fixed" else fx.Pin(beams[i].end, beams[i + 1].start))
        things += [fx.Fixed(beams[i].end, body(f"corner{i}"))] if loaded else []
    assert is_linear(derive(*things))


@pytest.mark.parametrize("joint", [fx.Slide, fx.Revolute, fx.Free])
def test_joints_start_a_frame_with_large_motion(joint: Any) -> None:
    """A second joint on top shows it: rows with products of coordinates, or of sines."""
    a, b = body("a"), body("b")
    large = derive(fx.Revolute(fx.ground, a, name="q"), joint(a.at("r"), b.at("d")))
    assert not is_linear(large)


def test_ground_is_everywhere() -> None:
    """A pin to ground holds a place where it is in the reference configuration, wherever that is."""
    column, top = beam("column", EA="EA"), beam("top", EA="EA")
    corner = fx.Fixed(column.end, top.start, angle="-pi/2")
    things = [fx.Fixed(fx.ground.at(0, 0), column.start, angle="pi/2"), corner]
    everywhere = derive(*things, fx.Pin(fx.ground, top.end))
    assert fx.equivalent(everywhere, derive(*things, fx.Pin(fx.ground.at("l", "l"), top.end)))
    with pytest.raises(fx.FlexuraError, match="does not close"):
        derive(*things, fx.Pin(fx.ground.at("l", 0), top.end))


def four_bar(last: int) -> fx.Model:
    """A parallelogram; the joint with that number is listed last."""
    crank, coupler, rocker = (body(name, f"m_{name}", f"I_{name}") for name in ("crank", "coupler", "rocker"))
    joints = [
        fx.Revolute(fx.ground, crank.at("-r"), name="j0"),
        fx.Revolute(crank.at("r"), coupler.at("-d"), name="j1"),
        fx.Revolute(coupler.at("d"), rocker.at("r"), name="j2"),
        fx.Revolute(fx.ground.at("2*d"), rocker.at("-r"), name="j3"),
    ]
    return fx.Model(*joints[:last], *joints[last + 1 :], joints[last])


@pytest.mark.parametrize("last", range(4))
def test_the_connection_listed_last_in_a_loop_is_the_cut(last: int) -> None:
    equations = fx.derive(four_bar(last))
    assert set(equations.coordinates) == {f"j{i}" for i in range(4) if i != last}
    assert set(equations.lagrangian.constraints) == {f"lambda_j{last}_{axis}" for axis in "xy"}


def test_wherever_a_loop_is_cut_the_motion_is_the_same() -> None:
    """The acceleration of the crank, at one state that closes the loop: a parallelogram turns as one angle."""
    values = {"r": 0.5, "d": 1.0} | {f"{stem}_{name}": 1.3 for stem in "mI" for name in ("crank", "coupler", "rocker")}
    angle, rate = 0.4, 0.7
    found = {}
    state = {"j0": angle, "j1": -angle, "j2": angle, "j3": angle}
    signs = {"j0": 1, "j1": -1, "j2": 1, "j3": 1}
    for last in (3, 2):
        equations = fx.derive(four_bar(last))
        here = {name: state[name] for name in equations.coordinates}
        here |= {f"{name}_t": signs[name] * rate for name in equations.coordinates}
        found[last] = fx.accelerations(equations, here, values=values)
    assert found[3]["j0"] == pytest.approx(found[2]["j0"], abs=1e-10)
    assert found[3]["j1"] == pytest.approx(found[2]["j1"], abs=1e-10)


def test_a_massless_body_may_carry_a_coordinate_between_two_joints() -> None:
    carriage, tool = body("carriage", 0, 0), fx.Mass("tool", m="m")
    slides = [fx.Slide(fx.ground, carriage, along="x", name="x"), fx.Slide(carriage, tool, along="y", name="y")]
    assert same(kinetic(*slides), "m*(x_t**2 + y_t**2)/2")


def test_a_particle_keeps_the_axes_of_its_parent() -> None:
    """What slides on a particle that slides on a table moves along the table's axes."""
    table, p, tool = body("table", 0, "J"), fx.Mass("p", m=0), fx.Mass("tool", m="m")
    things = [fx.Revolute(fx.ground, table, name="q"), fx.Slide(table, p, along="x", name="a")]
    found = kinetic(*things, fx.Slide(p, tool, along="y", name="b"))
    assert same(found, "J*q_t**2/2 + m*((a_t - b*q_t)**2 + (b_t + a*q_t)**2)/2")
    bar = kinetic(*things, fx.Revolute(p, body("bar"), name="b"))
    assert same(bar, "J*q_t**2/2 + m*(a_t**2 + (a*q_t)**2)/2 + I*(q_t + b_t)**2/2")


def test_an_angle_at_the_end_of_a_beam_is_measured_from_its_section() -> None:
    one, bar = beam(), body("bar", 0)
    found = kinetic(fx.Fixed(fx.ground, one.start), fx.Revolute(one.end, bar, name="q"))
    assert same(found, "I*(q_t + theta_beam_end_t)**2/2")


@pytest.mark.parametrize(("about", "sign"), [("z", 1), ("-z", -1)])
def test_coordinates_are_q_relative_to_p_along_the_axes_of_p(about: str, sign: int) -> None:
    """p is turned by a quarter, so its x is ground's y; gravity sees where q goes."""
    p, q = body("p"), fx.Mass("q", m="m")
    turned = fx.Fixed(fx.ground, p, angle=sp.pi / 2)
    assert same(potential(turned, fx.Slide(p, q, along="x", name="s"), fx.Gravity("g")), "m*g*s")
    assert same(potential(turned, fx.Slide(p, q, along="-x", name="s"), fx.Gravity("g")), "-m*g*s")
    assert same(potential(turned, fx.Slide(q, p, along="x", name="s"), fx.Gravity("g")), "-m*g*s")
    bar = body("bar")
    swung = potential(turned, fx.Revolute(p, bar.at(0, "-r"), about=about, name="s"), fx.Gravity("g"))
    assert same(swung, f"({-sign})*m*g*r*sin(s)")


@pytest.mark.parametrize("along", [(3, 4, 0), (-3, 4, 0), (0, 2, 0)])
def test_a_vector_is_a_direction_of_length_one(along: tuple[int, int, int]) -> None:
    q = fx.Mass("q", m="m")
    found = potential(fx.Slide(fx.ground, q, along=along, name="s"), fx.Gravity("g"))
    assert same(found, f"m*g*s*{along[1]}/{int(np.hypot(*along[:2]))}")


# -- springs and dampers -----------------------------------------------------------------------------------------------


def turntable(*more: Callable[[Any, Any], Any]) -> fx.Model:
    table, p = body("table", 0, "J"), fx.Mass("p", m="m")
    joints = [fx.Revolute(fx.ground, table, name="q"), fx.Slide(table.at("r"), p, along="x", name="s")]
    return fx.Model(*joints, *(one(table, p) for one in more))


SPRINGS: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "along an axis of the table that carries p": (lambda table, p: fx.Spring(table, p, k="k", along="x"), "s"),
    "the order gives the axes": (lambda table, p: fx.Spring(p, table, k="k", along="x"), "s"),
    "along ground's axes": (lambda table, p: fx.Spring(fx.ground, p, k="k", along="x"), "(r + s)*cos(q) - r"),
    "along ground's y": (lambda table, p: fx.Spring(fx.ground, p, k="k"), "(r + s)*sin(q)"),
    "along the axes of p, to ground": (lambda table, p: fx.Spring(p, fx.ground, k="k", along="x"), "r*cos(q) - r - s"),
    "along the line": (
        lambda table, p: fx.Spring(fx.ground.at("d", 0), p, k="k", along="line", free_length="a"),
        "sqrt(((r + s)*cos(q) - d)**2 + ((r + s)*sin(q))**2) - a",
    ),
    "along a vector": (lambda table, p: fx.Spring(table, p, k="k", along=(3, 4, 0)), "3*s/5"),
}  # fmt: skip


@pytest.mark.parametrize("where", SPRINGS)
def test_a_spring_acts_on_the_displacement_from_the_reference_configuration(where: str) -> None:
    spring, stretch = SPRINGS[where]
    found = turntable(spring).lagrangian.potential
    assert same(found, f"k*({stretch})**2/2")


@pytest.mark.parametrize("where", [one for one in SPRINGS if "line" not in one])
def test_a_damper_acts_on_the_rate_of_what_a_spring_feels(where: str) -> None:
    spring, stretch = SPRINGS[where]
    made = spring(body("table"), fx.Mass("p", m="m"))
    axis = [float(one) for one in made.along]

    def damper(table: Any, p: Any) -> fx.Damper:
        named = {"table": table, "p": p, "ground": fx.ground}
        return fx.Damper(named[repr(made.p)], named[repr(made.q)], c="c", along=axis)

    energies = turntable(damper).lagrangian
    rate = energies.jets.D_t(tree(stretch))
    assert verdict(energies.dissipation - tree("c") * rate**2 / 2)


def test_a_rigid_p_gives_its_own_axes_and_a_member_those_of_its_frame() -> None:
    p, q = body("p", "M"), fx.Mass("q", m="m")
    turned = [fx.Fixed(fx.ground, p, angle="pi/2"), fx.Slide(p, q, along="x", name="s")]
    assert same(potential(*turned, fx.Spring(p, q, k="k", along="x")), "k*s**2/2")
    with pytest.raises(fx.FlexuraError, match="cannot move against each other"):
        potential(*turned, fx.Spring(p, q, k="k", along="y"))
    column = beam("column")
    standing = [fx.Fixed(fx.ground, column.start, angle="pi/2"), fx.Fixed(column.end, fx.Mass("tip", m="m"))]
    sideways = potential(*standing, fx.Spring(column.end, fx.ground, k="k", along="x"))
    assert same(sideways, "k*y_column_end**2/2")


def test_torsion_springs_act_on_the_revolute_else_on_the_small_rotation() -> None:
    a, b = body("a"), body("b")
    joints = [fx.Revolute(fx.ground, a, name="p"), fx.Revolute(a.at("r"), b, name="q")]
    assert same(potential(*joints, fx.TorsionSpring(a, b, k="k")), "k*q**2/2")
    assert same(potential(*joints, fx.TorsionSpring(fx.ground, a, k="k")), "k*p**2/2")
    first, second = beam("first"), beam("second")
    hinge = [fx.Fixed(fx.ground, first.start), fx.Pin(first.end, second.start), fx.Fixed(second.end, fx.ground)]
    stiff = fx.Model(*hinge, fx.TorsionSpring(first.end, second.start, k="k")).lagrangian
    jump = Jet("w_first", 1, end="b").symbol - Jet("w_second", 1, end="a").symbol
    assert verdict(stiff.potential - tree("k/2") * jump**2)
    shaft = fx.Shaft("shaft", GJ="GJ", rotary_inertia="J", length="l")
    twisted = [fx.Fixed(fx.ground, shaft.start), fx.Fixed(shaft.end, body("disc"))]
    assert same(potential(*twisted, fx.TorsionSpring(fx.ground, shaft.end, k="k")), "k*phi_shaft_end**2/2")


def test_a_torsion_damper_acts_on_the_rate() -> None:
    a = body("a")
    found = fx.Model(fx.Revolute(fx.ground, a, name="p"), fx.TorsionDamper(fx.ground, a, c="c")).lagrangian.dissipation
    assert same(found, "c*p_t**2/2")


# -- two members meet --------------------------------------------------------------------------------------------------


def cantilever(*more: Any, **options: Any) -> tuple[fx.EulerBernoulliBeam, fx.Equations]:
    one = beam(EI=1.0, rho=1.0, length=1.0)
    return one, derive(fx.Fixed(fx.ground, one.start), *(part(one) for part in more), **options)


@given(st.integers(1, 39))
@FEW
def test_a_cut_changes_nothing_by_itself(fortieths: int) -> None:
    """A massless particle inside a beam: the field is continuous there, and so are slope, moment and shear."""
    _, whole = cantilever()
    _, cut = cantilever(lambda one: fx.Fixed(one.at(fortieths / 40), fx.Mass("nothing", m=0)))
    assert len(cut.fields) == 2
    np.testing.assert_allclose(fx.modes(cut, 4).frequencies, fx.modes(whole, 4).frequencies, rtol=1e-10)


@given(st.floats(0.1, 0.9), st.floats(0.1, 10.0))
@FEW
def test_two_welded_beams_are_one(share: float, mass: float) -> None:
    """Fixed(beam1.end, beam2.start) with a particle there is member.at(s) with the same particle."""
    first, second = (beam(name, EI=1.0, rho=1.0, length=l) for name, l in (("a", share), ("b", 1 - share)))
    joined = derive(
        fx.Fixed(fx.ground, first.start), fx.Fixed(first.end, second.start), fx.Fixed(first.end, fx.Mass("p", m=mass))
    )
    _, at = cantilever(lambda one: fx.Fixed(one.at(share), fx.Mass("p", m=mass)))
    np.testing.assert_allclose(fx.modes(joined, 4).frequencies, fx.modes(at, 4).frequencies, rtol=1e-9)


def test_a_support_at_a_joint_is_one_more_connection() -> None:
    """Two spans welded over a support in the middle: the antisymmetric modes of pinned spans, and clamped-pinned."""
    first, second = (beam(name, EI=1.0, rho=1.0, length=1.0) for name in ("first", "second"))
    weld = fx.Fixed(first.end, second.start)
    ends = [fx.Pin(fx.ground, first.start), fx.Pin(fx.ground, second.end)]
    found = fx.modes(derive(*ends, weld, fx.Pin(fx.ground, first.end)), 3).frequencies
    expected = [np.pi**2, 3.926602312047919**2, (2 * np.pi) ** 2]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    hinged = fx.modes(derive(*ends, fx.Pin(first.end, second.start), fx.Pin(fx.ground, first.end)), 2).frequencies
    np.testing.assert_allclose(hinged, [np.pi**2, np.pi**2], rtol=1e-12)


def test_anything_may_attach_inside_a_member() -> None:
    """A support in the middle makes two spans; a force and a torque there bend the tip as the tables say."""
    one = beam(EI=1.0, rho=1.0, length=1.0)
    held = [fx.Pin(fx.ground, place) for place in (one.start, one.at(0.5), one.end)]
    expected = [4 * np.pi**2, 4 * 3.926602312047919**2, 16 * np.pi**2]
    np.testing.assert_allclose(fx.modes(derive(*held), 3).frequencies, expected, rtol=1e-12)
    tip, loaded = cantilever(lambda one: [fx.Force(one.at(0.5), "F"), fx.Torque(one.at(0.5), "tau")])
    np.testing.assert_allclose(fx.frequency_response(loaded, [1e-6], "F", tip.end), [5 / 48], rtol=1e-9)
    np.testing.assert_allclose(fx.frequency_response(loaded, [1e-6], "tau", tip.end), [3 / 8], rtol=1e-9)


# -- loads -------------------------------------------------------------------------------------------------------------


def forces(*things: Any) -> dict[str, Basic]:
    return dict(fx.Model(*things).lagrangian.work)


def test_a_force_keeps_the_axes_of_ground() -> None:
    bar = body("bar")
    swung = fx.Revolute(fx.ground, bar.at("-r"), name="q")
    assert same(forces(swung, fx.Force(bar.at("r"), "F"))["q"], "2*r*F*cos(q)")
    assert same(forces(swung, fx.Force(bar.at("r"), "F", along="-x"))["q"], "2*r*F*sin(q)")


def test_a_distributed_force_turns_with_its_member() -> None:
    """About the root it has the moment f l^2/2 at every angle."""
    hub, arm = body("hub", 0), beam("arm")
    energies = fx.Model(
        fx.Revolute(fx.ground, hub, name="q"), fx.Fixed(hub, arm.start), fx.DistributedForce(arm, "f"),
        foreshortening=False,
    ).lagrangian  # fmt: skip
    ((spine, loads),) = energies.work_density.items()
    assert same(loads["q"], "f*x")
    assert same(loads[spine], "f")


def test_a_torque_keeps_the_axes_of_the_body_it_acts_on() -> None:
    """A wheel that has turned by q about z takes its x with it: cos(q) of the torque is left about the yoke's."""
    yoke, wheel = body("yoke"), body("wheel", "m", ("I1", "I2", "I3"))
    joints = [fx.Revolute(fx.ground, yoke, about="x", name="p"), fx.Revolute(yoke, wheel, about="z", name="q")]
    own = forces(*joints, fx.Torque(wheel, "tau", about="x"))
    assert same(own["p"], "tau*cos(q)")
    assert not own.get("q")
    motor = forces(*joints, fx.Torque(wheel, "tau", reaction=yoke))
    assert same(motor["q"], "tau")
    assert not motor.get("p")


def test_gravity_pulls_along_an_axis_of_ground_on_everything_that_has_mass() -> None:
    p, one = fx.Mass("p", m="m"), beam()
    free = fx.Free(fx.ground, p)
    assert same(potential(free, fx.Gravity("g")), "m*g*y_p")
    assert same(potential(free, fx.Gravity("g", along="x")), "-m*g*x_p")
    sagging = fx.Model(fx.Fixed(fx.ground, one.start), fx.Gravity("g"), foreshortening=False).lagrangian
    assert same(sagging.density["w_beam"].diff(Symbol("w_beam")), "-rho*g")


INPUTS = {"F": "F", "F(t)": "F"}


@pytest.mark.parametrize("value", INPUTS)
def test_a_bare_name_is_an_input_that_needs_no_value(value: str) -> None:
    one, equations = cantilever(lambda one: fx.Force(one.end, value))
    assert list(equations.lagrangian.inputs) == ["F"]
    np.testing.assert_allclose(fx.modes(equations, 1).frequencies, [1.8751040687119611**2], rtol=1e-12)
    static = fx.frequency_response(equations, [1e-6], "F", one.end)
    np.testing.assert_allclose(static, [1 / 3], rtol=1e-9)


def test_a_distributed_input_needs_no_value_either() -> None:
    one, equations = cantilever(lambda one: fx.DistributedForce(one, "f"))
    assert list(equations.lagrangian.inputs) == ["f"]
    np.testing.assert_allclose(fx.frequency_response(equations, [1e-6], "f", one.end), [1 / 8], rtol=1e-9)
    _, spread = cantilever(lambda one: fx.DistributedForce(one, "f(x)"))
    np.testing.assert_allclose(fx.modes(spread, 1).frequencies, [1.8751040687119611**2], rtol=1e-12)


@pytest.mark.parametrize("given", [{}, {"name": "push"}])
def test_a_load_is_addressed_by_its_name_or_else_by_its_input(given: dict[str, str]) -> None:
    one, equations = cantilever(lambda one: fx.Force(one.end, "F", **given))
    static = fx.frequency_response(equations, [1e-6], given.get("name", "F"), one.end)
    np.testing.assert_allclose(static, [1 / 3], rtol=1e-9)


def test_an_input_is_given_to_a_simulation() -> None:
    cart = fx.Mass("cart", m=2.0)
    equations = derive(fx.Slide(fx.ground, cart, name="q"), fx.Force(cart, "F"))
    found = fx.simulate(equations, np.linspace(0, 1, 5), inputs={"F": lambda t: 6 * t})
    np.testing.assert_allclose(found["q"], np.linspace(0, 1, 5) ** 3 / 2, atol=1e-6)


@pytest.mark.parametrize("text", ["3 N", "3 mm", "2 m"])
def test_loads_and_motions_are_never_units(text: str) -> None:
    cart = fx.Mass("cart", m="M")
    with pytest.raises(fx.FlexuraError, match="put an operator such as"):
        fx.Force(cart, text)
    with pytest.raises(fx.FlexuraError, match="put an operator such as"):
        fx.Slide(fx.ground, cart, motion=text)
    scaled = text.replace(" ", "*")
    assert fx.verify(derive(fx.Slide(fx.ground, cart), fx.Force(cart, scaled)))


def test_an_expression_in_the_name_of_an_input_is_the_same_input() -> None:
    a, b = body("a", 1.0, 2.0), body("b", 1.0, 2.0)
    joints = [fx.Revolute(fx.ground, a, name="p"), fx.Revolute(fx.ground, b, name="q")]
    equations = derive(*joints, fx.Torque(a, "tau"), fx.Torque(b, "-2*tau"))
    assert list(equations.lagrangian.inputs) == ["tau"]
    assert "tau" not in equations.values
    assert same(equations.lagrangian.work["q"], "-2*tau")


def test_the_response_to_an_input_counts_every_load_it_is_in() -> None:
    a, b = body("a", 1.0, 2.0), body("b", 1.0, 2.0)
    joints = [fx.Revolute(fx.ground, a, name="p"), fx.Revolute(fx.ground, b, name="q")]
    equations = derive(*joints, fx.Torque(a, "tau"), fx.Torque(b, "-2*tau"))
    np.testing.assert_allclose(fx.frequency_response(equations, [1.0], "tau", "p"), [-0.5])
    np.testing.assert_allclose(fx.frequency_response(equations, [1.0], "tau", "q"), [1.0])


def test_two_loads_of_one_name_are_added_or_refused() -> None:
    a, b = body("a", 1.0, 2.0), body("b", 1.0, 2.0)
    joints = [fx.Revolute(fx.ground, a, name="p"), fx.Revolute(fx.ground, b, name="q")]
    try:
        equations = derive(*joints, fx.Torque(a, "tau1", name="push"), fx.Torque(b, "tau2", name="push"))
    except fx.FlexuraError as refusal:
        assert "push" in str(refusal)  # noqa: PT017
        return
    np.testing.assert_allclose(fx.frequency_response(equations, [1.0], "push", "p"), [-0.5])


@pytest.mark.parametrize("value", ["f(x)", "f(x, t)"])
def test_an_input_along_a_cut_beam_on_ground_needs_no_closed_form(value: str) -> None:
    """The load is across the beam, so it pulls on nothing."""
    one = beam()
    parts = [fx.Fixed(fx.ground, one.start), fx.Fixed(one.at("l/2"), fx.Mass("p", m="m"))]
    assert len(derive(*parts, fx.DistributedForce(one, value)).partial) == 2


IDLE: dict[str, Callable[[fx.Member], Any]] = {
    "on a clamped end": lambda one: fx.Force(one.start, "F"),
    "out of the plane": lambda one: fx.Force(one.end, "F", along="z"),
}


@pytest.mark.parametrize("where", IDLE)
def test_a_force_that_does_nothing_on_a_member_is_noted(where: str) -> None:
    one = beam()
    told = derive(fx.Fixed(fx.ground, one.start), IDLE[where](one)).steps[3].text
    assert "does no work, because nothing moves that way there; only reactions feel it" in told


# -- nothing is mistaken or left out in silence ------------------------------------------------------------------------


def test_the_angle_of_a_weld_to_ground_is_checked_in_a_loop() -> None:
    one = beam()
    with pytest.raises(fx.FlexuraError, match="contradicts the other connections of its loop"):
        derive(fx.Fixed(fx.ground, one.start), fx.Fixed(one.end, fx.ground, angle=0.3))
    turned = [fx.Fixed(fx.ground, one.start, angle=0.3), fx.Fixed(one.end, fx.ground, angle=-0.3)]
    unsaid = [fx.Fixed(fx.ground, one.start, angle=0.3), fx.Fixed(one.end, fx.ground)]
    assert fx.equivalent(derive(*turned), derive(*unsaid))


def test_an_input_is_not_called_like_a_field() -> None:
    cart, one = body("cart"), beam()
    parts = [fx.Slide(fx.ground, cart, name="q"), fx.Fixed(cart, one.start)]
    with pytest.raises(fx.FlexuraError, match="w_beam is both an input and a field; rename one"):
        derive(*parts, fx.Force(cart, "w_beam"))


def test_a_bare_name_of_a_coordinate_means_the_coordinate() -> None:
    cart = fx.Mass("cart", 2.0)
    equations = derive(fx.Slide(fx.ground, cart, name="q"), fx.Force(cart, "q"))
    assert not equations.lagrangian.inputs
    assert fx.modes(equations, 2).eigenvalues.real == pytest.approx([-(0.5**0.5), 0.5**0.5])


def test_a_torsion_spring_away_from_its_joint_feels_the_bending_between() -> None:
    one = beam()
    energies = fx.Model(
        fx.Revolute(fx.ground, one.start, name="q"), fx.TorsionSpring(fx.ground, one.end, k="k")
    ).lagrangian
    q, k = (fx.Coordinate(name).engine for name in ("q", "k"))
    found = energies.settled(energies.potential)
    end = next(one.symbol for one in energies.jets.unknowns(found) if one.name != "q")
    assert (found - k * (q + end) ** 2 / 2).expand() == 0
    assert str(end) in ("theta_beam_end", "w_beam_x@b")


def test_a_load_that_varies_along_x_needs_a_member() -> None:
    with pytest.raises(fx.FlexuraError, match="varies along x, but it acts at one place"):
        fx.Force(body("cart"), "f(x)")
    assert fx.DistributedForce(beam(), "f(x)")


def test_an_unknown_load_across_one_member_of_a_frame_is_small_to_the_others() -> None:
    column, top = beam("column"), beam("top")
    parts = [fx.Fixed(fx.ground, column.start, angle="90 deg"), fx.Fixed(column.end, top.start, angle="-90 deg")]
    equations = derive(*parts, fx.DistributedForce(top, "f(x)"))
    assert "the load across top is small" in equations.lagrangian.story[4].lower()
    assert fx.verify(equations)


def test_what_foreshortening_leaves_out_is_told() -> None:
    one = beam()
    parts = [fx.Fixed(fx.ground, one.start), fx.Force(one.end, "F", along="x")]
    assert "F" in str(derive(*parts))
    without = fx.derive(fx.Model(*parts, foreshortening=False))
    assert "nothing works on the shortening" in without.lagrangian.story[4]


def test_no_axis_has_a_negative_moment_of_inertia() -> None:
    with pytest.raises(fx.FlexuraError, match="inertia tensor of hub is negative about some axis"):
        fx.RigidBody("hub", m=1.0, I=[[1, 5, 0], [5, 1, 0], [0, 0, 1]])
    assert fx.RigidBody("hub", m=1.0, I=[[2, 0.5, 0], [0.5, 1, 0], [0, 0, 1]])
    assert fx.RigidBody("hub", m=1.0, I=[["A", "B", 0], ["B", 1, 0], [0, 0, 1]])
