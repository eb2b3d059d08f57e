"""Reactions by gaps in connections, against Newton's and Euler's route, internal loads, reciprocity and free bodies."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx

OMEGA = np.array([0.0, 0.6, 3.0, 17.0])


def test_supports_of_a_beam_exert_what_its_sections_carry():
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=1.5, length=1.3, axial_force=0.7, internal_damping=1e-3, EA=50.0)
    clamp, pin = fx.Fixed(fx.ground, beam.start), fx.Pin(fx.ground, beam.end)
    with pytest.warns(UserWarning, match="held along its axis at both ends"):
        equations = fx.derive(fx.Model(clamp, pin, fx.Force(beam.at(0.5), "F"), fx.Force(beam.at(0.5), "G", along="x")))
    ways = [{"along": "y"}, {"about": "z"}, {"along": "x"}]
    kinds = ["shear", "moment", "axial"]
    reactions = [fx.Reaction(one, **way) for one in (clamp, pin) for way in ways]
    sections = [fx.Internal(beam, s, kind) for s in (0, 1.3) for kind in kinds]
    found = fx.frequency_response(equations, OMEGA, ["F", "G"], [*reactions, *sections, fx.Motion(beam.end, about="z")])
    R, S, slope = found[:, :6], found[:, 6:12], found[:, 12]
    assert R[:, :3] == pytest.approx(-S[:, :3], abs=1e-9)
    assert R[:, 3] == pytest.approx(S[:, 3] + 0.7 * slope, abs=1e-9)  # ground's axes: tension has a share across
    assert R[:, 4:] == pytest.approx(S[:, 4:], abs=1e-9)
    at_rest = R[0].real
    assert at_rest[0, 0] + at_rest[3, 0] == pytest.approx(-1)
    assert at_rest[2, 1] + at_rest[5, 1] == pytest.approx(-1)
    assert at_rest[2, 1] == pytest.approx(-0.8 / 1.3)  # two rods in parallel


def test_several_connections_at_one_place_are_told_apart():
    """A continuous beam of two members on three supports: the middle one carries 5/4 q l (four-digit tables: 1.25)."""
    b = [fx.EulerBernoulliBeam(name, EI=3.0, rho=1.0, length=("l", 1.0)) for name in ("left", "right")]
    weld, middle = fx.Fixed(b[0].end, b[1].start), fx.Pin(fx.ground, b[0].end)
    ends = [fx.Pin(fx.ground, b[0].start), fx.Roller(fx.ground, b[1].end)]
    loads = [fx.DistributedForce(one, "q", along="-y") for one in b]
    equations = fx.derive(fx.Model(*ends, weld, middle, *loads))
    found = fx.frequency_response(
        equations,
        [0.0],
        "q",
        [*(fx.Reaction(one, along="y") for one in (ends[0], middle, ends[1], weld)), fx.Reaction(weld, about="z")],
    )[0].real
    assert found[:3] == pytest.approx([3 / 8, 10 / 8, 3 / 8], rel=1e-9)
    assert found[3] == pytest.approx(5 / 8, rel=1e-9)  # what holds up the right span at its inner end
    assert found[4] == pytest.approx(1 / 8, rel=1e-9)


def test_what_is_not_determined_is_refused():
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=1.5, length=1.3)
    clamp, pin = fx.Fixed(fx.ground, beam.start), fx.Pin(fx.ground, beam.end)
    equations = fx.derive(fx.Model(clamp, pin, fx.Force(beam.at(0.5), "F")))
    with pytest.raises(fx.FlexuraError, match="not determined, because other connections hold the same motion") as told:
        fx.frequency_response(equations, [1.0], "F", fx.Reaction(clamp, along="x"))
    assert "EA" in told.value.advice
    assert fx.frequency_response(equations, [0.0], "F", fx.Reaction(clamp, along="y"))[0] == pytest.approx(
        -fx.frequency_response(equations, [0.0], "F", fx.Internal(beam, 0, "shear"))[0]
    )
    with pytest.raises(fx.FlexuraError, match="one component at a time; say which: along='y'"):
        fx.frequency_response(equations, [1.0], "F", fx.Reaction(clamp))
    with pytest.raises(
        fx.FlexuraError, match=r"no connection Fixed\(ground, beam.end\); it has Fixed\(ground, beam.start\)"
    ):
        fx.frequency_response(equations, [1.0], "F", fx.Reaction(fx.Fixed(fx.ground, beam.end), along="y"))
    again = fx.Equations.from_json(equations.to_json())
    with pytest.raises(fx.FlexuraError, match="read from a file; derive them from the fx"):
        fx.frequency_response(again, [1.0], "F", fx.Reaction(clamp, along="y"))
    assert fx.frequency_response(again, [1.0], "F", fx.Internal(beam, 0)) == pytest.approx(
        fx.frequency_response(equations, [1.0], "F", fx.Internal(beam, 0)), rel=1e-12
    )


@settings(max_examples=8, deadline=None)
@given(st.floats(0.3, 3.0), st.floats(0.2, 4.0), st.floats(0.1, 0.9))
def test_what_a_shaken_base_passes_on_it_also_feels(EI, m, share):
    """Reciprocity: motion of a place per unit of the base's is minus the base's reaction per force at that place."""
    beam, tip = fx.EulerBernoulliBeam("beam", EI=EI, rho=0.8, length=1.0, internal_damping=0.02), fx.Mass("tip", m=m)
    base = fx.RigidBody("base", m=2.0, I=1.0)
    drive = fx.Slide(fx.ground, base, name="z", motion="0")
    place = beam.at(share)
    equations = fx.derive(fx.Model(drive, fx.Fixed(base, beam.start), fx.Fixed(beam.end, tip), fx.Force(place, "F")))
    omega = np.array([0.4, 2.0, 9.0])
    moved = fx.transmissibility(equations, omega, "z", place)
    felt = fx.frequency_response(equations, omega, "F", fx.Reaction(drive, along="y"))
    assert np.abs(moved + felt).max() <= 1e-9 * np.abs(moved).max()
    own = fx.frequency_response(equations, omega, "z", fx.Reaction(drive, along="y"))
    inner = fx.frequency_response(equations, omega, "z", fx.Reaction(equations.lagrangian.source.things[1], along="y"))
    assert own == pytest.approx(inner - 2.0 * omega**2, rel=1e-9)


def double_pendulum():
    a, b = fx.RigidBody("a", m=1.3, I=0.2), fx.RigidBody("b", m=0.7, I=0.1)
    joints = [fx.Revolute(fx.ground, a.at(0, 0.5), name="p"), fx.Revolute(a.at(0, -0.4), b.at(0.1, 0.6), name="q")]
    spring = fx.Spring(fx.ground.at(1.0, 0.0), b, k=20.0, along="line")
    damper = fx.TorsionDamper(a, b, c=0.4)
    return fx.Model(*joints, spring, damper, fx.Gravity(), fx.Force(b, "F", along="x")), joints, spring, damper, b


def test_rigid_joints_agree_with_newton_and_euler():
    model, joints, *_ = double_pendulum()
    t = np.linspace(0, 1.5, 7)
    run = fx.simulate(model, t, initial={"p": 0.7, "q": -1.1, "q_t": 2.0}, inputs={"F": "3*sin(4*t)"})
    reactions = fx.joint_reactions(fx.derive(model, method="newton_euler"))
    time = sympy.Symbol("t")
    jets = {"t": t, "F": 3 * np.sin(4 * t)}
    replaced = {sympy.Function("F")(time): sympy.Symbol("F")}
    for name in "pq":
        one = sympy.Function(name)(time)
        for rate, jet in (("_tt", one.diff(time, 2)), ("_t", one.diff(time)), ("", one)):
            replaced[jet], jets[name + rate] = sympy.Symbol(name + rate), run[name + rate]
    values = fx.derive(model).values
    for joint, name in zip(joints, "pq", strict=True):
        history = run[fx.Reaction(joint)]
        assert history.shape == (7, 3)
        for axis, column in zip("xy", history.T, strict=False):
            f = reactions[f"R_{name}_{axis}"].rhs.xreplace(replaced)
            known = {one: jets.get(str(one), values.get(str(one))) for one in f.free_symbols}
            exact = sympy.lambdify(list(known), f)(*known.values())
            assert column == pytest.approx(exact, rel=1e-8, abs=1e-8)
    assert run[fx.Reaction(joints[0], about="z")] == pytest.approx(0, abs=1e-9)
    assert run[fx.Reaction("q", along="x")] == pytest.approx(run[fx.Reaction(joints[1])][:, 0], abs=1e-12)


def test_springs_and_dampers_exert_their_force_on_q():
    model, _, spring, damper, b = double_pendulum()
    t = np.linspace(0, 1.5, 7)
    run = fx.simulate(model, t, initial={"p": 0.7, "q": -1.1, "q_t": 2.0}, inputs={"F": 0.0})
    line = run.position(b) - np.array([1.0, 0, 0])
    distance = np.linalg.norm(line, axis=1)
    rest = np.hypot(-0.1 - 1.0, -1.5)
    assert run[fx.Reaction(spring)] == pytest.approx(-20.0 * ((distance - rest) / distance)[:, None] * line, abs=1e-8)
    assert run[fx.Reaction(damper, about="z")] == pytest.approx(-0.4 * run["q_t"], abs=1e-9)
    assert run[fx.Reaction(damper, along="x")] == pytest.approx(0, abs=1e-12)


def test_a_closed_loop_is_in_balance_body_by_body():
    crank, rod, slider = fx.RigidBody("a", m=1.0, I=0.1), fx.RigidBody("r", m=1.5, I=0.2), fx.Mass("s", m=0.7)
    j1, j2 = fx.Revolute(fx.ground, crank.at(-0.5), name="q1"), fx.Revolute(crank.at(0.5), rod.at(-1), name="q2")
    slide, cut = fx.Slide(fx.ground.at(3, 0), slider, along="x", name="x"), fx.Revolute(slider, rod.at(1), name="q3")
    run = fx.simulate(fx.Model(j1, j2, slide, cut, fx.Gravity(), fx.Torque(crank, 2.0)), np.linspace(0, 1, 6))
    held = {one: run[fx.Reaction(one)] for one in (j1, j2, slide, cut)}
    q, v, a = ({name: run[name + rate] for name in ("q1", "q2", "x")} for rate in ("", "_t", "_tt"))

    def arm(length, angle, rate, acceleration):  # the acceleration of the end of an arm that turns about its start
        return length * np.column_stack(
            [
                -np.sin(angle) * acceleration - np.cos(angle) * rate**2,
                np.cos(angle) * acceleration - np.sin(angle) * rate**2,
                0 * angle,
            ]
        )

    turn, spin, gain = (one["q1"] + one["q2"] for one in (q, v, a))
    up = np.array([0, 9.81, 0])
    centre = arm(0.5, q["q1"], v["q1"], a["q1"])
    assert held[j1] - held[j2] == pytest.approx(1.0 * (centre + up), abs=1e-6)
    assert held[j2] + held[cut] == pytest.approx(1.5 * (2 * centre + arm(1.0, turn, spin, gain) + up), abs=1e-6)
    along = np.column_stack([a["x"], 0 * a["x"], 0 * a["x"]])
    assert held[slide] - held[cut] == pytest.approx(0.7 * (along + up), abs=1e-6)


def test_a_turning_flexible_arm_passes_on_what_it_needs():
    hub, tip = fx.RigidBody("hub", m=1.0, I=0.5), fx.RigidBody("tip", m=0.3, I=0.01)
    beam = fx.EulerBernoulliBeam("b", EI=400.0, rho=1.0, length=1.2)
    axle, weld, end = fx.Revolute(fx.ground, hub, name="th"), fx.Fixed(hub.at(0.1), beam.start), fx.Fixed(beam.end, tip)
    model = fx.Model(axle, weld, end, fx.Torque(hub, "tau"), fx.Gravity(), foreshortening=False)
    run = fx.simulate(model, np.linspace(0, 0.5, 4), inputs={"tau": 3.0}, order=10)
    size = np.abs(run[fx.Reaction(axle)]).max()
    assert run[fx.Reaction(axle, about="z")] == pytest.approx(0, abs=1e-9 * size)
    # the hub turns about its mass centre: what the axle gives, the weld passes on
    passed = run[fx.Reaction(weld)]
    assert run[fx.Reaction(axle)] == pytest.approx(passed + np.array([0, 9.81, 0]), abs=1e-9 * size)
    # with the tension that turning makes, moments balance, too, but for second orders of the deflection
    model = fx.Model(axle, weld, end, fx.Torque(hub, "tau"), fx.Gravity())
    run = fx.simulate(model, np.linspace(0, 0.5, 4), inputs={"tau": 3.0}, order=10)
    passed = run[fx.Reaction(weld)]
    arm = 0.1 * (np.cos(run["th"]) * passed[:, 1] - np.sin(run["th"]) * passed[:, 0])
    assert 3.0 - run[fx.Reaction(weld, about="z")] - arm == pytest.approx(0.5 * run["th_tt"], abs=2e-4 * size)


def test_a_weld_in_a_turning_frame_tells_what_bending_leaves_out():
    """What bending draws in carries its inertia past the weld, not past the hinge of the frame."""
    hub = fx.RigidBody("hub", m=1.0, I=0.3)
    beam = fx.EulerBernoulliBeam("arm", EI=5.0, rho=0.5, length=1.0)
    hinge, weld = fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub, beam.start)
    run = fx.simulate(fx.Model(hinge, weld, fx.Torque(hub, "tau")), np.linspace(0, 0.3, 7), inputs={"tau": 2.0})
    with pytest.warns(UserWarning, match=r"first order in the deflections: what bending draws in has no share in it"):
        assert run[fx.Reaction(weld, along="x")].shape == (7,)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run[fx.Reaction(hinge, along="x")].shape == (7,)


@pytest.mark.parametrize(
    "given", ["3 + t", lambda t: 3 + t, 3 + np.linspace(0, 1, 5), lambda t, run: 3 + run["q"]],
    ids=["text", "function", "record", "feedback"],
)  # fmt: skip
def test_a_load_that_does_no_work_enters_reactions(given):
    cart = fx.Mass("cart", m=2.0)
    slide = fx.Slide(fx.ground, cart, along="x", name="q")
    t = np.linspace(0, 1, 5)
    run = fx.simulate(fx.Model(slide, fx.Force(cart, "F")), t, {"q_t": 1.0}, {"F": given})
    assert run[fx.Reaction(slide, along="y")] == pytest.approx(-3 - t, abs=1e-9)
    assert run["F"] == pytest.approx(3 + t, abs=1e-9)
    assert run["q"] == pytest.approx(t)
    with_formula = fx.simulate(fx.Model(slide, fx.Force(cart, "3 + t")), t, {"q_t": 1.0})
    assert with_formula[fx.Reaction(slide)] == pytest.approx(run[fx.Reaction(slide)], abs=1e-9)
    quiet = fx.simulate(fx.Model(slide, fx.Force(cart, "F")), t, {"q_t": 1.0})
    assert np.all(quiet[fx.Reaction(slide)] == 0)
    assert any("No input was given for F" in one for one in quiet.notes)


def test_an_idle_load_that_a_controller_samples_is_in_the_reaction():
    cart = fx.Mass("cart", m=2.0)
    slide = fx.Slide(fx.ground, cart, along="x", name="q")
    model = fx.Model(slide, fx.Force(cart, "F"), fx.Sampled(0.5, lambda t, outputs: 1 + outputs["q"], "F"))
    run = fx.simulate(model, np.array([0.1, 0.4, 0.6, 0.9]) - 0.1, {"q_t": 2.0})
    assert run[fx.Reaction(slide, along="y")] == pytest.approx([-1, -1, -2, -2])


def test_a_load_straight_into_its_support_is_what_the_support_exerts():
    body = fx.RigidBody("body", 1.0, 0.1)
    roller = fx.Roller(fx.ground, body)
    model = fx.Model(roller, fx.Force(body, "F"), fx.Force(body, "G", along="x"))
    t = np.linspace(0, 1, 5)
    run = fx.simulate(model, t, inputs={"F": "3 + t", "G": 2.0})
    assert run[fx.Reaction(roller)] == pytest.approx(np.outer(-3 - t, [0, 1, 0]))
    assert run["x_body"] == pytest.approx(t**2)


def test_idle_loads_beside_contacts_and_states_enter_reactions():
    cart = fx.Mass("cart", 2.0)
    slide = fx.Slide(fx.ground, cart, along="x", name="q")
    parts = [slide, fx.Friction(fx.ground, cart, 1.0, along="x"), fx.State("z", "1 - z"), fx.Force(cart, "F")]
    t = np.linspace(0, 1, 5)
    run = fx.simulate(fx.Model(*parts[:2], parts[3]), t, {"q_t": 0.2}, {"F": "3 + t"})
    assert run[fx.Reaction(slide, along="y")] == pytest.approx(-3 - t)
    run = fx.simulate(fx.Model(slide, parts[2], fx.Force(cart, "F")), t, {"q_t": 0.2}, {"F": "3 + t"})
    assert run["F"] == pytest.approx(3 + t)


@pytest.mark.parametrize("foreshortening", [True, False])
def test_a_force_per_length_that_nothing_tells_along_x_is_no_function_of_x(foreshortening):
    beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.0, length=2.0)
    clamp, t = fx.Fixed(fx.ground, beam.start), np.linspace(0, 1, 3)

    def model(load):
        return fx.Model(clamp, fx.DistributedForce(beam, load, along="x"), foreshortening=foreshortening)

    for function in (lambda x, t: x, lambda x, t, run: x):
        with pytest.raises(fx.FlexuraError, match=r"f is a force per length, but .*; give a function of t alone"):
            fx.simulate(model("f"), t, inputs={"f": function})
    run = fx.simulate(model("f"), t, inputs={"f": lambda t: 3 + t})
    assert run[fx.Reaction(clamp, along="x")] == pytest.approx(-2 * (3 + t))
    run = fx.simulate(model("3*x"), t)  # as the sentence says
    assert run[fx.Reaction(clamp, along="x")] == pytest.approx(np.full(3, -6.0))


def test_what_varies_along_a_member_and_does_no_work_is_not_kept_and_says_so():
    beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.0, length=2.0)
    clamp, t = fx.Fixed(fx.ground, beam.start), np.linspace(0, 1, 3)
    load = fx.DistributedForce(beam, "f(x)", along="x")
    run = fx.simulate(fx.Model(clamp, load, foreshortening=False), t, inputs={"f": 2.0})
    with pytest.raises(fx.FlexuraError, match="holds f, which varies along a member and does no work here"):
        run[fx.Reaction(clamp, along="x")]
