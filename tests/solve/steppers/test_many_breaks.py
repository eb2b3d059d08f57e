"""Records and switched inputs with thousands of breaks: exact, and steps of one length share their matrices."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg

import flexura as fx
from flexura.solve.steppers import linear_exact

MASS, SPRING, DAMPING = 1.0, 10.0, 0.3


def mass_on_a_spring() -> fx.Equations:
    mass = fx.Mass("m", MASS)
    held = {"along": "x"}
    things = [fx.Slide(fx.ground, mass, name="x", **held), fx.Spring(fx.ground, mass, k=SPRING, **held)]
    return fx.derive(fx.Model(*things, fx.Damper(fx.ground, mass, c=DAMPING, **held), fx.Force(mass, "F", **held)))


def stepped(first: np.ndarray, second: np.ndarray, h: float) -> np.ndarray:
    """x at the ends of steps in which F goes straight from first to second: one matrix exponential, again and again."""
    A = np.zeros((4, 4))
    A[0, 1], A[1, :3], A[2, 3] = 1.0, (-SPRING / MASS, -DAMPING / MASS, 1 / MASS), 1.0
    step, state, found = scipy.linalg.expm(A * h), np.zeros(4), [0.0]
    for begin, end in zip(first, second, strict=True):
        state[2:] = begin, (end - begin) / h
        state = step @ state
        found.append(state[0])
    return np.array(found)


@pytest.fixture
def matrices(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The lengths for which matrices of steps are made."""
    made: list[float] = []
    plain = linear_exact.step_of

    def seen(blocks: linear_exact.Blocks, degree: int, h: float) -> linear_exact.Step:
        made.append(h)
        return plain(blocks, degree, h)

    monkeypatch.setattr(linear_exact, "step_of", seen)
    return made


def test_a_record_of_thousands_of_points_is_straight_between_them(matrices: list[float]) -> None:
    t = np.linspace(0, 40, 4001)
    record = np.random.default_rng(0).standard_normal(len(t))
    run = fx.simulate(mass_on_a_spring(), t, inputs={"F": record})
    true = stepped(record[:-1], record[1:], t[1])
    np.testing.assert_allclose(run["x"], true, atol=1e-11 * np.abs(true).max())
    assert run.energy.error < 1e-10
    assert len(matrices) < 10


def test_a_load_that_is_switched_two_thousand_times(matrices: list[float]) -> None:
    """Pulse-width modulation: on for 30 percent of each period; edges are told as breaks."""
    periods, on = 1000, 0.3
    edges = np.sort(np.concatenate([np.arange(1, periods), np.arange(periods) + on])) / periods
    t = np.arange(0, periods + 1, 100) / periods

    def switched(time: float) -> float:
        return 1.0 if (time * periods) % 1 < on else 0.0

    run = fx.simulate(mass_on_a_spring(), t, inputs={"F": switched}, breaks=edges)
    A, inside = np.array([[0, 1, 0], [-SPRING, -DAMPING, 1], [0, 0, 0]]), np.zeros((3, 3))
    inside[:2, :2] = A[:2, :2]
    period = scipy.linalg.expm(inside * (1 - on) / periods) @ scipy.linalg.expm(A * on / periods)
    state, true = np.zeros(3), [0.0]
    for k in range(periods):
        state[2] = 1.0
        state = period @ state
        if (k + 1) % 100 == 0:
            true.append(state[0])
    np.testing.assert_allclose(run["x"], true, atol=1e-11 * np.abs(true).max())
    assert len(matrices) < 10
