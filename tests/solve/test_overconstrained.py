"""Loops with more conditions than count: mobility, motion and reactions of overconstrained mechanisms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexura as fx

X, Y, Z = np.eye(3)


def body(name, inertia=(0.1, 0.2, 0.25)):
    return fx.RigidBody(name, m=1.0, I=inertia)


def rod(name, along):
    """A rod of length and mass 1, 0.1 square."""
    return fx.RigidBody(name, m=1.0, I=tuple((1 - abs(along)) * 1.01 / 12 + abs(along) * 0.02 / 12))


def bricard():
    """Five rods and ground, six revolutes, each square to both of its rods (IFToMM benchmark A04)."""
    points = [np.array(p, float) for p in ((0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1))]
    rods = [rod(f"rod{i}", points[i + 1] - points[i]) for i in range(5)]

    def at(i, point):
        return rods[i].at(*(point - (points[i] + points[i + 1]) / 2))

    axes = ["y", "z", "x", "y", "z", "x"]
    first = fx.Revolute(fx.ground.at(*points[0]), at(0, points[0]), about=axes[0], name="q0")
    inner = [
        fx.Revolute(at(i, points[i + 1]), at(i + 1, points[i + 1]), about=axes[i + 1], name=f"q{i + 1}")
        for i in range(4)
    ]
    last = fx.Revolute(at(4, points[5]), fx.ground.at(*points[5]), about=axes[5], name="q5")
    return fx.Model(first, *inner, last, fx.Gravity(9.81, along="-y")), at(2, points[3])


def test_bricards_mechanism_moves_as_the_benchmark_says():
    """P3 at 1 s, by the library of benchmarks; energy to 1e-8."""
    model, third = bricard()
    run = fx.simulate(fx.derive(model), [0.0, 0.5, 1.0], tolerance=1e-9)
    np.testing.assert_allclose(run.position(third)[-1], (0.5105, -1.6492, 0.1401), atol=1e-4)
    assert run.energy.error < 1e-8
    assert any("mobility 1" in note and "least norm" in note for note in run.notes)


def turntable(*closing):
    table, crank, coupler, rocker = (body(name) for name in ("table", "crank", "coupler", "rocker"))
    joints = (
        fx.Revolute(fx.ground, table, about="z", name="phi"),
        fx.Revolute(table.at(0, 0, 0), crank.at(0, -0.5, 0), about="x", name="a"),
        fx.Revolute(crank.at(0, 0.5, 0), coupler.at(0, 0, -1), about="x", name="b"),
        fx.Revolute(table.at(0, 0, 2), rocker.at(0, -0.5, 0), about="x", name="c"),
    )
    last = fx.Revolute(coupler.at(0, 0, 1), rocker.at(0, 0.5, 0), about="x", name="d")
    return fx.derive(fx.Model(*joints, *(closing or (last,)), fx.Gravity(along="-z")))


def test_a_four_bar_on_a_turntable():
    """A parallelogram: against the same without its last joint, geared so that the coupler stays upright."""
    loop = turntable()
    tied = turntable(fx.Gear("b", "a", -1), fx.Gear("c", "a", 1))
    t, start = np.linspace(0, 1.5, 16), {"a": 0.3, "phi_t": 1.0, "a_t": 0.5}
    runs = [fx.simulate(one, t, initial=start, tolerance=1e-9) for one in (loop, tied)]
    for name in ("phi", "a", "b", "c"):
        np.testing.assert_allclose(runs[0][name], runs[1][name], atol=1e-6)
    assert any("mobility 2" in note for note in runs[0].notes)


def test_three_cranks_under_one_platform():
    """Parallel cranks: two would do; against a platform that is carried around by one, without turning."""
    feet = [(0.0, 0.0), (1.0, 0.0), (0.4, 0.8)]
    cranks, platform = [body(f"crank{i}") for i in range(3)], body("platform")
    joints = [
        fx.Revolute(fx.ground.at(*at), one.at(0, -0.5), name=f"q{i}")
        for i, (at, one) in enumerate(zip(feet, cranks, strict=True))
    ]
    tops = [
        fx.Revolute(one.at(0, 0.5), platform.at(*at), name=f"p{i}")
        for i, (at, one) in enumerate(zip(feet, cranks, strict=True))
    ]
    equations = fx.derive(fx.Model(*joints, *tops, fx.Gravity()))
    run = fx.simulate(equations, np.linspace(0, 1, 11), initial={"q0": 0.4}, tolerance=1e-9)
    # one coordinate: 3 (I + m/4) + m_p on a circle of radius 1, weights at 1/2 and 1
    inertia, arm = 3 * (0.25 + 0.25) + 1.0, 3 * 0.5 + 1.0

    true = solve_ivp(
        lambda _, y: [y[1], 9.81 * arm / inertia * np.sin(y[0])],
        (0, 1),
        [0.4, 0.0],
        t_eval=run.t,
        rtol=1e-10,
        atol=1e-12,
    )
    for name in ("q0", "q1", "q2"):
        np.testing.assert_allclose(run[name], true.y[0], atol=1e-6)
    assert any("mobility 1" in note for note in run.notes)


def test_a_singular_start_is_told_from_conditions_that_repeat():
    """A parallelogram laid flat may fold two ways: beside that position all conditions count."""
    crank, coupler, rocker = (body(name) for name in ("crank", "coupler", "rocker"))
    model = fx.Model(
        fx.Revolute(fx.ground.at(0, 0), crank.at(-0.5, 0), name="a"),
        fx.Revolute(crank.at(0.5, 0), coupler.at(-1, 0), name="b"),
        fx.Revolute(fx.ground.at(2, 0), rocker.at(-0.5, 0), name="c"),
        fx.Revolute(coupler.at(1, 0), rocker.at(0.5, 0), name="d"),
    )
    with pytest.raises(fx.FlexuraError, match="start away from this position"):
        fx.simulate(fx.derive(model), [0.0, 0.1], initial={"a_t": 1.0})


def test_a_four_bar_passes_the_positions_in_which_it_is_flat() -> None:
    """IFToMM benchmark A02 with one loop; conditions become dependent in passing. It turns with inertia 5/3."""
    bars = [fx.RigidBody(name, 1.0, 1 / 12) for name in ("left", "top", "right")]
    model = fx.Model(
        fx.Revolute(fx.ground, bars[0].at(0, -0.5), name="a"),
        fx.Revolute(bars[0].at(0, 0.5), bars[1].at(-0.5, 0), name="b"),
        fx.Revolute(bars[1].at(0.5, 0), bars[2].at(0, 0.5), name="c"),
        fx.Revolute(fx.ground.at(1, 0), bars[2].at(0, -0.5), name="d"),
        fx.Gravity(9.81),
    )
    run = fx.simulate(fx.derive(model), np.linspace(0, 1.5, 7), initial={"a_t": -2.0})
    true = solve_ivp(
        lambda _, y: [y[1], 2 * 9.81 / (5 / 3) * np.sin(y[0])],
        (0, 1.5),
        [0.0, -2.0],
        t_eval=run.t,
        rtol=1e-10,
        atol=1e-12,
    )
    assert run["a"][-1] < -1.5 * np.pi
    np.testing.assert_allclose(run["a"], true.y[0], atol=1e-6)
    np.testing.assert_allclose(run["b"], -run["a"], atol=1e-6)  # the top stays level: no branch is changed
