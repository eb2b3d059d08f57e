"""Static truths: one element is exact for end loads, with shear, with taper, anywhere; loads are consistent."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.spatial.transform import Rotation

import flexura as fx

E, G, A, Iy, Iz, J, ky, kz, L = 7.0e10, 2.6e10, 1.2e-3, 4.0e-7, 9.0e-7, 6.0e-7, 0.8, 0.6, 0.9


def section(**changes):
    values = {"E": E, "G": G, "rho": 2700.0, "A": A, "Iy": Iy, "Iz": Iz, "J": J, "ky": ky, "kz": kz}
    return fx.Section(**(values | changes))


def tip(frame, load):
    K = fx.moving_system(frame).K.toarray()
    return np.linalg.solve(K, load)


def wanted(force, moment, shear=True):
    """Displacement and rotation of a cantilever's tip in its own axes."""
    Fx, Fy, Fz = force
    Mx, My, Mz = moment
    s = 1.0 if shear else 0.0
    return np.array(
        [
            Fx * L / (E * A),
            Fy * L**3 / (3 * E * Iz) + Mz * L**2 / (2 * E * Iz) + s * Fy * L / (ky * G * A),
            Fz * L**3 / (3 * E * Iy) - My * L**2 / (2 * E * Iy) + s * Fz * L / (kz * G * A),
            Mx * L / (G * J),
            My * L / (E * Iy) - Fz * L**2 / (2 * E * Iy),
            Mz * L / (E * Iz) + Fy * L**2 / (2 * E * Iz),
        ]
    )


@pytest.mark.parametrize("shear", [True, False])
@pytest.mark.parametrize("backwards", [False, True])
def test_one_element_is_exact_for_end_loads_anywhere_in_space(shear, backwards):
    turn = Rotation.from_rotvec([0.4, -1.1, 0.7]).as_matrix()
    nodes, pair = np.array([[0, 0, 0], [L, 0, 0]]) @ turn.T + [1, 2, 3], [[0, 1]]
    y_axis = turn[:, 1] * (-1 if backwards else 1)
    if backwards:
        nodes, pair = nodes, [[1, 0]]
    frame = fx.BeamFrame(nodes, pair, section(), supports={0: "all"}, y_axis=y_axis, shear=shear)
    force, moment = np.array([300.0, -120.0, 75.0]), np.array([11.0, 23.0, -17.0])
    found = tip(frame, np.concatenate([turn @ force, turn @ moment]))
    local = np.concatenate([turn.T @ found[:3], turn.T @ found[3:]])
    assert local == pytest.approx(wanted(force, moment, shear), rel=1e-12)


def test_shear_never_locks():
    for slender in (1e-1, 1e-3, 1e-5):
        thin = section(A=slender, Iy=slender**3 / 12, Iz=slender**3 / 12)
        frame = fx.BeamFrame([[0, 0, 0], [L, 0, 0]], [[0, 1]], thin, supports={0: "all"})
        found = tip(frame, [0, 1.0, 0, 0, 0, 0])[1]
        assert found == pytest.approx(L**3 / (3 * E * slender**3 / 12) + L / (ky * G * slender), rel=1e-11)


def test_a_tapered_element_is_exact_too():
    taper = section(A="1.2e-3*(1 - x/2)", Iz="9e-7*(1 - x/2)**3", Iy=lambda x: 4e-7 * np.exp(-x), J="6e-7*(1 - x/2)**3")
    frame = fx.BeamFrame([[0, 0, 0], [L, 0, 0]], [[0, 1]], taper, supports={0: "all"})
    inertia, area = lambda x: 9e-7 * (1 - x / 2) ** 3, lambda x: 1.2e-3 * (1 - x / 2)
    v = quad(lambda x: (L - x) ** 2 / (E * inertia(x)) + 1 / (ky * G * area(x)), 0, L, epsabs=0, epsrel=1e-13)[0]
    w = quad(lambda x: (L - x) ** 2 / (E * 4e-7 * np.exp(-x)) + 1 / (kz * G * area(x)), 0, L, epsabs=0, epsrel=1e-13)[0]
    u = quad(lambda x: 1 / (E * area(x)), 0, L, epsabs=0, epsrel=1e-13)[0]
    assert tip(frame, [0, 1.0, 0, 0, 0, 0])[1] == pytest.approx(v, rel=1e-12)
    assert tip(frame, [0, 0, 1.0, 0, 0, 0])[2] == pytest.approx(w, rel=1e-12)
    assert tip(frame, [1.0, 0, 0, 0, 0, 0])[0] == pytest.approx(u, rel=1e-12)
    cut = frame.refined(3)
    assert tip(cut, np.eye(18)[cut.dof(1, "v")])[cut.dof(1, "v")] == pytest.approx(v, rel=1e-11)


def test_distributed_loads_give_exact_end_values():
    frame = fx.BeamFrame([[0, 0, 0], [L, 0, 0]], [[0, 1]], section(), supports={0: "all"})
    q = 40.0
    load = fx.FrameLoad(elements={0: {"v": q, "gamma": 5.0, "u": (0.0, 30.0)}})
    system = fx.moving_system(frame, loads=load, geometric=False)
    found = np.linalg.solve(system.K.toarray(), system.F)
    v = q * L**4 / (8 * E * Iz) + q * L**2 / (2 * ky * G * A) + 5.0 * L**3 / (3 * E * Iz)
    assert found[1] == pytest.approx(v, rel=1e-12)
    assert found[0] == pytest.approx(30.0 * L**2 / (3 * E * A), rel=1e-12)  # int x p(x)/(EA)


def test_a_load_along_the_elements_own_axes():
    frame = fx.BeamFrame([[0, 0, 0], [0, 0, L]], [[0, 1]], section(), supports={0: "all"})
    across = fx.FrameLoad(elements={0: {"v": 3.0}}, axes="element")
    e2 = frame.axes[0, 1]
    same = fx.FrameLoad(elements={0: {"u": 3.0 * e2[0], "v": 3.0 * e2[1], "w": 3.0 * e2[2]}})
    assert pytest.approx(fx.moving_system(frame, loads=same).F) == fx.moving_system(frame, loads=across).F


def test_an_offset_is_a_rigid_arm():
    arm = (0.05, -0.1, 0.2)
    moved = fx.BeamFrame(
        [[0, 0, 0], [L, 0, 0]], [[0, 1]], section(), supports={0: "all"}, offsets={0: ((0, 0, 0), arm)}
    )
    node = np.array([L, 0, 0])
    linked = fx.BeamFrame(
        [[0, 0, 0], node + arm, node], [[0, 1]], section(), supports={0: "all"}, links={(2, 1): "all"}
    )
    first, second = fx.moving_system(moved, geometric=False), fx.moving_system(linked, geometric=False)
    for name in ("M", "K"):
        a, b = getattr(first, name).toarray(), getattr(second, name).toarray()
        assert np.abs(a - b).max() < 1e-12 * np.abs(a).max()
    direct = fx.BeamFrame([[0, 0, 0], node + arm], [[0, 1]], section(), supports={0: "all"})
    F = np.array([3.0, -2.0, 1.0])
    at_end = tip(direct, np.concatenate([F, [0, 0, 0]]))
    at_node = tip(moved, np.concatenate([F, np.cross(arm, F)]))
    assert at_node[:3] + np.cross(at_node[3:], arm) == pytest.approx(at_end[:3], rel=1e-10)


def test_a_hinge_carries_no_moment():
    """Two cantilevers whose tips meet in a hinge share a force; each deflects as half of it bends it."""
    nodes = [[0, 0, 0], [L, 0, 0], [L, 0, 0], [2 * L, 0, 0]]
    frame = fx.BeamFrame(
        nodes, [[0, 1], [2, 3]], section(), supports={0: "all", 3: "all"}, links={(1, 2): "u v w"}, shear=False
    )
    system = fx.moving_system(frame)
    found = np.linalg.solve(system.K.toarray(), np.eye(system.n)[frame.dof(1, "v")] * 2)
    assert found[frame.dof(1, "v")] == pytest.approx(L**3 / (3 * E * Iz), rel=1e-12)
    assert found[frame.dof(1, "gamma")] == pytest.approx(-found[frame.dof(2, "gamma")], rel=1e-10)


def test_resultants_of_a_loaded_cantilever():
    frame = fx.BeamFrame([[0, 0, 0], [L, 0, 0]], [[0, 1]], section(), supports={0: "all"}).refined(3)
    load = [fx.FrameLoad(elements={e: {"v": 40.0} for e in range(3)})]
    system = fx.moving_system(frame, loads=load, geometric=False)
    d = np.linalg.solve(system.K.toarray(), system.F)
    found = fx.resultants(frame, d, loads=load[0])
    along = found.x + np.arange(3)[:, None] * L / 3
    assert found.Mz == pytest.approx(40.0 * (L - along) ** 2 / 2, rel=1e-9, abs=1e-9)
    assert found.Vy == pytest.approx(40.0 * (L - along), rel=1e-9, abs=1e-9)


def test_resultants_of_a_turning_bar_are_the_centrifugal_force():
    speed = 3.0
    frame = fx.BeamFrame([[0.2, 0, 0], [0.2 + L, 0, 0]], [[0, 1]], section(), supports={0: "all"}).refined(4)
    body = fx.MovingFrame(omega=(0, 0, speed))
    system = fx.moving_system(frame, body)
    d = np.linalg.solve(system.K.toarray(), system.F)
    found = fx.resultants(frame, d, body=body)
    x = 0.2 + found.x + np.arange(4)[:, None] * L / 4
    centrifugal = 2700.0 * A * speed**2 * ((0.2 + L) ** 2 - x**2) / 2  # the stretch itself adds 1e-7 of it
    assert pytest.approx(centrifugal, rel=1e-6, abs=1e-6) == found.N


def test_loose_frames_say_what_is_loose():
    frame = fx.BeamFrame([[0, 0, 0], [L, 0, 0]], [[0, 1]], section(), supports={0: "u v w"})
    free = fx.moving_system(frame).parts["rigid"]
    assert free.shape == (9, 3)
    K = fx.moving_system(frame).parts["K"]
    assert np.abs(K @ free).max() < 1e-9 * abs(K).max()
    with pytest.raises(
        fx.FlexuraError, match=r"nothing holds the motion .* of node \d.*3 rigid motions .*add a support"
    ):
        fx.critical_speed(frame)
    assert fx.critical_speed(frame.with_(supports={0: "all"})) > 0  # the advice helps
