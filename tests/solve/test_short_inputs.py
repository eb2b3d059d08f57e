"""Inputs far shorter than a run: however they are given, and whatever steps, they are met."""

import math
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import flexura as fx
from flexura.systems.signals.scales import look

M, K, SPAN = 2.0, 8.0, 10.0
W = math.sqrt(K / M)
T = np.linspace(0, SPAN, 11)
MASS = fx.Mass("mass", m=M)
SLIDE = fx.Slide(fx.ground, MASS, name="q")
LINEAR = fx.derive(fx.Model(SLIDE, fx.Spring(fx.ground, MASS, k=K), fx.Force(MASS, "F")))
BENT = fx.derive(
    fx.Model(SLIDE, fx.Spring(fx.ground.at(1.0), MASS, k=K, along="line", free_length=0.7), fx.Force(MASS, "F"))
)
DAMPER = fx.Damper(fx.ground, MASS, c=0.3)
DAMPED = fx.derive(fx.Model(SLIDE, fx.Spring(fx.ground, MASS, k=K), fx.Force(MASS, "F"), DAMPER))
BENT_DAMPED = fx.derive(
    fx.Model(SLIDE, fx.Spring(fx.ground.at(1.0), MASS, k=K, along="line", free_length=0.7), fx.Force(MASS, "F"), DAMPER)
)
WIDTHS = st.floats(-4.5, -2.0).map(lambda e: 10.0**e)
PLACES = st.floats(0.5, 9.0)


def after_rectangle(t, a, b):
    """Rest, a unit force from a to b, and what follows."""

    def since(start):
        return np.where(t > start, 1 - np.cos(W * np.maximum(t - start, 0.0)), 0.0)

    return (since(a) - since(b)) / K


def after_bell(t, middle, width):
    """The same of exp(-((t - middle)/width)^2), at times that are not within it."""
    size = width * math.sqrt(math.pi) * math.exp(-((W * width) ** 2) / 4) / (M * W)
    return np.where(t > middle, size * np.sin(W * (t - middle)), 0.0)


def rectangle(kind, a, width):
    b = a + width
    if kind == "conditions":
        return f"Piecewise((0, t < {a}), (1, t < {b}), (0, True))"
    if kind == "distance":
        return f"Piecewise((1, abs(t - {a + width / 2}) < {width / 2}), (0, True))"
    return lambda t: 1.0 if a < t < b else 0.0


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(["conditions", "distance", "function"]), PLACES, WIDTHS, st.sampled_from([None, "explicit"]))
def test_rectangles(kind, a, width, method):
    if kind == "function":
        width = max(width, 1.3e-3)  # a function is looked at every 0.6 ms
    run = fx.simulate(LINEAR, T, inputs={"F": rectangle(kind, a, width)}, method=method)
    wanted = after_rectangle(T, a, a + width)
    assert np.abs(run["q"] - wanted).max() < 1e-6 * np.abs(wanted).max()


@settings(max_examples=16, deadline=None)
@given(st.booleans(), PLACES, WIDTHS, st.sampled_from([None, "explicit", "radau"]))
def test_bells(as_text, middle, width, method):
    if as_text:
        load = f"exp(-((t - {middle})/{width})**2)"
    else:
        width = max(width, 5e-4)

        def load(t):
            return math.exp(-(((t - middle) / width) ** 2))

    run = fx.simulate(LINEAR, T, inputs={"F": load}, method=method)
    far = np.abs(T - middle) > 6 * width
    wanted = after_bell(T, middle, width)
    assert np.abs(run["q"] - wanted)[far].max() < 1e-5 * np.abs(wanted).max()
    assert run.energy.error < 1e-7


def test_arrays_are_met_at_each_of_their_points():
    t = np.linspace(0, SPAN, 10001)
    load = np.where((t > 4.0005) & (t < 4.0035), 1.0, 0.0)
    for equations in (LINEAR, BENT):
        run = fx.simulate(equations, t, inputs={"F": load}, tolerance=1e-7)
        assert run["q_t"][4010] == pytest.approx(3e-3 / M, rel=1e-3)  # its impulse over the mass


@settings(max_examples=8, deadline=None)
@given(PLACES, WIDTHS, st.sampled_from(["bell", "rectangle", "step"]), st.sampled_from([None, "radau"]))
def test_nonlinear_systems_against_another_program(middle, width, kind, method):
    size = 0.4 / width
    text, function = {
        "bell": (f"exp(-((t - {middle})/{width})**2)", lambda t: math.exp(-(((t - middle) / width) ** 2))),
        "rectangle": (rectangle("distance", middle - width, 2 * width), lambda t: float(abs(t - middle) < width)),
        "step": (
            f"(tanh((t - {middle})/{width}) + 1)*{width}/2",
            lambda t: (math.tanh((t - middle) / width) + 1) * width / 2,
        ),
    }[kind]
    run = fx.simulate(BENT, T, inputs={"F": f"{size}*({text})"}, method=method)

    def rates(t, y):
        length = math.hypot(1.0, y[0])
        return [y[1], (size * function(t) - K * (length - 0.7) * y[0] / length) / M]

    y, t, found = np.zeros(2), 0.0, [0.0]
    edges = [0.0, middle - 7 * width, middle - width, middle + width, middle + 7 * width, SPAN]
    for a, b in pairwise(edges):
        solved = solve_ivp(rates, (a, b), y, "DOP853", rtol=1e-11, atol=1e-13, dense_output=True)
        inside = T[(a < T) & (b >= T)]
        found += solved.sol(inside)[0].tolist() if len(inside) else []
        y, t = solved.y[:, -1], b
    assert t == SPAN
    assert np.abs(run["q"] - found).max() < 1e-5 * np.abs(found).max()


def test_given_motions_and_loads_in_the_model_are_met_too():
    cart = fx.Mass("cart", m=1.0)
    mass = fx.Mass("mass", m=M)
    bell = "a*exp(-((t - 5)/0.002)**2)"
    model = fx.Model(
        fx.Slide(fx.ground, cart, name="x", motion=bell), fx.Slide(cart, mass, name="q"), fx.Spring(cart, mass, k=K)
    )
    run = fx.simulate(fx.derive(model), T, values={"a": 1e-3})
    wanted = 1e-3 * K * after_bell(T, 5.0, 0.002)
    assert np.abs(run["q"] - wanted)[T != 5].max() < 1e-4 * np.abs(wanted).max()
    loaded = fx.derive(fx.Model(SLIDE, fx.Spring(fx.ground, MASS, k=K), fx.Force(MASS, bell)))
    run = fx.simulate(loaded, T, values={"a": 1.0})
    wanted = after_bell(T, 5.0, 0.002)
    assert np.abs(run["q"] - wanted)[T != 5].max() < 1e-5 * np.abs(wanted).max()


def test_what_a_function_may_hide_is_said_and_the_advice_helps():
    def needle(t):
        return 1e5 if 4.00021 < t < 4.00022 else 0.0

    blind = fx.simulate(LINEAR, T, inputs={"F": needle})
    assert any("was looked at every 0.00061 s" in note and "breaks=" in note for note in blind.notes)
    assert not blind["q"].any()
    wanted = 1e5 * after_rectangle(T, 4.00021, 4.00022)
    declared = fx.simulate(LINEAR, T, inputs={"F": needle}, breaks=[4.00021, 4.00022])
    assert np.abs(declared["q"] - wanted).max() < 1e-6 * np.abs(wanted).max()
    short = fx.simulate(LINEAR, [3.999, 4.001], inputs={"F": needle}, longest_step=4e-6, method="explicit")
    assert short["q_t"][-1] == pytest.approx(1e5 * 1e-5 / M, rel=1e-3)


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(["rectangle", "bell"]), PLACES, st.floats(-3.5, -1.5).map(lambda e: 10.0**e), st.booleans())
def test_inputs_that_see_the_motion_are_met_too(kind, middle, width, bent):
    """A pulse that comes with time is found however the function is given; the note says what cannot be foreseen."""
    if kind == "rectangle":
        width = max(width, 5.2e-3)  # it is looked at every 2.4 ms

    def pulse(t):
        if kind == "rectangle":
            return float(abs(t - middle) < width / 2) / width
        return math.exp(-(((t - middle) / width) ** 2)) / width

    run = fx.simulate(BENT if bent else LINEAR, T, inputs={"F": lambda t, run: pulse(t) - 0.3 * run["q_t"]})
    same = fx.simulate(BENT_DAMPED if bent else DAMPED, T, inputs={"F": pulse})
    assert np.abs(same["q"]).max() > 0.01
    assert np.abs(run["q"] - same["q"]).max() < 1e-5 * np.abs(same["q"]).max()
    assert any("sees the motion" in note and "breaks=" in note for note in run.notes)


def test_what_shows_only_between_looks_takes_no_more_of_them():
    """The size of a narrow bell is seen while it is looked at more closely: its tails are not rough beside it."""
    seen = look(lambda t: 1e4 * np.exp(-(((t - 3.7712) / 2e-4) ** 2))[:, None], 0.0, SPAN, 4**6)
    assert len(seen.edges) < 300
    assert not seen.jumps
    assert np.abs(seen.edges - 3.7712).min() < 1e-5


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ({"breaks": ["soon"]}, "give times at which inputs change suddenly"),
        ({"breaks": [np.nan]}, "give times at which inputs change suddenly"),
        ({"longest_step": 0}, "give a length of time above 0"),
        ({"longest_step": "1 s"}, "give a length of time above 0"),
    ],
)
def test_wrong_options_are_refused(option, sentence):
    with pytest.raises(fx.FlexuraError, match=sentence):
        fx.simulate(LINEAR, T, inputs={"F": 1.0}, **option)


@pytest.mark.parametrize("load", ["conditions", "function", "bell"])
def test_matrices_meet_short_inputs(load):
    system = fx.SecondOrderSystem([[M]], None, [[K]], F=[[1.0]])
    given_as = "exp(-((t - 4)/0.003)**2)" if load == "bell" else rectangle(load, 4.0, 0.003)
    wanted = after_bell(T, 4.0, 0.003) if load == "bell" else after_rectangle(T, 4.0, 4.003)
    far = np.abs(T - 4) > 0.1
    found = fx.simulate(system, T, inputs={"F": given_as})["x0"]
    assert np.abs(found - wanted)[far].max() < 1e-8 * np.abs(wanted).max()
    assert np.abs(fx.simulate(system, [0, SPAN], inputs={"F": given_as})["x0"][-1] - wanted[-1]) < 1e-9
    stepped = fx.simulate(system, T, inputs={"F": given_as}, method="trapezoidal")
    notes = [one for one in stepped.notes if "faster than the steps follow" in one]
    assert bool(notes) == (load == "bell")  # where a load jumps, steps end
    step = float(re.search(r"give step=([\d.e-]+)\.", notes[0])[1]) if notes else 0.01
    finer = fx.simulate(system, T, inputs={"F": given_as}, method="trapezoidal", step=step)
    assert np.abs(finer["x0"] - wanted)[far].max() < (0.1 if notes else 1e-3) * np.abs(wanted).max()


def test_pulses_whose_ends_are_rounded_otherwise_than_their_breaks_are_followed():
    """A pulse-width modulated force, as users write it: its ends and the breaks differ in their last digit."""
    edges = np.sort(np.concatenate([np.arange(20) * 0.01, np.arange(20) * 0.01 + 0.003]))
    t = np.linspace(0, 0.2, 5)
    runs = [
        fx.simulate(BENT, t, inputs={"F": force}, breaks=edges[1:])
        for force in (
            lambda t: np.where(np.asarray(t) % 0.01 < 0.003, 40.0, 0.0),
            lambda t: np.where(np.searchsorted(edges, np.asarray(t), side="right") % 2 == 1, 40.0, 0.0),
        )
    ]
    assert all(run.complete for run in runs)
    np.testing.assert_allclose(runs[0]["q"], runs[1]["q"], atol=1e-9)
    assert runs[0].energy.error < 1e-8
