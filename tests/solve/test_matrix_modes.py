"""Modes of matrices: counted, exact zeros, damped roots, large sparse systems, instability."""

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.linalg import eigsh

import flexura as fx
from free_structures import bar, beam, network, plate


def test_a_free_bar():
    """omega = k pi sqrt(E/rho), from above."""
    found = fx.modes(bar(200), 5)
    exact = np.arange(5) * np.pi * np.sqrt(70e9 / 2700)
    assert found.frequencies[0] == 0.0
    assert found.frequencies[1:] == pytest.approx(exact[1:], rel=2e-3)
    assert np.all(found.frequencies[1:] > exact[1:])
    assert found.certificate
    assert found.certificate.below == 5
    assert "1 of them zero (translation x)" in str(found.certificate)
    assert np.all(found.damping_ratios == 0)


def test_fine_beams_keep_their_digits():
    """Through 1/omega^2 the low modes of a fine mesh do not drown in round-off: 22.3733 (free-free)."""
    found = fx.modes(beam(120), 5)
    assert (found.frequencies[:3] == 0).all()
    assert found.frequencies[3:] == pytest.approx([22.37328545, 61.67282287], rel=1e-6)


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.booleans())
def test_modes_are_those_of_a_dense_solver(seed, free):
    system, _ = network(seed, free)
    found = fx.modes(system, system.n)
    squares = scipy.linalg.eigh(system.K, system.M, eigvals_only=True)
    assert found.frequencies**2 == pytest.approx(squares, rel=1e-7, abs=1e-9 * squares[-1])
    assert found.certificate
    Phi = np.column_stack([found.shape(k) for k in range(system.n)])
    assert np.abs(Phi.T @ system.M @ Phi - np.eye(system.n)).max() < 1e-8


def test_large_sparse_systems_are_counted():
    system = plate(14, 12, 1)
    assert system.n > 700
    found = fx.modes(system, 20)
    squares = np.sort(eigsh(system.K, 20, system.M, sigma=-1e4, return_eigenvectors=False))
    assert (found.frequencies[:6] == 0).all()
    assert found.frequencies[6:] == pytest.approx(np.sqrt(squares[6:]), rel=1e-6)
    assert found.certificate.verified
    assert found.certificate.residual < 1e-10


def test_repeated_modes_of_a_square_plate_are_all_there():
    system = plate(10, 10, 1, size=(1.0, 1.0, 0.05))
    found = fx.modes(system, 11)
    assert found.frequencies[9] == pytest.approx(found.frequencies[10], rel=1e-9)  # 34.8 twice
    assert found.certificate
    assert fx.modes(system, 10).certificate  # the list ends inside a pair


def test_shapes_are_vectors_with_names():
    system = bar(4).with_(dofs=("a", "b", "c", "d", "e"))
    shape = fx.modes(system, 2).shape(1)
    assert shape["c"] == pytest.approx(0, abs=1e-9)
    assert shape["a"] == pytest.approx(-shape["e"])
    assert shape @ (system.M @ shape) == pytest.approx(1)
    assert shape.coordinates["a"] == shape[0]
    assert shape.fields == {}
    with pytest.raises(fx.FlexuraError, match="The shape has no 'z'; it knows a, b, c, d, e"):
        shape["z"]
    with pytest.raises(fx.FlexuraError, match="There is no mode 7"):
        fx.modes(system, 2).shape(7)


def test_fewer_modes_where_there_are_fewer():
    assert len(fx.modes(bar(3), 10)) == 4
    massless = fx.SecondOrderSystem(np.diag([1.0, 0.0]), None, np.array([[2.0, -1], [-1, 2]]))
    assert fx.modes(massless, 10).frequencies == pytest.approx([np.sqrt(1.5)])


@pytest.mark.parametrize("damping", ["proportional", "relative", "absolute"])
@pytest.mark.parametrize("free", [True, False])
def test_damped_roots(damping, free):
    system, _ = network(12, free, damping)
    found = fx.modes(system, 8)
    n = system.n
    A = np.block(
        [[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(system.M, system.K), -np.linalg.solve(system.M, system.D)]]
    )
    roots = np.linalg.eigvals(A)
    roots = roots[(np.abs(roots) > 1e-6) & (roots.imag >= 0)]
    roots = roots[np.argsort(np.abs(roots))]
    zeros = int(free)
    assert (found.eigenvalues[:zeros] == 0).all()
    assert found.eigenvalues[zeros:] == pytest.approx(roots[: 8 - zeros], rel=1e-6)
    assert found.certificate
    assert np.all(found.damping_ratios >= -1e-12)
    s, x = found.eigenvalues[4], np.asarray(found.shape(4))
    left = (s * s * system.M + s * system.D + system.K) @ x
    assert np.abs(left).max() < 1e-8 * np.abs(system.K @ x).max()


def test_roots_near_a_point():
    system, _ = network(12, True, "relative")
    everything = fx.modes(system, 200).eigenvalues
    target = everything[6]
    found = fx.modes(system, 2, near=complex(target) * (1 + 1e-3))
    assert found.eigenvalues[0] == pytest.approx(target, rel=1e-8)


def test_a_large_damped_system():
    system = plate(14, 12, 1)
    rigid = fx.modes(system, 12)
    damped = fx.modes(system.with_(D=2e-6 * system.K), 12)
    assert (damped.eigenvalues[:6] == 0).all()
    assert damped.frequencies[6:] == pytest.approx(rigid.frequencies[6:], rel=1e-6)
    assert damped.damping_ratios[6:] == pytest.approx(1e-6 * rigid.frequencies[6:], rel=1e-4)
    assert not damped.certificate  # found, not counted
    assert "not counted" in str(damped.certificate)


def test_gyroscopic_roots():
    """A symmetric spinning mass: omega = sqrt(k + g^2) +- g."""
    g, k = 0.7, 4.0
    system = fx.SecondOrderSystem(np.eye(2), None, k * np.eye(2), G=np.array([[0, -2 * g], [2 * g, 0]]))
    found = fx.modes(system, 2)
    assert found.frequencies == pytest.approx([np.sqrt(k + g * g) - g, np.sqrt(k + g * g) + g])


def test_instability_is_shown_not_raised():
    system = fx.SecondOrderSystem(np.eye(2), None, np.diag([-4.0, 9.0]))
    found = fx.modes(system, 5)
    assert found.eigenvalues == pytest.approx([-2, 2, 3j])
    assert "UNSTABLE: 1 modes grow" in str(found.certificate)
    follower = fx.SecondOrderSystem(np.eye(2), None, np.eye(2), H=np.array([[0, 1.0], [-1, 0]]))
    assert fx.modes(follower, 4).certificate.unstable == 1


def test_wrong_questions():
    with pytest.raises(fx.FlexuraError, match="count is 0"):
        fx.modes(bar(3), 0)
    with pytest.raises(fx.FlexuraError, match="neither equations nor a system of matrices; derive equations with"):
        fx.modes("model", 3)


def test_dense_and_sparse_agree():
    system = bar(20)
    dense, thin = (
        fx.modes(system, 6),
        fx.modes(fx.SecondOrderSystem(sparse.csr_array(system.M), None, sparse.csr_array(system.K)), 6),
    )
    assert dense.frequencies == pytest.approx(thin.frequencies, rel=1e-10)


def spun(elements, omega=(0, 0, 5), **changes):
    """A free bar about its middle; its section is not alike across, so no two moments of inertia are equal."""
    section = fx.Section(2e11, 8e10, 7800, 1e-4, 2e-9, 1e-9)
    bar = fx.BeamFrame([[-0.5, 0, 0], [0.5, 0, 0]], [[0, 1]], section, **changes).refined(elements)
    return fx.moving_system(bar, fx.MovingFrame(omega=omega))


def test_a_free_frame_that_turns_has_the_roots_of_its_matrices() -> None:
    """Rows of very different units, double roots at zero and at the speed: the others keep their digits."""
    system = spun(4)
    found = fx.modes(system, 13)
    M, C, K = (one.toarray() for one in (system.M, system.rates, system.displacements))
    companion = np.block([[0 * M, np.eye(len(M))], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    expected = np.linalg.eigvals(companion)
    fast = found.eigenvalues.imag[found.eigenvalues.imag > 100]
    expected = np.sort(expected.imag[(expected.imag > 100)])[: len(fast)]
    assert len(fast) == 6
    np.testing.assert_allclose(fast, expected, rtol=1e-9)
    assert found.certificate.residual < 1e-10


def euler(inertia, axis, speed):
    """The exponents of a torque-free body about a principal axis, seen from the frame that turns with it.

    Zero for travel along the axis and for the angle about it, each with its drift; the speed for travel across it, with
    its drift, and for the direction of the angular momentum, both fixed in space; and Euler's: s^2 = -(I3 - I1)
    (I3 - I2) / (I1 I2) W^2.
    """
    I3, (I1, I2) = inertia[axis], np.delete(inertia, axis)
    square = -(I3 - I1) * (I3 - I2) / (I1 * I2) * speed**2
    slow = [1j * np.sqrt(-square)] if square < 0 else [-np.sqrt(square), np.sqrt(square)]
    roots = np.array([0, 0, *slow, *[1j * speed] * 3], dtype=complex)
    return roots[np.lexsort((roots.real, np.abs(roots).round(9)))]


@pytest.mark.parametrize("elements", [1, 4, 60])
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("speed", [0.05, 5.0])
def test_a_free_bar_that_turns_is_a_rigid_body_however_fine_its_mesh(elements, axis, speed):
    """Elastic frequencies are 70 speeds away and more, so Euler's exponents hold to the square of that."""
    found = fx.modes(spun(elements, speed * np.eye(3)[axis]), 9)
    inertia = 7800 * np.array([3e-9, 1e-4 / 12 + 2e-9, 1e-4 / 12 + 1e-9])
    expected = euler(inertia, axis, speed)
    np.testing.assert_allclose(
        found.eigenvalues[: len(expected)], expected, rtol=2e-3 if speed > 1 else 1e-6, atol=1e-10
    )
    exact = np.abs(expected) == speed
    np.testing.assert_allclose(found.eigenvalues[: len(expected)][exact], 1j * speed, rtol=1e-7)
    assert (found.eigenvalues[:2] == 0).all()
    assert np.abs(found.eigenvalues[len(expected)]) > 70
    assert found.certificate
    assert "Zero is a root 4 times, in 2 entries" in str(found.certificate)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([1, 3, 12]), st.sampled_from([0, 1, 2]), st.floats(-2, 1.3))
def test_random_free_frames_that_turn_about_a_principal_axis(seed, refinement, axis, power):
    """Bars in one line with bodies on it, in any direction of space: a rigid body seen from the turning frame."""
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    turn = turn * np.linalg.det(turn)
    along = np.sort(rng.uniform(-1, 1, 4))
    masses, moments = rng.uniform(1, 9, 2), rng.uniform(0.01, 0.09, (2, 3))
    area, Iy, Iz = 4e-3, *rng.uniform(1e-6, 4e-6, 2)
    length = along[-1] - along[0]
    middle, line = (along[-1] + along[0]) / 2, 7800 * area * length
    centre = (line * middle + masses @ along[1:3]) / (line + masses.sum())
    across = line * (length**2 / 12 + (middle - centre) ** 2) + masses @ (along[1:3] - centre) ** 2
    inertia = np.array([0, across, across]) + 7800 * length * np.array([Iy + Iz, Iy, Iz]) + moments.sum(axis=0)
    bodies = {1 + k: (masses[k], turn @ np.diag(moments[k]) @ turn.T) for k in range(2)}
    nodes = np.outer(along - centre, turn[:, 0])
    section = fx.Section(2e11, 8e10, 7800, area, Iy, Iz)
    frame = fx.BeamFrame(nodes, [[0, 1], [1, 2], [2, 3]], section, bodies=bodies, y_axis=turn[:, 1])
    speed = 10**power
    system = fx.moving_system(frame.refined(refinement), fx.MovingFrame(omega=speed * turn[:, axis]))
    found = fx.modes(system, 8)
    expected = euler(inertia, axis, speed)
    size = np.abs(found.eigenvalues[len(expected)]) / speed  # how far elastic frequencies are
    slow = found.eigenvalues[: len(expected)]
    np.testing.assert_allclose(slow, expected, rtol=1e-7 + 20 / size**2, atol=1e-9 * speed)
    assert (found.eigenvalues[:2] == 0).all()
    assert found.certificate
    assert "Zero is a root 4 times, in 2 entries" in str(found.certificate)
