"""Constant rotation and constant torque: closed forms, the bordered equations, speeds that are too high."""

import numpy as np
import pytest
import scipy.sparse as sparse

import flexura as fx
from flexura.structures.operating.rigid import rigid_modes
from free_structures import bar, plate

E, RHO = 70e9, 2700.0


def spun(elements, speed):
    system = bar(elements)
    state = fx.operating_state(system, None, kind="rotation", axis="z", speed=speed)
    x, k = system.nodes[:, 0] - 0.5, speed * np.sqrt(RHO / E)
    exact = np.sin(k * x) / (k * np.cos(k / 2)) - x
    return state, np.abs(state.deformation - exact).max() / np.abs(exact).max()


def test_a_bar_that_turns_about_its_middle():
    """EA u'' + rho A W^2 (x + u) = 0 with free ends: u = sin(kx)/(k cos(k/2)) - x, k = W sqrt(rho/E)."""
    errors = [spun(n, 3000.0)[1] for n in (8, 16, 32)]
    assert errors[-1] < 1e-4
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.1)
    assert np.log2(errors[1] / errors[2]) == pytest.approx(2, abs=0.1)


def test_the_speed_at_which_the_bar_loses_its_stiffness():
    """cos(k/2) = 0 at k = pi; on all of space a free bar would be indefinite at every speed."""
    state, _ = spun(40, 100.0)
    assert state.critical_speed == pytest.approx(np.pi * np.sqrt(E / RHO), rel=1e-3)
    with pytest.raises(fx.FlexuraError, match=r"would not be from 16000\.3 rad/s on; give a lower speed, or the geom"):
        spun(40, 17000.0)
    assert spun(40, 15990.0)[0].residual < 1e-12  # as advised, just below
    system = bar(40)
    indefinite = np.linalg.eigvalsh(system.K - 100.0**2 * system.M)
    assert indefinite[0] < 0


def brick_and_friction(uniform):
    system = plate(5, 3, 2, size=(1.0, 0.6, 0.3), E=1e6, rho=1000.0)
    weight = np.ones(system.n // 3) if uniform else 1 + 3 * system.nodes[:, 0] ** 2 + system.nodes[:, 1]
    system = system.with_(D=sparse.csr_array(sparse.diags_array(0.1 * np.repeat(weight, 3))))
    turning = rigid_modes(system).motions[:, 5]
    return system, np.where(np.abs(turning) > 0.29, turning, 0.0)


def bordered(system, F, W):
    """theory, section 5: [K - W^2 M E + W D Z, M q; q'M, 0], dense, as it is written there."""
    n, found = system.n, rigid_modes(system)
    M, K, D, q = system.M.toarray(), system.K.toarray(), system.D.toarray(), found.motions
    Z = np.kron(np.eye(n // 3), [[0, -1, 0], [1, 0, 0], [0, 0, 0]])
    ring, r = np.kron(np.eye(n // 3), np.diag([1, 1, 0])), (system.nodes - found.centre).ravel()
    A = np.block([[K - W**2 * M @ ring + W * D @ Z, M @ q], [q.T @ M, np.zeros((6, 6))]])
    b = np.concatenate([F + W**2 * M @ ring @ r - W * D @ Z @ r, np.zeros(6)])
    return A, b


@pytest.mark.parametrize("uniform", [True, False])
def test_constant_torque_satisfies_the_bordered_equations(uniform):
    system, F = brick_and_friction(uniform)
    state = fx.operating_state(system, F, kind="torque", axis="z")
    A, b = bordered(system, F, state.rate)
    solved = np.linalg.solve(A, b)
    x, multipliers = solved[: system.n], solved[system.n :]
    assert np.abs(x - state.deformation).max() < 1e-10 * np.abs(x).max()
    assert abs(multipliers[5]) < 1e-10 * np.abs(F).max()
    left = A[: system.n, : system.n] @ state.deformation + A[: system.n, system.n :] @ multipliers - b[: system.n]
    assert np.abs(left).max() < 1e-10 * np.abs(b).max()
    carried = [abs(state.reactions[f"translation {axis}"]) for axis in "xy"]
    assert (max(carried) < 1e-9) == uniform  # uneven friction pulls at the bearings
    assert state.residual < 1e-12
    assert "converged in" in " ".join(state.notes)


def test_the_axis_of_a_torque_follows_from_the_load():
    system, F = brick_and_friction(True)
    state = fx.operating_state(system, F, kind="torque")
    assert state.axis == pytest.approx([0, 0, 1], abs=1e-9)
    assert state.rate == pytest.approx(fx.operating_state(system, F, kind="torque", axis="z").rate, rel=1e-9)
    assert fx.operating_state(system, F, kind="torque", axis="-z").rate == pytest.approx(-state.rate, rel=1e-9)


def test_a_stiff_body_turns_at_the_speed_of_a_rigid_one():
    system, F = brick_and_friction(True)
    stiff = system.with_(K=1e6 * system.K)
    turning = rigid_modes(system).motions[:, 5]
    rigid_speed = turning @ F / (turning @ (system.D @ turning))
    assert fx.operating_state(stiff, F, kind="torque", axis="z").rate == pytest.approx(rigid_speed, rel=1e-6)


def test_rotation_about_a_line_beside_the_mass_centre_loads_the_bearings():
    system = plate(4, 2, 1, size=(1.0, 0.6, 0.1))
    mass = 2700 * 0.06
    state = fx.operating_state(system, None, kind="rotation", axis="z", speed=10.0, point=(0.0, 0.3, 0.0))
    assert state.reactions["translation x"] == pytest.approx(-mass * 0.5 * 100, rel=1e-6)
    assert state.reactions["translation y"] == 0
    centred = fx.operating_state(system, None, kind="rotation", axis="z", speed=10.0)
    assert all(one == 0 for one in centred.reactions.values())


def test_rotation_about_a_slanted_axis_has_a_bearing_torque():
    system = plate(4, 2, 1, size=(1.0, 0.6, 0.1))
    state = fx.operating_state(system, None, kind="rotation", axis=(1, 0, 1), speed=10.0)
    mass = 2700 * 0.06
    inertia = np.diag([0.36 + 0.01, 1 + 0.01, 1.36]) * mass / 12
    omega = 10.0 * np.array([1, 0, 1]) / np.sqrt(2)
    torque = np.cross(omega, inertia @ omega)  # of the bearings, Euler
    assert [state.reactions[f"rotation {axis}"] for axis in "xyz"] == pytest.approx(torque, rel=2e-2, abs=1e-9)


def test_stiffening_raises_the_stiffness():
    system = plate(6, 2, 1, size=(1.0, 0.2, 0.05), E=1e7, rho=1000.0)
    soft = fx.operating_state(system, None, kind="rotation", axis="z", speed=8.0)
    assert soft.notes[0].startswith("Unstiffened")
    tension = 0.5 * system.K / abs(system.K).max()  # any positive matrix will do
    stiff = fx.operating_state(system, None, kind="rotation", axis="z", speed=8.0, stiffening=1e6 * tension)
    assert stiff.critical_speed > soft.critical_speed
    assert np.abs(stiff.deformation).max() < np.abs(soft.deformation).max()
    assert not any(note.startswith("Unstiffened") for note in stiff.notes)
    with pytest.raises(fx.FlexuraError, match="stiffening is not a matrix of"):
        fx.operating_state(system, None, kind="rotation", axis="z", speed=8.0, stiffening=np.eye(3))


def test_torque_without_friction_is_refused():
    system, F = brick_and_friction(True)
    with pytest.raises(fx.FlexuraError, match="There is no friction to balance the torque"):
        fx.operating_state(system.with_(D=None), F, kind="torque", axis="z")
    along_z = sparse.csr_array(sparse.diags_array(np.tile([0.0, 0.0, 1.0], system.n // 3)))
    with pytest.raises(fx.FlexuraError, match=r"Friction does not resist the rotation about \(0, 0, 1\)"):
        fx.operating_state(system.with_(D=along_z), F, kind="torque", axis="z")
    with pytest.raises(fx.FlexuraError, match=r"beyond .* rad/s, where the centrifugal load overcomes the stiffness"):
        fx.operating_state(system, 1e3 * F, kind="torque", axis="z")
    assert fx.operating_state(system.with_(D=1e3 * system.D), 1e3 * F, kind="torque", axis="z").rate > 0
