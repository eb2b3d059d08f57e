"""Reduced models: exact at rest, quickly right above it, positive, with every kind of input."""

import numpy as np
import pytest
import scipy.sparse as sparse

import flexura as fx
from flexura.solve.runs.matrices import simulate_system
from free_structures import bar, beam, network, plate


def push(system, row=0):
    F = np.zeros(system.n)
    F[row] = 1.0
    return F


def response_error(system, reduced, F, omega, output=None):
    output = F if output is None else output
    full = fx.frequency_response(system, omega, F, output)
    small = fx.frequency_response(reduced, omega, F, output)
    return np.abs(small - full) / np.abs(full)


@pytest.fixture(scope="module")
def slab():
    system = plate(12, 10, 1, size=(1.0, 0.8, 0.05))
    return system, push(system, 2), fx.modes(system, 8).frequencies[6]


def test_a_free_plate_with_six_modes(slab):
    system, F, first = slab
    reduced = fx.reduce(system, F, 6)
    assert reduced.n == 12
    assert reduced.basis.shape == (system.n, 12)
    omega = np.linspace(0.02, 0.5, 13) * first
    assert response_error(system, reduced, F, omega).max() < 1e-7
    inside = np.zeros(system.n)
    inside[3 * 70 + 2] = 1.0
    assert response_error(system, reduced, F, omega, inside).max() < 1e-7


def test_the_error_falls_geometrically(slab):
    system, F, first = slab
    errors = [
        response_error(system, fx.reduce(system, F, order), F, np.array([0.7 * first]))[0] for order in range(1, 6)
    ]
    ratios = np.array(errors[1:]) / np.array(errors[:-1])
    assert np.all(ratios < 0.1)
    assert errors[-1] < 1e-7 * errors[0]


def test_frequencies_come_from_below(slab):
    """Galerkin: every frequency of the reduced model is above the one it stands for, and closes in on it."""
    system, F, _ = slab
    exact = fx.modes(system, 30).frequencies
    for order in (4, 8):
        small = fx.modes(fx.reduce(system, F, order), 6 + order)
        assert (small.frequencies[:6] == 0).all()
        assert np.all(small.frequencies[6:] > exact[6 : 6 + order] * (1 - 1e-9))
    assert abs(small.frequencies[6] / exact[6:] - 1).min() < 1e-8


def test_the_matrices_are_projections_and_positive(slab):
    system, F, _ = slab
    system = system.with_(D=1e-4 * system.K + 0.3 * system.M)
    reduced = fx.reduce(system, F, 5)
    V = reduced.basis
    assert np.abs(reduced.M - np.eye(11)).max() < 1e-12
    for name in ("D", "K"):
        small, full = getattr(reduced, name), V.T @ (getattr(system, name) @ V)
        assert np.abs(small - full).max() < 1e-9 * np.abs(full).max()
        assert np.linalg.eigvalsh(small)[0] > -1e-9 * np.abs(small).max()
    assert pytest.approx(V.T @ F) == reduced.F
    assert reduced.full is system
    assert np.allclose(reduced.expand(np.eye(11)[2]), V[:, 2])


def test_the_deformation_at_constant_load_is_exact():
    system, F = network(7)
    reduced = fx.reduce(system, F, 1)
    state, small = fx.operating_state(system, F), fx.operating_state(reduced, reduced.F)
    assert reduced.expand(small.deformation) == pytest.approx(state.deformation, abs=1e-10)
    assert reduced.expand(small.rate) == pytest.approx(state.rate, abs=1e-10)


def test_energy_is_kept_over_many_steps():
    system = bar(30)
    reduced = fx.reduce(system, push(system), 6)
    first = fx.modes(system, 2).frequencies[1]
    start = np.concatenate([[0.0], np.ones(6)])
    run = simulate_system(reduced, np.linspace(0, 1e4 / first, 100_001), (start, 0 * start))
    assert len(run.t) == 100_001
    assert run.energy.error < 1e-10


def test_several_inputs_make_a_block():
    system = plate(6, 4, 1, size=(1.0, 0.6, 0.1))
    F = np.column_stack([push(system, 2), push(system, system.n - 1)])
    reduced = fx.reduce(system, F, 4)
    assert reduced.n == 6 + 2 * 4
    assert reduced.F.shape == (14, 2)
    first = fx.modes(system, 7).frequencies[6]
    omega = np.linspace(0.05, 0.4, 5) * first
    for column in F.T:
        assert response_error(system, reduced, column, omega).max() < 1e-5
    run = fx.simulate(reduced, np.linspace(0, 20 / first, 50), inputs={"F0": "sin(100*t)", "F1": 2.0})
    assert run.energy.error < 1e-10


def test_friction_on_rigid_motion_enters_the_basis():
    """With K+ D Q in the start block the state of constant velocity is exact; without, it is not."""
    system = bar(20)
    D = np.zeros((21, 21))
    D[5, 5] = 40.0
    system, F = system.with_(D=D), push(system)
    reduced = fx.reduce(system, F, 2)
    exact = fx.operating_state(system, F, kind="velocity")
    V, small = reduced.basis, reduced
    rate = np.zeros(small.n)
    rate[0] = small.F[0] / small.D[0, 0]
    z = np.linalg.lstsq(small.K, small.F - small.D @ rate, rcond=1e-12)[0]
    z[0] = 0.0
    assert V @ z == pytest.approx(exact.deformation, abs=1e-9 * np.abs(exact.deformation).max())
    plain = fx.reduce(system.with_(D=None), F, 2).basis
    rest = exact.deformation - plain @ (plain.T @ (system.M @ exact.deformation))
    assert np.abs(rest).max() > 1e-3 * np.abs(exact.deformation).max()
    omega = np.array([1.0, 10.0, 100.0])
    assert response_error(system, reduced, F, omega).max() < 1e-6


def test_gyroscopic_terms_are_projected():
    system, F = network(9, free=False)
    rng = np.random.default_rng(0)
    G = rng.normal(size=(system.n, system.n))
    system = system.with_(G=0.05 * (G - G.T))
    reduced = fx.reduce(system, F, system.n)
    assert np.abs(reduced.G + reduced.G.T).max() == 0
    omega = np.array([0.5, 3.0, 20.0])
    small = fx.frequency_response(reduced, omega, "F", reduced.F)
    assert small == pytest.approx(fx.frequency_response(system, omega, F, F), rel=1e-6)


def test_outputs_make_their_responses_better(slab):
    system, F, first = slab
    far = push(system, system.n - 1)
    omega = np.array([0.4 * first])
    blind, aware = fx.reduce(system, F, 2), fx.reduce(system, F, 2, outputs=far[None])
    assert aware.n == blind.n + 2
    assert response_error(system, aware, F, omega, far)[0] < 0.1 * response_error(system, blind, F, omega, far)[0]


def test_a_tolerance_chooses_the_number_of_modes(slab):
    system, F, first = slab
    reduced = fx.reduce(system, F, None, tolerance=1e-6, band=(0.0, 0.6 * first))
    omega = np.linspace(0.05, 0.6, 12) * first
    assert np.max(reduced.error(omega)) < 1e-6
    assert response_error(system, reduced, F, omega).max() < 1e-5
    looser = fx.reduce(system, F, None, tolerance=1e-2, band=0.6 * first)
    assert looser.n < reduced.n
    assert fx.reduce(system, F, 9, tolerance=1e-2, band=0.6 * first).n == 15  # order is the least


def test_modes_need_many_more(slab):
    """The same number of modes of vibration, which know nothing of the load, is far worse."""
    system, F, first = slab
    omega = np.linspace(0.05, 0.5, 6) * first
    modal = fx.reduce(system, F, 6, method="modal")
    assert modal.n == 12
    ours = response_error(system, fx.reduce(system, F, 6), F, omega).max()
    assert response_error(system, modal, F, omega).max() > 1e4 * ours
    assert np.max(modal.error(omega)) > 0.3 * response_error(system, modal, F, omega).max() * 0.1


def test_thin_plates_match_published_frequencies():
    """Free square plate, nu = 0.3: omega a^2 sqrt(rho h/D) = 13.468, 19.596, 24.270 (Leissa 1973)."""
    system = plate(18, 18, 1, size=(1.0, 1.0, 0.01))
    found = fx.modes(system, 9)
    rigidity = 70e9 * 0.01**3 / (12 * (1 - 0.3**2))
    scaled = found.frequencies[6:] * np.sqrt(2700 * 0.01 / rigidity)
    assert scaled == pytest.approx([13.468, 19.596, 24.270], rel=0.01)
    assert found.certificate


def test_a_reduced_system_reads_loads_of_the_full_one():
    system = beam(8)
    F = push(system, 1)
    reduced = fx.reduce(system, F, 4)
    omega = np.array([1.0, 5.0])
    small = reduced.basis.T @ F
    assert np.allclose(fx.frequency_response(reduced, omega, F, F), fx.frequency_response(reduced, omega, small, small))
    with pytest.raises(fx.FlexuraError, match=r"The load has 5 numbers; give 7"):
        fx.frequency_response(reduced, omega, np.ones(5), F)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"order": -1}, "order is -1; give a whole number of elastic modes per input, 0 or more."),
        ({"order": 2.5}, "order is 2.5"),
        ({"order": None}, "order is None"),
        (
            {"order": 2, "method": "balanced"},
            "method is 'balanced'; use 'static_deformation', 'modal' or 'craig_bampton'.",
        ),
        ({"order": 2, "tolerance": 1e-3}, "tolerance and band belong together, and band is missing"),
        (
            {"order": 2, "tolerance": 1e-3, "band": (5.0, 1.0)},
            "band is (5.0, 1.0); give one frequency, or two ascending",
        ),
        ({"order": 2, "tolerance": -1.0, "band": 5.0}, "tolerance is -1.0; give a number greater than 0."),
        ({"order": 2, "outputs": np.ones(3)}, "outputs has the shape (1, 3); give 11 columns"),
    ],
)
def test_wrong_questions(arguments, sentence):
    system = bar(10)
    with pytest.raises(fx.FlexuraError) as told:
        fx.reduce(system, push(system), **arguments)
    assert sentence in str(told.value)


def test_wrong_loads():
    system = bar(10)
    with pytest.raises(fx.FlexuraError, match="Column 1 of F is zero"):
        fx.reduce(system, np.column_stack([push(system), 0 * push(system)]), 2)
    with pytest.raises(fx.FlexuraError, match=r"F has the shape \(4,\); give 11 rows"):
        fx.reduce(system, np.ones(4), 2)
    with pytest.raises(fx.FlexuraError, match="not reduced"):
        system.error(1.0)
    with pytest.raises(fx.FlexuraError, match="not reduced"):
        system.expand(np.ones(11))
    held, F = network(1, free=False)
    with pytest.raises(fx.FlexuraError, match="order is 0 and the structure has no rigid motion"):
        fx.reduce(held, F, 0)
    assert fx.reduce(held, F, 1).n == 1


def test_a_tolerance_out_of_reach_is_told():
    system, F = network(3)
    top = 3 * np.sqrt(np.linalg.eigvals(np.linalg.solve(system.M, system.K)).real.max())
    with pytest.raises(fx.FlexuraError, match="narrow the band"):
        fx.reduce(system, F, 1, tolerance=1e-30, band=top)
    assert fx.reduce(system, F, 1, tolerance=1e-6, band=1e-3 * top).n < system.n


def test_sparse_loads_are_taken():
    system = bar(10)
    F = sparse.csr_array(push(system)[:, None])
    assert fx.reduce(system, F, 2).n == 3
