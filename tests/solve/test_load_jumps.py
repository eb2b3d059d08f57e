"""Loads that jump along a member, standing or moving, in every verb, against series and closed forms."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.solve.discretise import motion_system
from flexura.solve.runs.inputs import read_inputs
from flexura.symbolic.engine import SPINE
from flexura.symbolic.parser import parse
from flexura.systems.signals.intervals import values

EI, RHO, L, C = 50.0, 1.2, 1.3, 0.7
PLACES = st.lists(st.floats(0.02, 1.28).map(lambda x: round(x, 4)), min_size=2, max_size=4, unique=True)
HEIGHTS = st.lists(st.integers(-3, 3), min_size=5, max_size=5)
BEAM = fx.EulerBernoulliBeam("beam", EI=EI, rho=RHO, length=L, damping=C)
ENDS = fx.Pin(fx.ground, BEAM.start), fx.Pin(fx.ground.at(L), BEAM.end)
SIMPLE = fx.derive(fx.Model(*ENDS, fx.DistributedForce(BEAM, "f(x)")))
IN_TIME = fx.derive(fx.Model(*ENDS, fx.DistributedForce(BEAM, "f(x,t)")))


def stepped(places, heights):
    """A load of linear pieces as text and as a list of (from, to, value at 0, slope)."""
    edges = [0.0, *sorted(places), L]
    pieces = [(a, b, h, 0.5 * h) for a, b, h in zip(edges, edges[1:], heights, strict=False)]
    inner = ", ".join(f"({h} + {s}*x, x < {b})" for _, b, h, s in pieces[:-1])
    return f"Piecewise({inner}, ({pieces[-1][2]} + {pieces[-1][3]}*x, True))", pieces


def modal(pieces, k):
    """int f sin(k pi x/l) dx."""
    n = k * np.pi / L
    return sum(
        (-(h + s * b) * np.cos(n * b) + (h + s * a) * np.cos(n * a)) / n + s * (np.sin(n * b) - np.sin(n * a)) / n**2
        for a, b, h, s in pieces
    )


@settings(max_examples=12, deadline=None)
@given(PLACES, HEIGHTS, st.floats(0.02, 1.28))
def test_frequency_responses_are_those_of_the_modal_series(places, heights, at):
    text, pieces = stepped(places, heights)
    k, omega = np.arange(1, 3000), np.array([0.0, 3.0, 40.0, 300.0])
    n = k * np.pi / L
    for w in omega:
        each = modal(pieces, k) * np.sin(n * at) * 2 / L / (EI * n**4 - RHO * w**2 + 1j * w * C)
        found = complex(fx.frequency_response(SIMPLE, w, "f", BEAM.at(at), values={"f": text}))
        assert abs(found - each.sum()) < (1e-9 if 0.1 < at < 1.2 else 1e-5) * np.abs(each).max() + 1e-16


@settings(max_examples=8, deadline=None)
@given(PLACES, HEIGHTS)
@example([0.9395, 0.9397], [0, 1, -2, 3, 1])  # a piece that is narrower than what would be looked for
def test_deflections_at_rest_are_in_balance(places, heights):
    text, pieces = stepped(places, heights)
    rest = fx.equilibrium(SIMPLE, values={"f": text})
    for x in (0.2, 0.61, 1.1):
        k = np.arange(1, 3000) * np.pi / L
        series = (modal(pieces, np.arange(1, 3000)) * np.sin(k * x) * 2 / L / (EI * k**4)).sum()
        assert value(rest["w_beam"], x) == pytest.approx(series, rel=1e-9, abs=1e-13)


def value(text, x):
    return float(values(parse(text, spine=True).engine, {SPINE: x}))


def test_stepped_stiffness_at_rest_and_about_it():
    beam = fx.EulerBernoulliBeam("beam", EI="Piecewise((50, x < 0.6), (20, True))", rho=RHO, length=L)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "P")))
    rest = fx.equilibrium(equations, values={"P": 2.0})
    tip = 2.0 * (((L**3 - (L - 0.6) ** 3) / 3 / 50) + (L - 0.6) ** 3 / 3 / 20)
    assert value(rest["w_beam"], L) == pytest.approx(tip, rel=1e-12)
    plain = fx.modes(fx.linearise(equations), 3).frequencies
    about = fx.linearise(equations, about=rest, values={"P": 2.0})
    assert fx.modes(about, 3).frequencies == pytest.approx(plain, rel=1e-9)


def forces(system, u):
    still = np.zeros(system.n)
    return system.evaluate(0.0, still, still, u)[1]


@settings(max_examples=4, deadline=None)
@given(PLACES, HEIGHTS)
def test_every_way_to_give_a_load_does_the_same_to_every_shape(places, heights):
    text, pieces = stepped(places, heights)
    matrices = fx.discretise(SIMPLE, values={"f": text}, order=7)
    motion = motion_system(IN_TIME, None, 7)

    def called(x, t):
        return sum(((a <= x) & (x < b)) * (h + s * x) for a, b, h, s in pieces)

    one = motion.fields["w_beam"]
    for given_as in (text, called):
        loads = read_inputs(IN_TIME, motion, {"f": given_as}, {}, np.array([0.0, 1.0]))
        found = forces(motion, loads.at(0.5)) - forces(motion, motion.rest)
        assert found == pytest.approx(matrices.F[:, 0], rel=1e-8, abs=1e-8)
    xi, w = np.polynomial.legendre.leggauss(10)
    exact = np.zeros(motion.n)
    for a, b, h, s in pieces:
        x = (a + b) / 2 + (b - a) / 2 * xi
        exact += (b - a) / 2 * (w * (h + s * x)) @ one.matrix(x, 0)[:, : motion.n]
    assert matrices.F[:, 0] == pytest.approx(exact, rel=1e-9, abs=1e-12)


def passage(t, x, half, speed, modes=6):
    """A load of unit height and width 2 half that travels along the beam: its first modes, by Duhamel's integral."""
    k = np.arange(1, modes + 1) * np.pi / L
    omega, decay = np.sqrt(EI / RHO * k**4 - (C / RHO / 2) ** 2), C / RHO / 2
    breaks = np.array([0.0, half / speed, (L - half) / speed, (L + half) / speed, 1e9])
    xi, w = np.polynomial.legendre.leggauss(900)
    found = []
    for end in t:
        total = np.zeros(modes)
        for low, high in zip(breaks, np.minimum(breaks[1:], end), strict=False):
            if high > low:
                tau = (low + high) / 2 + (high - low) / 2 * xi
                a, b = (np.clip(speed * tau + side, 0, L) for side in (-half, half))
                Q = (np.cos(np.outer(k, a)) - np.cos(np.outer(k, b))) / k[:, None]
                kernel = np.exp(-decay * (end - tau)) * np.sin(np.outer(omega, end - tau)) / omega[:, None]
                total += (high - low) / 2 * (Q * kernel) @ w
        found.append((2 / (RHO * L) * total * np.sin(k * x)).sum())
    return np.array(found)


@pytest.mark.parametrize(
    "load",
    [
        "Piecewise((1, (x - 2*t)**2 < 0.02**2), (0, True))",
        "Piecewise((1, abs(x - 2*t) < 0.02), (0, True))",
        "(sign(x - 2*t + 0.02) - sign(x - 2*t - 0.02))/2",
        lambda x, t: 1.0 * (np.abs(x - 2 * t) < 0.02),
    ],
)
def test_a_load_that_travels(load):
    t = np.linspace(0, 0.7, 8)
    run = fx.simulate(IN_TIME, t, inputs={"f": load}, order=9)
    wanted = passage(t, 0.6, 0.02, 2.0)
    assert np.abs(run.place(BEAM, 0.6) - wanted).max() < 1e-3 * np.abs(wanted).max()


def test_a_travelling_load_written_in_the_model():
    load = "Piecewise((q, (x - v*t)**2 < eps**2), (0, True))"
    equations = fx.derive(fx.Model(*ENDS, fx.DistributedForce(BEAM, load)))
    t, numbers = np.linspace(0, 0.7, 8), {"q": 1.0, "v": 2.0, "eps": 0.02}
    found = fx.simulate(equations, t, values=numbers, order=9).place(BEAM, 0.6)
    wanted = passage(t, 0.6, 0.02, 2.0)
    assert np.abs(found - wanted).max() < 1e-3 * np.abs(wanted).max()
    with pytest.raises(fx.FlexuraError, match="simulate the equations themselves"):
        fx.discretise(equations, values=numbers)


def test_narrow_smooth_loads_are_seen_too():
    text, half = "exp(-((x - 0.5)/0.004)**2)", 0.004
    k = np.arange(1, 2000) * np.pi / L
    Q = np.sqrt(np.pi) * half * np.sin(k * 0.5) * np.exp(-((k * half) ** 2) / 4)
    wanted = (Q * np.sin(k * 0.6) * 2 / L / (EI * k**4 - RHO * 9 + 3j * C)).sum()
    found = complex(fx.frequency_response(SIMPLE, 3.0, "f", BEAM.at(0.6), values={"f": text}))
    assert abs(found - wanted) < 1e-9 * abs(wanted)
    matrices = fx.discretise(SIMPLE, values={"f": text}, order=9)
    total = matrices.F[:, 0] @ np.linalg.solve(matrices.K, matrices.F[:, 0])
    assert total == pytest.approx((Q**2 * 2 / L / (EI * k**4)).sum(), rel=1e-2)


def test_a_function_whose_integrals_are_not_known_well_says_so():
    def ragged(x, t):
        return np.sin(1e5 * x)

    run = fx.simulate(IN_TIME, [0.0, 0.01], inputs={"f": ragged}, order=6)
    assert any("a function that was sampled" in note for note in run.notes)
