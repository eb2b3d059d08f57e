"""Members in few shapes of their own."""

import numpy as np
import pytest
import scipy.linalg

import flexura as fx
from flexura.solve.discretise import motion_system
from flexura.solve.steppers.subspace import MemberGroup, MemberShapes, on_subspace

TIMES = np.linspace(0, 1, 5)


@pytest.fixture(scope="module")
def hinged():
    """A rod on a hinge that has no inertia of its own."""
    rod = fx.EulerBernoulliBeam("rod", EI=20.0, rho=0.5, length=1.0, field="w")
    equations = fx.derive(fx.Model(fx.Revolute(fx.ground, rod.start, name="theta"), fx.Gravity(9.81)))
    system = motion_system(equations, None, 12)
    group = MemberGroup(("w",), tuple(name for name in system.names if name != "theta"))
    return system, group


def reduced(hinged, modes, given=()):
    system, group = hinged
    T, names = MemberShapes.of(system, [group], TIMES, given).matrix({"w": modes})
    return on_subspace(system, T, names), T


def test_its_modes_are_those_of_the_member_with_its_joint_free(hinged):
    small, _ = reduced(hinged, 3)
    z = np.zeros(small.n)
    M, _ = small.evaluate(0.0, z, z, small.rest)
    K, _ = small.jacobians(0.0, z, z, z, small.rest, z[:0])
    found = np.sqrt(np.abs(np.sort(scipy.linalg.eigvals(K, M).real)))
    pinned = np.array([15.41820572, 49.96486203, 104.2476966]) * np.sqrt(20.0 / 0.5)
    assert np.allclose(found[1:4], pinned, rtol=1e-6)
    whole, _ = hinged
    q = np.zeros(whole.n)
    stiff = scipy.linalg.eigvals(
        whole.jacobians(0.0, q, q, q, whole.rest, q[:0])[0], whole.evaluate(0.0, q, q, whole.rest)[0]
    )
    assert found[-1] < 0.05 * np.sqrt(np.abs(stiff).max())  # which is what it is for


def test_a_given_shape_is_held_exactly(hinged):
    system, _ = hinged
    start, _ = system.fit(0.0, {"theta": 0.3}, {"w": lambda x: 0.01 * x**2 * (6 - 4 * x + x**2) * np.cos(3 * x)})
    _, T = reduced(hinged, 2, [start])
    z = np.linalg.lstsq(T, start, rcond=None)[0]
    assert np.abs(T @ z - start).max() < 1e-9 * np.abs(start).max()


def test_the_smaller_system_answers_like_the_larger_one_on_its_subspace(hinged):
    system, _ = hinged
    small, T = reduced(hinged, 2)
    random = np.random.default_rng(3)
    z, w, a = 0.05 * random.normal(size=(3, small.n))
    u, none = system.rest, np.zeros(0)
    M, f = system.evaluate(0.2, T @ z, T @ w, u)
    m, g = small.evaluate(0.2, z, w, u)
    assert np.allclose(m, T.T @ M @ T)
    assert np.allclose(g, T.T @ f)
    assert small.energies(0.2, z, w) == pytest.approx(system.energies(0.2, T @ z, T @ w))
    K, C = small.jacobians(0.2, z, w, a, u, none)
    step = 1e-6
    for i, unit in enumerate(np.eye(small.n)):
        ahead, behind = (small.evaluate(0.2, z + sign * step * unit, w, u) for sign in (1, -1))
        slope = ((ahead[0] @ a - ahead[1]) - (behind[0] @ a - behind[1])) / (2 * step)
        assert np.allclose(K[:, i], slope, atol=1e-5 * np.abs(K).max())
    assert C.shape == (small.n, small.n)
    assert np.allclose(small.values("w", [0.5, 1.0], 0.2, z), system.values("w", [0.5, 1.0], 0.2, T @ z))
