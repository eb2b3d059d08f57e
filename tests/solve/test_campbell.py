"""Campbell charts: published speeds, crossings, instability, equilibria that change with the speed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.gallery import example
from flexura.gallery.values import values as example_values
from hunt.branches import branches
from hunt.trial import run


def flapping(about: str = "y") -> fx.Equations:
    hub = fx.RigidBody("hub", m=0, I=1.0)
    blade = fx.EulerBernoulliBeam("blade", EI=1.0, rho=1.0, length=1.0, field="w")
    turn = fx.Revolute(fx.ground, hub, about=about, name="theta", motion="Omega*t")
    return fx.derive(fx.Model(turn, fx.Fixed(hub, blade.start)))


def test_a_rotating_cantilever_as_published() -> None:
    """Wright, Smith, Thresher and Wang (1982): flapping of a uniform cantilever, hub radius 0."""
    chart = fx.campbell(flapping(), "Omega", [0, 1, 2, 6, 12], count=2)
    published = [[3.5160, 22.0345], [3.6816, 22.1810], [4.1373, 22.6149], [7.3604, 26.8091], [13.1702, 37.6031]]
    assert np.allclose(chart.frequencies, published, atol=6e-5)
    assert chart.speed
    assert not chart.unstable.any()
    assert chart.parameter == "Omega"
    assert len(chart) == 5


def test_each_value_is_what_modes_says_and_lag_is_below_flap_by_the_speed() -> None:
    flap, lag = (fx.campbell(flapping(about), "Omega", [3.0, 5.0], count=3) for about in "yz")
    for i, speed in enumerate((3.0, 5.0)):
        assert np.allclose(flap.frequencies[i], fx.modes(flapping(), 3, {"Omega": speed}).frequencies, rtol=1e-11)
        assert np.allclose(lag.frequencies[i] ** 2, flap.frequencies[i] ** 2 - speed**2, rtol=1e-9)


def two_oscillators(coupling: float) -> fx.Equations:
    a, b = fx.Mass("a", 1.0), fx.Mass("b", 1.0)
    joints = fx.Slide(fx.ground, a, name="x"), fx.Slide(fx.ground, b, name="y")
    springs = fx.Spring(fx.ground, a, k="k"), fx.Spring(fx.ground, b, k=4.0), fx.Spring(a, b, k=coupling, name="c")
    return fx.derive(fx.Model(*joints, *(springs if coupling else springs[:2])))


def test_branches_go_through_a_crossing() -> None:
    k = np.linspace(1, 9, 9)  # they meet at k = 4, a value of the grid
    chart = fx.campbell(two_oscillators(0.0), "k", k, count=2)
    assert np.allclose(chart.frequencies, np.stack([np.sqrt(k), np.full(9, 2.0)], axis=1), rtol=1e-12)
    assert not chart.speed


def test_branches_of_coupled_systems_do_not_cross() -> None:
    k = np.linspace(1, 9, 41)
    chart = fx.campbell(two_oscillators(2.0), "k", k, count=2)
    assert (chart.frequencies[:, 0] < chart.frequencies[:, 1]).all()


def test_critical_speeds() -> None:
    chart = fx.campbell(flapping(), "Omega", np.linspace(0, 4, 6), count=1)
    ((speed, branch),) = chart.crossings(2.0)
    assert branch == 0
    assert abs(fx.modes(flapping(), 1, {"Omega": speed}).frequencies[0] - 2 * speed) < 0.05


def test_instability_is_marked() -> None:
    """Without foreshortening a lagging blade diverges where Omega reaches its first frequency, 3.516."""
    hub = fx.RigidBody("hub", m=0, I=1.0)
    blade = fx.EulerBernoulliBeam("blade", EI=1.0, rho=1.0, length=1.0, field="w")
    turn = fx.Revolute(fx.ground, hub, name="theta", motion="Omega*t")
    equations = fx.derive(fx.Model(turn, fx.Fixed(hub, blade.start), foreshortening=False))
    chart = fx.campbell(equations, "Omega", [0, 2, 3.4, 3.6, 5], count=2)
    assert chart.unstable[:, 0].tolist() == [False, False, False, True, True]
    assert not chart.unstable[:, 1].any()
    omega = np.array([0, 2, 3.4, 3.6, 5])
    assert np.allclose(chart.eigenvalues[:, 0] ** 2, omega**2 - 3.5160152685**2, rtol=1e-7)


def test_a_blade_that_stretches_is_linearised_about_its_own_equilibrium() -> None:
    equations, values = fx.derive(example("rotating-blade")), example_values("rotating-blade")
    chart = fx.campbell(equations, "Omega", [0.0, 30.0], count=2, values=values)
    rest = fx.equilibrium(equations, {**values, "Omega": 30.0})
    linear = fx.linearise(equations, about=rest, values={**values, "Omega": 30.0})
    assert np.allclose(np.sort(chart.frequencies[1]), fx.modes(linear, 2).frequencies, rtol=1e-9)


def test_bad_questions() -> None:
    with pytest.raises(fx.FlexuraError, match=r"There is no parameter 'omega' in the equations; they hold .*Omega"):
        fx.campbell(flapping(), "omega", [1.0])
    with pytest.raises(fx.FlexuraError, match="The values of Omega to go over must be a list of finite numbers"):
        fx.campbell(flapping(), "Omega", [1.0, np.nan])
    with pytest.raises(fx.FlexuraError, match="No value is known for EI"):
        fx.campbell(fx.derive(example("cantilever")), "rho", [1.0])


def turned_oscillators(seed: int, n: int = 3) -> tuple[fx.Equations, np.ndarray, np.ndarray]:
    """Oscillators s^2 + p c_i s + k_i = 0, each with a shape of its own: columns of a random orthogonal matrix."""
    random = np.random.default_rng(seed)
    stiffness, damping = random.uniform(0.5, 9.0, n), random.uniform(0.2, 2.0, n)
    shapes = np.linalg.qr(random.standard_normal((n, n)))[0]
    q, p = [fx.Coordinate(f"q{i}") for i in range(n)], fx.Parameter("p")
    modal = [sum(float(a) * one for a, one in zip(column, q, strict=True)) for column in shapes.T]
    rates = [sum(float(a) * one.t for a, one in zip(column, q, strict=True)) for column in shapes.T]
    lagrangian = fx.Lagrangian(
        kinetic=sum(one.t**2 for one in q) / 2,
        potential=sum(float(k) * one**2 for k, one in zip(stiffness, modal, strict=True)) / 2,
        dissipation=p * sum(float(c) * one**2 for c, one in zip(damping, rates, strict=True)) / 2,
    )
    return fx.derive(lagrangian), stiffness, damping


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("ends", [(0.5, 12.0), (12.0, 0.5)])
def test_branches_end_where_real_roots_merge_and_never_jump(seed: int, ends: tuple[float, float]) -> None:
    """Every branch stays with the oscillator it began with, whose roots are known; together they hold every root."""
    equations, stiffness, damping = turned_oscillators(seed)
    over = np.linspace(*ends, 14)
    chart = fx.campbell(equations, "p", over, count=6)
    owners: list[set[int]] = [set() for _ in range(chart.eigenvalues.shape[1])]
    for p, row in zip(over, chart.eigenvalues, strict=True):
        roots = [np.roots([1.0, p * c, k]) for c, k in zip(damping, stiffness, strict=True)]
        known = [(s, i) for i, pair in enumerate(roots) for s in pair if s.imag >= 0]
        there = np.flatnonzero(np.isfinite(row))
        assert len(there) == len(known)
        for column in there:
            nearest, owner = min(known, key=lambda one: abs(one[0] - row[column]))
            assert abs(nearest - row[column]) < 1e-8 * abs(nearest)
            owners[column].add(owner)
    assert all(len(one) == 1 for one in owners)
    assert np.isnan(chart.eigenvalues).any()
    assert not chart.unstable.any()
    assert all(np.isfinite(value) for value, _ in chart.crossings(0.2))


@pytest.mark.parametrize("number", [8, 19, 26, 28])
def test_branches_stay_with_their_roots_where_several_merge_and_part_within_a_step(number: int) -> None:
    """Gyroscopic and damped oscillators, whose roots are followed in very small steps beside the chart."""
    (outcome,) = run(branches(number))
    assert outcome.result == "agreed", outcome.words


def test_where_three_branches_are_asked_for_another_begins_when_one_ends() -> None:
    equations, *_ = turned_oscillators(1)
    chart = fx.campbell(equations, "p", np.linspace(12.0, 0.5, 14), count=3)
    assert (np.isfinite(chart.eigenvalues).sum(axis=1) == 3).all()
    assert chart.eigenvalues.shape[1] > 3


def test_a_chart_with_ends_is_drawn(tmp_path: Path) -> None:
    chart = fx.campbell(turned_oscillators(1)[0], "p", np.linspace(12.0, 0.5, 6), count=3)
    fx.plot(chart, tmp_path / "chart.svg")
    assert (tmp_path / "chart.svg").stat().st_size > 0
