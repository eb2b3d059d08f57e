"""Positions in which conditions repeat one another by chance: started from, and passed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexura as fx

GRAVITY = 9.81


def bars(count: int = 1, span: float = 1.0) -> fx.Equations:
    """Cranks of length and mass 1 side by side, with couplers of mass 1 between: IFToMM benchmark A02 for span 1."""
    cranks = [fx.RigidBody(f"crank{k}", 1.0, 1 / 12) for k in range(count + 1)]
    couplers = [fx.RigidBody(f"coupler{k}", 1.0, span**2 / 12) for k in range(count)]
    parts: list[fx.Connection] = [
        fx.Revolute(fx.ground.at(span * k), crank.at(-0.5), name=f"p{k}") for k, crank in enumerate(cranks)
    ]
    for k, coupler in enumerate(couplers):
        parts.append(fx.Revolute(cranks[k].at(0.5), coupler.at(-span / 2), name=f"q{k}"))
        parts.append(fx.Pin(coupler.at(span / 2), cranks[k + 1].at(0.5), name=f"cut{k}"))
    return fx.derive(fx.Model(*parts, fx.Gravity(GRAVITY)))


def as_parallelogram(angle: float, rate: float, count: int = 1) -> dict[str, float]:
    """All cranks at one angle, all couplers level."""
    cranks = {f"p{k}": angle for k in range(count + 1)} | {f"p{k}_t": rate for k in range(count + 1)}
    return cranks | {f"q{k}": -angle for k in range(count)} | {f"q{k}_t": -rate for k in range(count)}


def pendulum(t: np.ndarray, angle: float, rate: float, count: int = 1) -> np.ndarray:
    """What a parallelogram is: inertia of the cranks about their feet and of the couplers at their tops."""
    inertia, moment = (count + 1) / 3 + count, GRAVITY * ((count + 1) / 2 + count)
    found = solve_ivp(
        lambda _, y: [y[1], -moment * np.cos(y[0]) / inertia],
        (t[0], t[-1]),
        [angle, rate],
        t_eval=t,
        rtol=1e-11,
        atol=1e-12,
    )
    return np.asarray(found.y[0])


@pytest.mark.parametrize("rate", [1.0, 5.0, 10.0])
def test_a_parallelogram_starts_flat_and_passes_flat(rate: float) -> None:
    """Slow enough to turn back at once (1), or around (5, 10): it never folds, at any tolerance."""
    equations, t = bars(span=2.0), np.linspace(0, 2, 11)
    for tolerance in (1e-6, 1e-9):
        run = fx.simulate(equations, t, initial=as_parallelogram(0.0, rate), tolerance=tolerance)
        assert run.complete
        np.testing.assert_allclose(run["p0"], pendulum(t, 0.0, rate), atol=2 * tolerance)
        np.testing.assert_allclose(run["p1"], run["p0"], atol=2 * tolerance)


def test_the_other_branch_folds_and_keeps_its_energy() -> None:
    """Rates that fold a flat parallelogram: p, q, r as 1 : -3 : -3 (both cranks about opposite ends of the coupler)."""
    start = {"p0_t": 1.0, "q0_t": -3.0, "p1_t": -3.0}
    run = fx.simulate(bars(span=2.0), np.linspace(0, 0.5, 6), initial=start, tolerance=1e-9)
    assert run.energy.error < 1e-8
    p, r = run["p0"], run["p1"]
    tops = np.hypot(2 + np.cos(r) - np.cos(p), np.sin(r) - np.sin(p))
    np.testing.assert_allclose(tops, 2.0, atol=1e-8)
    assert np.abs(p - r).max() > 0.1


def test_two_loops_turn_for_ten_seconds() -> None:
    """IFToMM benchmark A02, N = 2: the singular positions are passed again and again."""
    t = np.linspace(0, 10, 41)
    start = as_parallelogram(np.pi / 2, -1.0, 2)
    run = fx.simulate(bars(2), t, initial=start, tolerance=1e-9)
    true = pendulum(t, np.pi / 2, -1.0, 2)
    for name in ("p0", "p1", "p2"):
        np.testing.assert_allclose(run[name], true, atol=1e-7)
    assert run.energy.error < 1e-8


def test_rates_of_no_branch_are_refused_with_those_of_both() -> None:
    equations = bars(span=2.0)
    for start in ({"p0_t": 1.0}, {}, {"p0_t": 1.0, "q0_t": -2.0, "p1_t": -1.0}):
        with pytest.raises(fx.FlexuraError, match=r"p0_t, p1_t, q0_t as 1 : -3 : -3 or as 1 : 1 : -1") as trouble:
            fx.simulate(equations, [0.0, 0.1], initial=start)
        assert "start away from this position" in str(trouble.value)
    run = fx.simulate(equations, [0.0, 0.1], initial={"p0_t": 1.0, "q0_t": -1.0, "p1_t": 1.0})
    assert run.complete


def test_accelerations_at_a_singular_position_are_those_of_a_branch() -> None:
    """Flat, as a parallelogram: a pendulum of the same weight; the coupler keeps level."""
    state = {"p0_t": 3.0, "q0_t": -3.0, "p1_t": 3.0}
    found = fx.accelerations(bars(span=2.0), state)
    true = -2 * GRAVITY / (2 / 3 + 1)
    assert found["p0"] == pytest.approx(true, rel=1e-8)
    assert found["p1"] == pytest.approx(true, rel=1e-8)
    assert found["q0"] == pytest.approx(-true, rel=1e-8)
    with pytest.raises(fx.FlexuraError, match="More than one motion can begin"):
        fx.accelerations(bars(span=2.0), {"p0_t": 3.0, "q0_t": -6.0, "p1_t": -3.0})
