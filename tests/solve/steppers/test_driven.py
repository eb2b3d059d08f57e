"""Given motions with constant coefficients: propagated exactly, with the same energy balance as any other run."""

import numpy as np
import pytest

import flexura as fx

T = np.linspace(0, 0.4, 81)


def turning(**more):
    hub = fx.RigidBody("hub", m=0, I=0.3)
    beam = fx.EulerBernoulliBeam("blade", EI=40.0, rho=0.8, length=1.2, EA=4e4, **more)
    joint = fx.Revolute(fx.ground, hub, name="theta", motion="9*t")
    return fx.derive(fx.Model(joint, fx.Fixed(hub.at(0.2), beam.start))), beam


@pytest.mark.parametrize("more", [{}, {"damping": 2.0}, {"internal_damping": 1e-4}])
def test_a_blade_at_a_steady_speed_is_propagated_exactly(more):
    equations, beam = turning(**more)
    given = {"initial": {"w_blade": "0.01*x**2*(8.64 - 4.8*x + x**2)"}}
    exact = fx.simulate(equations, T, order=5, **given)
    stepped = fx.simulate(equations, T, order=5, method="explicit", tolerance=1e-10, **given)
    assert "Propagated exactly." in exact.notes
    assert exact.energy.error < 1e-8
    for name in ("w_blade@b", "u_blade@b", "w_blade@b_t", "Q_theta"):
        assert np.abs(exact[name] - stepped[name]).max() < 1e-7 * np.abs(stepped[name]).max()
    assert np.abs(exact.energy.supplied - stepped.energy.supplied).max() < 1e-8 * stepped.energy.scale
    assert exact.place(beam, 1.2).shape == (len(T), 2)


def test_a_speed_that_changes_is_stepped():
    hub = fx.RigidBody("hub", m=0, I=0.3)
    beam = fx.EulerBernoulliBeam("blade", EI=40.0, rho=0.8, length=1.2)
    joint = fx.Revolute(fx.ground, hub, name="theta", motion="9*t + t**2")
    run = fx.simulate(fx.Model(joint, fx.Fixed(hub, beam.start)), T, order=4)
    assert "Propagated exactly." not in run.notes
    assert run.energy.error < 1e-8
