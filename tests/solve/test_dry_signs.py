"""Dry friction written with signs of rates sticks and slides as fx.Friction does; what does not jump stays as it is."""

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import flexura as fx

Q = fx.Coordinate("q")
T = np.linspace(0, 3, 31)
some = st.floats(0.2, 3.0).map(lambda one: round(one, 3))


def belt(*parts) -> fx.Equations:
    """Two masses on springs, one pushed to and fro."""
    a, b = fx.Mass("a", 1.0), fx.Mass("b", 2.0)
    slides = fx.Slide(fx.ground, a, along="x", name="x"), fx.Slide(a, b, along="x", name="y")
    springs = fx.Spring(fx.ground, a, k=20.0, along="x"), fx.Spring(a, b, k=35.0, along="x")
    return fx.derive(fx.Model(*slides, *springs, fx.Force(b, "F", along="x"), *(one(a, b) for one in parts)))


def moved(equations: fx.Equations) -> fx.Trajectory:
    found = fx.simulate(equations, T, initial={"x": 0.2}, inputs={"F": lambda t: 4 * np.sin(5 * t)})
    assert found.complete
    assert found.energy.error < 1e-8
    return found


@settings(max_examples=2, deadline=None)
@given(some, some, st.floats(0.1, 1.0))
@example(1.125, 0.219, 1.0)  # whose phases together miss more than each of them may
def test_laws_with_signs_are_friction(first, second, smooth):
    """A law on ground and one between masses, with a smooth part: beside fx.Friction and a damper."""
    laws = belt(
        lambda a, b: fx.Damper(fx.ground, a, law=f"{first}*sign(v) + {smooth}*v*abs(v)", along="x"),
        lambda a, b: fx.Damper(a, b, law=f"{second}*sign(v)", along="x"),
    )
    contacts = belt(
        lambda a, b: fx.Friction(fx.ground, a, first, along="x"),
        lambda a, b: fx.Damper(fx.ground, a, law=f"{smooth}*v*abs(v)", along="x"),
        lambda a, b: fx.Friction(a, b, second, along="x"),
    )
    one, other = moved(laws), moved(contacts)
    for name in ("x", "y", "x_t", "y_t"):
        assert one[name] == pytest.approx(other[name], abs=1e-7)
    assert one.energy.dissipated == pytest.approx(other.energy.dissipated, abs=1e-7)


@pytest.mark.parametrize(
    "written",
    [
        {"dissipation": "mu*abs(q_t)"},
        {"work": {Q: "-mu*sign(q_t)"}},
        {"dissipation": "mu*abs(q_t)/2", "work": {Q: "-mu*sign(q_t)/2"}},
        {"work": {Q: "-mu*sign(3*q_t)"}},
        {"work": {Q: "mu*sign(-q_t)"}},
    ],
)
def test_energies_by_hand(written):
    """A sliding block comes to rest at t = v/(mu/m), and stays: v = 2, mu/m = 1.5."""
    lagrangian = fx.Lagrangian(kinetic=Q.t**2, **written)
    run = fx.simulate(fx.derive(lagrangian), T, initial={"q_t": 2.0}, values={"mu": 3.0})
    rest = 2 / 1.5
    expected = np.where(rest > T, 2 * T - 1.5 * T**2 / 2, 2 * rest - 1.5 * rest**2 / 2)
    assert run["q"] == pytest.approx(expected, abs=1e-9)
    assert run.energy.dissipated[-1] == pytest.approx(2 * 2**2 / 2)
    assert run.events["sign_1"][0] == pytest.approx(rest)


def test_a_load_below_the_limit_moves_nothing_and_one_above_does():
    block = fx.Mass("m", 1.0)
    parts = fx.Slide(fx.ground, block, along="x", name="x"), fx.Force(block, "F", along="x")
    dry = fx.derive(fx.Model(*parts, fx.Damper(fx.ground, block, law="4*sign(v)", along="x")))
    still = fx.simulate(dry, T, inputs={"F": 3.9})
    assert np.all(still["x"] == 0)
    moved = fx.simulate(dry, T, inputs={"F": lambda t: 2 * t})
    assert moved["x"][-1] == pytest.approx((3 - 2) ** 3 / 3, rel=1e-7)  # x_tt = 2 t - 4 from t = 2 on


def test_members_rub_at_their_ends():
    """A cantilever's tip held by dry friction is a support until its limit: 3/8 of a uniform load, 10 N/m on 1 m."""
    beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.0, length=1.0)
    held = fx.Fixed(fx.ground, beam.start), fx.DistributedForce(beam, "f")
    dry = fx.derive(fx.Model(*held, fx.Damper(fx.ground, beam.end, law="9*sign(v)")))
    rubbed = fx.derive(fx.Model(*held, fx.Friction(fx.ground, beam.end, 9.0)))
    runs = [fx.simulate(one, [0, 0.02, 0.04], inputs={"f": 10.0}, order=3) for one in (dry, rubbed)]
    one, other = (run.place(beam, 0.5) for run in runs)
    assert one == pytest.approx(other, abs=1e-12)
    assert np.all(np.abs(runs[0].place(beam, 1.0)) < 1e-14)


def test_what_does_not_jump_is_no_friction():
    block = fx.Mass("m", 1.0)
    slide, spring = fx.Slide(fx.ground, block, along="x", name="x"), fx.Spring(fx.ground, block, k=4.0, along="x")
    for law in ("0.3*v*abs(v)", "0.1*sign(v)*sqrt(abs(v))", "-0.5*sign(v)*v**2 + v"):
        run = fx.simulate(fx.derive(fx.Model(slide, spring, fx.Damper(fx.ground, block, law=law, along="x"))), [0, 0.1])
        assert "sign_1" not in run.events


def on_a_line(foot: tuple[float, float], load: float, *parts) -> fx.Equations:
    """A block on x, rubbed by what stands at a foot, under a load."""
    block = fx.Mass("m", 1.0)
    slide = fx.Slide(fx.ground, block, along="x", name="x")
    return fx.derive(
        fx.Model(slide, fx.Force(block, load, along="x"), *(one(fx.ground.at(*foot), block) for one in parts))
    )


@settings(max_examples=8, deadline=None)
@given(st.floats(0.5, 2.0), st.floats(-1.5, 1.5), st.floats(0.1, 8.0))
@example(1.0, 0.0, 1.0)  # along the way it slides, whose direction cancels only in a square root
@example(1.0, 2.5e-139, 1.0)  # whose square, beside 1, is a fraction of integers beyond machine numbers
@example(1.0, 1e-300, 5.0)
@example(0.5, -1e-160, 1.0)
def test_laws_along_lines_hold_what_rests(ahead, beside, load):
    """At rest the line holds 4 cos(angle): a block under less stays, and one under more begins as Newton says."""
    dry = on_a_line((ahead, beside), load, lambda a, b: fx.Damper(a, b, law="4*sign(v)", along="line"))
    most = 4 * ahead / np.hypot(ahead, beside)
    assume(abs(load - most) > 0.1)
    run = fx.simulate(dry, [0, 0.01, 0.02])
    assert run.complete
    assert run["x_tt"][0] == pytest.approx(max(load - most, 0.0), abs=1e-9)
    assert (run["x"][-1] > 1e-9) == (load > most)


@pytest.mark.parametrize("beside", [2.5e-139, 1e-160, 1e-300])
def test_springs_and_dampers_along_lines_may_have_feet_beside_by_next_to_nothing(beside):
    runs = [
        fx.simulate(
            on_a_line(
                (1.0, foot),
                1.0,
                lambda a, b: fx.Spring(a, b, k=4.0, along="line"),
                lambda a, b: fx.Damper(a, b, law="2*v", along="line"),
            ),
            [0, 0.1, 0.2],
        )
        for foot in (0.0, beside)
    ]
    assert runs[1].complete
    assert runs[1]["x"] == pytest.approx(runs[0]["x"], rel=1e-9)


@pytest.mark.parametrize("written", ["4*sign(x_t)*(1 + x**2)", "(4 + cos(x))*sign(x_t)"])
def test_limits_that_change_end_at_once_and_say_what_to_give(written):
    """At rest under a load below the limit; the advice, fx.Friction, holds it there."""
    with pytest.warns(UserWarning, match="not complete"):
        run = fx.simulate(on_a_line((0, 0), 3.0, lambda a, b: fx.Force(b, f"-({written})", along="x")), T)
    assert "sticks at t" in run.message
    assert "give fx.Friction in place of sign(x_t)" in run.message
    held = fx.simulate(on_a_line((0, 0), 3.0, lambda a, b: fx.Friction(a, b, 4.0, along="x")), T)
    assert held.complete
    assert np.all(held["x"] == 0)
