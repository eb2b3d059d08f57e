"""Rigid motion first, elastic response second, beside the two-way coupled, nonlinear simulation of the same machine."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx

CRANK, LENGTH, SLIDER, SPEED = 0.1, 0.3, 1e-3, 60.0
T = np.linspace(0, 0.02, 21)


def two_way(EI: float) -> np.ndarray:
    """Midspan deflection from the chord; the rod's own bending turns its frame."""
    crank, slider = fx.RigidBody("crank", m=0, I=1.0), fx.RigidBody("slider", m=SLIDER, I=0)
    rod = fx.EulerBernoulliBeam("rod", EI=("EI", EI), rho=1.0, length=LENGTH)
    model = fx.Model(
        fx.Revolute(fx.ground, crank, name="theta", motion=f"{SPEED}*t"),
        fx.Revolute(crank.at(CRANK), rod.start, name="phi"),
        fx.Slide(fx.ground, slider, along="x", name="s"),
        fx.Revolute(rod.end, slider, name="pin"),
    )
    run = fx.simulate(fx.derive(model), T, initial={"phi": 0.0, "s": CRANK + LENGTH}, order=5)
    assert run.complete, run.message
    return run.place(rod, LENGTH / 2) - run.place(rod, LENGTH) / 2


def elastic_second(EI: float) -> np.ndarray:
    second = 1e-7
    section = fx.Section(E=EI / second, G=EI / second, rho=1.0, A=1.0, Iy=second, Iz=second)
    rod = fx.BeamFrame(
        [[0, 0, 0], [LENGTH, 0, 0]], [[0, 1]], section, {0: "u v w alpha beta"}, bodies={1: (SLIDER, 0.0)}, shear=False
    ).refined(4)
    linkage = fx.slider_crank(CRANK, LENGTH, f"{SPEED}*t")
    mechanism = fx.Mechanism(linkage, {"rod": rod}, [fx.Joint(("rod", 1), along="x")])
    run = fx.simulate(mechanism, T)["rod"]
    return run["v3"] - run["v1"] / 2


def test_both_agree_more_and_more_as_the_deformation_shrinks():
    deflections, apart = [], []
    for EI in (12.5, 50.0):
        wanted, found = two_way(EI), elastic_second(EI)
        deflections.append(np.abs(wanted).max() / LENGTH)
        apart.append(np.abs(found - wanted).max() / np.abs(wanted).max())
    assert deflections[1] < deflections[0] / 2.5
    assert apart[1] < 0.012
    assert apart[0] / apart[1] == pytest.approx(deflections[0] / deflections[1], rel=0.5)  # of first order in it
