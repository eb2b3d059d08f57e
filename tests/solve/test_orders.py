"""Linear motions after pulses: the order of the polynomials follows the waves, or the run says that it does not."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx
from flexura.solve.runs import orders


def cantilever(**damping):
    beam = fx.TimoshenkoBeam("b", EI=8.6, rho=0.33, EA=2100.0, rotary_inertia=0.0054, kGA=138.0, length=0.96, **damping)
    return beam, fx.derive(fx.Model(beam, fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, value="F", along="y")))


T = np.array([0.0, 0.22, 0.28])
SHORT = "1e-7*exp(-((t - 0.09)/0.0019)**2)"
SLOW = "1e-7*exp(-((t - 0.09)/0.05)**2)"


def tip(beam, run):
    return run.place(beam, beam.length)[:, 0]


def test_waves_of_a_short_pulse_are_followed():
    beam, equations = cantilever()
    run = fx.simulate(equations, T, inputs={"F": SHORT})
    fine = tip(beam, fx.simulate(equations, T, inputs={"F": SHORT}, order=20, elements=5))
    low = tip(beam, fx.simulate(equations, T, inputs={"F": SHORT}, order=12))
    size = np.abs(fine).max()
    assert np.abs(low - fine).max() > 0.01 * size  # what an order of 12 makes of it
    assert np.abs(tip(beam, run) - fine).max() < 1e-3 * size
    assert 0 < run.error.shapes["w_b"] <= 1e-3


def test_slow_motions_stay_at_the_first_order(monkeypatch: pytest.MonkeyPatch):
    _, equations = cantilever()
    asked, made = [], orders.motion_system
    monkeypatch.setattr(orders, "motion_system", lambda e, v, order, n: asked.append(order) or made(e, v, order, n))
    run = fx.simulate(equations, T, inputs={"F": SLOW})
    assert asked == [9]
    assert run.notes[-1] == "Propagated exactly."
    assert not any("polynomials" in note for note in run.notes)


def test_what_cannot_be_followed_is_told(monkeypatch: pytest.MonkeyPatch):
    beam, equations = cantilever()
    monkeypatch.setattr(orders, "_MOST", 30)
    run = fx.simulate(equations, T, inputs={"F": SHORT})
    fine = tip(beam, fx.simulate(equations, T, inputs={"F": SHORT}, order=20, elements=5))
    note = next(note for note in run.notes if "polynomials of degree 12" in note)
    assert "may be off by as much" in note
    assert np.abs(tip(beam, run) - fine).max() <= 2 * run.error.shapes["w_b"] * np.abs(fine).max()


def test_a_damped_frame_with_very_stiff_members_moves_as_with_rigid_ones():
    """Two members, one 1e5 or 1e7 times as stiff as the other, with a dashpot: the stiffness does not show."""

    def pushed(stiff: float):
        a = fx.EulerBernoulliBeam("a", EI=1e3, rho=2.0, length=1.0)
        b = fx.EulerBernoulliBeam("b", EI=stiff, rho=0.8, length=1.0)
        model = fx.Model(
            a, b, fx.Fixed(fx.ground, a.start), fx.Fixed(a.end, b.start),
            fx.Damper(fx.ground, b.end, c=0.02, along="y"), fx.Force(b.end, value="F", along="y"),
        )  # fmt: skip
        t = np.array([0.0, 12.0, 20.0])
        return fx.simulate(fx.derive(model), t, inputs={"F": "1e-4*exp(-((t - 10)/0.1)**2)"}).place(b, 1.0)

    stiff, stiffer = pushed(1e8), pushed(1e10)
    assert np.all(np.isfinite(stiffer))
    assert np.abs(stiffer - stiff).max() < 1e-3 * np.abs(stiff).max()


@pytest.mark.parametrize("length", [0.001, 0.01])
def test_small_motions_of_what_turns_are_followed_as_finely(length: float):
    """A hub with an arm, struck at the tip: nonlinear equations, and a motion as small as linear ones."""
    hub, arm = fx.RigidBody("hub", m=0, I=0.3), fx.EulerBernoulliBeam("arm", EI=20.0, rho=0.5, length=1.0)
    joints = fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub, arm.start)
    equations = fx.derive(fx.Model(*joints, fx.Force(arm.end, "F")))
    blow, t = {"F": f"1e-6*Piecewise((1, t < {length}), (0, True))"}, np.linspace(0, 0.3, 31)
    run = fx.simulate(equations, t, inputs=blow)
    fine = fx.simulate(equations, t, inputs=blow, order=12, elements=6)
    for place in (0.5, 1.0):
        size = np.abs(fine.place(arm, place)).max()
        assert np.abs(run.place(arm, place) - fine.place(arm, place)).max() < 3e-4 * size
    assert 0 < run.error.shapes["w_arm"] <= 1e-3
    assert any("linearised" in note for note in run.notes)
    assert not any("otherwise" in note for note in run.notes)
