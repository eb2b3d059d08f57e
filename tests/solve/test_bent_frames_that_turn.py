"""Bent free frames on a body that turns steadily about any axis: every root, though nothing balances the spin."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

import flexura as fx
from flexura.solve.roots.plain_roots import plain_roots
from flexura.structures.operating import chains
from flexura.structures.operating.dynamic import SplitPencil

BENT = [
    [0, 0, 0],
    [-0.985, -0.4085, 0.5807],
    [-0.955, -0.734, -0.2546],
    [0.4018, 0.3407, -0.749],
    [-0.4598, -0.3603, 0.0769],
]
SECTION = fx.Section(E=2e11, G=8e10, rho=7800.0, A=8.97e-4, Iy=4.72e-8, Iz=4.2e-8)
AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1), "plane": (0.6, 0, -0.8), "skew": (0.48, -0.6, 0.64)}


def turning(nodes: Any, omega: Any, refinement: int = 1) -> fx.SecondOrderSystem:
    frame = fx.BeamFrame(nodes, [[i, i + 1] for i in range(len(nodes) - 1)], SECTION).refined(refinement)
    return fx.moving_system(frame, fx.MovingFrame(omega=tuple(omega)))


def bent(seed: int, count: int) -> Any:
    return np.vstack([np.zeros(3), np.random.default_rng(seed).uniform(-1, 1, (count, 3))])


def dense(A: Any) -> Any:
    return np.asarray(A.toarray() if hasattr(A, "toarray") else A)


def companion_roots(system: fx.SecondOrderSystem) -> Any:
    M, C, K = dense(system.M), dense(system.rates), dense(system.displacements)
    n = len(M)
    whole = np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    s = np.linalg.eigvals(whole)
    return s[np.argsort(np.abs(s))]


def newton_steps(system: fx.SecondOrderSystem, roots: Any) -> list[float]:
    """|det T / (det T)'| = 1 / |tr T^-1 T'| at each s in 40 digits: how far the next root is, or its double."""
    with mpmath.workdps(40):
        M, C, K = (mpmath.matrix(dense(one).tolist()) for one in (system.M, system.rates, system.bare))
        K = K + mpmath.matrix(dense(system.apart).tolist())  # the sum in many digits
        found = []
        for one in roots:
            s = mpmath.mpc(one)
            inverse, slope = mpmath.inverse(s * s * M + s * C + K), 2 * s * M + C
            trace = mpmath.fsum(inverse[i, j] * slope[j, i] for i in range(system.n) for j in range(system.n))
            found.append(float(1 / abs(trace)))
    return found


def check_complete(system: fx.SecondOrderSystem, found: Any, speed: float) -> None:
    """As many roots as a dense solver has, each beside one; zero and drifts seen from the frame, double, coarsely."""
    zero, expected = np.split(companion_roots(system), [2])
    assert np.abs(zero).max() < 1e-3 * speed
    assert found.eigenvalues[0] == 0
    assert np.all(found.eigenvalues[1:] != 0)
    expected = expected[expected.imag >= -1e-6 * np.abs(expected)]
    left = list(found.eigenvalues[1:])
    for one in expected[: len(left) - 1]:  # the last may be one of two that are equally far
        place = int(np.argmin(np.abs(np.array(left) - one)))
        assert abs(left.pop(place) - one) < (1e-2 if abs(one - 1j * speed) < 1e-2 * speed else 1e-3) * abs(one)
    assert "Zero is a root 2 times" in str(found.certificate)
    assert found.certificate
    assert found.certificate.residual < 1e-8


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("refinement", [1, 2])
def test_the_roots_of_a_bent_frame(axis, refinement):
    system = turning(BENT, 5.88 * np.array(AXES[axis]), refinement)
    found = fx.modes(system, 8)
    check_complete(system, found, 5.88)
    assert np.sum(np.abs(found.eigenvalues - 5.88j) < 1e-7) == 2  # a translation, and its drift, seen from the frame


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("axis", AXES)
def test_random_bent_frames(seed, axis):
    speed = float(10 ** np.random.default_rng(100 + seed).uniform(0, 1.3))
    system = turning(bent(seed, 2 + seed % 3), speed * np.array(AXES[axis]))
    check_complete(system, fx.modes(system, 8), speed)


@pytest.mark.parametrize(("seed", "axis"), [(0, "z"), (1, "x"), (2, "skew")])
def test_roots_in_many_digits(seed, axis):
    system = turning(bent(seed, 2), 4.0 * np.array(AXES[axis]))
    roots = fx.modes(system, 8).eigenvalues
    simple = roots[(roots != 0) & (np.abs(roots - 4j) > 1e-3)]
    assert len(simple) >= 5
    assert np.all(np.array(newton_steps(system, simple)) < 1e-7 * np.abs(simple))


def test_a_second_opinion_where_a_drift_is_overlooked(monkeypatch):
    monkeypatch.setattr(chains, "_LOST", 0.0)  # then no chain goes on, and what is taken out is not invariant
    system = turning(BENT, (0, 0, 5.88), 2)
    found = fx.modes(system, 8)
    assert not found.certificate
    assert "plain pencil" in str(found.certificate)
    expected = companion_roots(system)
    near = np.array([np.abs(expected - s).min() for s in found.eigenvalues])
    assert np.all(near < 1e-3 * 5.88)
    assert np.sum(np.abs(found.eigenvalues) < 0.1) <= 2


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("massless", [0, 2])
def test_the_plain_pencil_has_every_finite_root(seed, massless):
    random = np.random.default_rng(seed)
    A, B, C = random.standard_normal((3, 5, 5))
    M, K = np.diag([*random.uniform(1, 4, 5 - massless), *np.zeros(massless)]), 1e6 * (A @ A.T + np.eye(5))
    D = 1e2 * (B @ B.T) if not massless else np.diag([1.0, 2.0, 3.0, 0, 0])
    s, X = plain_roots(SplitPencil.of(fx.SecondOrderSystem(M, D, K, G=C - C.T if not massless else None)))
    assert len(s) == 2 * (5 - massless)
    for root, x in zip(s, X.T, strict=True):
        rates = D + (C - C.T if not massless else 0)
        left = root**2 * (M @ x) + root * (rates @ x) + K @ x
        assert np.linalg.norm(left) < 1e-9 * (abs(root) ** 2 * np.linalg.norm(M) + np.linalg.norm(K))
    distances = np.abs(s[:, None] - s) + np.diag(np.full(len(s), np.inf))
    assert distances.min() > 1e-6 * np.abs(s).max()


@pytest.mark.parametrize(("strong", "weak"), [(1e3, 1e-8), (1e6, 1e-3), (1e6, 1e-5), (1e9, 1e-6), (3e7, 7e-6)])
def test_weak_drag_beside_a_strong_damper_is_told_from_rounding(strong, weak):
    pair = np.array([[1.0, -1.0], [-1.0, 1.0]])
    M, K, D = np.diag([1.0, 2.0, 3.0]), np.zeros((3, 3)), np.zeros((3, 3))
    K[:2, :2], D[:2, :2], D[2, 2] = 1e4 * pair, strong * pair, weak
    found = fx.modes(fx.SecondOrderSystem(M, D, K), 6)
    fast = -(strong + np.sqrt(strong**2 - 4e4 * 2 / 3)) / (4 / 3)
    slow = 1e4 / (2 / 3 * fast)
    assert np.allclose(found.eigenvalues, [0, 0, -weak / 3, slow, fast], rtol=1e-7, atol=0)
    assert found.certificate
