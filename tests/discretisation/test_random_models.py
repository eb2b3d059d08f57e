"""Trees of bodies and members nobody had in mind: the energy balance closes, slopes are right, masses are positive."""

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, note, settings

import flexura as fx
from direct_action import ledger_gap, numbers_for, residual, some_state
from flexura.solve.discretise import motion_system
from random_models import models

MORE = "FLEXURA_MODEL_CASES" in os.environ
CASES = int(os.environ.get("FLEXURA_MODEL_CASES", "4"))


@settings(
    max_examples=CASES,
    deadline=None,
    database=None,
    derandomize=not MORE,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
@given(models(size=(2, 4)))
def test_models_close_their_ledger_and_know_their_slopes(drawn):
    note(drawn.script)
    equations = fx.derive(drawn.model)
    system = motion_system(equations, numbers_for(equations), 4)
    gap, size = ledger_gap(system)
    assert abs(gap) < 1e-6 * size
    t, q, v, a, u, lam = some_state(system, size=0.2)
    K, C = system.jacobians(t, q, v, a, u, lam)
    d, h = np.random.default_rng(5).uniform(-1, 1, system.n), 1e-5
    largest = max(1.0, np.abs(K).max(initial=0.0), np.abs(C).max(initial=0.0))
    for J, (dq, dv) in ((K, (d, 0 * d)), (C, (0 * d, d))):
        ahead, behind = (residual(system, t, q + s * dq, v + s * dv, a, u, lam) for s in (h, -h))
        assert J @ d == pytest.approx((ahead - behind) / (2 * h), abs=1e-6 * largest * system.n)
    M, _ = system.evaluate(t, 0 * q, 0 * v, u)
    assert np.linalg.eigvalsh(M).min(initial=0.0) >= -1e-12 * np.abs(M).max(initial=0.0)
