"""Machines all of whose joints move as told: nothing is left to step, and the work that it takes is still booked."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx

MOTIONS = {
    "2*t": lambda t: (2 * t, 2 + 0 * t),
    "0.3*t**2 - t": lambda t: (0.3 * t**2 - t, 0.6 * t - 1),
    "Piecewise((0, t < 0.3), (t - 0.3, True))": lambda t: (np.maximum(t - 0.3, 0), 1.0 * (t > 0.3)),
}


@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("method", [None, "explicit", "radau", "generalized_alpha"])
@pytest.mark.parametrize("links", [1, 2])
def test_every_way_to_step_has_nothing_to_do(motion, method, links):
    bodies = [fx.RigidBody(f"link{i}", m=0.5, I=0.7) for i in range(links)]
    joints = [
        fx.Revolute(before, body.at(-0.2, 0), name=f"q{i}", motion=motion)
        for i, (before, body) in enumerate(zip([fx.ground, *bodies], bodies, strict=False))
    ]
    model = fx.Model(*joints, fx.Gravity(9.0), fx.Torque(bodies[-1], "tau"))
    t = np.linspace(0, 1, 6)
    run = fx.simulate(fx.derive(model), t, inputs={"tau": "Piecewise((1, t < 0.1), (0, True))"}, method=method)
    angle, rate = MOTIONS[motion](t)
    assert run.complete
    assert all(np.allclose(run[f"q{i}"], angle, rtol=0, atol=1e-12) for i in range(links))
    assert np.allclose(run.energy.kinetic, _kinetic(links, angle, rate), rtol=1e-12, atol=1e-12)
    assert run.energy.error < 1e-6


def _kinetic(links, angle, rate):
    """Of links that turn by the same angle against one another, by the speeds of their centres."""
    total, hinge = 0.0, 0.0
    for i in range(1, links + 1):
        arm = 0.2j * i * rate * np.exp(1j * i * angle)
        total = total + 0.5 * (0.5 * np.abs(hinge + arm) ** 2 + 0.7 * (i * rate) ** 2)
        hinge = hinge + arm
    return total
