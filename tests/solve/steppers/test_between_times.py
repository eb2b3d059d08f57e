"""What comes and goes between two times that are asked for is in the scale of the energies, or there is a word."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx

PULSES = {
    "0.5*exp(-((t - 1.1)/0.05)**2)": 0.5,
    "2*Piecewise((0, t < 0.7), (sin(pi*(t - 0.7)/0.4)**2, t < 1.1), (0, True))": 2.0,
}


def _run(pulse, k, gravity, times):
    mass = fx.Mass("mass", m=1.0)
    parts = [fx.Slide(fx.ground, mass, name="q"), fx.Spring(fx.ground, mass, k=k), fx.Force(mass, "F")]
    model = fx.Model(*parts, *([fx.Gravity(9.0)] if gravity else []))
    start = {"q": -9.0 / k} if gravity else None
    return fx.simulate(fx.derive(model), times, initial=start, inputs={"F": pulse})


@pytest.mark.parametrize("gravity", [False, True])
@pytest.mark.parametrize("pulse", PULSES)
@pytest.mark.parametrize("k", [1e6, 1e8])
def test_a_slow_push_that_a_stiff_spring_forgets_sets_the_scale(pulse, k, gravity):
    run = _run(pulse, k, gravity, np.array([0.0, 2.0, 3.0]))
    fine = _run(pulse, k, gravity, np.linspace(0.0, 3.0, 1501))
    moved = PULSES[pulse] ** 2 / (2 * k)  # the push is so slow that the spring alone answers
    assert np.ptp(fine["q"]) == pytest.approx(PULSES[pulse] / k, rel=0.02)
    assert run.energy.scale == pytest.approx(fine.energy.scale, rel=0.02)
    assert fine.energy.scale >= 0.98 * moved
    assert run.energy.error < 1e-2
    assert bool(run.energy.error > 1e-8) == any("energy balance misses" in note for note in run.notes)


@pytest.mark.parametrize("damping", [None, [[0.02, -0.01], [-0.01, 0.03]]])
def test_so_it_is_for_matrices(damping):
    K = np.array([[3e6, -1e6], [-1e6, 2e6]])
    system = fx.SecondOrderSystem(np.eye(2), damping, K)
    pulse = {"x0": "exp(-((t - 1.1)/0.05)**2)"}
    coarse, fine = (fx.simulate(system, t, inputs=pulse) for t in (np.array([0.0, 2.0, 3.0]), np.linspace(0, 3, 1501)))
    assert coarse.energy.scale == pytest.approx(fine.energy.scale, rel=0.02)
    assert coarse.energy.scale > 0.98 * np.linalg.inv(K)[0, 0] / 2
