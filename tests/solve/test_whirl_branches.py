"""Branches of turning frames: they end in nan where real roots merge, go through crossings, and never jump."""

import numpy as np
import pytest
import scipy.sparse

import flexura as fx


def blade(seed, count=3):
    """Bodies on a bar that turns about z, with dampers along z so strong that flapping creeps until it is stiffened."""
    random = np.random.default_rng(seed)
    section = fx.Section(E=2.1e11, G=8.1e10, rho=7800.0, A=2e-4, Iy=4e-10, Iz=9e-9)
    nodes = np.column_stack([np.linspace(0.1, 1.1, count + 1), np.zeros((count + 1, 2))])
    pairs = np.column_stack([np.arange(count), np.arange(1, count + 1)])
    bodies = {count: (float(random.uniform(0.5, 1.5)), 1e-3)}
    dampers = {count: {"w": float(random.uniform(40, 120))}}
    return fx.BeamFrame(nodes, pairs, section, {0: "all"}, bodies, dampers=dampers)


def roots_at(frame, speed):
    """Every root with Im s >= 0 from the matrices at a speed."""
    system = fx.moving_system(frame, fx.MovingFrame(omega=(0, 0, speed)))
    M, C, K = (scipy.sparse.csr_array(one).toarray() for one in (system.M, system.rates, system.displacements))
    n = len(M)
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    found = np.linalg.eigvals(A)
    return found[found.imag >= -1e-9 * np.abs(found)]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("back", [False, True])
def test_branches_end_where_real_roots_merge(seed, back):
    frame, speeds = blade(seed), np.linspace(0.0, 160.0, 17)
    speeds = speeds[::-1] if back else speeds
    chart = fx.whirl(frame, speeds, axis="z", count=4)
    creeping = [np.flatnonzero(np.isfinite(row) & (row.imag == 0)) for row in chart.eigenvalues]
    slow, fast = (creeping[-1], creeping[0]) if back else (creeping[0], creeping[-1])
    assert len(slow) == 2  # overdamped while it hardly turns
    assert not len(fast)
    assert np.isnan(chart.eigenvalues[0 if back else -1, slow]).sum() == 1
    for speed, row in zip(speeds, chart.eigenvalues, strict=True):
        known = roots_at(frame, speed)
        for s in row[np.isfinite(row)]:
            assert np.abs(known - s).min() < 1e-5 * abs(s)


@pytest.mark.parametrize("seed", range(4))
def test_a_coarse_chart_ends_where_a_fine_one_does_or_in_nan(seed):
    """Followed in few steps a branch is the one that many small steps follow, or it says that it is not known."""
    frame = blade(seed)
    fine = fx.whirl(frame, np.linspace(0.0, 160.0, 161), axis="z", count=4).eigenvalues
    coarse = fx.whirl(frame, np.linspace(0.0, 160.0, 6), axis="z", count=4).eigenvalues
    for k in range(4):
        there = np.flatnonzero(np.isfinite(coarse[:, k]))
        mine = min(range(4), key=lambda j: abs(fine[0, j] - coarse[0, k]))
        for i in there:
            here = fine[32 * i]
            assert np.nanmin(np.abs(here - coarse[i, k])) < 1e-6 * abs(coarse[i, k])
            if np.isfinite(here[mine]) and coarse[i, k].imag and coarse[0, k].imag:
                assert coarse[i, k] == pytest.approx(here[mine], rel=1e-6)


def test_a_chart_with_ends_is_drawn_and_printed(tmp_path):
    chart = fx.whirl(blade(0), np.linspace(0.0, 160.0, 5), axis="z", count=4)
    assert np.isnan(chart.seen).any()
    assert np.isfinite(chart.growth).all()
    fx.plot(chart, tmp_path / "chart.svg")
    assert (tmp_path / "chart.svg").stat().st_size > 0
