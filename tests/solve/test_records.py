"""Records and functions as inputs of prescribed motions, held against text, direct integration and closed forms."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

import flexura as fx

T = np.linspace(0, 2, 201)


def shaken_oscillator(k=50.0, c=1.5):
    base, mass = fx.RigidBody("base", m=1.0, I=0), fx.Mass("mass", m=2.0)
    return (
        fx.derive(
            fx.Model(
                fx.Slide(fx.ground, base, name="z", motion="zg(t)"),
                fx.Slide(fx.ground, mass, name="y"),
                fx.Spring(base, mass, k=k),
                fx.Damper(base, mass, c=c),
            )
        ),
        mass,
        base,
    )


def test_records_functions_and_text_move_alike():
    equations, mass, _ = shaken_oscillator()
    wanted = fx.simulate(equations, T, inputs={"zg": "0.05*sin(3*t)**2"})
    z = 0.05 * np.sin(3 * T) ** 2
    for inputs in ({"zg": z}, {"z": z}, {"zg": (T, z)}, {"zg": (0.01, z)}):
        run = fx.simulate(equations, T, inputs=inputs)
        assert np.abs(run["y"] - wanted["y"]).max() < 1e-8  # of a spline through points 0.01 s apart
        assert np.abs(run["zg"] - z).max() < 1e-13
        assert np.abs(run["z_t"] - wanted["z_t"]).max() < 1e-5  # at the ends of the spline
        assert any("cubic spline through its 201 points" in note for note in run.notes)
    run = fx.simulate(equations, T, inputs={"zg": lambda t: 0.05 * np.sin(3 * t) ** 2})
    for name in ("y", "y_tt", "z", "z_t", "z_tt", "zg_tt", "Q_z"):
        assert np.abs(run[name] - wanted[name]).max() < 1e-9 * np.abs(wanted[name]).max(), name
    assert np.abs(run.position(mass) - wanted.position(mass)).max() < 1e-11
    assert np.abs(pickle.loads(pickle.dumps(fx.simulate(equations, T, inputs={"zg": z})))["zg"] - z).max() < 1e-13


@given(seed=st.integers(0, 10**6), k=st.floats(10, 500), c=st.floats(0.01, 5))
@settings(max_examples=6, deadline=None)
def test_the_peak_during_an_earthquake_is_that_of_the_response_spectrum(seed, k, c):
    a = np.random.default_rng(seed).normal(size=len(T))
    equations, _, _ = shaken_oscillator(k, c)
    times = np.linspace(0, 2, 2001)
    run = fx.simulate(equations, times, inputs={"zg_tt": (T, a)})
    omega = np.sqrt(k / 2)
    peak = fx.response_spectrum((T, a), [omega], c / (4 * omega))[0]
    assert np.abs(run["y"] - run["z"]).max() == pytest.approx(peak, rel=1e-4)  # the peak lies between the times
    assert np.abs(run["zg_tt"] - np.interp(times, T, a)).max() < 1e-9
    assert run.energy.error < 1e-8


def test_a_pendulum_on_a_pivot_that_follows_a_record():
    pivot, link = fx.RigidBody("pivot", m=1.0, I=0), fx.RigidBody("link", m=2.0, I=0.1)
    equations = fx.derive(
        fx.Model(
            fx.Slide(fx.ground, pivot, along="x", name="x", motion="xg(t)"),
            fx.Revolute(pivot, link.at(0, 0.5), name="theta"),
            fx.Gravity(),
        )
    )
    record = 0.2 * np.sin(4 * T[::4]) ** 2
    curve = CubicSpline(T[::4], record)

    def rates(t, y):
        return [y[1], -(2 * 9.81 * 0.5 * np.sin(y[0]) + np.cos(y[0]) * curve(t, 2)) / (0.1 + 2 * 0.25)]

    run = fx.simulate(equations, T[::4], initial={"theta": 1.0}, inputs={"xg": record})
    direct = [np.array([1.0, 0.0])]
    for start, end in pairwise(T[::4]):  # a derivative of the spline jumps at its points
        direct.append(solve_ivp(rates, (start, end), direct[-1], rtol=1e-11, atol=1e-13).y[:, -1])
    assert np.abs(np.array(direct)[:, 0] - run["theta"]).max() < 3e-9
    assert np.abs(run.position(link)[:, 0] - record - 0.5 * np.sin(run["theta"])).max() < 1e-13


def test_a_member_on_a_foot_that_follows_a_record():
    foot, tip = fx.RigidBody("foot", m=1.0, I=0), fx.Mass("tip", 0.3)
    beam = fx.EulerBernoulliBeam("beam", EI=5.0, rho=1.2, length=1.0)
    equations = fx.derive(
        fx.Model(
            fx.Slide(fx.ground, foot, name="z", motion="zg(t)"), fx.Fixed(foot, beam.start), fx.Fixed(beam.end, tip)
        )
    )
    run = fx.simulate(equations, T[::10], inputs={"zg": lambda t: 0.1 * np.sin(2 * t) ** 2})
    text = fx.simulate(equations, T[::10], inputs={"zg": "0.1*sin(2*t)**2"})
    for output in (fx.Motion(tip), fx.Internal(beam, 0, "moment"), fx.Reaction("z", along="y")):
        assert np.abs(run[output] - text[output]).max() < 1e-6 * np.abs(text[output]).max()


def test_loads_take_records_with_their_times():
    mass = fx.Mass("mass", m=2.0)
    equations = fx.derive(
        fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, 9.0), fx.Force(mass, "F"))
    )
    F = np.cos(5 * T)
    wanted = fx.simulate(equations, T, inputs={"F": F})["y"]
    for given_ in ((T, F), (0.01, F)):
        assert np.abs(fx.simulate(equations, T[::7], inputs={"F": given_})["y"] - wanted[::7]).max() < 1e-12


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        ({"zg": np.zeros(7)}, "has the shape"),
        ({"zg": (T[:9], T[:9])}, "lengthen it"),
        ({"zg": T, "zg_tt": T}, "given by"),
        ({"zg": lambda t: 0.1 * (t > 1)}, "jumps"),
        ({"zg": np.where(T > 1, np.nan, 0)}, "finite"),
        ({"zg": (T[::-1], T)}, "increase"),
    ],
)
def test_records_that_cannot_be_followed_are_refused(inputs, sentence):
    with pytest.raises(fx.FlexuraError, match=sentence):
        fx.simulate(shaken_oscillator()[0], T, inputs=inputs)


def test_a_motion_that_nothing_gives_is_zero_and_told():
    run = fx.simulate(shaken_oscillator()[0], T, initial={"y": 0.1})
    assert not run["z"].any()
    assert any("No input was given for zg: zero." in note for note in run.notes)


def test_contacts_ask_for_text():
    base, mass = fx.RigidBody("base", m=1.0, I=0), fx.Mass("mass", m=2.0)
    model = fx.Model(
        fx.Slide(fx.ground, base, motion="zg(t)"), fx.Slide(fx.ground, mass), fx.Friction(base, mass, force=0.5)
    )
    with pytest.raises(fx.FlexuraError, match="as text in t"):
        fx.simulate(model, T, inputs={"zg": 0.1 * T})


def test_steps_and_ramps_are_words_of_the_grammar():
    mass = fx.Mass("mass", m=2.0)
    model = fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, 18.0), fx.Force(mass, "F"))
    equations, since = fx.derive(model), np.maximum(T - 0.5, 0)
    for force in ("2*step(t - 0.5)", 2 * fx.step(fx.time - 0.5)):
        run = fx.simulate(equations, T, inputs={"F": force})
        assert run["y"] == pytest.approx((1 - np.cos(3 * since)) / 9, abs=1e-12)
    run = fx.simulate(equations, T, inputs={"F": "ramp(t - 0.5)"})
    assert run["y"] == pytest.approx((since - np.sin(3 * since) / 3) / 18, abs=1e-12)
    with pytest.raises(fx.FlexuraError, match="a load may hold one"):
        fx.simulate(equations, T, inputs={"F": "delta(t)"})
