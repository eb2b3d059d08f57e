"""Impulses among the loads: speeds jump, the work is booked, and where an impulse means nothing it is refused."""

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm

import flexura as fx

A, B = np.array([[0.0, 1.0], [-4.0, -0.2]]), np.array([0.0, 0.5])


def oscillator(load="F"):
    mass = fx.Mass("m", m=2.0)
    return fx.derive(
        fx.Model(
            fx.Slide(fx.ground, mass, name="y"),
            fx.Spring(fx.ground, mass, k=8.0),
            fx.Damper(fx.ground, mass, c=0.4),
            fx.Force(mass, load),
        )
    )


def after(hits, t):
    """(y, y_t) by exponentials; a hit at the very start comes after the first time."""
    return sum((expm(A * (t - at)) @ B * J for at, J in hits if t > at or t == at > 0), start=np.zeros(2))


@settings(max_examples=4)
@given(
    st.lists(st.tuples(st.integers(0, 29), st.floats(-3, 3), st.sampled_from([1.0, 2.0, -4.0])), min_size=1, max_size=3)
)
def test_each_hit_is_a_jump_of_momentum(drawn):
    text = " + ".join(f"({J!r})*impulse({a!r}*(t - {k / 10!r}))" for k, J, a in drawn)
    hits = [(k / 10, J / abs(a)) for k, J, a in drawn]
    t = np.arange(31) / 10
    run = fx.simulate(oscillator(), t, inputs={"F": text})
    exact = np.array([after(hits, one) for one in t])
    assert run["y"] == pytest.approx(exact[:, 0], abs=1e-12)
    assert run["y_t"] == pytest.approx(exact[:, 1], abs=1e-12)
    assert run.energy.error < 1e-9


@pytest.mark.parametrize("method", ["explicit", "radau", None])
def test_every_way_to_step_is_struck(method):
    t = np.linspace(0, 2, 21)
    load = 3 * fx.impulse(fx.time - 1)
    run = fx.simulate(oscillator(), t, inputs={"F": load}, method=method)
    assert run["y_t"] == pytest.approx([after([(1, 3)], one)[1] for one in t], abs=1e-8)
    assert run.energy.supplied[[9, 10, -1]] == pytest.approx([0, 3**2 / 4, 3**2 / 4])  # J^2/(2 m)


def test_a_model_may_hold_one():
    equations = oscillator("3*impulse(t - 1) + sin(t)")
    t = np.linspace(0, 2, 21)
    run = fx.simulate(equations, t)
    same = fx.simulate(
        oscillator(), t, inputs={"F": 3 * sympy.DiracDelta(sympy.Symbol("t") - 1) + sympy.sin(sympy.Symbol("t"))}
    )
    assert run["y"] == pytest.approx(same["y"], abs=1e-8)
    assert equations.ordinary["y"].rhs.has(sympy.DiracDelta)
    again = fx.Equations.from_json(equations.to_json())
    assert again.ordinary["y"] == equations.ordinary["y"]
    assert fx.verify(equations)
    plain = oscillator()
    assert fx.modes(equations, 1).eigenvalues == pytest.approx(fx.modes(plain, 1).eigenvalues)
    assert fx.frequency_response(equations, [1.0], "y", "y") == pytest.approx(
        fx.frequency_response(plain, [1.0], "F", "y")
    )
    with pytest.raises(fx.FlexuraError, match="meets no impulses"):
        fx.accelerations(equations, {"y": 0.0})


def test_a_pendulum_is_struck_where_it_is():
    bar = fx.RigidBody("p", m=2.0, I=0.1)
    model = fx.Model(
        fx.Revolute(fx.ground, bar.at(0, 0.5), name="th"), fx.Gravity(), fx.Force(bar.at(0, -0.5), "H", along="x")
    )
    run = fx.simulate(model, np.linspace(0, 1, 11), initial={"th": 0.4}, inputs={"H": "0.7*impulse(t)"})
    assert run["th_t"][0] == 0
    struck = fx.simulate(model, np.linspace(0, 1, 11), initial={"th": 0.4, "th_t": 0.7 * np.cos(0.4) / 0.6})
    assert run["th"] == pytest.approx(struck["th"], abs=1e-8)
    assert run.energy.error < 1e-8


def test_conditions_and_given_motions_share_a_blow():
    x, y, P = fx.Coordinate("x"), fx.Coordinate("y"), fx.Input("P")
    held = fx.Lagrangian(kinetic=(x.t**2 + y.t**2) / 2, work={x: P}, constraints=[x**2 + y**2 - 1])
    run = fx.simulate(held, np.linspace(0, 1, 5), initial={"x": 0.6, "y": -0.8}, inputs={"P": "0.5*impulse(t - 0.25)"})
    assert [run["x_t"][1], run["y_t"][1]] == pytest.approx([0.5 * 0.8 * 0.8, 0.5 * 0.8 * 0.6])  # its tangential part
    base, mass = fx.RigidBody("base", m=1.0, I=0), fx.Mass("m", m=2.0)
    model = fx.Model(
        fx.Slide(fx.ground, base, motion="zr(t)"),
        fx.Slide(base, mass, name="q"),
        fx.Spring(base, mass, k=8.0),
        fx.Force(mass, "F"),
    )
    t = np.linspace(0, 1, 11)
    both, shaken, hit = (
        fx.simulate(model, t, inputs=given)["q"]
        for given in (
            {"zr": "0.1*sin(2*t)", "F": "impulse(t - 0.5)"},
            {"zr": "0.1*sin(2*t)", "F": 0},
            {"zr": "0", "F": "impulse(t - 0.5)"},
        )
    )
    assert both == pytest.approx(shaken + hit, abs=1e-9)


def test_members_and_states_are_struck():
    beam = fx.EulerBernoulliBeam("b", EI=50.0, rho=1.2, length=1.0, internal_damping=1e-2)
    model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"), fx.DistributedForce(beam, "g(x,t)"))
    t = np.linspace(0, 0.5, 6)
    run = fx.simulate(model, t, inputs={"F": "0.2*impulse(t - 0.1)"}, order=12)
    wave = fx.simulate(model, t, inputs={"g": "x*impulse(t - 0.1)"}, order=12)
    space = fx.state_space(model, ["F", "g"], [beam.end], {"g": "x"}, order=12)
    for found, column, size in ((run, 0, 0.2), (wave, 1, 1.0)):
        exact = [0, *((space.C @ expm(space.A * one) @ space.B[:, column]).item() * size for one in t[:-1])]
        assert found.place(beam, 1.0) == pytest.approx(exact, abs=1e-10)
    mass = fx.Mass("m", m=2.0)
    driven = fx.Model(
        fx.Slide(fx.ground, mass, name="y"),
        fx.Spring(fx.ground, mass, k=8.0),
        fx.State("z", "F - z"),
        fx.Force(mass, "F"),
    )
    run = fx.simulate(driven, np.linspace(0, 1, 11), inputs={"F": "impulse(t - 0.5)"})
    assert run["z"][5:] == pytest.approx(np.exp(-np.arange(6) / 10), abs=1e-8)
    assert run["y_t"][5] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sin(impulse(t - 1))", "no plain factor"),
        ("impulse(t - 1)**2", "no plain factor"),
        ("impulse(t - 1)*impulse(t - 2)", "no plain factor"),
        ("sign(t - 1)*impulse(t - 1)", "jumps at that time"),
        ("impulse(t**2 - 1)", "whose time cannot be told"),
        ("impulse(3)", "whose time cannot be told"),
        ("impulse(t, 1)", "exactly 1 argument"),
    ],
)
def test_what_means_nothing_is_refused(text, told):
    with pytest.raises(fx.FlexuraError, match=told):
        fx.simulate(oscillator(), [0, 1, 2.0], inputs={"F": text})


def test_energies_properties_and_motions_hold_none():
    mass, q = fx.Mass("m", m=1.0), fx.Coordinate("q")
    for make in (
        lambda: fx.Spring(fx.ground, mass, k="impulse(t - 1)"),
        lambda: fx.Spring(fx.ground, mass, k=fx.impulse(fx.time)),
        lambda: fx.Slide(fx.ground, mass, motion="impulse(t)"),
        lambda: fx.Lagrangian(kinetic=q.t**2, potential=q * fx.impulse(fx.time)),
        lambda: fx.simulate(oscillator(), [0, 1.0], initial={"y": "impulse(t)"}),
    ):
        with pytest.raises(fx.FlexuraError, match="a load may hold one"):
            make()
    by_rate = fx.Lagrangian(kinetic=q.t**2, work={q: fx.Input("F") * q.t})
    with pytest.raises(fx.FlexuraError, match="depends on rates"):
        fx.simulate(by_rate, [0, 1.0, 2.0], initial={"q_t": 1.0}, inputs={"F": "impulse(t - 1)"})
    squared = fx.Lagrangian(kinetic=q.t**2, work={q: fx.Input("F") ** 2})
    with pytest.raises(fx.FlexuraError, match="no plain factor of a force"):
        fx.simulate(squared, [0, 1.0, 2.0], inputs={"F": "impulse(t - 1)"})
    stopped = fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Force(mass, "F(t)"), fx.Stop(fx.ground, mass, gap=0.1))
    with pytest.raises(fx.FlexuraError, match="short pulse"):
        fx.simulate(stopped, [0, 1.0], inputs={"F": "impulse(t - 0.5)"})


@pytest.mark.parametrize(("at", "rests"), [(0.2, 0.16 + 3.6**2 / 4), (1.0, 0.25 + 9 / 4)])
def test_friction_written_as_a_sign_takes_no_part_in_a_hit(at, rests):
    mass = fx.Mass("m", m=1.0)
    model = fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Force(mass, "F(t) - 2*sign(y_t)"))
    run = fx.simulate(model, np.linspace(0, 3, 31), initial={"y_t": 1.0}, inputs={"F": f"3*impulse(t - {at})"})
    assert run["y"][-1] == pytest.approx(rests, abs=1e-8)


@pytest.mark.parametrize("method", [None, "explicit"])
@pytest.mark.parametrize("beside", [0.1 * 3, 0.3 + 2e-13])
def test_hits_and_breaks_that_rounding_tells_apart_are_one(method, beside):
    mass = fx.Mass("m", m=1.0)
    model = fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Force(mass, "F(t)"), fx.Force(mass, "H(t)"))
    both = {"F": "impulse(t - 0.3)", "H": f"10*impulse(t - {beside!r})"}
    assert fx.simulate(model, [0, 0.5, 1.0], inputs=both, method=method)["y_t"][-1] == pytest.approx(11)
    once = {"F": "impulse(t - 0.3)", "H": 0}
    run = fx.simulate(model, [0, 0.5, 1.0], inputs=once, method=method, breaks=[beside])
    assert run["y_t"][-1] == pytest.approx(1)


def test_conditions_that_repeat_one_another_share_a_blow():
    x, y, P = fx.Coordinate("x"), fx.Coordinate("y"), fx.Input("P")
    held = fx.Lagrangian(
        kinetic=(x.t**2 + y.t**2) / 2, work={x: P}, constraints=[x**2 + y**2 - 1, 2 * x**2 + 2 * y**2 - 2]
    )
    run = fx.simulate(held, np.linspace(0, 1, 5), initial={"x": 0.6, "y": -0.8}, inputs={"P": "0.5*impulse(t - 0.25)"})
    assert [run["x_t"][1], run["y_t"][1]] == pytest.approx([0.5 * 0.8 * 0.8, 0.5 * 0.8 * 0.6])
