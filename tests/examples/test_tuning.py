"""Tuning and fitting by scipy.optimize with exact slopes: known optima, and parameters found again."""

import runpy
from pathlib import Path

import pytest

TUNING = Path(__file__).parents[2] / "examples" / "tuning"


def test_the_absorber_is_tuned_to_the_known_optimum():
    script = runpy.run_path(str(TUNING / "tuned_absorber.py"))
    k, c, h = script["tuned"]()
    assert h == pytest.approx(script["closed_form"](), rel=1e-4)  # peaks between frequencies 1/600 apart
    mu = script["MU"]
    ratio = (1 + mu) * (k / mu) ** 0.5  # f (1 + mu) is 1 by Den Hartog's rule
    assert ratio == pytest.approx(1.0, abs=2e-3)
    assert c / (2 * mu * (k / mu) ** 0.5) == pytest.approx((3 * mu / (8 * (1 + mu))) ** 0.5, rel=0.02)


def test_the_beam_is_found_in_its_response():
    script = runpy.run_path(str(TUNING / "fitted_beam.py"))
    start = {"EI": 47.0, "eta": 3e-3, "m": 0.45}
    found = script["fitted"](script["measured"](noise=0.0), start)
    for name, true in script["TRUE"].items():
        assert found[name] == pytest.approx(true, rel=1e-6)
