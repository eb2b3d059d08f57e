"""Waves in members that bend far: quick forces, explicit symplectic steps, and what they keep."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.solve.steppers.mass import MassFactor

SOFT: dict[str, Any] = {"rho": 1.0, "length": 2.0, "EA": 300.0, "kGA": 120.0, "rotary_inertia": 0.05}


@settings(max_examples=8, deadline=None)
@given(
    seed=st.integers(0, 999),
    elements=st.integers(1, 8),
    losses=st.sampled_from([{}, {"internal_damping": 0.01}, {"damping": 2.0}]),
)
def test_quick_forces_are_the_slopes_of_the_energies(seed: int, elements: int, losses: dict[str, float]) -> None:
    """f = F dL/dq - dV/dq by differences of the energies, which know nothing of them; K and C are the slopes of f."""
    beam, tip = fx.ExactBeam("b", EI=2.0, **losses, **SOFT), fx.RigidBody("tip", m=0.4, I=0.1)
    model = fx.Model(fx.Pin(fx.ground, beam.start), fx.Fixed(beam.end, tip), fx.Gravity(9.81), fx.Force(tip, "F"))
    system = fx.discretise(fx.derive(model), order=3, elements=elements)
    rng, h = np.random.default_rng(seed), 1e-5
    q, v, along, u = (0.2 * rng.normal(size=n) for n in (system.n, system.n, system.n, 1))
    still, none = np.zeros(system.n), np.zeros(0)

    def potential(s: float) -> float:
        return float(system.energies(0.0, q + s * along, still)[1])

    slope = (potential(-2 * h) - 8 * potential(-h) + 8 * potential(h) - potential(2 * h)) / (12 * h)
    pushed = float(u[0]) * along[system.names.index("y_b_end")]
    assert along @ system.evaluate(0.0, q, still, u)[1] == pytest.approx(pushed - slope, rel=1e-7, abs=1e-6)
    K, C = system.jacobians(0.0, q, v, still, u, none)
    ahead, behind = (system.evaluate(0.0, q + s * h * along, v + s * h * v, u)[1] for s in (1, -1))
    assert K @ along + C @ v == pytest.approx((behind - ahead) / (2 * h), rel=1e-5, abs=1e-4)
    lost, supplied = system.powers(0.0, q, v, still, u, none)
    assert supplied == pytest.approx(float(u[0]) * v[system.names.index("y_b_end")], rel=1e-9)
    assert (lost > 0) == bool(losses)
    if system.forces is not None:
        M, f = system.evaluate(0.0, q, v, u)
        assert system.forces(0.0, q, v, u) == pytest.approx(f, rel=1e-11, abs=1e-11)
        states = np.zeros(2), np.array([q, v]), np.array([v, q]), np.array([u, 2 * u])
        assert system.forces(*states)[1] == pytest.approx(system.evaluate(0.0, v, q, 2 * u)[1], rel=1e-11, abs=1e-11)
        factor = MassFactor.of(M)
        assert factor is not None
        assert factor.solve(M) == pytest.approx(np.eye(system.n), abs=1e-9)
    assert system.rate_free == (not losses)


def test_symplectic_steps_follow_what_implicit_ones_do() -> None:
    """A whip that is let go: two ways that share no step, to the same motion."""
    beam = fx.ExactBeam("b", EI=0.5, **SOFT)
    model = fx.derive(fx.Model(fx.Pin(fx.ground, beam.start), fx.Gravity(9.81)))
    t, mesh = np.linspace(0, 0.5, 6), {"order": 3, "elements": 6}
    waves = fx.simulate(model, t, **mesh, tolerance=1e-7)
    assert "symplectic steps" in waves.notes[-1]
    implicit = fx.simulate(model, t, **mesh, method="radau", tolerance=1e-8)
    assert waves.position(beam.end) == pytest.approx(implicit.position(beam.end), abs=2e-6)
    assert waves.energy.error < 1e-7
    assert waves.error.time_share < 1e-4


def test_sections_without_inertia_are_refused_and_the_advice_helps() -> None:
    """Shear without rotary inertia leaves nothing that turns a section slowly."""
    section = {**SOFT, "EI": 0.5, "rotary_inertia": 0}

    def run(**over: Any) -> fx.Trajectory:
        beam = fx.ExactBeam("b", **{**section, **over})
        model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Gravity(9.81))
        return fx.simulate(model, [0, 0.02], order=2, elements=2)

    with pytest.raises(fx.FlexuraError, match=r"phi_b.* without inertia; give that motion a mass or an inertia"):
        run()
    assert run(rotary_inertia=1e-3).complete
