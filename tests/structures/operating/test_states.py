"""Constant acceleration and velocity: closed forms, balance, and what is refused."""

import numpy as np
import pytest
import scipy.sparse as sparse

import flexura as fx
from free_structures import bar, beam, network, plate

E, A, RHO = 70e9, 1e-4, 2700.0


def end_force(system, value=100.0):
    F = np.zeros(system.n)
    F[0] = value
    return F


def relative(x, exact):
    """Deformations are compared up to a shift: which point stays depends on the mesh at second order."""
    return np.abs((x - x[0]) - (exact - exact[0])).max() / np.abs(exact - exact[0]).max()


def test_a_free_bar_pushed_at_its_end():
    """EA u'' = m a/L with EA u'(0) = -F: u = -F/EA (x - x^2/2L), exact at the nodes of linear elements."""
    system = bar(16)
    state = fx.operating_state(system, end_force(system))
    x = system.nodes[:, 0]
    assert relative(state.deformation, -100 / (E * A) * (x - x**2 / 2)) < 1e-10
    assert state.rate == pytest.approx(np.full(17, 100 / (RHO * A)), rel=1e-12)
    assert state.motion["translation x"] == pytest.approx(100 / (RHO * A), rel=1e-12)
    assert state.residual < 1e-14
    assert state.elastic_energy == pytest.approx(100**2 / (6 * E * A), rel=1e-2)
    assert "Constant acceleration: translation x 370.37" in str(state)


def test_a_block_pushed_from_one_end():
    system = plate(5, 3, 2, size=(1.0, 0.6, 0.4))
    end = np.flatnonzero(system.nodes[:, 0] == 0)
    # consistent loads of a uniform pressure: by the area each node stands for
    weight = np.ones(len(end))
    for axis, edge in ((1, 0.6), (2, 0.4)):
        weight[np.isin(system.nodes[end, axis], (0, edge))] /= 2
    F = np.zeros(system.n)
    F[3 * end] = 1000 * weight / weight.sum()
    state = fx.operating_state(system, F)
    Q = fx.rigid_body_modes(system)
    assert np.abs(Q.T @ (F - system.M @ state.rate)).max() < 1e-9 * 1000  # forces and torques balance
    assert np.abs(Q.T @ (system.M @ state.deformation)).max() < 1e-12 * np.abs(state.deformation).max()
    assert state.residual < 1e-14
    assert all(value == 0 for value in state.reactions.values())
    mean = [state.deformation[0::3][system.nodes[:, 0] == x].mean() for x in np.unique(system.nodes[:, 0])]
    assert np.all(np.diff(mean) < 0)  # shorter everywhere, most where it is pushed
    assert np.all(np.diff(np.diff(mean)) > 0)


@pytest.mark.parametrize("seed", range(5))
def test_the_decomposition_of_a_force(seed):
    system, F = network(seed)
    state = fx.operating_state(system, F)
    Q = fx.rigid_body_modes(system)
    parallel = system.M @ Q @ (Q.T @ F)
    assert Q.T @ (F - parallel) == pytest.approx(0, abs=1e-12)
    assert parallel @ state.deformation == pytest.approx(0, abs=1e-12 * np.abs(state.deformation).max())
    assert np.allclose(system.K @ state.deformation, F - parallel, atol=1e-9)


def test_constant_velocity_with_distributed_drag():
    """EA u'' = c v, EA u'(0) = -F, v = F/(c L): the same parabola, whatever the mass."""
    system = bar(16)
    drag = 3.0 * system.M / (RHO * A)  # c = 3 per length, consistent
    state = fx.operating_state(system.with_(D=drag), end_force(system), kind="velocity")
    x = system.nodes[:, 0]
    assert state.rate == pytest.approx(np.full(17, 100 / 3.0), rel=1e-12)
    assert relative(state.deformation, -100 / (E * A) * (x - x**2 / 2)) < 1e-10


def test_drag_at_one_end_compresses_evenly():
    """Friction at the far end only: the force goes through, u = -F x/EA."""
    system = bar(8)
    D = np.zeros((9, 9))
    D[-1, -1] = 2.0
    state = fx.operating_state(system.with_(D=D), end_force(system), kind="velocity")
    assert state.rate == pytest.approx(np.full(9, 50.0))
    assert relative(state.deformation, -100 / (E * A) * system.nodes[:, 0]) < 1e-10


def test_a_load_beside_the_mass_centre_is_refused_and_the_torque_is_named():
    system = plate(4, 2, 1, size=(1.0, 0.6, 0.1))
    F = np.zeros(system.n)
    F[2] = 10.0  # at the corner (0, 0, 0), along z
    with pytest.raises(fx.FlexuraError) as told:
        fx.operating_state(system, F)
    assert "a torque of -3 drives the rotation x" in str(told.value)
    now = fx.operating_state(system, F, instantaneous=True)  # the second advice
    assert now.notes[0].startswith("Instantaneous")
    assert now.motion["rotation x"] != 0
    G = F.copy()
    corners = [np.flatnonzero(np.all(system.nodes == one, axis=1))[0] for one in ((1, 0, 0), (0, 0.6, 0), (1, 0.6, 0))]
    G[3 * np.array(corners) + 2] = 10.0
    assert fx.operating_state(system, G).residual < 1e-13  # the first: balanced


def test_friction_without_resistance_is_refused():
    system = plate(3, 2, 1)
    F = np.tile([0.0, 1.0, 0.0], system.n // 3)
    along_x = sparse.diags_array(np.tile([1.0, 0.0, 0.0], system.n // 3))
    with pytest.raises(fx.FlexuraError, match="Nothing resists the translation y, along which F pushes with"):
        fx.operating_state(system.with_(D=sparse.csr_array(along_x)), F, kind="velocity")
    state = fx.operating_state(system.with_(D=system.M), F, kind="velocity")
    assert state.residual < 1e-13
    with pytest.raises(fx.FlexuraError, match="has no damping D"):
        fx.operating_state(system, F, kind="velocity")
    pushed = fx.operating_state(system.with_(D=sparse.csr_array(along_x)), F, kind="acceleration")
    assert pushed.motion["translation y"] > 0


def test_directions_that_nothing_pushes_need_no_resistance():
    system = plate(3, 2, 1)
    along_x = sparse.csr_array(sparse.diags_array(np.tile([1.0, 0.0, 0.0], system.n // 3)))
    F = system.M @ np.tile([1.0, 0.0, 0.0], system.n // 3)
    state = fx.operating_state(system.with_(D=along_x), F, kind="velocity", instantaneous=True)
    assert state.motion["translation y"] == 0


def test_a_held_structure_has_its_static_deformation():
    system, F = network(2, free=False)
    state = fx.operating_state(system, F)
    assert np.allclose(state.deformation, np.linalg.solve(system.K, F))
    assert state.motion == {}
    assert state.notes == ("The structure is held: the state is its static deformation.",)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"kind": "spin"}, "kind is 'spin'; use 'acceleration', 'velocity', 'rotation', 'torque'."),
        ({"axis": "z"}, "A state of constant acceleration follows from F alone; leave axis and speed out."),
        ({"kind": "rotation", "axis": "z"}, "speed is None; a rotation needs its speed in rad/s."),
        ({"kind": "rotation", "axis": "q", "speed": 1.0}, "axis is 'q'; give 'x', 'y', 'z' (also '-z') or a vector"),
        ({"kind": "torque", "axis": "z", "speed": 3.0}, "Under constant torque the speed is found, not given"),
    ],
)
def test_wrong_questions(arguments, sentence):
    system = plate(2, 1)
    with pytest.raises(fx.FlexuraError) as told:
        fx.operating_state(system, np.ones(system.n), **arguments)
    assert sentence in str(told.value)


def test_wrong_loads_and_missing_coordinates():
    system = plate(2, 1)
    with pytest.raises(fx.FlexuraError, match="F has 5 numbers; give 36"):
        fx.operating_state(system, np.ones(5))
    with pytest.raises(fx.FlexuraError, match="not finite"):
        fx.operating_state(system, np.full(system.n, np.nan))
    with pytest.raises(fx.FlexuraError, match="F is missing"):
        fx.operating_state(system, None)
    with pytest.raises(fx.FlexuraError, match="needs coordinates"):
        fx.operating_state(system.with_(nodes=None), None, kind="rotation", axis="z", speed=1.0)
    with pytest.raises(fx.FlexuraError, match="axis is missing"):
        fx.operating_state(system, None, kind="rotation", speed=1.0)
    assert fx.operating_state(beam(3, EA=1e6), None, kind="rotation", speed=1.0).axis == pytest.approx([0, 0, 1])


def test_reactions_are_a_mapping_and_an_array():
    system = bar(4)
    reactions = fx.operating_state(system, end_force(system)).reactions
    assert np.abs(reactions).max() == 0
    assert dict(reactions) == {"translation x": 0.0}
    with pytest.raises(fx.FlexuraError, match="There is no reaction 'z'; there are translation x"):
        reactions["z"]
