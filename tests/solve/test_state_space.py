"""State space: poles equal modes, responses equal exact ones, and what has no inertia leaves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx


def cantilever(**more: Any) -> tuple[Any, Any]:
    beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3, **more)
    return fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))), beam


def quarter_car() -> Any:
    road, wheel, body = fx.RigidBody("road", m=1.0, I=0), fx.Mass("wheel", 40.0), fx.Mass("body", 300.0)
    return fx.derive(
        fx.Model(
            fx.Slide(fx.ground, road, name="zr", motion="a*sin(Om*t)"),
            fx.Slide(fx.ground, wheel, name="zw"),
            fx.Slide(fx.ground, body, name="zb"),
            fx.Spring(road, wheel, k=2e5),
            fx.Spring(wheel, body, k=2e4),
            fx.Damper(wheel, body, c=1500.0),
            fx.Force(body, "F"),
        )
    )


def _models() -> dict[str, Any]:
    free = fx.EulerBernoulliBeam("free", EI=50.0, rho=1.2, length=1.3)
    tip = fx.RigidBody("tip", m=0.3, I=0.1)
    thick = fx.TimoshenkoBeam("thick", EI=50.0, kGA=4e4, rho=1.2, rotary_inertia=0.01, length=1.3, damping=0.5)
    u = fx.Field("u", length=1.4)
    v = fx.Field("v", spine=u)
    turning = fx.Lagrangian(  # a string in axes that turn with it, stiffer in one of them
        density={u: "1.1*((u_t - 2*v)**2 + (v_t + 2*u)**2)/2 - 40*(u_x**2 + v_x**2)/2 - 30*u**2/2"},
        boundary={u.at(0): 0, v.at(0): 0},
        work={u.at(1.4): fx.Input("F")},
    )
    rod = fx.Rod("rod", EA=7.0, rho=2.0, length=1.5)
    return {
        "held": cantilever()[0],
        "foundation and damping": cantilever(foundation=30.0, damping=2.0, internal_damping=1e-4)[0],
        "free": fx.derive(fx.Model(free, fx.Force(free.end, "F"))),
        "damped": fx.derive(
            fx.Model(
                fx.Fixed(fx.ground, thick.start),
                fx.Fixed(thick.end, tip),
                fx.Damper(fx.ground, tip, c=0.7),
                fx.Force(tip, "F"),
            )
        ),
        "gyroscopic": fx.derive(turning),
        "free rod": fx.derive(fx.Model(rod, fx.Force(rod.end, "F", along="x"))),
    }


MODELS = _models()


@pytest.mark.parametrize("name", MODELS)
def test_poles_are_those_of_modes(name: str) -> None:
    equations = MODELS[name]
    space = fx.state_space(equations, "F", None)
    modes = fx.modes(equations, 5 if name != "foundation and damping" else 4)
    for s in modes.eigenvalues:
        if s != 0:
            assert np.min(np.abs(space.poles - s)) <= 1e-9 * abs(s)
    still = int((np.abs(modes.eigenvalues) == 0).sum())
    assert int((np.abs(space.poles) < 1e-5 * abs(modes.eigenvalues[-1])).sum()) == 2 * still


def test_responses_are_exact_ones() -> None:
    equations, beam = cantilever(damping=0.3)
    space = fx.state_space(equations, ["F"], [beam.at(0.5), beam.end])
    omega = np.array([3.0, 40.0, 200.0])
    found = space.frequency_response(omega)
    for column, place in enumerate((beam.at(0.5), beam.end)):
        exact = fx.frequency_response(equations, omega, "F", place)
        assert np.allclose(found[:, column, 0], exact, rtol=1e-8, atol=0)


def test_a_prescribed_motion_enters_by_its_acceleration() -> None:
    space = fx.state_space(quarter_car(), ["zr", "F"], ["zb", "zb_tt"])
    assert space.states == ("zw", "zb", "zr", "zw_t", "zb_t", "zr_t")
    assert (space.inputs, space.outputs) == (("zr", "F"), ("zb", "zb_tt"))
    assert space.units["inputs"] == ("m/s**2", "N")
    assert space.units["outputs"] == ("m", "m/s**2")
    omega = np.array([2.0, 9.0, 60.0])
    found = space.frequency_response(omega)
    for i, w in enumerate(omega):  # by hand: M X = loads per unit displacement of the road
        dynamic = np.array(
            [[2.2e5 + 1500j * w - 40 * w**2, -2e4 - 1500j * w], [-2e4 - 1500j * w, 2e4 + 1500j * w - 300 * w**2]]
        )
        by_road = np.linalg.solve(dynamic, [2e5, 0])[1]
        by_force = np.linalg.solve(dynamic, [0, 1])[1]
        assert found[i, 0, 0] == pytest.approx(by_road / -(w**2), rel=1e-11)
        assert found[i, 1, 0] == pytest.approx(by_road, rel=1e-11)
        assert found[i, 0, 1] == pytest.approx(by_force, rel=1e-11)


def test_a_shaken_beam_equals_its_relative_motion() -> None:
    """Seen from its base, a shaken cantilever is a held one under a uniform load -rho a.

    At 150 rad/s it stands nearly still, by a difference of motions that are a million times as large.
    """
    base = fx.RigidBody("base", m=1.0, I=0)
    beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3, damping=0.0)
    shaken = fx.derive(fx.Model(fx.Slide(fx.ground, base, name="y", motion="a*sin(Om*t)"), fx.Fixed(base, beam.start)))
    space = fx.state_space(shaken, "y", beam.end)
    held = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.DistributedForce(beam, "f")))
    omega = np.array([5.0, 30.0, 150.0])
    relative = -1.2 * fx.frequency_response(held, omega, "f", beam.end)
    size = np.abs(np.asarray(relative)).max()
    assert np.allclose(space.frequency_response(omega)[:, 0, 0], relative, rtol=1e-8, atol=1e-12 * size)


def test_conditions_are_eliminated() -> None:
    """Two masses that a lever ties together are one: q2 = 3 q1."""
    q1, q2 = fx.Coordinate("q1"), fx.Coordinate("q2")
    lagrangian = fx.Lagrangian(
        kinetic=2 * q1.t**2 / 2 + 5 * q2.t**2 / 2,
        potential=7 * q1**2 / 2,
        work={q2: fx.Input("F")},
        constraints=[q2 - 3 * q1],
    )
    space = fx.state_space(fx.derive(lagrangian), "F", ["q1", "q2"])
    assert len(space.states) == 2
    assert np.allclose(np.abs(space.poles), np.sqrt(7 / 47))
    H = space.frequency_response([0.0])[0, :, 0]
    assert np.allclose(H, [3 / 7, 9 / 7])


def test_conditions_on_rates_take_rates_away() -> None:
    """y' = 4 p: a knife edge; eliminated by hand x = (y, p, p') for m y'' + ... with p free."""
    y, p = fx.Coordinate("y"), fx.Coordinate("p")
    lagrangian = fx.Lagrangian(
        kinetic=2 * y.t**2 / 2 + 3 * p.t**2 / 2,
        potential=5 * p**2 / 2,
        work={p: fx.Input("F")},
        constraints=[y.t - 4 * p],
    )
    space = fx.state_space(fx.derive(lagrangian), "F", ["y", "p"])
    modes = fx.modes(fx.derive(lagrangian), 3)
    assert len(space.states) == 3
    for s in modes.eigenvalues:
        assert np.min(np.abs(space.poles - s)) < 1e-9
    omega = np.array([0.7, 2.0])
    exact = fx.frequency_response(fx.derive(lagrangian), omega, "F", "y")
    assert np.allclose(space.frequency_response(omega)[:, 0, 0], exact, rtol=1e-9)


def _pushed() -> Any:
    """A joint without mass between two springs, pushed by F."""
    a, b = fx.Coordinate("a"), fx.Coordinate("b")
    potential = 3 * (a - b) ** 2 / 2 + 5 * b**2 / 2
    return fx.derive(fx.Lagrangian(kinetic=2 * a.t**2 / 2, potential=potential, work={b: fx.Input("F")}))


def test_what_has_no_inertia_leaves() -> None:
    """A spring and a damper in a row: the joint between them is one state, one between two springs is none."""
    M, K = np.diag([2.0, 0.0]), np.array([[3.0, -3.0], [-3.0, 3.0]])
    damped = fx.state_space(fx.SecondOrderSystem(M, np.diag([0.0, 4.0]), K, dofs=("a", "b")), "a", ["a", "b"])
    assert damped.states == ("a", "b", "a_t")
    s = 0.8j
    exact = np.linalg.solve(s * s * M + s * np.diag([0.0, 4.0]) + K, [1.0, 0.0])
    assert np.allclose(damped.frequency_response([0.8])[0, :, 0], exact, rtol=1e-12)
    stiff = fx.SecondOrderSystem(M, None, K + np.diag([0.0, 5.0]), dofs=("a", "b"))
    space = fx.state_space(stiff, ["a", "b"], ["a", "b"])
    assert space.states == ("a", "a_t")
    assert space.D[1, 1] == pytest.approx(1 / 8)
    exact = np.linalg.solve(s * s * M + K + np.diag([0.0, 5.0]), np.eye(2))
    assert np.allclose(space.frequency_response([0.8])[0], exact, rtol=1e-12)
    with pytest.raises(fx.FlexuraError, match="rate of that load"):
        fx.state_space(_pushed(), "F", "b_t")


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(0, 2))
def test_any_matrices(seed: int, n: int, massless: int) -> None:
    """Against the dynamic stiffness, whatever has no mass or no damping."""
    draw = np.random.default_rng(seed)
    n += massless
    L, S, R = (draw.normal(size=(n, n)) for _ in range(3))
    turned = np.linalg.qr(draw.normal(size=(n, n)))[0]
    M = turned @ np.diag([*draw.uniform(0.5, 2, n - massless), *([0.0] * massless)]) @ turned.T
    D, K, G = R @ R.T, S @ S.T + np.eye(n), (L - L.T) / 2
    system = fx.SecondOrderSystem((M + M.T) / 2, D, K, G=G)
    load, output = draw.normal(size=n), draw.normal(size=n)
    space = fx.state_space(system, load, output)
    assert len(space.states) == 2 * n - massless
    exact = output @ np.linalg.solve(-M * 0.49 + 0.7j * (D + G) + K, load)
    assert space.frequency_response([0.7])[0, 0, 0] == pytest.approx(exact, rel=1e-7)


def test_reduced_models() -> None:
    n = 60
    K = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    F = np.eye(1, n, n - 1)[0]
    system = fx.SecondOrderSystem(np.eye(n), None, K)
    reduced = fx.reduce(system, F, 6)
    space = fx.state_space(reduced, F, F)
    assert len(space.states) == 2 * reduced.n
    exact = fx.frequency_response(system, [0.01], F, F)
    assert np.allclose(space.frequency_response([0.01])[:, 0, 0], exact, rtol=1e-6)


def test_discrete_time_is_the_exponential() -> None:
    space = fx.state_space(MODELS["free rod"], "F", None, order=4)
    dt = 0.01
    sampled = space.to_discrete(dt)
    n = len(space.A)
    both = scipy.linalg.expm(dt * np.block([[space.A, space.B], [np.zeros((1, n + 1))]]))
    assert np.allclose(sampled.A, both[:n, :n], atol=1e-12)
    assert np.allclose(sampled.B, both[:n, n:], atol=1e-12)
    assert sampled.dt == dt
    with pytest.raises(fx.FlexuraError, match="sampled already"):
        sampled.to_discrete(dt)


def test_python_control_takes_it() -> None:
    control = pytest.importorskip("control", reason="python-control is not installed")
    space = fx.state_space(MODELS["damped"], "F", None)
    made = space.to_control()
    assert isinstance(made, control.StateSpace)
    assert made.input_labels == ["F"]
    assert np.array_equal(made.A, space.A)
    mine = space.frequency_response([3.0])[0]
    assert np.allclose(made(3j), mine, rtol=1e-6)


def test_a_named_load_is_an_input() -> None:
    beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3)
    model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F", name="motor"))
    equations = fx.derive(model)
    omega = [11.0]
    for name in ("motor", "F"):
        space = fx.state_space(equations, name, beam.end)
        exact = fx.frequency_response(equations, omega, name, beam.end)
        assert np.allclose(space.frequency_response(omega)[:, 0, 0], exact, rtol=1e-8)


@pytest.mark.parametrize(
    ("inputs", "outputs", "sentence"),
    [
        ("G", "zb", "There is no input 'G'.*zr"),
        (["zr", "F"], "zc", "There is no output 'zc'.*zw"),
        (["F", "F"], "zb", "asked for twice"),
        ("F", "zb", "given function of time"),
    ],
)
def test_what_is_wrong_is_said(inputs: Any, outputs: Any, sentence: str) -> None:
    with pytest.raises(fx.FlexuraError, match=sentence):
        fx.state_space(quarter_car(), inputs, outputs, values={"a": 0.1, "Om": 3.0} if inputs == "F" else None)


def test_advice_for_a_driven_system_helps() -> None:
    assert fx.state_space(quarter_car(), ["F", "zr"], "zb").inputs == ("F", "zr")


def controlled() -> Any:
    """A beam with a mass at its end, a filtered rate fed back; the filter is a first-order state."""
    tip = fx.RigidBody("tip", m=0.4, I=0.01)
    beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3)
    model = fx.Model(
        fx.Fixed(fx.ground, beam.start),
        fx.Fixed(beam.end, tip),
        fx.Force(tip, "-3*z - 0.5*s"),
        fx.Force(tip, "F"),
        fx.State("z", "20*(y_t - z)"),
        fx.State("s", "y - 0.1*s"),
        names={beam.end: ("y", "theta")},
    )
    with pytest.warns(UserWarning, match="depends on the motion"):
        return fx.derive(model)


def test_states_of_controllers_come_last() -> None:
    equations = controlled()
    space = fx.state_space(equations, "F", ["y", "z"])
    assert space.states[-2:] == ("z", "s")
    assert [name for name in space.states if name.endswith("_t")][-1] == space.states[-3]
    modes = fx.modes(equations, 5)
    for s in modes.eigenvalues:
        assert np.min(np.abs(space.poles - s)) <= 1e-9 * abs(s)
    omega = np.array([2.0, 20.0])
    assert np.allclose(
        space.frequency_response(omega)[:, 0, 0], fx.frequency_response(equations, omega, "F", "y"), rtol=1e-9
    )


def test_motions_and_section_loads_are_outputs() -> None:
    """Against exact responses: absolute and relative motion, rotation, moment and shear."""
    base, tip = fx.RigidBody("base", m=2.0, I=0.1), fx.RigidBody("tip", m=0.4, I=0.01)
    beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3, internal_damping=1e-4)
    equations = fx.derive(
        fx.Model(
            fx.Slide(fx.ground, base, name="z"),
            fx.Spring(fx.ground, base, k=900.0),
            fx.Fixed(base, beam.start),
            fx.Fixed(beam.end, tip),
            fx.Force(base, "F"),
        )
    )
    outputs = [
        fx.Motion(beam.at(0.7)),
        fx.Motion(tip.at(0.1), relative_to=base),
        fx.Motion(tip, about="z"),
        fx.Internal(beam, 0.0, "moment"),
        fx.Internal(beam, 0.4, "shear"),
    ]
    space = fx.state_space(equations, "F", outputs)
    assert space.units["outputs"] == ("m", "m", "rad", "N*m", "N")
    omega = np.array([4.0, 30.0])
    found, exact = space.frequency_response(omega)[:, :, 0], fx.frequency_response(equations, omega, "F", outputs)
    assert np.allclose(found, np.asarray(exact).reshape(2, 5), rtol=1e-6, atol=0)


def test_a_pivot_that_is_shaken_holds_what_hangs_on_it() -> None:
    """A pendulum under gravity on a pivot that moves up and down and sideways; also of equations already linear."""
    pivot, bob = fx.RigidBody("pivot", m=1.0, I=0), fx.RigidBody("bob", m=0.7, I=0.02)
    model = fx.Model(
        fx.Slide(fx.ground, pivot, along="x", name="x", motion="zr(t)"),
        fx.Revolute(pivot, bob.at(0, 0.5), name="th"),
        fx.Gravity(),
    )
    equations = fx.derive(model)
    inertia = 0.02 + 0.7 * 0.25
    for asked in (equations, fx.linearise(equations)):
        for name in ("zr", "x"):
            space = fx.state_space(asked, name, "th")
            assert space.states == ("th", "x", "th_t", "x_t")
            w = 2.0
            exact = -0.7 * 0.5 / (0.7 * 9.81 * 0.5 - inertia * w**2)
            assert space.frequency_response([w])[0, 0, 0] == pytest.approx(exact, rel=1e-12)
    lifted = fx.Model(
        fx.Slide(fx.ground, pivot, along="y", name="y", motion="zr(t)"),
        fx.Revolute(pivot, bob.at(0, 0.5), name="th"),
        fx.Gravity(),
    )
    space = fx.state_space(lifted, "zr", ["th", "y"])
    assert np.allclose(np.sort(np.abs(space.poles)), [0, 0, *[np.sqrt(0.7 * 9.81 * 0.5 / inertia)] * 2])


def test_contacts_are_left_open_and_told() -> None:
    block = fx.Mass("block", 2.0)
    slide = fx.Slide(fx.ground, block, along="x", name="x")
    rub = fx.Friction(fx.ground, block, 3.0, along="x", name="rub")
    with pytest.warns(UserWarning, match="rub"):
        space = fx.state_space(fx.Model(slide, fx.Force(block, "F", along="x"), rub), None, None)
    assert space.inputs == ("F",)
    assert np.allclose(space.B.ravel(), [0, 0.5])


def test_reactions_are_outputs() -> None:
    """Against exact responses: what a clamp exerts, by a load and by a base that moves."""
    base, tip = fx.RigidBody("base", m=2.0, I=0.1), fx.RigidBody("tip", m=0.4, I=0.01)
    beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3, damping=0.2)
    clamp = fx.Fixed(base, beam.start)
    model = fx.Model(
        fx.Slide(fx.ground, base, name="z"),
        fx.Spring(fx.ground, base, k=900.0),
        clamp,
        fx.Fixed(beam.end, tip),
        fx.Force(tip, "F"),
        fx.DistributedForce(beam, "f"),
    )
    outputs = [fx.Reaction(clamp, along="y"), fx.Reaction(clamp, about="z")]
    space, omega = fx.state_space(model, ["F", "f"], outputs), np.array([4.0, 30.0])
    assert space.units["outputs"] == ("N", "N*m")
    found, exact = space.frequency_response(omega), fx.frequency_response(model, omega, ["F", "f"], outputs)
    assert np.allclose(found, exact, rtol=1e-7, atol=0)
    shaken = fx.Model(fx.Slide(fx.ground, base, name="z", motion="zr(t)"), clamp, fx.Fixed(beam.end, tip))
    found = fx.state_space(shaken, "zr", outputs[:1]).frequency_response(omega)[:, 0, 0]
    exact = fx.frequency_response(shaken, omega, "zr", outputs[0]) / -(omega**2)
    assert np.allclose(found, exact, rtol=1e-7, atol=0)
    with pytest.raises(fx.FlexuraError, match="along= or about="):
        fx.state_space(model, "F", fx.Reaction(clamp))


def test_a_load_with_a_number_is_stiffness_where_it_acts_through_the_motion() -> None:
    """A force that pushes a column, dead or following its end; one that also moves the state is refused."""
    beam, tip = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3), fx.RigidBody("tip", m=0.4, I=0.01)
    clamped = (fx.Fixed(fx.ground, beam.start), fx.Fixed(beam.end, tip), fx.Force(tip, "F"))
    dead = fx.Model(*clamped, fx.Force(tip, "P", along="-x"))
    follower = fx.Model(*clamped, fx.Force(beam.end, "P", along="-x", axes=beam.end))
    for model in (dead, follower):
        found = []
        for values in ({}, {"P": 5.0}):
            (s,) = fx.modes(model, 1, values=values).eigenvalues
            assert np.min(np.abs(fx.state_space(model, "F", beam.end, values=values).poles - s)) < 1e-8 * abs(s)
            found.append(abs(s))
        assert abs(found[0] - found[1]) > 1e-3 * found[0]
    across = fx.Model(*clamped, fx.Force(beam.end, "P", along=(-1, 1, 0), axes=beam.end))
    with pytest.raises(fx.FlexuraError, match="P has a value here"):
        fx.state_space(across, "F", beam.end, values={"P": 5.0})
    fx.state_space(across, "F", beam.end)


def test_it_is_a_table() -> None:
    pytest.importorskip("pandas")
    mass = fx.Mass("m", m=2.0)
    model = fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=8.0), fx.Force(mass, "F"))
    table = fx.state_space(model, ["F"], ["y_tt"]).to_dataframe()
    assert table.loc["d/dt y_t"].to_dict() == pytest.approx({"y": -4.0, "y_t": 0.0, "F": 0.5})
    assert table.loc["y_tt", "y"] == pytest.approx(-4.0)
    assert list(table.index) == ["d/dt y", "d/dt y_t", "y_tt"]
