"""The estimated error against the true one: never below a third of it, and hardly above it where it matters.

FLEXURA_NETWORKS=500 runs more of them.
"""

import os

import numpy as np
import pytest

import flexura as fx
from free_structures import network, plate

CASES = int(os.environ.get("FLEXURA_NETWORKS", "60"))


def true_error(system, reduced, F, omega):
    x = np.linalg.solve(system.dynamic_stiffness(1j * omega), F)
    e = x - reduced.basis @ np.linalg.solve(reduced.dynamic_stiffness(1j * omega), reduced.F)
    weighted = np.sqrt(abs(np.vdot(e, system.M @ e)) / abs(np.vdot(x, system.M @ x)))
    return max(np.linalg.norm(e) / np.linalg.norm(x), weighted)


def cases():
    kinds = (None, "proportional", "relative", "absolute")
    for seed in range(CASES):
        rng = np.random.default_rng(1000 + seed)
        system, F = network(seed, free=seed % 3 > 0, damping=kinds[seed % 4])
        squares = np.sort(np.linalg.eigvals(np.linalg.solve(system.M, system.K)).real)
        first = np.sqrt(squares[squares > 1e-9 * squares[-1]][0])
        yield system, F, int(rng.integers(1, 8)), first * 10 ** rng.uniform(-2, 1.3, 5)


def test_the_estimate_is_never_below_a_third_of_the_error():
    ratios, useful = [], []
    for system, F, order, omega in cases():
        reduced = fx.reduce(system, F, order)
        for one, estimate in zip(omega, reduced.error(omega), strict=True):
            error = true_error(system, reduced, F, one)
            ratios.append(estimate / max(error, 1e-300))
            if error > 1e-10:
                useful.append(estimate / error)
    assert min(ratios) > 1 / 3
    assert np.median(useful) < 1.2
    assert np.quantile(useful, 0.9) < 3


def test_the_estimate_is_the_same_one_by_one_or_together():
    system, F = network(8, damping="absolute")
    omega = np.array([0.3, 3.0, 10.0])
    together, one = fx.reduce(system, F, 3).error(omega), fx.reduce(system, F, 3)
    assert together.shape == (3,)
    assert [one.error(w) for w in omega] == pytest.approx(together, rel=0.3)
    assert isinstance(one.error(1.0), float)


def test_the_estimate_falls_with_the_order():
    system = plate(6, 5, 1, size=(1.0, 0.8, 0.1))
    F = np.eye(1, system.n, 2)[0]
    first = fx.modes(system, 7).frequencies[6]
    errors = [fx.reduce(system, F, order).error(0.5 * first) for order in range(6)]
    assert np.all(np.diff(np.log10(errors)) < -0.5)


def test_at_rest_a_balanced_model_has_no_error_but_round_off():
    system, F = network(8)
    assert fx.reduce(system, F, 2).error(0.0) < 1e-10


def test_where_the_enlarged_basis_does_not_settle_the_full_system_is_solved(monkeypatch):
    import flexura.structures.operating.accuracy as accuracy

    monkeypatch.setattr(accuracy, "_ROUNDS", 0)
    system, F = network(8, damping="relative")
    reduced = fx.reduce(system, F, 2)
    assert reduced.error(7.0) == pytest.approx(true_error(system, reduced, F, 7.0), rel=1e-6)
