"""Every classical system by both methods: waves and counts, against discretised energies."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx
from classical_systems import CLASSICAL


@pytest.mark.parametrize("name", CLASSICAL)
def test_exact_and_ritz_agree(name: str) -> None:
    equations, values, count = CLASSICAL[name]()
    exact, ritz = (fx.modes(equations, count, values, method=method) for method in ("exact", "ritz"))
    assert len(exact) == len(ritz) == count
    assert exact.certificate
    elastic = exact.frequencies > 0
    assert np.array_equal(elastic, ritz.frequencies > 0)
    assert np.allclose(ritz.frequencies[elastic], exact.frequencies[elastic], rtol=1e-9, atol=0)
    apart = np.abs(ritz.eigenvalues - exact.eigenvalues)
    assert (apart[elastic] <= 1e-9 * exact.frequencies[elastic]).all()
