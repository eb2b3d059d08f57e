"""The Krylov expansion in the mass metric, its identities, and the hierarchy that is not used."""

import numpy as np
import pytest

import flexura as fx
from flexura.solve.runs.matrices import simulate_system
from flexura.structures.operating.hierarchy import hierarchy
from flexura.structures.operating.inverse import mass_metric_inverse
from flexura.structures.operating.krylov import Expansion, raw_modes
from free_structures import bar, network, plate


def chain_error(system, X):
    """|K x_(n+1) - M x_n| relative to |M x_n|, the largest over n."""
    left, right = system.K @ X[:, 1:], system.M @ X[:, :-1]
    return max(np.linalg.norm(left - right, axis=0) / np.linalg.norm(right, axis=0))


@pytest.mark.parametrize("system", [bar(12), network(5)[0], network(11)[0], plate(4, 3, 2, size=(1.0, 0.8, 0.5))])
def test_the_chain_holds_in_the_mass_metric(system):
    F = np.zeros(system.n)
    F[0] = 1.0
    X = raw_modes(system, F, 4)
    assert chain_error(system, X) < 1e-10
    k, m = X.T @ (system.K @ X), X.T @ (system.M @ X)
    scale = np.sqrt(np.outer(k.diagonal(), k.diagonal()))
    assert np.abs((k[:, 1:] - m[:, :-1]) / scale[:, 1:]).max() < 1e-10  # k_ij = m_i(j-1)
    assert k[:, 0] == pytest.approx(X.T @ F, rel=1e-8)  # k_i0 = x_i'F


def test_the_plain_pseudo_inverse_breaks_the_chain():
    system, _ = network(5)
    F = np.zeros(system.n)
    F[0] = 1.0
    pseudo, inverse = np.linalg.pinv(system.K), mass_metric_inverse(system)
    x = pseudo @ inverse.split(F)[1]
    columns = [x]
    for _ in range(3):
        x = pseudo @ (system.M @ x)
        columns.append(x)
    assert chain_error(system, np.column_stack(columns)) > 1e-2


def test_raw_modes_are_nearly_parallel_and_the_basis_is_not():
    system = bar(40)
    F = np.zeros(system.n)
    F[0] = 1.0
    X = raw_modes(system, F, 5)
    assert np.linalg.cond(X / np.linalg.norm(X, axis=0)) > 1e4
    V = Expansion(mass_metric_inverse(system), F[:, None]).grow(5).V
    assert np.abs(V.T @ (system.M @ V) - np.eye(5)).max() < 1e-12
    assert np.abs(X - V @ (V.T @ (system.M @ X))).max() < 1e-9 * np.abs(X).max()  # the span is the same


@pytest.mark.parametrize("seed", range(6))
def test_the_carried_stiffness_is_the_stiffness(seed):
    system, F = network(seed)
    grown = Expansion(mass_metric_inverse(system), F[:, None]).grow(5)
    assert np.allclose(grown.KV, system.K @ grown.V, atol=1e-8 * abs(system.K).max() * np.abs(grown.V).max())


def test_what_depends_on_others_is_left_out():
    system, F = network(4)
    grown = Expansion(mass_metric_inverse(system), np.column_stack([F, 2 * F])).grow(2)
    assert grown.count == 2
    full = Expansion(mass_metric_inverse(system), F[:, None]).grow(system.n + 5)
    assert full.exhausted
    assert full.count <= system.n - 1


def test_the_hierarchy_grows_where_the_structure_oscillates():
    system = bar(20)
    F = np.zeros(system.n)
    F[0] = 1.0
    first = fx.modes(system, 2).frequencies[1]
    chain = hierarchy(system, F, 3)
    t = np.linspace(0, 100 / first, 101)
    away = simulate_system(chain, t, {"a2_t": 1.0})["a0"]
    late = t > t[-1] / 4
    growth = np.polyfit(np.log(t[late]), np.log(np.abs(away[late])), 1)[0]
    assert growth == pytest.approx(5, abs=0.05)  # t^(2n-1), n = 3
    reduced = fx.reduce(system, F, 3)
    kick = np.zeros(reduced.n)
    kick[-1] = 1.0
    stays = simulate_system(reduced, t, (np.zeros(reduced.n), kick))
    assert stays.energy.error < 1e-12
    assert np.abs(stays["a0"]).max() < 2 / first
    assert np.iscomplexobj(fx.modes(chain, 3).eigenvalues)


def test_the_hierarchy_is_the_projection_on_the_dual_basis():
    system = bar(12)
    F = np.zeros(system.n)
    F[0] = 1.0
    chain = hierarchy(system, F, 3)
    X = chain.basis / np.linalg.norm(chain.basis, axis=0)
    Z = np.linalg.solve(X.T @ system.M @ X, X.T)  # z_i'M x_j = delta_ij for vectors of one size
    assert np.allclose(Z @ system.M @ X, np.eye(3), atol=1e-6)
    scale = np.linalg.norm(chain.basis, axis=0)
    shift = np.eye(3, k=1) * scale[:, None] / scale
    projected = Z @ system.K @ X
    assert np.allclose(projected[:, 1:], shift[:, 1:], atol=1e-5 * np.abs(shift).max())
    assert np.array_equal(chain.displacements, np.eye(3, k=1))
