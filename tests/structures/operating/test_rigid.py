"""Rigid-body modes: from coordinates, from K, with supports and with mechanisms."""

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sparse

import flexura as fx
from flexura.structures.operating.geometry import geometry_of
from flexura.structures.operating.rigid import rigid_modes
from free_structures import bar, beam, network, plate


def orthonormal(system, Q):
    return np.abs(Q.T @ (system.M @ Q) - np.eye(Q.shape[1])).max(initial=0)


def stiffless(system, Q):
    return np.abs(system.K @ Q).max() / (abs(system.K).max() * np.abs(Q).max())


@pytest.mark.parametrize(("system", "count"), [(bar(7), 1), (beam(6), 3), (plate(3, 2, 1), 6), (network(3)[0], 1)])
@pytest.mark.parametrize("coordinates", [True, False])
def test_modes_of_free_structures(system, count, coordinates):
    system = system if coordinates else system.with_(nodes=None)
    Q = fx.rigid_body_modes(system)
    assert Q.shape == (system.n, count)
    assert orthonormal(system, Q) < 1e-12
    assert stiffless(system, Q) < 1e-13


def test_both_ways_span_the_same_motions():
    system = plate(4, 3)
    a, b = fx.rigid_body_modes(system), fx.rigid_body_modes(system.with_(nodes=None))
    assert np.abs(a - b @ (b.T @ (system.M @ a))).max() < 1e-9 * np.abs(a).max()


def test_a_large_sparse_kernel_is_found_without_coordinates():
    system = plate(16, 12, 2, size=(1.0, 0.8, 0.2))
    assert system.n > 1200  # beyond the dense way
    found = rigid_modes(system.with_(nodes=None))
    assert found.count == 6
    assert orthonormal(system, found.Q) < 1e-12
    assert stiffless(system, found.Q) < 1e-12


def test_a_held_structure_has_none():
    system = plate(3, 2)
    keep = np.arange(9, system.n)
    held = fx.SecondOrderSystem(system.M[keep][:, keep], None, system.K[keep][:, keep])
    assert fx.rigid_body_modes(held).shape == (held.n, 0)


def test_supports_leave_what_they_leave():
    system = beam(5)
    names = [f"{motion}{node}" for node in range(6) for motion in ("u", "v", "gamma")]

    def without(*gone):
        keep = [i for i, name in enumerate(names) if name not in gone]
        return fx.SecondOrderSystem(
            system.M[keep][:, keep], None, system.K[keep][:, keep], nodes=system.nodes, dofs=[names[i] for i in keep]
        )

    hinge = rigid_modes(without("u0", "v0"))
    assert hinge.names == ("rotation z about a support",)
    x = np.linspace(0, 1, 6)[1:]
    turned = hinge.motions[:, 0]
    assert np.allclose(turned[[i for i, name in enumerate(without("u0", "v0").dofs) if name[0] == "v"]], x)
    assert rigid_modes(without("v0", "v5")).names == ("translation x",)
    assert rigid_modes(without("v0", "v5", "u2")).names == ()


def test_a_mechanism_is_named():
    """Two free plates in one model move apart: six motions more than one body has."""
    one = plate(2, 1)
    two = fx.SecondOrderSystem(
        sparse.block_diag([one.M, one.M], format="csr"), None, sparse.block_diag([one.K, one.K], format="csr"),
        nodes=np.vstack([one.nodes, one.nodes + np.array([0, 0, 3.0])]),
    )  # fmt: skip
    with pytest.warns(UserWarning, match="Beyond its 6 rigid motions the structure has 6 mechanisms: mechanism of x"):
        Q = fx.rigid_body_modes(two)
    assert Q.shape[1] == 12
    assert orthonormal(two, Q) < 1e-11
    assert stiffless(two, Q) < 1e-12


def test_a_hinge_inside_a_beam_is_a_mechanism_of_its_rows():
    """Two beams that share the displacement of a node, not its rotation."""
    left = beam(3)
    n = left.n
    T = np.zeros((2 * n, 2 * n - 2))
    T[:n, :n] = np.eye(n)
    T[n, n - 3] = T[n + 1, n - 2] = 1.0
    T[n + 2 :, n:] = np.eye(n - 2)
    K, M = (T.T @ scipy.linalg.block_diag(one.toarray(), one.toarray()) @ T for one in (left.K, left.M))
    nodes = np.column_stack([np.linspace(0, 2, 7), np.zeros(7)])
    dofs = [f"{m}{i}" for i in range(4) for m in ("u", "v", "gamma")] + ["gamma3"]
    dofs += [f"{m}{i}" for i in range(4, 7) for m in ("u", "v", "gamma")]
    found = rigid_modes(fx.SecondOrderSystem(M, None, K, nodes=nodes, dofs=dofs))
    assert found.names[:3] == ("translation x", "translation y", "rotation z")
    assert found.count == 4
    assert found.names[3].startswith("mechanism of")


def test_the_mass_centre_of_an_uneven_body():
    system = plate(3, 2, 2)
    extra = np.zeros(system.n)
    extra[3:6] = 50.0  # a mass at node 1
    heavy = system.with_(M=system.M + sparse.diags_array(extra))
    m = np.einsum("i,i->", np.ones(system.n // 3), (system.M @ np.tile([1.0, 0, 0], system.n // 3))[0::3])
    centre = (m * np.array([0.5, 0.4, 0.01]) + 50.0 * system.nodes[1]) / (m + 50.0)
    assert rigid_modes(heavy).centre == pytest.approx(centre, abs=1e-12)


@pytest.mark.parametrize(
    ("names", "rows"),
    [
        (["u0", "v0", "u1", "v1"], [(0, 0), (0, 1), (1, 0), (1, 1)]),
        (["0:x", "0:y", "1:x", "1:y"], [(0, 0), (0, 1), (1, 0), (1, 1)]),
        (["101.T1", "101.R3", "205.T1", "205.R3"], [(0, 0), (0, 5), (1, 0), (1, 5)]),
        (["alpha_0", "w[0]", "alpha_1", "w[1]"], [(0, 3), (0, 2), (1, 3), (1, 2)]),
    ],
)
def test_names_of_rows_are_read(names, rows):
    found = geometry_of(fx.SecondOrderSystem(np.eye(4), None, np.eye(4), nodes=[[0.0, 0, 0], [1, 0, 0]], dofs=names))
    assert list(zip(found.node.tolist(), found.motion.tolist(), strict=True)) == rows


def test_an_indefinite_stiffness_is_told():
    system = plate(3, 2)
    K = system.K - sparse.diags_array(np.eye(1, system.n, 20)[0] * 1e12)
    with pytest.raises(fx.FlexuraError, match="The stiffness matrix K is indefinite: 1 motion"):
        fx.rigid_body_modes(system.with_(K=K))
    with pytest.raises(fx.FlexuraError, match="indefinite"):
        fx.rigid_body_modes(fx.SecondOrderSystem(np.eye(2), None, np.diag([1.0, -1.0])))


def test_large_systems_are_judged_without_pivots(monkeypatch):
    """Beyond a size pivots are not read; Lanczos sees what is negative, inverse iteration what is free."""
    import flexura.structures.operating.split as rigid

    monkeypatch.setattr(rigid, "_COUNTED", 10)
    system = plate(4, 3)
    assert fx.rigid_body_modes(system).shape == (system.n, 6)
    assert fx.rigid_body_modes(system.with_(nodes=None)).shape == (system.n, 6)
    K = system.K - sparse.diags_array(np.eye(1, system.n, 20)[0] * 0.9 * system.K.diagonal()[20])
    with pytest.raises(fx.FlexuraError, match="indefinite"):
        fx.rigid_body_modes(system.with_(K=K))
    one = plate(2, 1)
    two = fx.SecondOrderSystem(
        sparse.block_diag([one.M, one.M], format="csr"), None, sparse.block_diag([one.K, one.K], format="csr"),
        nodes=np.vstack([one.nodes, one.nodes + np.array([0, 0, 3.0])]),
    )  # fmt: skip
    with pytest.warns(UserWarning, match="6 mechanisms"):
        assert fx.rigid_body_modes(two).shape == (two.n, 12)


def test_large_systems_with_coordinates_are_dissected():
    system = plate(17, 12, 2, size=(1.0, 0.8, 0.2))
    assert system.n > 2000
    F = np.eye(1, system.n, 2)[0]
    a, b = (fx.reduce(one, F, 3) for one in (system, system.with_(nodes=None)))
    omega = np.array([500.0, 3000.0])
    assert fx.frequency_response(a, omega, F, F) == pytest.approx(fx.frequency_response(b, omega, F, F), rel=1e-7)
    full = fx.frequency_response(system, omega, F, F)
    assert full == pytest.approx(fx.frequency_response(system.with_(nodes=None), omega, F, F), rel=1e-7)
    assert fx.modes(system, 8).certificate


def test_rows_with_nothing_and_motions_without_mass_are_told():
    M, K = np.diag([1.0, 1.0, 0.0]), np.array([[1.0, -1, 0], [-1, 1, 0], [0, 0, 0]])
    with pytest.raises(fx.FlexuraError, match="x2 has neither stiffness nor mass"):
        fx.rigid_body_modes(fx.SecondOrderSystem(M, None, K))
    keep = np.ix_([0, 1], [0, 1])
    assert fx.rigid_body_modes(fx.SecondOrderSystem(M[keep], None, K[keep])).shape == (2, 1)  # as advised
    with pytest.raises(fx.FlexuraError, match="moves no mass"):
        fx.rigid_body_modes(fx.SecondOrderSystem(np.zeros((2, 2)), None, K[keep]))


@pytest.mark.parametrize("digits", [5, 7, 12])
@pytest.mark.parametrize("mesh", [(2, 2, 1), (4, 3, 3)])
@pytest.mark.parametrize("dense", [True, False])
def test_a_stiffness_written_with_few_digits_is_cleaned(digits, mesh, dense):
    """Rounding holds all six motions; cleaned, they are free, and the elastic modes are those of K to its digits."""
    block = plate(*mesh, size=(0.3, 0.2, 0.2))
    K = block.K.copy()
    K.data = np.array([float(f"{one:.{digits - 1}e}") for one in K.data])
    rounded = block.with_(K=(K + K.T) / 2)
    if dense:
        rounded = fx.SecondOrderSystem(rounded.M.toarray(), None, rounded.K.toarray(), nodes=block.nodes)
    assert (fx.modes(rounded, 6).frequencies != 0).any()
    cleaned = fx.clean(rounded)
    assert len(cleaned.motions) == 6
    assert cleaned.change < 5 * 10.0**-digits
    assert "Free now: translation x" in str(cleaned)
    found, wanted = fx.modes(cleaned.system, 10).frequencies, fx.modes(block, 10).frequencies
    assert (found[:6] == 0).all()
    np.testing.assert_allclose(found[6:], wanted[6:], rtol=100 * 10.0**-digits)
    assert cleaned.system.is_sparse is not dense


@pytest.mark.parametrize("nodes", [True, False])
def test_what_few_digits_make_of_free_motions_is_told_where_they_make_it_unstable(nodes):
    """Rounded to five digits K takes energy from motions that are free: unstable modes, and how to free them."""
    whole = plate(2, 1, 1)
    rounded = np.vectorize(lambda one: float(f"{one:.4e}"))(whole.K.toarray())
    system = whole.with_(K=rounded) if nodes else whole.with_(K=rounded, nodes=None)
    text = str(fx.modes(system, 7).certificate)
    assert "UNSTABLE" in text
    assert "K is indefinite" in text
    assert ("fx.clean(system).system" in text) == nodes
    with pytest.raises(fx.FlexuraError, match=r"fx.clean\(system\)" if nodes else "positive semidefinite"):
        fx.operating_state(system, np.tile([0.0, 0.0, 1.0], len(whole.nodes)))
    if nodes:  # as advised
        again = fx.modes(fx.clean(system).system, 7)
        assert again.certificate
        np.testing.assert_array_equal(again.frequencies[:6], 0.0)


def test_cleaning_keeps_springs_given_apart_and_supports():
    block = plate(3, 2, 2, size=(0.3, 0.2, 0.2))
    mounts = sparse.diags_array(np.where(np.arange(block.n) < 3, 7.0, 0.0)).tocsr()
    cleaned = fx.clean(block.with_(springs=mounts))
    assert abs(cleaned.system.apart - mounts).max() == 0
    assert (fx.modes(cleaned.system, 6).frequencies != 0).sum() == 3
    with pytest.raises(fx.FlexuraError, match="cannot be cleaned without the motions of its nodes; give nodes="):
        fx.clean(block.with_(nodes=None))
    with pytest.raises(fx.FlexuraError, match="nothing to clean"):
        fx.clean(block.with_(K=block.K + 1e-2 * sparse.diags_array(block.K.diagonal())))


def test_a_stiffness_that_is_held_as_by_rounding_says_so():
    block = plate(3, 2, 2, size=(0.3, 0.2, 0.2))
    mounts = sparse.diags_array(np.full(block.n, 50.0)).tocsr()
    text = str(fx.modes(block.with_(K=block.K + mounts), 3).certificate)
    assert "as springs do or as writing it with" in text
    assert "fx.clean(system).system frees them" in text
    assert "fx.clean" not in str(fx.modes(block.with_(springs=mounts), 3).certificate)
