"""Soft mounts under a stiff structure: stiffness, whatever their ratio and the mesh; and what rounding leaves open."""

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sparse
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import flexura as fx
from free_structures import beam, plate

SIZE = (0.3, 0.2, 0.0426)  # 6.9 kg of aluminium
FEET = np.array([[0, 0, 0], [0.3, 0, 0], [0, 0.2, 0], [0.3, 0.2, 0]])
MESHES = [(2, 1, 1), (6, 4, 1), (10, 8, 2)]


def rigid(nodes):
    """Translations and rotations about the origin, (n, 6)."""
    q = np.zeros((len(nodes), 3, 6))
    q[:, :, :3] = np.eye(3)
    for k, axis in enumerate(np.eye(3)):
        q[:, :, 3 + k] = np.cross(axis, nodes)
    return q.reshape(-1, 6)


def mounted(mesh, k, how, nodes=True):
    """A block of bricks on four mounts, given "apart" or "summed", and the frequencies of a rigid block on them."""
    block = plate(*mesh, size=SIZE)
    feet = [int(np.linalg.norm(block.nodes - foot, axis=1).argmin()) for foot in FEET]
    stiff = np.zeros((len(block.nodes), 3))
    stiff[feet] = k * np.array([1.0, 0.7, 0.4])
    mounts, q = sparse.diags_array(stiff.ravel()).tocsr(), rigid(block.nodes)
    squares = scipy.linalg.eigh(q.T @ (mounts @ q), q.T @ (block.M @ q), eigvals_only=True)
    system = block.with_(springs=mounts) if how == "apart" else block.with_(K=block.K + mounts)
    return system if nodes else system.with_(nodes=None), np.sqrt(squares)


@pytest.mark.parametrize("mesh", MESHES)
@pytest.mark.parametrize("k", [1e-2, 1.0, 30.0, 1e3])
@pytest.mark.parametrize("nodes", [True, False])
def test_mounts_given_apart_keep_their_digits(mesh, k, nodes):
    """The block itself gives in, by k over its own stiffness."""
    system, omega = mounted(mesh, k, "apart", nodes)
    found = fx.modes(system, 8)
    np.testing.assert_allclose(found.frequencies[:6], omega, rtol=1e-8 + 1e-7 * k)
    assert found.certificate
    assert found.certificate.residual < 1e-5
    assert "rounding" not in str(found.certificate)


@pytest.mark.parametrize("mesh", MESHES)
@pytest.mark.parametrize("k", [30.0, 1e3])
@pytest.mark.parametrize("nodes", [True, False])
def test_mounts_summed_into_K_are_not_deleted(mesh, k, nodes):
    system, omega = mounted(mesh, k, "summed", nodes)
    found = fx.modes(system, 8)
    np.testing.assert_allclose(found.frequencies[:6], omega, rtol=1e-3)
    assert found.certificate
    damped = fx.modes(system.with_(D=1e-3 * system.M), 6)
    np.testing.assert_allclose(damped.frequencies, omega, rtol=1e-3)


@pytest.mark.parametrize("how", ["apart", "summed"])
def test_stiff_mounts_are_those_of_a_dense_solver(how):
    system, _ = mounted((6, 4, 1), 1e8, how)
    squares = scipy.linalg.eigh(system.K.toarray(), system.M.toarray(), eigvals_only=True)
    np.testing.assert_allclose(fx.modes(system, 8).frequencies, np.sqrt(squares[:8]), rtol=1e-8)


def test_what_rounding_may_have_made_is_told_with_its_size():
    system, _ = mounted((10, 8, 2), 10.0, "summed")
    assert "the rounding of K can change their stiffness by up to" in str(fx.modes(system, 3).certificate)
    system, _ = mounted((10, 8, 2), 1e-2, "summed")
    text = str(fx.modes(system, 3).certificate)
    assert "the rounding of K can" in text
    assert "springs=...)" in text
    found = fx.modes(mounted((10, 8, 2), 1e-2, "apart")[0], 3)  # as advised
    assert "rounding" not in str(found.certificate)


@pytest.mark.parametrize("mesh", MESHES)
@pytest.mark.parametrize("how", ["apart", "summed"])
def test_gravity_makes_a_mounted_block_sag_not_fall(mesh, how):
    system, _ = mounted(mesh, 30.0, how)
    weight = -9.81 * (system.M @ np.tile([0.0, 0, 1], len(system.nodes)))
    state = fx.operating_state(system, weight)
    assert not np.any(state.rate)
    np.testing.assert_allclose(state.deformation[2::3].mean(), weight.sum() / (4 * 0.4 * 30), rtol=1e-3)
    still = fx.frequency_response(system, 0.0, load=weight, output=np.eye(1, system.n, 2)[0])
    np.testing.assert_allclose(still, state.deformation[2], rtol=1e-9 if how == "apart" else 1e-5)


@pytest.mark.parametrize("how", ["apart", "summed"])
def test_responses_below_the_mounts_are_those_of_a_rigid_block(how):
    system, omega = mounted((6, 4, 1), 30.0, how)
    q, F = rigid(system.nodes), np.eye(1, system.n, 5)[0]
    block = plate(6, 4, 1, size=SIZE)
    K, M = q.T @ ((system.K - block.K) @ q), q.T @ (block.M @ q)
    for at in (0.3 * omega[0], 1.7 * omega[5]):
        expected = q @ np.linalg.solve(K - at**2 * M, q.T @ F)
        found = fx.frequency_response(system, at, load=F, output=F)
        np.testing.assert_allclose(found, expected[5], rtol=1e-4)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 40), st.floats(-14, 2), st.integers(0, 10_000))
def test_a_beam_on_springs_of_any_ratio(elements, power, seed):
    """Planar beams on random springs at both ends: a rigid bar on springs where they are soft, no zero anywhere."""
    rng = np.random.default_rng(seed)
    free = beam(elements)
    stiff = np.zeros(free.n)
    stiff[[0, 1, free.n - 2]] = 10**power * rng.uniform(0.5, 2, 3)
    found = fx.modes(free.with_(springs=np.diag(stiff)), 3)
    x = np.linspace(0, 1, elements + 1)
    q = np.zeros((len(x), 3, 3))
    q[:, 0, 0] = q[:, 1, 1] = q[:, 2, 2] = 1.0
    q[:, 1, 2] = x
    q = q.reshape(-1, 3)
    squares = scipy.linalg.eigh(q.T @ (stiff[:, None] * q), q.T @ (free.M @ q), eigvals_only=True)
    np.testing.assert_allclose(found.frequencies, np.sqrt(squares), rtol=1e-7 + 0.5 * 10**power)
    assert found.certificate


def test_springs_of_a_frame_survive_beside_it():
    section = fx.Section(2e11, 8e10, 7800, 4e-3, 2e-6, 1e-6)
    soft = {"u": 1e-3, "v": 2e-3, "w": 3e-3, "alpha": 1e-4, "beta": 1e-3, "gamma": 2e-3}
    frame = fx.BeamFrame([[0, 0, 0], [1, 0, 0]], [[0, 1]], section, springs={0: soft}).refined(30)
    system = fx.moving_system(frame)
    q, K = rigid_frame(frame.nodes), np.diag(list(soft.values()))
    squares = scipy.linalg.eigh(K, q.T @ (system.M @ q), eigvals_only=True)
    np.testing.assert_allclose(fx.modes(system, 6).frequencies, np.sqrt(squares), rtol=1e-8)


def rigid_frame(nodes):
    q = np.zeros((len(nodes), 6, 6))
    q[:] = np.eye(6)
    for k, axis in enumerate(np.eye(3)):
        q[:, :3, 3 + k] = np.cross(axis, nodes)
    return q.reshape(-1, 6)


def test_springs_stay_apart_when_something_else_is_changed():
    free = beam(4)
    system = free.with_(springs=np.diag(np.arange(free.n, dtype=float)))
    assert abs(system.K - free.K - system.apart).max() < 1e-12
    assert abs(system.with_(D=free.M).apart - system.apart).max() == 0
    assert abs(system.with_(D=free.M).K - system.K).max() == 0
    assert system.with_(K=free.K).apart is None
    assert abs(system.with_(springs=2 * system.apart).K - free.K - 2 * system.apart).max() < 1e-12
    assert abs(system.with_(springs=None).K - free.K).max() == 0
    with pytest.raises(fx.FlexuraError, match="springs is not symmetric"):
        free.with_(springs=np.triu(np.ones((free.n, free.n))))


BLOCK = plate(2, 1, 1, size=SIZE)


@given(
    places=st.lists(st.integers(0, len(BLOCK.nodes) * 3 - 1), min_size=1, max_size=5, unique=True),
    power=st.floats(-1, 3),
    how=st.sampled_from(["apart", "summed"]),
    nodes=st.booleans(),
)
@settings(max_examples=30, deadline=None)
def test_a_few_springs_hold_a_few_motions(places, power, how, nodes):
    """The other motions are free: as many zeros as springs do not reach, and the frequencies of a rigid block."""
    stiff = np.zeros(BLOCK.n)
    stiff[places] = 10**power
    springs, q = sparse.diags_array(stiff).tocsr(), rigid(BLOCK.nodes)
    squares = scipy.linalg.eigh(q.T @ (springs @ q), q.T @ (BLOCK.M @ q), eigvals_only=True)
    held = np.linalg.matrix_rank(q[places], tol=1e-9)
    # what a short arm holds only a little is no test of rounding
    assume(held == np.linalg.matrix_rank(q[places], tol=1e-2))
    system = BLOCK.with_(springs=springs) if how == "apart" else BLOCK.with_(K=BLOCK.K + springs)
    found = fx.modes(system if nodes else system.with_(nodes=None), 7)
    assert found.certificate, str(found.certificate)
    free = int((found.frequencies == 0.0).sum())
    if free != 6 - held:  # a short arm may hold less than rounding can: then that is said
        assert free > 6 - held
        assert "the rounding of K can" in str(found.certificate)
        held = 6 - free
    rounding = (2e-3 if how == "summed" else 1e-7) * max(10**-power, 1.0)
    exact, gives = np.sqrt(squares[6 - held :]), 1e-8 * 10**power  # the block itself
    np.testing.assert_allclose(found.frequencies[6 - held : 6], exact, rtol=rounding + gives)
