"""Matrices and meshes straight from finite element packages."""

from __future__ import annotations

from types import SimpleNamespace

import meshio
import numpy as np
import pytest
import scipy.sparse as sparse

import flexura as fx
from free_structures import plate


class Petsc:
    """What petsc4py says of an assembled matrix."""

    def __init__(self, A):
        self.A = sparse.csr_array(A)

    def getSize(self):
        return self.A.shape

    def getValuesCSR(self):
        return self.A.indptr, self.A.indices, self.A.data


def test_matrices_and_meshes_of_others_are_taken_as_they_come():
    own = plate(2, 2, 1)
    wanted = fx.modes(own, 7).frequencies
    csr = SimpleNamespace(to_scipy=lambda: sparse.csr_array(own.K))
    meshes = (
        meshio.Mesh(own.nodes, [("vertex", np.arange(len(own.nodes))[:, None])]),
        SimpleNamespace(tabulate_dof_coordinates=lambda: own.nodes),
        SimpleNamespace(p=own.nodes.T, t=np.zeros((8, 1))),
    )
    for mesh in meshes:
        system = fx.SecondOrderSystem(Petsc(own.M), None, csr, nodes=mesh)
        assert fx.rigid_body_modes(system).shape == (own.n, 6)
        assert fx.modes(system, 7).frequencies == pytest.approx(wanted, rel=1e-9)


def test_a_mesh_of_dolfinx_does_not_say_how_rows_are_counted():
    own = plate(2, 2, 1)
    mesh = SimpleNamespace(geometry=SimpleNamespace(x=own.nodes))
    with pytest.raises(fx.FlexuraError, match="another order than the rows"):
        fx.SecondOrderSystem(own.M, None, own.K, nodes=mesh)


def test_a_plane_mesh_of_meshio_has_two_rows_a_node():
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    mesh = meshio.Mesh(points, [("triangle", [[0, 1, 2]])])
    K = np.zeros((6, 6))
    for i, j in ((0, 1), (1, 2), (0, 2)):  # three bars
        d = points[j, :2] - points[i, :2]
        row = np.zeros(6)
        row[2 * i : 2 * i + 2], row[2 * j : 2 * j + 2] = -d, d
        K += np.outer(row, row) / (d @ d) ** 1.5
    assert fx.rigid_body_modes(fx.SecondOrderSystem(np.eye(6), None, K, nodes=mesh)).shape == (6, 3)


@pytest.mark.parametrize("elements", [2])
def test_scikit_fem_goes_straight_in(elements):
    """A free block of scikit-fem: its matrices and its mesh as they are, against eigsh."""
    skfem = pytest.importorskip("skfem")
    from scipy.sparse.linalg import eigsh
    from skfem.models.elasticity import lame_parameters, linear_elasticity

    mesh = skfem.MeshHex.init_tensor(*(np.linspace(0, size, elements + 1) for size in (2.0, 1.0, 0.5)))
    basis = skfem.Basis(mesh, skfem.ElementVector(skfem.ElementHex1()))
    K = linear_elasticity(*lame_parameters(1e3, 0.3)).assemble(basis)
    M = skfem.BilinearForm(lambda u, v, w: sum(u[k] * v[k] for k in range(3))).assemble(basis)
    found = fx.modes(fx.SecondOrderSystem(M, None, K, nodes=mesh), 8).frequencies
    assert found[:6] == pytest.approx(np.zeros(6), abs=0)
    wanted = np.sqrt(np.sort(eigsh(K, 8, M=M, sigma=-1.0, return_eigenvectors=False))[6:])
    assert found[6:] == pytest.approx(wanted, rel=1e-6)
