"""Steps of linear systems whose matrices change: order two, Mathieu's equation, one factorization that serves long."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
import scipy.sparse as sparse
from scipy.integrate import solve_ivp

from flexura.errors import FlexuraError
from flexura.solve.steppers.varying import MatricesAt, varying_motion


@dataclass
class Mathieu:
    """x'' + c x' + (1 + a cos 2t) x = sin t, coupled to a partner; sparse or dense."""

    a: float = 0.3
    c: float = 0.05
    like: type = field(default=np.asarray)
    n: int = 2

    def matrices(self, t: float) -> MatricesAt:
        K = np.array([[1 + self.a * np.cos(2 * t), -0.2], [-0.2, 3.0]])
        G = np.array([[0.0, 0.4 * np.sin(t)], [-0.4 * np.sin(t), 0.0]])
        H = np.array([[0.0, 0.1 * np.cos(t)], [-0.1 * np.cos(t), 0.0]])
        M, D = np.diag([1.0, 2.0]), self.c * np.eye(2)
        return MatricesAt(*(self.like(one) for one in (M, D, G, K, H)), np.array([0.0, 0.3]))

    def external(self, t: float) -> np.ndarray:
        return np.array([np.sin(t), 0.0])


def reference(problem: Mathieu, t: np.ndarray, x: np.ndarray, v: np.ndarray) -> np.ndarray:
    def rate(time, z):
        now = problem.matrices(time)
        f = now.f + problem.external(time) - now.rate(z[2:]) - now.restoring(z[:2])
        return np.concatenate([z[2:], f / [1.0, 2.0]])

    return solve_ivp(rate, (t[0], t[-1]), np.concatenate([x, v]), t_eval=t, rtol=1e-11, atol=1e-12).y


X0, V0, T = np.array([0.5, -0.2]), np.array([0.0, 0.3]), np.linspace(0, 12, 25)


@pytest.mark.parametrize("like", [np.asarray, sparse.csr_array])
def test_it_is_right_to_the_tolerance_asked_for(like):
    problem = Mathieu(like=like)
    wanted = reference(problem, T, X0, V0)
    for tolerance in (1e-3, 1e-5):
        run = varying_motion(problem, T, X0, V0, tolerance=tolerance)
        assert run.error <= tolerance
        assert np.abs(run.x - wanted[:2].T).max() < 3 * tolerance * np.abs(wanted[:2]).max()
    assert np.abs(run.v - wanted[2:].T).max() < 1e-4


@pytest.mark.parametrize("radius", [1.0, 0.6])
def test_steps_are_of_order_two(radius):
    problem = Mathieu()
    wanted = reference(problem, T, X0, V0)[0]
    steps = np.array([0.1, 0.05, 0.025])
    errors = [np.abs(varying_motion(problem, T, X0, V0, step=h, radius=radius).x[:, 0] - wanted).max() for h in steps]
    assert np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(2, abs=0.15)


def test_the_ledger_closes_whatever_changes():
    run = varying_motion(Mathieu(), T, X0, V0, step=0.05)
    held = run.kinetic + run.potential + run.dissipated - run.supplied
    assert np.abs(held - held[0]).max() < 1e-10 * run.kinetic.max()
    assert run.dissipated[-1] > 0
    damped = varying_motion(Mathieu(), T, X0, V0, step=0.05, radius=0.5)
    loose = damped.kinetic + damped.potential + damped.dissipated - damped.supplied
    assert np.abs(loose - loose[0]).max() > 1e-6  # a damping scheme shows what it took


def test_one_factorization_serves_while_matrices_change_little():
    slow = varying_motion(Mathieu(a=0.05), T, X0, V0, step=0.05)
    assert slow.factorizations == 1
    assert slow.solves < 6 * slow.steps


def test_constant_matrices_cost_one_solve_a_step():
    @dataclass
    class Constant:
        n: int = 2

        def __post_init__(self):
            self.moment = Mathieu().matrices(0.3)

        def matrices(self, t):
            return self.moment

        def external(self, t):
            return np.zeros(2)

    run = varying_motion(Constant(), T, X0, V0, step=0.05)
    assert run.factorizations == 1
    assert run.solves == run.steps


def test_frozen_matrices_tend_to_varying_ones():
    problem = Mathieu()
    wanted = reference(problem, T, X0, V0)[0, -1]
    errors = []
    for count in (25, 50, 100):
        t = np.linspace(0, 12, count)
        errors.append(abs(varying_motion(problem, t, X0, V0, frozen=True, tolerance=1e-6).x[-1, 0] - wanted))
    assert errors[0] > 3 * errors[1] > 9 * errors[2] / 1.5


def test_bad_choices_are_refused():
    with pytest.raises(FlexuraError, match=r"radius is 1\.5; give a number from 0 to 1"):
        varying_motion(Mathieu(), T, X0, V0, radius=1.5)

    class Massless(Mathieu):
        def matrices(self, t):
            now = super().matrices(t)
            return MatricesAt(np.diag([1.0, 0.0]), now.D, now.G, now.K, now.H, now.f)

    with pytest.raises(FlexuraError, match=r"mass matrix .* singular; give every free motion some inertia"):
        varying_motion(Massless(), T, X0, V0)
