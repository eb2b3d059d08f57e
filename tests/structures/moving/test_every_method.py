"""Frames on moving bodies by every way to step: the same motion, the same energies, events and jumps met."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import flexura as fx

T = np.linspace(0.0, 0.7, 8)  # ten periods of the first mode
SECTION = fx.Section(E=2.8e5, G=1.2e5, rho=1.2, A=1.0, Iy=5e-2, Iz=5e-2)
IN_PARTS = "Piecewise((t**3/3, t < 0.23), (0.23**3/3 + 0.23**2*(t - 0.23) + 0.23*(t - 0.23)**2, True))"
BODIES = {
    "speeding up": fx.MovingFrame.turning("z", "2*t**2"),
    "in two parts": fx.MovingFrame.turning("z", IN_PARTS),
    "under gravity": fx.MovingFrame.turning("z", "3*t", gravity=(0, -9.81, 0)),
    "shaken": fx.MovingFrame(a0=("0", "4*sin(5*t)", "0")),
    "at rest": None,
    "steady": fx.MovingFrame(omega=(0, 0, 2.0)),
}  # fmt: skip
LOADS = {
    "text": {"v1": "3*sin(4*t)"},
    "a jump": {"v1": "Piecewise((0, t < 0.33), (5, True))"},
    "expression": {"v1": 3 * fx.sin(4 * fx.time)},
    "history": fx.FrameLoad(nodes={1: {"v": 3.0}}, history="sin(4*t)"),
    "all of them": lambda t: np.array([0.0, 3 * np.sin(4 * t), 0, 0, 0, 0]),
    "several": [{"v1": "3*sin(4*t)"}, fx.FrameLoad(nodes={1: {"w": 1.0}}, history=np.cos), {"u1": 2.0}],
}


def beam():
    return fx.BeamFrame([[0, 0, 0], [2, 0, 0]], [[0, 1]], SECTION, supports={0: "all"}, damping=(0.1, 1e-3))


def followed(body, load, **how):
    return fx.simulate(beam(), T, body=BODIES[body], loads=LOADS[load], **how)


def same(run, other, close):
    for name in ("v1", "w1", "gamma1", "v1_t"):
        size = max(np.abs(other[name]).max(), np.abs(other["v1"]).max())
        assert np.abs(run[name] - other[name]).max() < close * size, name
    scale = max(run.energy.scale, other.energy.scale)
    for entry in ("kinetic", "potential", "dissipated"):
        off = np.abs(getattr(run.energy, entry) - getattr(other.energy, entry)).max()
        assert off < 10 * close * scale, entry


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("load", ["text", "a jump"])
def test_every_method_gives_the_same_motion(body, load):
    usual = followed(body, load, tolerance=1e-7)
    for method in ("radau", "explicit"):
        run = followed(body, load, method=method)
        assert run.complete
        assert run.energy.error < 1e-8
        same(run, usual, 1e-5)
        assert set(run) == set(usual)
    assert run.place(1, "v") == pytest.approx(run["v1"])
    if body not in ("shaken", "steady"):  # where their axes point is not given
        assert run.position(1) == pytest.approx(usual.position(1), abs=1e-5)


@pytest.mark.parametrize("load", LOADS)
def test_every_load_reaches_every_method(load):
    usual = followed("speeding up", load, tolerance=1e-7)
    same(followed("speeding up", load, method="radau"), usual, 1e-5)
    same(followed("steady", load, method="radau", tolerance=1e-10), followed("steady", load), 1e-6)


def test_events_end_runs_of_frames():
    start = {"initial": {"v1": 0.01}}
    run = followed("speeding up", "text", events={"through": "v1", "low": lambda t, one: one["v1"] + 5e-3}, **start)
    assert len(run.events["through"]) > len(run.events["low"]) / 2 > 1
    short = followed("speeding up", "text", events={"through": "v1"}, stop=["through"], **start)
    assert short.stopped
    assert short.t[-1] == pytest.approx(run.events["through"][0], rel=1e-7)
    assert abs(short["v1"][-1]) < 1e-9 * np.abs(short["v1"]).max()


def test_a_static_start_stays_where_nothing_changes():
    body, load = fx.MovingFrame(omega=(0, 0, 2.0)), {"v1": 3.0}
    for how in ({}, {"method": "radau"}, {"events": {"moved": "v1 - 1e6"}}):
        run = fx.simulate(beam(), T, body=body, loads=load, initial="static", **how)
        assert np.ptp(run["v1"]) < 1e-6 * np.abs(run["v1"]).max()


def test_a_number_as_text_stiffens_like_the_number():
    along = [
        fx.simulate(beam(), T, loads={"u1": one, "v1": "sin(t)"}, initial={"v1": 0.1})["v1"] for one in (50.0, "50")
    ]
    assert np.array_equal(*along)
    held = [fx.simulate(beam(), T, loads={"u1": one}, initial={"v1": 0.1})["v1"] for one in (500.0, "500", "5*100")]
    assert np.array_equal(held[0], held[1])
    assert np.array_equal(held[0], held[2])
    assert np.abs(held[0] - fx.simulate(beam(), T, initial={"v1": 0.1})["v1"]).max() > 1e-4  # it does stiffen


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"method": "exact"}, "method='exact' is for matrices that do not change, and the motion of this frame's body"),
        ({"method": "trapezoidal"}, "method='trapezoidal' is for matrices that do not change"),
        ({"method": "radau", "coefficients": "frozen"}, "coefficients='frozen' is stepped by generalized-alpha"),
        ({"events": {"e": "v7"}}, "The event e holds 'v7', which is not known; there are u1, v1"),
        ({"inputs": {"v1": 1.0}}, "inputs and loads are the same of a frame or a mechanism; give one of them"),
    ],
)
def test_what_cannot_be_is_told(how, sentence):
    with pytest.raises(fx.FlexuraError) as told:
        followed("speeding up", "text", **how)
    assert sentence in str(told.value)


def test_inputs_are_another_word_for_loads():
    both = [fx.simulate(beam(), T, **{word: LOADS["text"]})["v1"] for word in ("inputs", "loads")]
    assert np.array_equal(*both)


def test_large_frames_have_no_dense_steps():
    frame = beam().refined(128)
    with pytest.raises(fx.FlexuraError, match=r"has 768 unknowns, .* up to 600; reduce it with fx\.reduce"):
        fx.simulate(frame, T, body=BODIES["speeding up"], method="radau")


@pytest.mark.parametrize("body", ["speeding up", "steady"])
def test_runs_are_pickled(body):
    run = followed(body, "all of them", method="radau")
    again = pickle.loads(pickle.dumps(run))
    assert np.array_equal(again["v1_tt"], run["v1_tt"])
    assert np.array_equal(again.place(1, "v"), run["v1"])


def test_longest_steps_and_named_breaks_reach_frames():
    hidden = {"v1": lambda t: 1e4 if 0.3001 < t < 0.30011 else 0.0}
    missed = fx.simulate(beam(), T, body=BODIES["speeding up"], loads=hidden)
    found = fx.simulate(beam(), T, body=BODIES["speeding up"], loads=hidden, breaks=[0.3001, 0.30011], tolerance=1e-7)
    other = fx.simulate(beam(), T, body=BODIES["speeding up"], loads=hidden, breaks=[0.3001, 0.30011], method="radau")
    assert any("may go unseen; name its times in breaks=" in note for note in missed.notes)
    assert np.abs(found["v1"] - other["v1"]).max() < 1e-5 * np.abs(other["v1"]).max()
    assert np.abs(found["v1"] - missed["v1"]).max() > 1e-3 * np.abs(other["v1"]).max()
    few = fx.simulate(beam(), [0.0, 2.0], body=BODIES["speeding up"], step=1.0)
    many = fx.simulate(beam(), [0.0, 2.0], body=BODIES["speeding up"], step=1.0, longest_step=0.1)
    steps = [int(run.notes[0].split()[0]) for run in (few, many)]
    assert steps[1] >= 20 > steps[0]


def test_a_mechanism_by_every_method():
    """A crank and a rod that bend, with a load that jumps: masses, gyroscopic terms and loads change as they turn."""
    soft = fx.Section(E=2e8, G=8e7, rho=2000.0, A=1e-3, Iy=1e-7, Iz=1e-7)
    crank = fx.BeamFrame([[0, 0, 0], [0.1, 0, 0]], [[0, 1]], soft, supports={0: "all"}, damping=(1.0, 1e-4))
    rod = fx.BeamFrame([[0, 0, 0], [0.3, 0, 0]], [[0, 1]], soft)
    joints = [fx.Joint(("crank", 1), ("rod", 0)), fx.Joint(("rod", 1), along="x")]
    mechanism = fx.Mechanism(fx.slider_crank(0.1, 0.3, "8*t"), {"crank": crank, "rod": rod}, joints)
    t, loads = np.linspace(0, 0.016, 9), {"crank": {"v1": "Piecewise((0, t < 0.0123), (0.2, True))"}}
    usual = fx.simulate(mechanism, t, loads=loads, tolerance=1e-7, geometric=False)
    for method, end in (("radau", 9), ("explicit", 3)):
        run = fx.simulate(mechanism, t[:end], loads=loads, method=method, geometric=False)
        assert run.complete
        assert run.energy.error < 1e-8
        for member, name in (("crank", "v1"), ("rod", "v0"), ("rod", "gamma1_t")):
            wanted = usual[member][name][:end]
            assert np.abs(run[member][name] - wanted).max() < 1e-5 * np.abs(wanted).max()
        assert run["rod"].position(0) == pytest.approx(run["crank"].position(1), abs=1e-12)
        off = np.abs(run.energy.supplied - usual.energy.supplied[:end]).max()
        assert off < 1e-5 * usual.energy.scale
    with pytest.raises(fx.FlexuraError, match="takes not the method 'exact'; leave that out"):
        fx.simulate(mechanism, t, method="exact")
    with pytest.raises(fx.FlexuraError, match="coefficients='frozen' is stepped by generalized-alpha"):
        fx.simulate(mechanism, t, method="radau", coefficients="frozen")
