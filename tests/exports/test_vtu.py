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
