"""Modal damping: the modes have the shares of critical damping that were asked for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from free_structures import network, plate


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 5000), st.booleans())
def test_modes_are_damped_as_asked(seed, free):
    system, _ = network(seed, free=free)
    ratios = np.random.default_rng(seed).uniform(0.001, 0.3, 3)
    damped = fx.modal_damping(system, ratios)
    # (2 zeta omega)^2 D of the plain modes, found here
    squares, V = np.linalg.eig(np.linalg.solve(system.M, system.K))
    order = np.argsort(squares.real)[int(free) :]
    V, omega = V[:, order].real, np.sqrt(squares[order].real)
    V = V / np.sqrt(np.einsum("ij,ik,kj->j", V, system.M, V))
    expected = np.zeros(len(omega))
    expected[:3] = 2 * ratios * omega[:3]
    assert pytest.approx(np.diag(expected), abs=1e-6 * expected.max()) == V.T @ damped.D @ V


def test_one_number_damps_every_mode_of_a_reduced_model():
    system = plate(4, 3, 1, size=(1.0, 0.8, 0.05))
    small = fx.modal_damping(fx.reduce(system, np.eye(1, system.n, 2)[0], 4), 0.02)
    found = fx.modes(small, 10)
    assert found.damping_ratios[6:] == pytest.approx([0.02] * 4, rel=1e-6)
    with pytest.raises(fx.FlexuraError, match="was not reduced, or was changed since"):
        small.error(1.0)
    assert small.expand(np.eye(small.n)[7]).shape == (system.n,)


def test_what_is_wrong_is_said():
    system, _ = network(3)
    for ratios in (-0.1, [[0.1]], "much", np.nan, np.full(99, 0.1)):
        with pytest.raises(fx.FlexuraError, match="give a share of critical damping, 0 or more"):
            fx.modal_damping(system, ratios)
    with pytest.raises(fx.FlexuraError, match="structural damping"):
        fx.modal_damping(system.with_(K=system.K * (1 + 0.1j)), 0.1)
