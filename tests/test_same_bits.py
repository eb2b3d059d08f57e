"""Identical calls give identical bits: whatever is on disk, whatever was asked before, alone or in threads."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import flexura as fx

T = np.linspace(0, 0.6, 31)


def hub_arm():
    hub, arm = fx.RigidBody("hub", m=0, I=0.3), fx.EulerBernoulliBeam("arm", EI=20.0, rho=0.5, length=1.0, field="w")
    return fx.derive(fx.Model(fx.Revolute(fx.ground, hub, name="q"), fx.Fixed(hub, arm.start), fx.Torque(hub, "tau")))


def links():
    parts, last = [], fx.ground
    for i in range(2):
        body = fx.RigidBody(f"b{i}", m=0.1, I=0.01)
        link = fx.EulerBernoulliBeam(f"l{i}", EI=100.0, rho=0.4, length=0.3, field=f"w{i}" if i else "w")
        parts += [fx.Revolute(last, body, name=f"q{i}" if i else "q"), fx.Fixed(body, link.start)]
        last = link.end
    return fx.derive(fx.Model(parts, fx.Gravity(9.81), fx.Torque(parts[0].q.body, "tau")))


def pendulum():
    q, w = fx.Coordinate("q"), fx.Coordinate("w")
    T, V = q.t**2 + (q.t + w.t) ** 2 + q.t * w.t * fx.cos(q - w) / 4, -fx.cos(q) - fx.cos(q + w)
    return fx.derive(fx.Lagrangian(kinetic=T, potential=V, work={q: fx.Parameter("tau")}))


def bits(run):
    return [
        run.t.tobytes(),
        *(np.asarray(run[name]).tobytes() for name in run if name != "tau"),
        run.energy.total.tobytes(),
    ]


def followed(equations, **options):
    given = {"inputs": {"tau": "0.7*cos(5*t)"}} if "tau" in equations.lagrangian.inputs else {"values": {"tau": 0.7}}
    if equations.fields:
        options |= {"order": 3}
    return bits(fx.simulate(equations, T, {"q": -0.3}, **given, tolerance=1e-6, progress=False, **options))


@pytest.mark.parametrize("make", [hub_arm, links, pendulum])
def test_a_run_does_not_know_the_disk_the_past_or_the_clock(make, tmp_path, monkeypatch):
    monkeypatch.setenv("FLEXURA_CACHE", "off")
    equations = make()
    first = followed(equations)
    assert followed(equations) == first
    monkeypatch.setenv("FLEXURA_CACHE", str(tmp_path / "programs"))
    assert followed(make()) == first  # fills it
    assert followed(make()) == first  # reads it
    ticks = iter(np.cumsum(np.full(10**6, 0.3)).tolist())
    monkeypatch.setattr(time, "perf_counter", lambda: next(ticks))  # a machine that is always busy
    assert followed(make()) == first


@pytest.mark.parametrize("make", [hub_arm, links])
def test_a_system_gives_the_same_run_again(make):
    equations = make()
    system = fx.discretise(equations, order=3)

    def run():
        return bits(fx.simulate(system, T, {"q": -0.3}, {"tau": "0.7*cos(5*t)"}, tolerance=1e-6, progress=False))

    first = run()
    assert run() == first
    for _ in range(300):
        system.evaluate(0.0, np.zeros(system.n), np.zeros(system.n), system.rest)
    assert run() == first


def test_threads_do_not_disturb_one_another():
    equations = [hub_arm(), links(), pendulum()]
    alone = [followed(one) for one in equations]
    system = fx.discretise(equations[0], order=3)
    start = threading.Barrier(4)

    def together(k):
        start.wait()
        return followed(equations[k % 3])

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(together, range(4)))
    assert found == [alone[k % 3] for k in range(4)]
    states = [np.full(system.n, 0.01 * k) for k in range(4)]

    def evaluated(q):
        return [one.tobytes() for _ in range(20) for one in system.anew().evaluate(0.0, q, q, system.rest)]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(evaluated, states)) == [evaluated(q) for q in states]


def test_modes_do_not_know_what_was_asked_before():
    beam = fx.EulerBernoulliBeam("b", EI=50.0, rho=1.2, length=1.3)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Damper(fx.ground, beam.end, c=0.4)))
    for options in ({}, {"method": "ritz"}):
        first = fx.modes(equations, 4, **options).eigenvalues.tobytes()
        fx.modes(equations, 7, **options)
        with ThreadPoolExecutor(2) as pool:
            found = [pool.submit(fx.modes, equations, 4, **options) for _ in range(2)]
        assert [one.result().eigenvalues.tobytes() for one in found] == [first] * 2
