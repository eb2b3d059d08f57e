"""How far runs of matrices may be from the true motion, held against SciPy's solution of the same matrices."""

import numpy as np
import pytest
import scipy.integrate

import flexura as fx

METHODS = [
    {"method": "exact"},
    {"method": "trapezoidal", "step": 0.004},
    {"method": "trapezoidal", "step": 0.02},
    {"method": "generalized_alpha", "step": 0.004},
    {"method": "generalized_alpha", "step": 0.01, "radius": 0.5},
    {"method": "generalized_alpha", "step": 0.01, "radius": 0.0},
]
T = np.linspace(0, 4, 21)


def drawn(seed):
    """A chain that floats or is held, damped or not, gyroscopic or not, and what drives it."""
    random = np.random.default_rng(seed)
    n = int(random.integers(2, 6))
    stretch = np.diff(np.eye(n), axis=0)
    K = stretch.T @ np.diag(random.uniform(5, 60, n - 1)) @ stretch
    K = K + np.diag(np.r_[random.uniform(2, 9), np.zeros(n - 1)]) * random.integers(0, 2)
    M, D = np.diag(random.uniform(0.5, 2, n)), K * 0.01 * random.integers(0, 2)
    skew = random.normal(size=(n, n)) * 0.3 * random.integers(0, 2)
    F = np.eye(n)[:, -1:]
    system = fx.SecondOrderSystem(M, D, K, G=skew - skew.T, F=F)
    x, v = random.normal(size=(2, n))
    w = random.uniform(1, 6)
    return system, (x, v), f"3*sin({w}*t)", lambda t: 3 * np.sin(w * t)


def true(system, start, load):
    n, M = system.n, np.asarray(system.M)
    rates, K = np.asarray(system.rates), np.asarray(system.displacements)

    def slope(t, y):
        force = np.eye(n)[-1] * load(t) - rates @ y[n:] - K @ y[:n]
        return np.concatenate([y[n:], np.linalg.solve(M, force)])

    found = scipy.integrate.solve_ivp(slope, T[[0, -1]], np.concatenate(start), "DOP853", T, rtol=1e-12, atol=1e-13)
    return found.y[:n].T


@pytest.mark.parametrize("how", METHODS, ids=str)
@pytest.mark.parametrize("seed", range(8))
def test_the_estimate_holds_the_error(seed, how):
    system, start, text, load = drawn(seed)
    run = fx.simulate(system, T, start, text, **how)
    off = np.abs(np.column_stack([run[name] for name in system.names]) - true(system, start, load)).max(axis=0)
    told = np.array([run.error.time[name] for name in system.names])
    assert off.max() < 10 * told.max() + 1e-9
    assert told.max() < 30 * off.max() + 1e-8
    assert 0 <= run.error.time_share <= 1
    assert "matrices do not tell" in str(run.error)


def test_inputs_that_polynomials_do_not_follow_are_told():
    system = fx.SecondOrderSystem(np.eye(1), None, 4 * np.eye(1), F=np.eye(1))
    smooth = fx.simulate(system, T, inputs="sin(3*t)")
    assert smooth.error.time["x0"] < 1e-8
    jagged = fx.simulate(system, T, inputs=lambda t: np.sign(np.sin(40 * t)) * np.abs(np.sin(40 * t)) ** 0.25)
    assert jagged.error.time["x0"] > smooth.error.time["x0"]


def test_many_dofs_are_listed_by_the_largest():
    n = 40
    K = 100 * (2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1))
    run = fx.simulate(fx.SecondOrderSystem(np.eye(n), None, K), T, (np.arange(n) / n, np.zeros(n)))
    assert len(run.error.time) == n
    assert "34 others less" in str(run.error)
