"""Slopes of frequency responses from one solution: against differences of exact responses, parameter by parameter."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.errors import FlexuraError

RULE = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
OMEGA = np.array([0.7, 9.0, 31.0])


def check(equations, load, outputs, parameters=None, given_values=None, share=2e-3, slack=2e-8, **asked):
    found = fx.sensitivity(equations, parameters, omega=OMEGA, load=load, output=outputs, values=given_values, **asked)

    def response(name, value):
        values = {**(given_values or {}), name: value}
        return np.asarray(fx.frequency_response(equations, OMEGA, load, outputs, values))

    for name, value in found.parameters.items():
        h = share * abs(value)
        expected = sum(w * (response(name, value + k * h) - response(name, value - k * h)) for k, w in RULE.items()) / h
        size = np.abs(response(name, value)).max(axis=0) / abs(value)  # of the response, for a change of all of it
        assert np.all(np.abs(found[name] - expected) <= slack * (size + np.abs(expected).max(axis=0))), name
    return found


@pytest.fixture
def alone(monkeypatch):
    """Nothing is discretised at values beside."""

    def refused(*_):
        raise AssertionError("a discretisation was asked for")

    monkeypatch.setattr("flexura.solve.response_gradient._read", refused)


def storeys(rotary=False):
    last, parts, bodies = fx.ground, [], []
    for i in range(2):
        words = {"EI": (f"EI{i}", 60.0 + i), "rho": (f"rho{i}", 1.0 + 0.2 * i), "length": (f"h{i}", 1.0 - 0.1 * i)}
        words |= {"internal_damping": ("eta", 2e-3), "axial_force": (f"P{i}", -3.0)}
        column = (
            fx.RayleighBeam(f"c{i}", **words, rotary_inertia=("J", 1e-3))
            if rotary
            else fx.EulerBernoulliBeam(f"c{i}", **words)
        )
        bodies.append(fx.RigidBody(f"b{i}", m=(f"m{i}", 2.0 + i), I=(f"I{i}", 0.1)))
        parts += [fx.Fixed(last, column.start), fx.Fixed(column.end, bodies[-1])]
        last = bodies[-1]
    parts += [fx.Damper(fx.ground, last, c=("c", 0.4)), fx.Force(bodies[0], "F"), fx.Torque(last, "T")]
    return fx.derive(fx.Model(*parts)), bodies


@pytest.mark.parametrize("rotary", [False, True])
def test_a_frame_by_all_its_parameters(alone, rotary):
    equations, bodies = storeys(rotary)
    found = check(equations, ["F", "T"], [fx.Motion(bodies[0]), fx.Motion(bodies[1]).t])
    assert set(found) == set(equations.lagrangian.parameters)
    assert {"h0", "h1", "EI0", "P1", "eta", "m1", "c"} <= set(found)
    assert found.error < 1e-9


def test_a_shaken_beam(alone):
    base, tip = fx.RigidBody("base", m=1.0, I=0), fx.Mass("tip", m=("m", 0.4))
    beam = fx.TimoshenkoBeam(
        "b", EI=("EI", 50.0), kGA=("S", 4e3), rho=("rho", 1.2), rotary_inertia=("J", 2e-3), length=("l", 1.0),
        internal_damping=("eta", 1e-3),
    )  # fmt: skip
    model = fx.Model(
        fx.Slide(fx.ground, base, motion="zr(t)"), fx.Fixed(base, beam.start), fx.Fixed(beam.end, tip),
        fx.Spring(base, tip, k=("k", 5.0)),
    )  # fmt: skip
    found = check(fx.derive(model), "zr", [fx.Motion(tip), fx.Motion(tip).tt])
    assert set(found) == {"m", "EI", "S", "rho", "J", "l", "eta", "k", "m_base"}


def test_an_end_of_a_member_and_what_varies_along_it(alone):
    beam = fx.EulerBernoulliBeam("b", EI="EI0*(1 - x/(2*l))", rho=("rho", 1.2), length=("l", 1.0), damping=("d", 0.5))
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F")))
    check(equations, "F", fx.Motion(beam.end), given_values={"EI0": 50.0})
    check(equations, "F", ["w_b@b"], given_values={"EI0": 50.0})


def test_loads_places_and_sections_that_hold_the_parameter():
    """What is not in reach of one solution is found the longer way, and the same."""
    beam = fx.EulerBernoulliBeam("b", EI=("EI", 50.0), rho=("rho", 1.2), length=("l", 1.0), internal_damping=2e-3)
    parts = fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "a*F(t)"), fx.DistributedForce(beam, "g(x)")
    equations = fx.derive(fx.Model(*parts))
    values = {"a": 2.0, "g": "l + a*x"}
    places = [fx.Motion(beam.end), beam.at("l/3"), beam.at(("s", 0.4))]
    check(equations, ["F", "g"], places, ["EI", "l", "a"], values)
    check(equations, "F", [fx.Internal(beam, 0, "moment"), fx.Motion(beam.end)], ["EI", "l"], values)
    bar, far = fx.RigidBody("p", m=("m", 2.0), I=0.1), ("r", 0.5)
    swing = fx.Model(
        fx.Revolute(fx.ground, bar.at(-0.3), name="th"), fx.TorsionSpring(fx.ground, bar, k=("k", 30.0)),
        fx.TorsionDamper(fx.ground, bar, c=1.0), fx.Force(bar.at(far), "F"),
    )  # fmt: skip
    check(fx.derive(swing), "F", [fx.Motion(bar.at(far)), "th"])
    check(fx.derive(swing), "F", [fx.Motion(bar, about="z"), fx.Motion(bar)])


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000))
def test_random_chains(seed):
    """In closed form: dy/dp = -r Z^-1 Z_p Z^-1 F with the matrices as they are written by hand."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(1, 6))
    numbers = {f"{kind}{i}": float(draw.uniform(0.5, 2.0)) * size for i in range(n)
               for kind, size in (("m", 1.0), ("k", 200.0), ("c", 3.0))}  # fmt: skip
    masses = [fx.Mass(f"b{i}", m=f"m{i}") for i in range(n)]
    parts = [fx.Slide(fx.ground, one, name=f"q{i}") for i, one in enumerate(masses)]
    links = [fx.ground, *masses]
    for i in range(n):
        parts += [fx.Spring(*links[i : i + 2], k=f"k{i}"), fx.Damper(*links[i : i + 2], c=f"c{i}")]
    model = fx.Model(*parts, fx.Force(masses[-1], "F"))
    found = fx.sensitivity(model, omega=OMEGA, load="F", output=["q0", fx.Motion(masses[-1])], values=numbers)
    rise = np.eye(n) - np.eye(n, k=-1)
    for p, omega in enumerate(OMEGA):
        s = 1j * omega
        stiff = np.diag([numbers[f"k{i}"] + s * numbers[f"c{i}"] for i in range(n)])
        Z = rise.T @ stiff @ rise + s**2 * np.diag([numbers[f"m{i}"] for i in range(n)])
        inverse = np.linalg.inv(Z)
        for name in numbers:
            unit = np.zeros((n, n))
            unit[int(name[1]), int(name[1])] = 1.0
            change = {"m": s**2 * unit, "k": rise.T @ unit @ rise, "c": s * rise.T @ unit @ rise}[name[0]]
            slope = -(inverse @ change @ inverse)[[0, -1], -1]
            assert found[name][p] == pytest.approx(slope, rel=1e-9, abs=1e-12 * np.abs(inverse).max())


def test_where_there_is_no_slope():
    mass = fx.Mass("m", m=("m", 2.0))
    free = fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=("k", 18.0)), fx.Force(mass, "F"))
    with pytest.warns(UserWarning, match="resonance"), pytest.raises(FlexuraError, match="no slope"):
        fx.sensitivity(free, omega=[3.0], load="F", output="y")
