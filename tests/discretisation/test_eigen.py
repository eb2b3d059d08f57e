"""Dense eigenvalues with all their digits."""

import numpy as np
import pytest

from flexura.discretisation.eigen import undamped


def chain(n, ends=2):
    K = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    if ends < 2:
        K[-1, -1] = 1
    if ends < 1:
        K[0, 0] = 1
    return np.eye(n), K


def test_low_modes_keep_their_digits_beside_stiff_ones():
    M, K = chain(6)
    stiff = np.diag(10.0 ** np.arange(0, 12, 2))
    rotation = np.linalg.qr(np.random.default_rng(0).standard_normal((6, 6)))[0]
    assert undamped(M, K).squares == pytest.approx(2 - 2 * np.cos(np.pi * np.arange(1, 7) / 7), rel=1e-13)
    found = undamped(M, stiff).squares
    assert found == pytest.approx(np.diag(stiff), rel=1e-13)
    assert undamped(M, rotation @ np.diag(np.arange(1.0, 7)) @ rotation.T).squares == pytest.approx(np.arange(1.0, 7))


def test_free_and_unstable_systems():
    M, K = chain(5, ends=0)
    found = undamped(M, K)
    assert found.squares[0] == 0.0
    assert found.squares[1:] == pytest.approx(2 - 2 * np.cos(np.pi * np.arange(1, 5) / 5), rel=1e-12)
    assert np.ptp(found.vectors[:, 0]) < 1e-12
    bent = undamped(np.eye(2), np.diag([-2.0, 5.0])).squares
    assert bent == pytest.approx([-2.0, 5.0], rel=1e-12)


def test_what_has_no_inertia_has_no_mode():
    M, K = np.diag([1.0, 0.0]), np.array([[2.0, -1.0], [-1.0, 1.0]])
    assert undamped(M, K).squares == pytest.approx([1.0])  # the massless one follows


def test_nothing_holds_a_free_mass():
    assert undamped(np.eye(2), np.zeros((2, 2))).squares.tolist() == [0.0, 0.0]
