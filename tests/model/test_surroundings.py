"""Foundations and damping of members on moving bodies: they go along, the derivation says so, and drag is a load."""

import numpy as np
import pytest

import flexura as fx

MEMBERS = {
    "EulerBernoulliBeam": lambda **more: fx.EulerBernoulliBeam("b", EI=40.0, rho=0.5, length=1.2, **more),
    "RayleighBeam": lambda **more: fx.RayleighBeam("b", EI=40.0, rho=0.5, length=1.2, rotary_inertia=0.01, **more),
    "TimoshenkoBeam": lambda **more: fx.TimoshenkoBeam(
        "b", EI=40.0, kGA=9e3, rho=0.5, rotary_inertia=0.01, length=1.2, **more
    ),
    "Rod": lambda **more: fx.Rod("b", EA=40.0, rho=0.5, length=1.2, **more),
    "Shaft": lambda **more: fx.Shaft("b", GJ=40.0, rotary_inertia=0.5, length=1.2, **more),
    "String": lambda **more: fx.String("b", tension=40.0, rho=0.5, length=1.2, **more),
}


@pytest.mark.parametrize("kind", MEMBERS)
def test_members_know_what_surrounds_them(kind):
    make = MEMBERS[kind]
    assert make().surroundings == ()
    assert make(internal_damping=0.1).surroundings == ()  # it resists strains
    assert make(foundation=3.0).surroundings == ("foundation",)
    assert make(damping=0.2).surroundings == ("damping",)
    assert make(damping="c", foundation="k*x", internal_damping=0.1).surroundings == ("foundation", "damping")


def test_a_spatial_beam_and_a_member_of_your_own():
    blade = {"EA": 1e4, "EIy": 30.0, "EIz": 40.0, "GJ": 20.0, "rho": 0.5, "rotary_inertia": 0.01, "length": 1.0}
    assert fx.SpatialBeam("b", **blade).surroundings == ()
    assert fx.SpatialBeam("b", damping=0.3, **blade).surroundings == ("damping",)
    w = fx.Field("w", length=1.0)
    bed = {"fields": (w,), "ends": {"transverse": w}, "displacement": (0, w, 0), "rho": 1.0}
    assert fx.Member("m", potential=5 * w.x**2 + 2 * w**4, **bed).surroundings == ("foundation",)


def turning(*loads, **more):
    hub = fx.RigidBody("hub", m=1.0, I=0.3)
    beam = fx.EulerBernoulliBeam("beam", EI=4000.0, rho=0.5, length=1.2, **more)
    parts = [fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub, beam.start)]
    return fx.derive(fx.Model(*parts, *(load(beam) for load in loads)))


def step_five(equations):
    return next(step.text for step in equations.steps if step.number == 5)


def test_step_five_says_that_they_go_along():
    told = step_five(turning(damping=0.2, foundation=5.0))
    assert "the foundation and the damping of beam resist its deflection in that frame" in told
    assert "foundation" not in step_five(turning(damping=0.2))
    assert "resist" not in step_five(turning(internal_damping=0.01))
    beam = fx.EulerBernoulliBeam("beam", EI=40.0, rho=0.5, length=1.2, damping=0.2)
    assert "resist" not in step_five(fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start))))  # the frame is ground


def test_a_frame_that_turns_is_not_damped_by_it_and_drag_as_a_load_damps_it():
    """Of a stiff beam the drag takes c l^3/3 theta_t from the turn of (I + rho l^3/3): e^-rt."""
    t, start = np.linspace(0, 2, 5), {"theta_t": 0.5}
    run = fx.simulate(turning(damping=0.2, foundation=5.0), t, initial=start, order=4)
    assert run["theta_t"] == pytest.approx(0.5, rel=2e-3)
    drag = turning(lambda beam: fx.DistributedForce(beam, "-c*(w_beam_t + x*theta_t)"))
    run = fx.simulate(drag, t, initial=start, values={"c": 0.2}, order=4)
    rate = 0.2 * 1.2**3 / 3 / (0.3 + 0.5 * 1.2**3 / 3)
    assert run["theta_t"] == pytest.approx(0.5 * np.exp(-rate * t), rel=2e-3)
