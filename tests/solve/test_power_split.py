"""The power of a load on a free structure: forces by dense projections, powers by differences, motion by simulation."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx


def chain(n: int = 12, damped: bool = True) -> fx.SecondOrderSystem:
    """Masses on springs, free; each rubs on ground, unevenly."""
    rng = np.random.default_rng(3)
    K, M = np.zeros((n, n)), np.diag(rng.uniform(0.5, 2.0, n))
    for i, k in enumerate(rng.uniform(500, 2000, n - 1)):
        K[i : i + 2, i : i + 2] += k * np.array([[1, -1], [-1, 1]])
    return fx.SecondOrderSystem(M, np.diag(rng.uniform(0, 0.6, n)) if damped else None, K)


T = np.linspace(0, 8, 401)
HISTORY = "1 - cos(0.7*t)"


def push(system: fx.SecondOrderSystem) -> np.ndarray:
    return np.eye(system.n)[0] + 0.3 * np.eye(system.n)[5]


@pytest.mark.parametrize("damped", [True, False])
def test_forces_are_those_of_dense_projections_and_powers_add_up(damped):
    system = chain(damped=damped)
    found = fx.power_split(system, push(system), T, HISTORY)
    q, M = np.ones((system.n, 1)), np.asarray(system.M)
    F = np.outer(1 - np.cos(0.7 * T), push(system))
    parallel = F @ q @ np.linalg.inv(q.T @ M @ q) @ q.T @ M
    assert found.parallel == pytest.approx(parallel, abs=1e-12)
    assert found.perpendicular @ q == pytest.approx(np.zeros((len(T), 1)), abs=1e-12)
    x = np.linalg.lstsq(np.asarray(system.K), (F - found.internal).T, rcond=None)[0].T
    x = x - np.outer(x @ M @ q[:, 0], q) / (q.T @ M @ q)
    assert found.deformation == pytest.approx(x, abs=1e-12)
    if not damped:
        assert found.internal == pytest.approx(found.parallel, abs=1e-12)
    assert found.residual < 1e-12
    assert found.power == pytest.approx(np.einsum("ti,ti->t", F, found.rate + found.deformation_rate), abs=1e-12)
    for energy, power in ((found.kinetic_energy, found.kinetic_power), (found.elastic_energy, found.elastic_power)):
        slope = np.gradient(energy, T, edge_order=2)
        assert power[2:-2] == pytest.approx(slope[2:-2], abs=2e-3 * np.abs(power).max())
    assert np.all(found.dissipated >= 0)


def test_a_slow_load_moves_the_whole_structure_so():
    """The full simulation, with every vibration: as far off as the note says, and no further."""
    system = chain()
    found = fx.power_split(system, push(system), T, HISTORY)
    loaded = fx.SecondOrderSystem(system.M, system.D, system.K, F=push(system))
    run = fx.simulate(loaded, T, inputs={"F": HISTORY})
    moved = np.column_stack([run[name] for name in system.names])
    centre = moved @ np.asarray(system.M).sum(axis=1) / np.trace(system.M)
    bent = moved - centre[:, None]
    (note,) = found.notes
    assert note.startswith("Quasi-static")
    share = float(note.split("by about ")[1].split(" of")[0])
    assert share < 0.02
    assert np.abs(bent - found.deformation).max() < 4 * share * np.abs(bent).max()
    supplied = np.concatenate([[0], np.cumsum((found.power[1:] + found.power[:-1]) / 2 * np.diff(T))])
    assert supplied == pytest.approx(run.energy.supplied, abs=0.02 * np.abs(supplied).max())
    assert list(found.motion) == list(found.names)


def test_two_loads_with_histories_of_their_own():
    system = chain()
    both = np.column_stack([push(system), np.eye(system.n)[3]])
    found = fx.power_split(system, both, T, ["sin(t)", np.cos(T)])
    assert found.load == pytest.approx(np.outer(np.sin(T), both[:, 0]) + np.outer(np.cos(T), both[:, 1]), abs=1e-12)
    assert found.residual < 1e-9
    assert "power (W)" in found.to_dataframe().columns


def test_the_loads_of_the_system_itself():
    system = chain().with_(F=push(chain()))
    assert fx.power_split(system, None, T).residual < 1e-12
    assert fx.reduce(system, None, 3).n == fx.reduce(system, push(system), 3).n


SAID = {
    "histories": (lambda s: fx.power_split(s, np.eye(12)[:, :2], T, ["t"]), "2 columns and there are 1 histories"),
    "turning": (
        lambda s: fx.power_split(s.with_(G=np.triu(np.ones((12, 12)), 1) - np.tril(np.ones((12, 12)), -1)), push(s), T),
        "leave G and H out",
    ),
    "structural": (lambda s: fx.power_split(s.with_(K=s.K * (1 + 0.1j)), push(s), T), "K is complex"),
}


@pytest.mark.parametrize("case", SAID)
def test_what_cannot_be_is_said(case):
    wrong, sentence = SAID[case]
    with pytest.raises(fx.FlexuraError, match=sentence):
        wrong(chain())
