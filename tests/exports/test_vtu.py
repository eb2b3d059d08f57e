"""Deformed structures as files for ParaView."""

import meshio
import numpy as np
import pytest

import flexura as fx
from free_structures import bar, plate


def test_a_state_is_written_on_its_nodes(tmp_path):
    system = plate(3, 2, 1)
    state = fx.operating_state(system, np.eye(1, system.n, 2)[0], instantaneous=True)
    corners = np.array([[0, 6, 8, 2, 1, 7, 9, 3]])
    path = fx.write_vtu(state, tmp_path / "state.vtu", cells={"hexahedron": corners}, twice=2 * state.deformation)
    mesh = meshio.read(path)
    assert mesh.points == pytest.approx(system.nodes)
    assert mesh.point_data["deformation"].ravel() == pytest.approx(state.deformation)
    assert mesh.point_data["acceleration"].ravel() == pytest.approx(state.rate)
    assert mesh.point_data["twice"] == pytest.approx(2 * mesh.point_data["deformation"])
    assert mesh.cells_dict["hexahedron"].tolist() == corners.tolist()


def test_a_reduced_basis_is_written(tmp_path):
    system = bar(6)
    reduced = fx.reduce(system, np.eye(1, 7, 0)[0], 2)
    mesh = meshio.read(fx.write_vtu(reduced, tmp_path / "basis.vtu"))
    assert set(mesh.point_data) == {"q1", "a0", "a1"}
    assert mesh.point_data["a1"][:, 0] == pytest.approx(reduced.basis[:, 2])


def test_what_cannot_be_written_is_told(tmp_path):
    system = bar(6)
    with pytest.raises(fx.FlexuraError, match="no node coordinates"):
        fx.write_vtu(system.with_(nodes=None), tmp_path / "a.vtu")
    with pytest.raises(fx.FlexuraError, match="The field bend has the shape"):
        fx.write_vtu(system, tmp_path / "a.vtu", bend=np.ones(3))
    with pytest.raises(fx.FlexuraError, match="name nodes outside 0 to 6"):
        fx.write_vtu(system, tmp_path / "a.vtu", cells={"line": [[0, 9]]})
    with pytest.raises(fx.FlexuraError, match="has no nodes to write"):
        fx.write_vtu("state", tmp_path / "a.vtu")
    with pytest.raises(fx.FlexuraError, match="cannot be written"):
        fx.write_vtu(system, tmp_path / "a.unknown", bend=np.ones(7))


def test_modes_are_written_on_the_nodes_of_their_system(tmp_path):
    system = plate(3, 2, 1)
    found = fx.modes(system, 8)
    mesh = meshio.read(fx.write_vtu(found, tmp_path / "modes.vtu"))
    assert mesh.point_data["mode_8"].ravel() == pytest.approx(np.asarray(found.shape(7)))
    reduced = fx.reduce(system, np.eye(1, system.n, 2)[0], 6)
    small = fx.modes(reduced, 8)
    mesh = meshio.read(fx.write_vtu(small, tmp_path / "small.vtu"))
    assert mesh.point_data["mode_7"].ravel() == pytest.approx(reduced.basis @ np.asarray(small.shape(6)))


STEEL = fx.Section(2e11, 8e10, 7800.0, 1e-4, 1e-9, 1e-9)
ARM = fx.BeamFrame([[0, 0, 0], [0.5, 0, 0], [1, 0, 0]], [[0, 1], [1, 2]], STEEL, supports={0: "all"})


def test_turning_modes_and_frames_have_their_lines(tmp_path):
    system = fx.moving_system(ARM, fx.MovingFrame(omega=(0, 0, 30.0)))
    found = fx.modes(system, 2)
    mesh = meshio.read(fx.write_vtu(found, tmp_path / "modes.vtu", frame=ARM))
    assert mesh.cells_dict["line"].tolist() == [[0, 1], [1, 2]]
    shape = np.asarray(found.shape(0))
    assert mesh.point_data["mode_1"][2] == pytest.approx(shape.real[6:9])
    mesh = meshio.read(fx.write_vtu(ARM, tmp_path / "arm.vtu", bend=np.arange(12.0)))
    assert mesh.point_data["bend"].tolist() == [[0, 0, 0], [0, 1, 2], [6, 7, 8]]
    with pytest.raises(fx.FlexuraError, match="The field bend has the shape"):
        fx.write_vtu(ARM, tmp_path / "arm.vtu", bend=np.ones(3))


def test_a_run_is_a_file_for_each_time_and_one_that_opens_them(tmp_path):
    t = np.linspace(0, 0.02, 3)
    mechanism = fx.Mechanism(fx.rotating_arm("40*t"), {"arm": ARM})
    run = fx.simulate(mechanism, t, step=1e-3)
    path = fx.write_vtu(run, tmp_path / "arm.vtu", frame=mechanism)
    assert path.name == "arm.pvd"
    assert path.read_text(encoding="utf-8").count("<DataSet") == 3
    mesh = meshio.read(tmp_path / "arm_0002.vtu")
    assert mesh.points[2] == pytest.approx(run["arm"].position(2)[2])
    alone = fx.simulate(ARM, t, body=fx.MovingFrame.turning("z", "40*t"), step=1e-3)
    assert fx.write_vtu(alone, tmp_path / "alone.vtu", frame=ARM).exists()
    with pytest.raises(fx.FlexuraError, match="give frame="):
        fx.write_vtu(run, tmp_path / "arm.vtu")
