"""Runs whose order was given say what its polynomials may leave out, as finer ones show."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx

BEAM = fx.EulerBernoulliBeam("beam", EI=20.0, rho=0.5, length=1.0, field="w")
HUB = fx.RigidBody("hub", m=0, I=0.3)
HELD = {
    "clamped": fx.derive(fx.Model(fx.Fixed(fx.ground, BEAM.start), fx.Force(BEAM.end, "F"))),
    "hinged": fx.derive(
        fx.Model(fx.Pin(fx.ground, BEAM.start), fx.Roller(fx.ground.at(1), BEAM.end), fx.DistributedForce(BEAM, "F"))
    ),
    "turning": fx.derive(
        fx.Model(fx.Revolute(fx.ground, HUB, name="theta"), fx.Fixed(HUB, BEAM.start), fx.Force(BEAM.end, "F"))
    ),
}
T, PLACES = np.linspace(0, 0.2, 21), np.linspace(0, 1, 9)


def deflections(run: fx.Trajectory) -> np.ndarray:
    return np.array([run.place(BEAM, float(x)) for x in PLACES])


@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from(["clamped", "hinged"]), st.integers(4, 10), st.integers(1, 3), st.sampled_from([0.003, 0.03, 3.0])
)
def test_what_a_given_order_leaves_out_is_told(held: str, order: int, elements: int, until: float) -> None:
    """Never more than three times that, and what is no percent is not noted."""
    load = {"F": f"Piecewise((1, t < {until}), (0, True))"}
    run = fx.simulate(HELD[held], T, inputs=load, order=order, elements=elements)
    fine = deflections(fx.simulate(HELD[held], T, inputs=load, order=16, elements=6))
    missed = np.abs(deflections(run) - fine).max() / np.abs(fine).max()
    assert missed <= 3 * run.error.shapes["w"] + 1e-7
    assert any("highest polynomials" in note for note in run.notes) == (run.error.shapes["w"] > 0.01)


@pytest.mark.parametrize(("order", "until"), [(4, 0.05), (6, 0.005), (3, 0.05)])
def test_nonlinear_runs_tell_it_too(order: int, until: float) -> None:
    load = {"F": f"Piecewise((2, t < {until}), (0, True))"}
    run = fx.simulate(HELD["turning"], T, inputs=load, order=order, tolerance=1e-5)
    fine = deflections(fx.simulate(HELD["turning"], T, inputs=load, tolerance=1e-5))  # in shapes that it searches for
    missed = np.abs(deflections(run) - fine).max() / np.abs(fine).max()
    assert 0.005 < missed <= 3 * run.error.shapes["w"]
    assert any("compare a higher order=" in note for note in run.notes)


def test_functions_of_users_are_not_told_to_be_polynomials() -> None:
    run = fx.simulate(HELD["clamped"], T, inputs={"F": 1.0}, basis={"w": ["x**2*sin(x)", "x**3"]})
    assert not run.error.shapes
    assert "compare two orders" in str(run.error)
